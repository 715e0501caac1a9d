/* SPDX-License-Identifier: Apache-2.0 */
/* What the benchmarks of one switch have in common: ToR 0.0 of the Expeditus paper's 12-pod fat-tree (6 hosts, 6
 * uplinks), and 65,536 flows from its hosts to other pods.
 *
 * Expeditus keeps the path of each flow in a table of 65,536 entries. tor_find_flows draws flows until every entry
 * belongs to one of them, each settled by an Exp-request that left and an Exp-response that came back, so later each
 * packet finds its path and the table (1 MiB) is touched at random.
 */
#ifndef HEDDLE_BENCH_TOR_H
#define HEDDLE_BENCH_TOR_H

#include "fabric/fabric.h"
#include "node/switch.h"

#define FLOWS 65536u /* as many as the path table has entries */
#define ROUNDS_MAX 1001
#define TTL 64
#define PARAMS_MAX 16

_Noreturn void bench_fail(const char *what);
int64_t bench_ns(void); /* CLOCK_MONOTONIC */
void bench_sort(double *ns, uint32_t n);

/* All links of `rate_bps`; 1 us each. */
struct fabric *tor_fabric(int64_t rate_bps);
static inline uint32_t tor_node(const struct fabric *f) {
    return f->n_hosts;
} /* switches follow the hosts, ToRs first */

/* A switch in which the flows of a warm table are found. */
struct tor {
    const struct fabric *fabric;
    struct packet_pool *pool;
    struct fabric_switch *sw; /* its balancer is Expeditus */
    time_ps now;              /* moves on */
};

/* Fills packet, [FLOWS], with descriptors of the pool: full frames of data, TTL 64. Flow n is of host n % 6. */
void tor_find_flows(struct tor *t, uint32_t *packet);

uint64_t tor_counter(const struct fabric_switch *sw, const char *name); /* of its balancer */

#endif
