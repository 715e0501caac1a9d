/* SPDX-License-Identifier: Apache-2.0 */
/* heddle diff: the runs of two stores, by identity. */
#include "bad_stores.h"
#include "drawn.h"

#include <string.h>

static void copy_make(void) {
    unlink("h.db");
    assert_int_equal(system("cp g.db h.db"), 0);
}

/* Asserts the output and the exit status of a comparison of g.db with h.db. */
static void differs(const char *options, int code, const char *out) {
    char line[200];
    snprintf(line, sizeof line, "diff g.db h.db %s", options);
    const struct ended *e = heddle(line);
    assert_string_equal(e->out, out);
    assert_string_equal(e->err, "");
    assert_int_equal(e->code, code);
}

/* Time and memory of the program, numbers of runs and names of files do not matter. */
static void diff__the_same_runs(void **state) {
    (void)state;
    copy_make();
    store_change("h.db", "UPDATE runs SET result = json_set(result, '$.engine.wall_s', 7, '$.memory.total_bytes', 7),"
                         " number = 5 - number, started = 'x', version = 'x'");
    differs("", 0, "4 runs the same, 0 different, 0 only in g.db, 0 only in h.db\n");
    assert_int_equal(heddle("run g.yaml --quiet -o i.db --threads 2")->code, 0);
    assert_string_equal(heddle("diff g.db i.db")->out,
                        "4 runs the same, 0 different, 0 only in g.db, 0 only in i.db\n");
    unlink("i.db");
}

static void diff__a_metric(void **state) {
    (void)state;
    copy_make();
    store_change("h.db", "UPDATE runs SET result = json_set(result, '$.packets.marked', 7) WHERE number = 2");
    differs("", 1,
            "differs: g 2 (switch.balance ecmp, run.seed 2): 1 metric, with the same digest\n"
            "  packets.marked: 0, 7\n"
            "3 runs the same, 1 different, 0 only in g.db, 0 only in h.db\n");
    store_change("g.db", "UPDATE runs SET result = json_set(result, '$.packets.marked', 8) WHERE number = 2");
    differs("--quiet", 1, "3 runs the same, 1 different, 0 only in g.db, 0 only in h.db\n");
    differs("", 1,
            "differs: g 2 (switch.balance ecmp, run.seed 2): 1 metric, with the same digest\n"
            "  packets.marked: 8, 7 (-12.5 %)\n"
            "3 runs the same, 1 different, 0 only in g.db, 0 only in h.db\n");
}

static void diff__five_metrics_and_how_many_more(void **state) {
    (void)state;
    copy_make();
    store_change("h.db", "UPDATE runs SET result = json_set(result, '$.flows.started', 9, '$.flows.finished', 9,"
                         " '$.flows.unfinished', NULL, '$.packets.marked', 'x', '$.counters.own', 1,"
                         " '$.engine.digest', '7') WHERE number = 1");
    store_change("h.db", "UPDATE runs SET result = json_remove(result, '$.flows.not_started') WHERE number = 1");
    const struct ended *e = heddle("diff g.db h.db");
    const char *few = "differs: g 1 (switch.balance ecmp, run.seed 1): 7 metrics, the digest among them\n"
                      "  flows.started: 4, 9 (+125 %)\n"
                      "  flows.finished: 4, 9 (+125 %)\n"
                      "  flows.unfinished: 0, null\n"
                      "  flows.not_started: 0, absent\n"
                      "  packets.marked: 0, \"x\"\n";
    assert_int_equal(strncmp(e->out, few, strlen(few)), 0);
    assert_string_equal(e->out + strlen(few), "  and 2 more; --all lists them\n"
                                              "3 runs the same, 1 different, 0 only in g.db, 0 only in h.db\n");
    e = heddle("diff g.db h.db --all");
    assert_int_equal(strncmp(e->out, few, strlen(few)), 0);
    assert_non_null(strstr(e->out, "  counters.own: absent, 1\n  engine.digest: \""));
    assert_null(strstr(e->out, "more"));
}

/* As JSON every run is an object a line, with the values of both stores; the last line has the numbers. */
static void diff__as_json(void **state) {
    (void)state;
    copy_make();
    store_change("h.db", "UPDATE runs SET result = json_set(result, '$.packets.marked', 7) WHERE number = 2");
    store_change("h.db",
                 "UPDATE runs SET identity = 'x', config = replace(config, 'seed: 1', 'seed: 9') WHERE number = 1");
    differs("--json", 1,
            "{\"state\":\"only\",\"experiment\":\"g\",\"run\":1,\"settings\":{\"switch.balance\":\"ecmp\","
            "\"run.seed\":1},\"in\":\"g.db\",\"namesake\":{\"run\":1,\"keys\":{\"run.seed\":[\"1\",\"9\"]}}}\n"
            "{\"state\":\"differs\",\"experiment\":\"g\",\"run\":2,\"settings\":{\"switch.balance\":\"ecmp\","
            "\"run.seed\":2},\"status\":[\"done\",\"done\"],\"same_digest\":true,"
            "\"metrics\":{\"packets.marked\":[0,7]}}\n"
            "{\"state\":\"only\",\"experiment\":\"g\",\"run\":1,\"settings\":{\"switch.balance\":\"ecmp\","
            "\"run.seed\":1},\"in\":\"h.db\"}\n"
            "{\"stores\":[\"g.db\",\"h.db\"],\"same\":2,\"different\":1,\"only\":[1,1]}\n");
    differs("--json --quiet", 1, "{\"stores\":[\"g.db\",\"h.db\"],\"same\":2,\"different\":1,\"only\":[1,1]}\n");
}

/* A value that a store lacks is null. */
static void diff__as_json_of_lacking_values(void **state) {
    (void)state;
    copy_make();
    store_change("h.db", "UPDATE runs SET result = json_remove(result, '$.packets.marked') WHERE number = 2");
    const struct ended *e = heddle("diff g.db h.db --json");
    assert_non_null(strstr(e->out, "\"metrics\":{\"packets.marked\":[0,null]}"));
}

/* A result that is older than a metric says nothing about it. */
static void diff__an_older_result_lacks_metrics(void **state) {
    (void)state;
    copy_make();
    store_change("h.db",
                 "UPDATE runs SET result = json_remove(json_set(result, '$.metrics', 'x'), '$.packets.marked')");
    differs("", 0, "4 runs the same, 0 different, 0 only in g.db, 0 only in h.db\n");
}

static void diff__runs_that_one_store_has(void **state) {
    (void)state;
    copy_make();
    store_change("h.db", "DELETE FROM runs WHERE number = 4");
    store_change("g.db", "DELETE FROM runs WHERE number < 3");
    differs("", 1,
            "only in g.db: g 4 (switch.balance expeditus, run.seed 2)\n"
            "only in h.db: g 1 (switch.balance ecmp, run.seed 1)\n"
            "only in h.db: g 2 (switch.balance ecmp, run.seed 2)\n"
            "1 runs the same, 0 different, 1 only in g.db, 2 only in h.db\n");
}

static void diff__a_run_that_failed(void **state) {
    (void)state;
    copy_make();
    store_change("h.db", "UPDATE runs SET status = 'failed', failure = 'too slow' WHERE number = 1");
    differs("", 1,
            "differs: g 1 (switch.balance ecmp, run.seed 1): done in g.db, failed in h.db: too slow\n"
            "3 runs the same, 1 different, 0 only in g.db, 0 only in h.db\n");
}

/* The same settings, but another identity: the first such run says which keys differ. */
static void diff__other_configurations(void **state) {
    (void)state;
    unlink("h.db");
    assert_int_equal(heddle("run g.yaml --quiet -o h.db --set fabric.delay=3us --set run.until=1s")->code, 0);
    differs("", 1,
            "only in g.db: g 1 (switch.balance ecmp, run.seed 1)\n"
            "g 1 (switch.balance ecmp, run.seed 1) has the same settings in both, but these keys differ:\n"
            "  fabric.delay: 2us, 3us\n"
            "  run.until: none, 1s\n"
            "only in g.db: g 2 (switch.balance ecmp, run.seed 2)\n"
            "only in g.db: g 3 (switch.balance expeditus, run.seed 1)\n"
            "only in g.db: g 4 (switch.balance expeditus, run.seed 2)\n"
            "only in h.db: g 1 (switch.balance ecmp, run.seed 1)\n"
            "only in h.db: g 2 (switch.balance ecmp, run.seed 2)\n"
            "only in h.db: g 3 (switch.balance expeditus, run.seed 1)\n"
            "only in h.db: g 4 (switch.balance expeditus, run.seed 2)\n"
            "0 runs the same, 0 different, 4 only in g.db, 4 only in h.db\n");
    store_change("h.db", "UPDATE runs SET config = (SELECT 'x: [1, {y: 2}]' || char(10)), version = '0.1.0'");
    store_change("g.db",
                 "UPDATE runs SET config = (SELECT 'x: [1, {z: 3}]' || char(10) || 'w: {}'), version = '0.1.0'");
    assert_non_null(strstr(heddle("diff g.db h.db")->out, "differ:\n  x.1.z: 3, absent\n  x.1.y: absent, 2\nonly"));
    store_change("g.db", "UPDATE runs SET config = 'x: [1, {y: 2}]'");
    assert_non_null(
        strstr(heddle("diff g.db h.db")->out,
               "differ:\n  none; the contents of a file that it names differ, or the result versions (heddle "
               "0.1.0, heddle 0.1.0)\nonly"));
}

/* Runs of other command lines, which the experiment does not contain in its present form, are compared when asked for. */
static void diff__variants(void **state) {
    (void)state;
    copy_make();
    assert_int_equal(heddle("run g.yaml --quiet -o h.db --set fabric.delay=3us")->code, 0);
    assert_int_equal(heddle("run g.yaml --quiet -o h.db")->code, 0);
    differs("", 0, "4 runs the same, 0 different, 0 only in g.db, 0 only in h.db\n");
    differs("--variants --quiet", 1, "4 runs the same, 0 different, 0 only in g.db, 4 only in h.db\n");
}

static void diff__refuses_what_is_no_store(void **state) {
    (void)state;
    const struct ended *e = heddle("diff g.db none.db");
    assert_int_equal(e->code, 2);
    assert_string_equal(e->err,
                        "none.db: error: there is no such results store; name the file that heddle run wrote\n");
    e = heddle("diff g.db");
    assert_int_equal(e->code, 2);
    assert_string_equal(e->err, "heddle: error: B.db is missing; write heddle diff A.db B.db\n");
    copy_make();
    store_change("h.db", "UPDATE runs SET status = 'failed'");
    e = heddle("diff g.db h.db");
    assert_int_equal(e->code, 2);
    assert_non_null(strstr(e->err, "h.db: error: "));
}

static int both_remove(void **state) {
    unlink("h.db");
    return drawn_remove(state);
}

int main(int argc, char **argv) {
#define DIFF_CASE(f) cmocka_unit_test_setup_teardown(f, drawn_make, both_remove)
    const struct CMUnitTest tests[] = {
        DIFF_CASE(diff__the_same_runs),
        DIFF_CASE(diff__as_json),
        DIFF_CASE(diff__as_json_of_lacking_values),
        DIFF_CASE(diff__a_metric),
        DIFF_CASE(diff__five_metrics_and_how_many_more),
        DIFF_CASE(diff__an_older_result_lacks_metrics),
        DIFF_CASE(diff__runs_that_one_store_has),
        DIFF_CASE(diff__a_run_that_failed),
        DIFF_CASE(diff__other_configurations),
        DIFF_CASE(diff__variants),
        DIFF_CASE(diff__refuses_what_is_no_store),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
