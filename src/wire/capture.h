/* SPDX-License-Identifier: Apache-2.0 */
/* Captured frames read from a file: pcapng by our own reader, classic pcap by libpcap, behind one interface.
 *
 * pcapng: both byte orders, any if_tsresol (powers of 10 and of 2) and if_tsoffset, several sections and interfaces;
 * unknown blocks are skipped. Interfaces are numbered through the whole file in the order of their descriptions.
 * Classic pcap: interface 0, no name, no direction, stamps to the nanosecond.
 *
 * Time. A stamp is seconds and picoseconds within the second, for the years since 1970 do not fit into time_ps (106
 * days). heddle's own captures begin at second 0; a capture of a real network must be read relative to a base second,
 * which `capture_base` chooses from the first frame's; captures that are read together share one base.
 *
 * Malformed files end in CAPTURE_FAILED and one line that names the byte; frames before it have been handed out.
 * Refused: link types other than Ethernet, blocks over 16 MiB, Simple Packet Blocks (they carry no time), over 65,535
 * interfaces.
 */
#ifndef HEDDLE_WIRE_CAPTURE_H
#define HEDDLE_WIRE_CAPTURE_H

#include <stdio.h>

#include "base/diag.h"
#include "wire/pcapng.h"

struct capture; /* one open file */

struct capture_frame {
    int64_t second; /* the stamp: seconds ... */
    int64_t ps;     /* ... and picoseconds, 0 .. 10^12 - 1 */
    uint32_t interface;
    const char *if_name; /* "" if it has none; lives until capture_close */
    enum capture_direction direction;
    uint32_t captured, original; /* captured <= original */
    const uint8_t *bytes;        /* `captured` of them; valid until the next call */
};

enum capture_result { CAPTURE_FRAME, CAPTURE_END, CAPTURE_FAILED };

/* NULL after filling *d: unreadable, neither pcapng nor pcap. */
struct capture *capture_open(const char *path, struct diag *d);
/* The same with an open, seekable FILE, which is closed with the capture (or at once on failure). */
struct capture *capture_open_file(FILE *file, const char *name, struct diag *d);

/* The next frame in the order of the file. After CAPTURE_END or CAPTURE_FAILED it stays so. */
enum capture_result capture_next(struct capture *c, struct capture_frame *frame, struct diag *d);

void capture_close(struct capture *c); /* NULL is fine */

/* A stamp relative to the start of a second; TIME_NONE if it is beyond what time_ps holds (106 days either way). */
time_ps capture_time(const struct capture_frame *frame, int64_t base_second);

/* The second that is t = 0 for a capture whose first frame has this second: 0 for a clock that began near 0, else the
 * frame's own. */
int64_t capture_base(int64_t first_second);

#endif
