/* SPDX-License-Identifier: Apache-2.0 */
/* The program from outside: exit codes, what is printed where, resuming, kills. argv[1] is the program. */
#include "bad_stores.h"
#include "program.h"
#include "unit.h"

#include <jansson.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SMALL                                                                                                          \
    "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\nworkload: [{kind: permutation, sizes: 200KB}]\n"
#define SWEPT SMALL "sweep: {switch.balance: [ecmp, expeditus], run.seed: [1, 2]}\n"
/* A run that would take minutes. */
#define LONG "fabric: {kind: star, hosts: 8}\nworkload: [{kind: long}]\nrun: {until: 900s}\n"

static json_t *json_of(const char *out, int line) {
    json_t *o = json_loads(line_of(out, line), 0, NULL);
    if (!o) fail_msg("no JSON: %s", line_of(out, line));
    return o;
}

static int setup(void **state) {
    (void)state;
    unlink("x.db");
    unlink("x.yaml");
    return 0;
}

static void refused(const char *line, const char *expected) { heddle_refuses(line, expected, "x.db"); }

/* ---- usage ---- */

/* Nothing is written for what is no store, and a store is never overwritten by its page. */
static void report__refuses_with_one_line(void **state) {
    (void)state;
    file_write("x.yaml", SMALL);
    heddle_refuses("report", "heddle: error: RESULTS.db is missing; write heddle report RESULTS.db", "x.html");
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    heddle_refuses("report x.db -o ./x.db",
                   "./x.db: error: this is x.db, which is read; name another file for a page of heddle report",
                   "x.html");
    heddle_refuses("report x.db --force -o x.db",
                   "x.db: error: this is x.db, which is read; name another file for a page of heddle report", "x.html");
    assert_true(store_number("x.db", "SELECT count(*) FROM runs") > 0);
    assert_int_equal(heddle("report x.db")->code, 0);
    assert_int_equal(access("x.html", R_OK), 0);
}

/* A page is replaced by the next one; what is no page only if that is asked for. */
static void report__replaces_pages_only(void **state) {
    (void)state;
    file_write("x.yaml", SMALL);
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    assert_int_equal(heddle("report x.db")->code, 0);
    assert_int_equal(heddle("report x.db")->code, 0);
    file_write("x.html", "<!doctype html>of the user");
    heddle_refuses("report x.db",
                   "x.html: error: this file is there already and is not a page of heddle report; name another with "
                   "-o, or replace it with --force",
                   "none");
    assert_int_equal(heddle("run x.yaml --quiet -o other.db")->code, 0);
    heddle_refuses("report x.db -o other.db",
                   "other.db: error: this file is there already and is not a page of heddle report; name another with "
                   "-o, or replace it with --force",
                   "none");
    assert_true(store_number("other.db", "SELECT count(*) FROM runs") > 0);
    assert_int_equal(heddle("report x.db --force")->code, 0);
    unlink("x.html");
    unlink("other.db");
    unlink("x.html");
}

static void run__configuration_errors_write_nothing(void **state) {
    (void)state;
    file_write("x.yaml", SMALL "hots: {}\n");
    refused("run x.yaml", "x.yaml:3:1: error: unknown key 'hots'; did you mean 'host'?");
    file_write("x.yaml", SMALL);
    refused("run x.yaml --set switch.buffer=10",
            "--set switch.buffer:1:1: error: switch.buffer: '10' has no unit; write B, KB, MB, GB, TB "
            "(thousands) or KiB, MiB, GiB (1024), such as 250KB");
    refused("run x.yaml --profile tiny", "x.yaml:1:1: error: there is no profile 'tiny'; the file has none");
    /* Only the third run of the sweep is impossible. */
    file_write("x.yaml", SMALL "sweep: {workload.0.kind: [permutation, stride, incast], workload.0.receiver: ['7']}\n");
    refused("run x.yaml",
            "x.yaml:3:79: error: workload.0.receiver: there is no host '7'; they are host0.0 to host1.1, or 0 to 3");
}

static void run__an_unwritable_store_is_an_error_before_anything_runs(void **state) {
    (void)state;
    file_write("x.yaml", SMALL);
    refused("run x.yaml -o no/such/folder/x.db",
            "no/such/folder/x.db: error: results store: unable to open database file; check the "
            "folder and its permissions, or name another with -o");
    refused(
        "run x.yaml -o x.yaml",
        "x.yaml: error: results store: file is not a database; this is no heddle results store: name another with -o");
}

/* ---- runs ---- */

static void run__json_lines_come_in_run_order(void **state) {
    (void)state;
    file_write("x.yaml", SWEPT);
    const struct ended *e = heddle("run x.yaml --json --jobs 2");
    assert_int_equal(e->code, 0);
    assert_int_equal(lines_in(e->out), 4);
    for (int i = 0; i < 4; i++) {
        json_t *o = json_of(e->out, i);
        assert_int_equal(json_integer_value(json_object_get(o, "run")), i + 1);
        const json_t *settings = json_object_get(o, "settings");
        assert_string_equal(json_string_value(json_object_get(settings, "switch.balance")),
                            i < 2 ? "ecmp" : "expeditus");
        assert_int_equal(json_integer_value(json_object_get(settings, "run.seed")), 1 + i % 2);
        assert_int_equal(json_integer_value(json_object_get(json_object_get(o, "flows"), "finished")), 4);
        json_decref(o);
    }
    assert_string_equal(e->err, "");
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM runs WHERE status='done'"), 4);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM flows"), 16);
}

static void run__done_runs_are_not_run_again(void **state) {
    (void)state;
    file_write("x.yaml", SWEPT);
    char *first = strdup(heddle("run x.yaml --json")->out);
    assert_string_equal(heddle("run x.yaml --json")->out, first); /* wall times included */
    file_write("x.yaml", SMALL "sweep: {switch.balance: [expeditus, ecmp], run.seed: [2]}\n");
    const struct ended *e = heddle("run x.yaml --json");
    json_t *before = json_of(first, 3), *now = json_of(e->out, 0);
    assert_true(json_equal(json_object_get(before, "engine"), json_object_get(now, "engine")));
    assert_int_equal(json_integer_value(json_object_get(now, "run")), 1);
    json_decref(before);
    json_decref(now);
    free(first);
}

static void run__another_experiment_in_the_store_is_kept(void **state) {
    (void)state;
    file_write("x.yaml", SMALL);
    file_write("y.yaml", SWEPT);
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    assert_int_equal(heddle("run y.yaml --quiet -o x.db")->code, 0);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM runs WHERE status='done' AND number IS NOT NULL"), 5);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM experiments"), 2);
    unlink("y.yaml");
}

static void run__the_same_bits_for_any_number_of_threads_and_jobs(void **state) {
    (void)state;
    static const char *const lines[] = {"run x.yaml --json", "run x.yaml --json --threads 2",
                                        "run x.yaml --json --jobs 3"};
    char digest[3][32];
    file_write("x.yaml", SMALL);
    for (int i = 0; i < 3; i++) {
        unlink("x.db");
        json_t *o = json_of(heddle(lines[i])->out, 0);
        snprintf(digest[i], sizeof digest[i], "%s",
                 json_string_value(json_object_get(json_object_get(o, "engine"), "digest")));
        json_decref(o);
    }
    assert_int_equal(strlen(digest[0]), 16);
    assert_string_equal(digest[0], digest[1]);
    assert_string_equal(digest[0], digest[2]);
}

/* ---- expectations ---- */

#define CLAIM "expect:\n  - {claim: C.1, metric: flows.finished, of: {switch.balance: ecmp}, "

static void run__exit_code_tells_news(void **state) {
    (void)state;
    file_write("x.yaml", SWEPT CLAIM "value: [4, 4]}\n");
    const struct ended *e = heddle("run x.yaml --json");
    assert_int_equal(e->code, 0);
    assert_int_equal(lines_in(e->out), 5);
    json_t *o = json_of(e->out, 4);
    assert_string_equal(json_string_value(json_object_get(o, "claim")), "C.1");
    assert_int_equal(json_integer_value(json_object_get(o, "n_seeds")), 2);
    assert_true(json_is_true(json_object_get(o, "met")));
    json_decref(o);
    file_write("x.yaml", SWEPT CLAIM "value: [5, null]}\n");
    assert_int_equal(heddle("run x.yaml --json")->code, 1);
    assert_int_equal(store_number("x.db", "SELECT met FROM claims"), 0);
    file_write("x.yaml", SWEPT CLAIM "value: [5, null], known: {holds: false, measured: [4, 4], note: four hosts}}\n");
    assert_int_equal(heddle("run x.yaml --json")->code, 0);
}

static void run__judge_starts_no_run(void **state) {
    (void)state;
    file_write("x.yaml", SWEPT CLAIM "value: [4, 4]}\n");
    assert_int_equal(heddle("run x.yaml --judge --json -o judge.db")->code, 3);
    assert_int_equal(store_number("judge.db", "SELECT count(*) FROM runs"), 0);
    assert_int_equal(heddle("run x.yaml --json -o judge.db")->code, 0);
    file_write("x.yaml", SWEPT CLAIM "value: [5, null]}\n");
    assert_int_equal(heddle("run x.yaml --judge --json -o judge.db")->code, 1);
}

static void run__the_table_compares_with_the_first_scheme(void **state) {
    (void)state;
    file_write("x.yaml", "title: Two schemes\n" SWEPT CLAIM "value: [5, null]}\n");
    const struct ended *e = heddle("run x.yaml");
    assert_int_equal(e->code, 1);
    assert_string_equal(line_of(e->out, 0), "Two schemes");
    assert_non_null(strstr(e->out, "switch.balance"));
    assert_non_null(strstr(e->out, "all mean"));
    assert_non_null(strstr(e->out, " % "));
    assert_non_null(strstr(e->out, "C.1"));
    assert_non_null(strstr(e->out, "DOES NOT HOLD"));
    assert_non_null(strstr(e->out, "results: x.db\n"));
}

/* Where there are queries the table is about them: every size, and how many met a timeout. */
/* Over seeds: half-widths of intervals, and a mark only where they part. Hashing collides, a single path does not. */
static void run__the_table_has_intervals(void **state) {
    (void)state;
    file_write("x.yaml", "fabric: {kind: star, hosts: 4}\nworkload: [{kind: poisson, sizes: 10KB, load: 0.3, load_at: "
                         "host, flows: 50}]\n"
                         "sweep: {workload.0.sizes: [10KB, 1MB], run.seed: [1, 2, 3]}\n");
    const struct ended *e = heddle("run x.yaml");
    assert_non_null(strstr(e->out, "Means over 3 seeds"));
    assert_non_null(strstr(e->out, "Times are flow completion times; mice are under 100 KB"));
    assert_non_null(strstr(e->out, "next: heddle report x.db"));
    assert_non_null(strstr(e->out, " us* +-")); /* 10 KB takes less than 1 MB, whatever the seed */
    assert_non_null(strstr(e->out, " ms +-"));
    assert_null(strstr(e->out, " ms* +-"));
    file_write("y.yaml", "fabric: {kind: star, hosts: 4}\nworkload: [{kind: poisson, sizes: 10KB, load: 0.3, load_at: "
                         "host, flows: 50}]\n"
                         "sweep: {workload.0.sizes: [10KB, 1MB]}\n");
    e = heddle("run y.yaml");
    assert_null(strstr(e->out, "+-"));
    assert_null(strstr(e->out, "*"));
}

static void run__the_table_of_queries(void **state) {
    (void)state;
    file_write("x.yaml",
               "scheme: detail\nfabric: {kind: star, hosts: 8, rate: 1Gbps}\n"
               "workload: [{kind: query, schedule: {for: 1s, rate: 500/s}, responses: [2KB, 8KB], queries: 100}]\n"
               "sweep: {scheme: [detail-baseline, detail]}\n");
    const struct ended *e = heddle("run x.yaml");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "query completion times"));
    assert_non_null(
        strstr(e->out, "2KB median          2KB 99th        8KB median          8KB 99th     with timeouts"));
    assert_non_null(strstr(e->out, " 0.00 %"));
    assert_null(strstr(e->out, "mice"));
}

/* ---- what goes wrong ---- */

/* Seven switches in a ring, whose hosts send three switches on: under flow control all of them wait for the next. */
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
             "scheme: detail\nfabric: {kind: file, path: net.yaml, rate: 1Gbps, delay: 2us}\n"
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

/* Seven send to one at once, without a credit what they may: the port holds more than credits bound it by. */
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
            strstr(e->err, "x.yaml: warning: run 1: 1 queue held more data than credits bound them by "
                           "(XP-9), leaf0>host0.0 ");
        assert_true((warning != NULL) == over);
        json_decref(o);
    }
}

/* Host 1 loses its link for good while flows are open: that run fails, and says so; the others are done. */
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

/* The child that works for this process. */
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
    store_await("x.db", "SELECT count(*) FROM runs WHERE status='running'", 1);
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
    store_await("x.db", "SELECT count(*) FROM runs WHERE status='running'", 1);
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
    store_await("x.db", "SELECT count(*) FROM runs WHERE number=3 AND status='running'", 1);
    kill(pid, SIGKILL);
    heddle_wait(pid);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM runs WHERE status='done'"), 2);
    const struct ended *e = heddle("run x.yaml --json --set 'run.until=[1us, 2us, 4us]'");
    assert_int_equal(e->code, 0);
    assert_int_equal(lines_in(e->out), 3);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM runs WHERE status='done'"), 3);
}

/* A store that cannot grow: what finished before is kept, the rest is not done. */
static void run__a_full_disk_keeps_finished_runs(void **state) {
    (void)state;
    file_write(
        "x.yaml", SMALL
        "sweep: {run.seed: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]}\n");
    const struct ended *e = heddle_limited("run x.yaml --json", 120000);
    assert_int_equal(e->code, 3);
    assert_non_null(strstr(e->err, "results store: "));
    long long done = store_number("x.db", "SELECT count(*) FROM runs WHERE status='done'");
    assert_true(done >= 1 && done < 24);
    char told[64]; /* the run that was rolled back is not done */
    snprintf(told, sizeof told, "x.yaml: %lld of 24 runs are not done;", 24 - done);
    if (!strstr(e->err, told)) fail_msg("no '%s' in: %s", told, e->err);
    assert_int_equal(lines_in(e->out), done);
    assert_int_equal(heddle("run x.yaml --json")->code, 0);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM runs WHERE status='done'"), 24);
}

/* ---- runs of other settings ---- */

static void run__says_what_else_the_store_holds(void **state) {
    (void)state;
    file_write("x.yaml", SMALL);
    assert_null(strstr(heddle("run x.yaml")->err, "also holds"));
    assert_int_equal(heddle("run x.yaml --set workload.0.sizes=100KB --set host.transport=dctcp")->code, 0);
    const struct ended *e = heddle("run x.yaml --set workload.0.sizes=50KB");
    assert_non_null(strstr(e->err,
                           "x.db also holds other runs of this experiment: 1 without --set, 1 with --set "
                           "workload.0.sizes=100KB --set host.transport=dctcp; `heddle report x.db --variants`"));
    assert_null(strstr(heddle("run x.yaml --quiet")->err, "also holds"));
}

/* All of them side by side: each with what it was asked for. */
static void report__variants_stand_side_by_side(void **state) {
    (void)state;
    file_write("x.yaml", SMALL);
    heddle("run x.yaml --quiet --set workload.0.sizes=100KB");
    heddle("run x.yaml --quiet");
    assert_null(strstr(heddle("report x.db --text")->out, "variant"));
    const struct ended *e = heddle("report x.db --text --variants");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "2 runs done"));
    assert_non_null(strstr(e->out, "as written"));
    assert_non_null(strstr(e->out, "workload.0.sizes=100KB"));
    assert_int_equal(heddle("export x.db --csv tables --variants")->code, 0);
    assert_int_equal(heddle("export x.db --csv tables --force")->code, 0);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM options WHERE profile IS NULL"), 2);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM options WHERE sets='[\"workload.0.sizes=100KB\"]'"), 1);
}

/* ---- the other commands ---- */

static void check__prints_an_experiment_that_means_the_same(void **state) {
    (void)state;
    file_write("x.yaml", "scheme: expeditus\n" SMALL);
    const struct ended *e = heddle("check x.yaml");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "# fabric: 4 hosts, 4 switches (2 at the leaves), 8 links"));
    assert_non_null(strstr(e->out, "# base round trip host0.0 to host1.1: "));
    assert_non_null(strstr(e->out, "# memory: about "));
    assert_non_null(strstr(e->out, "    pst_timeout: 0.1s"));
    assert_int_equal(access("x.db", F_OK), -1);
    char *printed = strdup(e->out);
    file_write("y.yaml", printed);
    const char *again = heddle("check y.yaml")->out;
    assert_string_equal(strstr(again, "identity"), strstr(printed, "identity"));
    free(printed);
    unlink("y.yaml");
}

static double number_after(const char *text, const char *key) {
    const char *at = strstr(text, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

/* What scripts plan by: packet-hops of a run and of all, as close as the kinds of flows allow. */
static void check__foresees_packet_hops(void **state) {
    (void)state;
    file_write("x.yaml", SWEPT);
    const struct ended *e = heddle("check x.yaml");
    assert_non_null(strstr(e->out, "# foreseen: "));
    e = heddle("check x.yaml --json --run 2");
    assert_int_equal(e->code, 0);
    assert_int_equal(lines_in(e->out), 1);
    double runs = number_after(e->out, "{\"runs\":"), all = number_after(e->out, "\"packet_hops\":");
    assert_int_equal(number_after(e->out, "\"run\":2"), 0);
    assert_true(number_after(e->out, "\"seconds\":") > 0);
    e = heddle("run x.yaml --json --quiet");
    double sum = 0;
    for (int i = 0; i < (int)runs; i++) sum += number_after(line_of(e->out, i), "\"packet_hops\":");
    assert_true(all > 0.8 * sum && all < 1.2 * sum);
}

/* AM-15: the base RTT that papers quote has no serialization in it. */
static void check__prints_the_base_round_trip(void **state) {
    (void)state;
    file_write("x.yaml",
               "fabric: {kind: clos, pods: 8, tors: 4, aggs: 2, cores: 4, hosts: 6, rate: 10Gbps, delay: 4us}\n"
               "host: {processing_delay: 1us}\nworkload: [{kind: permutation, sizes: 100KB}]\n");
    const struct ended *e = heddle("check x.yaml");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "# base round trip host0.0.0 to host7.3.5: 59790ns (6 links each way; 1538 B out, "
                                   "84 B back), 52us without serialization\n"));
    assert_null(strstr(e->out, "data queues under credits"));
}

/* XP-9, tier by tier; the same by hand as in tests/fabric/test_credit_bound.c, with links of 4 us. */
static void check__prints_the_bound_of_credits(void **state) {
    (void)state;
    file_write("x.yaml",
               "fabric: {kind: clos, pods: 8, tors: 4, aggs: 2, cores: 4, hosts: 6, rate: 10Gbps, delay: 4us}\n"
               "host: {processing_delay: 1us, transport: expresspass}\n"
               "workload: [{kind: permutation, sizes: 100KB}]\nswitch: {ecmp: {hash: symmetric}}\n");
    const struct ended *e = heddle("check x.yaml");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "# data queues under credits hold at most, in wire bytes; ToR down: 1067288 B; ToR "
                                   "up: 35600 B; agg down: 508920 B; agg up: 100312 B; core down: 229736 B\n"));
    e = heddle("check x.yaml --set switch.credit_share=10%");
    assert_non_null(strstr(e->out, "ToR down: no bound; ToR up: no bound"));
    refused(
        "check x.yaml --set switch.ecmp.hash=asymmetric",
        "--set switch.ecmp.hash:1:1: error: switch.ecmp.hash: asymmetric, but expresspass needs data to go back over "
        "the links of its credits; write symmetric, or switch.record_path: true");
}

static void check__errors(void **state) {
    (void)state;
    file_write("x.yaml", SMALL "expect: [{claim: C, metric: nothing, value: [0, 1]}]\n");
    const struct ended *e = heddle("check x.yaml");
    assert_int_equal(e->code, 2);
    assert_non_null(strstr(e->err, "x.yaml:3:29: error: there is no number 'nothing' in a result"));
    file_write("x.yaml", SMALL);
    refused("check x.yaml --run 2", "heddle: error: --run 2: there are 1 runs");
}

static void list_and_show__name_everything(void **state) {
    (void)state;
    const struct ended *e = heddle("list");
    static const char *const names[] = {"expeditus", "conga-flow", "cubic",  "web-search",
                                        "poisson",   "fat-tree",   "altoona"};
    assert_int_equal(e->code, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) assert_non_null(strstr(e->out, names[i]));
    assert_non_null(strstr(heddle("show expeditus")->out, "dre_period             20us"));
    assert_non_null(strstr(heddle("docs")->out, "| `fabric.kind` |"));
    assert_non_null(strstr(heddle("docs results")->out, "| `fct_us.CLASS.STAT` | us | less |"));
    refused("docs resluts", "heddle: error: WHAT resluts: write keys, results, schema, man, bash, zsh, fish, families, "
                            "names, settings, profiles or switches");
}

/* Of a command line as far as it is written. */
static void docs__names_of_an_experiment(void **state) {
    (void)state;
    file_write("x.yaml", "fabric: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 2}\n"
                         "workload: {kind: permutation, sizes: 100KB}\n"
                         "profiles: {small: {fabric: {leaves: 1}}, large: {fabric: {leaves: 3}}}\n"
                         "sweep: {fabric.spines: [1, 2]}\n");
    assert_string_equal(heddle("docs profiles run x.yaml")->out, "small\nlarge\n");
    assert_string_equal(heddle("docs profiles -- run x.yaml --profile")->out, "small\nlarge\n");
    assert_string_equal(heddle("docs switches replay x.yaml")->out, "leaf0\nleaf1\nspine0\n");
    assert_string_equal(heddle("docs switches -- replay x.yaml --run 2 --node")->out, "leaf0\nleaf1\nspine0\nspine1\n");
    assert_string_equal(heddle("docs switches -- check x.yaml --profile=small")->out, "leaf0\nspine0\n");
    assert_string_equal(heddle("docs switches -- check x.yaml --set fabric.leaves=1")->out, "leaf0\nspine0\n");
    refused("docs switches -- check x.yaml --run 3", "heddle: error: --run 3: there are 2 runs");
    refused("docs switches -- check x.yaml --nod", "heddle: error: unknown option '--nod'; see heddle check --help");
    refused("docs switches flows x.db",
            "heddle: error: there is no experiment; write what follows heddle, such as run FILE.yaml");
    refused("docs profiles", "heddle: error: there is no experiment; write what follows heddle, such as run FILE.yaml");
    refused("docs profiles run",
            "heddle: error: there is no experiment; write what follows heddle, such as run FILE.yaml");
    refused("docs man run check", "heddle: error: 'check' is one argument too many; see heddle docs --help");
    /* profiles may be asked for while the rest is wrong */
    file_write("x.yaml", "fabrik: {}\nprofiles: {small: {}}\n");
    assert_string_equal(heddle("docs profiles run x.yaml")->out, "small\n");
    assert_int_equal(heddle("docs switches run x.yaml")->code, 2);
}

static void list_and_show__every_family_has_its_keys(void **state) {
    (void)state;
    assert_non_null(strstr(heddle("list flowctl")->out, "none"));
    assert_non_null(strstr(heddle("list crossbar")->out, "output-queued"));
    assert_non_null(strstr(heddle("show drr")->out, "switch.drr_quantum"));
    assert_non_null(strstr(heddle("show ecn")->out, "switch.ecn_threshold"));
    assert_non_null(strstr(heddle("show incast")->out, "workload.#.rounds"));
    assert_null(strstr(heddle("show incast")->out, "workload.#.load"));
    assert_non_null(strstr(heddle("show query")->out, "workload.#.schedule"));
    assert_non_null(strstr(heddle("show clos")->out, "required       pods"));
    assert_non_null(strstr(heddle("show web-search")->out, "from: DCTCP (SIGCOMM 2010), figure 4"));
    assert_non_null(strstr(heddle("show islip")->out, "speedup"));
    assert_non_null(strstr(heddle("show hull")->out, "  switch.admit: phantom"));
    assert_non_null(strstr(heddle("show altoona")->out, "fabric.pods: 96"));
    assert_non_null(strstr(heddle("show conga-flow")->out, "switch.balance: conga-flow"));
}

static void heddle__a_full_disk_behind_standard_output(void **state) {
    (void)state;
    char line[1100];
    snprintf(line, sizeof line, "'%s' list > /dev/full 2> x.err", program);
    assert_int_equal(WEXITSTATUS(system(line)), 3);
    unlink("x.err");
}

static void flow__prints_the_timeline(void **state) {
    (void)state;
    file_write("x.yaml", SMALL "measure: {flow: [2]}\n");
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    const struct ended *e = heddle("flow x.db 2");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "flow 2 of run 1: 200000 B from host"));
    assert_non_null(strstr(e->out, "sent"));
    assert_non_null(strstr(e->out, "cwnd"));
    assert_non_null(strstr(e->out, "finished"));
    assert_int_equal(heddle("flow x.db 1")->code, 2);
    assert_int_equal(heddle("flow x.db 99")->code, 2);
    assert_int_equal(heddle("flow x.db --run 7 2")->code, 2);
}

/* Not even the journal of a killed run is rolled back: the answer is that of before it, the store stays as it is. */
static void flow__writes_nothing(void **state) {
    (void)state;
    file_write("x.yaml", SMALL "measure: {flow: [2]}\n");
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    store_writer_killed("x.db", "UPDATE flows SET bytes=1");
    assert_int_equal(system("cp x.db x.before"), 0);
    const struct ended *e = heddle("flow x.db 2");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "flow 2 of run 1: 200000 B from host"));
    assert_int_equal(access("x.db-journal", F_OK), 0);
    assert_int_equal(system("cmp x.db x.before"), 0);
    unlink("x.before");
    unlink("x.db-journal");
}

static void flow__tells_credits_by_number(void **state) {
    (void)state;
    file_write("x.yaml", SMALL "measure: {flow: [2]}\nhost: {transport: spraypass}\n"
                               "switch: {ecmp: {hash: symmetric}}\n");
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    const struct ended *e = heddle("flow x.db 2");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, " request 0 "));
    assert_non_null(strstr(e->out, " credit 0, expects 0 "));
    assert_non_null(strstr(e->out, " data 0 +1460 B, credit 0 "));
    assert_non_null(strstr(e->out, " done 137 "));
    assert_null(strstr(e->out, " ack "));
    assert_null(strstr(e->out, " syn "));
}

static void run__captures_stand_beside_the_store(void **state) {
    (void)state;
    file_write("x.yaml", SMALL "measure: {pcap: [leaf0]}\n");
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    assert_int_equal(access("x.captures/run1/leaf0.pcapng", R_OK), 0);
    /* a capture of ours is replaced, a file of the user's is not */
    unlink("x.db");
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    unlink("x.db");
    file_write("x.captures/run1/leaf0.pcapng", "of the user");
    const struct ended *e = heddle("run x.yaml --quiet");
    assert_int_equal(e->code, 3);
    assert_string_equal(line_of(e->err, 0),
                        "x.yaml: error: run 1 failed: x.captures/run1/leaf0.pcapng: this file is there already "
                        "and is not a capture of heddle run; move it away, or name another store with -o");
    FILE *in = fopen("x.captures/run1/leaf0.pcapng", "r");
    char text[32] = "";
    assert_non_null(fgets(text, sizeof text, in));
    fclose(in);
    assert_string_equal(text, "of the user");
    unlink("x.captures/run1/leaf0.pcapng");
    rmdir("x.captures/run1");
    rmdir("x.captures");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, setup)

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        CASE(report__refuses_with_one_line),
        CASE(report__replaces_pages_only),
        CASE(run__configuration_errors_write_nothing),
        CASE(run__an_unwritable_store_is_an_error_before_anything_runs),
        CASE(run__json_lines_come_in_run_order),
        CASE(run__done_runs_are_not_run_again),
        CASE(run__another_experiment_in_the_store_is_kept),
        CASE(run__the_same_bits_for_any_number_of_threads_and_jobs),
        CASE(run__exit_code_tells_news),
        CASE(run__judge_starts_no_run),
        CASE(run__the_table_compares_with_the_first_scheme),
        CASE(run__the_table_of_queries),
        CASE(run__the_table_has_intervals),
        CASE(run__warns_of_storms_and_rings),
        CASE(run__warns_of_queues_over_their_bound),
        CASE(run__a_failed_run_stops_no_other),
        CASE(run__a_crashed_run_is_a_failed_run),
        CASE(run__an_interrupt_abandons_and_the_same_command_goes_on),
        CASE(run__killed_at_any_instant_finished_runs_stay),
        CASE(run__a_full_disk_keeps_finished_runs),
        CASE(run__says_what_else_the_store_holds),
        CASE(report__variants_stand_side_by_side),
        CASE(check__prints_an_experiment_that_means_the_same),
        CASE(check__foresees_packet_hops),
        CASE(check__prints_the_base_round_trip),
        CASE(check__prints_the_bound_of_credits),
        CASE(check__errors),
        CASE(list_and_show__name_everything),
        CASE(docs__names_of_an_experiment),
        CASE(list_and_show__every_family_has_its_keys),
        CASE(heddle__a_full_disk_behind_standard_output),
        CASE(flow__prints_the_timeline),
        CASE(flow__writes_nothing),
        CASE(flow__tells_credits_by_number),
        CASE(run__captures_stand_beside_the_store),
    };
    if (argc < 2) {
        fprintf(stderr, "usage: test_heddle PROGRAM\n");
        return 2;
    }
    program = realpath(argv[1], NULL);
    char folder[] = "/tmp/heddle-test-XXXXXX";
    if (!program || !mkdtemp(folder) || chdir(folder) != 0) return 2;
    int failed = RUN_UNITS(tests);
    if (chdir("/") == 0) rmdir(folder);
    return failed;
}
