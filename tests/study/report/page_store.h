/* SPDX-License-Identifier: Apache-2.0 */
/* A store PATH with an experiment whose rows are made by SQL, and the data of its page. */
#ifndef HEDDLE_TESTS_PAGE_STORE_H
#define HEDDLE_TESTS_PAGE_STORE_H

#include "study/report/page.h"
#include "study/store/store.h"
#include "study_test.h"

#include <stdlib.h>
#include <unistd.h>

/* Two leaves, a spine, two hosts on each leaf: nodes 0-3 hosts, 4 5 leaves, 6 spine; two schemes, two seeds. */
#define EXPERIMENT                                                                                                     \
    "title: A & B\n"                                                                                                   \
    "fabric: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 2, failed: [{link: leaf0-spine0, at: 1ms, repair_at: "    \
    "2ms}]}\n"                                                                                                         \
    "workload: [{kind: permutation, sizes: 100KB}]\n"                                                                  \
    "sweep: {switch.balance: [ecmp, expeditus], run.seed: [1, 2]}\n"

static sqlite3 *db;

static inline void sql(const char *text) {
    char *why = NULL;
    if (sqlite3_exec(db, text, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s: %s", text, why);
}

static inline double number(const char *text) {
    sqlite3_stmt *q;
    if (sqlite3_prepare_v2(db, text, -1, &q, NULL) != SQLITE_OK) fail_msg("%s: %s", text, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    double value = sqlite3_column_double(q, 0);
    sqlite3_finalize(q);
    return value;
}

static inline void run_fill(int64_t run) {
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
static inline struct store *store_make(const char *text) {
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

static inline json_t *data_of(void) {
    struct diag d = {0};
    const char *store = PATH;
    json_t *page = report_page_data(&store, 1, &(struct report_page_options){.version = "0"}, &d);
    if (!page) fail_msg("%s", d.text);
    return page;
}

/* Returns an item of the first experiment by its path, such as "points.0.cdfs". */
static inline json_t *at(json_t *page, const char *path) {
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

#endif
