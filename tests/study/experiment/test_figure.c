/* SPDX-License-Identifier: Apache-2.0 */
/* The figure block, and the numbers of figures from results. */
#include "study/config/schema.h"
#include "study/experiment/sampled.h"
#include "study/figures/draw.h"
#include "study/figures/layout.h"
#include "study/figures/plot.h"
#include "study/print/csv.h"

#include "study_test.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#define SWEEP                                                                                                          \
    STAR "workload: [{kind: poisson, sizes: 1KB, load: 0.1, load_at: host, flows: 3}]\n"                               \
         "sweep: {switch.balance: [ecmp, expeditus], workload.0.load: [0.3, 0.5], run.seed: [1, 2]}\n"
#define LINES "x: workload.0.load, series: switch.balance, "
#define P95 "y: [{metric: fct_us.mice.p95}]"

/* ---- reading ---- */

static void refuse_figure(const char *figure, const char *line) {
    char text[2048];
    snprintf(text, sizeof text, SWEEP "figure: {%s}\n", figure);
    refuse(text, line);
}

static void figure__leaves_identity_and_configuration_alone(void **state) {
    (void)state;
    struct experiment *without = read_text(SWEEP), *with = read_text(SWEEP "figure: {" LINES P95 "}\n");
    for (size_t i = 0; i < with->n_runs; i++) {
        assert_string_equal(with->run[i].identity, without->run[i].identity);
        assert_string_equal(with->run[i].text, without->run[i].text);
    }
    experiment_free(with);
    experiment_free(without);
}

static void figure__mistakes_are_named_with_their_place(void **state) {
    (void)state;
    refuse_figure(LINES, "x.yaml:4:9: error: 'y' is missing; say what is drawn: y: [{metric: fct_us.mice.p95}]");
    refuse_figure("series: switch.balance, " P95,
                  "x.yaml:4:9: error: 'x' is missing; name a swept key, or metric for the items of y");
    refuse_figure("x: workload.0.lod, series: switch.balance, " P95,
                  "x.yaml:4:13: error: 'workload.0.lod' is not swept, so no runs differ in it; did you mean "
                  "'workload.0.load'?");
    refuse_figure("x: workload.0.load, " P95,
                  "x.yaml:4:9: error: the figure leaves 'switch.balance' open; name it in x, series, panels or of");
    refuse_figure(LINES "of: {workload.0.load: 0.4}, " P95,
                  "x.yaml:4:76: error: '0.4' is no value that workload.0.load is swept over");
    refuse_figure(LINES "serie: a, " P95,
                  "x.yaml:4:54: error: unknown key 'serie' in figure.0; did you mean 'series'?");
    refuse_figure(
        LINES "kind: pie, " P95,
        "x.yaml:4:60: error: figure.0.kind: 'pie' is unknown; write one of: lines, bars, cdf, rank, time, table");
    refuse_figure(LINES "y: {metric: fct_us.mice.p95, unit: KB}",
                  "x.yaml:4:89: error: fct_us.mice.p95 is in us, which cannot be told in KB");
    refuse_figure(LINES "reference: {function: \"system(1)\"}, " P95,
                  "x.yaml:4:76: error: a function is made of numbers, x and + - * / ( )");
    refuse_figure(LINES "name: ../up, " P95,
                  "x.yaml:4:60: error: a figure's name is made of letters, digits, . _ and -");
}

static void figure__a_metric_must_be_one(void **state) {
    (void)state;
    struct diag d = {0};
    assert_null(read_with(SWEEP "figure: {" LINES "y: {metric: fct_us.mouse.p95}}\n", NULL, NULL, 0, &d));
    assert_int_equal(d.line, 4);
    assert_non_null(strstr(d.text, "at 'mouse' known are: all, mice, medium, elephant"));
    /* a cdf needs the values behind a summary, not a single number */
    assert_null(read_with(SWEEP "figure: {kind: cdf, series: [switch.balance, workload.0.load], " P95 "}\n", NULL, NULL,
                          0, &d));
}

/* null leaves one end of a range open. */
static void figure__open_ranges(void **state) {
    (void)state;
    experiment_free(read_text(SWEEP "figure: {" LINES "y_range: [null, 5], x_range: [0.5, null], " P95 "}\n"));
    experiment_free(read_text(SWEEP "figure: {" LINES "y_range: [null, null], " P95 "}\n"));
    refuse_figure(LINES "y_range: [null, a], " P95, "x.yaml:4:70: error: write a number");
    refuse_figure(LINES "y_range: [5, 5], " P95, "x.yaml:4:63: error: the range is empty: low is not under high");
}

/* ---- numbers: runs in order ecmp 0.3 s1, s2, 0.5 s1, s2, expeditus likewise ---- */

struct made {
    struct experiment *e;
    struct store_reader store;
    struct experiment_row experiment;
    struct run_row run[8];
    struct figure_axes axes;
    struct figures f;
    struct plot p;
};

static void make(struct made *m, const char *figure, const double *p95) {
    char text[2048];
    struct diag d = {0};
    memset(m, 0, sizeof *m);
    snprintf(text, sizeof text, SWEEP "figure: {%s}\n", figure);
    m->e = read_text(text);
    m->experiment = (struct experiment_row){.name = "made", .title = "made"};
    m->store = (struct store_reader){.path = (char *)"made.db", .experiment = &m->experiment, .n_experiments = 1};
    m->store.run = m->run;
    m->store.n_runs = m->e->n_runs;
    for (size_t i = 0; i < m->e->n_runs; i++) {
        m->run[i] = (struct run_row){.number = (uint32_t)i + 1, .status = RUN_DONE, .settings = m->e->run[i].settings};
        m->run[i].result = json_pack("{s:{s:i},s:{s:{s:f}}}", "flows", "unfinished", isnan(p95[i]) ? 1 : 0, "fct_us",
                                     "mice", "p95", isnan(p95[i]) ? 0.0 : p95[i]);
    }
    struct plot_input in = {&m->store, 0};
    plot_axes(&in, &m->axes);
    assert_true(figures_read(tree_get(m->e->root, "figure"), &m->axes, true, &m->f, &d));
    if (!plot_make(&m->f.item[0], &in, &m->p, &d)) fail_msg("%s", d.text);
}

static void made_free(struct made *m) {
    for (size_t i = 0; i < m->store.n_runs; i++) json_decref(m->run[i].result);
    plot_free(&m->p);
    figures_free(&m->f);
    figure_axes_free(&m->axes);
    experiment_free(m->e);
}

static const double usual[] = {100, 200, 400, 400, 80, 120, 300, 200};

static void near(double a, double b) { assert_true(fabs(a - b) < 1e-12); }

static void plot__mean_and_interval_over_seeds(void **state) {
    (void)state;
    struct made m;
    make(&m, LINES "y: {metric: fct_us.mice.p95, unit: ms}", usual);
    assert_int_equal(m.p.n_panels, 1);
    assert_int_equal(m.p.series.n, 2);
    assert_string_equal(m.p.series.text[1], "expeditus");
    const struct plot_point *q = &m.p.panel[0].curve[0].point[0];
    near(q->x, 0.3);
    near(q->y, 0.15);
    near(q->low, 0.15 - 12.7062 * 0.05); /* standard error of 0.1 and 0.2: 0.05 */
    near(q->high, 0.15 + 12.7062 * 0.05);
    assert_int_equal(q->n, 2);
    made_free(&m);
}

/* Panels of two keys: the last key runs along the rows. */
static void plot__panels_in_columns(void **state) {
    (void)state;
    static const struct {
        const char *figure;
        size_t panels, columns;
    } row[] = {
        {"x: workload.0.load, panels: switch.balance, " P95, 2, 2},
        {"x: run.seed, panels: [switch.balance, workload.0.load], " P95, 4, 2},
        {"x: workload.0.load, panels: [switch.balance, run.seed], of: {run.seed: 1}, " P95, 2, 1},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct made m;
        make(&m, row[i].figure, usual);
        assert_int_equal(m.p.n_panels, row[i].panels);
        assert_int_equal(m.p.columns, row[i].columns);
        made_free(&m);
    }
}

static void plot__a_comparison_pairs_runs_of_the_same_seed(void **state) {
    (void)state;
    struct made m;
    make(&m, LINES "y: {metric: fct_us.mice.p95, against: {switch.balance: ecmp}, as: reduction}", usual);
    /* the baseline has no curve but keeps its place, so the other curve keeps its colour */
    assert_int_equal(m.p.panel[0].n, 1);
    assert_int_equal(m.p.panel[0].curve[0].series, 1);
    assert_false(plot_has_series(&m.p, 0));
    near(m.p.panel[0].curve[0].point[0].y, 100.0 / 3); /* 1 - 200 / 300 */
    /* influences 4/45 and -4/45, as in test_expect.c */
    near(m.p.panel[0].curve[0].point[0].high, 100.0 / 3 + 12.7062 * 400 / 45);
    assert_string_equal(m.p.panel[0].unit, "%");
    made_free(&m);
}

static void plot__one_number_per_another_of_the_same_run(void **state) {
    (void)state;
    struct made m;
    make(&m, LINES "y: {metric: fct_us.mice.p95, per: fct_us.mice.p95, unit: \"%\", scale: 0.5}", usual);
    const struct plot_point *q = &m.p.panel[0].curve[1].point[1];
    near(q->y, 50);
    near(q->low, 50);
    made_free(&m);
}

/* The k-th least value of one seed is averaged with the k-th least of the other. */
static void plot_ranks__place_by_place(void **state) {
    (void)state;
    struct plot_curve c = {0};
    double seeds[2][3] = {{3, 1, 2}, {8, 9, 7}};
    for (int s = 0; s < 2; s++) {
        c.value = seeds[s];
        c.n_values = 3;
        plot_ranks_make(&c);
        assert_int_equal(c.n_values, 0);
    }
    assert_int_equal(c.n, 3);
    for (int i = 0; i < 3; i++) {
        near(c.point[i].x, i + 1);
        near(c.point[i].y, i + 4);
        near(c.point[i].high, i + 4 + 12.7062 * 3); /* of 1 and 7: standard error 3 */
    }
    free(c.point);
}

static void plot__a_run_with_unfinished_flows_has_no_value(void **state) {
    (void)state;
    const double some[] = {100, NAN, 400, 400, 80, 120, 300, 200};
    struct made m;
    make(&m, LINES P95, some);
    assert_true(isnan(m.p.panel[0].curve[0].point[0].y));
    near(m.p.panel[0].curve[0].point[1].y, 400);
    made_free(&m);
}

static void plot__names_make_words_and_numbers_of_values(void **state) {
    (void)state;
    struct made m;
    make(&m, LINES P95 ", names: {switch.balance: {ecmp: ECMP}, workload.0.load: {0.3: 30, 0.5: 50}}", usual);
    assert_string_equal(m.p.series.text[0], "ECMP");
    near(m.p.panel[0].curve[0].point[1].x, 50);
    made_free(&m);
    make(&m, "kind: bars, panels: switch.balance, " P95 ", x: workload.0.load, names: {workload.0.load: {0.3: low}}",
         usual);
    assert_int_equal(m.p.n_panels, 2);
    assert_string_equal(m.p.categories.text[0], "low");
    assert_string_equal(m.p.categories.text[1], "0.5");
    made_free(&m);
}

/* ---- units ---- */

static void label_is(struct made *m, const char *expected) {
    struct layout l;
    layout_make(&m->p, "made", &l);
    assert_string_equal(l.x_label[0], expected);
    layout_free(&l);
}

static void unit_set(struct made *m, const char *unit) {
    free(m->p.x_unit);
    m->p.x_unit = strdup(unit);
}

/* The unit follows the label, except "per second" behind a label of the user. */
static void layout__the_unit_stands_behind_the_label(void **state) {
    (void)state;
    struct made m;
    make(&m, LINES P95, usual);
    unit_set(&m, "us");
    label_is(&m, "load (\302\265s)");
    unit_set(&m, "/s");
    label_is(&m, "load (/s)");
    made_free(&m);
    make(&m, LINES "x_label: queries per second, " P95, usual);
    unit_set(&m, "/s");
    label_is(&m, "queries per second");
    unit_set(&m, "us");
    label_is(&m, "queries per second (\302\265s)");
    made_free(&m);
}

/* Returns the line of a script that places the tics of the x axis, NULL: none; the caller frees it. */
static char *xtics(const char *figure, enum figure_kind kind) {
    struct made m;
    char *text = NULL, *line = NULL;
    size_t size = 0;
    make(&m, figure, usual);
    m.f.item[0].kind = kind;
    FILE *out = open_memstream(&text, &size);
    assert_true(draw_script(out, &m.p, "made", "made"));
    fclose(out);
    const char *at = strstr(text, "set xtics (");
    if (at) line = strndup(at, strcspn(at, "\n"));
    free(text);
    made_free(&m);
    return line;
}

static void xtics_are(const char *figure, enum figure_kind kind, const char *expected) {
    char *line = xtics(figure, kind);
    if (expected) assert_non_null(line);
    if (!expected) assert_null(line);
    if (expected) assert_string_equal(line, expected);
    free(line);
}

/* A logarithmic axis has few powers of ten, so lines have a tic at each of their x values. */
static void script__tics_of_lines(void **state) {
    (void)state;
    xtics_are(LINES "log: x, " P95, FIGURE_LINES, "set xtics ('0.3' 0.3, '0.5' 0.5) nomirror");
    xtics_are(LINES P95, FIGURE_LINES, NULL);
}

/* A distribution over less than two and a half decades has tics at 1, 2 and 5 of each; a wider one at powers of ten. */
static void script__tics_of_a_distribution(void **state) {
    (void)state;
    xtics_are(LINES "log: x, x_range: [1, 20], " P95, FIGURE_CDF,
              "set xtics ('1' 1, '2' 2, '5' 5, '10' 10, '20' 20) nomirror");
    xtics_are(LINES "log: x, x_range: [2000, 20000], " P95, FIGURE_CDF,
              "set xtics ('2000' 2000, '5000' 5000, '10k' 10000, '20k' 20000) nomirror");
    xtics_are(LINES "log: x, x_range: [100, 30000], " P95, FIGURE_CDF,
              "set xtics ('100' 100, '200' 200, '500' 500, '1000' 1000, '2000' 2000, '5000' 5000, '10k' 10000, '20k' "
              "20000) nomirror");
    xtics_are(LINES "log: x, x_range: [100, 30001], " P95, FIGURE_CDF, NULL);
}

static void unit_factor__within_a_kind_only(void **state) {
    (void)state;
    near(unit_factor("us", "ms"), 1e-3);
    near(unit_factor("", "%"), 100);
    near(unit_factor("B", "KB"), 1e-3);
    near(unit_factor("us", "KB"), 0);
    assert_string_equal(metric_unit("fct_us.mice.p95"), "us");
    assert_string_equal(metric_unit("fct_us.mice.n"), "");
    assert_string_equal(metric_unit("goodput_gbps.variation.mean"), "");
}

/* Names and units come from the table of metrics or from that of samples. */
static void metric_label__of_results_and_samples(void **state) {
    (void)state;
    char label[METRIC_TEXT_MAX];
    assert_string_equal(metric_label("fct_us.mice.p95", label), "FCT mice 95th");
    assert_string_equal(metric_label("queries.8KB", label), "query time 8KB");
    assert_string_equal(metric_label("queue.max", label), "largest queue");
    assert_string_equal(metric_unit("queue.max"), "B");
    assert_string_equal(metric_unit("goodput.host"), "Gbps");
    assert_string_equal(metric_unit("link.max"), "");
    assert_string_equal(metric_unit("pauses.blocked_us"), "us");
    assert_string_equal(metric_unit("credits.unfilled_bytes_per_flow.mean"), "B");
    assert_string_equal(metric_unit("queries.timeouts.share.0"), "");
}

/* An item without a label gets that of its metric. `names` finds the item by label and by path. */
static void plot__an_item_without_a_label_has_the_metrics_own(void **state) {
    (void)state;
    struct made m;
    make(&m, "kind: bars, x: metric, series: [switch.balance, workload.0.load], y: [{metric: fct_us.mice.p95}]", usual);
    assert_int_equal(m.p.categories.n, 1);
    assert_string_equal(m.p.categories.text[0], "FCT mice 95th");
    assert_string_equal(m.p.panel[0].quantity, "FCT mice 95th");
    made_free(&m);
    make(&m,
         "kind: bars, x: metric, series: [switch.balance, workload.0.load], y: [{metric: fct_us.mice.p95}], "
         "names: {metric: {fct_us.mice.p95: short flows}}",
         usual);
    assert_string_equal(m.p.categories.text[0], "short flows");
    made_free(&m);
}

/* The documentation of the key lists all samples that can be drawn. */
static void figure__documents_what_is_sampled(void **state) {
    (void)state;
    char names[256];
    assert_non_null(strstr(schema_find("figure.#.y.#.metric")->param.doc, sampled_names(names, sizeof names)));
}

/* ---- CSV ---- */

static void csv__fields_are_quoted_as_rfc_4180_has_it(void **state) {
    (void)state;
    char *text = NULL;
    size_t size;
    struct csv c = {.out = open_memstream(&text, &size)};
    csv_text(&c, "plain");
    csv_text(&c, "a,b");
    csv_text(&c, "say \"no\"");
    csv_text(&c, "two\nlines");
    csv_text(&c, NULL);
    csv_row_end(&c);
    csv_integer(&c, INT64_MIN);
    csv_number(&c, 0.1);
    csv_number(&c, 1.0 / 3);
    csv_number(&c, NAN);
    csv_number(&c, 12);
    csv_row_end(&c);
    fclose(c.out);
    assert_string_equal(text, "plain,\"a,b\",\"say \"\"no\"\"\",\"two\nlines\",\n"
                              "-9223372036854775808,0.1,0.3333333333333333,,12\n");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure__leaves_identity_and_configuration_alone),
        cmocka_unit_test(figure__mistakes_are_named_with_their_place),
        cmocka_unit_test(figure__a_metric_must_be_one),
        cmocka_unit_test(plot__panels_in_columns),
        cmocka_unit_test(plot__mean_and_interval_over_seeds),
        cmocka_unit_test(figure__open_ranges),
        cmocka_unit_test(plot__a_comparison_pairs_runs_of_the_same_seed),
        cmocka_unit_test(plot__one_number_per_another_of_the_same_run),
        cmocka_unit_test(plot_ranks__place_by_place),
        cmocka_unit_test(plot__a_run_with_unfinished_flows_has_no_value),
        cmocka_unit_test(plot__names_make_words_and_numbers_of_values),
        cmocka_unit_test(layout__the_unit_stands_behind_the_label),
        cmocka_unit_test(script__tics_of_lines),
        cmocka_unit_test(script__tics_of_a_distribution),
        cmocka_unit_test(unit_factor__within_a_kind_only),
        cmocka_unit_test(metric_label__of_results_and_samples),
        cmocka_unit_test(plot__an_item_without_a_label_has_the_metrics_own),
        cmocka_unit_test(figure__documents_what_is_sampled),
        cmocka_unit_test(csv__fields_are_quoted_as_rfc_4180_has_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
