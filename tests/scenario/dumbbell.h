/* SPDX-License-Identifier: Apache-2.0 */
/* Long flows over the bottleneck of a simulated dumbbell, and measurements of its queue. */
#ifndef HEDDLE_TESTS_SCENARIO_DUMBBELL_H
#define HEDDLE_TESTS_SCENARIO_DUMBBELL_H

#include "sim/fixture.h"

#define LEFT_OUT (20 * MS) /* start of the run, in which the flows find their windows */

/* Returns long flows from hosts on leaf0 to hosts on leaf1 over one link. All links have this rate; the RTT is 100
 * us. */
static inline struct lab *lab_dumbbell(const char *transport, uint32_t flows, int64_t rate_bps) {
    struct fabric_spec spec = spec_dumbbell(flows);
    spec.host_bps = spec.uplink_bps = spec.core_bps = rate_bps;
    spec.host_delay = spec.uplink_delay = spec.core_delay = 16 * US;
    struct lab *l = lab_new(spec);
    lab_transport(l, transport);
    l->config.switches.buffer_bytes = 10000000;
    lab_admit_as_needed(l, l->config.hosts.transport[0]);
    l->config.measure.queues = 10 * US;
    l->config.until = 120 * MS;
    for (uint32_t i = 0; i < flows; i++) lab_flow(l, i, flows + i, UINT64_MAX, i * 370 * US);
    return l;
}

struct queue_seen {
    int64_t least, most, mean;
};

/* Summarises the samples of the bottleneck's queue after LEFT_OUT. */
static inline struct queue_seen lab_queue_seen(const struct lab *l) {
    uint32_t port = lab_port(l, "leaf0", "leaf1")->port, n = 0;
    struct queue_seen seen = {.least = INT64_MAX};
    for (size_t i = 0; i < l->r.n_samples; i++) {
        const struct sample *s = &l->r.sample[i];
        if (s->kind != SAMPLE_QUEUE || s->port != port || s->at < LEFT_OUT) continue;
        seen.least = min_i64(seen.least, s->value);
        seen.most = max_i64(seen.most, s->value);
        seen.mean += s->value;
        n++;
    }
    assert_true(n > 100);
    seen.mean /= n;
    return seen;
}

/* Returns the utilisation of the bottleneck over the whole run, in parts per thousand. */
static inline int64_t lab_link_used(const struct lab *l) {
    int64_t could = (int64_t)((int128)l->config.until * l->spec.uplink_bps / (8 * PS_PER_S));
    return (int64_t)(lab_sent(l, "leaf0", "leaf1") * 1000 / (uint64_t)could);
}

static inline double lab_jain(const struct lab *l) {
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < l->flows.n; i++) {
        double x = (double)l->r.tally[i].received_bytes;
        sum += x;
        squares += x * x;
    }
    return sum * sum / (l->flows.n * squares);
}

static inline void assert_nothing_lost(const struct lab *l) {
    assert_int_equal(l->r.packets.dropped, 0);
    assert_int_equal(lab_counter(l, "tcp_timeouts"), 0);
}

#endif
