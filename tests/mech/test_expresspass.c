/* SPDX-License-Identifier: Apache-2.0 */
/* Both ends of ExpressPass over one bottleneck (credit_world.h): base RTT 50 us, 10 Gbps. */
#include "credit_world.h"
#include "unit.h"

#include <stdlib.h>

#define MB 1000000

static uint64_t used(const struct world_flow *f) { return f->tally.credits_used; }

/* Returns the credits that a flow uses during a span, in thousandths of what the link carries. */
static uint64_t share_milli(struct credit_world *w, const struct world_flow *f, span_ps during) {
    uint64_t before = used(f);
    world_run(w, w->now + during);
    return (used(f) - before) * 1000 / (uint64_t)(during / FULL_GAP);
}

/* A flow of 1 MB alone: each segment uses one credit, none is lost, and all are counted. */
static void one_flow__finishes_and_counts(void **state) {
    (void)state;
    struct credit_world *w = world_new("expresspass");
    struct world_flow *f = world_flow(w, MB, 0);
    world_run(w, 10 * PS_PER_MS);
    assert_null(f->sender);
    assert_null(f->receiver);
    assert_int_equal(f->tally.received_bytes, MB);
    assert_int_equal(f->tally.sent_pkts, 685);
    assert_int_equal(f->tally.credits_used, 685);
    assert_int_equal(f->tally.retransmitted_pkts, 0);
    assert_int_equal(f->tally.unfilled_bytes, 685 * 1460 - MB);
    /* request 25 us, then a round trip, then a frame each gap (the jitter cancels out) */
    assert_in_range(f->tally.finished_at, 75 * PS_PER_US + 680 * FULL_GAP, 75 * PS_PER_US + 688 * FULL_GAP);
    assert_int_equal(f->tally.acked_at, f->tally.finished_at + 25 * PS_PER_US);
    world_check_credits(w);
    world_free(w);
}

/* XP-14, XP-D.2: when the last segment leaves, credits of one RTT are in flight: 38.5 of them in 50 us. */
static void one_flow__wastes_a_round_trip_of_credits(void **state) {
    (void)state;
    struct credit_world *w = world_new("expresspass");
    struct world_flow *f = world_flow(w, MB, 0);
    world_run(w, 10 * PS_PER_MS);
    assert_in_range(f->tally.credits_wasted, 37, 40);
    assert_int_equal(f->tally.credits_wasted, w->counters[CREDIT_WASTED_NO_DATA] + w->counters[CREDIT_WASTED_ENDED]);
    assert_int_equal(w->requests, 1);
    assert_int_equal(w->dones, 1);
    world_free(w);
}

/* XP-1, figure 1: of 4 credits in 2 slots 2 survive, and exactly 2 data frames follow. */
static bool lose_all_but_two_of_four(struct credit_world *w, const struct packet *p) {
    (void)w;
    return credit_kind(p) == CREDIT_GRANT && (p->ack % 2 == 1 || p->ack >= 4);
}

static void figure1__two_of_four_credits_survive(void **state) {
    (void)state;
    struct credit_world *w = world_new("expresspass");
    w->loses = lose_all_but_two_of_four;
    struct world_flow *f = world_flow(w, MB, 0);
    world_run(w, 150 * PS_PER_US);
    assert_int_equal(w->data_sent, 2);
    assert_int_equal(f->tally.received_bytes, 2 * 1460);
    world_check_credits(w);
    world_free(w);
}

/* A single flow reaches the maximum; four updates lift it from 1/16 above 90 %. */
static void one_flow__converges_to_the_maximum(void **state) {
    (void)state;
    struct credit_world *w = world_new("expresspass");
    world_set(w, "initial_rate", PPB / 16);
    struct world_flow *f = world_flow(w, UINT64_MAX, 0);
    world_run(w, 75 * PS_PER_US);
    uint64_t first = share_milli(w, f, 50 * PS_PER_US);
    assert_in_range(first, 100, 250); /* a sixteenth until the first data, then more than a half */
    world_run(w, w->now + 250 * PS_PER_US);
    assert_in_range(share_milli(w, f, 500 * PS_PER_US), 900, 1000);
    assert_in_range(share_milli(w, f, 10 * PS_PER_MS), 985, 1000);
    world_check_credits(w);
    world_free(w);
}

/* Two flows share the bottleneck; the second starts late. The feedbacks with w cut twice for one loss, because its
 * effect shows an RTT late, and so leave a part of the link idle. */
static void two_flows__share(const char *transport, int64_t feedback, uint64_t least) {
    struct credit_world *w = world_new(transport);
    world_set(w, "feedback", feedback);
    struct world_flow *a = world_flow(w, UINT64_MAX, 0), *b = world_flow(w, UINT64_MAX, PS_PER_MS);
    world_run(w, 3 * PS_PER_MS);
    uint64_t before = used(a), other = used(b), all;
    world_run(w, 23 * PS_PER_MS);
    before = used(a) - before;
    other = used(b) - other;
    all = (before + other) * 1000 / (20 * PS_PER_MS / FULL_GAP);
    assert_in_range(all, least, 1000);
    assert_in_range(before * 1000 / (before + other), 450, 550);
    world_check_credits(w);
    world_free(w);
}

static void two_flows__hotnets(void **state) {
    (void)state;
    two_flows__share("expresspass", 0, 990);
}

static void two_flows__printed(void **state) {
    (void)state;
    two_flows__share("expresspass", 1, 900);
}

static void two_flows__released(void **state) {
    (void)state;
    two_flows__share("expresspass", 3, 950);
    two_flows__share("spraypass", 1, 950);
}

static void two_flows__naive(void **state) {
    (void)state;
    two_flows__share("expresspass", 2, 990);
}

static void two_flows__spraypass(void **state) {
    (void)state;
    two_flows__share("spraypass", 0, 900);
}

/* XP-15: an application uses 10 % of the link. The receiver takes credits without data for lost ones and slows down. */
static void slow_application(int64_t feedback, uint64_t least, uint64_t most) {
    struct credit_world *w = world_new("expresspass");
    world_set(w, "feedback", feedback);
    struct world_flow *f = world_flow(w, UINT64_MAX, 0);
    f->env[SIDE_SENDER].rate_bps = 900000000; /* 1460 of 1622 bytes are payload: 10 % */
    world_run(w, 2 * PS_PER_MS);
    uint64_t credits = f->tally.credits_sent, data = f->tally.sent_pkts;
    world_run(w, 42 * PS_PER_MS);
    uint64_t full = 40 * PS_PER_MS / FULL_GAP;
    uint64_t rate = (f->tally.credits_sent - credits) * 1000 / full, got = (f->tally.sent_pkts - data) * 1000 / full;
    assert_in_range(rate, least, most);
    assert_in_range(got, 90, 101);
    assert_true(f->tally.credits_wasted > 0);
    world_check_credits(w);
    world_free(w);
}

static void slow_application__hotnets(void **state) {
    (void)state;
    slow_application(0, 100, 400);
}

static void slow_application__printed(void **state) {
    (void)state;
    slow_application(1, 100, 300);
}

static void slow_application__released(void **state) {
    (void)state;
    slow_application(3, 100, 300);
}

static void slow_application__naive(void **state) {
    (void)state;
    slow_application(2, 990, 1000);
}

/* XP-16: every eighth credit is late by three gaps. No credit is lost, but the receiver sees losses. */
static span_ps late_credits(struct credit_world *w, const struct packet *p) {
    (void)w;
    return credit_kind(p) == CREDIT_GRANT && p->ack % 8 == 0 ? 3 * FULL_GAP : 0;
}

static void reordered_credits__are_false_losses(void **state) {
    (void)state;
    struct credit_world *w = world_new("expresspass");
    w->delays = late_credits;
    world_flow(w, UINT64_MAX, 0);
    world_run(w, 20 * PS_PER_MS);
    assert_int_equal(w->credits_dropped, 0);
    assert_true(w->counters[CREDIT_OUT_OF_ORDER] > 100);
    assert_true(w->counters[CREDIT_RATE_FALLS] > 100);
    world_check_credits(w);
    world_free(w);
}

/* ---- repair ---- */

#define LOSE(kind_, nth) (credit_kind(p) == (kind_) && ++w->script == (nth))

static bool lose_first_request(struct credit_world *w, const struct packet *p) { return LOSE(CREDIT_REQUEST, 1); }
static bool lose_first_done(struct credit_world *w, const struct packet *p) { return LOSE(CREDIT_DONE, 1); }
static bool lose_tenth_data(struct credit_world *w, const struct packet *p) { return LOSE(CREDIT_DATA, 10); }
static bool lose_last_data(struct credit_world *w, const struct packet *p) { return LOSE(CREDIT_DATA, 685); }
static bool lose_burst(struct credit_world *w, const struct packet *p) {
    return credit_kind(p) == CREDIT_DATA && ++w->script >= 300 && w->script < 400;
}
/* A gray link loses 5 % of all frames. */
static bool lose_some(struct credit_world *w, const struct packet *p) {
    (void)p;
    return random_below(&w->random, 20) == 0;
}

static struct credit_world *repaired(bool (*loses)(struct credit_world *, const struct packet *), time_ps by) {
    struct credit_world *w = world_new("expresspass");
    struct world_flow *f = world_flow(w, MB, 0);
    w->loses = loses;
    world_run(w, by);
    assert_int_equal(f->tally.received_bytes, MB);
    assert_null(f->sender);
    assert_null(f->receiver);
    assert_true(f->tally.sent_pkts <= f->tally.credits_used);
    world_check_credits(w);
    return w;
}

static void lost_request__is_repeated(void **state) {
    (void)state;
    struct credit_world *w = repaired(lose_first_request, 2 * PS_PER_MS);
    assert_int_equal(w->requests, 2);
    assert_int_equal(w->flow[0].tally.syn_timeouts, 1);
    /* min_rto later */
    assert_in_range(w->flow[0].tally.finished_at, 275 * PS_PER_US + 680 * FULL_GAP, 275 * PS_PER_US + 688 * FULL_GAP);
    world_free(w);
}

static void lost_done__is_asked_for(void **state) {
    (void)state;
    struct credit_world *w = repaired(lose_first_done, 2 * PS_PER_MS);
    assert_int_equal(w->dones, 2);
    assert_int_equal(w->flow[0].tally.retransmitted_pkts, 0);
    world_free(w);
}

static void lost_data__is_sent_again_once(void **state) {
    (void)state;
    struct credit_world *w = repaired(lose_tenth_data, 2 * PS_PER_MS);
    assert_int_equal(w->flow[0].tally.retransmitted_pkts, 1);
    assert_int_equal(w->flow[0].tally.sent_pkts, 686);
    assert_int_equal(w->counters[CREDIT_RECOVERIES], 1);
    assert_in_range(w->flow[0].tally.max_reorder_pkts, 150, 200); /* in 200 us and a round trip */
    assert_int_equal(w->flow[0].tally.reordered_pkts, 0);
    world_free(w);
}

static void lost_last__is_sent_again(void **state) {
    (void)state;
    struct credit_world *w = repaired(lose_last_data, 3 * PS_PER_MS);
    assert_int_equal(w->flow[0].tally.retransmitted_pkts, 1);
    world_free(w);
}

static void lost_burst__is_repaired(void **state) {
    (void)state;
    struct credit_world *w = repaired(lose_burst, 10 * PS_PER_MS);
    assert_in_range(w->flow[0].tally.retransmitted_pkts, 100, 160);
    assert_in_range(w->flow[0].tally.finished_at, PS_PER_MS, 2 * PS_PER_MS);
    world_free(w);
}

static void gray_link__every_flow_ends(void **state) {
    (void)state;
    struct credit_world *w = repaired(lose_some, 100 * PS_PER_MS);
    assert_in_range(w->flow[0].tally.retransmitted_pkts, 34, 300);
    assert_in_range(w->flow[0].tally.finished_at, PS_PER_MS, 4 * PS_PER_MS);
    world_free(w);
}

/* A start of 64 KB needs no credits: a short flow ends a round trip earlier. */
static void unscheduled__first_data_at_once(void **state) {
    (void)state;
    struct credit_world *w = world_new("expresspass");
    world_set(w, "unscheduled", 64000);
    struct world_flow *f = world_flow(w, 20000, 0);
    world_run(w, PS_PER_MS);
    assert_int_equal(f->tally.finished_at, 25 * PS_PER_US);
    assert_int_equal(w->counters[CREDIT_UNSCHEDULED_PKTS], 14);
    assert_int_equal(f->tally.credits_used, 0);
    world_check_credits(w);
    world_free(w);
}

/* A sender that is stopped before the end of its flow answers later credits with STOP. */
static void stopped_sender__silences_its_receiver(void **state) {
    (void)state;
    struct credit_world *w = world_new("expresspass");
    struct world_flow *f = world_flow(w, UINT64_MAX, 0);
    world_run(w, PS_PER_MS);
    w->ops->sender->close(f->sender, &f->env[SIDE_SENDER]);
    free(f->sender);
    f->sender = NULL;
    world_run(w, 2 * PS_PER_MS);
    assert_int_equal(w->ops->receiver->next_credit(f->receiver), TIME_NONE);
    assert_int_equal(w->n_frames, 0);
    assert_in_range(w->stops, 38, 80); /* one for each credit of a round trip */
    world_check_credits(w);
    world_free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(one_flow__finishes_and_counts),
        UNIT(one_flow__wastes_a_round_trip_of_credits),
        UNIT(figure1__two_of_four_credits_survive),
        UNIT(one_flow__converges_to_the_maximum),
        UNIT(two_flows__hotnets),
        UNIT(two_flows__printed),
        UNIT(two_flows__released),
        UNIT(two_flows__naive),
        UNIT(two_flows__spraypass),
        UNIT(slow_application__hotnets),
        UNIT(slow_application__printed),
        UNIT(slow_application__released),
        UNIT(slow_application__naive),
        UNIT(reordered_credits__are_false_losses),
        UNIT(lost_request__is_repeated),
        UNIT(lost_done__is_asked_for),
        UNIT(lost_data__is_sent_again_once),
        UNIT(lost_last__is_sent_again),
        UNIT(lost_burst__is_repaired),
        UNIT(gray_link__every_flow_ends),
        UNIT(unscheduled__first_data_at_once),
        UNIT(stopped_sender__silences_its_receiver),
    };
    return RUN_UNITS(tests);
}
