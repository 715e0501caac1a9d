/* SPDX-License-Identifier: Apache-2.0 */
/* The scripts and the data of heddle report --figures: values, axes, labels and where panels lie. */
#include "bad_stores.h"
#include "figure_files.h"

#include <string.h>

static void figures__an_experiment_without_one(void **state) {
    (void)state;
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

/* A case that makes its own store. */
#define OWN_CASE(f) cmocka_unit_test_setup_teardown(f, drawn_remove, drawn_remove)

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        DRAWN_CASE(figures__an_experiment_without_one),
        DRAWN_CASE(figures__a_given_file_is_for_its_own_experiment),
        OWN_CASE(figures__a_tail_with_the_range_of_its_seeds),
        OWN_CASE(figures__a_cdf_of_many_flows_ends_at_one),
        OWN_CASE(figures__a_cdf_shows_the_values_behind_a_summary),
        DRAWN_CASE(figures__a_cdf_of_what_is_not_stored),
        OWN_CASE(figures__settings_with_units_on_the_axis),
        OWN_CASE(figures__logarithmic_axis_of_settings),
        DRAWN_CASE(figures__a_long_label_is_folded),
        OWN_CASE(figures__silent_hosts_are_left_out),
        OWN_CASE(figures__panels_lie_apart),
    };
    if (!program_enter(argc, argv)) return 2;
    pictures_stand_in();
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
