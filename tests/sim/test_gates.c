/* SPDX-License-Identifier: Apache-2.0 */
/* Closed loops in a world: starts of gated flows, the end of a run, and equal digests for any number of threads. */
#include "sim/fixture.h"

#include "feeds.h"
#include "unit.h"

#include "base/memory.h"

#define MANY 400

struct loops {
    struct gate gate[MANY];
    uint32_t gated[MANY];
    struct feeds feeds;
};

/* Makes n queries between random clients and servers. A query is a request of one segment and an answer on the same
 * connection. It starts when the client has the answer to its query before, so all requests but the first of each
 * client are gated. */
static struct loops *lab_chains(struct lab *l, uint32_t hosts, uint32_t clients, uint32_t rounds) {
    struct loops *loops = memory_get(1, sizeof *loops);
    struct gates *g = &l->flows.gates;
    struct random_stream r;
    random_init(&r, 3, RANDOM_PAIRS, 5);
    uint32_t n = clients * rounds;
    assert_true(2 * n <= MANY);
    for (uint32_t i = 0; i < n; i++) { /* flow i: request, client i % clients; flow n + i: its answer */
        uint32_t client = i % clients, server = (uint32_t)((client + 1 + random_below(&r, hosts - 1)) % hosts);
        lab_flow(l, client, server, 1460, i < clients ? (time_ps)client * US : TIME_NONE);
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct flow *request = &l->flows.flow[i];
        lab_flow(l, request->dst, request->src, 1000 + 700 * (i % 9), TIME_NONE)->flags = FLOW_ESTABLISHED;
    }
    for (uint32_t i = 0; i < n; i++) {
        loops->gated[g->n_gated] = n + i;
        feeds_add(&loops->feeds, i, FED_RECEIVED, g->n_gates);
        loops->gate[g->n_gates++] =
            (struct gate){.host = l->flows.flow[n + i].src, .needs = 1, .first = g->n_gated++, .n = 1, .delay = 0};
        if (i + clients >= n) continue;
        loops->gated[g->n_gated] = i + clients;
        feeds_add(&loops->feeds, n + i, FED_RECEIVED, g->n_gates);
        loops->gate[g->n_gates++] =
            (struct gate){.host = l->flows.flow[i].src, .needs = 1, .first = g->n_gated++, .n = 1, .delay = 3 * US};
    }
    g->gate = loops->gate;
    g->gated = loops->gated;
    feeds_finish(&loops->feeds, g, l->flows.n);
    return loops;
}

/* Runs the world without the sorting of lab_run, because the flows are in order. */
static enum world_outcome loops_run(struct lab *l, uint32_t threads) {
    if (l->has_result) run_result_free(&l->r);
    l->config.fabric = lab_fabric(l);
    l->config.flows = &l->flows;
    l->config.threads = threads;
    l->has_result = true;
    return world_run(&l->config, &l->r);
}

static void chain__each_query_follows_the_answer_before(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(4, 2, 3));
    struct loops *loops = lab_chains(l, 12, 5, 20);
    uint32_t n = 100;
    assert_int_equal(loops_run(l, 1), WORLD_DONE);
    assert_int_equal(l->r.flows_started, 2 * n);
    assert_int_equal(l->r.flows_finished, 2 * n);
    assert_int_equal(l->r.times[CLASS_ALL].fct_ps.n, 2 * n);
    const struct flow_tally *t = l->r.tally;
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(t[n + i].started_at, t[i].finished_at);
        if (i + 5 < n) assert_int_equal(t[i + 5].started_at, t[n + i].finished_at + 3 * US);
    }
    lab_end(l);
    free(loops);
}

static void digest__same_for_1_2_and_3_threads(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(4, 2, 3));
    struct loops *loops = lab_chains(l, 12, 9, 20);
    l->config.switches.buffer_bytes = 20000;
    assert_int_equal(loops_run(l, 1), WORLD_DONE);
    uint64_t one = l->r.engine.digest, hops = l->r.engine.packet_hops;
    assert_true(hops > 1000);
    for (uint32_t threads = 2; threads <= 3; threads++) {
        assert_int_equal(loops_run(l, threads), WORLD_DONE);
        assert_true(l->r.engine.digest == one);
        assert_int_equal(l->r.engine.packet_hops, hops);
    }
    lab_end(l);
    free(loops);
}

/* A run may end before gated flows start: these count neither as started nor as unfinished. */
static void until__what_never_started_does_not_count(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(4, 2, 3));
    struct loops *loops = lab_chains(l, 12, 5, 20);
    l->config.until = 200 * US;
    assert_int_equal(loops_run(l, 1), WORLD_DONE);
    assert_true(l->r.flows_started > 10 && l->r.flows_started < 200);
    assert_int_equal(l->r.flows_started, l->r.flows_finished + l->r.flows_unfinished);
    assert_int_equal(l->r.times[CLASS_ALL].fct_ps.n, l->r.flows_finished);
    lab_end(l);
    free(loops);
}

/* A gate that nothing opens makes the run fail with a message. */
static void stuck__names_what_was_never_started(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(4, 2, 3));
    struct loops *loops = lab_chains(l, 12, 5, 4);
    loops->gate[0].needs = 2;
    assert_int_equal(loops_run(l, 1), WORLD_FAILED);
    if (!strstr(l->r.failure, "waits for what starts it")) fail_msg("%s", l->r.failure);
    lab_end(l);
    free(loops);
}

/* Two computations of one processor begin with the run, then a flow starts; each host of the fabric does the same. One digest
 * for any number of threads. */
static void begin__computations_come_before_the_first_flow(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(4, 2, 3));
    struct loops *loops = memory_get(1, sizeof *loops);
    struct gates *g = &l->flows.gates;
    uint32_t follow[12];
    for (uint32_t i = 0; i < 12; i++) {
        lab_flow(l, i, (i + 5) % 12, 100000, TIME_NONE);
        follow[i] = 24 + i;
        loops->gated[i] = i;
        loops->gate[i] = (struct gate){.host = i, .delay = 4 * US, .processor = i + 1};
        loops->gate[12 + i] = (struct gate){.host = i, .delay = 3 * US, .processor = i + 1, .next = i, .n_on_end = 1};
        loops->gate[24 + i] = (struct gate){.host = i, .needs = 1, .first = i, .n = 1, .delay = US};
    }
    *g = (struct gates){.gate = loops->gate,
                        .gated = loops->gated,
                        .follow = follow,
                        .n_gates = 36,
                        .n_gated = 12,
                        .n_follow = 12,
                        .n_processors = 12};
    feeds_finish(&loops->feeds, g, l->flows.n);
    assert_int_equal(loops_run(l, 1), WORLD_DONE);
    uint64_t one = l->r.engine.digest;
    assert_int_equal(l->r.flows_finished, 12);
    for (uint32_t i = 0; i < 12; i++) assert_int_equal(l->r.tally[i].started_at, 8 * US);
    for (uint32_t threads = 2; threads <= 3; threads++) {
        assert_int_equal(loops_run(l, threads), WORLD_DONE);
        assert_true(l->r.engine.digest == one);
    }
    lab_end(l);
    free(loops);
}

static void background__the_run_ends_without_it(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(4, 2, 3));
    lab_flow(l, 0, 4, 100000000, 0)->flags = FLOW_BACKGROUND;
    lab_flow(l, 1, 5, 100000, 0);
    assert_int_equal(loops_run(l, 1), WORLD_DONE);
    assert_true(l->r.engine.sim_ps < 10 * MS);
    assert_int_equal(l->r.flows_started, 2);
    assert_int_equal(l->r.flows_unfinished, 0);
    assert_int_equal(l->r.times[CLASS_ALL].fct_ps.n, 1);
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(chain__each_query_follows_the_answer_before),    UNIT(digest__same_for_1_2_and_3_threads),
        UNIT(until__what_never_started_does_not_count),       UNIT(stuck__names_what_was_never_started),
        UNIT(begin__computations_come_before_the_first_flow), UNIT(background__the_run_ends_without_it),
    };
    return RUN_UNITS(tests);
}
