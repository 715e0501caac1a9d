/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked for outside the time of a run, and hosts that failures cut off, before the run. */
#include "study/assemble/outside.h"

#include "study_test.h"

#include <stdio.h>

#define STAR "fabric: {kind: star, hosts: 4}\n"
#define FLOWS "workload: {kind: permutation, sizes: 10KB}\n"
#define TWO_SPINES "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, failed: [%s]}\n" FLOWS
#define ONE_SPINE "fabric: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 2, failed: [%s]}\n" FLOWS

/* Returns the warnings, a line each. */
static const char *outside(const char *text) {
    static char said[4096];
    char line[1024];
    struct diag d = {0}, warning[8];
    struct experiment *e = read_text(text);
    const struct config *c = &e->run[0].config;
    struct assembly *a = assembly_create(c, e->base_dir, &d);
    if (!a) fail_msg("%s", d.text);
    size_t n = outside_warnings(a, c, warning, 8), used = 0;
    said[0] = '\0';
    for (size_t i = 0; i < n; i++)
        used += (size_t)snprintf(said + used, sizeof said - used, "%s\n", diag_warning(&warning[i], line, sizeof line));
    assembly_free(a);
    experiment_free(e);
    return said;
}

static const char *with(const char *format, const char *part, const char *more) {
    static char text[2048];
    size_t n = (size_t)snprintf(text, sizeof text, format, part);
    snprintf(text + n, sizeof text - n, "%s", more);
    return text;
}

static void outside__nothing_to_say(void **state) {
    (void)state;
    assert_string_equal(outside(STAR FLOWS), "");
    assert_string_equal(outside(STAR FLOWS "run: {until: 1ms}\nmeasure: {from: 10us, queues: 1ms, jain: 1ms}\n"), "");
    assert_string_equal(
        outside(with(TWO_SPINES, "{link: leaf0-spine0, at: 1us, repair_at: 2us}", "run: {until: 1ms}\n")), "");
}

static void outside__flows_that_start_with_the_end_or_later(void **state) {
    (void)state;
    assert_string_equal(
        outside(STAR "workload:\n  - {kind: permutation, sizes: 10KB}\n  - {kind: permutation, sizes: 10KB, "
                     "start: 1ms}\nrun: {until: 1ms}\n"),
        "x.yaml:5:14: warning: run.until: 4 of 8 flows start at 1ms or later, when the run has ended at 1ms: "
        "they are not in it; end later, or start them earlier\n");
}

/* Only what is outside counts; the first of it is named. */
static void outside__failures_and_repairs(void **state) {
    (void)state;
    const char *late = "{link: leaf0-spine0, at: 1us, repair_at: 2ms}, {link: leaf1-spine1, at: 3ms}";
    assert_string_equal(
        outside(with(TWO_SPINES, late, "run: {until: 1ms}\n")),
        "x.yaml:1:110: warning: fabric.failed.0.repair_at: 2 of 3 failures and repairs come at 2ms or later, "
        "when the run has ended at 1ms; end later (run.until), or let them come earlier\n");
}

static void outside__measurements(void **state) {
    (void)state;
    assert_string_equal(outside(STAR FLOWS "run: {until: 1ms}\nmeasure: {from: 1ms, links: 2ms, jain: [10us, 3ms]}\n"),
                        "x.yaml:4:17: warning: measure.from: nothing is measured from 1ms on, since the run has ended "
                        "at 1ms; measure earlier, "
                        "or end later (run.until)\n"
                        "x.yaml:4:29: warning: measure.links: 0 samples, since 2ms is longer than the run, which ends "
                        "at 1ms; take a shorter "
                        "one\n"
                        "x.yaml:4:47: warning: measure.jain.1: 0 intervals, since 3ms is longer than the run, which "
                        "ends at 1ms; take a "
                        "shorter one\n");
    assert_non_null(strstr(outside(STAR FLOWS "run: {until: 1ms}\nmeasure: {phases: {a: [0us, 1ms], b: [1ms, 2ms]}}\n"),
                           "measure.phases: the phase b begins at 1ms, when the run has ended at 1ms; let it begin "
                           "earlier, or end later (run.until)\n"));
    assert_string_equal(
        outside(STAR FLOWS "measure: {starts: [90%, 100%]}\n"),
        "x.yaml:3:20: warning: measure.starts: none of the 4 flows that start in the run is in that part of "
        "the arrivals; take another part\n");
}

static void outside__hosts_that_are_cut_off(void **state) {
    (void)state;
    assert_string_equal(
        outside(with(ONE_SPINE, "{link: leaf0-spine0, at: 1us, repair_at: 2ms}", "")),
        "x.yaml:1:76: warning: fabric.failed: host0.0 to host0.1 have no path to other racks from 1us to 2ms; "
        "flows between them wait till then\n");
    /* after the end it does not matter */
    assert_string_equal(
        outside(with(ONE_SPINE, "{link: leaf0-spine0, at: 5ms}", "run: {until: 1ms}\n")),
        "x.yaml:1:94: warning: fabric.failed.0.at: 1 of 1 failures and repairs come at 5ms or later, when the "
        "run has ended at 1ms; end later (run.until), or let them come earlier\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(outside__nothing_to_say),         UNIT(outside__flows_that_start_with_the_end_or_later),
        UNIT(outside__failures_and_repairs),   UNIT(outside__measurements),
        UNIT(outside__hosts_that_are_cut_off),
    };
    return RUN_UNITS(tests);
}
