/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/timeline.h"

#include "unit.h"

static void timeline_kind_name__every_kind(void **state) {
    (void)state;
    assert_string_equal(timeline_kind_name(TIMELINE_SENT), "sent");
    assert_string_equal(timeline_kind_name(TIMELINE_CWND), "cwnd");
    assert_string_equal(timeline_kind_name(TIMELINE_FINISHED), "finished");
    assert_string_equal(timeline_kind_name((enum timeline_kind)99), "unknown");
}

static void timeline_frame_name__every_frame(void **state) {
    (void)state;
    assert_string_equal(timeline_frame_name(TIMELINE_DATA), "data");
    assert_string_equal(timeline_frame_name(TIMELINE_OF_SWITCH), "switch");
    assert_string_equal(timeline_frame_name(TIMELINE_DONE), "done");
    assert_string_equal(timeline_frame_name(TIMELINE_N_FRAMES), "unknown");
}

static struct timeline_entry entry(time_ps at, uint32_t node, uint32_t seq) {
    return (struct timeline_entry){.at = at, .node = node, .seq_offset = seq};
}

/* Entries of equal time are ordered by node, and within a node by occurrence. */
static void timeline_merge__order(void **state) {
    (void)state;
    struct timeline t[2];
    for (int i = 0; i < 2; i++) timeline_init(&t[i], 0);
    const struct timeline_entry first[] = {entry(5, 8, 1), entry(5, 8, 0), entry(9, 8, 2)};
    const struct timeline_entry second[] = {entry(5, 2, 3), entry(7, 2, 4)};
    for (int i = 0; i < 3; i++) timeline_add(&t[0], &first[i]);
    for (int i = 0; i < 2; i++) timeline_add(&t[1], &second[i]);
    struct run_result r = {0};
    assert_int_equal(timeline_merge(t, 2, &r), 0);
    assert_int_equal(r.n_timeline, 5);
    const uint32_t order[] = {3, 1, 0, 4, 2};
    for (int i = 0; i < 5; i++) assert_int_equal(r.timeline[i].seq_offset, order[i]);
    run_result_free(&r);
}

/* The bound keeps the first three of four entries, whether one list held them or two. */
static void timeline_merge__bound_does_not_depend_on_threads(void **state) {
    (void)state;
    const struct timeline_entry e[] = {entry(1, 0, 0), entry(2, 1, 1), entry(3, 0, 2), entry(4, 0, 3)};
    struct timeline one, two[2];
    timeline_init(&one, 3);
    timeline_init(&two[0], 3);
    timeline_init(&two[1], 3);
    for (int i = 0; i < 4; i++) {
        timeline_add(&one, &e[i]);
        timeline_add(&two[e[i].node], &e[i]);
    }
    struct run_result a = {0}, b = {0};
    assert_int_equal(timeline_merge(&one, 1, &a), 1);
    assert_int_equal(timeline_merge(two, 2, &b), 1);
    assert_int_equal(a.n_timeline, 3);
    assert_int_equal(b.n_timeline, 3);
    for (int i = 0; i < 3; i++) assert_int_equal(a.timeline[i].seq_offset, b.timeline[i].seq_offset);
    run_result_free(&a);
    run_result_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(timeline_kind_name__every_kind),
        UNIT(timeline_frame_name__every_frame),
        UNIT(timeline_merge__order),
        UNIT(timeline_merge__bound_does_not_depend_on_threads),
    };
    return RUN_UNITS(tests);
}
