/* SPDX-License-Identifier: Apache-2.0 */
/* heddle check --ranks-per-run: the parts of the ranks, the cut, windows, and what is expected to cross. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "unit.h"

#define TREE                                                                                                           \
    "title: parts\nfabric: {kind: fat-tree, k: 4}\n"                                                                   \
    "workload: {kind: stride, offset: 8, sizes: 14600B}\n" /* ten frames; all flows cross the core */

static void assert_says(const struct ended *e, const char *line) {
    if (e->code || !strstr(e->out, line)) fail_msg("no '%s' in: %s%s", line, e->out, e->err);
}

/* A fat-tree of 4 pods, of 4 hosts, 4 switches and 24 ports each; 4 cores of 4 ports. */
static void check__parts_and_cut(void **state) {
    (void)state;
    file_write("x.yaml", TREE);
    const struct ended *e = heddle("check x.yaml --ranks-per-run 2");
    assert_says(e, "# ranks 0 to 1, each: 18 nodes, 8 hosts, 10 switches, 48 ports\n");
    assert_says(e, "# cut: 8 of 48 links between ranks, 16.7 %; windows of 2067.2ns\n");
    assert_says(e, "a run, on each rank\n");
    e = heddle("check x.yaml --ranks-per-run 3");
    assert_says(e, "# rank 0: "); /* four pods do not divide by three */
    assert_says(e, "# rank 1: ");
    e = heddle("check x.yaml");
    assert_null(strstr(e->out, "rank"));
    unlink("x.yaml");
}

static double number(json_t *o, const char *object, const char *key) {
    json_t *at = object ? json_object_get(o, object) : o, *value = json_object_get(at, key);
    if (!json_is_number(value)) fail_msg("no %s.%s", object ? object : "", key);
    return json_number_value(value);
}

/* Output rounds. */
static void assert_near(double value, double expected) {
    if (value < 0.999 * expected || value > 1.001 * expected) fail_msg("%g, not %g", value, expected);
}

/* Every flow has a link to the other half on each of its paths: 16 x (10 data frames and as many answers, SYN and its
 * answer, two FINs and two answers), from each rank to the other as many. */
static void check__what_crosses(void **state) {
    (void)state;
    file_write("x.yaml", TREE);
    json_t *o = json_loads(heddle("check x.yaml --ranks-per-run 2 --json")->out, 0, NULL);
    json_t *r = json_object_get(json_object_get(o, "run"), "ranks");
    assert_int_equal(number(r, NULL, "ranks"), 2);
    assert_int_equal(number(r, NULL, "threads"), 1);
    assert_int_equal(number(r, "cut", "links"), 8);
    assert_int_equal(number(r, "cut", "of"), 48);
    assert_true(number(r, NULL, "window_us") == 2.0672);
    json_t *part = json_array_get(json_object_get(r, "part"), 1);
    assert_int_equal(number(part, NULL, "nodes"), 18);
    assert_int_equal(number(part, NULL, "hosts"), 8);
    assert_int_equal(number(part, NULL, "switches"), 10);
    assert_int_equal(number(part, NULL, "ports"), 48);
    double hops = number(json_object_get(o, "run"), NULL, "packet_hops"), frames = number(r, "expected", "frames");
    assert_near(frames, hops / 6); /* one link of six */
    double windows = number(r, "expected", "windows");
    assert_true(windows > 10 && number(r, "expected", "messages") == 2 * windows);
    assert_near(number(r, "expected", "bytes"), 64 * frames + 64 * 2 * windows);
    assert_near(number(r, "expected_per_window", "frames"), frames / windows);
    json_decref(o);
    unlink("x.yaml");
}

/* No more messages than frames: four hosts send one frame each, whose answers are as many. */
static void check__fewer_frames_than_windows(void **state) {
    (void)state;
    file_write("x.yaml", "title: few\nfabric: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 2}\n"
                         "workload: {kind: stride, offset: 2, sizes: 100B}\n");
    json_t *o = json_loads(heddle("check x.yaml --ranks-per-run 2 --set fabric.delay=10us --json")->out, 0, NULL);
    json_t *r = json_object_get(json_object_get(o, "run"), "ranks");
    assert_true(number(r, "expected", "messages") <= number(r, "expected", "frames"));
    assert_true(number(r, "expected", "messages") <= 2 * number(r, "expected", "windows"));
    json_decref(o);
    unlink("x.yaml");
}

/* By the frames of a window, as for one process (tests/sim/foresee/test_foresee.c). */
static void check__threads_that_pay(void **state) {
    (void)state;
    file_write("x.yaml", "title: large\nfabric: {kind: fat-tree, k: 16}\n"
                         "workload: {kind: stride, offset: 512, sizes: 1000B}\n");
    assert_says(heddle("check x.yaml"), "# threads: at most 8 help\n");
    assert_says(heddle("check x.yaml --threads 2"), "# threads: at most 8 help\n");
    assert_says(heddle("check x.yaml --threads 9"), "# threads: at most 8 help; --threads 9 takes 8\n");
    assert_says(heddle("check x.yaml --ranks-per-run 2 --threads 4"),
                "# threads: on each of 2 ranks a second does not help; --threads 4 takes 1\n");
    assert_says(heddle("check x.yaml --ranks-per-run 2 --threads 4 --set fabric.core_delay=20us"),
                "# threads: on each of 2 ranks at most 8 help\n");
    json_t *o = json_loads(heddle("check x.yaml --ranks-per-run 2 --threads 4 --json")->out, 0, NULL);
    assert_int_equal(number(json_object_get(json_object_get(o, "run"), "ranks"), NULL, "threads"), 1);
    json_decref(o);
    unlink("x.yaml");
}

static void check__refusals(void **state) {
    (void)state;
    file_write("x.yaml", TREE);
    heddle_refuses("check x.yaml --ranks-per-run 9",
                   "x.yaml: error: --ranks-per-run 9: the fabric has fewer pods, or racks, than the run shall have "
                   "ranks; take fewer",
                   "x.db");
    unlink("x.yaml");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        UNIT(check__parts_and_cut),    UNIT(check__what_crosses), UNIT(check__fewer_frames_than_windows),
        UNIT(check__threads_that_pay), UNIT(check__refusals),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
