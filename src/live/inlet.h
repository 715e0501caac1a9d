/* SPDX-License-Identifier: Apache-2.0 */
/* Merges captures into the arrivals at one switch: all frames of all files in the order of (time, keyed hash, port),
 * which is the order of the simulator with the same seed (base/tie.h).
 *
 * A file feeds one port, named by its neighbour, or with "all" every port. Frames count if they were received or have
 * no known direction, and if they come from the right interface of the file:
 *
 *  the interface with the port's name   (a capture of a node by heddle has an interface per port)
 *  else the only interface              (other captures: "eth0", or no name), unless it is another port's name
 *
 * Frames of one port and one file keep their order. A stamp before that of the previous frame (a capture of several
 * queues) counts as late and is raised to it. Equal times are ordered by the hash of (seed, time, port), then by port,
 * then by the order of the inputs.
 *
 * Time. t = 0 is given by capture_base for the first second of all files together: 0 for heddle's own captures, else
 * that second. Files may span 100 days.
 *
 * inlet_open reads every file once, so malformed, unreadable and ambiguous files are refused before anything happens;
 * then each file is read once per port that it feeds. Memory: a frame per port, whatever the size of the files.
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

/* Opens the captures. `seed`: of the run, for ties. Returns NULL after filling *d. */
struct inlet *inlet_open(const struct fabric *f, uint32_t node, uint64_t seed, const struct inlet_source *source,
                         size_t n, struct diag *d);
/* Returns the next frame. INLET_FAILED after filling *d: a file has changed since inlet_open. */
enum inlet_result inlet_next(struct inlet *in, struct inlet_frame *frame, struct diag *d);
uint64_t inlet_late(const struct inlet *in); /* stamps raised so far */
void inlet_close(struct inlet *in);          /* NULL is allowed */

#endif
