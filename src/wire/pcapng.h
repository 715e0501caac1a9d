/* SPDX-License-Identifier: Apache-2.0 */
/* Captures written as pcapng (draft-ietf-opsawg-pcapng): an interface per port, times to the picosecond.
 *
 * One Section Header, then an Interface Description per port (Ethernet, if_name, if_speed, if_tsresol), then an
 * Enhanced Packet Block per frame whose epb_flags say whether the port received or sent it. All numbers are
 * little-endian on every machine, and nothing but what is passed in goes into the file: equal runs give equal files.
 *
 * Time. Stamps are in units of 100 ps (if_tsresol 10) or nanoseconds (9), rounded down. Wireshark up to 4.0 multiplies
 * the part of a stamp below the second by 10^9 in 64 bits; finer stamps overflow there (12: every 18.4 ms). A replay
 * needs the picosecond, so each packet block has an option of ours with the picoseconds below the nanosecond:
 *
 *   octets  0  option code 2989 (opt_custom: octets that may be copied), option length 12
 *           4  enterprise number 32473, in the byte order of the section
 *           8  the six letters "heddle"
 *          14  picoseconds, 0 .. 999, little-endian in either byte order
 *
 * heddle has no enterprise number of its own. 32473 stands for none (RFC 5612), and the letters name the option.
 * Programs that copy custom options, such as editcap and mergecap, keep it. They cut stamps to the nanosecond, which
 * is why the option counts from there and not from the stamp's last unit.
 *
 * The caller owns the FILE. Every function returns false after filling *d when the file cannot be written; the last
 * words on a full disk may come only with pcapng_finish.
 */
#ifndef HEDDLE_WIRE_PCAPNG_H
#define HEDDLE_WIRE_PCAPNG_H

#include <stdio.h>

#include "base/diag.h"

/* Values of bits 0 and 1 of epb_flags. */
enum capture_direction { CAPTURE_UNKNOWN, CAPTURE_INBOUND, CAPTURE_OUTBOUND };

/* Values of if_tsresol: a simulation's clock, and a clock of this machine. */
enum pcapng_unit { PCAPNG_100_PS = 10, PCAPNG_NANOSECOND = 9 };

struct pcapng_writer {
    FILE *file;
    const char *name;    /* path of the file, for errors; must outlive the writer */
    uint32_t snap_bytes; /* most bytes of a frame that are kept; 0 = all */
    uint32_t n_interfaces;
    enum pcapng_unit unit; /* unit of the stamps */
};

struct pcapng_origin {
    const char *application; /* name of the writing program */
    enum pcapng_unit unit;
};

/* Writes the Section Header. pcapng_begin: of the application "heddle", stamps in units of 100 ps. */
bool pcapng_begin_as(struct pcapng_writer *w, FILE *file, const char *name, const struct pcapng_origin *origin,
                     uint32_t snap_bytes, struct diag *d);
bool pcapng_begin(struct pcapng_writer *w, FILE *file, const char *name, uint32_t snap_bytes, struct diag *d);

/* Adds an interface; the first is number 0, the next 1. rate_bps 0: unknown. */
bool pcapng_add_interface(struct pcapng_writer *w, const char *if_name, int64_t rate_bps, struct diag *d);

/* Writes a frame of `original` bytes, of which `captured` are at `bytes`; the writer truncates it at snap_bytes. */
bool pcapng_write(struct pcapng_writer *w, uint32_t interface, time_ps at, enum capture_direction direction,
                  const uint8_t *bytes, size_t captured, size_t original, struct diag *d);

/* Returns true if the file begins with a Section Header of this application (const char *). An output_test. */
bool pcapng_is_by(FILE *in, const void *application);

/* Flushes the FILE. Returns true if everything was written. */
bool pcapng_finish(struct pcapng_writer *w, struct diag *d);

#endif
