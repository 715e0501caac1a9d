/* SPDX-License-Identifier: Apache-2.0 */
/* heddle export: tables of one store or several as CSV files. */
#include "bad_stores.h"
#include "drawn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void export__every_table_with_its_rows(void **state) {
    (void)state;
    const struct ended *e = heddle("export g.db --csv g-csv");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "g-csv/experiments.csv: 1 rows\ng-csv/runs.csv: 4 rows\n"));
    assert_int_equal(lines_in(file_text("g-csv/flows.csv")),
                     1 + (int)store_number("g.db", "SELECT count(*) FROM flows"));
    assert_int_equal(lines_in(file_text("g-csv/samples.csv")),
                     1 + (int)store_number("g.db", "SELECT count(*) FROM samples"));
    const char *first = line_of(file_text("g-csv/flows.csv"), 1);
    long long start, bytes, finished;
    assert_int_equal(sscanf(first, "g,1,0,0,%*d,%*d,%lld,%lld,%lld", &start, &bytes, &finished), 3);
    assert_int_equal(finished, store_number("g.db", "SELECT finished_ps FROM flows f JOIN runs r ON r.id = f.run"
                                                    " WHERE number = 1 AND flow = 0"));
    assert_int_equal(
        strncmp(file_text("g-csv/runs.csv"), "experiment,run,status,failure,version,started,finished,", 55), 0);
    assert_non_null(strstr(file_text("g-csv/runs.csv"), ",switch.balance,run.seed,flows.started,"));
    const char *metrics = file_text("g-csv/metrics.csv");
    assert_int_equal(
        strncmp(metrics, "metric,unit,better,label,meaning\nflows.started,count,,flows started,flows that", 77), 0);
    assert_non_null(strstr(metrics, "\nfct_us.mice.p95,us,less,FCT mice 95th,flow completion time: "));
    assert_non_null(strstr(file_text("g-csv/experiments.csv"), "g,\"A 'quoted', \"\"named\"\" run\","));
}

static void export__several_stores_into_one_set_of_files(void **state) {
    (void)state;
    unlink("h.db");
    assert_int_equal(system("cp g.db h.db"), 0);
    store_change("h.db", "DELETE FROM runs WHERE number = 4");
    assert_int_equal(heddle("export g.db h.db --csv gh-csv")->code, 0);
    const char *runs = file_text("gh-csv/runs.csv");
    assert_int_equal(strncmp(runs, "store,experiment,run,status,", 28), 0);
    assert_int_equal(lines_in(runs), 1 + 4 + 3);
    assert_non_null(strstr(runs, "\ng.db,g,4,done,"));
    assert_non_null(strstr(runs, "\nh.db,g,3,done,"));
    assert_null(strstr(runs, "\nh.db,g,4,"));
    assert_int_equal(strncmp(file_text("gh-csv/flows.csv"), "store,experiment,run,flow,", 26), 0);
    assert_int_equal(lines_in(file_text("gh-csv/experiments.csv")), 3);
    assert_int_equal(
        lines_in(file_text("gh-csv/samples.csv")),
        1 + (int)(store_number("g.db", "SELECT count(*) FROM samples") +
                  store_number("h.db", "SELECT count(*) FROM samples WHERE run IN (SELECT id FROM runs)")));
    heddle_refuses("export g.db none.db --csv gh-csv",
                   "none.db: error: there is no such results store; name the file that heddle run wrote", "gh-csv/x");
    unlink("h.db");
    assert_int_equal(system("rm -r gh-csv"), 0);
}

/* The tables of pauses are written only for runs that have some. */
static void export__pauses(void **state) {
    (void)state;
    assert_int_equal(heddle("export g.db --csv g-csv")->code, 0);
    assert_int_not_equal(access("g-csv/pauses.csv", F_OK), 0);
    store_change("g.db", "INSERT INTO pauses SELECT id, 6, 1, 300, 3, 1, 200, 50 FROM runs WHERE number=2;"
                         "INSERT INTO pause_rings SELECT id, 0, 0, 6, 1, 10, 20, 40 FROM runs WHERE number=2");
    assert_int_equal(heddle("export g.db --csv g-csv --force")->code, 0);
    assert_string_equal(file_text("g-csv/pauses.csv"),
                        "experiment,run,port,class,paused_ps,stops,storms,longest_ps,longest_from_ps\n"
                        "g,2,6,1,300,3,1,200,50\n");
    assert_string_equal(file_text("g-csv/pause_rings.csv"), "experiment,run,ring,place,port,class,since_ps,first_ps,"
                                                            "last_ps\ng,2,0,0,6,1,10,20,40\n");
}

static void export__replaces_nothing_without_force(void **state) {
    (void)state;
    assert_int_equal(heddle("export g.db --csv g-csv")->code, 0);
    file_write("g-csv/flows.csv", "mine");
    heddle_refuses("export g.db --csv g-csv",
                   "g-csv/experiments.csv: error: this file is there already; name another folder, or replace it with "
                   "--force",
                   "g-csv/x");
    assert_string_equal(file_text("g-csv/flows.csv"), "mine");
    assert_int_equal(heddle("export g.db --csv g-csv --force")->code, 0);
    assert_int_equal(strncmp(file_text("g-csv/flows.csv"), "experiment,run,flow,", 20), 0);
}

static void export__refuses_what_it_cannot_do(void **state) {
    (void)state;
    heddle_refuses("export g.db --csv g.db", "g.db: error: cannot make this folder: File exists; name another",
                   "x.csv");
    heddle_refuses("export g.db", "heddle: error: --csv is missing; write heddle export RESULTS.db --csv DIR", "x.csv");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        DRAWN_CASE(export__every_table_with_its_rows),
        DRAWN_CASE(export__several_stores_into_one_set_of_files),
        DRAWN_CASE(export__pauses),
        DRAWN_CASE(export__replaces_nothing_without_force),
        DRAWN_CASE(export__refuses_what_it_cannot_do),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
