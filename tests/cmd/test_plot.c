/* SPDX-License-Identifier: Apache-2.0 */
/* heddle plot: what it draws without being told how, and the points of samples over time. */
#include "bad_stores.h"
#include "figure_files.h"

#include <string.h>

/* Two balancers, two loads and two seeds; their results are replaced by numbers that tell which run they are of. */
#define SWEEP                                                                                                          \
    "fabric: {kind: star, hosts: 3}\nworkload: [{kind: poisson, sizes: 20KB, load: 0.3, load_at: host, flows: 3}]\n"   \
    "sweep: {switch.balance: [ecmp, expeditus], workload.0.load: [0.2, 0.4], run.seed: [1, 2]}\n"

static int sweep_make(void **state) {
    if (drawn_remove(state) != 0) return -1;
    file_write("g.yaml", SWEEP);
    if (heddle("run g.yaml --quiet -o g.db")->code) return -1;
    store_change("g.db", "UPDATE runs SET result=json_set(result, '$.slowdown.all.mean', 10.0 * number)");
    return 0;
}

static int plots_remove(void **state) {
    (void)state;
    return system("rm -rf g.db g.yaml g-out plots x.yaml x.db");
}

/* Returns the columns curve, x, y, panel, series and category of the points of a figure. */
static const char *points_of(const char *path) {
    static char out[1 << 16];
    const char *text = file_text(path);
    out[0] = 0;
    for (int i = 0; i < lines_in(text); i++) {
        char cell[12][64] = {{0}};
        const char *at = line_of(text, i);
        for (int k = 0; k < 12 && at; k++) {
            snprintf(cell[k], sizeof cell[k], "%.*s", (int)strcspn(at, ","), at);
            at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL;
        }
        size_t used = strlen(out);
        snprintf(out + used, sizeof out - used, "%s,%s,%s,%s,%s,%s\n", cell[0], cell[1], cell[2], cell[6], cell[7],
                 cell[8]);
    }
    return out;
}

static void plots(const char *line, const char *path, const char *points) {
    const struct ended *e = heddle(line);
    assert_string_equal(e->err, "");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, path));
    assert_string_equal(points_of(path), points);
}

/* A number is drawn by a key, which may be given by its last word. What else is swept parts the curves, seeds are averaged. */
static void plot__a_number_by_a_key(void **state) {
    (void)state;
#define BY_LOAD                                                                                                        \
    "curve,x,y,panel,series,category\n"                                                                                \
    "0,0.2,15,,ecmp,\n0,0.4,35,,ecmp,\n1,0.2,55,,expeditus,\n1,0.4,75,,expeditus,\n"
    plots("plot g.db slowdown.all.mean by load --figures plots", "plots/slowdown.all.mean-by-load.csv", BY_LOAD);
    plots("plot g.db slowdown.all.mean by workload.0.load --figures plots --name whole", "plots/whole.csv", BY_LOAD);
    plots("plot g.db slowdown.all.mean by balance --figures plots --name bars", "plots/bars.csv",
          "curve,x,y,panel,series,category\n"
          "0,0,15,,load 0.2,ecmp\n0,1,55,,load 0.2,expeditus\n1,0,35,,load 0.4,ecmp\n1,1,75,,load 0.4,expeditus\n");
}

/* A key may part panels, or be left at one of its values. */
static void plot__panels_and_parts(void **state) {
    (void)state;
    plots("plot g.db slowdown.all.mean by balance --panels load --figures plots --name p", "plots/p.csv",
          "curve,x,y,panel,series,category\n"
          "0,0,15,load 0.2,,ecmp\n0,1,55,load 0.2,,expeditus\n1,0,35,load 0.4,,ecmp\n1,1,75,load 0.4,,expeditus\n");
    plots("plot g.db slowdown.all.mean by balance --of load=0.4 --figures plots --name q", "plots/q.csv",
          "curve,x,y,panel,series,category\n0,0,35,,,ecmp\n0,1,75,,,expeditus\n");
    plots("plot g.db slowdown.all.mean by load --of balance=ecmp --of balance=expeditus --of load=0.2 --figures plots "
          "--name r",
          "plots/r.csv", "curve,x,y,panel,series,category\n0,0.2,15,,ecmp,\n1,0.2,55,,expeditus,\n");
    plots("plot g.db slowdown.all.mean by load --series seed --of balance=ecmp --figures plots --name s", "plots/s.csv",
          "curve,x,y,panel,series,category\n0,0.2,10,,seed 1,\n0,0.4,30,,seed 1,\n1,0.2,20,,seed 2,\n1,0.4,40,,seed "
          "2,\n");
}

static void plot__looks_are_those_of_a_figure(void **state) {
    (void)state;
    plots("plot g.db slowdown.all.mean by load --of balance=ecmp --set scale=10 --set label=tenfold --set log=y --set "
          "'y_label=an axis' --figures plots --name l",
          "plots/l.csv", "curve,x,y,panel,series,category\n0,0.2,150,,,\n0,0.4,350,,,\n");
    assert_non_null(strstr(file_text("plots/l.gp"), "an axis"));
    assert_non_null(strstr(file_text("plots/l.gp"), "set logscale y"));
}

static void refuses(const char *line, const char *expected) { heddle_refuses(line, expected, "plots"); }

static void plot__what_cannot_be_drawn(void **state) {
    (void)state;
    refuses("plot g.db slowdown.all.mean",
            "error: slowdown.all.mean is one number of a run; write slowdown.all.mean by KEY, "
            "swept are: switch.balance, workload.0.load, run.seed");
    refuses("plot g.db slowdown.all.mean by lod",
            "error: 'lod' is not swept, so no runs differ in it; did you mean 'load'?");
    refuses("plot g.db slowdown.all.mean by xxxxxxxx", "error: 'xxxxxxxx' is not swept, so no runs differ in it; swept "
                                                       "are: switch.balance, workload.0.load, run.seed");
    refuses("plot g.db slowdown.all.mean by load --of load", "error: --of load: write --of KEY=VALUE");
    refuses("plot g.db slowdown.all.mean by load --of =0.2", "error: --of =0.2: write --of KEY=VALUE");
    refuses("plot g.db slowdown.all.mean by load --of load=", "error: --of load=: write --of KEY=VALUE");
    refuses("plot g.db slowdown.all.mean by load --of load=0.3",
            "--of:1:1: error: '0.3' is no value that workload.0.load is swept over");
    refuses("plot g.db slowdown.all.mean by load --set lgo=y",
            "--set: error: unknown key 'lgo' in figure; did you mean 'log'?");
}

/* ---- over time ---- */

#define SECONDS                                                                                                        \
    "fabric: {kind: star, hosts: 3}\nworkload: {kind: long, src: 0, dst: 1, stop: 1ms}\nrun: {until: 1ms}\n"           \
    "measure: {goodput: 100us}\n"
/* Three hosts at 100, 200, 300 and 400 us: 1, 2, 3 and 4 Gbps, twice that, and nothing. */
#define SAMPLES                                                                                                        \
    "DELETE FROM samples;"                                                                                             \
    "WITH RECURSIVE c(i) AS (SELECT 1 UNION SELECT i + 1 FROM c WHERE i < 4) INSERT INTO samples (run, at_ps, port, "  \
    "kind, "                                                                                                           \
    "value) SELECT id, i * 100000000, p, 'goodput', 1e9 * i * p FROM runs, c, (SELECT 0 AS p UNION SELECT 1 UNION "    \
    "SELECT 2)"

static int times_make(void **state) {
    if (plots_remove(state) != 0) return -1;
    file_write("g.yaml", SECONDS);
    if (heddle("run g.yaml --quiet -o g.db")->code) return -1;
    store_change("g.db", SAMPLES);
    return 0;
}

#define AT "curve,x,y,panel,series,category\n"

/* Each host has a curve; one that received nothing has none. */
static void plot__each_host_over_time(void **state) {
    (void)state;
    plots("plot g.db goodput.host --figures plots --name h", "plots/h.csv",
          AT "0,0.1,1,,host0.1,\n0,0.2,2,,host0.1,\n0,0.3,3,,host0.1,\n0,0.4,4,,host0.1,\n"
             "1,0.1,2,,host0.2,\n1,0.2,4,,host0.2,\n1,0.3,6,,host0.2,\n1,0.4,8,,host0.2,\n");
}

/* The mean and the largest are of all hosts; fairness is that of hosts to which something was sent: 0.9 of 1 and 2. */
static void plot__over_all_hosts(void **state) {
    (void)state;
    plots("plot g.db goodput.mean --figures plots --name m", "plots/m.csv",
          AT "0,0.1,1,,,\n0,0.2,2,,,\n0,0.3,3,,,\n0,0.4,4,,,\n");
    store_change("g.db",
                 "INSERT INTO samples (run, at_ps, port, kind, value) SELECT run, at_ps, port, 'queue', value / 1e6 "
                 "FROM samples WHERE kind='goodput'");
    plots("plot g.db queue.max --figures plots --name x", "plots/x.csv",
          AT "0,0.1,2000,,,\n0,0.2,4000,,,\n0,0.3,6000,,,\n0,0.4,8000,,,\n");
    plots("plot g.db queue.mean --figures plots --name q", "plots/q.csv",
          AT "0,0.1,1000,,,\n0,0.2,2000,,,\n0,0.3,3000,,,\n0,0.4,4000,,,\n");
    plots("plot g.db goodput.jain --figures plots --name j", "plots/j.csv",
          AT "0,0.1,0.9,,,\n0,0.2,0.9,,,\n0,0.3,0.9,,,\n0,0.4,0.9,,,\n");
}

/* Samples of one period are averaged and drawn at its middle. A range keeps its samples and a period beside each end. */
static void plot__periods_and_ranges(void **state) {
    (void)state;
    plots("plot g.db goodput.mean --set every=200us --figures plots --name e", "plots/e.csv",
          AT "0,0.1,1.5,,,\n0,0.3,3.5,,,\n");
    plots("plot g.db goodput.mean --set every=200us --set 'x_range=[0.25, 0.4]' --figures plots --name r",
          "plots/r.csv", AT "0,0.1,1.5,,,\n0,0.3,3.5,,,\n");
    store_change("g.db",
                 "INSERT INTO samples (run, at_ps, port, kind, value) SELECT run, at_ps + 400000000, port, kind, value "
                 "FROM samples WHERE kind='goodput'");
    plots("plot g.db goodput.mean --set 'x_range=[0.35, 0.5]' --figures plots --name a", "plots/a.csv",
          AT "0,0.3,3,,,\n0,0.4,4,,,\n0,0.5,1,,,\n0,0.6,2,,,\n");
}

#define PLOT_CASE(f) cmocka_unit_test_setup_teardown(f, sweep_make, plots_remove)
#define TIME_CASE(f) cmocka_unit_test_setup_teardown(f, times_make, plots_remove)

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        PLOT_CASE(plot__a_number_by_a_key),           PLOT_CASE(plot__panels_and_parts),
        PLOT_CASE(plot__looks_are_those_of_a_figure), PLOT_CASE(plot__what_cannot_be_drawn),
        TIME_CASE(plot__each_host_over_time),         TIME_CASE(plot__over_all_hosts),
        TIME_CASE(plot__periods_and_ranges),
    };
    if (!program_enter(argc, argv)) return 2;
    pictures_stand_in();
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
