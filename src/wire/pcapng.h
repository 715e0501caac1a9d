/* SPDX-License-Identifier: Apache-2.0 */
/* Captures written as pcapng (draft-ietf-opsawg-pcapng): an interface per port, stamps in picoseconds.
 *
 * One Section Header, then an Interface Description per port (Ethernet, if_name, if_speed, if_tsresol 12), then an
 * Enhanced Packet Block per frame whose epb_flags say whether the port received or sent it. All numbers are
 * little-endian on every machine, and nothing but what is passed in goes into the file: equal runs give equal files.
 *
 * Beware: Wireshark up to 4.0 (Debian 12) multiplies the part of a stamp below a second by 10^9 in 64 bits, which
 * overflows at picoseconds when that part exceeds 18.4 ms: it then shows wrong times below the second. The file is
 * right; newer versions and our own reader show it so. Runs under 18 ms look right everywhere.
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

struct pcapng_writer {
    FILE *file;
    const char *name;    /* path of the file, for errors; must outlive the writer */
    uint32_t snap_bytes; /* most bytes of a frame that are kept; 0 = all */
    uint32_t n_interfaces;
};

/* Writes the Section Header; pcapng_begin_as names the application that writes ("heddle" otherwise). */
bool pcapng_begin_as(struct pcapng_writer *w, FILE *file, const char *name, const char *application,
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
