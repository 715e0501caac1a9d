/* SPDX-License-Identifier: Apache-2.0 */
/* heddle report --figures: scripts, data and pictures, and which files they may replace. */
#include "bad_stores.h"
#include "drawn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void number_equals(double a, const char *sql) {
    char scaled[512];
    snprintf(scaled, sizeof scaled, "SELECT cast(round((%s) * 1000) AS INTEGER)", sql);
    long long b = store_number("g.db", scaled);
    assert_true(a * 1000 - (double)b < 1 && (double)b - a * 1000 < 1);
}

/* Runs an experiment into a new g.db and draws its figures into g-out. */
static void figures_of(const char *experiment) {
    file_write("g.yaml", experiment);
    unlink("g.db");
    assert_int_equal(heddle("run g.yaml --quiet -o g.db")->code, 0);
    const struct ended *e = heddle("report g.db --figures g-out");
    assert_string_equal(e->err, "");
    assert_int_equal(e->code, 0);
}

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

static void figures__an_experiment_without_one(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    unlink("g2.db");
    file_write("g2.yaml", DRAWN);
    assert_int_equal(heddle("run g2.yaml --quiet -o g2.db")->code, 0);
    heddle_refuses("report g2.db --figures g-out",
                   "g2.db: error: 'g2' says no figure; give its file a `figure` block and name it with "
                   "--experiment FILE.yaml",
                   "g-out");
    file_write("g2.yaml", DRAWN "figure: {kind: time, series: switch.balance, y: {metric: queue.mean}}\n");
    heddle_refuses("report g2.db --figures g-out --experiment g2.yaml",
                   "g2.db: error: g2 has nothing to draw: none of its finished runs has samples of queue.mean; run it "
                   "again with `measure` of them",
                   "g-out");
    /* a figure without data is left out if another can be drawn */
    file_write("g2.yaml",
               DRAWN "figure:\n  - {name: silent, kind: time, series: switch.balance, y: {metric: queue.mean}}\n"
                     "  - {name: some, kind: cdf, series: switch.balance, y: {metric: slowdown.all}}\n");
    const struct ended *e = heddle("report g2.db --figures g-out --experiment g2.yaml");
    assert_int_equal(e->code, 0);
    assert_string_equal(line_of(e->err, 0),
                        "g2.db: left out: silent has nothing to draw: none of its finished runs has "
                        "samples of queue.mean; run it again with `measure` of them");
    assert_int_equal(access("g-out/some.pdf", F_OK), 0);
    assert_int_not_equal(access("g-out/silent.csv", F_OK), 0);
    file_write("g2.yaml",
               DRAWN "figure: {name: later, kind: cdf, series: switch.balance, y: {metric: slowdown.all}}\n");
    assert_int_equal(heddle("report g2.db --figures g-out --experiment g2.yaml")->code, 0);
    assert_int_equal(access("g-out/later.pdf", F_OK), 0);
    unlink("g2.db");
    unlink("g2.yaml");
}

/* A file given with --experiment is that of the experiment whose whole name it has: ga.yaml is not for g. */
static void figures__a_given_file_is_for_its_own_experiment(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    file_write("ga.yaml", DRAWN "figure: {name: own, kind: cdf, series: switch.balance, y: {metric: slowdown.all}}\n");
    assert_int_equal(heddle("run ga.yaml --quiet -o g.db")->code, 0);
    file_write("ga.yaml",
               DRAWN "figure: {name: given, kind: cdf, series: switch.balance, y: {metric: slowdown.all}}\n");
    assert_int_equal(heddle("report g.db --figures g-out --experiment ga.yaml")->code, 0);
    assert_int_equal(access("g-out/bars.csv", F_OK), 0);
    assert_int_equal(access("g-out/given.csv", F_OK), 0);
    assert_int_not_equal(access("g-out/own.csv", F_OK), 0);
    unlink("ga.yaml");
}

/* The tail of the seeds together ends at one of all flows; the band holds the share of each seed. */
static void figures__a_tail_with_the_range_of_its_seeds(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    figures_of("fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}\n"
               "workload: [{kind: poisson, sizes: web-search, load: 0.3, load_at: host, flows: 200}]\n"
               "measure: {queues: 100us}\nsweep: {run.seed: [1, 2, 3]}\n"
               "figure:\n  - {name: tail, kind: ccdf, y: {metric: fct_us.all}, log: xy, band: range}\n"
               "  - {name: queues, kind: time, y: {metric: queue.max}, every: 200us, band: interval}\n");
    const char *text = file_text("g-out/tail.csv");
    double x = 0, y = 1, low, high, share = 1, longest = 0;
    for (int i = 1; i < lines_in(text); i++) {
        assert_int_equal(sscanf(line_of(text, i), "%*d,%lf,%lf,%lf,%lf,600,", &x, &y, &low, &high), 4);
        assert_true(y <= share && x >= longest && low <= y && y <= high && low > 0);
        share = y, longest = x;
    }
    assert_float_equal(share, 1.0 / 600, 1e-9);
    assert_non_null(strstr(file_text("g-out/tail.gp"), "with fsteps"));
    assert_non_null(strstr(file_text("g-out/queues.csv"), ",3,,,,B"));
}

/* The curve of many flows leaves flows out, but not the last: shares rise to 1, and every point is a flow's. */
static void figures__a_cdf_of_many_flows_ends_at_one(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    figures_of("fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 8}\n"
               "workload: [{kind: poisson, sizes: web-search, load: 0.3, load_at: host, flows: 3000}]\n"
               "figure: {name: many, kind: cdf, y: {metric: fct_us.all, unit: us}}\n");
    const char *text = file_text("g-out/many.csv");
    double x, y, longest = 0, share = 0;
    int points = 0;
    for (int i = 1; i < lines_in(text); i++, points++) {
        assert_int_equal(sscanf(line_of(text, i), "%*d,%lf,%lf,", &x, &y), 2);
        assert_true(y >= share && y <= 1 && x >= longest);
        longest = x, share = y;
    }
    assert_true(points > 100);
    assert_float_equal(share, 1, 1e-9);
}

/* Many values of each kind: two classes of sizes, queries of two priorities and sets of two widths. */
#define MANY_VALUES                                                                                                    \
    "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4, rate: 1Gbps}\n"                                        \
    "switch: {balance: ecmp, classes: 8, schedule: strict}\n"                                                          \
    "workload:\n"                                                                                                      \
    "  - {kind: web-partition, schedule: [{for: 10ms, rate: 300/s}], responses: [2KB], fanout: [2, 3], priority: 7, "  \
    "stop: 20ms}\n"                                                                                                    \
    "  - {kind: permutation, sizes: 200KB}\n"                                                                          \
    "  - {kind: permutation, sizes: 20KB}\n"                                                                           \
    "  - {kind: query, responses: [2KB, 8KB], queries: 40, schedule: [{for: 10ms, rate: 1000/s}]}\n"                   \
    "measure: {classes: [50KB], imbalance: 1ms}\n"

/* The query for one field of a summary in the result of the only run. */
static const char *summary_sql(const char *metric, const char *field, char sql[256]) {
    snprintf(sql, 256, "SELECT json_extract(result, '$.%s.%s') FROM runs", metric, field);
    return sql;
}

/* A cdf draws the very values that the run summed up: as many, the same mean and the same largest. Its points are the
 * values in order. */
static void figures__a_cdf_shows_the_values_behind_a_summary(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    static const char *const metrics[] = {
        "fct_us.all",          "fct_us.mice",        "fct_us.under_50KB",
        "fct_us.from_50KB",    "slowdown.from_50KB", "goodput_mbps.all",
        "goodput_mbps.medium", "queries.all",        "queries.8KB",
        "queries.sets.all",    "queries.sets.3",     "queries.by_priority.7.2KB",
        "imbalance.tor",       "queries.sets.2",     "queries.by_priority.0.all",
    };
    size_t n = sizeof metrics / sizeof *metrics;
    char text[4096] = MANY_VALUES "figure:\n";
    for (size_t i = 0; i < n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "  - {name: f%zu, kind: cdf, y: {metric: %s}}\n", i,
                 metrics[i]);
    figures_of(text);
    for (size_t i = 0; i < n; i++) {
        char path[64], sql[256];
        snprintf(path, sizeof path, "g-out/f%zu.csv", i);
        const char *points = file_text(path);
        double x = 0, sum = 0;
        int count = lines_in(points) - 2; /* after the line of names and the point at 0 */
        for (int k = 2; k < count + 2; k++) {
            double before = x;
            assert_int_equal(sscanf(line_of(points, k), "0,%lf,", &x), 1);
            assert_true(x >= before);
            sum += x;
        }
        if (count != store_number("g.db", summary_sql(metrics[i], "n", sql)))
            fail_msg("%s: %d points", metrics[i], count);
        number_equals(sum / count, summary_sql(metrics[i], "mean", sql));
        number_equals(x, summary_sql(metrics[i], "max", sql));
    }
}

/* What a cdf cannot show is refused with the metrics that it can. */
static void figures__a_cdf_of_what_is_not_stored(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    file_write("g2.yaml",
               DRAWN "figure: {name: x, kind: cdf, series: switch.balance, y: {metric: handshake_us.all}}\n");
    heddle_refuses("report g.db --figures g-out --experiment g2.yaml",
                   "g.db: error: the values behind handshake_us.all are not stored; a cdf or a rank can show one of: "
                   "fct_us, slowdown, "
                   "goodput_mbps, goodput_gbps, queries, imbalance, reorder",
                   "g-out");
    unlink("g2.yaml");
}

/* Settings with units are numbers of one unit on their axis. */
static void figures__settings_with_units_on_the_axis(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    figures_of("fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\n"
               "workload: {kind: permutation, sizes: 20KB}\n"
               "sweep: {fabric.delay: [2us, 500ns]}\n"
               "figure: {name: a, kind: lines, x: fabric.delay, y: {metric: fct_us.all.mean}}\n");
    double slow, fast;
    const char *points = file_text("g-out/a.csv");
    assert_int_equal(sscanf(line_of(points, 1), "0,2,%lf,", &slow), 1);
    assert_int_equal(sscanf(line_of(points, 2), "0,0.5,%lf,", &fast), 1);
    number_equals(slow, "SELECT json_extract(result, '$.fct_us.all.mean') FROM runs WHERE number=1");
    number_equals(fast, "SELECT json_extract(result, '$.fct_us.all.mean') FROM runs WHERE number=2");
    assert_non_null(strstr(file_text("g-out/a.gp"), "delay (µs)"));
}

/* A logarithmic axis has ticks at powers of two if all its settings are, else at powers of ten. */
static void figures__logarithmic_axis_of_settings(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    static const char *const delays[] = {"[1us, 2us, 8us]", "[1us, 3us]"};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(
            text, sizeof text,
            "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\nworkload: {kind: permutation, sizes: 20KB}\n"
            "sweep: {fabric.delay: %s, switch.balance: [ecmp, spray]}\n"
            "figure: {name: a, kind: lines, x: fabric.delay, series: switch.balance, log: x, y: {metric: "
            "fct_us.all.mean}}\n",
            delays[i]);
        assert_int_equal(system("rm -rf g-out"), 0);
        figures_of(text);
        assert_non_null(strstr(file_text("g-out/a.gp"), i ? "logscale x 10" : "logscale x 2\n"));
    }
}

/* A label that is longer than its axis is folded at the blank nearest to its middle. */
static void figures__a_long_label_is_folded(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    file_write("g2.yaml",
               DRAWN "figure: {name: a, kind: bars, x: switch.balance, y: {metric: fct_us.all.mean}, y_label: a "
                     "mean over all of the flows that were started and that have ended in the run}\n");
    assert_int_equal(heddle("report g.db --figures g-out --experiment g2.yaml")->code, 0);
    assert_non_null(
        strstr(file_text("g-out/a.gp"),
               "a mean over all of the flows that were\".\"\\n\".\"started and that have ended in the run"));
    unlink("g2.yaml");
}

/* Hosts that receive nothing, whose samples are all 0, have no curve and no place in the legend. */
static void figures__silent_hosts_are_left_out(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    figures_of("fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\n"
               "workload: {kind: long, src: 0, dst: 3, stop: 500us}\nrun: {until: 500us}\n"
               "measure: {goodput: 100us}\n"
               "figure: {name: a, kind: time, series: host, y: {metric: goodput.host}}\n");
    store_change("g.db", "INSERT INTO samples SELECT run, at_ps, 0, kind, 0 FROM samples WHERE port = 3");
    assert_int_equal(heddle("report g.db --figures g-out --force")->code, 0);
    const char *script = file_text("g-out/a.gp");
    assert_non_null(strstr(script, "host1.1"));
    assert_null(strstr(script, "host0.0"));
}

/* ---- where panels and the legend lie ---- */

struct box {
    double left, right, top, bottom;
};

/* Reads the boxes of a script, in shares of the picture, and its height in pixels. Returns their number. */
static size_t boxes_of(const char *path, struct box *box, size_t most, int *height) {
    const char *script = file_text(path), *at = script;
    int width;
    assert_int_equal(sscanf(strstr(script, "noenhanced size "), "noenhanced size %d,%d", &width, height), 2);
    size_t n = 0;
    for (; n < most && (at = strstr(at, "set lmargin at screen ")); at++, n++)
        assert_int_equal(sscanf(at,
                                "set lmargin at screen %lf set rmargin at screen %lf set tmargin at screen %lf set "
                                "bmargin at screen %lf",
                                &box[n].left, &box[n].right, &box[n].top, &box[n].bottom),
                         4);
    return n;
}

static bool lie_apart(const struct box *a, const struct box *b) {
    return a->right <= b->left || b->right <= a->left || a->top <= b->bottom || b->top <= a->bottom;
}

/* A legend and five panels in rows: all in the picture, none over another, the legend on top; panels have one size. Long
 * names of categories are turned, and the picture grows by the room they take: panels keep their height. */
static void figures__panels_lie_apart(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
#define LONG "flows that have ended before the end of the run and were counted"
    static const char *const labels[] = {"label: mean}", "label: \"" LONG "\"}"};
    double pixels[2] = {0};
    int picture[2];
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\n"
                 "workload: {kind: permutation, sizes: 20KB}\n"
                 "sweep: {switch.balance: [ecmp, spray], fabric.delay: [1us, 2us, 3us, 4us, 5us]}\n"
                 "figure: {name: a, kind: bars, x: metric, series: switch.balance, panels: fabric.delay, y: [{metric: "
                 "fct_us.all.mean, %s, {metric: fct_us.all.max, label: longest}]}\n",
                 labels[i]);
        assert_int_equal(system("rm -rf g-out"), 0);
        figures_of(text);
        struct box box[8];
        assert_int_equal(boxes_of("g-out/a.gp", box, 8, &picture[i]), 6);
        size_t legend = 0;
        for (size_t k = 0; k < 6; k++) {
            assert_true(0 <= box[k].left && box[k].left < box[k].right && box[k].right <= 1);
            assert_true(0 <= box[k].bottom && box[k].bottom < box[k].top && box[k].top <= 1);
            for (size_t j = 0; j < k; j++) assert_true(lie_apart(&box[j], &box[k]));
            if (box[k].top > box[legend].top) legend = k;
        }
        assert_true(box[legend].left < 0.02 && box[legend].right > 0.98);
        for (size_t k = 0; k < 6; k++) {
            if (k == legend) continue;
            double high = (box[k].top - box[k].bottom) * picture[i];
            if (pixels[i] == 0) pixels[i] = high;
            assert_true(high > pixels[i] - 1 && high < pixels[i] + 1);
        }
    }
    assert_true(picture[1] > picture[0]);
    assert_true(pixels[0] > 50 && pixels[1] > pixels[0] - 1 && pixels[1] < pixels[0] + 1);
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
        DRAWN_CASE(figures__an_experiment_without_one),
        DRAWN_CASE(figures__a_given_file_is_for_its_own_experiment),
        DRAWN_CASE(figures__a_tail_with_the_range_of_its_seeds),
        DRAWN_CASE(figures__a_cdf_of_many_flows_ends_at_one),
        DRAWN_CASE(figures__a_cdf_shows_the_values_behind_a_summary),
        DRAWN_CASE(figures__a_cdf_of_what_is_not_stored),
        DRAWN_CASE(figures__settings_with_units_on_the_axis),
        DRAWN_CASE(figures__logarithmic_axis_of_settings),
        DRAWN_CASE(figures__a_long_label_is_folded),
        DRAWN_CASE(figures__silent_hosts_are_left_out),
        DRAWN_CASE(figures__panels_lie_apart),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
