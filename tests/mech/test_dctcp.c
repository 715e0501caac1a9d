/* SPDX-License-Identifier: Apache-2.0 */
/* DCTCP: its law against values computed by hand, its echo, and two long flows over one link. */
#include "mech/transport/dctcp.h"

#include <stdio.h>

#include "bottleneck.h"
#include "tcp_bench.h"

#define GBPS 1000000000LL
#define MSS 1460u
#define K (65 * 1538)

/* ---- the law ---- */

static void gain__scales_with_the_root_of_the_rate(void **state) {
    (void)state;
    assert_int_equal(dctcp_gain_ppb(10 * GBPS), 62500000);
    assert_int_equal(dctcp_gain_ppb(40 * GBPS), 31250000);  /* AM-12 */
    assert_int_equal(dctcp_gain_ppb(100 * GBPS), 19764235); /* XP-27: 0.01976 */
    assert_int_equal(dctcp_gain_ppb(1 * GBPS), 197642353);
    assert_int_equal(dctcp_gain_ppb(1000000), DCTCP_ONE); /* at most 1 */
    assert_int_equal(dctcp_gain_ppb(0), 62500000);
}

static void alpha__moves_by_g_towards_the_share(void **state) {
    (void)state;
    const uint32_t g = 62500000; /* 1/16 */
    assert_int_equal(dctcp_alpha(DCTCP_ONE, g, 14600, 0), 937500000);
    assert_int_equal(dctcp_alpha(937500000, g, 14600, 0), 878906250);
    assert_int_equal(dctcp_alpha(0, g, 14600, 14600), 62500000);
    assert_int_equal(dctcp_alpha(500000000, g, 14600, 7300), 500000000);
    assert_int_equal(dctcp_alpha(DCTCP_ONE, g, 14600, 14600), DCTCP_ONE);
    assert_int_equal(dctcp_alpha(300000000, DCTCP_ONE, 4, 1), 250000000);
}

static void cut__by_half_of_alpha(void **state) {
    (void)state;
    assert_int_equal(dctcp_cut(100000, DCTCP_ONE, MSS), 50000);
    assert_int_equal(dctcp_cut(100000, 500000000, MSS), 75000);
    assert_int_equal(dctcp_cut(100000, 0, MSS), 100000);
    assert_int_equal(dctcp_cut(TCP_CWND_MAX, 250000000, MSS), TCP_CWND_MAX / 8 * 7);
    assert_int_equal(dctcp_cut(2 * MSS - 1, DCTCP_ONE, MSS), MSS); /* AM-2 */
}

/* ---- one sender, ACK by ACK ---- */

static const struct transport_ops *const ops = &transport_dctcp;

static uint32_t sends(struct bench *b) {
    uint32_t n = 0;
    for (;; n++) {
        struct packet p = {.ext = EXT_NONE};
        if (!ops->sender->poll_transmit(&b->sender, &b->env, b->now, &p)) return n;
        assert_int_equal(p.tos & ECN_MASK, ECN_ECT0);
    }
}

static void opens(struct bench *b) {
    struct packet syn = bench_open(b, TCP_ECE);
    assert_int_equal(syn.tcp_flags, TCP_SYN | TCP_ECE | TCP_CWR); /* ECN is on by default */
}

/* Acknowledges the next segment. */
static void acked(struct bench *b, bool marked) {
    struct packet ack = {.seq = 5000,
                         .ack = 1000 + (uint32_t)b->sender.snd_una + MSS,
                         .tcp_flags = marked ? TCP_ACK | TCP_ECE : TCP_ACK,
                         .window = 60000};
    b->now += PS_PER_US;
    ops->sender->on_packet(&b->sender, &b->env, b->now, &ack);
}

/* Slow start from 10 segments. The first window lowers alpha from 1 to 15/16. The first echo cuts by 15/32 and ends
 * slow start; a second echo in that window cuts nothing. The second window, 18 segments in flight when the first one
 * ended with 2 of them marked, sets the next alpha. */
static void sender__first_echo_ends_slow_start(void **state) {
    (void)state;
    struct bench *b = bench_new(ops);
    opens(b);
    assert_int_equal(sends(b), 10);
    const struct dctcp *d = dctcp_of(&b->sender);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(d->alpha_ppb, DCTCP_ONE);
        acked(b, false);
        assert_int_equal(sends(b), 2);
    }
    assert_int_equal(d->alpha_ppb, 937500000);
    assert_int_equal(b->sender.cwnd_bytes, 20 * MSS);
    acked(b, true);
    uint32_t cut = 20 * MSS * 17 / 32;
    assert_int_equal(b->sender.cwnd_bytes, cut);
    assert_int_equal(b->sender.ssthresh_bytes, cut);
    acked(b, true);
    assert_int_equal(b->sender.cwnd_bytes, cut);
    assert_int_equal(b->counters[TCP_ECN_CUTS], 1);
    for (int i = 0; i < 15; i++) acked(b, false);
    assert_int_equal(d->alpha_ppb, 937500000);
    acked(b, false);
    assert_int_equal(d->alpha_ppb, dctcp_alpha(937500000, 62500000, 18, 2));
    bench_free(b);
}

/* With every ACK marked alpha stays 1, and each window halves down to one segment. */
static void sender__one_cut_a_window_down_to_one_segment(void **state) {
    (void)state;
    struct bench *b = bench_new(ops);
    opens(b);
    assert_int_equal(sends(b), 10);
    uint64_t cuts = 0;
    for (int window = 0; window < 8; window++) {
        for (uint64_t end = b->sender.snd_nxt; b->sender.snd_una < end;) {
            acked(b, true);
            sends(b);
        }
        assert_true(b->counters[TCP_ECN_CUTS] - cuts <= 1);
        cuts = b->counters[TCP_ECN_CUTS];
    }
    assert_int_equal(dctcp_of(&b->sender)->alpha_ppb, DCTCP_ONE);
    assert_int_equal(b->sender.cwnd_bytes, MSS);
    bench_free(b);
}

static void sender__g_may_be_given(void **state) {
    (void)state;
    struct bench *b = bench_new(ops);
    b->env.nic_bps = 100 * GBPS;
    opens(b);
    assert_int_equal(dctcp_of(&b->sender)->g_ppb, 19764235);
    b->params[DCTCP_PARAM_G] = 250000000;
    memset(&b->sender, 0, sizeof b->sender);
    opens(b);
    assert_int_equal(dctcp_of(&b->sender)->g_ppb, 250000000);
    bench_free(b);
}

/* ---- the receiver's echo ---- */

static void receives(struct bench *b, uint32_t segment, bool ce) {
    struct packet p = {.seq = 5000 + segment * MSS,
                       .ack = 1000,
                       .tcp_flags = TCP_ACK,
                       .tos = ce ? ECN_CE : ECN_ECT0,
                       .payload_bytes = MSS,
                       .serial = ++b->serial,
                       .ext = EXT_NONE};
    ops->receiver->on_packet(b->receiver, &b->env, b->now, &p);
}

static void listens(struct bench *b, uint32_t delayed_ack) {
    struct packet syn = {.seq = 4999, .tcp_flags = TCP_SYN | TCP_ECE | TCP_CWR}, out = {.ext = EXT_NONE};
    b->params[TCP_PARAM_DELAYED_ACK] = delayed_ack;
    ops->receiver->open(b->receiver, &b->env, 0);
    ops->receiver->on_packet(b->receiver, &b->env, 0, &syn);
    assert_true(ops->receiver->poll_transmit(b->receiver, &b->env, 0, &out));
    assert_int_equal(out.tcp_flags, TCP_SYN | TCP_ACK | TCP_ECE);
}

/* Polls all pending ACKs. Returns them by segment, "e" for ECN-Echo: "1 2e 3". */
static const char *says(struct bench *b) {
    static char said[512];
    size_t n = 0;
    said[0] = '\0';
    for (;;) {
        struct packet p = {.ext = EXT_NONE};
        bool promised = ops->receiver->has_output(b->receiver, &b->env, b->now);
        bool got = ops->receiver->poll_transmit(b->receiver, &b->env, b->now, &p);
        assert_int_equal(promised, got);
        if (!got) return said;
        assert_false(ops->receiver->is_done(b->receiver, &b->env));
        if (p.ext != EXT_NONE) packet_ext_put(&b->pool, p.ext);
        n += (size_t)snprintf(said + n, sizeof said - n, "%s%u%s", n ? " " : "", (p.ack - 5000) / MSS,
                              p.tcp_flags & TCP_ECE ? "e" : "");
    }
}

static void receiver__each_ack_says_its_own_mark(void **state) {
    (void)state;
    struct bench *b = bench_new(ops);
    listens(b, 1);
    const bool ce[] = {false, true, false, true, true, false};
    const char *const said[] = {"1", "2e", "3", "4e", "5e", "6"};
    for (uint32_t i = 0; i < 6; i++) {
        receives(b, i, ce[i]);
        assert_string_equal(says(b), said[i]);
    }
    bench_free(b);
}

/* While the NIC is busy pending ACKs keep their marks. */
static void receiver__waiting_acks_keep_their_marks(void **state) {
    (void)state;
    struct bench *b = bench_new(ops);
    listens(b, 1);
    for (uint32_t i = 0; i < 6; i++) receives(b, i, i == 1 || i == 4);
    assert_string_equal(says(b), "1 2e 3 4 5e 6");
    receives(b, 6, false);
    assert_string_equal(says(b), "7");
    bench_free(b);
}

/* With a hundred pending ACKs the marks of the first 63 are exact. One mark behind them makes all later ones echo, and
 * none is left for the next. */
static void receiver__beyond_63_marks_are_shared(void **state) {
    (void)state;
    struct bench *b = bench_new(ops);
    listens(b, 1);
    for (uint32_t i = 0; i < 100; i++) receives(b, i, i == 62 || i == 80);
    for (uint32_t i = 0; i < 100; i++) {
        struct packet p = {.ext = EXT_NONE};
        assert_true(ops->receiver->poll_transmit(b->receiver, &b->env, b->now, &p));
        assert_int_equal((p.tcp_flags & TCP_ECE) != 0, i == 62 || i >= 63);
    }
    receives(b, 100, false);
    assert_string_equal(says(b), "101");
    bench_free(b);
}

/* A hole merges the pending ACKs, and the merged ACK keeps their marks. */
static void receiver__merged_acks_say_all_their_marks(void **state) {
    (void)state;
    struct bench *b = bench_new(ops);
    listens(b, 1);
    receives(b, 0, true);
    receives(b, 1, false);
    receives(b, 3, false);
    assert_string_equal(says(b), "2e 2");
    receives(b, 2, false);
    assert_string_equal(says(b), "4");
    ops->receiver->close(b->receiver, &b->env);
    assert_int_equal(b->cells.in_use, 0);
    bench_free(b);
}

/* RFC 8257 3.2, figure 1: when the mark changes, pending segments are acknowledged at once with the former mark. */
static void receiver__delayed_acks_turn_with_the_mark(void **state) {
    (void)state;
    struct bench *b = bench_new(ops);
    listens(b, 2);
    receives(b, 0, false);
    assert_string_equal(says(b), "");
    receives(b, 1, false);
    assert_string_equal(says(b), "2");
    receives(b, 2, false);
    receives(b, 3, true); /* 3 is acknowledged unmarked, 4 is pending */
    assert_string_equal(says(b), "3");
    receives(b, 4, true);
    assert_string_equal(says(b), "5e");
    receives(b, 5, true);
    receives(b, 6, false);
    assert_string_equal(says(b), "6e");
    receives(b, 7, true);
    assert_string_equal(says(b), "7");
    bench_free(b);
}

/* A change of the mark and the segments after it, while the NIC is busy. */
static void receiver__a_turn_waits_for_the_nic(void **state) {
    (void)state;
    struct bench *b = bench_new(ops);
    listens(b, 2);
    for (uint32_t i = 0; i < 5; i++) receives(b, i, i >= 3);
    assert_string_equal(says(b), "3 5e");
    bench_free(b);
}

static void receiver__a_delayed_ack_comes_with_its_mark(void **state) {
    (void)state;
    for (int marked = 0; marked < 2; marked++) {
        struct bench *b = bench_new(ops);
        listens(b, 2);
        receives(b, 0, marked);
        assert_string_equal(says(b), "");
        time_ps due = ops->receiver->next_timer(b->receiver);
        ops->receiver->on_timer(b->receiver, &b->env, due - 1); /* early: no effect */
        assert_string_equal(says(b), "");
        ops->receiver->on_timer(b->receiver, &b->env, due);
        assert_string_equal(says(b), marked ? "1e" : "1");
        bench_free(b);
    }
}

/* A timer that comes early leaves no mark behind for a later ACK. */
static void receiver__an_early_timer_leaves_the_marks(void **state) {
    (void)state;
    struct bench *b = bench_new(ops);
    listens(b, 2);
    receives(b, 0, true);
    ops->receiver->on_timer(b->receiver, &b->env, ops->receiver->next_timer(b->receiver) - 1);
    receives(b, 1, false); /* segment 1 is acknowledged with its mark, segment 2 is pending without */
    assert_string_equal(says(b), "1e");
    ops->receiver->on_timer(b->receiver, &b->env, ops->receiver->next_timer(b->receiver));
    assert_string_equal(says(b), "2");
    bench_free(b);
}

/* A delayed ACK that is due while a marked one waits for the NIC carries that mark. */
static void receiver__a_due_ack_merges_a_mark_that_waits(void **state) {
    (void)state;
    struct bench *b = bench_new(ops);
    listens(b, 2);
    for (uint32_t i = 0; i < 2; i++) receives(b, i, true);
    receives(b, 2, false);
    ops->receiver->on_timer(b->receiver, &b->env, ops->receiver->next_timer(b->receiver));
    assert_string_equal(says(b), "3e");
    bench_free(b);
}

/* Without negotiated ECN there is no echo. */
static void receiver__without_ecn_no_echo(void **state) {
    (void)state;
    struct bench *b = bench_new(ops);
    struct packet syn = {.seq = 4999, .tcp_flags = TCP_SYN}, out = {.ext = EXT_NONE};
    ops->receiver->open(b->receiver, &b->env, 0);
    ops->receiver->on_packet(b->receiver, &b->env, 0, &syn);
    ops->receiver->poll_transmit(b->receiver, &b->env, 0, &out);
    receives(b, 0, true);
    assert_string_equal(says(b), "1");
    bench_free(b);
}

/* ---- two long flows ---- */

/* The queue oscillates around K, never empty and never far above it. DCTCP 3.3: the maximum is K + N and the amplitude
 * sqrt(2 N (C RTT + K)) / 2; N = 2 and C RTT + K = 81 + 65 frames of 1538 B give 12 frames. */
static void two_flows__queue_stays_around_k(void **state) {
    (void)state;
    struct bottleneck *b = bottleneck_new(&transport_dctcp, 2);
    b->mark_bytes = K;
    b->flow[1].start = 3 * PS_PER_MS;
    b->measure_from = 100 * PS_PER_MS;
    bottleneck_run(b, 200 * PS_PER_MS);
    assert_in_range(b->queue_mean, 56 * 1538, 66 * 1538);
    assert_in_range(b->queue_max, 65 * 1538, 69 * 1538);
    assert_in_range(b->queue_min, 50 * 1538, 60 * 1538);
    assert_in_range(b->utilisation_ppm, 999000, 1000100);
    int64_t apart = (int64_t)b->flow[0].delivered_bytes - (int64_t)b->flow[1].delivered_bytes;
    int64_t both = (int64_t)(b->flow[0].delivered_bytes + b->flow[1].delivered_bytes);
    assert_in_range(apart < 0 ? -apart : apart, 0, both / 10);
    assert_int_equal(b->counters[TCP_TIMEOUTS] + b->counters[TCP_RETRANSMITS], 0);
    bottleneck_free(b);
}

/* Without marks TCP without losses fills any buffer. */
static void two_flows__without_marks_the_queue_grows(void **state) {
    (void)state;
    struct bottleneck *b = bottleneck_new(&transport_dctcp, 2);
    b->measure_from = 5 * PS_PER_MS;
    bottleneck_run(b, 10 * PS_PER_MS);
    assert_true(b->queue_max > 10 * K);
    bottleneck_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(gain__scales_with_the_root_of_the_rate),
        UNIT(alpha__moves_by_g_towards_the_share),
        UNIT(cut__by_half_of_alpha),
        UNIT(sender__first_echo_ends_slow_start),
        UNIT(sender__one_cut_a_window_down_to_one_segment),
        UNIT(sender__g_may_be_given),
        UNIT(receiver__each_ack_says_its_own_mark),
        UNIT(receiver__waiting_acks_keep_their_marks),
        UNIT(receiver__beyond_63_marks_are_shared),
        UNIT(receiver__merged_acks_say_all_their_marks),
        UNIT(receiver__delayed_acks_turn_with_the_mark),
        UNIT(receiver__a_turn_waits_for_the_nic),
        UNIT(receiver__a_delayed_ack_comes_with_its_mark),
        UNIT(receiver__an_early_timer_leaves_the_marks),
        UNIT(receiver__a_due_ack_merges_a_mark_that_waits),
        UNIT(receiver__without_ecn_no_echo),
        UNIT(two_flows__queue_stays_around_k),
        UNIT(two_flows__without_marks_the_queue_grows),
    };
    return RUN_UNITS(tests);
}
