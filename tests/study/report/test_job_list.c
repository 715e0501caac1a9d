/* SPDX-License-Identifier: Apache-2.0 */
/* The jobs of the page: rows of a store, written by hand, as the page gets them. Expected JSON has ' in place of ". */
#include "study/report/job_list.h"

#include "study/report/pack.h"

#include "series/series_store.h"

#include <stdlib.h>
#include <string.h>

#define PATH "test_study_job_list.db"
#define STAR_RUN "fabric: {kind: star, hosts: 3}\nworkload: [{kind: permutation, sizes: 100KB}]\n"

static json_t *parsed(const char *text) {
    char *quoted = strdup(text);
    for (char *c = quoted; *c; c++) *c = *c == '\'' ? '"' : *c;
    json_error_t e;
    json_t *o = json_loads(quoted, JSON_DECODE_ANY, &e);
    if (!o) fail_msg("%s in %s", e.text, quoted);
    free(quoted);
    return o;
}

static void is_json(const json_t *o, const char *key, const char *expected) {
    json_t *wanted = parsed(expected), *found = json_object_get(o, key);
    if (!json_equal(found, wanted)) fail_msg("%s: %s", key, json_dumps(found, JSON_COMPACT | JSON_ENCODE_ANY));
    json_decref(wanted);
}

/* Fails the test unless both are the same; frees `wanted`. */
static void is_same(const json_t *o, const char *key, json_t *wanted) {
    json_t *found = json_object_get(o, key);
    if (!json_equal(found, wanted)) fail_msg("%s: %s", key, json_dumps(found, JSON_COMPACT | JSON_ENCODE_ANY));
    json_decref(wanted);
}

/* Two jobs: two ranks on hosts 2 and 0, three of which only two had anything to do. */
#define JOBS                                                                                                           \
    "{'jobs': [{'name': 'ring', 'op': 'all-reduce', 'ranks': 2, 'iterations': 3, 'jct_us': 9},"                        \
    " {'name': 'gpt', 'op': 'training', 'ranks': 3, 'iterations': 1}]}"
#define NODES "INSERT INTO nodes(run, node, name) VALUES(?1,0,'h0'),(?1,1,'h1'),(?1,2,'h2')"
#define ITERATIONS                                                                                                     \
    "INSERT INTO job_iterations(run, job, iteration, start_ps, end_ps, ideal_ps) VALUES(?1,0,0,0,5000000,4000000),"    \
    "(?1,0,1,6000000,16000000,4000000),(?1,0,2,17000000,18000000,4000000),(?1,1,0,1000000,3000000,1500000),"           \
    "(?1,2,-1,1,2,3),(?1,-1,-1,1,2,3)"
/* run, span, job, rank, node, kind, phase, start, end */
#define SPANS                                                                                                          \
    "INSERT INTO job_spans VALUES(?1,0,0,0,2,'compute','forward',6000000,8000000),"                                    \
    "(?1,1,0,1,0,'send','ring',8000000,16000000),(?1,2,0,0,2,'send','forward',9000000,10000000),"                      \
    "(?1,3,1,2,1,'compute','back',1000000,3000000),(?1,4,2,0,0,'send','none',0,1),(?1,5,-1,0,0,'send','none',0,1),"    \
    "(?1,6,0,2,0,'send','none',0,1),(?1,7,0,-1,0,'send','none',0,1)"
/* run, job, step, iteration, flow, phase, src, dst, bytes, start, end, ideal */
#define STEPS                                                                                                          \
    "INSERT INTO job_steps VALUES(?1,0,0,1,NULL,'forward',2,2,NULL,6000000,8000000,2000000),"                          \
    "(?1,0,1,1,7,'ring',2,0,9,8000000,16000000,4500000),(?1,0,2,1,8,'late',1,0,9,9000000,12000000,1),"                 \
    "(?1,1,0,0,9,'back',1,5,9,1000000,3000000,1000000),(?1,2,0,0,9,'none',0,0,9,0,1,1),(?1,-1,0,0,9,'none',0,0,9,0,1," \
    "1)"

static struct store_reader *store_of(const char *const *sql, size_t n) {
    return series_store(PATH, STAR_RUN, parsed(JOBS), sql, n);
}

static const char *const whole[] = {NODES, ITERATIONS, SPANS, STEPS};

static json_t *jobs_of(struct store_reader *r) {
    struct diag d = {0};
    json_t *list = run_jobs(r, &r->run[0], &d);
    if (!list) fail_msg("%s", d.text);
    return list;
}

/* Times count from the start of the iteration that the path is of. Rows of jobs and ranks that the result does not have are left
 * out. */
static void jobs__of_a_run(void **state) {
    (void)state;
    struct store_reader *r = store_of(whole, 4);
    json_t *list = jobs_of(r);
    assert_int_equal(json_array_size(list), 2);
    const json_t *ring = json_array_get(list, 0), *spans = json_object_get(ring, "spans");
    is_json(ring, "name", "'ring'");
    is_json(ring, "op", "'all-reduce'");
    is_json(ring, "ranks", "2");
    is_json(ring, "iterations", "3");
    assert_null(json_object_get(ring, "jct_us"));
    is_json(ring, "iteration", "2");
    is_same(ring, "start_us", pack_number(6));
    is_same(ring, "took_us", pack_number(10));
    is_same(ring, "ideal_us", pack_number(4));
    is_json(ring, "hosts", "['h2', 'h0']");
    is_json(ring, "phases", "['forward', 'ring', 'late']");
    is_json(spans, "n", "3");
    is_same(spans, "rank", pack_integers((const uint32_t[]){0, 1, 0}, 3));
    is_same(spans, "what", pack_integers((const uint32_t[]){1, 2, 0}, 3)); /* twice the phase, and one for computing */
    is_same(spans, "start", pack_scaled((const double[]){0, 2, 3}, 3, 16));
    is_same(spans, "end", pack_scaled((const double[]){2, 10, 4}, 3, 16));
    json_decref(list);
    store_reader_close(r);
}

/* Steps have ranks in place of hosts; one that is no message has no flow, and a host that is no rank is null. */
static void jobs__critical_path(void **state) {
    (void)state;
    struct store_reader *r = store_of(whole, 4);
    json_t *list = jobs_of(r), *ring = json_array_get(list, 0), *path = json_object_get(ring, "path");
    assert_int_equal(json_array_size(path), 3);
    json_t *first = json_pack("[i, i, i, o, o, o, n]", 0, 0, 0, pack_number(0), pack_number(2), pack_number(2)),
           *second = json_pack("[i, i, i, o, o, o, i]", 1, 0, 1, pack_number(2), pack_number(10), pack_number(4.5), 7),
           *third = json_pack("[i, n, i, o, o, o, i]", 2, 1, pack_number(3), pack_number(6), pack_number(1e-6), 8);
    assert_true(json_equal(json_array_get(path, 0), first));
    assert_true(json_equal(json_array_get(path, 1), second));
    assert_true(json_equal(json_array_get(path, 2), third));
    is_json(ring, "path_left", "0");
    const json_t *gpt = json_array_get(list, 1);
    is_json(gpt, "hosts", "[null, null, 'h1']"); /* two ranks had nothing to do */
    is_json(gpt, "iteration", "1");
    is_json(gpt, "phases", "['back']");
    json_decref(first);
    json_decref(second);
    json_decref(third);
    json_decref(list);
    store_reader_close(r);
}

/* A host whose name the store does not have is null. */
static void jobs__hosts_without_a_name(void **state) {
    (void)state;
    static const char *const sql[] = {"INSERT INTO nodes(run, node, name) VALUES(?1,0,'h0'),(?1,2,'h2')", ITERATIONS,
                                      SPANS, STEPS};
    struct store_reader *r = store_of(sql, 4);
    json_t *list = jobs_of(r);
    is_json(json_array_get(list, 0), "hosts", "[null, 'h0']");
    json_decref(list);
    store_reader_close(r);
}

/* The sixteenth phase takes all that come after it. */
static void jobs__many_phases(void **state) {
    (void)state;
    static const char *const sql[] = {
        NODES, ITERATIONS,
        "WITH RECURSIVE c(i) AS (SELECT 1 UNION SELECT i + 1 FROM c WHERE i < 300) INSERT INTO job_spans SELECT "
        "?1, i, 0, 0, 2, 'send', 'p' || i, 6000000, 7000000 FROM c",
        STEPS};
    struct store_reader *r = store_of(sql, 4);
    json_t *list = jobs_of(r), *ring = json_array_get(list, 0), *phases = json_object_get(ring, "phases");
    uint32_t what[300];
    for (uint32_t i = 0; i < 300; i++) what[i] = 2 * (i < 15 ? i : 15);
    assert_int_equal(json_array_size(list), 1);
    assert_int_equal(json_array_size(phases), 16);
    assert_string_equal(json_string_value(json_array_get(phases, 15)), "p16");
    is_json(json_object_get(ring, "spans"), "n", "300");
    is_same(json_object_get(ring, "spans"), "what", pack_integers(what, 300));
    json_decref(list);
    store_reader_close(r);
}

/* A path of more steps than are listed says how many are left out. */
static void jobs__long_paths(void **state) {
    (void)state;
    static const char *const sql[] = {
        NODES, ITERATIONS, SPANS,
        "WITH RECURSIVE c(i) AS (SELECT 0 UNION SELECT i + 1 FROM c WHERE i < 2002) INSERT INTO job_steps SELECT "
        "?1, 0, i, 1, NULL, 'ring', 0, 2, 0, 6000000, 7000000, 1 FROM c"};
    struct store_reader *r = store_of(sql, 4);
    json_t *list = jobs_of(r);
    assert_int_equal(json_array_size(json_object_get(json_array_get(list, 0), "path")), PATH_LISTED);
    is_json(json_array_get(list, 0), "path_left", "3");
    json_decref(list);
    store_reader_close(r);
}

/* Jobs without an iteration that ended, or without a span of it, are left out; without any job there is no list. */
static void jobs__that_did_not_end(void **state) {
    (void)state;
    static const char *const begun[] = {NODES,
                                        "INSERT INTO job_iterations(run, job, iteration, start_ps, end_ps) "
                                        "VALUES(?1,0,1,5,NULL),(?1,1,0,NULL,9)",
                                        SPANS, STEPS};
    struct store_reader *r = store_of(begun, 4);
    json_t *list = jobs_of(r);
    assert_true(json_is_null(list));
    json_decref(list);
    store_reader_close(r);
    static const char *const without_spans[] = {NODES, ITERATIONS, STEPS};
    r = store_of(without_spans, 3);
    list = jobs_of(r);
    assert_true(json_is_null(list));
    json_decref(list);
    store_reader_close(r);
    r = series_store(PATH, STAR_RUN, parsed("{'jobs': []}"), whole, 4);
    list = jobs_of(r);
    assert_true(json_is_null(list));
    json_decref(list);
    store_reader_close(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(jobs__of_a_run),    UNIT(jobs__critical_path), UNIT(jobs__hosts_without_a_name),
        UNIT(jobs__many_phases), UNIT(jobs__long_paths),    UNIT(jobs__that_did_not_end),
    };
    int failed = RUN_UNITS(tests);
    unlink(PATH);
    return failed;
}
