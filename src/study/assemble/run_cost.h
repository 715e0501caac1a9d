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
 * (docs/perf.md has measured speeds), and the time of measurements: at each multiple of their period all ports, or the rates
 * of all flows, are read. A busy or a faster machine can be several times off either way.
 */
#ifndef HEDDLE_STUDY_ASSEMBLE_RUN_COST_H
#define HEDDLE_STUDY_ASSEMBLE_RUN_COST_H

#include "sim/parallel/division.h"
#include "study/assemble/assemble.h"

struct run_cost {
    uint64_t runs, flows, packet_hops; /* sums over all runs added */
    uint64_t store_bytes;   /* of the results (study/assemble/store_cost.h), without those of an empty store */
    uint64_t memory_bytes;  /* of the largest run, on each rank, program_bytes included */
    uint64_t program_bytes; /* resident memory of the program before any run; set by the caller */
    double seconds;         /* sum over all runs, one after the other on one core */
};

/* Adds the run of *a, whose world takes so much memory on each rank (world_memory_foreseen). */
void run_cost_add(struct run_cost *f, const struct assembly *a, uint64_t world_bytes);
/* Adds one more run, whose cost is known from an equal one. */
void run_cost_add_again(struct run_cost *f, const struct run_cost *one);

/* What the ranks of one run will send each other, all together, over the whole run (docs/scale.md).
 *
 * Each flow's frames cross the links of its path, data one way and the rest back; the links between ranks count. Of few
 * flows several of the equal-cost paths are tried, and their mean counts.
 *
 * Windows are those of the least time that the flows need: until the lower bound of each one's end, and for the frames
 * of the busiest port. A run that takes longer has more; windows without any event are skipped. Each ordered pair of
 * ranks sends a message a window at most, and no more messages than frames. */
struct traffic_cost {
    double windows, frames, messages, bytes;
};
void run_cost_traffic(const struct assembly *a, const struct division *v, struct traffic_cost *t);

/* Returns the packet-hops per second and core that `seconds` assumes. */
double run_cost_hops_per_s(const struct assembly *a);

/* Writes "2:05 min" or "3:20 h", for output. Returns buf. */
const char *run_cost_time_text(double seconds, char *buf, size_t size);

#endif
