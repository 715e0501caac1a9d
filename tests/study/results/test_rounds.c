/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds of an incast that overlap. */
#include "study/results/rounds.h"

#include "assembly_test.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS(gap) STAR "workload: {kind: incast, sizes: 10KB, receiver: 0, senders: 3, rounds: 4, gap: " gap "}\n"
#define MS PS_PER_MS

/* Fills the result of a run in which every flow of round k takes took[k]; TIME_NONE: it stays open. */
static struct run_result *run_of(const struct assembly *a, const time_ps took[4], time_ps end) {
    struct run_result *r = calloc(1, sizeof *r);
    r->tally = calloc(a->flows.n, sizeof *r->tally);
    r->n_flows = a->flows.n;
    r->engine.sim_ps = end;
    for (uint32_t i = 0; i < a->flows.n; i++) {
        const struct flow *f = &a->flows.flow[i];
        time_ps span = took[f->index / 3 % 4];
        r->tally[i].finished_at = span == TIME_NONE || f->start == TIME_NONE ? TIME_NONE : f->start + span;
    }
    rounds_compare(a, r);
    return r;
}

static void assert_overlap(const char *text, const time_ps took[4], time_ps end, uint32_t n_over, uint32_t n_open) {
    struct assembly *a = assemble(text);
    struct run_result *r = run_of(a, took, end);
    assert_int_equal(r->rounds.n_over, n_over);
    if (n_over) assert_int_equal(r->rounds.n_open, n_open);
    run_result_free(r);
    free(r);
    assembly_free(a);
}

static void rounds__that_end_in_time(void **state) {
    (void)state;
    const time_ps took[] = {MS / 2, MS / 2, MS, MS / 2};
    assert_overlap(ROUNDS("1ms"), took, 10 * MS, 0, 0); /* a round may begin at the instant when the one before ends */
}

static void rounds__that_meet_an_earlier_one(void **state) {
    (void)state;
    const time_ps one[] = {MS / 2, 3 * MS / 2, MS / 2, MS / 2}, long_ago[] = {5 * MS, MS / 2, MS / 2, MS / 2};
    assert_overlap(ROUNDS("1ms"), one, 10 * MS, 1, 6);
    assert_overlap(ROUNDS("1ms"), long_ago, 10 * MS, 3, 6); /* all of them, with the first */
}

static void rounds__with_flows_that_stay_open(void **state) {
    (void)state;
    const time_ps stuck[] = {MS / 2, TIME_NONE, MS / 2, MS / 2};
    assert_overlap(ROUNDS("1ms"), stuck, 10 * MS, 2, 6);
    assert_overlap(ROUNDS("1ms"), stuck, 3 * MS / 2, 0, 0); /* the run ends before the third round begins */
}

static void rounds__that_wait_for_each_other(void **state) {
    (void)state;
    const time_ps took[] = {9 * MS, 9 * MS, 9 * MS, 9 * MS};
    assert_overlap(STAR "workload: {kind: incast, sizes: 10KB, receiver: 0, senders: 3, rounds: 4, request: 1KB}\n",
                   took, 99 * MS, 0, 0);
    assert_overlap(STAR "workload: {kind: permutation, sizes: 10KB}\n", took, 99 * MS, 0, 0);
}

static void warning__has_the_numbers(void **state) {
    (void)state;
    struct outcome o = {
        .result.rounds = {.entry = 2, .rounds = 100, .n_over = 99, .n_open = 800, .senders = 8},
    };
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    rounds_warn(&o, "x.yaml", 3, out);
    o.result.rounds.n_over = 0;
    rounds_warn(&o, "x.yaml", 4, out);
    fclose(out);
    assert_string_equal(text,
                        "x.yaml: warning: run 3: workload.2: 99 of 100 rounds began while flows of earlier rounds "
                        "were open, up to 800 flows at once of 8 in a round; raise gap, or give request: then each "
                        "round waits for the one before\n");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(rounds__that_end_in_time),          UNIT(rounds__that_meet_an_earlier_one),
        UNIT(rounds__with_flows_that_stay_open), UNIT(rounds__that_wait_for_each_other),
        UNIT(warning__has_the_numbers),
    };
    return RUN_UNITS(tests);
}
