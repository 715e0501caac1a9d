/* SPDX-License-Identifier: Apache-2.0 */
/* A large fabric condensed to its pods, and series over time; the numbers are computed by hand. */
#include "study/report/series.h"
#include "study/report/topology.h"

#include "study_test.h"

#include "study/store/store.h"

#include <stdlib.h>
#include <unistd.h>

/* Returns host0.0 and host0.1 below leaf0, one port in each direction. */
static struct topology made(const struct port_row *port, size_t n) {
    static const char *const names[] = {"host0.0", "host0.1", "leaf0"};
    struct topology t = {
        .n_ports = n, .n_nodes = 3, .n_hosts = 2, .n_whole = 3, .n_whole_hosts = 2, .most = (int64_t)n - 1};
    t.port = calloc(n, sizeof *t.port);
    t.index = calloc(n, sizeof *t.index);
    t.sender = calloc(n, sizeof *t.sender);
    t.name = calloc(3, sizeof *t.name);
    for (size_t i = 0; i < 3; i++) t.name[i] = strdup(names[i]);
    t.whole_name = t.name;
    for (size_t i = 0; i < n; i++) {
        t.port[i] = port[i];
        t.index[i] = i;
        t.sender[i] = (uint32_t)port[i].node;
    }
    return t;
}

#define UP(number, from, paused, dropped_)                                                                             \
    {                                                                                                                  \
        .port = number, .node = from, .neighbour = 2, .link_tier = "host", .sent_bytes = 1000,                         \
        .utilisation = 0.25 + 0.5 * from, .data_utilisation = 0.25, .queue_mean_bytes = 100 + 200 * from,              \
        .queue_max_bytes = 500 - 100 * from, .dropped = dropped_, .credit_bytes = 7, .paused_ps = paused               \
    }

static void condense__links_of_one_kind_become_one(void **state) {
    (void)state;
    const struct port_row port[] = {UP(0, 0, 30, 2), UP(1, 1, 12, 3)};
    struct topology t = made(port, 2);
    topology_condense(&t);
    assert_int_equal(t.n_ports, 1);
    assert_int_equal(t.merged[0], 2);
    assert_int_equal(topology_port(&t, 1), 0);
    assert_true(t.port[0].utilisation == 0.5);
    assert_true(t.port[0].data_utilisation == 0.25);
    assert_int_equal(t.port[0].queue_mean_bytes, 200);
    assert_int_equal(t.port[0].queue_max_bytes, 500);
    assert_int_equal(t.port[0].sent_bytes, 2000);
    assert_int_equal(t.port[0].dropped, 5);
    assert_int_equal(t.port[0].credit_bytes, 14);
    assert_int_equal(t.port[0].paused_ps, 42);
    topology_free(&t);
}

/* Unknown paused times are not added; a sum that starts with an unknown one stays unknown. */
static void condense__unknown_pauses_are_left_out(void **state) {
    (void)state;
    const struct port_row known_first[] = {UP(0, 0, 30, 0), UP(1, 1, STORE_NULL, 0)};
    const struct port_row known_last[] = {UP(0, 0, STORE_NULL, 0), UP(1, 1, 12, 0)};
    struct topology t = made(known_first, 2);
    topology_condense(&t);
    assert_int_equal(t.port[0].paused_ps, 30);
    topology_free(&t);
    t = made(known_last, 2);
    topology_condense(&t);
    assert_int_equal(t.port[0].paused_ps, STORE_NULL);
    topology_free(&t);
}

/* Failures of links that are drawn as one become one of each kind, with their number; what is not drawn is left out. */
static void condense__failures_of_merged_links(void **state) {
    (void)state;
    const struct port_row port[] = {UP(0, 0, 0, 0), UP(1, 1, 0, 0)};
    struct topology t = made(port, 2);
    json_t *whole = json_pack("[[i,s],[i,s]]", 1, "dead", 77, "dead");
    json_t *list = topology_failures(&t, whole);
    assert_ptr_equal(list, whole); /* a fabric that is drawn whole keeps them */
    topology_condense(&t);
    json_decref(list);
    list = topology_failures(&t, json_pack("[[i,s,f,n,n],[i,s,f,f,n],[i,s,f,n,f],[i,s,f,n,n]]", 1, "dead", 1.0, 0,
                                           "dead", 3.0, 4.0, 1, "slow", 0.0, 5.0, 77, "dead", 1.0));
    json_t *expected = json_pack("[[i,s,f,n,n,i],[i,s,f,n,f,i]]", 0, "dead", 1.0, 2, 0, "slow", 0.0, 5.0, 1);
    assert_true(json_equal(list, expected));
    json_decref(expected);
    json_decref(list);
    topology_free(&t);
}

/* ---- over time ---- */

#define PATH "test_condense.db"

static json_t *series_of(const char *samples) {
    struct diag d = {0};
    unlink(PATH);
    struct experiment *e = read_text(STAR PERMUTATION);
    struct store *s = store_open(PATH, &d);
    int64_t experiment, run;
    assert_non_null(s);
    assert_true(store_experiment(s, e, &experiment, &d));
    assert_true(store_run_begin(s, experiment, &e->run[0], "v", &run, &d));
    json_t *result = json_pack("{s:{s:f}}", "engine", "sim_s", 1e-3);
    assert_true(store_run_end(s, run, NULL, result, NULL, &d));
    json_decref(result);
    assert_int_equal(
        sqlite3_exec(
            store_database(s),
            "INSERT INTO nodes(run, node, name) SELECT id, 0, 'host0' FROM runs UNION SELECT id, 1, 'switch' FROM "
            "runs; INSERT INTO ports(run, port, node, neighbour, link_tier) SELECT id, 0, 0, 1, "
            "'host' FROM runs",
            NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_exec(store_database(s), samples, NULL, NULL, NULL), SQLITE_OK);
    store_close(s);
    struct store_reader *r = store_reader_open(PATH, &d);
    struct topology t;
    assert_non_null(r);
    assert_true(topology_read(r, &r->run[0], &t, &d));
    json_t *o = run_series(r, &r->run[0], &t, 10000, &d);
    assert_non_null(o);
    topology_free(&t);
    store_reader_close(r);
    experiment_free(e);
    unlink(PATH);
    return o;
}

static double queue_max(const json_t *o, size_t at) {
    const json_t *groups = json_object_get(json_object_get(o, "queue"), "groups");
    const json_t *max = json_object_get(json_array_get(groups, 0), "max");
    return json_number_value(json_array_get(max, at));
}

/* Few times keep their own values. */
static void series__a_time_has_its_own_samples(void **state) {
    (void)state;
    json_t *o = series_of("INSERT INTO samples SELECT id, 1000000, 0, 'queue', 10 FROM runs;"
                          "INSERT INTO samples SELECT id, 2000000, 0, 'queue', 30 FROM runs;"
                          "INSERT INTO samples SELECT id, 3000000, 0, 'queue', 20 FROM runs");
    const json_t *at = json_object_get(json_object_get(o, "queue"), "at_us");
    assert_int_equal(json_array_size(at), 3);
    for (size_t i = 0; i < 3; i++) assert_true(json_number_value(json_array_get(at, i)) == (double)(i + 1));
    assert_true(queue_max(o, 0) == 10);
    assert_true(queue_max(o, 1) == 30);
    assert_true(queue_max(o, 2) == 20);
    json_decref(o);
}

/* With twice as many times as there is room for, pairs of times are merged to their larger value. */
static void series__times_taken_together(void **state) {
    (void)state;
    json_t *o = series_of("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<400)"
                          " INSERT INTO samples SELECT id, i * 1000000, 0, 'queue', i FROM runs JOIN n");
    const json_t *at = json_object_get(json_object_get(o, "queue"), "at_us");
    assert_int_equal(json_array_size(at), SERIES_MAX);
    for (size_t i = 0; i < SERIES_MAX; i++) {
        assert_true(json_number_value(json_array_get(at, i)) == (double)(2 * i + 2));
        assert_true(queue_max(o, i) == (double)(2 * i + 2));
    }
    json_decref(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(condense__links_of_one_kind_become_one), UNIT(condense__unknown_pauses_are_left_out),
        UNIT(condense__failures_of_merged_links),     UNIT(series__a_time_has_its_own_samples),
        UNIT(series__times_taken_together),
    };
    return RUN_UNITS(tests);
}
