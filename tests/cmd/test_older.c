/* SPDX-License-Identifier: Apache-2.0 */
/* A store that is older than a metric: run, report, figures and page name the missing metric and the command that
 * measures it. */
#include "bad_stores.h"
#include "program.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define METRIC "handshake_us.all.mean"
#define LACKING "2 of 2 runs in x.db were stored before " METRIC " was measured; to run them again: "
#define AGAIN "run x.yaml --set run.until=5ms -o x.db --renew"

static const char experiment[] =
    "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\nworkload: [{kind: permutation, sizes: 200KB}]\n"
    "sweep: {switch.balance: [ecmp, spray]}\n"
    "expect: [{claim: C, metric: " METRIC ", of: {switch.balance: ecmp}, every: true, value: [0, null]}]\n"
    "figure:\n  - {name: bars, kind: bars, x: metric, series: switch.balance, y: {metric: " METRIC "}}\n"
    "  - {name: both, kind: bars, x: metric, series: switch.balance, y: [{metric: fct_us.all.mean}, {metric: " METRIC
    "}]}\n";

/* Makes the store of an older version, which had another table of metrics and did not measure handshakes. */
static int setup(void **state) {
    (void)state;
    unlink("x.db");
    file_write("x.yaml", experiment);
    const struct ended *e = heddle("run x.yaml --set run.until=5ms");
    if (e->code != 0) fail_msg("%s%s", e->out, e->err);
    assert_null(strstr(e->err, "were stored before"));
    store_change("x.db", "UPDATE runs SET result=json_set(json_remove(result, '$.handshake_us'), '$.metrics', "
                         "'00000001'), version='older'");
    return 0;
}

static void older__run_says_so_and_offers_to_run_again(void **state) {
    (void)state;
    const struct ended *e = heddle("run x.yaml --set run.until=5ms");
    assert_int_equal(e->code, 3);
    assert_non_null(strstr(e->err, "x.yaml: warning: " LACKING "heddle " AGAIN "\n"));
    assert_non_null(strstr(e->out, "results are older"));
    e = heddle("run x.yaml --set run.until=5ms --json");
    assert_int_equal(e->code, 3);
    assert_non_null(strstr(line_of(e->out, 2), "\"measured\":null,\"older\":true,"));
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM runs WHERE version='older'"), 2);
}

static void older__the_command_that_is_offered_measures_it(void **state) {
    (void)state;
    const struct ended *e = heddle(AGAIN);
    assert_int_equal(e->code, 0);
    assert_null(strstr(e->err, "were stored before"));
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM runs WHERE status='done' AND version<>'older' AND "
                                          "json_extract(result, '$.handshake_us.all.mean') > 0"),
                     2);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM runs"), 2);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM claims WHERE measured > 0"), 1);
}

/* --renew repeats no run whose result has every metric, even if an older version wrote it. */
static void older__renew_leaves_whole_results_alone(void **state) {
    (void)state;
    assert_int_equal(heddle(AGAIN)->code, 0);
    store_change("x.db", "UPDATE runs SET result=json_set(result, '$.metrics', '00000001'), version='whole'");
    assert_int_equal(heddle(AGAIN)->code, 0);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM runs WHERE version='whole'"), 2);
}

static void older__report_as_text(void **state) {
    (void)state;
    heddle("run x.yaml --set run.until=5ms");
    setenv("COLUMNS", "400", 1);
    const struct ended *e = heddle("report x.db --text");
    unsetenv("COLUMNS");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, METRIC ": nothing, claimed"));
    assert_non_null(strstr(e->out, ": not measurable (the results are older than the metric)"));
    assert_non_null(strstr(e->out, LACKING "heddle " AGAIN "\n"));
}

static void older__page(void **state) {
    (void)state;
    heddle("run x.yaml --set run.until=5ms");
    assert_int_equal(heddle("report x.db -o x.html")->code, 0);
    assert_int_equal(system("grep -q '\"older\":\"" LACKING "' x.html"), 0);
    assert_int_equal(system("grep -q '\"older\":true' x.html"), 0);
    unlink("x.html");
}

static void older__figures(void **state) {
    (void)state;
    const struct ended *e = heddle("report x.db --figures x-figures");
    if (e->code != 0 && strstr(e->err, "gnuplot")) skip();
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->err, "x.db: left out: bars lacks runs: " LACKING "heddle " AGAIN "\n"));
    assert_non_null(strstr(e->err, "x.db: left out: both lacks runs: " LACKING));
    assert_null(strstr(e->out, "x-figures/bars.svg"));
    assert_non_null(strstr(e->out, "x-figures/both.svg"));
    assert_int_equal(system("rm -rf x-figures"), 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(older__run_says_so_and_offers_to_run_again, setup),
        cmocka_unit_test_setup(older__the_command_that_is_offered_measures_it, setup),
        cmocka_unit_test_setup(older__renew_leaves_whole_results_alone, setup),
        cmocka_unit_test_setup(older__report_as_text, setup),
        cmocka_unit_test_setup(older__page, setup),
        cmocka_unit_test_setup(older__figures, setup),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
