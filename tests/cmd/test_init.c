/* SPDX-License-Identifier: Apache-2.0 */
/* heddle init: each start runs as it is written, and no file is replaced. */
#include "fresh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The starts, as the refusal of another one lists them (init__an_unknown_start); the first is the default. */
static const char *const start[] = {"leaf-spine", "clos", "file", "trace", "lab", "incast", "training"};

static void init__every_start_runs_without_a_warning(void **state) {
    (void)state;
    char line[200];
    for (size_t i = 0; i < sizeof start / sizeof *start; i++) {
        snprintf(line, sizeof line, "init %s -o %s", start[i], start[i]);
        const struct ended *e = heddle(line);
        assert_string_equal(e->err, "");
        assert_int_equal(e->code, 0);
        snprintf(line, sizeof line, "next: heddle run %s/%s.yaml ", start[i], start[i]);
        assert_non_null(strstr(e->out, line));
        snprintf(line, sizeof line, "run %s/%s.yaml --jobs 2 --quiet", start[i], start[i]);
        e = heddle(line);
        assert_string_equal(e->err, "");
        assert_int_equal(e->code, 0);
        snprintf(line, sizeof line, "%s.db", start[i]);
        unlink(line);
    }
}

/* The comments say what to change, so every start has some, and its text is the file that is written. */
static void init__writes_comments(void **state) {
    (void)state;
    assert_string_equal(heddle("init")->out, "written: leaf-spine.yaml\n"
                                             "next: heddle run leaf-spine.yaml   (its comments say what to change)\n");
    assert_int_equal(strncmp(file_text("leaf-spine.yaml"), "# ", 2), 0);
    unlink("leaf-spine.yaml");
}

/* One of two files is there: neither is written. */
static void init__replaces_nothing(void **state) {
    (void)state;
    file_write("trace.csv", "mine\n");
    heddle_refuses("init trace",
                   "trace.csv: error: this file is there already; move it away, or name another folder with -o DIR",
                   "trace.yaml");
    assert_string_equal(file_text("trace.csv"), "mine\n");
    unlink("trace.csv");
    assert_string_equal(heddle("init trace")->out, "written: trace.yaml\nwritten: trace.csv\n"
                                                   "next: heddle run trace.yaml   (its comments say what to change)\n");
    assert_int_equal(heddle("init trace")->code, 2);
    unlink("trace.yaml");
    unlink("trace.csv");
}

static void init__an_unknown_start(void **state) {
    (void)state;
    heddle_refuses("init leaf",
                   "heddle: error: START leaf: write leaf-spine, clos, file, trace, lab, incast or training",
                   "leaf.yaml");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        CASE(init__every_start_runs_without_a_warning),
        CASE(init__writes_comments),
        CASE(init__replaces_nothing),
        CASE(init__an_unknown_start),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
