/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/convergence.h"

#include "unit.h"

#include <stdlib.h>

#define BAND (PPB / 10)

/* ---- the band ---- */

/* 10 % of a mean of 100: 90 and 110 are within, 89 is not. */
static void convergence_is_fair__at_the_edge(void **state) {
    (void)state;
    const int64_t edge[] = {90, 110}, beyond[] = {89, 111}, three[] = {90, 100, 110}, nothing[] = {0, 0};
    assert_true(convergence_is_fair(edge, 2, BAND));
    assert_false(convergence_is_fair(beyond, 2, BAND));
    assert_true(convergence_is_fair(three, 3, BAND));
    assert_false(convergence_is_fair(nothing, 2, BAND));
}

/* ---- episodes, intervals of 10 ---- */

#define FLOWS 3

struct world {
    struct flow flow[FLOWS];
    struct flow_tally tally[FLOWS];
    struct flow_meter m;
    struct convergence c;
    struct run_result r;
};

static void world_init(struct world *w, const time_ps *start) {
    *w = (struct world){.c.band_ppb = BAND};
    for (int i = 0; i < FLOWS; i++) {
        w->flow[i] = (struct flow){.start = start[i], .bytes = UINT64_MAX, .stop = TIME_NONE};
        w->tally[i].finished_at = TIME_NONE;
    }
    flow_meter_init(&w->m, w->flow, tallies_of(w->tally), FLOWS);
}

/* Runs one interval in which the flows receive a, b, c. */
static void interval(struct world *w, int64_t a, int64_t b, int64_t c) {
    w->tally[0].received_bytes += a;
    w->tally[1].received_bytes += b;
    w->tally[2].received_bytes += c;
    flow_meter_step(&w->m, w->m.to + 10);
    convergence_step(&w->c, &w->m);
}

static void finish(struct world *w) {
    convergence_finish(&w->c, &w->r);
    flow_meter_fini(&w->m);
}

/* Flow 1 joins at 10. The rates are fair in the interval that ends at 30, unfair at 40, and fair for good from 50
 * on. */
static void convergence_step__first_and_for_good(void **state) {
    (void)state;
    struct world w;
    world_init(&w, (time_ps[]){0, 10, 1000});
    interval(&w, 100, 0, 0);
    interval(&w, 80, 20, 0);
    interval(&w, 55, 45, 0);
    interval(&w, 40, 60, 0);
    interval(&w, 50, 50, 0);
    interval(&w, 46, 54, 0);
    finish(&w);
    assert_int_equal(w.r.n_joins, 1);
    assert_int_equal(w.r.join[0].at, 10);
    assert_int_equal(w.r.join[0].flows, 2);
    assert_int_equal(w.r.join[0].intervals, 5);
    assert_int_equal(w.r.join[0].first_ps, 20);
    assert_int_equal(w.r.join[0].settled_ps, 40);
    assert_int_equal(w.r.converged_ps.mean, 40);
    assert_int_equal(w.r.converged_first_ps.max, 20);
    run_result_free(&w.r);
}

/* Fair at 20, 30 and 50 to 80: three in a row end at 70, and the fourth changes nothing. */
static void convergence_step__three_in_a_row(void **state) {
    (void)state;
    struct world w;
    world_init(&w, (time_ps[]){0, 10, 1000});
    interval(&w, 100, 0, 0);
    for (int i = 0; i < 7; i++) interval(&w, i == 2 ? 20 : 50, 50, 0);
    finish(&w);
    assert_int_equal(w.r.join[0].first_ps, 10);
    assert_int_equal(w.r.join[0].third_ps, 60);
    assert_int_equal(w.r.converged_third_ps.p50, 60);
    assert_int_equal(w.r.join[0].settled_ps, 40);
    run_result_free(&w.r);
}

/* Each join begins an episode of its own and ends the one before. An interval during which a flow joins is left out. */
static void convergence_step__a_join_ends_the_episode_before(void **state) {
    (void)state;
    struct world w;
    world_init(&w, (time_ps[]){0, 10, 35});
    interval(&w, 100, 0, 0);
    interval(&w, 50, 50, 0);
    interval(&w, 50, 50, 0);
    interval(&w, 90, 5, 5); /* the third flow joins: left out */
    interval(&w, 60, 20, 20);
    interval(&w, 33, 33, 33);
    finish(&w);
    assert_int_equal(w.r.n_joins, 2);
    assert_int_equal(w.r.join[0].settled_ps, 10);
    assert_int_equal(w.r.join[1].at, 35);
    assert_int_equal(w.r.join[1].settled_ps, 25);
    assert_int_equal(w.r.join[1].flows, 3);
    assert_int_equal(w.r.converged_ps.n, 2);
    assert_int_equal(w.r.converged_ps.max, 25);
    run_result_free(&w.r);
}

/* When a flow leaves, its episode ends: unfair intervals after that do not count. */
static void convergence_step__a_leave_ends_the_episode(void **state) {
    (void)state;
    struct world w;
    world_init(&w, (time_ps[]){0, 0, 10});
    interval(&w, 50, 50, 0);
    interval(&w, 33, 33, 33);
    w.tally[2].finished_at = 24;
    interval(&w, 40, 40, 5);
    interval(&w, 90, 10, 0);
    interval(&w, 90, 10, 0);
    finish(&w);
    assert_int_equal(w.r.n_joins, 2);
    assert_int_equal(w.r.join[0].at, 0);
    assert_int_equal(w.r.join[1].settled_ps, 10);
    assert_int_equal(w.r.join[1].intervals, 1);
    run_result_free(&w.r);
}

/* An episode that never converges makes mean and maximum "never"; the median is that of the episodes that converged. */
static void convergence_finish__never(void **state) {
    (void)state;
    struct world w;
    world_init(&w, (time_ps[]){0, 0, 20});
    interval(&w, 50, 50, 0);
    interval(&w, 50, 50, 0);
    interval(&w, 50, 50, 0);
    interval(&w, 50, 50, 0);
    finish(&w);
    assert_int_equal(w.r.converged_ps.n, 2);
    assert_int_equal(w.r.converged_ps.p50, 10);
    assert_true(w.r.converged_ps.max == TIME_NONE && w.r.converged_ps.mean == TIME_NONE);
    assert_true(w.r.join[0].third_ps == TIME_NONE && w.r.converged_third_ps.p50 == TIME_NONE);
    assert_true(w.r.join[1].first_ps == TIME_NONE && w.r.join[1].settled_ps == TIME_NONE);
    run_result_free(&w.r);
}

/* A single flow has no other to share with, and a flow that stops within its first interval cannot be judged. */
static void convergence_step__says_nothing(void **state) {
    (void)state;
    struct world w;
    world_init(&w, (time_ps[]){0, 12, 1000});
    w.flow[1].stop = 18;
    interval(&w, 100, 0, 0);
    interval(&w, 50, 50, 0);
    interval(&w, 100, 0, 0);
    finish(&w);
    assert_int_equal(w.r.n_joins, 0);
    assert_int_equal(w.r.converged_ps.n, 0);
    run_result_free(&w.r);
}

static void convergence_step__joins_before_from_are_left_out(void **state) {
    (void)state;
    struct world w;
    world_init(&w, (time_ps[]){0, 0, 30});
    w.c.from = 20;
    for (int i = 0; i < 3; i++) interval(&w, 50, 50, 0);
    interval(&w, 10, 10, 10);
    finish(&w);
    assert_int_equal(w.r.n_joins, 1);
    assert_int_equal(w.r.join[0].at, 30);
    run_result_free(&w.r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(convergence_is_fair__at_the_edge),
        UNIT(convergence_step__first_and_for_good),
        UNIT(convergence_step__three_in_a_row),
        UNIT(convergence_step__a_join_ends_the_episode_before),
        UNIT(convergence_step__a_leave_ends_the_episode),
        UNIT(convergence_finish__never),
        UNIT(convergence_step__says_nothing),
        UNIT(convergence_step__joins_before_from_are_left_out),
    };
    return RUN_UNITS(tests);
}
