/* SPDX-License-Identifier: Apache-2.0 */
/* heddle run: warnings about a run, and runs that fail, crash, are interrupted or killed, or find the disk full. */
#include "fresh.h"
#include "json_of.h"

#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A run that would take minutes. */
#define LONG "fabric: {kind: star, hosts: 8}\nworkload: [{kind: long}]\nrun: {until: 900s}\n"

/* ---- warnings ---- */

/* The hosts of seven switches in a ring each send to a host three switches away. Under flow control every switch waits
 * for the next one, a deadlock. */
static void run__warns_of_storms_and_rings(void **state) {
    (void)state;
    char net[2048] = "nodes: [", flows[1024] = "";
    for (int i = 0; i < 7; i++) {
        sprintf(net + strlen(net), "{name: s%d}, {name: h%d}, ", i, i);
        sprintf(flows + strlen(flows), "  - {kind: long, src: h%d, dst: h%d}\n", i, (i + 3) % 7);
    }
    strcat(net, "]\nlinks:\n");
    for (int i = 0; i < 7; i++)
        sprintf(net + strlen(net), "  - {a: s%d, b: h%d}\n  - {a: s%d, b: s%d}\n", i, i, i, (i + 1) % 7);
    file_write("net.yaml", net);
    char text[4096];
    snprintf(text, sizeof text,
             "scheme: detail-printed\nfabric: {kind: file, path: net.yaml, rate: 1Gbps, delay: 2us}\n"
             "switch: {pause_storm: 20ms, balance: ecmp}\nhost: {newreno: {receive_window: 1MB}}\n"
             "workload:\n%srun: {until: 60ms}\nmeasure: {pauses: 10ms}\n",
             flows);
    file_write("x.yaml", text);
    const struct ended *e = heddle("run x.yaml --json");
    assert_int_equal(e->code, 0);
    assert_non_null(
        strstr(e->err, "x.yaml: warning: run 1: 14 pause storms; the longest: s0>s1, class 0, stood paused for "));
    assert_non_null(
        strstr(e->err, "x.yaml: warning: run 1: cyclic buffer dependency: s0>s1 waits for s1>s2 waits for "));
    assert_non_null(strstr(e->err, "waits for s6>s0 waits for s0>s1; all paused from "));
    json_t *o = json_of(e->out, 0), *pauses = json_object_get(o, "pauses");
    const json_t *ring = json_array_get(json_object_get(pauses, "cycles"), 0);
    assert_int_equal(json_integer_value(json_object_get(pauses, "n_cycles")), 1);
    assert_int_equal(json_array_size(json_object_get(ring, "ports")), 7);
    assert_string_equal(json_string_value(json_object_get(pauses, "longest_port")), "s0>s1");
    json_decref(o);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM pause_rings"), 7);
    assert_int_equal(store_number("x.db", "SELECT sum(storms) FROM pauses"), 14);
    assert_int_equal(
        store_number("x.db", "SELECT count(*) FROM samples WHERE kind='pause' AND value=1 AND at_ps=50000000000"), 14);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM ports WHERE blocked_ps > 40000000000"), 7);
    unlink("net.yaml");
}

/* Seven hosts send their unscheduled bytes to one host at once. With 30 KB each, the port holds more data than the
 * bound of credits. */
static void run__warns_of_queues_over_their_bound(void **state) {
    (void)state;
    for (int over = 0; over < 2; over++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "scheme: expresspass\nfabric: {kind: star, hosts: 8, rate: 10Gbps, delay: 2us}\n"
                 "host: {expresspass: {unscheduled: %s}}\nswitch: {buffer: 1MB, unscheduled_limit: 1MB}\n"
                 "workload: [{kind: incast, receiver: 0, sizes: 30KB}]\n",
                 over ? "30KB" : "0B");
        file_write("x.yaml", text);
        unlink("x.db");
        const struct ended *e = heddle("run x.yaml --json");
        json_t *o = json_of(e->out, 0), *credits = json_object_get(o, "credits");
        assert_int_equal(e->code, 0);
        assert_int_equal(json_integer_value(json_object_get(credits, "queues_over_bound")), over);
        assert_true((json_real_value(json_object_get(credits, "bound_used")) > 1) == over);
        const char *warning =
            strstr(e->err, "x.yaml: warning: run 1: 1 queue held more data than credits bound them by, "
                           "leaf0>host0.0 ");
        assert_true((warning != NULL) == over);
        json_decref(o);
    }
}

/* ---- failures ---- */

/* Host 1 loses its link for good while flows are open. That run fails with the reason; the others are done. */
static void run__a_failed_run_stops_no_other(void **state) {
    (void)state;
    file_write("x.yaml",
               SMALL "sweep: {fabric.failed: [[], [{link: host0.1-leaf0, at: 10us}], [{link: leaf0-spine0}]]}\n");
    const struct ended *e = heddle("run x.yaml --json");
    assert_int_equal(e->code, 3);
    assert_non_null(strstr(e->err, "x.yaml: error: run 2 failed: "));
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM runs WHERE status='done'"), 2);
    assert_int_equal(store_number("x.db", "SELECT number FROM runs WHERE status='failed'"), 2);
    json_t *o = json_of(e->out, 1);
    assert_true(json_is_string(json_object_get(o, "failure")));
    json_decref(o);
    assert_int_equal(heddle("run x.yaml --json")->code, 3);
}

/* Returns the child process that does the run of `parent`; 0 if there is none. */
static pid_t child_of(pid_t parent) {
    char path[64];
    int pid = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%d", &pid) != 1) pid = 0;
    if (f) fclose(f);
    return pid;
}

static void run__a_crashed_run_is_a_failed_run(void **state) {
    (void)state;
    file_write("x.yaml", LONG);
    pid_t pid = heddle_start("run x.yaml");
    store_await("x.db", "SELECT count(*) FROM runs WHERE status='running' AND started IS NOT NULL", 1);
    pid_t child = 0;
    for (int i = 0; i < 1000 && child == 0; i++) {
        child = child_of(pid);
        usleep(10000);
    }
    assert_true(child > 0);
    kill(child, SIGKILL);
    assert_int_equal(heddle_wait(pid), 3);
    assert_int_equal(
        store_number("x.db", "SELECT count(*) FROM runs WHERE status='failed' AND failure LIKE '%signal 9%'"), 1);
}

static void run__an_interrupt_abandons_and_the_same_command_goes_on(void **state) {
    (void)state;
    file_write("x.yaml", SMALL "sweep: {run.seed: [1, 2]}\n");
    assert_int_equal(heddle("run x.yaml --set run.seed=1 --quiet")->code, 0);
    file_write("x.yaml", LONG "sweep: {run.until: [1us, 900s]}\n");
    pid_t pid = heddle_start("run x.yaml");
    store_await("x.db", "SELECT count(*) FROM runs WHERE status='running' AND started IS NOT NULL", 1);
    usleep(200000);
    kill(pid, SIGINT);
    assert_int_equal(heddle_wait(pid), 3);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM runs WHERE status='done' AND number=1"), 1);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM runs WHERE failure='interrupted'"), 1);
    assert_int_equal(heddle("run x.yaml --set sweep.run.until=1us --quiet")->code, 0);
}

static void run__killed_at_any_instant_finished_runs_stay(void **state) {
    (void)state;
    file_write("x.yaml", LONG "sweep: {run.until: [1us, 2us, 900s, 3us]}\n");
    pid_t pid = heddle_start("run x.yaml");
    store_await("x.db", "SELECT count(*) FROM runs WHERE number=3 AND status='running' AND started IS NOT NULL", 1);
    kill(pid, SIGKILL);
    heddle_wait(pid);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM runs WHERE status='done'"), 2);
    const struct ended *e = heddle("run x.yaml --json --set 'run.until=[1us, 2us, 4us]'");
    assert_int_equal(e->code, 0);
    assert_int_equal(lines_in(e->out), 3);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM runs WHERE status='done'"), 3);
}

/* If the store cannot grow, the runs that finished before stay in it and the rest are reported as not done. */
static void run__a_full_disk_keeps_finished_runs(void **state) {
    (void)state;
    file_write(
        "x.yaml", SMALL
        "sweep: {run.seed: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]}\n");
    const struct ended *e = heddle_limited("run x.yaml --json", 240000);
    assert_int_equal(e->code, 3);
    assert_non_null(strstr(e->err, "results store: "));
    long long done = store_number("x.db", "SELECT count(*) FROM runs WHERE status='done'");
    assert_true(done >= 1 && done < 24);
    char told[64]; /* includes the run whose transaction was rolled back */
    snprintf(told, sizeof told, "x.yaml: %lld of 24 runs are not done;", 24 - done);
    if (!strstr(e->err, told)) fail_msg("no '%s' in: %s", told, e->err);
    assert_int_equal(lines_in(e->out), done);
    assert_int_equal(heddle("run x.yaml --json")->code, 0);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM runs WHERE status='done'"), 24);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        CASE(run__warns_of_storms_and_rings),
        CASE(run__warns_of_queues_over_their_bound),
        CASE(run__a_failed_run_stops_no_other),
        CASE(run__a_crashed_run_is_a_failed_run),
        CASE(run__an_interrupt_abandons_and_the_same_command_goes_on),
        CASE(run__killed_at_any_instant_finished_runs_stay),
        CASE(run__a_full_disk_keeps_finished_runs),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
