/* SPDX-License-Identifier: Apache-2.0 */
/* Queries, web sets, background flows and an incast in rounds, together in a world: the same digest for any number of
 * threads, and the same queries under every scheme. */
#include "sim/fixture.h"

#include "workload/fields.h"
#include "workload/kinds.h"

#include "unit.h"

static const struct rate_phase bursts[] = {{200 * PS_PER_US, 20000 * 1000}, {300 * PS_PER_US, 1000 * 1000}};
static const uint64_t responses[] = {2000, 8000, 32000};
static const uint32_t fanouts[] = {2, 5};
static const uint8_t classes[] = {0, 7};

static const struct web_sequential_fields in_turn = {4};
static const struct web_partition_fields together = {fanouts, 2};
static const struct incast_fields each = {.receiver = RECEIVER_EACH};

static struct workload_spec entry(uint32_t number, const struct workload_ops *kind) {
    return (struct workload_spec){.kind = kind,
                                  .fields = kind == &workload_web_sequential  ? (const void *)&in_turn
                                            : kind == &workload_web_partition ? (const void *)&together
                                                                              : (const void *)&each,
                                  .entry = number,
                                  .until = 2 * MS,
                                  .stop = 500 * US,
                                  .schedule = bursts,
                                  .n_phases = 2,
                                  .request_bytes = 1460,
                                  .response = responses,
                                  .n_responses = 3,
                                  .priorities = classes,
                                  .n_priorities = 2};
}

static void lab_ask(struct lab *l) {
    struct diag d;
    struct sizes *half = sizes_create("500KB", NULL, 0, &d);
    struct workload_spec spec[] = {entry(0, &workload_query), entry(1, &workload_web_sequential),
                                   entry(2, &workload_web_partition), entry(3, &workload_background),
                                   entry(4, &workload_incast)};
    assert_non_null(half);
    spec[1].placement = PLACEMENT_ALTERNATE;
    spec[2].persistent = true;
    spec[3].sizes = half;
    spec[4].total_bytes = 60000;
    spec[4].rounds = 2;
    if (!workload_generate(spec, 5, &lab_fabric(l)->population, 7, &l->flows, &d)) fail_msg("%s", d.text);
    sizes_destroy(half);
}

static struct lab *lab_queries(void) {
    struct lab *l = lab_new(spec_leaf_spine(4, 2, 4));
    lab_transport_param(l, 0, "min_rto", 300 * US);
    lab_transport_param(l, 0, "initial_window", 3);
    l->config.switches.buffer_bytes = 60000;
    lab_ask(l);
    return l;
}

static void lab_ask_end(struct lab *l) {
    struct flow_list list = l->flows;
    l->flows = (struct flow_list){0};
    lab_end(l);
    flow_list_free(&list);
}

/* Runs the world. lab_run would sort the flows, which must keep the order of the query loops. */
static void run(struct lab *l, uint32_t threads) {
    if (l->has_result) run_result_free(&l->r);
    l->config.fabric = lab_fabric(l);
    l->config.flows = &l->flows;
    l->config.threads = threads;
    l->has_result = true;
    if (world_run(&l->config, &l->r) != WORLD_DONE) fail_msg("%s", l->r.failure);
}

static void queries__same_for_1_2_and_3_threads(void **state) {
    (void)state;
    struct lab *l = lab_queries();
    l->config.until = 2 * MS;
    run(l, 1);
    uint64_t digest = l->r.engine.digest;
    struct query_totals one = l->r.queries;
    assert_true(one.finished > 150 && one.sets.n > 15);
    assert_true(l->r.packets.dropped > 0); /* so the runs have timeouts and retransmissions */
    for (uint32_t threads = 2; threads <= 3; threads++) {
        run(l, threads);
        assert_true(l->r.engine.digest == digest);
        assert_memory_equal(&l->r.queries, &one, sizeof one);
    }
    lab_ask_end(l);
}

/* A run without run.until ends when every query has its response. */
static void queries__all_are_answered(void **state) {
    (void)state;
    struct lab *l = lab_queries();
    run(l, 1);
    assert_int_equal(l->r.queries.started, l->flows.n_queries);
    assert_int_equal(l->r.queries.finished, l->flows.n_queries);
    assert_int_equal(l->r.flows_unfinished, 0);
    const struct flow_tally *t = l->r.tally;
    for (uint32_t i = 0; i < l->flows.n_queries; i++) {
        const struct query *q = &l->flows.query[i];
        assert_int_equal(t[q->response].started_at, t[q->request].finished_at);
        assert_int_equal(t[q->response].syn_timeouts, 0);
    }
    for (uint32_t i = 1; i < l->flows.n_queries; i++) {
        const struct query *q = &l->flows.query[i], *before = q - 1;
        const struct flow *request = &l->flows.flow[q->request];
        if (request->entry != 1 || q->set != before->set) continue;
        assert_int_equal(t[q->request].started_at, t[before->response].finished_at);
    }
    lab_ask_end(l);
}

/* Returns the frames that hosts send for one entry of queries, with or without FIN. */
static uint64_t frames_made(bool persistent, bool fin, uint64_t *queries) {
    struct diag d;
    struct lab *l = lab_new(spec_leaf_spine(4, 2, 4));
    struct workload_spec spec = entry(0, &workload_query);
    spec.persistent = persistent;
    lab_transport_param(l, 0, "fin", fin);
    if (!workload_generate(&spec, 1, &lab_fabric(l)->population, 7, &l->flows, &d)) fail_msg("%s", d.text);
    run(l, 1);
    assert_int_equal(l->r.packets.dropped, 0);
    *queries = l->r.queries.finished;
    uint64_t made = l->r.packets.sent;
    lab_ask_end(l);
    return made;
}

/* FIN adds three frames a connection, less those after the end of the run. */
static void fin__once_for_request_and_response(void **state) {
    (void)state;
    uint64_t n, same;
    uint64_t without = frames_made(false, false, &n), with = frames_made(false, true, &same);
    assert_int_equal(n, same);
    assert_true(n > 60);
    assert_in_range(with - without, 3 * (n - 4), 3 * n);
    assert_int_equal(frames_made(true, false, &n), frames_made(true, true, &same));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(queries__same_for_1_2_and_3_threads),
        UNIT(queries__all_are_answered),
        UNIT(fin__once_for_request_and_response),
    };
    return RUN_UNITS(tests);
}
