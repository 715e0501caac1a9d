/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/flows.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

static const struct flow_selection all = {.arrivals = {.until = TIME_NONE, .starts_to_ppb = PPB}};

static struct flow_tally finished(time_ps at, int64_t bytes) {
    return (struct flow_tally){.finished_at = at, .received_bytes = bytes};
}

static void assert_summary(struct summary s, uint64_t n, int64_t mean, int64_t p50, int64_t p95, int64_t p99,
                           int64_t max) {
    assert_int_equal(s.n, n);
    assert_int_equal(s.mean, mean);
    assert_int_equal(s.p50, p50);
    assert_int_equal(s.p95, p95);
    assert_int_equal(s.p99, p99);
    assert_int_equal(s.max, max);
}

static void summary_of__one_to_a_hundred(void **state) {
    (void)state;
    int64_t v[100];
    for (int i = 0; i < 100; i++) v[i] = (i * 37) % 100 + 1;
    assert_summary(summary_of(v, 100), 100, 51, 50, 95, 99, 100); /* mean 50.5 rounds up */
}

static void summary_of__the_tail_of_two_thousand(void **state) {
    (void)state;
    int64_t v[2000];
    for (int i = 0; i < 2000; i++) v[i] = (i * 37) % 2000 + 1;
    struct summary s = summary_of(v, 2000);
    assert_int_equal(s.p99, 1980);
    assert_int_equal(s.p999, 1998);
}

static void summary_of__none_one_and_huge(void **state) {
    (void)state;
    int64_t one[] = {7}, huge[] = {INT64_MAX, INT64_MAX, INT64_MAX - 3};
    assert_summary(summary_of(NULL, 0), 0, 0, 0, 0, 0, 0);
    assert_summary(summary_of(one, 1), 1, 7, 7, 7, 7, 7);
    assert_summary(summary_of(huge, 3), 3, INT64_MAX - 1, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX);
}

/* Five flows: a mouse (99,999 B), two medium (100,000 and 1,000,000 B), an elephant (1,000,001 B), one unfinished. */
static void flows_summarise__classes_and_totals(void **state) {
    (void)state;
    const struct flow_facts facts[] = {{0, 99999, false, false, 0},
                                       {10, 100000, false, false, 0},
                                       {20, 1000000, false, false, 0},
                                       {30, 1000001, false, false, 0},
                                       {40, 5, false, false, 0}};
    const struct flow_tally tally[] = {finished(100, 99999), finished(310, 100000), finished(520, 1000000),
                                       finished(4030, 1000001), finished(TIME_NONE, 2)};
    const int64_t bound[] = {100, 150, 200, 1000, 1};
    struct run_result r = {0};
    assert_true(flows_summarise(facts, tallies_of(tally), bound, 5, &all, 5000, &r));
    assert_int_equal(r.flows_started, 5);
    assert_int_equal(r.flows_finished, 4);
    assert_int_equal(r.flows_unfinished, 1);
    assert_int_equal(r.flow_bytes, 99999 + 100000 + 1000000 + 1000001 + 2);
    assert_summary(r.times[CLASS_ALL].fct_ps, 4, 1225, 300, 4000, 4000, 4000);
    assert_summary(r.times[CLASS_MICE].fct_ps, 1, 100, 100, 100, 100, 100);
    assert_summary(r.times[CLASS_MEDIUM].fct_ps, 2, 400, 300, 500, 500, 500);
    assert_summary(r.times[CLASS_ELEPHANT].fct_ps, 1, 4000, 4000, 4000, 4000, 4000);
    assert_summary(r.times[CLASS_MICE].slowdown_ppm, 1, 1000000, 1000000, 1000000, 1000000, 1000000);
    assert_summary(r.times[CLASS_MEDIUM].slowdown_ppm, 2, 2250000, 2000000, 2500000, 2500000, 2500000);
    assert_summary(r.times[CLASS_ELEPHANT].slowdown_ppm, 1, 4000000, 4000000, 4000000, 4000000, 4000000);
}

/* Class edges at 100 and 1000 bytes: a flow of exactly that size belongs to the class that begins there. The last class
 * has no upper edge. */
static void flows_summarise__classes_of_ones_own(void **state) {
    (void)state;
    const struct flow_facts facts[] = {{0, 99, false, false, 0},         {0, 100, false, false, 0},
                                       {0, 999, false, false, 0},        {0, 1000, false, false, 0},
                                       {0, 5000000000, false, false, 0}, {0, UINT64_MAX, false, false, 0}};
    const struct flow_tally tally[] = {finished(10, 99),   finished(20, 100),        finished(40, 999),
                                       finished(70, 1000), finished(90, 5000000000), finished(TIME_NONE, 1)};
    const int64_t bound[] = {10, 10, 10, 70, 90, 1};
    const struct flow_selection s = {.arrivals = {.until = TIME_NONE, .starts_to_ppb = PPB}, .sizes = {2, {100, 1000}}};
    struct run_result r = {0};
    assert_true(flows_summarise(facts, tallies_of(tally), bound, 6, &s, 100, &r));
    assert_int_equal(size_classes_count(&r.sizes), 3);
    assert_summary(r.size_times[0].fct_ps, 1, 10, 10, 10, 10, 10);
    assert_summary(r.size_times[1].fct_ps, 2, 30, 20, 40, 40, 40);
    assert_summary(r.size_times[2].fct_ps, 2, 80, 70, 90, 90, 90);
    assert_summary(r.size_times[1].slowdown_ppm, 2, 3000000, 2000000, 4000000, 4000000, 4000000);
    assert_summary(r.size_times[2].slowdown_ppm, 2, 1000000, 1000000, 1000000, 1000000, 1000000);
    assert_int_equal(r.times[CLASS_MICE].fct_ps.n, 4); /* built-in classes do not change */
}

/* One edge makes two classes, no edge makes none. Flows that are not selected for FCT are in none of them. */
static void flows_summarise__classes_count_the_selected(void **state) {
    (void)state;
    const struct flow_facts facts[] = {{0, 5, false, false, 0}, {10, 5, false, false, 0}, {20, 50, false, false, 0}};
    const struct flow_tally tally[] = {finished(1, 5), finished(13, 5), finished(25, 50)};
    struct flow_selection s = {.arrivals = {.from = 10, .until = TIME_NONE, .starts_to_ppb = PPB}, .sizes = {1, {50}}};
    struct run_result r = {0};
    assert_true(flows_summarise(facts, tallies_of(tally), NULL, 3, &s, 100, &r));
    assert_int_equal(size_classes_count(&r.sizes), 2);
    assert_summary(r.size_times[0].fct_ps, 1, 3, 3, 3, 3, 3);
    assert_summary(r.size_times[1].fct_ps, 1, 5, 5, 5, 5, 5);
    assert_int_equal(r.size_times[1].slowdown_ppm.n, 0); /* no bounds given */
    s.sizes.n_edges = 0;
    assert_true(flows_summarise(facts, tallies_of(tally), NULL, 3, &s, 100, &r));
    assert_int_equal(size_classes_count(&r.sizes), 0);
}

/* Events of the instant at which a run ends are not carried out. */
static void flows_summarise__from_the_end_on_is_not_started(void **state) {
    (void)state;
    const struct flow_facts facts[] = {{0, 10, false, false, 0},         {49, 10, false, false, 0},
                                       {50, 10, false, false, 0},        {51, 10, false, false, 0},
                                       {TIME_NONE, 10, false, false, 0}, {51, 10, true, false, 0}};
    const struct flow_tally tally[] = {finished(20, 10),       finished(TIME_NONE, 0), finished(TIME_NONE, 0),
                                       finished(TIME_NONE, 0), finished(TIME_NONE, 0), finished(TIME_NONE, 0)};
    struct run_result r = {0};
    assert_true(flows_summarise(facts, tallies_of(tally), NULL, 6, &all, 50, &r));
    assert_int_equal(r.flows_started, 2);
    assert_int_equal(r.flows_unfinished, 1);
    assert_int_equal(r.times[CLASS_ALL].unfinished, 1);
    assert_int_equal(r.flows_not_started, 3);               /* one in the background does not count */
    assert_int_equal(r.times[CLASS_ALL].slowdown_ppm.n, 0); /* no bounds given */
}

/* A flow without an end delivers bytes, has no FCT, and never counts as unfinished. */
static void flows_summarise__endless_flow(void **state) {
    (void)state;
    const struct flow_facts facts[] = {{0, UINT64_MAX, false, false, 0}};
    const struct flow_tally tally[] = {finished(TIME_NONE, 12345)};
    const int64_t bound[] = {1000};
    struct run_result r = {0};
    assert_true(flows_summarise(facts, tallies_of(tally), bound, 1, &all, 50, &r));
    assert_int_equal(r.flows_finished, 1);
    assert_int_equal(r.flows_unfinished, 0);
    assert_int_equal(r.flow_bytes, 12345);
    assert_int_equal(r.times[CLASS_ALL].fct_ps.n, 0);
}

/* FCT is divided at the first payload into handshake and data; unfinished flows are counted by class. The window leaves
 * out the first flow; the summaries of all flows stand beside it. */
static void flows_summarise__handshake_data_and_missing(void **state) {
    (void)state;
    const struct flow_facts facts[] = {{0, 10, false, false, 0},
                                       {100, 10, false, false, 0},
                                       {200, 2000000, false, false, 0},
                                       {300, 10, false, false, 0},
                                       {400, 10, false, false, 0}};
    struct flow_tally tally[] = {finished(1000, 10), finished(160, 10), finished(TIME_NONE, 5), finished(TIME_NONE, 5),
                                 finished(TIME_NONE, 0)};
    tally[0].first_data_at = 30, tally[1].first_data_at = 115;
    const struct flow_selection s = {.arrivals = {.from = 100, .until = TIME_NONE, .starts_to_ppb = PPB},
                                     .sizes = {1, {50}}};
    struct run_result r = {0};
    assert_true(flows_summarise(facts, tallies_of(tally), NULL, 5, &s, 350, &r));
    assert_summary(r.times[CLASS_MICE].handshake_ps, 1, 15, 15, 15, 15, 15);
    assert_summary(r.times[CLASS_MICE].data_ps, 1, 45, 45, 45, 45, 45);
    assert_int_equal(r.times[CLASS_ALL].unfinished, 2); /* the last flow starts after the end */
    assert_int_equal(r.times[CLASS_MICE].unfinished, 1);
    assert_int_equal(r.times[CLASS_ELEPHANT].unfinished, 1);
    assert_int_equal(r.times[CLASS_MEDIUM].unfinished, 0);
    assert_int_equal(r.size_times[0].unfinished, 1);
    assert_summary(r.size_times[0].data_ps, 1, 45, 45, 45, 45, 45);
    assert_summary(r.all_times[CLASS_ALL].fct_ps, 2, 530, 60, 1000, 1000, 1000);
    assert_summary(r.all_times[CLASS_ALL].handshake_ps, 2, 23, 15, 30, 30, 30); /* mean 22.5 rounds up */
    assert_int_equal(r.all_size_times[0].fct_ps.n, 2);
}

/* Summarises a selection of ten flows: flow i starts at i ps and takes i + 1 ps. */
static struct summary selected(struct flow_selection s) {
    struct flow_facts facts[10];
    struct flow_tally tally[10];
    for (int i = 0; i < 10; i++) {
        facts[i] = (struct flow_facts){i, 10, false, false, 0};
        tally[i] = finished(i + i + 1, 10);
    }
    struct run_result r = {0};
    assert_true(flows_summarise(facts, tallies_of(tally), NULL, 10, &s, 50, &r));
    assert_int_equal(r.flows_started, 10); /* totals cover all flows */
    return r.times[CLASS_ALL].fct_ps;
}

static void flows_summarise__from_leaves_out_earlier_starts(void **state) {
    (void)state;
    assert_summary(selected((struct flow_selection){.arrivals = {.from = 7, .until = TIME_NONE, .starts_to_ppb = PPB}}),
                   3, 9, 9, 10, 10, 10);
}

/* AM-17: the selection keeps flows that start between 20 % and 80 % of the arrivals, the third to the eighth. */
static void flows_summarise__starts_keeps_the_middle(void **state) {
    (void)state;
    struct flow_selection s = {
        .arrivals = {.starts_from_ppb = 200000000, .until = TIME_NONE, .starts_to_ppb = 800000000}};
    assert_summary(selected(s), 6, 6, 5, 8, 8, 8); /* mean 5.5 rounds up */
}

/* The window of arrivals is [10, 50]: its halves are [10, 30) and [30, 50]. Flows outside the selection are in neither. */
static void flows_summarise_halves__by_the_middle_of_the_window(void **state) {
    (void)state;
    const struct flow_facts facts[] = {{5, 10, false, false, 0},  {10, 10, false, false, 0}, {29, 10, false, false, 0},
                                       {30, 10, false, false, 0}, {50, 10, false, false, 0}, {60, 10, false, false, 0}};
    const struct flow_tally tally[] = {finished(105, 10), finished(12, 10), finished(33, 10),
                                       finished(40, 10),  finished(70, 10), finished(660, 10)};
    const struct flow_selection middle = {.arrivals = {.from = 10, .until = 60, .starts_to_ppb = PPB}};
    const struct open_flows window = {.from = 10, .to = 50};
    struct half_total half[2];
    flows_summarise_halves(facts, tallies_of(tally), NULL, 6, &middle, &window, 1000, half);
    assert_summary(half[0].flows.times[CLASS_ALL].fct_ps, 2, 3, 2, 4, 4, 4);
    assert_summary(half[1].flows.times[CLASS_ALL].fct_ps, 2, 15, 10, 20, 20, 20);
    assert_int_equal(half[1].flows.times[CLASS_ELEPHANT].fct_ps.n, 0);
}

static void flows_summarise__slowdown_under_one_fails_the_run(void **state) {
    (void)state;
    const struct flow_facts facts[] = {{0, 10, false, false, 0}, {50, 10, false, false, 0}};
    const struct flow_tally tally[] = {finished(20, 10), finished(149, 10)};
    const int64_t bound[] = {20, 100};
    const struct flow_selection none = {.arrivals = {.from = 1000, .until = TIME_NONE, .starts_to_ppb = PPB}};
    struct run_result r = {0};
    assert_false(
        flows_summarise(facts, tallies_of(tally), bound, 2, &none, 500, &r)); /* also flows that are not selected */
    assert_non_null(strstr(r.failure, "flow 1 finished in 99 ps, under its lower bound of 100 ps"));
}

/* Four flows: finished with credits, finished without any, unfinished with some, and one that received nothing. */
static void flows_count_transport__who_counts_in_what(void **state) {
    (void)state;
    const struct flow_facts facts[] = {
        {0, 10, false, false, 0}, {0, 10, false, false, 0}, {0, 10, false, false, 0}, {0, 10, false, false, 0}};
    struct flow_tally tally[] = {finished(20, 10), finished(20, 10), finished(TIME_NONE, 5), finished(TIME_NONE, 0)};
    tally[0].credits_sent = 9, tally[0].credits_wasted = 3, tally[0].unfilled_bytes = 727;
    tally[2].credits_sent = 9, tally[2].credits_wasted = 8;
    tally[0].max_reorder_pkts = 1, tally[1].max_reorder_pkts = 4, tally[2].max_reorder_pkts = 3;
    struct flow_counts c = flows_count_transport(facts, tallies_of(tally), 4, &all);
    assert_int_equal(c.reorder_milli.n, 3);
    assert_int_equal(c.reorder_milli.mean, 2667);
    assert_int_equal(c.reorder_milli.p50, 3000);
    assert_int_equal(c.reorder_milli.max, 4000);
    assert_int_equal(c.wasted_milli.n, 1);
    assert_int_equal(c.wasted_milli.mean, 3000);
    assert_int_equal(c.unfilled_milli.mean, 727000);
    const struct flow_selection late = {.arrivals = {.from = 1, .until = TIME_NONE, .starts_to_ppb = PPB}};
    c = flows_count_transport(facts, tallies_of(tally), 4, &late);
    assert_int_equal(c.reorder_milli.n, 0);
    assert_int_equal(c.wasted_milli.n, 0);
    const struct flow_facts endless = {0, UINT64_MAX, false, false, 0};
    c = flows_count_transport(&endless, tallies_of(&tally[1]), 1, &late);
    assert_int_equal(c.reorder_milli.max, 4000);
}

static void run_result_free__all_and_twice(void **state) {
    (void)state;
    struct run_result r = {.counter = malloc(8),
                           .port = malloc(8),
                           .sample = malloc(8),
                           .imbalance = malloc(8),
                           .join = malloc(8),
                           .timeline = malloc(8),
                           .tally = malloc(8),
                           .bound_ps = malloc(8),
                           .n_ports = 1};
    run_result_free(&r);
    assert_null(r.tally);
    assert_int_equal(r.n_ports, 0);
    run_result_free(&r);
}

/* Flows that gates start stand behind the others in the list; flows that never started have no place. */
static void flow_places__are_by_time_of_start(void **state) {
    (void)state;
    const time_ps start[] = {0, 30, 50, 20, TIME_NONE, 40, 30};
    struct flow_tally tally[7] = {0};
    uint32_t arrived;
    for (int i = 0; i < 7; i++) tally[i].started_at = start[i];
    uint32_t *place = flow_places(tallies_of(tally), 7, &arrived);
    const uint32_t wanted[] = {0, 2, 5, 1, 6, 4, 3};
    assert_int_equal(arrived, 6);
    assert_memory_equal(place, wanted, sizeof wanted);
    const struct flow_selection half = {
        .arrivals = {.starts_from_ppb = PPB / 2, .until = TIME_NONE, .starts_to_ppb = PPB},
        .place = place,
        .n_places = arrived};
    for (uint32_t i = 0; i < 7; i++) {
        const struct flow_facts f = {start[i], 10, false, false, 0};
        assert_int_equal(flow_is_selected(&f, &half, i, 7), i == 2 || i == 5 || i == 6);
    }
    free(place);
    assert_null(flow_places(tallies_of(tally), 3, &arrived)); /* already in the order of the list */
    assert_int_equal(arrived, 3);
    place =
        flow_places(tallies_of(tally + 3), 2, &arrived); /* in the order of the list too, but the last never started */
    assert_non_null(place);
    assert_int_equal(arrived, 1);
    free(place);
}

/* A run does not wait for background flows, so they are never unfinished. */
static void background__is_never_unfinished(void **state) {
    (void)state;
    const struct flow_facts facts[] = {{0, 10, true, false, 0}, {0, 10, true, false, 0}, {0, 10, false, false, 0}};
    const struct flow_tally tally[] = {finished(20, 10), finished(TIME_NONE, 5), finished(TIME_NONE, 5)};
    struct run_result r = {0};
    assert_true(flows_summarise(facts, tallies_of(tally), NULL, 3, &all, 100, &r));
    assert_int_equal(r.flows_started, 3);
    assert_int_equal(r.flows_unfinished, 1);
    assert_int_equal(r.times[CLASS_ALL].fct_ps.n, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(summary_of__one_to_a_hundred),
        UNIT(summary_of__the_tail_of_two_thousand),
        UNIT(summary_of__none_one_and_huge),
        UNIT(flows_summarise__classes_and_totals),
        UNIT(flows_summarise__classes_of_ones_own),
        UNIT(flows_summarise__classes_count_the_selected),
        UNIT(flows_summarise__from_the_end_on_is_not_started),
        UNIT(flows_summarise__endless_flow),
        UNIT(flows_summarise__handshake_data_and_missing),
        UNIT(flows_summarise__from_leaves_out_earlier_starts),
        UNIT(flows_summarise__starts_keeps_the_middle),
        UNIT(flows_summarise_halves__by_the_middle_of_the_window),
        UNIT(flows_summarise__slowdown_under_one_fails_the_run),
        UNIT(flows_count_transport__who_counts_in_what),
        UNIT(run_result_free__all_and_twice),
        UNIT(flow_places__are_by_time_of_start),
        UNIT(background__is_never_unfinished),
    };
    return RUN_UNITS(tests);
}
