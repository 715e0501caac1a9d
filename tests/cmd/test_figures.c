/* SPDX-License-Identifier: Apache-2.0 */
/* heddle report --figures: scripts, data and pictures, and which files they may replace. */
#include "bad_stores.h"
#include "drawn.h"
#include "figure_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Fails the test unless the program refuses `line` with `expected`; figures before the refused one may be drawn. */
static void heddle_refuses_after(const char *line, const char *expected) {
    const struct ended *e = heddle(line);
    assert_int_equal(e->code, 2);
    assert_string_equal(line_of(e->err, 0), expected);
    assert_int_equal(lines_in(e->err), 1);
}

/* ---- figures ---- */

static void figures__files_and_their_numbers(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    /* the store keeps the figure block, so the file is not needed */
    unlink("g.yaml");
    const struct ended *e = heddle("report g.db --figures g-out");
    if (e->code) print_error("%s", e->err);
    assert_int_equal(e->code, 0);
    assert_int_equal(lines_in(e->out), 4 * 5 + 1);
    static const char *const names[] = {"bars", "share", "hosts", "over-time"};
    for (size_t i = 0; i < 4; i++) {
        char path[64];
        snprintf(path, sizeof path, "g-out/%s.svg", names[i]);
        assert_non_null(strstr(file_text(path), i == 3 ? "host" : "expeditus"));
        assert_non_null(strstr(file_text(path), "A 'quoted'"));
        snprintf(path, sizeof path, "g-out/%s.pdf", names[i]);
        assert_int_equal(strncmp(file_text(path), "%PDF", 4), 0);
        snprintf(path, sizeof path, "g-out/%s.png", names[i]);
        assert_int_equal(strncmp(file_text(path), "\x89PNG", 4), 0);
    }
    /* curve, x, y, y_low, y_high, n */
    double y, low, high;
    assert_int_equal(sscanf(strchr(file_text("g-out/bars.csv"), '\n'), " 0,0,%lf,%lf,%lf,2,", &y, &low, &high), 3);
    number_equals(y, "SELECT avg(json_extract(result, '$.fct_us.all.mean')) FROM runs WHERE number IN (1, 2)");
    number_equals(low, "SELECT avg(x) - 12.7062 * (max(x) - min(x)) / 2 FROM (SELECT json_extract(result, "
                       "'$.fct_us.all.mean') AS x FROM runs WHERE number IN (1, 2))");
    number_equals(high, "SELECT avg(x) + 12.7062 * (max(x) - min(x)) / 2 FROM (SELECT json_extract(result, "
                        "'$.fct_us.all.mean') AS x FROM runs WHERE number IN (1, 2))");
    /* the first point is the slowest host, over seeds */
    assert_int_equal(sscanf(strchr(file_text("g-out/hosts.csv"), '\n'), " 0,1,%lf,%lf,%lf,2,", &y, &low, &high), 3);
#define SLOWEST                                                                                                        \
    "(SELECT min(g) AS least FROM (SELECT run, avg(value) / 1e9 AS g FROM samples WHERE kind='goodput' AND "           \
    "run IN (1, 2) GROUP BY run, port) GROUP BY run)"
    number_equals(y, "SELECT avg(least) FROM " SLOWEST);
    number_equals(low, "SELECT avg(least) - 12.7062 * (max(least) - min(least)) / 2 FROM " SLOWEST);
    number_equals(high, "SELECT avg(least) + 12.7062 * (max(least) - min(least)) / 2 FROM " SLOWEST);
    assert_string_equal(line_of(file_text("g-out/numbers.csv"), 0), "metric,ecmp (us),expeditus (us)");
    assert_int_equal(sscanf(line_of(file_text("g-out/numbers.csv"), 1), "mean,%lf,%lf", &y, &high), 2);
    number_equals(y, "SELECT avg(json_extract(result, '$.fct_us.all.mean')) FROM runs WHERE number IN (1, 2)");
    number_equals(high, "SELECT avg(json_extract(result, '$.fct_us.all.mean')) FROM runs WHERE number IN (3, 4)");
    assert_int_not_equal(access("g-out/numbers.gp", F_OK), 0);
}

static void figures__the_script_makes_them_again(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    assert_int_equal(heddle("report g.db --figures g-out")->code, 0);
    struct stat s;
    static const char *const names[] = {"bars", "share", "hosts", "over-time"};
    for (size_t i = 0; i < 4; i++) {
        char line[256];
        snprintf(line, sizeof line, "cd g-out && rm %s.svg %s.pdf && gnuplot %s.gp 2>said", names[i], names[i],
                 names[i]);
        assert_int_equal(system(line), 0);
        assert_string_equal(file_text("g-out/said"), ""); /* gnuplot finds the data of both pictures */
        snprintf(line, sizeof line, "g-out/%s.svg", names[i]);
        assert_int_equal(stat(line, &s), 0);
        assert_true(s.st_size > 0);
    }
}

static int times_in(const char *text, const char *word) {
    int n = 0;
    for (; (text = strstr(text, word)); text++) n++;
    return n;
}

/* Each curve has a style and a legend entry, and so has a reference line; the title is drawn once. */
static void figures__the_script_says(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    file_write("g.yaml",
               DRAWN "figure:\n  - {name: bars, kind: bars, x: metric, series: switch.balance, "
                     "y: [{metric: fct_us.all.mean, label: mean}, {metric: fct_us.all.max, label: longest}]}\n"
                     "  - {name: panels, kind: cdf, panels: switch.balance, y: {metric: fct_us.all}}\n"
                     "  - {name: wanted, kind: cdf, panels: switch.balance, reference: {function: 0.5, label: half}, "
                     "y: {metric: fct_us.all}}\n");
    assert_int_equal(heddle("report g.db --figures g-out --experiment g.yaml")->code, 0);
    const char *script = file_text("g-out/bars.gp");
    assert_non_null(strstr(script, ":3 with boxes ls 1 fs solid 1.0"));
    assert_non_null(strstr(script, ":3 with boxes ls 2 fs solid 1.0"));
    assert_non_null(strstr(script, "title \"ecmp\""));
    assert_int_equal(times_in(script, "unset label 1"), 1);
    script = file_text("g-out/panels.gp");
    assert_int_equal(times_in(script, "unset label 1"), 1);
    const char *first = strstr(script, "    plot "), *unset = strstr(script, "unset label 1");
    assert_true(first && unset && first < unset && strstr(unset, "    plot "));
    assert_int_equal(times_in(script, "set key center"), 0);
    script = file_text("g-out/wanted.gp");
    assert_int_equal(times_in(script, "NaN with lines ls 100 title \"half\""), 1);
}

/* A store of an older version has no figure block; the program then takes that of the experiment file, if it exists. */
static void figures__without_a_block_in_the_store(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    store_change("g.db", "UPDATE figures SET text=NULL");
    assert_int_equal(heddle("report g.db --figures g-out")->code, 0);
    assert_int_equal(access("g-out/bars.csv", F_OK), 0);
    unlink("g.yaml");
    heddle_refuses("report g.db --figures g-new",
                   "g.db: error: 'g' says no figure; give its file a `figure` block and name it with --experiment "
                   "FILE.yaml",
                   "g-new");
}

/* ---- what lies in the folder ---- */

static void figures__keep_what_is_the_users(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    assert_int_equal(heddle("report g.db --figures g-out")->code, 0);
    assert_int_equal(heddle("report g.db --figures g-out")->code, 0); /* replaces its own output */
    char before[1 << 15];
    snprintf(before, sizeof before, "%s", file_text("g-out/share.svg"));
    file_write("g-out/share.csv", "start_us,src,dst,bytes\n1,a,b,3\n");
    heddle_refuses_after("report g.db --figures g-out",
                         "g-out/share.csv: error: this file is there already and is not data of this figure; name "
                         "another folder, or replace it with --force");
    assert_string_equal(file_text("g-out/share.csv"), "start_us,src,dst,bytes\n1,a,b,3\n");
    assert_int_equal(strncmp(file_text("g-out/share.svg"), before, strlen(before)), 0);
    assert_int_equal(heddle("report g.db --figures g-out --force")->code, 0);
    assert_int_equal(strncmp(file_text("g-out/share.csv"), "curve,x,", 8), 0);
    file_write("g-out/bars.svg", "<svg>drawn by hand</svg>");
    heddle_refuses_after(
        "report g.db --figures g-out",
        "g-out/bars.svg: error: this file is there already and is not a picture of such a script; name "
        "another folder, or replace it with --force");
    unlink("g-out/bars.svg");
    file_write("g-out/bars.png", "GIF89a");
    heddle_refuses_after(
        "report g.db --figures g-out",
        "g-out/bars.png: error: this file is there already and is not a picture of such a script; name "
        "another folder, or replace it with --force");
    unlink("g-out/bars.png");
    file_write("g-out/bars.gp", "plot 'of the user'\n");
    heddle_refuses_after("report g.db --figures g-out",
                         "g-out/bars.gp: error: this file is there already and is not a script of heddle report "
                         "--figures; name another folder, or replace it with --force");
    assert_string_equal(file_text("g-out/bars.gp"), "plot 'of the user'\n");
    assert_int_equal(system("test -z \"$(ls -A g-out | grep ^.heddle)\""), 0);
}

/* The program keeps a script that the user changed, and draws the new data with it. */
static void figures__keep_a_restyled_script(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    assert_int_equal(heddle("report g.db --figures g-out")->code, 0);
    assert_int_equal(system("sed -i 's/#0072b2/#123456/' g-out/bars.gp"), 0);
    unlink("g-out/bars.svg");
    const struct ended *e = heddle("report g.db --figures g-out");
    assert_int_equal(e->code, 0);
    assert_string_equal(e->err, "g-out/bars.gp: kept, because it was changed; --force writes it anew\n");
    assert_non_null(strstr(file_text("g-out/bars.gp"), "#123456"));
    assert_non_null(strstr(file_text("g-out/bars.svg"), "18,  52,  86"));
    e = heddle("report g.db --figures g-out --force");
    assert_int_equal(e->code, 0);
    assert_null(strstr(file_text("g-out/bars.gp"), "#123456"));
}

/* The old pictures stay if gnuplot fails. */
static void figures__old_pictures_stay_until_there_are_new_ones(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    assert_int_equal(heddle("report g.db --figures g-out")->code, 0);
    char path[4096], longer[4200];
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    assert_int_equal(
        system("mkdir -p g-bin && printf '#!/bin/sh\\necho no luck\\nexit 1\\n' >g-bin/gnuplot && chmod +x "
               "g-bin/gnuplot"),
        0);
    snprintf(longer, sizeof longer, "%s/g-bin:%s", getcwd((char[256]){0}, 256), path);
    setenv("PATH", longer, 1);
    const struct ended *e = heddle("report g.db --figures g-out");
    setenv("PATH", path, 1);
    assert_int_equal(e->code, 2);
    assert_string_equal(e->err, "error: gnuplot could not draw g-out/bars.gp: no luck\n");
    assert_int_equal(access("g-out/bars.svg", F_OK), 0);
    assert_int_equal(access("g-out/bars.pdf", F_OK), 0);
    assert_int_equal(system("rm -r g-bin; test -z \"$(ls -A g-out | grep ^.heddle)\""), 0);
}

static void figures__two_of_one_name(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    file_write("g.yaml", DRAWN "figure:\n  - {name: a-b, kind: cdf, series: switch.balance, y: {metric: fct_us.all}}\n"
                               "  - {name: a-b, kind: cdf, series: switch.balance, y: {metric: slowdown.all}}\n");
    heddle_refuses("report g.db --figures g-out --experiment g.yaml",
                   "g.db: error: two figures are called 'a-b' and would replace each other; give each its own `name`, "
                   "or draw them into folders of their own",
                   "g-out");
    assert_int_equal(system("cp g.db g2.db"), 0);
    heddle_refuses_after("report g.db g2.db --figures g-out",
                         "g2.db: error: two figures are called 'bars' and would replace each other; give each its own "
                         "`name`, or draw them into folders of their own");
    unlink("g2.db");
}

/* ---- texts that gnuplot could read as its own ---- */

#define HOSTILE                                                                                                        \
    "title: \"'tis 50% \\\"of\\\" `touch g-pwned` \\\\ all\"\n"                                                        \
    "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\nworkload: [{kind: permutation, sizes: 200KB}]\n"      \
    "sweep: {switch.balance: [ecmp, expeditus]}\n"                                                                     \
    "figure: {name: hard, kind: bars, x: metric, series: switch.balance, y: [{metric: fct_us.all.mean, label: "        \
    "\"'50% %g `touch g-pwned`\"}, {metric: fct_us.all.max, label: \"100%\"}]}\n"

static void figures__texts_are_texts(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    figures_of(HOSTILE);
    assert_int_not_equal(access("g-pwned", F_OK), 0);
    assert_int_not_equal(access("g-out/g-pwned", F_OK), 0);
    assert_non_null(strstr(file_text("g-out/hard.svg"), "'tis 50% \"of\" `touch g-pwned` \\ all"));
    assert_non_null(strstr(file_text("g-out/hard.svg"), "'50% %g `touch g-pwned`"));
    assert_non_null(strstr(file_text("g-out/hard.svg"), "100%<"));
}

static void figures__without_gnuplot_it_says_so(void **state) {
    (void)state;
    char path[4096];
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    const struct ended *e = heddle("report g.db --figures g-out");
    setenv("PATH", path, 1);
    assert_int_equal(e->code, 2);
    assert_string_equal(e->err,
                        "error: figures are drawn by gnuplot, which is not installed; apt-get install gnuplot-nox\n");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        DRAWN_CASE(figures__files_and_their_numbers),
        DRAWN_CASE(figures__the_script_makes_them_again),
        DRAWN_CASE(figures__the_script_says),
        DRAWN_CASE(figures__without_a_block_in_the_store),
        DRAWN_CASE(figures__keep_what_is_the_users),
        DRAWN_CASE(figures__keep_a_restyled_script),
        DRAWN_CASE(figures__old_pictures_stay_until_there_are_new_ones),
        DRAWN_CASE(figures__two_of_one_name),
        DRAWN_CASE(figures__texts_are_texts),
        DRAWN_CASE(figures__without_gnuplot_it_says_so),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
