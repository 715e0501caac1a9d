/* SPDX-License-Identifier: Apache-2.0 */
/* Where windows end, how many a run has, and how many threads and ranks have enough to do in them. */
#include "sim/parallel/windows.h"

#include "sim/fixture.h"

#include "unit.h"

static struct lab *lab_of(struct fabric_spec spec) {
    struct lab *l = lab_new(spec);
    l->config.fabric = lab_fabric(l);
    l->config.flows = &l->flows;
    return l;
}

static int64_t windows_in(const struct world_config *c, span_ps window, span_ps lasts) {
    struct window_count w = windows_count(c, window);
    return lasts / w.period * w.each;
}

static void windows__epochs_end_them_too(void **state) {
    (void)state;
    struct lab *l = lab_of(spec_leaf_spine(2, 2, 2));
    assert_int_equal(windows_in(&l->config, 2 * US, 1 * MS), 500);
    assert_int_equal(windows_in(&l->config, 99 * US, 1 * MS), 20);
    assert_int_equal(windows_in(&l->config, 300 * US, 1 * MS), 10);
    lab_balance(l, "clairvoyant");
    assert_int_equal(windows_in(&l->config, 2 * US, 1 * MS), 1000);
    lab_end(l);
}

static time_ps window_after(span_ps slot, span_ps lookahead, time_ps start, time_ps epoch) {
    struct world w = {.n_partitions = 2, .slot = slot, .lookahead = lookahead};
    struct wheel wheel;
    wheel_init(&wheel, 1, slot);
    time_ps end = window_end(&w, &wheel, start, epoch);
    wheel_fini(&wheel);
    return end;
}

/* A window that begins within a slot is short, so that the next ones are whole slots. */
static void windows__end_with_a_slot(void **state) {
    (void)state;
    assert_int_equal(window_after(1000, 1000, 0, MS), 1000);
    assert_int_equal(window_after(1000, 1000, 1300, MS), 2000);
    assert_int_equal(window_after(1000, 3000, 1300, MS), 4000);
    assert_int_equal(window_after(1000, 4999, 3000, MS), 7000); /* a fifth shorter */
    assert_int_equal(window_after(1000, 1000, 1300, 1900), 1900);
    assert_int_equal(window_after(1000, 1000, 1300, 2100), 2100); /* a meeting fewer */
}

/* No window is longer than the lookahead, wherever it begins, and none is empty. */
static void windows__never_longer_than_frames_take(void **state) {
    (void)state;
    span_ps slot = 1067200;
    for (time_ps start = 0; start < 300 * slot; start += 777777) {
        time_ps end = window_after(slot, slot, start, INT64_MAX);
        assert_in_range(end - start, 1, slot);
    }
}

/* ---- threads ---- */

/* Adds a flow from every host. */
static void all_send(struct lab *l) {
    uint32_t n = lab_fabric(l)->n_hosts;
    for (uint32_t h = 0; h < n; h++) lab_flow(l, h, (h + 1) % n, 1000, 0);
}

/* The number of threads follows from rates, delays and senders, not from the machine. 1024 hosts of 10 Gbps put 1,720
 * frames on their links in the 2.067 us of a window: enough for eight threads of 200 frames, 25 for each of the eight; on two
 * ranks for one thread, since two would have 430 of the 440 frames that they need there. */
static void threads__by_what_a_window_holds(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_fat_tree(16));
    all_send(l);
    l->config.fabric = lab_fabric(l), l->config.flows = &l->flows;
    assert_int_equal(world_window_frames(&l->config, 1, 2),
                     1024ull * 10 * GBPS / PS_PER_US * 2067200 / PS_PER_US / 12304);
    assert_int_equal(world_useful_threads(&l->config, 1), 8);
    assert_int_equal(world_useful_threads(&l->config, 2), 1);
    l->flows.n = 512; /* half of them send */
    assert_int_equal(world_useful_threads(&l->config, 1), 5);
    l->flows.n = 56; /* 94 frames */
    assert_int_equal(world_useful_threads(&l->config, 1), 1);
    lab_end(l);
    l = lab_new(spec_fat_tree(16));
    l->spec.core_delay = 20 * US; /* a window is the least delay between pods */
    all_send(l);
    l->config.fabric = lab_fabric(l), l->config.flows = &l->flows;
    assert_int_equal(world_useful_threads(&l->config, 1), 16);
    assert_int_equal(world_useful_threads(&l->config, 4), 4); /* the pods of each rank */
    lab_end(l);
    l = lab_new(spec_star(6)); /* indivisible */
    all_send(l);
    l->config.fabric = lab_fabric(l), l->config.flows = &l->flows;
    assert_int_equal(world_useful_threads(&l->config, 1), 1);
    lab_end(l);
}

/* The board of link loads makes an epoch of each microsecond, so threads do not pay. */
static void threads__none_more_with_a_board(void **state) {
    (void)state;
    struct lab *l = lab_of(spec_fat_tree(16));
    all_send(l);
    l->config.flows = &l->flows;
    assert_true(world_useful_threads(&l->config, 1) >= 2);
    lab_balance(l, "clairvoyant");
    assert_int_equal(world_useful_threads(&l->config, 1), 1);
    lab_end(l);
}

static void ranks__not_more_than_pods(void **state) {
    (void)state;
    struct lab *l = lab_of(spec_fat_tree(4));
    assert_null(world_refuses_ranks(&l->config, 4, 1));
    assert_non_null(world_refuses_ranks(&l->config, 9, 1));
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(windows__epochs_end_them_too),           UNIT(windows__end_with_a_slot),
        UNIT(windows__never_longer_than_frames_take), UNIT(threads__by_what_a_window_holds),
        UNIT(threads__none_more_with_a_board),        UNIT(ranks__not_more_than_pods),
    };
    return RUN_UNITS(tests);
}
