/* SPDX-License-Identifier: Apache-2.0 */
/* The gate between the stack of a real host and its NIC: the rate of a class follows the fill of its queue. */
#include "live/gate.h"
#include "live/lab/run.h"
#include "live/netns.h"
#include "live/port/port.h"

#include <string.h>

#define RATE 100000000LL
#define MS PS_PER_MS

static void throttle__is_whole_while_the_queue_has_room(void **state) {
    (void)state;
    struct throttle t = {RATE, RATE, TIME_NONE, 0};
    assert_false(throttle_step(&t, 0, 0));
    assert_false(throttle_step(&t, MS, GATE_CLOSES));
    assert_true(throttle_step(&t, 2 * MS, GATE_CLOSES + 1));
    assert_int_equal(t.rate_bps, RATE / 2);
    assert_false(throttle_step(&t, 9 * MS, GATE_OPENS)); /* between the thresholds: unchanged */
    assert_true(throttle_step(&t, 10 * MS, GATE_OPENS - 1));
    assert_int_equal(t.rate_bps, RATE);
    assert_int_equal(t.next, TIME_NONE);
}

/* The rate is not halved while the queue shrinks, however slowly. */
static void throttle__waits_for_a_queue_that_shrinks(void **state) {
    (void)state;
    struct throttle t = {RATE, RATE, TIME_NONE, 0};
    assert_true(throttle_step(&t, 0, 800));
    assert_false(throttle_step(&t, t.next, 790));
    assert_false(throttle_step(&t, t.next - 1, 795)); /* before the end of the window */
    assert_false(throttle_step(&t, t.next, 780));
    assert_true(throttle_step(&t, t.next, 780));
    assert_int_equal(t.rate_bps, RATE / 4);
}

/* About fifty frames pass while a class is paused for a minute; it resumes within an eighth of that time. */
static void throttle__lets_few_frames_pass_while_a_queue_stays_full(void **state) {
    (void)state;
    struct throttle t = {2 * RATE, 2 * RATE, TIME_NONE, 0};
    double frames = 0;
    for (time_ps now = 0, before = 0; now < 60 * PS_PER_S; before = now) {
        throttle_step(&t, now, 1000);
        now = min_i64(t.next > now ? t.next : now + MS, now + MS);
        frames += (double)t.rate_bps * (double)(now - before) / PS_PER_S / (8 * FULL_WIRE_BYTES);
    }
    assert_true(frames > 10 && frames < 100);
    assert_true(FULL_WIRE_BYTES * 8 * (PS_PER_S / t.rate_bps) < 60 * PS_PER_S / 8);
    assert_true(t.rate_bps >= GATE_LEAST_BPS);
}

/* A queue that is full from the start is halved at once, and again after each period in which four frames could have passed. */
static void throttle__halves_each_time_four_frames_could_have_passed(void **state) {
    (void)state;
    struct throttle t = {RATE, RATE, TIME_NONE, 0};
    assert_true(throttle_step(&t, 5 * MS, 501));
    assert_int_equal(t.next, 5 * MS + 4 * 1538 * 8 * (PS_PER_S / (RATE / 2)));
    assert_false(throttle_step(&t, t.next - 1, 501));
    assert_true(throttle_step(&t, t.next, 501));
    assert_int_equal(t.rate_bps, RATE / 4);
    assert_false(throttle_step(&t, t.next + 1, 500)); /* just half full: no more halving, and no restoring either */
    assert_int_equal(t.rate_bps, RATE / 4);
    assert_int_equal(t.next, TIME_NONE);
    assert_false(throttle_step(&t, t.next, 250));
    assert_true(throttle_step(&t, t.next, 249));
}

static void throttle__is_never_stopped_for_good(void **state) {
    (void)state;
    struct throttle t = {10000, 10000, TIME_NONE, 0};
    assert_true(throttle_step(&t, 0, 1000));
    assert_int_equal(t.rate_bps, 8000);
    assert_false(throttle_step(&t, t.next, 1000));
}

/* ---- the queues of the kernel ---- */

#define NIC "eth9"

/* Returns what tc says about the device, which the caller frees. */
static char *tc_says(const char *what) {
    char *text = NULL;
    struct diag d = {0};
    if (!run_program((char *[]){"tc", (char *)what, "show", "dev", NIC, NULL}, NULL, &text, &d)) fail_msg("%s", d.text);
    return text;
}

/* Returns the rest of the line of a class behind its number, up to the ceiling: "rate 8Kbit ceil 200Mbit". */
static const char *class_of(const char *number, const char *word) {
    static char found[80];
    char *text = tc_says("class"), key[64];
    snprintf(key, sizeof key, "class htb %s ", number);
    const char *line = strstr(text, key), *at = line ? strstr(line, word) : NULL;
    if (!at) fail_msg("no %s of class %s: %s", word, number, text);
    snprintf(found, sizeof found, "%.*s", (int)(strcspn(at + strlen(word) + 1, " \n") + strlen(word) + 1), at);
    free(text);
    return found;
}

static struct live_port *tap_new(void) {
    struct diag d = {0};
    netns_enter();
    struct live_port *tap = live_port_open("tap:" NIC, &d);
    if (!tap || program_lookup("tc") != 0) {
        live_port_close(tap);
        print_message("needs TAP devices and tc\n");
        skip();
    }
    return tap;
}

/* The class of the highest number is served first; each may use twice the rate of the link, and has little of its own. */
static void gate_open__has_a_queue_for_each_class(void **state) {
    (void)state;
    struct diag d = {0};
    struct live_port *tap = tap_new();
    struct gate *g = gate_open(NIC, 3, 100000000, &d);
    if (!g) fail_msg("%s", d.text);
    char *queues = tc_says("qdisc"), *filters = tc_says("filter");
    assert_non_null(strstr(queues, "qdisc htb 1: root"));
    assert_non_null(strstr(queues, "default 0x1"));
    static const char *const parent[] = {"parent 1:1 ", "parent 1:2 ", "parent 1:3 "};
    for (int k = 0; k < 3; k++) {
        const char *queue = strstr(queues, parent[k]);
        assert_non_null(queue);
        assert_int_equal(strncmp(queue + strlen(parent[k]), "limit 100000p", 13), 0);
    }
    assert_null(strstr(queues, "parent 1:4"));
    assert_string_equal(class_of("1:ffff", "rate"), "rate 200Mbit");
    static const char *const number[] = {"1:1", "1:2", "1:3"}, *const prio[] = {"prio 7", "prio 6", "prio 5"};
    for (int k = 0; k < 3; k++) {
        assert_string_equal(class_of(number[k], "rate"), "rate 8Kbit");
        assert_string_equal(class_of(number[k], "ceil"), "ceil 200Mbit");
        assert_string_equal(class_of(number[k], "prio"), prio[k]);
        assert_string_equal(class_of(number[k], "cburst"), "cburst 25000b"); /* of a millisecond at its ceiling */
    }
    /* The upper three bits of the DSCP name the class; classes above the last are the last. */
    static const char *const flow[] = {"flowid 1:1", "flowid 1:2", "flowid 1:3", "flowid 1:3",
                                       "flowid 1:3", "flowid 1:3", "flowid 1:3", "flowid 1:3"};
    const char *at = filters;
    for (int tos = 0; tos < 8; tos++) {
        char match[40];
        at = strstr(at, "flowid");
        assert_non_null(at);
        assert_int_equal(strncmp(at, flow[tos], strlen(flow[tos])), 0);
        snprintf(match, sizeof match, "match 00%02x0000/00e00000", tos << 5);
        at = strstr(at, "match");
        assert_non_null(at);
        assert_int_equal(strncmp(at, match, strlen(match)), 0);
    }
    assert_null(strstr(at, "flowid"));
    free(filters);
    free(queues);
    gate_close(g);
    live_port_close(tap);
}

static void gate_step__changes_the_rate_of_one_class(void **state) {
    (void)state;
    struct diag d = {0};
    struct live_port *tap = tap_new();
    struct gate *g = gate_open(NIC, 2, 100000000, &d);
    if (!g) fail_msg("%s", d.text);
    assert_int_equal(gate_next(g), TIME_NONE);
    gate_step(g, 1, 5 * MS, 1000);
    assert_string_equal(class_of("1:2", "ceil"), "ceil 100Mbit");
    assert_string_equal(class_of("1:2", "prio"), "prio 6");
    assert_string_equal(class_of("1:2", "rate"), "rate 8Kbit");
    assert_string_equal(class_of("1:1", "ceil"), "ceil 200Mbit");
    assert_int_equal(gate_next(g), 5 * MS + throttle_window(RATE));
    gate_step(g, 0, 0, 1000);
    assert_int_equal(gate_next(g), throttle_window(RATE)); /* of the first of the two */
    gate_step(g, 0, 1, 0);
    assert_string_equal(class_of("1:1", "ceil"), "ceil 200Mbit");
    assert_int_equal(gate_next(g), 5 * MS + throttle_window(RATE));
    assert_int_equal(gate_counts(g).halvings, 2);
    for (int i = 0; i < 40; i++) gate_step(g, 1, gate_next(g) == TIME_NONE ? 0 : gate_next(g), 1000);
    assert_string_equal(class_of("1:2", "ceil"), "ceil 8Kbit");
    assert_int_equal(gate_next(g), TIME_NONE); /* it cannot be less */
    assert_int_equal(gate_counts(g).refused, 0);
    gate_close(g); /* restores the rates */
    assert_string_equal(class_of("1:2", "ceil"), "ceil 200Mbit");
    live_port_close(tap);
    gate_close(NULL);
}

/* A device that went away refuses its rates, which is counted; the rate is tried again with the next change. */
static void gate_step__of_a_device_that_is_gone(void **state) {
    (void)state;
    struct diag d = {0};
    struct live_port *tap = tap_new();
    struct gate *g = gate_open(NIC, 1, 100000000, &d);
    if (!g) fail_msg("%s", d.text);
    live_port_close(tap);
    gate_step(g, 0, 0, 1000);
    gate_step(g, 0, 0, 0);
    assert_int_equal(gate_counts(g).refused, 2);
    assert_int_equal(gate_counts(g).halvings, 1);
    gate_close(g);
    assert_null(gate_open(NIC, 1, 100000000, &d));
    assert_non_null(strstr(d.text, "tc: "));
}

/* Rates above what the kernel's ring can bear are cut to that. */
static void gate_open__a_fast_link(void **state) {
    (void)state;
    struct diag d = {0};
    struct live_port *tap = tap_new();
    struct gate *g = gate_open(NIC, 8, 100000000000LL, &d);
    if (!g) fail_msg("%s", d.text);
    assert_string_equal(class_of("1:ffff", "rate"), "rate 4Gbit");
    assert_string_equal(class_of("1:8", "ceil"), "ceil 4Gbit");
    assert_string_equal(class_of("1:8", "prio"), "prio 0");
    gate_close(g);
    live_port_close(tap);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(throttle__is_whole_while_the_queue_has_room),
        UNIT(throttle__waits_for_a_queue_that_shrinks),
        UNIT(throttle__lets_few_frames_pass_while_a_queue_stays_full),
        UNIT(throttle__halves_each_time_four_frames_could_have_passed),
        UNIT(throttle__is_never_stopped_for_good),
        UNIT(gate_open__has_a_queue_for_each_class),
        UNIT(gate_step__changes_the_rate_of_one_class),
        UNIT(gate_step__of_a_device_that_is_gone),
        UNIT(gate_open__a_fast_link),
    };
    return RUN_UNITS(tests);
}
