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
        "x.yaml:4:60: error: figure.0.kind: 'pie' is unknown; write one of: lines, bars, cdf, ccdf, rank, time, table");
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

static void refuse_reference(const char *kind, const char *reference, const char *line) {
    char figure[512];
    snprintf(figure, sizeof figure, "%s reference: {%s}", kind, reference);
    refuse_figure(figure, line);
}

#define REFUSED(reference, column, text) refuse_reference(LINES P95 ",", reference, "x.yaml:4:" column ": error: " text)
#define REFUSED_CDF(reference, column, text)                                                                           \
    refuse_reference("kind: cdf, log: x, series: [switch.balance, workload.0.load], y: {metric: fct_us.mice},",        \
                     reference, "x.yaml:4:" column ": error: " text)

static void figure__mistakes_of_references(void **state) {
    (void)state;
    REFUSED("label: paper", "97",
            "a reference has one of 'function', 'value' and 'band', this one has none; a line: {value: 40}");
    REFUSED("value: 4, band: [1, 2]", "97",
            "a reference has one of 'function', 'value' and 'band', this one has several; a line: {value: 40}");
    REFUSED("value: 4ms", "105", "write a number");
    REFUSED("band: [2, 1]", "104", "the range is empty: low is not under high");
    REFUSED("band: 2", "104", "write [low, high]; null leaves an end open");
    REFUSED("band: [null, null]", "104", "a band has at least one end; write a number");
    REFUSED("vale: 4", "98", "unknown key 'vale' in figure.0.reference.0; did you mean 'value'?");
    REFUSED("value: 4, at: 0.5", "112", "only a cdf has shares; name values of x in `of`, or write at: x");
    REFUSED("value: 4, of: 0.5", "112", "write {KEY: value} with a swept key, metric or group");
    REFUSED("value: 4, of: {workload.0.load: 0.4}", "130", "'0.4' is no value that workload.0.load is swept over");
    REFUSED("value: 4, of: {scheme: a}", "113",
            "'scheme' is not swept, so no runs differ in it; sweep it or name another");
    REFUSED("value: 4, of: {metric: mice}", "121",
            "no item of y has the label or metric 'mice'; write one as y has it");
    REFUSED("value: 4, of: {group: mice}", "120", "no item of y has the group 'mice'; write one as y has it");
    REFUSED("function: 1/x, of: {workload.0.load: 0.3}", "118",
            "a function is drawn along all of x; leave 'workload.0.load' out");
    REFUSED_CDF("value: 0", "117", "a logarithmic axis has no place for 0 and less");
    REFUSED_CDF("value: 4, at: 99", "124", "a share is over 0 and at most 1");
    REFUSED_CDF("function: x, at: 0.99", "127", "a function is drawn along all of x; leave `at` out");
    refuse_reference("kind: time, series: [switch.balance, workload.0.load], y: {metric: queue.max},",
                     "value: 4, at: 2",
                     "x.yaml:4:115: error: over time a reference lies at x or, without `at`, at y; write at: x");
    refuse_reference("kind: time, series: [switch.balance, workload.0.load], y: {metric: queue.max},",
                     "function: 4, at: x", "x.yaml:4:118: error: a function is drawn along all of x; leave `at` out");
    refuse_reference("kind: table, " LINES P95 ",", "value: 4",
                     "x.yaml:4:110: error: a table shows no reference; leave it out");
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
    struct plot_input in = {.store = &m->store};
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
        c.values = (struct values){.at = seeds[s], .n = 3};
        plot_ranks_make(&c, 0);
        assert_int_equal(c.values.n, 0);
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

/* ---- references ---- */

static const struct plot_mark *mark(const struct made *m, size_t panel, size_t i) {
    assert_true(i < m->p.panel[panel].n_marks);
    return &m->p.panel[panel].mark[i];
}

/* Without `of` a reference belongs to every panel and to all of x. */
static void marks__of_all_runs(void **state) {
    (void)state;
    struct made m;
    make(&m, "x: workload.0.load, panels: switch.balance, " P95 ", reference: {band: [100, null]}", usual);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(m.p.panel[i].n_marks, 1);
        assert_true(mark(&m, i, 0)->series == PLOT_ALL_SERIES);
        assert_true(isnan(mark(&m, i, 0)->x[0]));
        near(mark(&m, i, 0)->reference->low, 100);
        assert_true(isnan(mark(&m, i, 0)->reference->high));
    }
    made_free(&m);
}

/* `of` names a panel, a series, or places on x. Numbers on x make one range. */
static void marks__of_some_runs(void **state) {
    (void)state;
    struct made m;
    make(&m,
         "x: workload.0.load, panels: switch.balance, " P95 ", reference: {value: 9, of: {switch.balance: expeditus}}",
         usual);
    assert_int_equal(m.p.panel[0].n_marks, 0);
    assert_int_equal(m.p.panel[1].n_marks, 1);
    made_free(&m);
    make(&m, LINES P95 ", reference: {value: 9, of: {switch.balance: expeditus, workload.0.load: [0.3, 0.5]}}", usual);
    assert_int_equal(m.p.panel[0].n_marks, 1);
    assert_int_equal(mark(&m, 0, 0)->series, 1);
    near(mark(&m, 0, 0)->x[0], 0.3);
    near(mark(&m, 0, 0)->x[1], 0.5);
    made_free(&m);
}

/* Each category has a mark of its own. */
static void marks__of_categories(void **state) {
    (void)state;
    struct made m;
    make(&m,
         "kind: bars, " LINES P95 ", reference: {value: 9, of: {switch.balance: ecmp, workload.0.load: [0.3, 0.5]}}",
         usual);
    assert_int_equal(m.p.panel[0].n_marks, 2);
    near(mark(&m, 0, 0)->x[1], 0);
    near(mark(&m, 0, 1)->x[0], 1);
    assert_int_equal(mark(&m, 0, 1)->series, 0);
    made_free(&m);
    make(&m, "kind: bars, " LINES P95 ", reference: {value: 9, of: {switch.balance: ecmp}}",
         usual); /* on all its bars */
    assert_int_equal(m.p.panel[0].n_marks, 2);
    made_free(&m);
}

/* An item of y is found by its label and by its metric. */
static void marks__of_items(void **state) {
    (void)state;
#define ITEMS                                                                                                          \
    "x: workload.0.load, series: switch.balance, panels: [group, metric], y: [{metric: fct_us.mice.p95, label: a, "    \
    "group: g}, {metric: fct_us.mice.p95, label: b, group: h}], reference: {value: 9, of: "
    static const struct {
        const char *figure;
        size_t marks[2];
    } row[] = {
        {ITEMS "{metric: b}}", {0, 1}}, {ITEMS "{group: g}}", {1, 0}}, {ITEMS "{metric: fct_us.mice.p95}}", {1, 1}}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct made m;
        make(&m, row[i].figure, usual);
        for (size_t k = 0; k < 2; k++) assert_int_equal(m.p.panel[k].n_marks, row[i].marks[k]);
        made_free(&m);
    }
}

/* A baseline that is not drawn has no mark. */
static void marks__not_of_a_baseline(void **state) {
    (void)state;
    struct made m;
    make(&m,
         LINES "y: {metric: fct_us.mice.p95, against: {switch.balance: ecmp}, as: reduction}, "
               "reference: [{value: 9, of: {switch.balance: ecmp}}, {value: 9, of: {switch.balance: expeditus}}]",
         usual);
    assert_int_equal(m.p.panel[0].n_marks, 1);
    assert_int_equal(mark(&m, 0, 0)->series, 1);
    made_free(&m);
}

/* Returns the script; the caller frees it. */
static char *script_of(struct made *m) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_true(draw_script(out, &m->p, "made", "made"));
    fclose(out);
    return text;
}

static const double steady[] = {100, 100, 400, 400, 80, 80, 300, 300}; /* by seed */

static void script_says(const char *figure, const char *const *expected) {
    struct made m;
    make(&m, figure, steady);
    char *text = script_of(&m);
    for (; *expected; expected++) {
        if (!strstr(text, *expected)) fail_msg("no '%s' in\n%s", *expected, text);
    }
    free(text);
    made_free(&m);
}

#define SAYS(figure, ...) script_says(figure, (const char *const[]){__VA_ARGS__, NULL})

/* A line across the panel, which widens the axis; a band over its places on x in the colour of its series. */
static void script__lines_and_bands(void **state) {
    (void)state;
    SAYS(LINES P95 ", reference: {value: 4000, label: paper}", "set yrange [0:4240]",
         "set arrow from graph 0, first 4000 to graph 1, first 4000 nohead back lc rgb '#666666' dt 2 lw 1.4\n",
         "unset object; unset arrow\n", "NaN with lines lc rgb '#666666' dt 2 lw 1.4 title \"paper\"");
    SAYS(LINES P95
         ", x_range: [0, 1], reference: {band: [null, 200], of: {switch.balance: expeditus, workload.0.load: 0.5}}",
         "set object rectangle from first 0.485, graph 0 to first 0.515, first 200 behind fc rgb '#0072b2' fs "
         "transparent solid 0.15 noborder\n",
         "set arrow from first 0.485, first 200 to first 0.515, first 200 nohead back lc rgb '#0072b2' dt 2 lw 1.4\n");
    SAYS("kind: bars, " LINES P95 ", reference: {value: 9, of: {switch.balance: expeditus, workload.0.load: 0.5}}",
         "set arrow from first 1.02, first 9 to first 1.38, first 9 nohead front lc rgb '#c00000' dt 1 lw 2.5\n");
}

/* Over time, a line or band may lie at times: over all of y, whose axis it leaves alone. */
static void script__references_at_times(void **state) {
    (void)state;
    struct made m;
    make(&m, LINES P95 ", reference: [{value: 0.4}, {band: [null, 0.45]}]", steady);
    m.f.item[0].kind = FIGURE_TIME;
    for (size_t i = 0; i < 2; i++) m.f.item[0].reference[i].on_x = true;
    char *text = script_of(&m);
    static const char *const said[] = {"set yrange [0:424]",
                                       "set arrow from first 0.4, graph 0 to first 0.4, graph 1 nohead back",
                                       "set object rectangle from graph 0, graph 0 to first 0.45, graph 1 behind"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (!strstr(text, said[i])) fail_msg("no '%s' in\n%s", said[i], text);
    free(text);
    made_free(&m);
}

/* A figure of lines over numbers has places on x too; over words it has none. */
static void script__references_on_x_of_lines(void **state) {
    (void)state;
    SAYS(LINES P95 ", reference: {band: [0.45, null], at: x, label: paper}",
         "set object rectangle from first 0.45, graph 0 to graph 1, graph 1 behind", "set yrange [0:424]",
         "title \"paper\"");
    struct made m;
    make(&m, LINES P95 ", names: {workload.0.load: {0.3: low, 0.5: high}}, reference: {value: 0.45, at: x}", steady);
    char *text = script_of(&m);
    assert_null(strstr(text, "set arrow from"));
    free(text);
    made_free(&m);
}

/* A line beyond the range that was asked for is not drawn: an arrow would lie outside of the frame. */
static void script__no_line_beyond_the_range(void **state) {
    (void)state;
    struct made m;
    make(&m, LINES P95 ", y_range: [0, 500], reference: {value: 4000}", steady);
    char *text = script_of(&m);
    assert_null(strstr(text, "set arrow from"));
    free(text);
    made_free(&m);
}

/* A logarithmic axis reaches its references. */
static void script__references_on_a_logarithmic_axis(void **state) {
    (void)state;
    static const double same[] = {100, 100, 100, 100, 100, 100, 100, 100};
    struct made m;
    make(&m, LINES P95 ", log: y, reference: {band: [12, 1200]}", same);
    char *text = script_of(&m);
    assert_non_null(strstr(text, "set yrange [10:1440]"));
    free(text);
    made_free(&m);
}

/* Equal labels of equal look share an entry of the legend. */
static void script__a_legend_of_references(void **state) {
    (void)state;
    struct made m;
    size_t n = 0;
    make(&m,
         LINES P95 ", reference: [{value: 9, label: paper}, {value: 8, label: paper}, {band: [1, 2], label: paper}, "
                   "{value: 7, label: paper, of: {switch.balance: expeditus}}]",
         usual);
    char *text = script_of(&m);
    for (const char *at = text; (at = strstr(at, "title \"paper\"")); at++) n++;
    assert_int_equal(n, 3);
    free(text);
    made_free(&m);
}

/* ---- fewer points ---- */

static void plot_cdf__as_many_points_as_asked_for(void **state) {
    (void)state;
    for (size_t points = 0; points <= 200; points += 100) {
        struct plot_curve c = {.values = {.at = calloc(100000, sizeof(double)), .n = 100000}};
        for (size_t i = 0; i < c.values.n; i++) c.values.at[i] = (double)(c.values.n - i);
        plot_cdf_make(&c, points);
        size_t most = points ? points : 320, tail = 0;
        assert_in_range(c.n, most * 9 / 10, most + 2);
        for (size_t i = 0; i < c.n; i++) tail += c.point[i].y > 0.99;
        assert_in_range(tail, most / 5 - 2, most / 5 + 1);
        near(c.point[c.n - 1].y, 1);
        near(c.point[c.n - 1].x, 100000);
        free(c.point);
        values_free(&c.values);
    }
}

static void plot_ranks__as_many_points_as_asked_for(void **state) {
    (void)state;
    double values[240];
    struct plot_curve c = {.values = {.at = values, .n = 240}};
    for (int i = 0; i < 240; i++) values[i] = i;
    plot_ranks_make(&c, 100);
    assert_int_equal(c.n, 81); /* every third and the last */
    near(c.point[0].x, 1);
    near(c.point[80].x, 240);
    near(c.point[80].y, 239);
    free(c.point);
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

static void y_is(const char *figure, const double *p95, const char *label, double size) {
    struct made m;
    struct layout l;
    make(&m, figure, p95);
    layout_make(&m.p, "made", &l);
    assert_string_equal(l.y_label[0], label);
    near(l.y_unit[0].size, size);
    layout_free(&l);
    made_free(&m);
}

static const double five_digits[] = {100, 200, 400, 400, 80, 120, 10000, 10000};
static const double eight_digits[] = {100, 200, 400, 400, 80, 120, 2e7, 2e7};

/* Long numbers get a larger unit, unless the file says numbers in the unit of the metric, or the unit. */
static void layout__long_numbers_have_a_larger_unit(void **state) {
    (void)state;
    y_is(LINES P95, usual, "FCT mice 95th (\302\265s)", 1);
    y_is(LINES P95, five_digits, "FCT mice 95th (ms)", 1e3);
    y_is(LINES P95, eight_digits, "FCT mice 95th (s)", 1e6);
    y_is(LINES "y: {metric: fct_us.mice.p95, unit: us}", five_digits, "FCT mice 95th (\302\265s)", 1);
    y_is(LINES P95 ", reference: {value: 300}", five_digits, "FCT mice 95th (\302\265s)", 1);
    y_is(LINES P95 ", y_range: [0, null]", five_digits, "FCT mice 95th (\302\265s)", 1);
    y_is(LINES P95 ", log: y", five_digits, "FCT mice 95th (\302\265s)", 1);
}

/* Numbers of many digits leave room for the label at their left. */
static void layout__room_for_long_numbers(void **state) {
    (void)state;
    struct made m;
    struct layout l;
    double left[2];
    static const double *const p95[] = {usual, eight_digits};
    for (size_t i = 0; i < 2; i++) {
        make(&m, LINES "y: {metric: fct_us.mice.p95, unit: us}", p95[i]);
        layout_make(&m.p, "made", &l);
        left[i] = l.panel[0].left * l.width;
        layout_free(&l);
        made_free(&m);
    }
    near(left[0], 76);
    near(left[1], 76 + 7 * 2); /* 1.5e+07 */
}

#define TWO "y: [{metric: fct_us.mice.p95, label: a}, {metric: fct_us.mice.p95, label: b}]"

/* An axis of several items has the words that their metrics share, not a unit alone. */
static void layout__an_axis_of_several_metrics(void **state) {
    (void)state;
    y_is("kind: bars, x: metric, series: switch.balance, of: {workload.0.load: 0.3}, " TWO, usual,
         "FCT mice 95th (\302\265s)", 1);
    y_is("kind: bars, x: metric, series: switch.balance, of: {workload.0.load: 0.3}, y_label: time, " TWO, usual,
         "time (\302\265s)", 1);
}

/* Gives the plot five categories of these names. */
static void categories_set(struct plot *p, const char *const names[5]) {
    for (size_t i = 0; i < p->categories.n; i++) free(p->categories.text[i]);
    free(p->categories.text);
    p->categories = (struct plot_words){calloc(5, sizeof(char *)), 5};
    for (size_t i = 0; i < 5; i++) p->categories.text[i] = strdup(names[i]);
}

/* Names stand askew where two neighbours are longer than the places of their bars, however short the others are. */
static void layout__long_names_stand_askew(void **state) {
    (void)state;
    static const char *const names[2][5] = {{"ecmp", "dctcp", "expeditus", "spraypass", "expresspass"},
                                            {"ecmp", "dctcp", "expeditus", "expresspass-2017", "spraypass"}};
    for (size_t i = 0; i < 2; i++) {
        struct made m;
        struct layout l;
        make(&m, "kind: bars, " LINES P95, usual);
        categories_set(&m.p, names[i]);
        layout_make(&m.p, "made", &l);
        assert_int_equal(l.rotates, i == 1);
        near(l.panel[0].bottom * l.height,
             i == 1 ? 46 + 16 * 7 / 2 : 52); /* half the longest name and the label below it */
        layout_free(&l);
        made_free(&m);
    }
}

/* A curve and a bar of one series have one colour, and bars of like lightness a pattern. */
static void script__one_colour_a_series(void **state) {
    (void)state;
    SAYS(LINES P95, "set style line 1 lc rgb '#222222'", "set style line 2 lc rgb '#0072b2'");
    SAYS("kind: bars, " LINES P95, "set style line 1 lc rgb '#222222'", "set style line 2 lc rgb '#0072b2'");
    SAYS("kind: bars, x: switch.balance, series: [workload.0.load, metric], " TWO,
         "with boxes ls 2 fs solid 1.0 border", "with boxes ls 3 fs pattern 4 border");
}

/* The data of a figure stays in its unit; the script draws it in that of the axis. */
static void script__draws_in_the_unit_of_the_axis(void **state) {
    (void)state;
    struct made m;
    make(&m, LINES P95, five_digits);
    char *text = script_of(&m);
    static const char *const said[] = {"using ($1==0?$2:NaN):(($4<0?0:$4)/1000):($5/1000) with filledcurves",
                                       "using ($1==0?$2:NaN):($3/1000) with linespoints", "set yrange [0:10.6]",
                                       "set ylabel \"FCT mice 95th (ms)\""};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (!strstr(text, said[i])) fail_msg("no '%s' in\n%s", said[i], text);
    free(text);
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

/* Tics of whole numbers are whole, and those of others stand apart. */
static void layout__the_distance_of_tics(void **state) {
    (void)state;
    struct made m;
    struct layout l;
    make(&m, LINES P95, usual);
    layout_make(&m.p, "made", &l);
    near(layout_step(&m.p, &l, 0), 0.02); /* from 0.292 to 0.508 */
    l.x_range[0][1] = 900;
    near(layout_step(&m.p, &l, 0), 100);
    layout_free(&l);
    made_free(&m);
    make(&m, LINES P95 ", names: {workload.0.load: {0.3: 1, 0.5: 3}}", usual);
    layout_make(&m.p, "made", &l);
    near(layout_step(&m.p, &l, 0), 1);
    layout_free(&l);
    made_free(&m);
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

/* ---- tails, bands, looks ---- */

/* Every value is at least the least; one of n is at least the largest. Points are as dense in the tail as in the body. */
static void plot_ccdf__the_share_of_at_least_x(void **state) {
    (void)state;
    double few[] = {3, 1, 2, 2};
    struct plot_curve c = {.values = {.at = few, .n = 4}};
    plot_ccdf_make(&c, 0);
    const double x[] = {1, 2, 3}, y[] = {1, 0.75, 0.25};
    assert_int_equal(c.n, 3);
    for (int i = 0; i < 3; i++) {
        near(c.point[i].x, x[i]);
        near(c.point[i].y, y[i]);
    }
    free(c.point);
    c = (struct plot_curve){.values = {.at = calloc(100000, sizeof(double)), .n = 100000}};
    for (size_t i = 0; i < c.values.n; i++) c.values.at[i] = (double)i;
    plot_ccdf_make(&c, 200);
    size_t tail = 0;
    for (size_t i = 0; i < c.n; i++) tail += c.point[i].y <= 0.001;
    assert_in_range(c.n, 100, 202);
    assert_in_range(tail, 20, 60);
    near(c.point[c.n - 1].y, 1e-5);
    free(c.point);
    values_free(&c.values);
}

/* Each seed has a share of its own at x; the band holds them and ends at 0 and 1. */
static void plot_shares__a_band_over_seeds(void **state) {
    (void)state;
    static const double seeds[2][4] = {{1, 2, 3, 4}, {2, 3, 4, 5}};
    struct figure f = {.kind = FIGURE_CDF, .band = BAND_RANGE};
    struct plot_curve c = {0};
    for (int s = 0; s < 2; s++) {
        struct values *seed = plot_seed_values(&c);
        for (int i = 0; i < 4; i++) {
            values_add(seed, seeds[s][i]);
            values_add(&c.values, seeds[s][i]);
        }
    }
    plot_cdf_make(&c, 0);
    plot_shares_band(&c, &f);
    for (size_t i = 1; i < c.n; i++) {
        near(c.point[i].low, fmax(0, (c.point[i].x - 1) / 4));
        near(c.point[i].high, fmin(1, c.point[i].x / 4));
    }
    f.band = BAND_INTERVAL;
    plot_shares_band(&c, &f);
    near(c.point[2].low, 0); /* 0.375 +- 12.7 * 0.125 */
    near(c.point[2].high, 1);
    for (int s = 0; s < 2; s++) values_free(&c.seed[s]);
    free(c.seed);
    free(c.point);
    values_free(&c.values);
}

static void figure__a_band_of_seeds_or_none(void **state) {
    (void)state;
    struct made m;
    make(&m, LINES P95 ", band: range", usual);
    near(m.p.panel[0].curve[0].point[0].low, 100);
    near(m.p.panel[0].curve[0].point[0].high, 200);
    made_free(&m);
    make(&m, LINES P95 ", band: none", usual);
    near(m.p.panel[0].curve[0].point[0].low, 150);
    near(m.p.panel[0].curve[0].point[0].high, 150);
    made_free(&m);
    make(&m, LINES "y: {metric: fct_us.mice.p95, against: {switch.balance: ecmp}, as: reduction}, band: range", usual);
    near(m.p.panel[0].curve[0].point[0].low, 20);  /* of 100 and 80 */
    near(m.p.panel[0].curve[0].point[0].high, 40); /* of 200 and 120 */
    made_free(&m);
}

static void layout__size_font_and_shared_axes(void **state) {
    (void)state;
    struct made m;
    struct layout l;
    make(&m,
         "x: workload.0.load, panels: switch.balance, " P95 ", width: 10cm, height: 2in, font: Times, font_size: 8, "
         "share_y: true, title: ' '",
         usual);
    layout_make(&m.p, m.p.figure->title, &l);
    assert_int_equal(l.width, 378);
    assert_in_range(l.height, 190, 192);
    assert_string_equal(l.title, "");
    near(l.y_range[0][1], l.y_range[1][1]);
    near(l.panel[0].right - l.panel[0].left, l.panel[1].right - l.panel[1].left);
    assert_true(l.panel[1].left - l.panel[0].right < 0.08);
    layout_free(&l);
    char *text = script_of(&m);
    assert_non_null(strstr(text, "font 'Times,8'"));
    assert_non_null(strstr(text, "set format y ''"));
    free(text);
    made_free(&m);
    make(&m, "x: workload.0.load, panels: switch.balance, " P95, usual);
    layout_make(&m.p, "t", &l);
    assert_true(l.y_range[0][1] != l.y_range[1][1]);
    layout_free(&l);
    made_free(&m);
}

static void figure__mistakes_of_looks(void **state) {
    (void)state;
    refuse_figure(
        LINES P95 ", width: 10",
        "x.yaml:4:93: error: width: '10' is no length of 100px to 10000px; write one such as 8.5cm, 85mm, 3.3in or "
        "320px");
    refuse_figure(
        LINES P95 ", font: \"Times', 9\"",
        "x.yaml:4:92: error: a font's name is made of letters, digits, blanks, . _ and -; give the size as font_size");
    refuse_figure(
        LINES "share_y: true, y: [{metric: fct_us.mice.p95}, {metric: packets.dropped}], panels: metric",
        "x.yaml:4:63: error: y has numbers in us and in plain numbers, which share no axis; leave share_y out");
    refuse_figure("kind: time, series: switch.balance, panels: workload.0.load, y: {metric: queue.max}, band: range",
                  "x.yaml:4:101: error: a band over time needs periods that all seeds share; give every: TIME");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure__leaves_identity_and_configuration_alone),
        cmocka_unit_test(figure__mistakes_are_named_with_their_place),
        cmocka_unit_test(figure__a_metric_must_be_one),
        cmocka_unit_test(figure__mistakes_of_references),
        cmocka_unit_test(layout__the_distance_of_tics),
        cmocka_unit_test(marks__of_all_runs),
        cmocka_unit_test(marks__of_some_runs),
        cmocka_unit_test(marks__of_categories),
        cmocka_unit_test(marks__of_items),
        cmocka_unit_test(marks__not_of_a_baseline),
        cmocka_unit_test(script__lines_and_bands),
        cmocka_unit_test(script__references_at_times),
        cmocka_unit_test(script__references_on_x_of_lines),
        cmocka_unit_test(script__no_line_beyond_the_range),
        cmocka_unit_test(script__references_on_a_logarithmic_axis),
        cmocka_unit_test(script__a_legend_of_references),
        cmocka_unit_test(plot_ccdf__the_share_of_at_least_x),
        cmocka_unit_test(plot_shares__a_band_over_seeds),
        cmocka_unit_test(figure__a_band_of_seeds_or_none),
        cmocka_unit_test(layout__size_font_and_shared_axes),
        cmocka_unit_test(figure__mistakes_of_looks),
        cmocka_unit_test(plot_cdf__as_many_points_as_asked_for),
        cmocka_unit_test(plot_ranks__as_many_points_as_asked_for),
        cmocka_unit_test(plot__panels_in_columns),
        cmocka_unit_test(plot__mean_and_interval_over_seeds),
        cmocka_unit_test(figure__open_ranges),
        cmocka_unit_test(plot__a_comparison_pairs_runs_of_the_same_seed),
        cmocka_unit_test(plot__one_number_per_another_of_the_same_run),
        cmocka_unit_test(plot_ranks__place_by_place),
        cmocka_unit_test(plot__a_run_with_unfinished_flows_has_no_value),
        cmocka_unit_test(plot__names_make_words_and_numbers_of_values),
        cmocka_unit_test(layout__the_unit_stands_behind_the_label),
        cmocka_unit_test(layout__long_numbers_have_a_larger_unit),
        cmocka_unit_test(layout__room_for_long_numbers),
        cmocka_unit_test(layout__an_axis_of_several_metrics),
        cmocka_unit_test(layout__long_names_stand_askew),
        cmocka_unit_test(script__one_colour_a_series),
        cmocka_unit_test(script__draws_in_the_unit_of_the_axis),
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
