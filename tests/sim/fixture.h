/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated world from a few fields: what the tests of sim and the scenarios share.
 *
 *     struct lab *l = lab_new(spec_leaf_spine(2, 2, 4));
 *     lab_balance(l, "expeditus");
 *     lab_fail(l, "leaf0-spine1", 1 * MS, TIME_NONE, 100 * US);
 *     lab_flow(l, 0, 4, 100000, 0);
 *     lab_run_done(l);                      l->r holds the result
 *     lab_end(l);
 *
 * All parameters are their tables' defaults but for max_rto, which is 100 ms: a stuck run is found after a second.
 */
#ifndef HEDDLE_TESTS_SIM_FIXTURE_H
#define HEDDLE_TESTS_SIM_FIXTURE_H

#include <stdlib.h>

#include "base/units.h"
#include "fabric/fabric_test.h"
#include "mech/transport/tcp.h"
#include "sim/world.h"
#include "transport_rows.h"

#define LAB_LIST 16
#define LAB_PARAMS 32
#define MBPS 1000000LL
#define LAB_MAX_RTO (100 * MS)

struct lab {
    struct fabric_spec spec;
    struct link_override override[LAB_LIST];
    struct link_failure failure[LAB_LIST];
    struct random_failures random[LAB_LIST];
    struct fabric *fabric; /* built by the first run or by lab_fabric */
    struct flow_list flows;
    struct world_config config;
    int64_t balance_params[LAB_PARAMS], transport_params[MAX_TRANSPORTS][LAB_PARAMS];
    struct run_result r; /* result of the last run */
    bool has_result;
};

/* ---- parts ---- */

static inline void lab_balance(struct lab *l, const char *name) {
    const struct balancer_ops *ops = balancer_find(name);
    assert_non_null(ops);
    assert_true(ops->n_params <= LAB_PARAMS);
    for (size_t i = 0; i < ops->n_params; i++) l->balance_params[i] = ops->params[i].def;
    l->config.switches.balance = ops;
    l->config.switches.balance_params = l->balance_params;
}

static inline void lab_balance_param(struct lab *l, const char *name, int64_t value) {
    const struct balancer_ops *ops = l->config.switches.balance;
    for (size_t i = 0; i < ops->n_params; i++)
        if (strcmp(ops->params[i].name, name) == 0) {
            l->balance_params[i] = value;
            return;
        }
    fail_msg("%s has no parameter %s", ops->name, name);
}

static inline void lab_transport_param(struct lab *l, uint32_t transport, const char *name, int64_t value) {
    size_t at;
    if (!row_param(l->config.hosts.transport[transport], name, &at)) fail_msg("no parameter %s", name);
    l->transport_params[transport][at] = value;
}

/* Adds a transport. Returns its number for flows; flows use transport 0 by default. */
static inline uint8_t lab_add_transport(struct lab *l, const char *name) {
    struct host_config *hosts = &l->config.hosts;
    const struct transport_ops *ops = transport_find(name);
    uint32_t n = hosts->n_transports++;
    size_t at;
    assert_non_null(ops);
    assert_true(n < MAX_TRANSPORTS && transport_n_params(ops) <= LAB_PARAMS);
    transport_defaults(ops, l->transport_params[n]);
    hosts->transport[n] = ops;
    hosts->transport_params[n] = l->transport_params[n];
    if (row_param(ops, "max_rto", &at)) l->transport_params[n][at] = LAB_MAX_RTO;
    return (uint8_t)n;
}

static inline void lab_transport(struct lab *l, const char *name) {
    l->config.hosts.n_transports = 0;
    lab_add_transport(l, name);
}

/* Sets the admission that a transport needs; parameters that it does not name keep their defaults. */
static inline void lab_admit_as_needed(struct lab *l, const struct transport_ops *ops) {
    struct admit_config *a = &l->config.switches.admit;
    char why[256];
    *a = (struct admit_config){0};
    for (const struct need *n = ops->needed; n && n->key; n++)
        if (strcmp(n->key, "switch.admit") == 0) a->ops = admission_find(n->value);
    for (const struct param *const *key = a->ops ? a->ops->keys : NULL; key && *key; key++) {
        int64_t *field = (int64_t *)((char *)a + (*key)->at);
        *field = (*key)->def;
        for (const struct need *n = ops->needed; n->key; n++)
            if (strcmp(n->key + strlen("switch."), (*key)->name) == 0)
                assert_true(units_parse((*key)->type, n->value, field, why, sizeof why));
    }
}

/* Sets what the ports need for every transport added: admission, the class of credits, and recorded paths. */
static inline void lab_ports_as_needed(struct lab *l) {
    for (uint32_t i = 0; i < l->config.hosts.n_transports; i++) {
        const struct transport_ops *ops = l->config.hosts.transport[i];
        lab_admit_as_needed(l, ops);
        l->config.switches.record_path |= ops->needs.symmetric_paths;
        if (!ops->needs.credit) continue;
        l->config.switches.credit = l->config.hosts.credit =
            (struct credit_config){.on = true,
                                   .queue = 16,
                                   .share_ppb = PPB * 84 / 1622,
                                   .burst_bytes = 168,
                                   .mark_window = ops->needs.credit_marking ? 4 : 0};
    }
}

static inline struct lab *lab_new(struct fabric_spec spec) {
    struct lab *l = calloc(1, sizeof *l);
    assert_non_null(l);
    l->spec = spec;
    l->spec.links = l->override;
    l->spec.failed = l->failure;
    l->spec.fail_random = l->random;
    l->config = (struct world_config){
        .switches = {.buffer_bytes = 225000, .port.classes = 1},
        .measure = {.arrivals = SELECTION_ALL},
        .board_epoch = PS_PER_US,
        .seed = 1,
        .until = TIME_NONE,
        .threads = 1,
    };
    lab_balance(l, "ecmp");
    lab_transport(l, "newreno");
    return l;
}

static inline void lab_end(struct lab *l) {
    if (l->has_result) run_result_free(&l->r);
    if (l->fabric) fabric_destroy(l->fabric);
    free(l->flows.flow);
    free(l);
}

/* ---- links ---- */

static inline void lab_link(struct lab *l, const char *match, int64_t rate_bps, span_ps delay, int64_t loss_ppb) {
    assert_true(l->spec.n_links < LAB_LIST && !l->fabric);
    l->override[l->spec.n_links++] =
        (struct link_override){.match = match, .rate_bps = rate_bps, .delay = delay, .loss_ppb = loss_ppb};
}

static inline struct link_failure *lab_fail(struct lab *l, const char *link, time_ps at, time_ps repair_at,
                                            span_ps detect) {
    assert_true(l->spec.n_failed < LAB_LIST && !l->fabric);
    struct link_failure *f = &l->failure[l->spec.n_failed++];
    *f = (struct link_failure){.link = link, .at = at, .repair_at = repair_at, .detect = detect};
    return f;
}

static inline void lab_gray(struct lab *l, const char *link, int64_t loss_ppb, time_ps at, time_ps repair_at) {
    lab_fail(l, link, at, repair_at, 0)->loss_ppb = loss_ppb;
}

static inline void lab_slow(struct lab *l, const char *link, int64_t rate_bps, time_ps at, time_ps repair_at) {
    lab_fail(l, link, at, repair_at, 0)->rate_bps = rate_bps;
}

/* ---- flows ---- */

/* Adds a flow and returns it for further settings; the pointer is valid until the next call. */
static inline struct flow *lab_flow(struct lab *l, uint32_t src, uint32_t dst, uint64_t bytes, time_ps start) {
    uint32_t n = l->flows.n++;
    l->flows.flow = realloc(l->flows.flow, l->flows.n * sizeof *l->flows.flow);
    assert_non_null(l->flows.flow);
    struct flow *f = &l->flows.flow[n];
    *f = (struct flow){.start = start,
                       .bytes = bytes,
                       .stop = TIME_NONE,
                       .src = src,
                       .dst = dst,
                       .index = n,
                       .src_port = (uint16_t)(10000 + n),
                       .dst_port = 80};
    return f;
}

static inline int lab_flow_order(const void *pa, const void *pb) {
    const struct flow *a = pa, *b = pb;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    if (a->src != b->src) return a->src < b->src ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Adds n flows between random hosts, of 1 B to `most` bytes, half of them small, that start within `span`. */
static inline void lab_random_flows(struct lab *l, uint32_t hosts, uint32_t n, uint64_t most, span_ps span) {
    struct random_stream r;
    random_init(&r, l->config.seed, RANDOM_PAIRS, 77);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t src = (uint32_t)random_below(&r, hosts);
        uint32_t dst = (uint32_t)((src + 1 + random_below(&r, hosts - 1)) % hosts);
        uint64_t bytes = 1 + random_below(&r, i % 2 ? most : 3000);
        lab_flow(l, src, dst, bytes, (time_ps)random_below(&r, (uint64_t)span));
    }
}

/* ---- running ---- */

static inline struct fabric *lab_fabric(struct lab *l) {
    if (!l->fabric) {
        l->spec.seed = l->config.seed;
        l->fabric = made(l->spec);
    }
    return l->fabric;
}

static inline enum world_outcome lab_run(struct lab *l) {
    if (l->has_result) run_result_free(&l->r);
    if (l->flows.n) qsort(l->flows.flow, l->flows.n, sizeof *l->flows.flow, lab_flow_order);
    l->config.fabric = lab_fabric(l);
    l->config.flows = &l->flows;
    l->has_result = true;
    return world_run(&l->config, &l->r);
}

static inline void lab_run_done(struct lab *l) {
    enum world_outcome outcome = lab_run(l);
    if (outcome != WORLD_DONE) fail_msg("the run failed: %s", l->r.failure);
}

static inline uint64_t lab_digest(struct lab *l, uint32_t threads) {
    l->config.threads = threads;
    lab_run_done(l);
    l->config.threads = 1;
    return l->r.engine.digest;
}

/* ---- reading the result ---- */

static inline uint64_t lab_counter(const struct lab *l, const char *name) {
    for (size_t i = 0; i < l->r.n_counters; i++)
        if (strcmp(l->r.counter[i].name, name) == 0) return l->r.counter[i].value;
    fail_msg("no counter %s", name);
    return 0;
}

/* Returns the totals of the egress port from one node to its neighbour. */
static inline const struct port_total *lab_port(const struct lab *l, const char *from, const char *to) {
    uint32_t n = node(l->fabric, from);
    uint16_t p = fabric_port_find(l->fabric, n, to);
    if (p == PORT_NONE) fail_msg("%s has no port %s", from, to);
    return &l->r.port[l->fabric->paths.first_port[n] + p];
}

static inline uint64_t lab_sent(const struct lab *l, const char *from, const char *to) {
    return lab_port(l, from, to)->sent_bytes;
}

static inline span_ps lab_fct(const struct lab *l, uint32_t flow) {
    assert_true(l->r.tally[flow].finished_at != TIME_NONE);
    return l->r.tally[flow].finished_at - l->flows.flow[flow].start;
}

#endif
