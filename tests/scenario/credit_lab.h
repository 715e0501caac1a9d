/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds with credits at every port, and checks that hold in each: no data is lost, no queue exceeds its bound, and
 * data takes the links of its credit.
 */
#ifndef HEDDLE_TESTS_SCENARIO_CREDIT_LAB_H
#define HEDDLE_TESTS_SCENARIO_CREDIT_LAB_H

#include "fabric/credit_bound.h"
#include "sim/fixture.h"

#define CREDIT_SHARE (PPB * 84 / 1622)
#define CREDIT_BURST 168

static inline struct lab *lab_credits(struct fabric_spec spec, const char *transport) {
    struct lab *l = lab_new(spec);
    l->config.switches.buffer_bytes = 4000000;
    l->config.switches.credit = l->config.hosts.credit = (struct credit_config){
        .on = true, .queue = 16, .share_ppb = CREDIT_SHARE, .burst_bytes = CREDIT_BURST, .mark_window = 4};
    l->config.switches.port.unscheduled_bytes = 6072;
    l->config.hosts.processing_delay = US;
    lab_balance_param(l, "hash", 1);
    lab_transport(l, transport);
    return l;
}

static inline void lab_credit_share(struct lab *l, int64_t share_ppb) {
    l->config.switches.credit.share_ppb = l->config.hosts.credit.share_ppb = share_ppb;
}

static inline void lab_credit_queue(struct lab *l, uint32_t queue) {
    l->config.switches.credit.queue = l->config.hosts.credit.queue = queue;
}

static inline void assert_all_arrived(const struct lab *l) {
    assert_int_equal(l->r.flows_finished, l->flows.n);
    assert_int_equal(l->r.packets.dropped, 0);
    assert_int_equal(l->r.packets.retransmitted, 0);
}

/* Checks XP-9 and SP-23 port by port. `hold` is the time for which senders keep credits. Frames without credits add to
 * the queues (XP-13), but the bound leaves room for a few. */
static inline void assert_bounded(const struct lab *l, span_ps hold) {
    struct credit_bound_spec spec = {.credit_queue = l->config.switches.credit.queue,
                                     .burst_bytes = CREDIT_BURST,
                                     .processing_delay = l->config.hosts.processing_delay,
                                     .hold = hold};
    struct credit_bound *b = credit_bound_create(l->fabric, &spec);
    int64_t most = 0;
    assert_int_equal(l->r.n_ports, l->fabric->paths.first_port[l->fabric->n_nodes]);
    for (uint32_t p = 0; p < l->r.n_ports; p++) {
        int64_t bound = (int64_t)credit_bound_bytes(b, p), queue = l->r.port[p].max_queue_bytes;
        assert_int_equal(l->r.port[p].port, p);
        if (queue > bound) {
            const struct place_port *port = &l->fabric->paths.port[p];
            fail_msg("%s to %s: %lld B of %lld B", name_of(l->fabric, port->node), name_of(l->fabric, port->neighbour),
                     (long long)queue, (long long)bound);
        }
        most = max_i64(most, queue);
    }
    assert_true(most > 4 * 1518); /* some queues formed */
    credit_bound_destroy(b);
}

/* Returns the mean completion time of all flows. */
static inline span_ps lab_mean_fct(const struct lab *l) {
    span_ps sum = 0;
    for (uint32_t i = 0; i < l->flows.n; i++) sum += lab_fct(l, i);
    return sum / l->flows.n;
}

/* ---- data on the links of its credit ---- */

/* A credit, or the data that used it, left this port (global) of its path at this time. */
struct crossing {
    uint32_t flow, port;
    int64_t credit;
    time_ps at;
    bool data;
};

static inline int crossing_order(const void *pa, const void *pb) {
    const struct crossing *a = pa, *b = pb;
    if (a->flow != b->flow) return a->flow < b->flow ? -1 : 1;
    if (a->credit != b->credit) return a->credit < b->credit ? -1 : 1;
    if (a->data != b->data) return a->data ? 1 : -1;
    return (a->at > b->at) - (a->at < b->at);
}

/* Watches all flows. */
static inline void lab_watch_all(struct lab *l) {
    static uint32_t flow[256];
    assert_true(l->flows.n <= 256);
    for (uint32_t i = 0; i < l->flows.n; i++) flow[i] = i;
    l->config.measure.flow = flow;
    l->config.measure.n_flow = l->flows.n;
}

static inline size_t lab_crossings(const struct lab *l, struct crossing **out) {
    struct crossing *c = calloc(l->r.n_timeline + 1, sizeof *c);
    size_t n = 0;
    assert_non_null(c);
    for (size_t i = 0; i < l->r.n_timeline; i++) {
        const struct timeline_entry *e = &l->r.timeline[i];
        bool data = e->frame == TIMELINE_DATA;
        if (e->kind != TIMELINE_DEQUEUED || e->credit == TIMELINE_NO_CREDIT) continue;
        if (!data && e->frame != TIMELINE_CREDIT) continue;
        c[n++] = (struct crossing){e->flow, l->fabric->paths.first_port[e->node] + e->port, e->credit, e->at, data};
    }
    qsort(c, n, sizeof *c, crossing_order);
    *out = c;
    return n;
}

/* Returns whether the data of a credit crossed the links of the credit in reverse. */
static inline bool crossings_mirror(const struct lab *l, const struct crossing *c, size_t n) {
    size_t there = 0;
    while (there < n && !c[there].data) there++;
    if (n - there != there) return false;
    for (size_t i = 0; i < there; i++)
        if (l->fabric->paths.port[c[there - 1 - i].port].peer != c[there + i].port) return false;
    return true;
}

struct retraced {
    size_t same, apart; /* data on the links of its credit, and on others */
};

/* Counts all data that used a credit. Needs lab_watch_all before the run. */
static inline struct retraced lab_retraced(const struct lab *l) {
    struct retraced r = {0};
    struct crossing *c;
    size_t n = lab_crossings(l, &c);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && c[end].flow == c[i].flow && c[end].credit == c[i].credit; end++) {
        }
        if (!c[end - 1].data) continue; /* the credit was dropped on its path, or wasted */
        bool mirrored = crossings_mirror(l, c + i, end - i);
        r.same += mirrored;
        r.apart += !mirrored;
    }
    free(c);
    return r;
}

#endif
