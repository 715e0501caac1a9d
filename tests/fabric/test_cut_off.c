/* SPDX-License-Identifier: Apache-2.0 */
/* Which hosts failures leave without a path, from when to when. */
#include "fabric/cut_off.h"

#include "fabric_test.h"

static struct link_failure fails(const char *link, time_ps at, time_ps repair_at) {
    return (struct link_failure){.link = link, .at = at, .repair_at = repair_at, .detect = MS};
}

static const char *cut_offs(struct fabric_spec s, const struct link_failure *list, size_t n) {
    s.failed = list;
    s.n_failed = n;
    return cut_off_lines(made(s));
}

static void cut_off__nobody_while_a_path_is_left(void **state) {
    (void)state;
    const struct link_failure one[] = {fails("leaf0-spine0", MS, TIME_NONE)};
    assert_string_equal(cut_offs(spec_leaf_spine(2, 2, 2), one, 0), "");
    assert_string_equal(cut_offs(spec_leaf_spine(2, 2, 2), one, 1), "");
}

static void cut_off__rack_whose_last_uplink_fails(void **state) {
    (void)state;
    const struct link_failure both[] = {fails("leaf1-spine0", MS, 9 * MS), fails("leaf1-spine1", 2 * MS, 5 * MS)};
    assert_string_equal(cut_offs(spec_leaf_spine(3, 2, 2), both, 2),
                        "host1.0 to host1.1 have no path to other racks from 2ms to 5ms");
}

/* With two racks each has lost the other: the one without an uplink is named. */
static void cut_off__one_of_two_racks(void **state) {
    (void)state;
    const struct link_failure one[] = {fails("leaf1-spine0", MS, TIME_NONE)};
    assert_string_equal(cut_offs(spec_leaf_spine(2, 1, 3), one, 1),
                        "host1.0 to host1.2 have no path to other racks from 1ms on");
}

static void cut_off__host_whose_link_fails(void **state) {
    (void)state;
    const struct link_failure two[] = {fails("leaf0-host0.1", 3 * MS, 5 * MS),
                                       fails("leaf0-host0.1", 8 * MS, TIME_NONE)};
    assert_string_equal(cut_offs(spec_star(3), two, 2),
                        "host0.1 has no path to any host from 3ms to 5ms; host0.1 has no path to any host from 8ms on");
}

/* Two racks on spines of their own: a path between them would go down and up again at the third rack. */
static void cut_off__by_a_path_that_would_go_up_again(void **state) {
    (void)state;
    const struct link_failure two[] = {fails("leaf0-spine1", MS, TIME_NONE), fails("leaf1-spine0", MS, TIME_NONE)};
    assert_string_equal(cut_offs(spec_leaf_spine(3, 2, 1), two, 2),
                        "host0.0 to host1.0 have no path to some racks from 1ms on");
}

static void cut_off__pod_without_its_cores(void **state) {
    (void)state;
    const struct link_failure all[] = {
        fails("agg1.0-core0.0", MS, TIME_NONE), fails("agg1.0-core0.1", 2 * MS, TIME_NONE),
        fails("agg1.1-core1.0", 3 * MS, TIME_NONE), fails("agg1.1-core1.1", 4 * MS, 6 * MS)};
    assert_string_equal(cut_offs(spec_fat_tree(4), all, 4),
                        "host1.0.0 to host1.1.1 have no path to some racks from 4ms to 6ms");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(cut_off__nobody_while_a_path_is_left),
        UNIT(cut_off__rack_whose_last_uplink_fails),
        UNIT(cut_off__one_of_two_racks),
        UNIT(cut_off__host_whose_link_fails),
        UNIT(cut_off__by_a_path_that_would_go_up_again),
        UNIT(cut_off__pod_without_its_cores),
    };
    return RUN_UNITS(tests);
}
