/* SPDX-License-Identifier: Apache-2.0 */
/* Captures as what arrives at one switch: all frames of all files in the order of (time, keyed hash, port): the order
 * in which the simulator of the same seed has them (base/tie.h).
 *
 * A file feeds one port, named by its neighbour, or with "all" every port. Of its frames those count that were received
 * or whose direction is not known, and of its interfaces
 *
 *   the one with the port's name     (a capture of a node by heddle has an interface per port)
 *   else its only one                (captures of others: "eth0", or no name), unless it is another port's name
 *
 * Frames of one port and one file keep their order: a stamp before that of the frame before it (a capture of several
 * queues) counts as late and is raised to it. Equal times go by the hash of (seed, time, port), then by port, then by
 * the order of the inputs.
 *
 * Time. t = 0 is what capture_base makes of the first second of all files together: 0 for heddle's own captures, else
 * that second. Files may span 100 days.
 *
 * Every file is read once before inlet_open returns, so what is malformed, unreadable or ambiguous is refused before
 * anything happens; then once per port it feeds. Memory: a frame per port, whatever the size of the files.
 */
#ifndef HEDDLE_LIVE_INLET_H
#define HEDDLE_LIVE_INLET_H

#include "fabric/fabric.h"

struct inlet_source {
    const char *port; /* a neighbour's name, or "all" */
    const char *path; /* pcapng or classic pcap */
};

struct inlet_frame {
    time_ps at;
    uint16_t port;
    uint32_t captured, original;
    const uint8_t *bytes; /* valid until the next call */
};

enum inlet_result { INLET_FRAME, INLET_END, INLET_FAILED };

struct inlet;

/* seed: of the run, for ties. NULL after filling *d. */
struct inlet *inlet_open(const struct fabric *f, uint32_t node, uint64_t seed, const struct inlet_source *source,
                         size_t n, struct diag *d);
/* INLET_FAILED after filling *d: a file has changed since inlet_open. */
enum inlet_result inlet_next(struct inlet *in, struct inlet_frame *frame, struct diag *d);
uint64_t inlet_late(const struct inlet *in); /* stamps raised so far */
void inlet_close(struct inlet *in);          /* NULL is fine */

#endif
