/* SPDX-License-Identifier: Apache-2.0 */
/* Closed loops of a kind of workload: which flows feed which gates, after the sort of the list. */
#include "specs.h"

#include "workload/generate.h"

static const struct shape star = {1, 1, 4, 10 * GBPS, 0, 0};

/* Adds a gate at a host for the last flow of the list. */
static uint32_t gate_for_last(struct generator *g, uint32_t host, uint32_t needs) {
    return generator_gate(g, host, needs, 0, g->list->n - 1, 1, 1);
}

/* Flow 0 starts after flow 1, so that the sort exchanges them; it feeds two gates at its receiver, host 1, one at its
 * sender, host 0. Flow 1 feeds the second gate of host 1 too. */
static bool several_generate(struct generator *g) {
    bool ok = generator_add(g, 10 * PS_PER_US, 0, 1, 1000) && generator_add(g, 5 * PS_PER_US, 2, 1, 2000);
    ok = ok && generator_add(g, TIME_NONE, 1, 3, 3000);
    uint32_t alone = gate_for_last(g, 1, 1);
    ok = ok && generator_add(g, TIME_NONE, 1, 2, 4000);
    uint32_t both = gate_for_last(g, 1, 2);
    ok = ok && generator_add(g, TIME_NONE, 0, 3, 5000);
    uint32_t sender = gate_for_last(g, 0, 1);
    generator_feed_received(g, 0, both);
    generator_feed_acked(g, 0, sender);
    generator_feed_received(g, 0, alone);
    generator_feed_received(g, 1, both);
    return ok;
}

static const struct workload_ops several = {.name = "several", .generate = several_generate};

static uint32_t flow_of_size(const struct flow_list *l, uint64_t bytes) {
    for (uint32_t i = 0; i < l->n; i++)
        if (l->flow[i].bytes == bytes) return i;
    fail_msg("no flow of %u bytes", (unsigned)bytes);
    return FLOW_NONE;
}

/* Returns the size of the first flow that the k-th gate of a list starts. */
static uint64_t starts(const struct flow_list *l, struct fed_gates fed, uint32_t k) {
    return l->flow[l->gates.gated[l->gates.gate[fed.gate[k]].first]].bytes;
}

static void feed__a_flow_may_feed_several_gates(void **state) {
    (void)state;
    struct population p = population_make(star);
    struct workload_spec spec = spec_of(&several, NULL);
    struct flow_list l = generate(&spec, 1, &p, 1);
    uint32_t many = flow_of_size(&l, 1000), one = flow_of_size(&l, 2000);
    assert_true(one < many);
    struct fed_gates received = gates_of_received(&l.gates, many), acked = gates_of_acked(&l.gates, many);
    assert_int_equal(received.n, 2);
    assert_int_equal(starts(&l, received, 0), 4000); /* in the order of the calls */
    assert_int_equal(starts(&l, received, 1), 3000);
    assert_int_equal(acked.n, 1);
    assert_int_equal(starts(&l, acked, 0), 5000);
    assert_int_equal(l.gates.n_fed, 4);
    flow_list_free(&l);
    population_free(&p);
}

static void feed__a_gate_may_count_several_flows(void **state) {
    (void)state;
    struct population p = population_make(star);
    struct workload_spec spec = spec_of(&several, NULL);
    struct flow_list l = generate(&spec, 1, &p, 1);
    uint32_t many = flow_of_size(&l, 1000), one = flow_of_size(&l, 2000);
    struct fed_gates received = gates_of_received(&l.gates, one);
    assert_int_equal(received.n, 1);
    assert_int_equal(received.gate[0], gates_of_received(&l.gates, many).gate[0]);
    assert_int_equal(l.gates.gate[received.gate[0]].needs, 2);
    for (uint64_t bytes = 3000; bytes <= 5000; bytes += 1000) {
        uint32_t flow = flow_of_size(&l, bytes);
        assert_int_equal(gates_of_received(&l.gates, flow).n + gates_of_acked(&l.gates, flow).n, 0);
    }
    flow_list_free(&l);
    population_free(&p);
}

/* Gate 0 begins with the run, on a processor; gate 1 counts its end, gates 2 and 3 its begin, gate 3 also the end of 2. They
 * are named in another order than that of the list. */
static bool following_generate(struct generator *g) {
    bool ok = generator_add(g, TIME_NONE, 1, 3, 3000);
    for (uint32_t i = 0; i < 4; i++) generator_gate(g, 1, (uint32_t[]){0, 1, 1, 2}[i], 10 * i, 0, i == 3, 1);
    generator_follow(g, 2, 3, false);
    generator_follow(g, 0, 1, false);
    generator_follow(g, 0, 3, true);
    generator_follow(g, 0, 2, true);
    generator_processor(g);
    generator_gate_on(g, 0, generator_processor(g));
    return ok;
}

static const struct workload_ops following = {.name = "following", .generate = following_generate};

static void follow__gates_stand_behind_the_gate_that_they_count(void **state) {
    (void)state;
    struct population p = population_make(star);
    struct workload_spec spec = spec_of(&following, NULL);
    struct flow_list l = generate(&spec, 1, &p, 1);
    const struct gates *g = &l.gates;
    assert_int_equal(g->n_gates, 4);
    assert_int_equal(g->n_follow, 4);
    assert_int_equal(g->n_processors, 2);
    assert_int_equal(g->gate[0].processor, 2);
    assert_int_equal(g->gate[0].n_on_begin, 2);
    assert_int_equal(g->gate[0].n_on_end, 1);
    const uint32_t *next = g->follow + g->gate[0].next;
    assert_int_equal(next[0], 3); /* gates that count its begin, in the order of the calls, then its end */
    assert_int_equal(next[1], 2);
    assert_int_equal(next[2], 1);
    assert_int_equal(g->gate[1].n_on_begin + g->gate[1].n_on_end, 0);
    assert_int_equal(g->gate[2].n_on_end, 1);
    assert_int_equal(g->follow[g->gate[2].next], 3);
    flow_list_free(&l);
    population_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(feed__a_flow_may_feed_several_gates),
        UNIT(feed__a_gate_may_count_several_flows),
        UNIT(follow__gates_stand_behind_the_gate_that_they_count),
    };
    return RUN_UNITS(tests);
}
