/* SPDX-License-Identifier: Apache-2.0 */
/* Flows under random loss, delay and reordering end with every byte received once and every cell free. */
#include "tcp_world.h"

#include "mech/transport/transports.h"

#include <stdlib.h>

static struct world *rough(uint64_t seed, uint32_t loss_percent, span_ps jitter) {
    struct world *w = world_new(150);
    w->bytes += 1 + seed % MSS;
    w->quiet = true;
    w->seed = seed;
    w->delay = 20 * PS_PER_US;
    w->jitter = jitter;
    w->loss_ppb = loss_percent * 10000000;
    w->sender_isn = (uint32_t)seed * 2654435761u;
    w->receiver_isn = ~w->sender_isn;
    w->forgetful = seed & 1;
    w->params[TCP_PARAM_MIN_RTO] = 200 * PS_PER_US;
    return w;
}

static void run(struct world *w) {
    world_open(w);
    world_finish(w);
    assert_true(w->tally.retransmitted_pkts < w->tally.sent_pkts);
    assert_int_equal(w->tally.retransmitted_pkts, w->counters[TCP_RETRANSMITS]);
    assert_true(w->tally.spurious_timeouts <= w->tally.data_timeouts);
    world_free(w);
}

static void loss__every_flow_ends_complete(void **state) {
    (void)state;
    static const uint32_t percent[] = {1, 3, 10, 20, 30};
    for (uint64_t seed = 1; seed <= 60; seed++) run(rough(seed, percent[seed % 5], 0));
}

static void loss_and_reordering__every_flow_ends_complete(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) run(rough(seed, (uint32_t)(seed % 10), 30 * PS_PER_US));
}

static void options__every_flow_ends_complete(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 96; seed++) {
        struct world *w = rough(seed, 5, seed & 1 ? 10 * PS_PER_US : 0);
        w->ops = seed & 2 ? &transport_cubic : &transport_newreno;
        w->params[TCP_PARAM_SACK] = seed >> 2 & 1;
        w->params[TCP_PARAM_DELAYED_ACK] = seed & 8 ? 2 : 1;
        w->params[TCP_PARAM_DELAYED_ACK_TIMEOUT] = 100 * PS_PER_US;
        w->params[TCP_PARAM_FAST_RETRANSMIT] = (seed & 16) != 0;
        w->params[TCP_PARAM_LIMITED_TRANSMIT] = (seed & 32) != 0;
        w->params[TCP_PARAM_RECEIVE_WINDOW] = seed % 3 ? 2000000 : 20000;
        w->params[TCP_PARAM_ECN] = seed % 5 == 0;
        w->params[TCP_PARAM_MSS] = seed % 7 ? 1460 : 536;
        run(w);
    }
}

/* With reordering only, every retransmission is needless, and the receiver counts it as a duplicate. */
static void reordering__retransmissions_arrive_as_duplicates(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct world *w = rough(seed, 0, 15 * PS_PER_US);
        world_open(w);
        world_finish(w);
        assert_true(w->tally.reordered_pkts > 0);
        assert_true(w->tally.duplicate_pkts <= w->tally.retransmitted_pkts);
        world_free(w);
    }
}

static void threshold_above_reordering__retransmits_nothing(void **state) {
    (void)state;
    struct world *w = rough(7, 0, 15 * PS_PER_US);
    w->params[TCP_PARAM_DUPACK_THRESHOLD] = 1000;
    world_open(w);
    world_finish(w);
    assert_true(w->tally.max_reorder_pkts > 3);
    assert_int_equal(w->tally.retransmitted_pkts, 0);
    world_free(w);
}

/* Sequence numbers wrap within the flow, with a loss on either side. */
static void sequence_numbers__wrap_inside_the_flow(void **state) {
    (void)state;
    for (uint32_t back = 0; back < 40; back++) {
        struct world *w = rough(back, 8, 0);
        w->sender_isn = UINT32_MAX - back * 1000;
        w->receiver_isn = UINT32_MAX;
        run(w);
    }
}

/* A flow above 4 GiB: offsets have 64 bits, and sequence numbers pass their start again. */
static void flow_above_4_gib__is_carried_whole(void **state) {
    (void)state;
    struct world *w = rough(3, 0, 0);
    w->loss_ppb = 20000;
    w->bytes = (1ull << 32) + 123457;
    w->params[TCP_PARAM_MSS] = 8960;
    w->params[TCP_PARAM_RECEIVE_WINDOW] = 150000;
    world_open(w);
    world_finish(w);
    assert_true(w->tally.retransmitted_pkts > 0);
    assert_true(w->tally.received_bytes > UINT32_MAX);
    world_free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loss__every_flow_ends_complete),
        cmocka_unit_test(loss_and_reordering__every_flow_ends_complete),
        cmocka_unit_test(options__every_flow_ends_complete),
        cmocka_unit_test(reordering__retransmissions_arrive_as_duplicates),
        cmocka_unit_test(threshold_above_reordering__retransmits_nothing),
        cmocka_unit_test(sequence_numbers__wrap_inside_the_flow),
        cmocka_unit_test(flow_above_4_gib__is_carried_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
