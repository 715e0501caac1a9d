/* SPDX-License-Identifier: Apache-2.0 */
/* heddle run: the results it stores, prints and does not compute again, its expectations and its exit codes. */
#include "bad_stores.h"
#include "fresh.h"
#include "json_of.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void refused(const char *line, const char *expected) { heddle_refuses(line, expected, "x.db"); }

/* ---- errors before the first run ---- */

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
    file_write("x.yaml", SMALL "sweep: {workload.0.kind: [permutation, stride, incast], workload.0.receiver: [7]}\n");
    refused("run x.yaml",
            "x.yaml:3:79: error: workload.0.receiver: there is no host '7'; they are host0.0 to host1.1, or 0 to 3");
    refused("run x.yaml --set sweep.workload.0.receiver=['7']",
            "--set sweep.workload.0.receiver:1:2: error: workload.0.receiver: there is no host named \"7\"; they are "
            "host0.0 to host1.1");
    refused("run x.yaml --set sweep.workload.0.receiver=['1']",
            "--set sweep.workload.0.receiver:1:2: error: workload.0.receiver: there is no host named \"1\"; they are "
            "host0.0 to host1.1; host number 1 is written without quotes");
}

static void run__an_unwritable_store_is_an_error_before_anything_runs(void **state) {
    (void)state;
    file_write("x.yaml", SMALL);
    refused("run x.yaml -o no/such/folder/x.db",
            "no/such/folder/x.db: error: results store: unable to open database file; check the "
            "folder and its permissions, or name another with -o");
    file_write("notes", "no store\n");
    refused(
        "run x.yaml -o notes",
        "notes: error: results store: file is not a database; this is no heddle results store: name another with -o");
    unlink("notes");
}

/* A name that ends as another kind of file would be opened by the wrong program. */
static void run__a_store_is_named_like_one(void **state) {
    (void)state;
    file_write("x.yaml", SMALL);
    refused("run x.yaml -o x.yaml",
            "heddle: error: --out x.yaml: a results store is a SQLite database; write --out x.db");
    refused("run x.yaml -o a.b/out.CSV",
            "heddle: error: --out a.b/out.CSV: a results store is a SQLite database; write "
            "--out a.b/out.db, then heddle export writes tables");
    assert_int_equal(heddle("run x.yaml -q -o 1.5Gbps")->code, 0);
    assert_int_equal(store_number("1.5Gbps", "SELECT count(*) FROM runs"), 1);
    unlink("1.5Gbps");
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

static void run__says_what_else_the_store_holds(void **state) {
    (void)state;
    file_write("x.yaml", SMALL);
    assert_null(strstr(heddle("run x.yaml")->err, "also holds"));
    assert_int_equal(heddle("run x.yaml --set workload.0.sizes=100KB --set host.transport=dctcp")->code, 0);
    const struct ended *e = heddle("run x.yaml --set workload.0.sizes=50KB");
    assert_non_null(strstr(e->err,
                           "x.db also holds other runs of this experiment: 1 without --set, 1 with --set "
                           "workload.0.sizes=100KB --set host.transport=dctcp; `heddle report x.db --variants`"));
    assert_non_null(strstr(heddle("run x.yaml --quiet")->err, "also holds")); /* quiet drops table and progress only */
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

/* Returns the threads of the last run. */
static int64_t threads_of(const char *command) {
    unlink("x.db");
    const struct ended *e = heddle(command);
    assert_int_equal(e->code, 0);
    json_t *o = json_of(e->out, 0);
    int64_t threads = json_integer_value(json_object_get(json_object_get(o, "engine"), "threads"));
    json_decref(o);
    return threads;
}

/* Threads that share a core are slower than one alone, so runs take no more than there are cores for all side by side. */
static void run__no_more_threads_than_cores(void **state) {
    (void)state;
    file_write("x.yaml", "title: large\nfabric: {kind: fat-tree, k: 16}\n"
                         "workload: {kind: stride, offset: 512, sizes: 1000B}\nrun: {until: 5us}\n"
                         "sweep: {run.seed: [1, 2]}\n");
    setenv("HEDDLE_CORES", "2", 1);
    assert_int_equal(threads_of("run x.yaml --json --threads 2"), 2);
    unlink("x.db");
    assert_null(strstr(heddle("run x.yaml --threads 2")->err, "heddle: note:"));
    assert_int_equal(threads_of("run x.yaml --json --threads 2 --jobs 2"), 1);
    unlink("x.db");
    assert_non_null(strstr(heddle("run x.yaml --threads 2 --jobs 8")->err,
                           "heddle: note: this process may use 2 cores for 2 runs side by side: each run takes 1 of 2 "
                           "threads\n"));
    setenv("HEDDLE_CORES", "1", 1);
    assert_int_equal(threads_of("run x.yaml --json --threads 2"), 1);
    unlink("x.db");
    assert_non_null(strstr(heddle("run x.yaml --threads 2")->err,
                           "heddle: note: this process may use 1 core: each run takes 1 of 2 threads\n"));
    unlink("x.db");
    setenv("HEDDLE_CORES", "no", 1);
    heddle_refuses("run x.yaml --threads 2",
                   "error: HEDDLE_CORES is 'no', not a number of cores from 1 to 65536; set or unset it", "x.db");
    unsetenv("HEDDLE_CORES");
}

static void run__captures_stand_beside_the_store(void **state) {
    (void)state;
    file_write("x.yaml", SMALL "measure: {pcap: [leaf0]}\n");
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    assert_int_equal(access("x.captures/run1/leaf0.pcapng", R_OK), 0);
    /* run replaces its own capture, but no file of the user */
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

/* ---- the table ---- */

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

/* Over several seeds the table prints half-widths of confidence intervals, and marks the
 * best value of a column if its interval overlaps no other. */
static void run__the_table_has_intervals(void **state) {
    (void)state;
    file_write("x.yaml", "fabric: {kind: star, hosts: 4}\nworkload: [{kind: poisson, sizes: 10KB, load: 0.3, load_at: "
                         "host, flows: 50}]\n"
                         "sweep: {workload.0.sizes: [10KB, 1MB], run.seed: [1, 2, 3]}\n");
    const struct ended *e = heddle("run x.yaml");
    assert_non_null(strstr(e->out, "Means over 3 seeds"));
    assert_non_null(strstr(e->out, "Times are flow completion times."));
    assert_non_null(strstr(e->out, "next: heddle report x.db"));
    assert_non_null(strstr(e->out, " us* +-")); /* 10 KB takes less than 1 MB, whatever the seed */
    assert_non_null(strstr(e->out, " ms  +-"));
    assert_null(strstr(e->out, " ms* +-"));
    assert_non_null(strstr(e->out, "\n    against 10KB "));
    file_write("y.yaml", "fabric: {kind: star, hosts: 4}\nworkload: [{kind: poisson, sizes: 10KB, load: 0.3, load_at: "
                         "host, flows: 50}]\n"
                         "sweep: {workload.0.sizes: [10KB, 1MB]}\n");
    e = heddle("run y.yaml");
    assert_null(strstr(e->out, "+-"));
    assert_null(strstr(e->out, "*"));
}

/* An experiment with queries gets a table of query completion times: each response size, and the share of timeouts. */
static void run__the_table_of_queries(void **state) {
    (void)state;
    file_write("x.yaml",
               "scheme: detail\nfabric: {kind: star, hosts: 8, rate: 1Gbps}\n"
               "workload: [{kind: query, schedule: {for: 1s, rate: 500/s}, responses: [2KB, 8KB], queries: 100}]\n"
               "sweep: {scheme: [detail-baseline, detail]}\n");
    const struct ended *e = heddle("run x.yaml");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "query completion times"));
    assert_non_null(strstr(e->out, "2KB median"));
    assert_non_null(strstr(e->out, "8KB 99th"));
    assert_null(strstr(e->out, "mice"));
}

/* Returns the width of the widest line. */
static size_t widest(const char *text) {
    size_t most = 0;
    for (const char *end; (end = strchr(text, '\n')); text = end + 1)
        most = (size_t)(end - text) > most ? (size_t)(end - text) : most;
    return most;
}

/* --columns and --baseline choose what the table shows; the block of the file does for every report of it. */
static void run__the_table_that_is_asked_for(void **state) {
    (void)state;
    file_write("x.yaml", "title: Two schemes\n" SWEPT);
    const struct ended *e = heddle("run x.yaml --columns fct_us.all.p95,packets.dropped --baseline expeditus");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "all 95th"));
    assert_non_null(strstr(e->out, "dropped"));
    assert_null(strstr(e->out, "all mean"));
    assert_non_null(strstr(e->out, "\n    against expeditus "));
    assert_non_null(strstr(heddle("report x.db --text")->out, "all mean"));
    e = heddle("report x.db --text --columns fct_us.all.p95,convergence_us.last");
    assert_non_null(strstr(e->out, "convergence_us.last."));
    assert_non_null(strstr(heddle("report x.db --text --baseline 2")->out, "\n    against expeditus "));
    file_write("x.yaml", "title: Two schemes\n" SWEPT "table: {columns: slowdown.all.p50, baseline: expeditus}\n");
    e = heddle("run x.yaml");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "slowdown"));
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM runs"), 4); /* they are the same runs */
    e = heddle("report x.db --text");
    assert_non_null(strstr(e->out, "slowdown"));
    assert_null(strstr(e->out, "all mean"));
    assert_non_null(strstr(e->out, "\n    against expeditus "));
    store_change("x.db", "DROP TABLE table_blocks"); /* as in a store of an earlier version */
    assert_non_null(strstr(heddle("report x.db --text")->out, "all mean"));
}

/* What a table cannot show is refused before anything runs. */
static void run__a_table_that_cannot_be(void **state) {
    (void)state;
    static const char *const words[][2] = {
        {"--columns fct_us.all.p98", "error: there is no number 'fct_us.all.p98' in a result; at 'p98' known are:"},
        {"--baseline ecpm",
         "--baseline: error: no row is named 'ecpm'; did you mean 'ecmp'? Or name a value of switch.balance"},
        {"--baseline 3",
         "--baseline: error: no row is named '3'; name a value of switch.balance, or the number of a row, 1 to 2"},
        {"--set table.columns=[fct_us]", "error: there is no number 'fct_us' in a result"},
        {"--set table.rows=2", "unknown key 'rows' in table; known are: columns, baseline"}};
    file_write("x.yaml", SWEPT);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char line[128];
        snprintf(line, sizeof line, "run x.yaml %s", words[i][0]);
        const struct ended *e = heddle(line);
        assert_int_equal(e->code, 2);
        if (!strstr(e->err, words[i][1])) fail_msg("'%s' is not in: %s", words[i][1], e->err);
        assert_string_equal(e->out, "");
    }
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    assert_non_null(
        strstr(heddle("report x.db --text --columns fct_us.all.p98")->err, "there is no number 'fct_us.all.p98'"));
    assert_int_equal(heddle("report x.db --baseline other")->code, 2);
    assert_int_equal(heddle("report x.db --text --baseline other")->code, 2);
    assert_int_equal(heddle("report x.db --figures f --baseline ecmp")->code, 2);
    file_write("y.yaml", SMALL "sweep: {switch.balance: [spray, ecmp]}\n"); /* a row of some table will do */
    assert_int_equal(heddle("run y.yaml --quiet -o x.db")->code, 0);
    assert_int_equal(heddle("report x.db --text --baseline spray")->code, 0);
    assert_int_equal(heddle("report x.db -o x.html --baseline spray")->code, 0);
}

/* The table is as wide as COLUMNS says; 100 columns where nothing does. */
static void run__the_table_fits_the_terminal(void **state) {
    (void)state;
    file_write("x.yaml", "title: Two schemes\n" SWEPT CLAIM "value: [5, null]}\n");
    assert_int_equal(heddle("run x.yaml --quiet")->code, 1);
    static const char *const widths[] = {"40", "80", "200"};
    for (size_t i = 0; i < 3; i++) {
        setenv("COLUMNS", widths[i], 1);
        assert_true(widest(heddle("run x.yaml")->out) <= (size_t)atoi(widths[i]) + (i == 0 ? 40 : 0));
    }
    unsetenv("COLUMNS");
    size_t piped = widest(heddle("run x.yaml")->out);
    assert_true(piped <= 100 && piped > 80);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        CASE(run__configuration_errors_write_nothing),
        CASE(run__an_unwritable_store_is_an_error_before_anything_runs),
        CASE(run__a_store_is_named_like_one),
        CASE(run__json_lines_come_in_run_order),
        CASE(run__done_runs_are_not_run_again),
        CASE(run__another_experiment_in_the_store_is_kept),
        CASE(run__says_what_else_the_store_holds),
        CASE(run__the_same_bits_for_any_number_of_threads_and_jobs),
        CASE(run__no_more_threads_than_cores),
        CASE(run__captures_stand_beside_the_store),
        CASE(run__exit_code_tells_news),
        CASE(run__judge_starts_no_run),
        CASE(run__the_table_compares_with_the_first_scheme),
        CASE(run__the_table_has_intervals),
        CASE(run__the_table_of_queries),
        CASE(run__the_table_that_is_asked_for),
        CASE(run__a_table_that_cannot_be),
        CASE(run__the_table_fits_the_terminal),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
