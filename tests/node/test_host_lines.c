/* SPDX-License-Identifier: Apache-2.0 */
/* Connections with several messages: each leaves when the one before has left, and knows what that one has learned. */
#include "node/lan.h"

#define MSS 1460

/* All flows of the lan are one connection from host 0 to host 1. */
struct one_line {
    uint32_t of[LAN_FLOWS];
    struct flow_lines lines;
    struct line_state state;
};

static void line_start(struct one_line *l, struct lan *lan) {
    *l = (struct one_line){.lines = {l->of, 1}};
    for (uint32_t f = 0; f < lan->n_flows; f++) lan->flow[f].flags = FLOW_ESTABLISHED | FLOW_STAYS_OPEN;
    lan_start(lan);
    line_state_init(&l->state, &l->lines, lan->n_flows, host_line_memory_bytes(&lan->config));
    lan->shared.lines = &l->state;
}

static void line_end(struct one_line *l, struct lan *lan) {
    lan_end(lan);
    line_state_fini(&l->state);
}

/* Returns the number of the flow's frames that leave before `until`. */
static uint32_t frames_before(const struct lan *lan, uint32_t flow, time_ps until) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < lan->n_sent; i++) n += lan->sent[i].flow == flow && lan->sent[i].depart < until;
    return n;
}

static time_ps last_frame_at(const struct lan *lan, uint32_t flow) {
    time_ps at = 0;
    for (uint32_t i = 0; i < lan->n_sent; i++)
        if (lan->sent[i].flow == flow) at = lan->sent[i].depart;
    return at;
}

static void messages__leave_one_after_the_other(void **state) {
    (void)state;
    static const char *const transports[] = {"udp", "newreno", "dctcp", "expresspass", "spraypass"};
    for (size_t t = 0; t < sizeof transports / sizeof *transports; t++) {
        struct lan *lan = lan_new(2, transports[t]);
        struct one_line l;
        if (lan->config.transport[0]->needs.credit)
            lan->config.credit =
                (struct credit_config){.on = true, .queue = 16, .share_ppb = PPB * 84 / 1622, .burst_bytes = 168};
        lan_flow(lan, 0, 1, 30 * MSS, 0);
        lan_flow(lan, 0, 1, 20 * MSS, 1 * US);
        lan_flow(lan, 0, 1, 10 * MSS, 2 * US);
        line_start(&l, lan);
        lan_run(lan, 100 * MS);
        assert_int_equal(lan->shared.flows_started, 3);
        assert_int_equal(lan->shared.flows_done, 3);
        for (uint32_t f = 1; f < 3; f++) {
            assert_true(lan->tally[f].first_data_at > lan->tally[f - 1].first_data_at);
            assert_true(lan->tally[f].first_data_at >= last_frame_at(lan, f - 1) - FULL * BYTE_PS);
        }
        line_end(&l, lan);
    }
}

/* UDP leaves no gap: as if it were one message. */
static void messages__follow_each_other_on_the_link(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "udp");
    struct one_line l;
    for (uint32_t f = 0; f < 3; f++) lan_flow(lan, 0, 1, 10 * 1472, 0);
    line_start(&l, lan);
    lan_run(lan, MS);
    for (uint32_t f = 0; f < 3; f++) assert_int_equal(last_frame_at(lan, f), (time_ps)(f + 1) * 10 * FULL * BYTE_PS);
    line_end(&l, lan);
}

/* Two messages of 300 segments take as long as one of 600, although each is a stream of its own: the window goes on. */
static void the_window__goes_on_with_the_next_message(void **state) {
    (void)state;
    static const char *const transports[] = {"newreno", "dctcp", "cubic", "hull", "dx"};
    for (size_t t = 0; t < sizeof transports / sizeof *transports; t++) {
        time_ps done[2];
        for (uint32_t n = 1; n <= 2; n++) {
            struct lan *lan = lan_new(2, transports[t]);
            struct one_line l;
            lan->delay = 50 * US;
            for (uint32_t f = 0; f < n; f++) lan_flow(lan, 0, 1, 600 / n * MSS, 0);
            line_start(&l, lan);
            lan_run(lan, 100 * MS);
            done[n - 1] = lan->tally[n - 1].finished_at;
            line_end(&l, lan);
        }
        assert_true(done[1] >= done[0] - 2 * FULL * BYTE_PS);
        assert_true(done[1] <= done[0] + 30 * US); /* a new slow start would cost several round trips of 100 us */
    }
}

/* After a pause the whole window leaves at once, not ten segments. */
static void the_window__is_kept_while_nothing_is_sent(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "newreno");
    struct one_line l;
    lan->delay = 500 * US;
    lan_flow(lan, 0, 1, 70 * MSS, 0);
    lan_flow(lan, 0, 1, 200 * MSS, 20 * MS);
    line_start(&l, lan);
    lan_run(lan, 100 * MS);
    /* windows of 10, 20 and 40 segments, all acknowledged: 80 */
    assert_int_equal(frames_before(lan, 1, 20 * MS + 900 * US), 80);
    line_end(&l, lan);
}

/* Sends 130 segments in one message or in two, then three small messages, and 400 segments after a pause. Returns how many of these
 * leave at once: the window. */
static uint32_t window_after(bool in_two) {
    struct lan *lan = lan_new(2, "newreno");
    struct one_line l;
    lan->delay = 500 * US;
    lan_flow(lan, 0, 1, (in_two ? 30 : 130) * MSS, 0);
    if (in_two) lan_flow(lan, 0, 1, 100 * MSS, 0);
    for (uint32_t i = 1; i < 4; i++) lan_flow(lan, 0, 1, 1 * MSS, 20 * MS * i); /* too small to fill a window */
    lan_flow(lan, 0, 1, 400 * MSS, 100 * MS);
    line_start(&l, lan);
    lan_run(lan, 200 * MS);
    uint32_t last = lan->n_flows - 1;
    assert_int_equal(lan->shared.flows_done, last + 1);
    uint32_t window = frames_before(lan, last, 100 * MS + 900 * US);
    line_end(&l, lan);
    return window;
}

/* Nothing of the window is lost between messages, and nothing counts twice. */
static void the_window__is_neither_lost_nor_doubled(void **state) {
    (void)state;
    uint32_t one = window_after(false), two = window_after(true);
    assert_in_range(one, 70, 200); /* windows of 10, 20, 40 and 60 segments have been acknowledged */
    assert_in_range(two, one - 5, one + 5);
}

/* Loses the last five segments of the first message once. */
static bool loses_tail(struct lan *lan, const struct packet *p) {
    static uint32_t seen;
    if (lan->n_sent < 2) seen = 0;
    if ((p->flow & FLOW_REVERSE) || p->flow != 0 || p->payload_bytes == 0) return false;
    return ++seen > 45 && seen <= 50;
}

static void a_message__does_not_wait_for_repairs_of_the_one_before(void **state) {
    (void)state;
    struct lan *lan = lan_new(2, "newreno");
    struct one_line l;
    lan->loses = loses_tail;
    lan_flow(lan, 0, 1, 50 * MSS, 0);
    lan_flow(lan, 0, 1, 50 * MSS, 0);
    line_start(&l, lan);
    lan_run(lan, 2000 * MS);
    assert_int_equal(lan->shared.flows_done, 2);
    assert_int_equal(lan->tally[0].data_timeouts, 1); /* nothing follows the lost ones in its own stream */
    assert_true(lan->tally[1].finished_at < lan->tally[0].finished_at);
    line_end(&l, lan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages__leave_one_after_the_other),
        cmocka_unit_test(messages__follow_each_other_on_the_link),
        cmocka_unit_test(the_window__goes_on_with_the_next_message),
        cmocka_unit_test(the_window__is_kept_while_nothing_is_sent),
        cmocka_unit_test(the_window__is_neither_lost_nor_doubled),
        cmocka_unit_test(a_message__does_not_wait_for_repairs_of_the_one_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
