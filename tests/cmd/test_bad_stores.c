/* SPDX-License-Identifier: Apache-2.0 */
/* Stores with nothing to show, files that are no store, folders that cannot be made: every command that reads a store
 * refuses them in one line and writes nothing. */
#include "bad_stores.h"
#include "drawn.h"

#include <stdio.h>

/* Fails the test unless export, text and figures refuse g.db with this line and make no folder. */
static void all_refuse(const char *line) {
    heddle_refuses("export g.db --csv g-csv", line, "g-csv");
    heddle_refuses("report g.db --text", line, "g-csv");
    if (has_gnuplot()) heddle_refuses("report g.db --figures g-out", line, "g-out");
}

static void bad_store__every_command_says_why(void **state) {
    for (size_t i = 0; i < N_BAD_STORES; i++) {
        char line[256];
        assert_int_equal(drawn_make(state), 0);
        bad_store_make("g.db", &bad_stores[i]);
        snprintf(line, sizeof line, "g.db: error: %s", bad_stores[i].says);
        all_refuse(line);
        heddle_refuses("report g.db", line, "g.html");
        heddle_refuses("flow g.db 1", line, "g.html");
    }
}

static void bad_store__no_finished_run(void **state) {
    (void)state;
    store_change("g.db", "UPDATE runs SET status='failed', failure='stuck', result=NULL WHERE number=1;"
                         "UPDATE runs SET status='running', result=NULL WHERE number>1");
    all_refuse("g.db: error: 'g' has no finished run; heddle run goes on with it");
}

static void bad_store__no_experiment(void **state) {
    (void)state;
    store_change("g.db", "DELETE FROM runs; DELETE FROM claims; DELETE FROM figures; DELETE FROM experiments");
    all_refuse("g.db: error: this store holds no experiment; heddle run fills it");
}

/* A folder below a file cannot be made by anyone, not even root. */
static void bad_folder__one_line(void **state) {
    (void)state;
    const char *line = "g.yaml/x: error: cannot make this folder: Not a directory; name another";
    heddle_refuses("export g.db --csv g.yaml/x", line, "g.yaml/x");
    if (has_gnuplot()) heddle_refuses("report g.db --figures g.yaml/x", line, "g.yaml/x");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(bad_store__every_command_says_why, drawn_remove),
        DRAWN_CASE(bad_store__no_finished_run),
        DRAWN_CASE(bad_store__no_experiment),
        DRAWN_CASE(bad_folder__one_line),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
