/* SPDX-License-Identifier: Apache-2.0 */
/* HULL: its requirements, its pacing, and long flows over a link with a phantom queue. */
#include "mech/transport/dctcp.h"

#include "bottleneck.h"
#include "tcp_bench.h"

#define THRESHOLD 10000 /* 1 KB per Gbps at 10 Gbps */

static void table__asks_for_a_phantom_queue(void **state) {
    (void)state;
    assert_string_equal(transport_hull.needed[0].key, "switch.admit");
    assert_string_equal(transport_hull.needed[0].value, "phantom"); /* the real queue marks nothing */
    assert_string_equal(transport_hull.needed[1].value, "10KB");
    assert_int_equal(transport_param(&transport_hull, TCP_PARAM_ECN).def, 1);
}

static struct bottleneck *hull_over_phantom(uint32_t flows) {
    struct bottleneck *b = bottleneck_new(&transport_hull, flows);
    b->phantom_bytes = THRESHOLD;
    b->measure_from = 20 * PS_PER_MS;
    return b;
}

/* HULL keeps the queue nearly empty and uses nearly 95 % of the link, never more. */
static void two_flows__near_empty_queue(void **state) {
    (void)state;
    struct bottleneck *b = hull_over_phantom(2);
    b->flow[1].start = 100 * PS_PER_US;
    bottleneck_run(b, 100 * PS_PER_MS);
    assert_true(b->queue_mean < 2 * 1538);
    assert_true(b->queue_max < 12 * 1538);
    assert_in_range(b->utilisation_ppm, 900000, 950000);
    assert_int_equal(b->counters[TCP_TIMEOUTS] + b->counters[TCP_RETRANSMITS], 0);
    bottleneck_free(b);
}

/* The same senders with DCTCP's marks keep a queue of some 60 frames. */
static void two_flows__dctcp_marks_stand_higher(void **state) {
    (void)state;
    int64_t mean[2];
    for (int real = 0; real < 2; real++) {
        struct bottleneck *b = hull_over_phantom(2);
        if (real) {
            b->phantom_bytes = 0;
            b->mark_bytes = 65 * 1538;
        }
        bottleneck_run(b, 60 * PS_PER_MS);
        mean[real] = b->queue_mean;
        bottleneck_free(b);
    }
    assert_true(mean[1] > 20 * mean[0]);
}

/* Bursts make the phantom queue mark although the load is below its share: a lone flow over 300 us loses a third of the
 * link. With pacing it uses the 95 %. */
static void pacing__bursts_do_not_cost_the_link(void **state) {
    (void)state;
    for (int pacing = 0; pacing < 2; pacing++) {
        struct bottleneck *b = hull_over_phantom(1);
        b->delay = 75 * PS_PER_US;
        bottleneck_set(b, "pacing", pacing);
        bottleneck_run(b, 100 * PS_PER_MS);
        if (pacing)
            assert_in_range(b->utilisation_ppm, 930000, 950000);
        else
            assert_in_range(b->utilisation_ppm, 500000, 750000);
        assert_int_equal(b->queue_max, 0);
        bottleneck_free(b);
    }
}

/* ---- pacing, frame by frame ---- */

static const struct transport_ops *const ops = &transport_hull;

/* Opens a sender at 100 us with a window of 10 segments. */
static struct bench *opened(bool pacing) {
    struct bench *b = bench_new(ops);
    b->params[DCTCP_N_PARAMS] = pacing;
    bench_open(b, TCP_ECE);
    return b;
}

static bool sends(struct bench *b, time_ps now) {
    struct packet p = {.ext = EXT_NONE};
    bool promised = ops->sender->has_output(&b->sender, &b->env, now);
    assert_int_equal(promised, ops->sender->poll_transmit(&b->sender, &b->env, now, &p));
    return promised;
}

/* 10 segments per 100 us leave 10 us apart, in slow start 5 us. next_timer names the next one. */
static void pacing__spaces_by_the_window(void **state) {
    (void)state;
    const time_ps at = 100 * PS_PER_US;
    for (int avoidance = 0; avoidance < 2; avoidance++) {
        struct bench *b = opened(true);
        if (avoidance) b->sender.ssthresh_bytes = 5 * 1460;
        span_ps gap = (avoidance ? 10 : 5) * PS_PER_US;
        for (int i = 0; i < 10; i++) {
            time_ps now = at + i * gap;
            assert_true(sends(b, now));
            assert_false(sends(b, now));
            assert_false(sends(b, now + gap - 1));
            assert_int_equal(ops->sender->next_timer(&b->sender), now + gap);
            ops->sender->on_timer(&b->sender, &b->env, now + gap);
        }
        assert_false(sends(b, at + 10 * gap)); /* the window is full */
        assert_int_equal(b->counters[TCP_TIMEOUTS], 0);
        assert_true(ops->sender->next_timer(&b->sender) >= at + 10 * PS_PER_MS); /* only the RTO is left */
        bench_free(b);
    }
}

static void pacing__may_be_left_out(void **state) {
    (void)state;
    struct bench *b = opened(false);
    for (int i = 0; i < 10; i++) assert_true(sends(b, 100 * PS_PER_US));
    assert_false(sends(b, 100 * PS_PER_US));
    bench_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(table__asks_for_a_phantom_queue),     UNIT(two_flows__near_empty_queue),
        UNIT(two_flows__dctcp_marks_stand_higher), UNIT(pacing__bursts_do_not_cost_the_link),
        UNIT(pacing__spaces_by_the_window),        UNIT(pacing__may_be_left_out),
    };
    return RUN_UNITS(tests);
}
