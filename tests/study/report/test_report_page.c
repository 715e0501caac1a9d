/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the page equals the results of SQL on the store. */
#define PATH "test_report_page.db"
#include "page_store.h"

#include "study/report/pack.h"
#include "study/results/json_out.h"

#include <math.h>

#define PAGE "test_report_page.html"
#define FLOWS 200

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

/* Returns how many buckets the percentile has, and the sum of their flows. */
static size_t buckets_of(json_t *page, const char *percentile, double *flows) {
    char path[64];
    snprintf(path, sizeof path, "points.0.by_size.%s", percentile);
    const json_t *list = at(page, path);
    *flows = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i);
        double low = json_number_value(json_array_get(row, 5)), value = json_number_value(json_array_get(row, 4)),
               high = json_number_value(json_array_get(row, 6));
        assert_true(low <= value && value <= high);
        *flows += json_number_value(json_array_get(row, 3));
    }
    return json_array_size(list);
}

/* 400 flows carry twenty buckets of a median, three of a 95th percentile, and none of a 99th. */
static void by_size__as_many_buckets_as_the_flows_carry(void **state) {
    (void)state;
    struct store *s = store_make(EXPERIMENT);
    json_t *page = data_of();
    double flows;
    assert_int_equal(buckets_of(page, "p50", &flows), 20);
    assert_true(flows == 2 * FLOWS);
    assert_int_equal(buckets_of(page, "p95", &flows), 3);
    assert_true(flows == 2 * FLOWS);
    assert_int_equal(buckets_of(page, "p99", &flows), 0);
    assert_near(value_at(page, "points.0.by_size.p50.0.0"), number("SELECT min(bytes) FROM flows"));
    assert_near(value_at(page, "points.0.by_size.p50.19.2"), number("SELECT max(bytes) FROM flows"));
    /* of the 20 flows of the last bucket, the 10 largest of both seeds: rank 10, and 5 and 15 at the ends of its interval */
    static const int rank[] = {10, 5, 15};
    for (int i = 0; i < 3; i++) {
        char q[320], path[64];
        snprintf(q, sizeof q,
                 "SELECT slow FROM (SELECT 1.0*fct_ps/bound_ps AS slow FROM flows WHERE run IN (1,2) AND bytes NOT NULL"
                 " ORDER BY bytes DESC LIMIT 20) ORDER BY slow LIMIT 1 OFFSET %d",
                 rank[i] - 1);
        snprintf(path, sizeof path, "points.0.by_size.p50.19.%d", 4 + i);
        assert_near(value_at(page, path), number(q));
    }
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
        UNIT(by_size__as_many_buckets_as_the_flows_carry),
        UNIT(cdfs__flows_that_do_not_count_are_left_out),
        UNIT(cdfs__queues_and_imbalance_by_place),
        UNIT(cdfs__shares_of_time_in_pauses),
        UNIT(runs__metrics_settings_and_points),
        UNIT(table__has_what_the_runs_have_and_claims_name),
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
