/* SPDX-License-Identifier: Apache-2.0 */
/* The switch and the flows that the benchmarks of one switch share: ToR 0.0 of the Expeditus paper's 12-pod fat-tree (6
 * hosts, 6 uplinks), and 65,536 flows from its hosts to other pods.
 *
 * Expeditus keeps the path of each flow in a table of 65,536 entries. tor_find_flows draws flows until every entry
 * belongs to one of them; it settles each by an Exp-request and an Exp-response. Later each packet finds its path, and
 * accesses to the table (1 MiB) are random.
 */
#ifndef HEDDLE_BENCH_TOR_H
#define HEDDLE_BENCH_TOR_H

#include "fabric/fabric.h"
#include "node/switch.h"

#define FLOWS 65536u /* entries of the path table */
#define ROUNDS_MAX 1001
#define TTL 64
#define PARAMS_MAX 16

_Noreturn void bench_fail(const char *what);
int64_t bench_ns(void); /* CLOCK_MONOTONIC */
void bench_sort(double *ns, uint32_t n);

/* Returns the fat-tree; all links have `rate_bps` and a delay of 1 us. */
struct fabric *tor_fabric(int64_t rate_bps);
static inline uint32_t tor_node(const struct fabric *f) {
    return f->n_hosts;
} /* switches follow the hosts, ToRs first */

/* The switch whose path table tor_find_flows fills. */
struct tor {
    const struct fabric *fabric;
    struct packet_pool *pool;
    struct fabric_switch *sw; /* its balancer is Expeditus */
    time_ps now;              /* time of the next frame */
};

/* Fills packet[FLOWS] with descriptors of the pool: full frames of data, TTL 64. Host n % 6 sends flow n. */
void tor_find_flows(struct tor *t, uint32_t *packet);

uint64_t tor_counter(const struct fabric_switch *sw, const char *name); /* returns a counter of its balancer */

#endif
