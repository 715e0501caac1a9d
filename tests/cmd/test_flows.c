/* SPDX-License-Identifier: Apache-2.0 */
/* heddle flows: one line a flow. */
#include "bad_stores.h"
#include "program.h"
#include "unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two flows of a trace through one switch; the second is still open at the end. */
#define CUT                                                                                                            \
    "fabric: {kind: star, hosts: 3, rate: 10Gbps, delay: 1us}\nworkload: {kind: trace, path: x.csv}\n"                 \
    "run: {until: 200us}\n"
#define TRACE "start,source,destination,bytes\n0us,0,2,14600\n100us,1,2,10000000\n"

static const struct ended *run(const char *yaml) {
    unlink("x.db");
    file_write("x.yaml", yaml);
    const struct ended *e = heddle("run x.yaml --quiet");
    assert_int_equal(e->code, 0);
    return e;
}

static const struct ended *ask(const char *line) {
    const struct ended *e = heddle(line);
    if (e->code != 0) fail_msg("%s: %s", line, e->err);
    return e;
}

static void flows__unfinished_ones_are_marked(void **state) {
    (void)state;
    file_write("x.csv", TRACE);
    assert_non_null(strstr(run(CUT)->err, "warning: flows are missing from the completion times of 1 of 1 run: 1 of 2 "
                                          "flows had not finished when run 1 ended"));
    const char *out = ask("flows x.db")->out;
    assert_int_equal(lines_in(out), 4);
    assert_non_null(strstr(line_of(out, 1), "mice"));
    assert_non_null(strstr(line_of(out, 1), "host0.0>leaf0>host0.2"));
    assert_null(strstr(line_of(out, 1), "unfinished"));
    assert_non_null(strstr(line_of(out, 2), "elephant"));
    assert_non_null(strstr(line_of(out, 2), "unfinished"));
    assert_string_equal(line_of(out, 3), "1 of 2 flows had not finished when the run ended");
}

static void flows__csv_says_all_of_it(void **state) {
    (void)state;
    file_write("x.csv", TRACE);
    run(CUT);
    const char *out = ask("flows x.db --csv")->out;
    assert_int_equal(lines_in(out), 3);
    assert_string_equal(line_of(out, 0), "flow,class,src,dst,bytes,start_us,end_us,fct_us,handshake_us,slowdown,"
                                         "goodput_mbps,retransmitted,timeouts,received_bytes,state,counts,path");
    double start, end, fct, handshake, slowdown, goodput;
    assert_int_equal(sscanf(line_of(out, 1), "0,mice,host0.0,host0.2,14600,%lf,%lf,%lf,%lf,%lf,%lf,", &start, &end,
                            &fct, &handshake, &slowdown, &goodput),
                     6);
    assert_true(start == 0 && end == fct && handshake > 4 && handshake < fct && slowdown >= 1);
    assert_true(goodput > 14600 * 8 / fct - 0.01 && goodput < 14600 * 8 / fct + 0.01);
    assert_non_null(strstr(line_of(out, 1), ",14600,finished,yes,host0.0>leaf0>host0.2"));
    double received;
    assert_non_null(strstr(line_of(out, 2), "1,elephant,host0.1,host0.2,10000000,100,,,"));
    assert_int_equal(sscanf(line_of(out, 2), "1,elephant,host0.1,host0.2,10000000,100,,,%lf,,%lf,%*d,%*d,%lf,",
                            &handshake, &goodput, &received),
                     3);
    assert_true(received > 0 && goodput > received * 8 / 100 - 0.01 && goodput < received * 8 / 100 + 0.01);
    assert_non_null(strstr(line_of(out, 2), ",unfinished,yes,host0.1>leaf0>host0.2"));
}

/* On real frames nobody counts the timeouts of a flow. */
static void flows__counts_that_are_unknown(void **state) {
    (void)state;
    sqlite3 *db;
    file_write("x.csv", TRACE);
    run(CUT);
    assert_int_equal(sqlite3_open("x.db", &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "UPDATE flows SET retransmitted=7, timeouts=NULL", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_non_null(strstr(line_of(ask("flows x.db")->out, 1), "      7      -    yes  host0.0>leaf0>host0.2"));
    assert_non_null(strstr(line_of(ask("flows x.db --csv")->out, 1), ",7,,14600,finished,"));
}

/* A difference of two rounded times would print 13.759999999999991. */
static void flows__csv_has_times_to_the_picosecond(void **state) {
    (void)state;
    file_write("x.csv", "start,source,destination,bytes\n33.3us,0,2,1000\n77.7us,0,1,200000\n111.1us,1,0,50000\n");
    run(CUT);
    const char *out = ask("flows x.db --csv")->out;
    for (int n = 1; n < lines_in(out); n++) {
        char line[400], *field = line;
        snprintf(line, sizeof line, "%s", line_of(out, n));
        for (int i = 0; i < 9; i++) {
            const char *text = strsep(&field, ","), *point = strchr(text, '.');
            assert_true(i < 5 || !point || strlen(point + 1) <= 6);
        }
    }
}

/* --slowest N lists N flows: unfinished ones first, then by completion time. */
static void flows__the_slowest(void **state) {
    (void)state;
    file_write("x.csv", "start,source,destination,bytes\n0us,0,2,1000\n1us,0,1,200000\n2us,1,0,50000\n"
                        "100us,1,2,10000000\n");
    run(CUT);
    static const int order[] = {3, 1, 2, 0};
    for (int n = 1; n <= 4; n++) {
        char line[64];
        snprintf(line, sizeof line, "flows x.db --slowest %d --csv", n);
        const char *out = ask(line)->out;
        assert_int_equal(lines_in(out), n + 1);
        for (int i = 0; i < n; i++) assert_int_equal(line_of(out, i + 1)[0] - '0', order[i]);
    }
}

/* Endless flows have a goodput up to their stop. The path through the spines is known only for flows with a
 * timeline. */
static void flows__endless_and_their_paths(void **state) {
    (void)state;
    run("fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 1, rate: 10Gbps, delay: 1us}\n"
        "workload:\n  - {kind: long, src: 0, dst: 1, stop: 500us}\n  - {kind: long, src: 1, dst: 0}\n"
        "run: {until: 1ms}\nmeasure: {flow: [0]}\n");
    const char *out = ask("flows x.db --csv")->out;
    double goodput;
    assert_int_equal(sscanf(line_of(out, 1), "0,endless,host0.0,host1.0,,0,,,%*[^,],,%lf,", &goodput), 1);
    assert_in_range((int)goodput, 8000, 9500); /* over 500 us, not 1 ms */
    assert_non_null(strstr(line_of(out, 1), ",endless,yes,host0.0>leaf0>spine"));
    assert_non_null(strstr(line_of(out, 1), ">leaf1>host1.0"));
    assert_int_equal(line_of(out, 2)[strlen(line_of(out, 2)) - 1], ','); /* without a timeline the path is unknown */
    assert_null(strstr(ask("flows x.db")->out, "had not finished"));
}

/* ---- what other texts say of flows that are missing ---- */

#define MISSING "1 of 2 flows had not finished"

static void missing__every_text_says_how_many(void **state) {
    (void)state;
    file_write("x.csv", TRACE);
    run("title: cut\nfigure: {kind: cdf, y: {metric: fct_us.all}}\nsweep: {run.seed: [1, 2]}\n" CUT);
    assert_non_null(strstr(ask("run x.yaml")->out, "missing from 1: " MISSING));
    assert_non_null(strstr(ask("report x.db --text")->out, "missing from 1: " MISSING));
    ask("report x.db -o x.html");
    assert_true(store_number("x.db", "SELECT sum(json_extract(result, '$.fct_us.all.unfinished')) FROM runs") == 2);
    ask("export x.db --csv x-csv");
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM flows WHERE finished_ps IS NULL"), 2);
    assert_int_equal(system("grep -q fct_us.all.unfinished x-csv/runs.csv"), 0);
    const struct ended *e = heddle("report x.db --figures x-figures");
    bool no_gnuplot = e->code != 0 && strstr(e->err, "gnuplot");
    if (!no_gnuplot)
        assert_int_equal(system("cat x-figures/*.gnuplot x-figures/*.gp 2>/dev/null | tr -d '\\n\\\\n' | "
                                "grep -q '2 of 4 flows had'"),
                         0);
    assert_int_equal(system("rm -rf x-csv x-figures x.html"), 0);
}

/* measure.from leaves out endless flows that start before it. The table then shows the goodput of hosts and its Jain
 * index instead. */
static void table__of_long_flows_is_not_empty(void **state) {
    (void)state;
    run("fabric: {kind: dumbbell, pairs: 2, rate: 10Gbps}\nworkload: {kind: long, flows: 2, src: 0, dst: 2}\n"
        "run: {until: 2ms}\nmeasure: {from: 1ms}\n");
    const char *out = ask("run x.yaml")->out;
    assert_non_null(strstr(out, "\ngoodput\n"));
    assert_non_null(strstr(out, "Host goodput is"));
    assert_non_null(strstr(out, " Gbps "));
    run("fabric: {kind: dumbbell, pairs: 2, rate: 10Gbps}\nworkload: {kind: long, flows: 2, src: 0, dst: 2}\n"
        "run: {until: 2ms}\n");
    out = ask("run x.yaml")->out;
    assert_non_null(strstr(out, "\ngoodput\n"));
    assert_non_null(strstr(out, "Goodput is the payload of a flow"));
    assert_non_null(strstr(out, "Jain's index"));
}

/* The mean goodput hides unfairness, so the table has Jain's index beside it. */
static void table__equal_flows_have_jain_beside_them(void **state) {
    (void)state;
    run("fabric: {kind: star, hosts: 5, rate: 10Gbps}\nworkload: {kind: permutation, sizes: 200KB}\n");
    const char *out = ask("run x.yaml")->out;
    assert_non_null(strstr(out, "Goodput is the payload of a flow"));
    assert_non_null(strstr(out, "Jain's index"));
    assert_null(strstr(out, "Host goodput is"));
}

static void flows__usage(void **state) {
    (void)state;
    file_write("x.csv", TRACE);
    run(CUT);
    heddle_refuses("flows", "heddle: error: RESULTS.db is missing; write heddle flows RESULTS.db", "no.file");
    heddle_refuses("flows x.db --run 2", "heddle: error: x.db: there is no run 2; it has 1 run", "no.file");
    heddle_refuses("flows x.db --slowest 0", "heddle: error: --slowest 0: write a number from 1 to 1000000", "no.file");
    assert_int_equal(heddle("flows nosuch.db")->code, 2);
}

/* A store whose nodes cannot be read is refused; flows without the names of their hosts would look complete. */
static void flows__names_that_cannot_be_read(void **state) {
    (void)state;
    file_write("x.csv", TRACE);
    run(CUT);
    store_change("x.db", "ALTER TABLE nodes RENAME COLUMN name TO title");
    const struct ended *e = heddle("flows x.db");
    assert_int_equal(e->code, 2);
    assert_string_equal(e->out, "");
    assert_non_null(strstr(e->err, "name"));
    assert_int_equal(lines_in(e->err), 1);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        UNIT(flows__unfinished_ones_are_marked),
        UNIT(flows__csv_says_all_of_it),
        UNIT(flows__counts_that_are_unknown),
        UNIT(flows__csv_has_times_to_the_picosecond),
        UNIT(flows__the_slowest),
        UNIT(flows__endless_and_their_paths),
        UNIT(flows__usage),
        UNIT(missing__every_text_says_how_many),
        UNIT(table__of_long_flows_is_not_empty),
        UNIT(table__equal_flows_have_jain_beside_them),
        UNIT(flows__names_that_cannot_be_read),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
