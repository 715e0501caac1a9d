/* SPDX-License-Identifier: Apache-2.0 */
/* XP-9, XP-26, SP-23: under credits no queue of data exceeds the bound of its port, and nothing is lost. XP-13:
 * requests, which need no credit, do queue.
 */
#include "scenario/credit_lab.h"

/* Adds flows between all hosts, and from all hosts to host 0 at once, which makes the longest queues. */
static void load_with_flows(struct lab *l, uint32_t hosts) {
    lab_random_flows(l, hosts, 150, 400000, 2 * MS);
    for (uint32_t sender = 1; sender < hosts; sender++) lab_flow(l, sender, 0, 200000, 1 * MS);
}

static void runs_bounded(struct fabric_spec spec, const char *transport, uint32_t hosts, uint32_t queue, span_ps hold) {
    struct lab *l = lab_credits(spec, transport);
    lab_credit_queue(l, queue);
    load_with_flows(l, hosts);
    lab_run_done(l);
    assert_all_arrived(l);
    assert_bounded(l, hold);
    lab_end(l);
}

static void queues__expresspass(void **state) {
    (void)state;
    for (uint32_t queue = 4; queue <= 16; queue *= 4) {
        runs_bounded(spec_star(8), "expresspass", 8, queue, 0);
        runs_bounded(spec_leaf_spine(4, 2, 4), "expresspass", 16, queue, 0);
        runs_bounded(spec_clos(3, 2, 2, 2, 4), "expresspass", 24, queue, 0);
    }
}

/* AM-36, AM-39: the bound holds with random drops and drawn sizes; all credits are accounted for (the run checks that
 * itself), and threads change nothing. */
static void queues__random_drops(void **state) {
    (void)state;
    for (uint32_t spread = 0; spread <= 8; spread += 8) {
        struct lab *l = lab_credits(spec_leaf_spine(4, 2, 4), "expresspass");
        lab_credit_queue(l, 4);
        l->config.switches.credit.drop = CREDIT_DROP_RANDOM;
        l->config.switches.credit.spread = l->config.hosts.credit.spread = spread;
        load_with_flows(l, 16);
        lab_run_done(l);
        uint64_t one = l->r.engine.digest;
        assert_all_arrived(l);
        assert_true(l->r.credits.dropped > 1000);
        if (spread == 0) assert_bounded(l, 0);
        for (uint32_t threads = 2; threads <= 3; threads++) {
            l->config.threads = threads;
            lab_run_done(l);
            assert_true(l->r.engine.digest == one);
        }
        l->config.threads = 1;
        l->config.switches.credit.drop = CREDIT_DROP_TAIL;
        lab_run_done(l);
        assert_true(l->r.engine.digest != one);
        lab_end(l);
    }
}

/* AM-55: with sizes the bound holds too, all data arrives without a retransmission, a flow wastes its two spare credits
 * at most, and threads change nothing. */
static void ends_with_flows(const char *transport, span_ps hold) {
    struct lab *l = lab_credits(spec_leaf_spine(4, 4, 4), transport);
    load_with_flows(l, 16);
    lab_run_done(l);
    uint64_t wasted = l->r.credits.wasted;
    lab_transport_param(l, 0, "credit_end", 1);
    lab_run_done(l);
    uint64_t one = l->r.engine.digest;
    assert_all_arrived(l);
    assert_bounded(l, hold);
    assert_in_range(l->r.credits.wasted, 1, 2 * l->flows.n);
    assert_true(wasted > 4 * l->r.credits.wasted);
    l->config.threads = 2;
    lab_run_done(l);
    assert_true(l->r.engine.digest == one);
    lab_end(l);
}

static void queues__credits_that_end_with_the_flow(void **state) {
    (void)state;
    ends_with_flows("expresspass", 0);
    ends_with_flows("spraypass", 36 * US);
}

/* A sender keeps a credit for an RTT: 24 us of links, 4 us of hosts, up to 8 us of serialization. */
static void queues__spraypass(void **state) {
    (void)state;
    runs_bounded(spec_leaf_spine(4, 4, 4), "spraypass", 16, 16, 36 * US);
    runs_bounded(spec_clos(3, 2, 2, 2, 4), "spraypass", 24, 16, 36 * US);
}

/* Returns flows over one link that all send their requests within `within`, long before most have their first credit.
 * The buffer holds this many requests. With 512 flows it is ExpressPass's Figure 9 with starts within 1 ms, at a
 * quarter of its size. */
static struct lab *lab_asking(uint32_t flows, uint64_t bytes, span_ps within, uint32_t requests) {
    struct fabric_spec spec = spec_dumbbell(flows);
    spec.host_delay = spec.uplink_delay = spec.core_delay = 4150 * PS_PER_NS;
    struct lab *l = lab_credits(spec, "expresspass");
    l->config.switches.buffer_bytes = requests * 84;
    lab_transport_param(l, 0, "min_rto", 50 * US);
    for (uint32_t i = 0; i < flows; i++) lab_flow(l, i, flows + i, bytes, within * i / flows);
    return l;
}

/* Each sender sends a request at once and repeats it until its first credit, at growing intervals. */
static void queues__requests_of_all_at_once(void **state) {
    (void)state;
    const uint32_t flows = 512;
    struct lab *l = lab_asking(flows, UINT64_MAX, 250 * US, flows * 9 / 4);
    l->config.until = 4 * MS;
    lab_run_done(l);
    int64_t longest = lab_port(l, "leaf0", "leaf1")->max_queue_bytes;
    assert_in_range(longest, flows * 84, flows * 84 * 2); /* at most the first requests and one repetition */
    assert_in_range(lab_counter(l, "requests_repeated"), flows, flows * 3);
    assert_int_equal(l->r.packets.dropped, 0);
    lab_end(l);
}

/* Not all first requests fit the buffer. Lost requests are repeated after twice the base round trip, and all flows end. */
static void queues__lost_requests_are_repeated(void **state) {
    (void)state;
    struct lab *l = lab_asking(64, 30000, 2 * US, 40);
    lab_run_done(l);
    assert_int_equal(l->r.flows_finished, l->flows.n);
    assert_in_range(l->r.packets.dropped, 3, 24);
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(queues__expresspass),
        UNIT(queues__random_drops),
        UNIT(queues__spraypass),
        UNIT(queues__credits_that_end_with_the_flow),
        UNIT(queues__requests_of_all_at_once),
        UNIT(queues__lost_requests_are_repeated),
    };
    return RUN_UNITS(tests);
}
