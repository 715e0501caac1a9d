/* SPDX-License-Identifier: Apache-2.0 */
/* Figures, exports and summaries as a user makes them. argv[1] is the program. */
#include "bad_stores.h"
#include "program.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SMALL                                                                                                          \
    "title: \"A 'quoted', \\\"named\\\" run\"\n"                                                                       \
    "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\nworkload: [{kind: permutation, sizes: 200KB}]\n"      \
    "measure: {goodput: 20us}\nsweep: {switch.balance: [ecmp, expeditus], run.seed: [1, 2]}\n"
#define FIGURE                                                                                                         \
    "figure:\n  - {name: bars, kind: bars, x: metric, series: switch.balance, "                                        \
    "y: [{metric: fct_us.all.mean, label: mean}, {metric: fct_us.all.max, label: longest}]}\n"                         \
    "  - {name: share, kind: cdf, series: switch.balance, y: {metric: fct_us.all, unit: ms}}\n"                        \
    "  - {name: hosts, kind: rank, series: switch.balance, y: {metric: goodput_gbps}}\n"                               \
    "  - {name: over-time, kind: time, series: host, panels: switch.balance, y: {metric: goodput.host}}\n"             \
    "  - {name: numbers, kind: table, x: metric, series: switch.balance, "                                             \
    "y: [{metric: fct_us.all.mean, label: mean}, {metric: fct_us.all.max, label: longest}]}\n"

static bool has_gnuplot(void) { return system("command -v gnuplot >/dev/null 2>&1") == 0; }

/* The whole file, static; "" if there is none. */
static const char *file_text(const char *path) {
    static char text[1 << 18];
    FILE *in = fopen(path, "r");
    size_t n = in ? fread(text, 1, sizeof text - 1, in) : 0;
    if (in) fclose(in);
    text[n] = '\0';
    return text;
}

static void number_equals(double a, const char *sql) {
    char scaled[512];
    snprintf(scaled, sizeof scaled, "SELECT cast(round((%s) * 1000) AS INTEGER)", sql);
    long long b = store_number("g.db", scaled);
    assert_true(a * 1000 - (double)b < 1 && (double)b - a * 1000 < 1);
}

/* Refused with this line, though others may have been drawn before. */
static void heddle_refuses_after(const char *line, const char *expected) {
    const struct ended *e = heddle(line);
    assert_int_equal(e->code, 2);
    assert_string_equal(line_of(e->err, 0), expected);
    assert_int_equal(lines_in(e->err), 1);
}

static int setup(void **state) {
    (void)state;
    unlink("g.db");
    if (system("rm -rf g-out g-csv") != 0) return -1;
    file_write("g.yaml", SMALL FIGURE);
    return heddle("run g.yaml --quiet -o g.db")->code;
}

/* ---- figures ---- */

static void figures__files_and_their_numbers(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    /* the store keeps the figures: the file is not needed any more */
    unlink("g.yaml");
    const struct ended *e = heddle("report g.db --figures g-out");
    if (e->code) print_error("%s", e->err);
    assert_int_equal(e->code, 0);
    assert_int_equal(lines_in(e->out), 4 * 4 + 1);
    static const char *const names[] = {"bars", "share", "hosts", "over-time"};
    for (size_t i = 0; i < 4; i++) {
        char path[64];
        snprintf(path, sizeof path, "g-out/%s.svg", names[i]);
        assert_non_null(strstr(file_text(path), i == 3 ? "host" : "expeditus"));
        assert_non_null(strstr(file_text(path), "A 'quoted'"));
        snprintf(path, sizeof path, "g-out/%s.pdf", names[i]);
        assert_int_equal(strncmp(file_text(path), "%PDF", 4), 0);
    }
    /* curve, x, y, y_low, y_high, n */
    double y, low, high;
    assert_int_equal(sscanf(strchr(file_text("g-out/bars.csv"), '\n'), " 0,0,%lf,%lf,%lf,2,", &y, &low, &high), 3);
    number_equals(y, "SELECT avg(json_extract(result, '$.fct_us.all.mean')) FROM runs WHERE number IN (1, 2)");
    number_equals(low, "SELECT avg(x) - 12.7062 * (max(x) - min(x)) / 2 FROM (SELECT json_extract(result, "
                       "'$.fct_us.all.mean') AS x FROM runs WHERE number IN (1, 2))");
    number_equals(high, "SELECT avg(x) + 12.7062 * (max(x) - min(x)) / 2 FROM (SELECT json_extract(result, "
                        "'$.fct_us.all.mean') AS x FROM runs WHERE number IN (1, 2))");
    /* the slowest host of each seed */
    assert_int_equal(sscanf(strchr(file_text("g-out/hosts.csv"), '\n'), " 0,1,%lf,%lf,%lf,2,", &y, &low, &high), 3);
#define SLOWEST                                                                                                        \
    "(SELECT min(g) AS least FROM (SELECT run, avg(value) / 1e9 AS g FROM samples WHERE kind='goodput' AND "           \
    "run IN (1, 2) GROUP BY run, port) GROUP BY run)"
    number_equals(y, "SELECT avg(least) FROM " SLOWEST);
    number_equals(low, "SELECT avg(least) - 12.7062 * (max(least) - min(least)) / 2 FROM " SLOWEST);
    number_equals(high, "SELECT avg(least) + 12.7062 * (max(least) - min(least)) / 2 FROM " SLOWEST);
    assert_string_equal(line_of(file_text("g-out/numbers.csv"), 0), "metric,ecmp (us),expeditus (us)");
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
        assert_string_equal(file_text("g-out/said"), ""); /* it finds the data for both pictures */
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

/* Curves have styles of their own, a legend names each, a reference line too; the title is drawn once. */
static void figures__the_script_says(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    file_write("g.yaml",
               SMALL "figure:\n  - {name: bars, kind: bars, x: metric, series: switch.balance, "
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

/* A store of before figures has no block: that of its file is taken, if the file is there. */
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
    assert_int_equal(heddle("report g.db --figures g-out")->code, 0); /* our own output is replaced */
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
    file_write("g-out/bars.gp", "plot 'of the user'\n");
    heddle_refuses_after("report g.db --figures g-out",
                         "g-out/bars.gp: error: this file is there already and is not a script of heddle report "
                         "--figures; name another folder, or replace it with --force");
    assert_string_equal(file_text("g-out/bars.gp"), "plot 'of the user'\n");
    assert_int_equal(system("test -z \"$(ls -A g-out | grep ^.heddle)\""), 0);
}

/* A script that its user changed draws the new data. */
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

/* The pictures of last time stay when gnuplot fails. */
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
    file_write("g.yaml", SMALL "figure:\n  - {name: a-b, kind: cdf, series: switch.balance, y: {metric: fct_us.all}}\n"
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
    file_write("g.yaml", HOSTILE);
    unlink("g.db");
    assert_int_equal(heddle("run g.yaml --quiet -o g.db")->code, 0);
    const struct ended *e = heddle("report g.db --figures g-out");
    assert_string_equal(e->err, "");
    assert_int_equal(e->code, 0);
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
    file_write("g2.yaml", SMALL);
    assert_int_equal(heddle("run g2.yaml --quiet -o g2.db")->code, 0);
    heddle_refuses("report g2.db --figures g-out",
                   "g2.db: error: 'g2' says no figure; give its file a `figure` block and name it with "
                   "--experiment FILE.yaml",
                   "g-out");
    file_write("g2.yaml", SMALL "figure: {kind: time, series: switch.balance, y: {metric: queue.mean}}\n");
    heddle_refuses("report g2.db --figures g-out --experiment g2.yaml",
                   "g2.db: error: g2 has nothing to draw: none of its finished runs has samples of queue.mean; run it "
                   "again with `measure` of them",
                   "g-out");
    /* beside another that can be drawn it is left out */
    file_write("g2.yaml",
               SMALL "figure:\n  - {name: silent, kind: time, series: switch.balance, y: {metric: queue.mean}}\n"
                     "  - {name: some, kind: cdf, series: switch.balance, y: {metric: slowdown.all}}\n");
    const struct ended *e = heddle("report g2.db --figures g-out --experiment g2.yaml");
    assert_int_equal(e->code, 0);
    assert_string_equal(line_of(e->err, 0),
                        "g2.db: left out: silent has nothing to draw: none of its finished runs has "
                        "samples of queue.mean; run it again with `measure` of them");
    assert_int_equal(access("g-out/some.pdf", F_OK), 0);
    assert_int_not_equal(access("g-out/silent.csv", F_OK), 0);
    file_write("g2.yaml",
               SMALL "figure: {name: later, kind: cdf, series: switch.balance, y: {metric: slowdown.all}}\n");
    assert_int_equal(heddle("report g2.db --figures g-out --experiment g2.yaml")->code, 0);
    assert_int_equal(access("g-out/later.pdf", F_OK), 0);
    unlink("g2.db");
    unlink("g2.yaml");
}

/* ---- export ---- */

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

/* Who paused whom is a table like the others, where a run has any. */
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

/* ---- text ---- */

static void text__fits_a_narrow_terminal(void **state) {
    (void)state;
    setenv("COLUMNS", "60", 1);
    const struct ended *e = heddle("report g.db --text");
    unsetenv("COLUMNS");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "g: 4 runs done"));
    assert_non_null(strstr(e->out, "switch.balance: ecmp, expeditus"));
    for (int i = 0; i < lines_in(e->out); i++) assert_true(strlen(line_of(e->out, i)) <= 60);
}

/* ---- names and titles as they may come ---- */

static void says_no_escape(const char *line) {
    const struct ended *e = heddle(line);
    if (strchr(e->out, '\x1b') || strchr(e->err, '\x1b')) fail_msg("%s steers the terminal", line);
    assert_true(e->code <= 1);
}

static void text__nothing_steers_the_terminal(void **state) {
    (void)state;
    file_write("g3.yaml", "title: \"\\e[31mred\\a\"\n"
                          "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\n"
                          "workload: [{kind: permutation, sizes: 2KB}]\nmeasure: {flow: [0]}\n");
    says_no_escape("run g3.yaml -o g3.db");
    says_no_escape("report g3.db --text");
    store_change("g3.db",
                 "UPDATE experiments SET title = char(27) || '[31mred'; UPDATE nodes SET name = char(27) || node;"
                 "UPDATE runs SET result = json_set(result, '$.settings', json('{\"a\": \"\\u001b[31m\"}'))");
    says_no_escape("report g3.db --text");
    says_no_escape("report g3.db -o g3.html");
    says_no_escape("flow g3.db 0");
    const struct ended *e = heddle("run \x1b[31m.yaml");
    assert_int_equal(e->code, 2);
    assert_null(strchr(e->err, '\x1b'));
    unlink("g3.db");
    unlink("g3.yaml");
    unlink("g3.html");
}

static void page__a_store_whose_name_is_no_utf8(void **state) {
    (void)state;
    assert_int_equal(rename("g.db", "caf\xe9.db"), 0);
    assert_int_equal(heddle("report caf\xe9.db")->code, 0);
    const char *page = file_text("caf\xe9.html");
    assert_non_null(strstr(page, "<title>A 'quoted', &quot;named&quot; run</title>"));
    unlink("caf\xe9.html");
    unlink("caf\xe9.db");
}

static void flow__numbers_end_at_32_bits(void **state) {
    (void)state;
    heddle_refuses("flow g.db 4294967296", "heddle: error: ID 4294967296: write a number from 0 to 4294967294", "none");
    heddle_refuses("flow g.db -1", "heddle: error: unknown option '-1'; see heddle flow --help", "none");
}

/* ---- claims ---- */

#define COMPARED                                                                                                       \
    "expect:\n  - {claim: C, metric: fct_us.all.mean, of: {switch.balance: expeditus}, against: {switch.balance: "     \
    "ecmp}, ratio: [0, null]}\n  - {claim: C, metric: fct_us.all.mean, of: {switch.balance: ecmp}, value: [0, "        \
    "null]}\n"

/* Claims of one name say what they compare: after the run, as text and as a table. */
static void claims__of_one_name_are_told_apart(void **state) {
    (void)state;
    file_write("g.yaml", SMALL COMPARED);
    assert_int_equal(heddle("run g.yaml --quiet -o g.db")->code, 0);
    const struct ended *e = heddle("run g.yaml -o g.db");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "\n  C              fct_us.all.mean: expeditus against ecmp "));
    assert_non_null(strstr(e->out, "\n  C              fct_us.all.mean: switch.balance ecmp "));
    e = heddle("report g.db --text");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "C, expeditus against ecmp: "));
    assert_non_null(strstr(e->out, "C, switch.balance ecmp: "));
    assert_int_equal(heddle("export g.db --csv g-csv")->code, 0);
    assert_non_null(strstr(line_of(file_text("g-csv/claims.csv"), 0), ",note,subject,against"));
    assert_non_null(
        strstr(line_of(file_text("g-csv/claims.csv"), 1),
               ",\"{\"\"switch.balance\"\":\"\"expeditus\"\"}\",\"{\"\"switch.balance\"\":\"\"ecmp\"\"}\""));
    assert_non_null(strstr(line_of(file_text("g-csv/claims.csv"), 2), ",\"{\"\"switch.balance\"\":\"\"ecmp\"\"}\","));
}

/* ---- stores with nothing to show, and folders that cannot be made ---- */

/* Export, text and figures refuse g.db with this line, and no folder is made. */
static void all_refuse(const char *line) {
    heddle_refuses("export g.db --csv g-csv", line, "g-csv");
    heddle_refuses("report g.db --text", line, "g-csv");
    if (has_gnuplot()) heddle_refuses("report g.db --figures g-out", line, "g-out");
}

static void bad_store__every_command_says_why(void **state) {
    for (size_t i = 0; i < N_BAD_STORES; i++) {
        char line[256];
        assert_int_equal(setup(state), 0);
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

/* A path below a file: nobody may write there, not even root. */
static void bad_folder__one_line(void **state) {
    (void)state;
    const char *line = "g.yaml/x: error: cannot make this folder: Not a directory; name another";
    heddle_refuses("export g.db --csv g.yaml/x", line, "g.yaml/x");
    if (has_gnuplot()) heddle_refuses("report g.db --figures g.yaml/x", line, "g.yaml/x");
}

static void export__refuses_what_it_cannot_do(void **state) {
    (void)state;
    heddle_refuses("export g.db --csv g.db", "g.db: error: cannot make this folder: File exists; name another",
                   "x.csv");
    heddle_refuses("export g.db", "heddle: error: --csv is missing; write heddle export RESULTS.db --csv DIR", "x.csv");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(figures__files_and_their_numbers, setup),
        cmocka_unit_test_setup(figures__the_script_makes_them_again, setup),
        cmocka_unit_test_setup(figures__the_script_says, setup),
        cmocka_unit_test_setup(figures__without_a_block_in_the_store, setup),
        cmocka_unit_test_setup(figures__keep_what_is_the_users, setup),
        cmocka_unit_test_setup(figures__keep_a_restyled_script, setup),
        cmocka_unit_test_setup(figures__old_pictures_stay_until_there_are_new_ones, setup),
        cmocka_unit_test_setup(figures__two_of_one_name, setup),
        cmocka_unit_test_setup(figures__texts_are_texts, setup),
        cmocka_unit_test_setup(figures__without_gnuplot_it_says_so, setup),
        cmocka_unit_test_setup(figures__an_experiment_without_one, setup),
        cmocka_unit_test_setup(export__every_table_with_its_rows, setup),
        cmocka_unit_test_setup(export__several_stores_into_one_set_of_files, setup),
        cmocka_unit_test_setup(export__pauses, setup),
        cmocka_unit_test_setup(export__replaces_nothing_without_force, setup),
        cmocka_unit_test_setup(text__fits_a_narrow_terminal, setup),
        cmocka_unit_test_setup(text__nothing_steers_the_terminal, setup),
        cmocka_unit_test_setup(page__a_store_whose_name_is_no_utf8, setup),
        cmocka_unit_test_setup(flow__numbers_end_at_32_bits, setup),
        cmocka_unit_test_setup(claims__of_one_name_are_told_apart, setup),
        cmocka_unit_test(bad_store__every_command_says_why),
        cmocka_unit_test_setup(bad_store__no_finished_run, setup),
        cmocka_unit_test_setup(bad_store__no_experiment, setup),
        cmocka_unit_test_setup(bad_folder__one_line, setup),
        cmocka_unit_test_setup(export__refuses_what_it_cannot_do, setup),
    };
    if (argc < 2) {
        fprintf(stderr, "usage: test_figures PROGRAM\n");
        return 2;
    }
    program = realpath(argv[1], NULL);
    char folder[] = "/tmp/heddle-test-XXXXXX";
    if (!program || !mkdtemp(folder) || chdir(folder) != 0) return 2;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (chdir("/") == 0) rmdir(folder);
    return failed;
}
