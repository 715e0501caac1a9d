/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that read the files of figures: scripts and data. Tests that look at no picture have a gnuplot that draws none, and
 * take a tenth of the time. */
#ifndef HEDDLE_TESTS_FIGURE_FILES_H
#define HEDDLE_TESTS_FIGURE_FILES_H

#include "drawn.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Puts a program before gnuplot that leaves, of each picture, what tells that gnuplot made it. */
static inline void pictures_stand_in(void) {
    char path[4096], here[2048];
    mkdir("bin", 0755);
    file_write("bin/gnuplot",
               "#!/bin/sh\nn=${1%.gp}\necho '<!-- Produced by GNUPLOT -->' >$n.svg\necho %PDF-1 >$n.pdf\n"
               "printf '\\211PNG\\n' >$n.png\n");
    chmod("bin/gnuplot", 0755);
    snprintf(path, sizeof path, "%s/bin:%s", getcwd(here, sizeof here), getenv("PATH"));
    setenv("PATH", path, 1);
}

/* Fails the test unless the query gives this number, to three digits after the point. */
static inline void number_equals(double a, const char *sql) {
    char scaled[512];
    snprintf(scaled, sizeof scaled, "SELECT cast(round((%s) * 1000) AS INTEGER)", sql);
    long long b = store_number("g.db", scaled);
    assert_true(a * 1000 - (double)b < 1 && (double)b - a * 1000 < 1);
}

/* Runs an experiment into a new g.db and draws its figures into g-out. */
static inline void figures_of(const char *experiment) {
    file_write("g.yaml", experiment);
    unlink("g.db");
    assert_int_equal(heddle("run g.yaml --quiet -o g.db")->code, 0);
    const struct ended *e = heddle("report g.db --figures g-out");
    assert_string_equal(e->err, "");
    assert_int_equal(e->code, 0);
}

#endif
