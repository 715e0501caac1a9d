/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates the cost of runs before they are made: flows, memory, packet-hops and time.
 *
 * Packet-hops are those of `engine` in the results: frames of any kind times the links they cross. A flow of n data
 * frames costs n frames on each link of its path, and the frames that precede or answer them: handshake, ACKs (one per
 * `delayed_ack` segments), FIN, or a request and a credit per frame. The estimate leaves out retransmissions, wasted
 * credits and frames that balancers or flow control add. Endless flows, and flows that the end of the run cuts, carry
 * their share of the narrowest link of one of their paths. The other endless flows that are open at the time, on
 * average, share that link.
 *
 * Time is packet-hops over an assumed speed of one core: 8 million a second, 5 with credits, 2.5 through crossbars
 * (docs/perf.md has measured speeds). A busy or a faster machine can be several times off either way.
 */
#ifndef HEDDLE_STUDY_ASSEMBLE_FORESEE_H
#define HEDDLE_STUDY_ASSEMBLE_FORESEE_H

#include "study/assemble/assemble.h"

struct foreseen {
    uint64_t runs, flows, packet_hops; /* sums over all runs added */
    uint64_t memory_bytes;             /* of the largest run, program_bytes included */
    uint64_t program_bytes;            /* resident memory of the program before any run; set by the caller */
    double seconds;                    /* sum over all runs, one after the other on one core */
};

/* Adds the run of *a. */
void foresee_add(struct foreseen *f, const struct assembly *a);
/* Adds one more run, whose cost is known from an equal one. */
void foresee_add_again(struct foreseen *f, const struct foreseen *one);

/* Returns the packet-hops per second and core that `seconds` assumes. */
double foresee_hops_per_s(const struct assembly *a);

/* Writes "2:05 min" or "3:20 h", for output. Returns buf. */
const char *foresee_time_text(double seconds, char *buf, size_t size);

#endif
