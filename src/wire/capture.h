/* SPDX-License-Identifier: Apache-2.0 */
/* Captured frames read from a file: pcapng by our own reader, classic pcap by libpcap, behind one interface.
 *
 * pcapng: both byte orders, any if_tsresol (powers of 10 and of 2) and if_tsoffset, several sections and interfaces;
 * unknown blocks are skipped. Interfaces are numbered through the whole file in the order of their descriptions.
 * The picoseconds that stamps of heddle leave out are read from their option (pcapng.h).
 * Classic pcap: interface 0, no name, no direction, stamps to the nanosecond.
 *
 * Time. A stamp is seconds and picoseconds within the second, since time_ps (106 days) cannot hold the time since 1970.
 * heddle's own captures begin at second 0. A capture of a real network is read relative to a base second, which
 * `capture_base` chooses from its first frame; captures that are read together share one base.
 *
 * A malformed file ends in CAPTURE_FAILED and one line that names the byte; the frames before it are delivered.
 * Refused: link types other than Ethernet, blocks over 16 MiB, Simple Packet Blocks (they carry no time), over 65,535
 * interfaces.
 */
#ifndef HEDDLE_WIRE_CAPTURE_H
#define HEDDLE_WIRE_CAPTURE_H

#include <stdio.h>

#include "base/diag.h"
#include "wire/pcapng.h"

struct capture; /* an open file */

struct capture_frame {
    int64_t second; /* the stamp: seconds ... */
    int64_t ps;     /* ... and picoseconds, 0 .. 10^12 - 1 */
    uint32_t interface;
    const char *if_name; /* "" : none; lives until capture_close */
    enum capture_direction direction;
    uint32_t captured, original; /* captured <= original */
    const uint8_t *bytes;        /* `captured` bytes; valid until the next call */
};

enum capture_result { CAPTURE_FRAME, CAPTURE_END, CAPTURE_FAILED };

/* Opens a file. Returns NULL after filling *d: unreadable, or neither pcapng nor pcap. */
struct capture *capture_open(const char *path, struct diag *d);
/* Reads from an open, seekable FILE, which is closed with the capture, or at once on failure. */
struct capture *capture_open_file(FILE *file, const char *name, struct diag *d);

/* Returns the next frame in the order of the file. CAPTURE_END and CAPTURE_FAILED are final. */
enum capture_result capture_next(struct capture *c, struct capture_frame *frame, struct diag *d);

void capture_close(struct capture *c); /* NULL is allowed */

/* Returns the stamp relative to the start of a second; TIME_NONE if time_ps cannot hold it (106 days either way). */
time_ps capture_time(const struct capture_frame *frame, int64_t base_second);

/* Returns the second that is t = 0 for a capture whose first frame has this second: 0 for a clock that began near 0,
 * else the frame's own second. */
int64_t capture_base(int64_t first_second);

#endif
