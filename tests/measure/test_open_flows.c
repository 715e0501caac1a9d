/* SPDX-License-Identifier: Apache-2.0 */
/* The number of open flows over time, by hand. */
#include "measure/open_flows.h"

#include "unit.h"

#define NEVER TIME_NONE

static const struct flow_selection all = {.arrivals = {.until = TIME_NONE, .starts_to_ppb = PPB}};

static struct flow_tally until(time_ps at) { return (struct flow_tally){.finished_at = at}; }

/* 0 to 100 in four parts: a flow within one part, one over all of them, one over a border, and one that never ends. */
static void mean__by_the_time_that_flows_are_open(void **state) {
    (void)state;
    const struct flow_facts facts[] = {
        {5, 1, false, false, 0}, {0, 1, false, false, 0}, {20, 1, false, false, 0}, {90, 1, false, false, 0}};
    const struct flow_tally tally[] = {until(10), until(100), until(70), until(NEVER)};
    int64_t milli[4];
    open_flows_mean(facts, tallies_of(tally), 4, 100, 0, 100, 4, milli);
    assert_int_equal(milli[0], 1000 * (5 + 25 + 5) / 25);
    assert_int_equal(milli[1], 2000);
    assert_int_equal(milli[2], 1000 * (25 + 20) / 25);
    assert_int_equal(milli[3], 1000 * (25 + 10) / 25);
}

/* Only time within [from, to) counts, and parts of unequal length lose nothing. */
static void mean__of_a_stretch_that_does_not_divide(void **state) {
    (void)state;
    const struct flow_facts facts[] = {{0, 1, false, false, 0}, {0, 1, false, false, 0}, {17, 1, false, false, 0}};
    const struct flow_tally tally[] = {until(1000), until(10), until(20)};
    int64_t milli[3], sum = 0;
    open_flows_mean(facts, tallies_of(tally), 3, 1000, 10, 20, 3, milli); /* parts of 3, 3 and 4 */
    assert_int_equal(milli[0], 1000);
    assert_int_equal(milli[1], 1000);
    assert_int_equal(milli[2], 1750);
    open_flows_mean(facts, tallies_of(tally), 3, 1000, 10, 12, 3, milli);
    for (int i = 0; i < 3; i++) sum += milli[i];
    assert_int_equal(sum, 0); /* too short to divide */
}

/* Flows without an end, background flows, and flows that would start after the run do not count. */
static void mean__who_counts(void **state) {
    (void)state;
    const struct flow_facts facts[] = {{0, UINT64_MAX, false, false, 0},
                                       {0, 1, true, false, 0},
                                       {60, 1, false, false, 0},
                                       {NEVER, 1, false, false, 0}};
    const struct flow_tally tally[] = {until(NEVER), until(NEVER), until(NEVER), until(NEVER)};
    int64_t milli[2];
    open_flows_mean(facts, tallies_of(tally), 4, 50, 0, 50, 2, milli);
    assert_int_equal(milli[0] + milli[1], 0);
}

/* Ten arrivals, each open for 10: the window spans the third to the eighth arrival, and every flow that is open in it
 * counts. */
static void measure__over_the_window_of_arrivals(void **state) {
    (void)state;
    struct flow_facts facts[10];
    struct flow_tally tally[10];
    for (int i = 0; i < 10; i++) {
        facts[i] = (struct flow_facts){1000 * i, 1, false, false, 0};
        tally[i] = until(1000 * i + 1000);
    }
    const struct flow_selection middle = {
        .arrivals = {.starts_from_ppb = 200000000, .until = TIME_NONE, .starts_to_ppb = 800000000}};
    struct open_flows o;
    open_flows_measure(facts, tallies_of(tally), 10, &middle, 20000, &o);
    assert_int_equal(o.arrivals, 6);
    assert_int_equal(o.from, 2000);
    assert_int_equal(o.to, 7000);
    for (int i = 0; i < OPEN_PARTS; i++) assert_int_equal(o.part_milli[i], 1000);
    assert_int_equal(o.end, 20000);
    assert_int_equal(o.point_milli[0], 1000);
    assert_int_equal(o.point_milli[49], 1000);
    assert_int_equal(o.point_milli[50], 0);
}

/* A shuffle never reaches a steady state: its flows are open but do not count as arrivals. */
static void measure__of_a_load_that_lasts(void **state) {
    (void)state;
    const struct flow_facts facts[] = {{.start = 0, .bytes = 1, .once = true}, {.start = 500, .bytes = 1}};
    const struct flow_tally tally[] = {until(1000), until(1000)};
    struct open_flows o;
    open_flows_measure(facts, tallies_of(tally), 2, &all, 1000, &o);
    assert_int_equal(o.arrivals, 1);
    assert_int_equal(o.from, 500);
    assert_int_equal(o.point_milli[10], 1000);
    assert_int_equal(o.point_milli[90], 2000);
}

static void measure__nothing_and_one(void **state) {
    (void)state;
    const struct flow_facts one = {7, 1, false, false, 0};
    const struct flow_tally tally = until(9);
    struct open_flows o;
    open_flows_measure(NULL, tallies_of(NULL), 0, &all, 1000, &o);
    assert_int_equal(o.arrivals, 0);
    assert_int_equal(o.part_milli[0], 0);
    open_flows_measure(&one, tallies_of(&tally), 1, &all, 1000, &o);
    assert_int_equal(o.arrivals, 1);
    assert_int_equal(o.from, o.to);
    assert_int_equal(o.point_milli[0], 200);
}

/* A line that climbs by more than a tenth of the mean, and by two flows at least: 20 parts with steps of s climb by 20 s. */
static void open_flows_climb__by_a_tenth_and_two_flows(void **state) {
    (void)state;
    static const struct {
        int64_t first_milli, step_milli;
        bool climbs;
    } row[] = {{1000, 100, true},    {1000, 99, false},    {100000, 600, true},
               {100000, 500, false}, {50000, -900, false}, {0, 0, false}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        struct open_flows o = {0};
        for (int i = 0; i < OPEN_PARTS; i++) o.part_milli[i] = row[k].first_milli + i * row[k].step_milli;
        assert_int_equal(open_flows_climb(&o), row[k].climbs);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(open_flows_climb__by_a_tenth_and_two_flows),
        UNIT(mean__by_the_time_that_flows_are_open),
        UNIT(mean__of_a_stretch_that_does_not_divide),
        UNIT(mean__who_counts),
        UNIT(measure__over_the_window_of_arrivals),
        UNIT(measure__of_a_load_that_lasts),
        UNIT(measure__nothing_and_one),
    };
    return RUN_UNITS(tests);
}
