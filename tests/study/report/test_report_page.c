/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the page equals the results of SQL on the store. */
#include "study/report/page.h"

#include "study/report/pack.h"
#include "study/results/json_out.h"
#include "study/store/store.h"
#include "study_test.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#define PATH "test_report_page.db"
#define PAGE "test_report_page.html"
#define FLOWS 200

/* Two leaves, a spine, two hosts on each leaf: nodes 0-3 hosts, 4 5 leaves, 6 spine; two schemes, two seeds. */
#define EXPERIMENT                                                                                                     \
    "title: A & B\n"                                                                                                   \
    "fabric: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 2, failed: [{link: leaf0-spine0, at: 1ms, repair_at: "    \
    "2ms}]}\n"                                                                                                         \
    "workload: [{kind: permutation, sizes: 100KB}]\n"                                                                  \
    "sweep: {switch.balance: [ecmp, expeditus], run.seed: [1, 2]}\n"

static sqlite3 *db;

static void sql(const char *text) {
    char *why = NULL;
    if (sqlite3_exec(db, text, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s: %s", text, why);
}

static double number(const char *text) {
    sqlite3_stmt *q;
    if (sqlite3_prepare_v2(db, text, -1, &q, NULL) != SQLITE_OK) fail_msg("%s: %s", text, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    double value = sqlite3_column_double(q, 0);
    sqlite3_finalize(q);
    return value;
}

static void run_fill(int64_t run) {
    char text[1024];
    sqlite3_stmt *q;
    static const char *const fill[] = {
        "INSERT INTO nodes(run, node, name) "
        "VALUES(?1,0,'host0.0'),(?1,1,'host0.1'),(?1,2,'host1.0'),(?1,3,'host1.1'),(?1,4,'leaf0'),"
        "(?1,5,'leaf1'),(?1,6,'spine0')",
        "INSERT INTO ports(run, port, node, neighbour, parallel, link_tier, sent_bytes, utilisation, queue_mean_bytes,"
        " queue_max_bytes, dropped) VALUES(?1,0,0,4,0,'host',9,0.1,1,100,0),(?1,1,1,4,0,'host',9,0.2,1,200,0),"
        "(?1,2,2,5,0,'host',9,0.3,1,300,0),(?1,3,3,5,0,'host',9,0.4,1,400,0),(?1,4,4,0,0,'host',9,0.5,1,500,0),"
        "(?1,5,4,1,0,'host',9,0,1,0,0),(?1,6,4,6,0,'uplink',9,0.8,1,9000,7),(?1,7,5,2,0,'host',9,0,1,0,0),"
        "(?1,8,5,3,0,'host',9,0,1,0,0),(?1,9,5,6,0,'uplink',9,0.6,1,800,0),(?1,10,6,4,0,'uplink',9,0.7,1,700,0),"
        "(?1,11,6,5,0,'uplink',9,0,1,0,0)",
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<199) INSERT INTO flows(run, flow, entry,"
        " src, dst, start_ps, bytes, finished_ps, fct_ps, bound_ps, received_bytes, timeouts, retransmitted, reordered,"
        " max_reorder) SELECT ?1, i, 0, i%4, (i+1)%4, i*1000000, 1000*(1+i*7919%199), i*1000000+20000000+i*i*1000*?1,"
        " 20000000+i*i*1000*?1, 10000000, 1, 0, 0, 0, i%5 FROM n",
        "INSERT INTO flows(run, flow, src, dst, start_ps, bytes, received_bytes, max_reorder)"
        " VALUES(?1, 200, 0, 1, 300000000, NULL, 5, 9)",
        "INSERT INTO samples VALUES(?1,1000000,6,'link',0.25),(?1,1000000,9,'link',0.75),(?1,2000000,6,'link',0.5),"
        "(?1,2000000,9,'link',1),(?1,1000000,0,'goodput',1e9),(?1,1000000,1,'goodput',3e9),(?1,2000000,0,'goodput',0),"
        "(?1,2000000,1,'goodput',2e9)",
        "INSERT INTO timelines(run, flow, line, at_ps, kind, node, port, frame) VALUES(?1,3,0,1,'sent',3,3,'data'),"
        "(?1,3,1,2,'dequeued',5,9,'data'),(?1,3,2,2,'dequeued',5,8,'ack'),(?1,3,3,3,'dequeued',6,10,'data')",
        "INSERT INTO imbalance VALUES(?1,1,4,0.5),(?1,2,4,1.5)",
    };
    for (size_t i = 0; i < sizeof fill / sizeof *fill; i++) {
        snprintf(text, sizeof text, "%s", fill[i]);
        if (sqlite3_prepare_v2(db, text, -1, &q, NULL) != SQLITE_OK) fail_msg("%s: %s", text, sqlite3_errmsg(db));
        sqlite3_bind_int64(q, 1, run);
        assert_int_equal(sqlite3_step(q), SQLITE_DONE);
        sqlite3_finalize(q);
    }
}

/* Makes a store in which every run of the experiment is done. */
static struct store *store_make(const char *text) {
    struct diag d = {0};
    unlink(PATH);
    struct experiment *e = read_text(text);
    struct store *s = store_open(PATH, &d);
    int64_t experiment, run;
    assert_non_null(s);
    db = store_database(s);
    assert_true(store_experiment(s, e, &experiment, &d));
    for (size_t i = 0; i < e->n_runs; i++) {
        json_t *result = json_pack("{s:{s:f,s:s}, s:{s:{s:i,s:f}}, s:{s:i}}", "engine", "sim_s", 1e-3, "digest", "ab",
                                   "fct_us", "all", "n", 200, "mean", 10.5 * (double)(i + 1), "packets", "dropped", 0);
        assert_true(store_run_begin(s, experiment, &e->run[i], "v", &run, &d));
        assert_true(store_run_end(s, run, NULL, result, NULL, &d));
        json_decref(result);
        run_fill(run);
    }
    experiment_free(e);
    return s;
}

static json_t *data_of(void) {
    struct diag d = {0};
    const char *store = PATH;
    json_t *page = report_page_data(&store, 1, &(struct report_page_options){.version = "0"}, &d);
    if (!page) fail_msg("%s", d.text);
    return page;
}

/* Returns an item of the first experiment by its path, such as "points.0.cdfs". */
static json_t *at(json_t *page, const char *path) {
    json_t *here = json_array_get(json_object_get(page, "experiments"), 0);
    char part[64];
    for (const char *p = path; *p;) {
        size_t length = strcspn(p, ".");
        snprintf(part, sizeof part, "%.*s", (int)length, p);
        here = json_is_array(here) ? json_array_get(here, (size_t)atoi(part)) : json_object_get(here, part);
        p += length + (p[length] == '.');
    }
    if (!here) fail_msg("nothing at %s", path);
    return here;
}

static double value_at(json_t *page, const char *path) { return json_number_value(at(page, path)); }

/* Fails unless both agree in the six digits that the page keeps. */
static void assert_near(double a, double b) {
    if (fabs(a - b) > 1e-5 * fabs(b) + 1e-12) fail_msg("%.9g is not %.9g", a, b);
}

/* ---- distributions ---- */

static void cdfs__values_are_those_of_sql_by_nearest_rank(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    json_t *page = data_of();
    const json_t *grid = json_object_get(page, "grid"), *v = at(page, "points.0.cdfs.fct_us.all.v");
    assert_int_equal(value_at(page, "points.0.cdfs.fct_us.all.n"), 2 * FLOWS);
    for (size_t i = 0; i < json_array_size(grid); i++) {
        char q[256];
        double share = json_number_value(json_array_get(grid, i));
        long rank = (long)ceil(share * 2 * FLOWS - 1e-9);
        snprintf(q, sizeof q,
                 "SELECT fct_ps/1e6 FROM flows WHERE run IN (1,2) AND fct_ps NOT NULL ORDER BY 1 LIMIT 1"
                 " OFFSET %ld",
                 rank > 0 ? rank - 1 : 0);
        assert_near(json_number_value(json_array_get(v, i)), number(q));
    }
    assert_int_equal(value_at(page, "points.0.cdfs.fct_us.mice.n"),
                     number("SELECT count(*) FROM flows WHERE run IN (1,2) AND bytes < 100000"));
    json_decref(page);
    store_close(s);
}

static void by_size__twenty_buckets_of_equal_count(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    json_t *page = data_of();
    assert_int_equal(json_array_size(at(page, "points.0.by_size")), 20);
    double n = 0;
    for (size_t i = 0; i < 20; i++)
        n += json_number_value(json_array_get(json_array_get(at(page, "points.0.by_size"), i), 3));
    assert_true(n == 2 * FLOWS);
    assert_near(value_at(page, "points.0.by_size.0.0"), number("SELECT min(bytes) FROM flows"));
    assert_near(value_at(page, "points.0.by_size.19.2"), number("SELECT max(bytes) FROM flows"));
    /* 20 flows a bucket; the last holds the 10 largest of both seeds, and p99 is the largest slowdown among them */
    assert_near(value_at(page, "points.0.by_size.19.6"),
                number("SELECT max(1.0*fct_ps/bound_ps) FROM (SELECT fct_ps, bound_ps FROM flows WHERE run IN (1,2) AND"
                       " bytes NOT NULL ORDER BY bytes DESC LIMIT 20)"));
    json_decref(page);
    store_close(s);
}

/* measure.starts selects some of the arrivals; for reordering, endless flows count too, but no flow of which nothing
 * came. */
static void cdfs__flows_that_do_not_count_are_left_out(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT "measure: {starts: [20%, 60%], from: 50us}\n");
    sql("INSERT INTO flows(run, flow, src, dst, start_ps, bytes, received_bytes, max_reorder)"
        " VALUES(1, 201, 0, 1, NULL, NULL, 0, 9)");
    json_t *page = data_of();
    double n = number("SELECT count(*) FROM flows WHERE run IN (1,2) AND flow*1.0/201>=0.2 AND flow*1.0/201<0.6"
                      " AND start_ps >= 50000000");
    assert_true(n > 0 && n < 2 * FLOWS);
    assert_near(value_at(page, "points.0.cdfs.fct_us.all.n"), n);
    assert_near(value_at(page, "points.0.cdfs.reorder.all.n"), n + 2);
    json_decref(page);
    store_close(s);
}

static void cdfs__queues_and_imbalance_by_place(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    json_t *page = data_of();
    assert_int_equal(value_at(page, "points.0.cdfs.queue_max_bytes.uplink.n"), 8);
    const json_t *v = at(page, "points.0.cdfs.queue_max_bytes.uplink.v");
    assert_near(json_number_value(json_array_get(v, json_array_size(v) - 1)), 9000);
    assert_int_equal(value_at(page, "points.0.cdfs.imbalance.leaf.n"), 4);
    assert_null(json_object_get(at(page, "points.0.cdfs"), "paused_share")); /* no port was paused */
    json_decref(page);
    store_close(s);
}

/* Ports whose pauses were counted; the run lasts 1 ms, of which two ports of each seed waited a half. */
static void cdfs__shares_of_time_in_pauses(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    sql("UPDATE ports SET paused_ps = CASE WHEN port IN (6, 9) THEN 500000000 ELSE 0 END WHERE port > 3");
    json_t *page = data_of();
    assert_int_equal(value_at(page, "points.0.cdfs.paused_share.uplink.n"), 8);
    assert_int_equal(value_at(page, "points.0.cdfs.paused_share.host.n"), 8); /* not those without a count */
    const json_t *v = at(page, "points.0.cdfs.paused_share.uplink.v");
    assert_near(json_number_value(json_array_get(v, json_array_size(v) - 1)), 0.5);
    json_decref(page);
    store_close(s);
}

/* ---- runs ---- */

static void runs__metrics_settings_and_points(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    json_t *page = data_of();
    assert_int_equal(json_array_size(at(page, "runs")), 4);
    assert_int_equal(json_array_size(at(page, "points")), 2);
    assert_int_equal(value_at(page, "points.1.runs.0"), 2);
    const json_t *names = at(page, "metrics");
    size_t mean = 0;
    while (strcmp(json_string_value(json_array_get(names, mean)), "fct_us.all.mean") != 0) mean++;
    assert_near(json_number_value(json_array_get(at(page, "runs.3.metrics"), mean)), 42);
    assert_string_equal(json_string_value(json_array_get(at(page, "zero"), 0)), "packets.dropped");
    assert_string_equal(json_string_value(at(page, "runs.0.digest")), "ab");
    json_decref(page);
    store_close(s);
}

/* Labels of metrics and their better direction come from the table of metrics. */
static void table__has_what_the_runs_have_and_claims_name(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    sql("INSERT INTO claims(experiment, claim, place, metric, form, n_seeds, measured, spread, low, high,"
        " met, expected) VALUES(1,'C','{}','packets.dropped','value',1,0,0,NULL,3,1,1)");
    json_t *page = data_of();
    const json_t *mean = json_object_get(json_object_get(page, "table"), "fct_us.all.mean");
    assert_string_equal(json_string_value(json_object_get(mean, "label")), "FCT all mean");
    assert_string_equal(json_string_value(json_object_get(mean, "unit")), "us");
    assert_int_equal(json_integer_value(json_object_get(mean, "better")), -1);
    assert_non_null(json_object_get(json_object_get(page, "table"), "packets.dropped"));
    assert_null(json_object_get(json_object_get(page, "table"), "packets.sent"));
    json_decref(page);
    store_close(s);
}

/* The summary has a row for each scheme, with the mean over its seeds; without an interval, because all digests are
 * equal. */
static void tables__a_row_for_each_scheme(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    json_t *page = data_of(), *table = json_object_get(json_object_get(page, "tables"), "x");
    assert_string_equal(json_string_value(json_object_get(table, "key")), "switch.balance");
    assert_int_equal(json_array_size(json_object_get(table, "quoted")), 1); /* packets.dropped is 0 */
    assert_string_equal(json_string_value(json_array_get(json_object_get(table, "columns"), 0)), "fct_us.all.mean");
    assert_string_equal(json_string_value(json_object_get(table, "notes")), "Times are flow completion times.");
    json_t *rows = json_object_get(table, "rows"), *row = json_array_get(rows, 1),
           *cell = json_array_get(json_object_get(row, "cells"), 0),
           *expected = json_pack("[f, n, n, i, i]", 36.75, 2, 0);
    assert_int_equal(json_array_size(rows), 2);
    assert_string_equal(json_string_value(json_object_get(json_object_get(row, "settings"), "switch.balance")),
                        "expeditus");
    assert_true(json_equal(cell, expected));
    assert_int_equal(json_array_size(json_object_get(page, "t95")), 1); /* two seeds: one degree of freedom */
    json_decref(expected);
    json_decref(page);
    store_close(s);
}

/* One store twice is one experiment, in which the store is a setting. */
static void tables__of_two_stores_name_the_store(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    struct diag d = {0};
    const char *const stores[] = {PATH, PATH};
    json_t *page = report_page_data(stores, 2, &(struct report_page_options){.version = "0"}, &d),
           *rows = json_object_get(json_object_get(json_object_get(page, "tables"), "x"), "rows");
    assert_non_null(page);
    assert_int_equal(json_array_size(json_object_get(page, "experiments")), 2);
    assert_non_null(json_object_get(json_object_get(json_array_get(rows, 0), "settings"), "store"));
    json_decref(page);
    store_close(s);
}

/* An outcome has its words and its sign. */
static void claims__in_words(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    sql("INSERT INTO claims(experiment, claim, place, metric, form, n_seeds, measured, spread, low, high, met, "
        "expected,"
        " verdict, recorded, as_recorded) VALUES(1,'C','{}','packets.dropped','value',1,0,0,NULL,3,1,1,'does not "
        "hold','holds',0)");
    json_t *page = data_of();
    assert_string_equal(json_string_value(at(page, "claims.0.outcome")), "does not hold, recorded: holds");
    assert_int_equal(json_integer_value(at(page, "claims.0.sign")), -1);
    assert_string_equal(json_string_value(json_array_get(json_object_get(page, "verdicts"), 0)), "holds");
    assert_int_equal(json_array_size(json_object_get(page, "verdicts")), 5);
    json_decref(page);
    store_close(s);
}

/* The page has only those lines of a configuration that differ from the first run's. */
static void runs__configurations_can_be_put_together_again(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    json_t *page = data_of();
    assert_int_equal(json_array_size(at(page, "runs.0.config")), 0);
    assert_int_equal(json_array_size(at(page, "runs.1.config")), 1);
    assert_non_null(strstr(json_string_value(at(page, "runs.1.config.0.1")), "seed: 2"));
    json_decref(page);
    store_close(s);
}

/* A claim has the compared settings; null in stores of versions that did not keep them. */
static void claims__say_what_they_compare(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    sql("INSERT INTO claims(experiment, claim, place, metric, form, n_seeds, measured, spread, low, high,"
        " met, expected, note, subject, against) "
        "VALUES(1,'C','{}','m','ratio',1,0.5,0,NULL,3,1,1,NULL,'{\"s\":\"a\"}','{\"s\":\"b\"}'),"
        "(1,'D','{}','m','value',1,0.5,0,NULL,3,1,1,NULL,NULL,NULL)");
    json_t *page = data_of();
    assert_string_equal(json_string_value(at(page, "claims.0.subject.s")), "a");
    assert_string_equal(json_string_value(at(page, "claims.0.against.s")), "b");
    assert_true(json_is_null(at(page, "claims.1.subject")));
    assert_true(json_is_null(at(page, "claims.1.against")));
    json_decref(page);
    store_close(s);
}

static void runs__unfinished_ones_are_listed_and_left_out(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    sql("UPDATE runs SET status='failed', failure='stuck', result=NULL WHERE id=2;"
        "UPDATE runs SET status='running', result=NULL WHERE id>2");
    json_t *page = data_of();
    assert_int_equal(json_array_size(at(page, "runs")), 4);
    assert_int_equal(json_array_size(at(page, "points")), 1);
    assert_int_equal(json_array_size(at(page, "points.0.runs")), 1);
    assert_string_equal(json_string_value(at(page, "runs.1.failure")), "stuck");
    assert_string_equal(json_string_value(at(page, "runs.2.status")), "running");
    json_decref(page);
    store_close(s);
}

/* ---- details of a run ---- */

static void series__means_maxima_and_jain(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    json_t *page = data_of();
    assert_near(value_at(page, "details.0.series.link.at_us.1"), 2);
    assert_string_equal(json_string_value(at(page, "details.0.series.link.groups.0.name")), "uplink, up");
    assert_near(value_at(page, "details.0.series.link.groups.0.mean.0"), 0.5);
    assert_near(value_at(page, "details.0.series.link.groups.0.max.1"), 1);
    assert_near(value_at(page, "details.0.series.goodput.jain.0"), 16.0 / (2 * 10)); /* 1 and 3 Gbit/s */
    assert_near(value_at(page, "details.0.series.goodput.jain.1"), 0.5);             /* one of two hosts */
    assert_near(value_at(page, "details.0.series.goodput.groups.1.mean.0"), 3);
    assert_int_equal(value_at(page, "details.0.series.goodput.receivers"), 2);
    assert_near(value_at(page, "details.0.series.open.v.20"),
                number("SELECT count(*) FROM flows WHERE run=1 AND start_ps <= 100000000 AND"
                       " (finished_ps IS NULL OR finished_ps > 100000000)"));
    json_decref(page);
    store_close(s);
}

static void slowest__by_slowdown_with_the_path_that_was_recorded(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    json_t *page = data_of();
    assert_int_equal(value_at(page, "details.0.slowest.0.flow"),
                     number("SELECT flow FROM flows WHERE run=1 ORDER BY 1.0*fct_ps/bound_ps DESC LIMIT 1"));
    assert_null(json_object_get(at(page, "details.0.slowest.0"), "path"));
    assert_int_equal(value_at(page, "details.0.slowest.20.flow"), 3);
    assert_int_equal(json_array_size(at(page, "details.0.slowest.20.path")), 3); /* without the path of its ACKs */
    assert_int_equal(value_at(page, "details.0.slowest.20.path.1"), 9);
    json_decref(page);
    store_close(s);
}

/* On real frames nobody counts the timeouts of a flow. */
static void slowest__counts_that_are_unknown_are_null(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    sql("UPDATE flows SET retransmitted=2, timeouts=NULL, reordered=NULL");
    json_t *page = data_of();
    assert_int_equal(value_at(page, "details.0.slowest.0.retransmitted"), 2);
    assert_true(json_is_null(at(page, "details.0.slowest.0.timeouts")));
    assert_true(json_is_null(at(page, "details.0.slowest.0.reordered")));
    json_decref(page);
    store_close(s);
}

/* Pauses are sorted by length, then by port, and each has the place of its port. Rings keep their order. Runs without
 * pauses have neither. */
static void pauses__the_longest_and_the_rings(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    sql("INSERT INTO pauses VALUES(1,6,1,3000000,3,1,2000000,500000),(1,9,0,5000000,1,0,5000000,0),"
        "(1,10,0,5000000,1,0,5000000,0);"
        "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i+1 FROM n WHERE i<29)"
        " INSERT INTO pauses SELECT 1, i%12, 10+i, i, 1, 0, i, 0 FROM n;"
        "INSERT INTO pause_rings VALUES(1,0,0,6,1,1000000,2000000,4000000),(1,0,1,10,1,3000000,2000000,4000000),"
        "(1,1,0,9,0,0,0,0)");
    json_t *page = data_of();
    assert_int_equal(value_at(page, "details.0.pauses.n"), 31);
    assert_int_equal(json_array_size(at(page, "details.0.pauses.longest")), 20);
    assert_int_equal(value_at(page, "details.0.pauses.longest.0.0"), 9);
    assert_near(value_at(page, "details.0.pauses.longest.0.2"), 5);
    assert_int_equal(value_at(page, "details.0.pauses.longest.1.0"), 10);
    assert_int_equal(value_at(page, "details.0.pauses.longest.2.0"), 6);
    assert_int_equal(value_at(page, "details.0.pauses.longest.2.1"), 1);
    assert_near(value_at(page, "details.0.pauses.longest.2.6"), 0.5);
    assert_near(value_at(page, "details.0.pauses.longest.3.2"), 29e-6);
    assert_near(value_at(page, "details.0.pauses.longest.19.2"), 13e-6);
    assert_int_equal(json_array_size(at(page, "details.0.pauses.rings")), 2);
    assert_near(value_at(page, "details.0.pauses.rings.0.last_us"), 4);
    assert_int_equal(value_at(page, "details.0.pauses.rings.0.ports.1.0"), 10);
    assert_near(value_at(page, "details.0.pauses.rings.0.ports.1.2"), 3);
    assert_true(json_is_null(at(page, "details.1.pauses")));
    json_decref(page);
    store_close(s);
}

static void failed__links_of_the_configuration_at_both_ends(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    json_t *page = data_of();
    assert_int_equal(json_array_size(at(page, "details.0.failed")), 2);
    assert_int_equal(value_at(page, "details.0.failed.0.0"), 6); /* leaf0's port to spine0 */
    assert_string_equal(json_string_value(at(page, "details.0.failed.0.1")), "dead");
    assert_near(value_at(page, "details.0.failed.0.2"), 1000);
    assert_near(value_at(page, "details.0.failed.0.3"), 2000);
    assert_int_equal(value_at(page, "details.0.failed.1.0"), 10);
    json_decref(page);
    store_close(s);
}

/* Links that are slow or lossy from the start or for a while, each with the value that it then has. */
static void failed__slow_and_lossy_links(void **state) {
    (void)state;
    struct store *s = store_make("fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, rate: 10Gbps,\n"
                                 "  links: [{match: leaf0-spine1, rate: 4Gbps}, {match: leaf1-spine1, loss: 2%}],\n"
                                 "  failed: [{link: leaf1-spine0, at: 1ms, rate: 1Gbps, repair_at: 3ms}, {link: "
                                 "leaf0-spine0, at: 2ms, loss: 1%}]}\n"
                                 "workload: [{kind: permutation, sizes: 10KB}]\n");
    json_t *page = data_of();
    char *text = json_dumps(at(page, "details.0.failed"), JSON_COMPACT);
    assert_string_equal(text, "[[7,\"slow\",0.0,null,4000000000.0],[11,\"lossy\",0.0,null,0.02],"
                              "[14,\"slow\",0.0,null,4000000000.0],[15,\"lossy\",0.0,null,0.02],"
                              "[6,\"lossy\",2000.0,null,0.01],[10,\"slow\",1000.0,3000.0,1000000000.0],"
                              "[13,\"slow\",1000.0,3000.0,1000000000.0],[12,\"lossy\",2000.0,null,0.01]]");
    free(text);
    json_decref(page);
    store_close(s);
}

/* ---- numbers in few bytes ---- */

static void pack_scaled__sixteen_and_eight_bits(void **state) {
    (void)state;
    const double value[] = {0, 1, 2, NAN, -1};
    json_t *wide = pack_scaled(value, 5, 16), *narrow = pack_scaled(value, 2, 8);
    assert_string_equal(json_string_value(json_object_get(wide, "b")), "AAAAgP//AAAAAA==");
    assert_string_equal(json_string_value(json_object_get(narrow, "b")), "AP8=");
    assert_near(json_number_value(json_object_get(wide, "max")), 2);
    json_decref(wide);
    json_decref(narrow);
}

/* ---- the file ---- */

static char *page_text(void) {
    FILE *f = fopen(PAGE, "r");
    assert_non_null(f);
    char *text = NULL;
    size_t size = 0;
    assert_true(getdelim(&text, &size, '\0', f) > 0);
    fclose(f);
    return text;
}

static int count(const char *text, const char *word) {
    int n = 0;
    for (; (text = strstr(text, word)); text++) n++;
    return n;
}

static const struct report_page_options page_options = {.version = "0"};

static void report_page__markup_in_a_title_stays_text(void **state) {
    (void)state;
    struct diag d = {0};
    const char *store = PATH;
    struct store *s = store_make(EXPERIMENT);
    sql("UPDATE experiments SET title='</title></script><script>alert(1)</script><!-- \"&'");
    assert_true(report_page(&store, 1, PAGE, &page_options, &d));
    char *text = page_text();
    assert_non_null(strstr(text, "<title>&lt;/title&gt;&lt;/script&gt;"));
    assert_null(strstr(text, "<script>alert"));
    assert_int_equal(count(text, "</script>"), 2);
    assert_int_equal(count(text, "<!--"), 0);
    free(text);
    store_close(s);
}

static void report_page__all_or_nothing(void **state) {
    (void)state;
    struct diag d = {0};
    char line[1024];
    const char *store = PATH;
    struct store *s = store_make(EXPERIMENT);
    assert_false(report_page(&store, 1, "no/such/folder.html", &page_options, &d));
    assert_string_equal(diag_line(&d, line, sizeof line),
                        "no/such/folder.html: error: cannot write it: No such file or directory; check the folder, its "
                        "permissions and the space left");
    sql("DELETE FROM runs");
    assert_false(report_page(&store, 1, PAGE, &page_options, &d));
    assert_string_equal(diag_line(&d, line, sizeof line),
                        PATH ": error: there are no runs in it; run an experiment with -o and this file first");
    store_close(s);
}

static int teardown(void **state) {
    (void)state;
    unlink(PATH);
    unlink(PAGE);
    return 0;
}

/* Distributions of queries are of the ones that count: here the last of two. */
static void cdfs__of_queries_that_count(void **state) {
    (void)state;
    struct store *s = store_make("fabric: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 2}\n"
                                 "workload: [{kind: permutation, sizes: 100KB}]\nmeasure: {starts: [50%, 100%]}\n");
    sql("INSERT INTO queries(run, query, request, response, client, server, bytes, priority, start_ps, time_ps)"
        " VALUES(1,0,0,1,0,1,2000,0,9000000,5000000),(1,1,2,3,0,1,2000,0,1000000,7000000)");
    json_t *page = data_of();
    const json_t *all = at(page, "points.0.cdfs.query_us.all");
    assert_int_equal(json_integer_value(json_object_get(all, "n")), 1);
    assert_true(json_number_value(json_array_get(json_object_get(all, "v"), 0)) == 5);
    json_decref(page);
    store_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(cdfs__values_are_those_of_sql_by_nearest_rank),
        UNIT(by_size__twenty_buckets_of_equal_count),
        UNIT(cdfs__flows_that_do_not_count_are_left_out),
        UNIT(cdfs__queues_and_imbalance_by_place),
        UNIT(cdfs__shares_of_time_in_pauses),
        UNIT(runs__metrics_settings_and_points),
        UNIT(table__has_what_the_runs_have_and_claims_name),
        UNIT(tables__a_row_for_each_scheme),
        UNIT(tables__of_two_stores_name_the_store),
        UNIT(claims__in_words),
        UNIT(cdfs__of_queries_that_count),
        UNIT(runs__configurations_can_be_put_together_again),
        UNIT(claims__say_what_they_compare),
        UNIT(runs__unfinished_ones_are_listed_and_left_out),
        UNIT(series__means_maxima_and_jain),
        UNIT(slowest__by_slowdown_with_the_path_that_was_recorded),
        UNIT(slowest__counts_that_are_unknown_are_null),
        UNIT(pauses__the_longest_and_the_rings),
        UNIT(failed__links_of_the_configuration_at_both_ends),
        UNIT(failed__slow_and_lossy_links),
        UNIT(pack_scaled__sixteen_and_eight_bits),
        UNIT(report_page__markup_in_a_title_stays_text),
        UNIT(report_page__all_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
