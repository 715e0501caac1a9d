/* SPDX-License-Identifier: Apache-2.0 */
/* What runs will cost, foreseen before they are made: flows, memory, packet-hops and time.
 *
 * Packet-hops are those of `engine` in the results: frames of any kind times the links they cross. A flow of n data
 * frames costs n frames on each link of its way, and what answers or precedes them: handshake, ACKs (one per
 * `delayed_ack` segments), FIN, or a request and a credit per frame. Retransmissions, wasted credits and what balancers
 * or flow control add are not foreseen. Flows without an end, and flows that the end of the run cuts, carry what the
 * narrowest link of one of their paths gives them, shared with the other endless flows that are open at the time.
 *
 * Time is packet-hops over an assumed speed of one core: 8 million a second, 5 with credits, 2.5 through crossbars
 * (docs/perf.md has what was measured). A busy or a better machine is several times off either way.
 */
#ifndef HEDDLE_STUDY_ASSEMBLE_FORESEE_H
#define HEDDLE_STUDY_ASSEMBLE_FORESEE_H

#include "study/assemble/assemble.h"

struct foreseen {
    uint64_t runs, flows, packet_hops; /* of all these runs */
    uint64_t memory_bytes;             /* of the largest, with what the program itself takes */
    uint64_t program_bytes;            /* of it: resident before any run was made; the caller's to set */
    double seconds;                    /* of all, one after the other */
};

/* Adds one run, that of *a. */
void foresee_add(struct foreseen *f, const struct assembly *a);
/* Adds what one run more costs, known from an equal one. */
void foresee_add_again(struct foreseen *f, const struct foreseen *one);

/* Packet-hops per second and core that `seconds` assumes. */
double foresee_hops_per_s(const struct assembly *a);

/* "2:05 min" or "3:20 h" for people. Returns buf. */
const char *foresee_time_text(double seconds, char *buf, size_t size);

#endif
