/* SPDX-License-Identifier: Apache-2.0 */
/* Gates: flows that start when others have ended at the same host. */
#include "node/lan.h"

#include "feeds.h"

/* The loops of a test; flows and gates are added in order. */
struct loops {
    struct gates gates;
    struct gate gate[8];
    uint32_t gated[16], follow[16];
    struct gate_state state;
    struct feeds feeds;
};

static struct loops *loops_new(void) {
    struct loops *l = calloc(1, sizeof *l);
    assert_non_null(l);
    return l;
}

/* Adds a gate at a host. It starts the next n flows that the test adds, once `needs` flows have ended. */
static uint32_t loops_gate(struct loops *l, const struct lan *lan, uint32_t host, uint32_t needs, uint32_t n,
                           span_ps delay) {
    struct gates *g = &l->gates;
    l->gate[g->n_gates] = (struct gate){.host = host, .needs = needs, .first = g->n_gated, .n = n, .delay = delay};
    for (uint32_t i = 0; i < n; i++) l->gated[g->n_gated++] = lan->n_flows + i;
    return g->n_gates++;
}

/* Starts the lan. Gated flows are the last that the test adds, as in the list of a run. */
static void loops_start(struct loops *l, struct lan *lan) {
    l->gates.gate = l->gate;
    l->gates.gated = l->gated;
    feeds_finish(&l->feeds, &l->gates, lan->n_flows);
    l->gates.follow = l->follow;
    gate_state_init(&l->state, &l->gates);
    lan_start(lan);
    for (uint32_t h = 0; h < lan->n_hosts; h++) {
        struct host *host = &lan->host[h];
        while (host->end_flow > host->next_flow && lan->flow[host->end_flow[-1]].start == TIME_NONE) host->end_flow--;
    }
    lan->shared.gates = &l->state;
    for (uint32_t i = 0; i < l->gates.n_gates; i++)
        if (l->gate[i].needs == 0) host_begin_gate(&lan->host[l->gate[i].host], i);
}

static void loops_free(struct loops *l) {
    gate_state_fini(&l->state);
    free(l);
}

static void received__starts_the_answer_at_once(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "newreno");
    struct loops *l = loops_new();
    lan_flow(lan, 0, 1, 1460, 10 * US);
    feeds_add(&l->feeds, 0, FED_RECEIVED, loops_gate(l, lan, 1, 1, 1, 0));
    lan_flow(lan, 1, 0, 5000, TIME_NONE)->flags = FLOW_ESTABLISHED;
    loops_start(l, lan);
    assert_true(host_next_timer(&lan->host[1]) == TIME_NONE);
    lan_run(lan, MS);
    assert_int_equal(lan->shared.flows_started, 2);
    assert_int_equal(lan->shared.flows_done, 2);
    assert_int_equal(lan->tally[1].started_at, lan->tally[0].finished_at);
    assert_int_equal(lan->tally[1].first_data_at, lan->tally[0].finished_at + 84 * BYTE_PS); /* behind the ACK */
    assert_int_equal(lan_frame(lan, 1, 0)->payload_bytes, 1460);                             /* no SYN */
    lan_end(lan);
    loops_free(l);
}

static void received__waits_for_all_and_for_the_delay(void **state) {
    (void)state;
    struct lan *lan = lan_new(4, "newreno");
    struct loops *l = loops_new();
    for (uint32_t i = 0; i < 3; i++) lan_flow(lan, 1 + i, 0, 1460, 100 * US * (i + 1));
    uint32_t gate = loops_gate(l, lan, 0, 3, 2, 7 * US);
    for (uint32_t i = 0; i < 3; i++) feeds_add(&l->feeds, i, FED_RECEIVED, gate);
    lan_flow(lan, 0, 1, 1460, TIME_NONE);
    lan_flow(lan, 0, 2, 1460, TIME_NONE);
    loops_start(l, lan);
    lan_run(lan, 299 * US);
    assert_int_equal(lan->shared.flows_started, 2);
    lan_run(lan, MS);
    for (uint32_t i = 3; i < 5; i++) {
        assert_int_equal(lan->tally[i].started_at, lan->tally[2].finished_at + 7 * US);
        assert_true(lan->tally[i].finished_at != TIME_NONE);
    }
    lan_end(lan);
    loops_free(l);
}

static void acked__starts_the_next_of_a_chain(void **state) {
    (void)state;
    struct lan *lan = lan_new(3, "newreno");
    struct loops *l = loops_new();
    lan_flow(lan, 0, 1, 20000, 0);
    for (uint32_t i = 1; i < 4; i++) {
        feeds_add(&l->feeds, i - 1, FED_ACKED, loops_gate(l, lan, 0, 1, 1, 0));
        lan_flow(lan, 0, 1 + i % 2, 20000, TIME_NONE);
    }
    loops_start(l, lan);
    lan_run(lan, 100 * MS);
    assert_int_equal(lan->shared.flows_done, 4);
    for (uint32_t i = 1; i < 4; i++) {
        assert_int_equal(lan->tally[i].started_at, lan->tally[i - 1].acked_at);
        assert_true(lan->tally[i].started_at > lan->tally[i - 1].finished_at);
    }
    lan_end(lan);
    loops_free(l);
}

/* Flow 0 feeds two gates at its receiver and one at its sender; the second gate waits for flow 1 too. */
static void received__opens_every_gate_of_a_flow(void **state) {
    (void)state;
    struct lan *lan = lan_new(3, "newreno");
    struct loops *l = loops_new();
    lan_flow(lan, 0, 1, 1460, 0);
    lan_flow(lan, 2, 1, 1460, 500 * US);
    uint32_t alone = loops_gate(l, lan, 1, 1, 1, 3 * US);
    lan_flow(lan, 1, 0, 1460, TIME_NONE);
    uint32_t both = loops_gate(l, lan, 1, 2, 1, 0);
    lan_flow(lan, 1, 2, 1460, TIME_NONE);
    uint32_t sender = loops_gate(l, lan, 0, 1, 1, 0);
    lan_flow(lan, 0, 2, 1460, TIME_NONE);
    feeds_add(&l->feeds, 0, FED_RECEIVED, both);
    feeds_add(&l->feeds, 0, FED_RECEIVED, alone);
    feeds_add(&l->feeds, 1, FED_RECEIVED, both);
    feeds_add(&l->feeds, 0, FED_ACKED, sender);
    loops_start(l, lan);
    lan_run(lan, 2 * MS);
    const struct flow_tally *t = lan->tally;
    assert_int_equal(lan->shared.flows_done, 5);
    assert_int_equal(t[2].started_at, t[0].finished_at + 3 * US);
    assert_int_equal(t[3].started_at, t[1].finished_at);
    assert_int_equal(t[4].started_at, t[0].acked_at);
    lan_end(lan);
    loops_free(l);
}

/* Listed flows come before gated ones at one instant, and every flow starts at its own time. */
static void gated__between_listed_flows(void **state) {
    (void)state;
    struct lan *lan = lan_new(3, "newreno");
    struct loops *l = loops_new();
    lan_flow(lan, 1, 0, 1460, 0);
    lan_flow(lan, 0, 2, 1460, 5 * US);
    lan_flow(lan, 0, 2, 1460, 500 * US);
    feeds_add(&l->feeds, 0, FED_RECEIVED, loops_gate(l, lan, 0, 1, 1, 100 * US));
    lan_flow(lan, 0, 2, 1460, TIME_NONE)->flags = FLOW_ESTABLISHED;
    loops_start(l, lan);
    lan_run(lan, 400 * US);
    assert_int_equal(lan->tally[3].started_at, lan->tally[0].finished_at + 100 * US);
    assert_int_equal(lan->tally[3].first_data_at, lan->tally[3].started_at);
    assert_int_equal(host_next_timer(&lan->host[0]), 500 * US);
    lan_run(lan, MS);
    assert_int_equal(lan->shared.flows_done, 4);
    lan_end(lan);
    loops_free(l);
}

/* A run does not wait for background flows. */
static void background__is_not_counted(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "newreno");
    lan_flow(lan, 0, 1, 1460, 0)->flags = FLOW_BACKGROUND;
    lan_flow(lan, 0, 1, 1460, 0);
    lan_start(lan);
    lan_run(lan, MS);
    assert_true(lan->tally[0].finished_at != TIME_NONE);
    assert_int_equal(lan->shared.flows_started, 1);
    assert_int_equal(lan->shared.flows_done, 1);
    lan_end(lan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(received__starts_the_answer_at_once),  UNIT(received__waits_for_all_and_for_the_delay),
        UNIT(acked__starts_the_next_of_a_chain),    UNIT(gated__between_listed_flows),
        UNIT(received__opens_every_gate_of_a_flow), UNIT(background__is_not_counted),
    };
    return RUN_UNITS(tests);
}
