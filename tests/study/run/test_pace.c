/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/pace.h"

#include "unit.h"

/* Two places: runs of 10 s and of 100 s, as foreseen. */
static struct paces two_places(void) {
    struct paces p;
    paces_init(&p, 2);
    p.place[0].foreseen_s = 10;
    p.place[1].foreseen_s = 100;
    return p;
}

static void is(double a, double b) { assert_true(a > b - 1e-9 && a < b + 1e-9); }

static void pace__is_what_was_foreseen_at_first(void **state) {
    (void)state;
    struct paces p = two_places();
    is(pace_expects(&p, 0), 10);
    is(pace_expects(&p, 1), 100);
    paces_free(&p);
}

/* The machine is three times as slow as foreseen, and every run takes a second besides. */
static void pace__follows_the_runs_of_this_command(void **state) {
    (void)state;
    struct paces p = two_places();
    pace_finished(&p, 0, 30, 31);
    is(pace_expects(&p, 0), 31);
    is(pace_expects(&p, 1), 301);
    pace_finished(&p, 0, 40, 43); /* means: 35 s of 10 foreseen, 2 s besides */
    is(pace_expects(&p, 0), 37);
    is(pace_expects(&p, 1), 352);
    paces_free(&p);
}

/* What a place has shown outranks the other places; the time besides simulating is common to all. */
static void pace__of_the_same_place_counts_first(void **state) {
    (void)state;
    struct paces p = two_places();
    pace_finished(&p, 0, 30, 31);
    pace_finished(&p, 1, 50, 51);
    is(pace_expects(&p, 0), 31);
    is(pace_expects(&p, 1), 51);
    paces_free(&p);
}

/* Stored runs count until this command has runs of its own. */
static void pace__of_the_store_is_a_beginning(void **state) {
    (void)state;
    struct paces p = two_places();
    pace_stored(&p, 0, 5);
    is(pace_expects(&p, 0), 5);
    is(pace_expects(&p, 1), 50);
    pace_finished(&p, 0, 20, 20); /* of its place 5 and 20 s, of this command 20 s of 10 foreseen */
    is(pace_expects(&p, 0), 12.5);
    is(pace_expects(&p, 1), 200);
    paces_free(&p);
}

/* Nothing is foreseen for a run without flows. */
static void pace__of_nothing_foreseen(void **state) {
    (void)state;
    struct paces p = two_places();
    p.place[0].foreseen_s = 0;
    pace_finished(&p, 0, 0.01, 0.02);
    is(pace_expects(&p, 0), 0.02);
    is(pace_expects(&p, 1), 100.01);
    paces_free(&p);
}

static void pace__is_at_least_what_a_run_was_given(void **state) {
    (void)state;
    struct paces p = two_places();
    pace_ended(&p, 0, 60);
    pace_ended(&p, 0, 40);
    is(pace_expects(&p, 0), 60);
    is(pace_expects(&p, 1), 100);
    pace_finished(&p, 0, 70, 70);
    is(pace_expects(&p, 0), 70);
    paces_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(pace__is_what_was_foreseen_at_first),
        UNIT(pace__follows_the_runs_of_this_command),
        UNIT(pace__of_the_same_place_counts_first),
        UNIT(pace__of_the_store_is_a_beginning),
        UNIT(pace__of_nothing_foreseen),
        UNIT(pace__is_at_least_what_a_run_was_given),
    };
    return RUN_UNITS(tests);
}
