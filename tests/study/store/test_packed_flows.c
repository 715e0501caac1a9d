/* SPDX-License-Identifier: Apache-2.0 */
/* A run with many flows is stored packed, and a reader sees the rows that it would have had. */
#include "study/store/packed_flows.h"

#include "base/memory.h"
#include "study/config/stored_flows.h"
#include "study_test.h"

#include <stdlib.h>
#include <unistd.h>

#define N 10000
#define ROWS "test_rows.db"
#define PACKED "test_packed.db"

struct flows_of_run {
    struct outcome o;
    struct flow flow[N];
    struct flow_tally tally[N];
    int64_t bound[N];
};

/* Flows of every kind: some never start, some never end, some are endless, some have a stop. */
static struct flows_of_run *flows_make(void) {
    struct flows_of_run *x = memory_get(1, sizeof *x);
    for (uint32_t i = 0; i < N; i++) {
        time_ps start = i % 11 == 10 ? TIME_NONE : 1000 * (time_ps)i;
        x->flow[i] = (struct flow){.start = start,
                                   .bytes = i % 13 == 12 ? UINT64_MAX : 1000 + i,
                                   .src = i % 7,
                                   .dst = i % 5,
                                   .entry = i % 3,
                                   .stop = i % 17 == 16 ? 7000000 : TIME_NONE};
        x->tally[i] =
            (struct flow_tally){.started_at = start,
                                .finished_at = start == TIME_NONE || i % 6 == 5 ? TIME_NONE : start + 500 + i % 9,
                                .received_bytes = i % 6 == 5 ? i : 1000 + i,
                                .first_data_at = start == TIME_NONE ? TIME_NONE : start + 7,
                                .sent_pkts = i,
                                .data_timeouts = i == 4096,
                                .credits_sent = i % 4,
                                .unfilled_bytes = (uint64_t)i << 30};
        x->bound[i] = 300 + i % 2;
    }
    x->o = (struct outcome){.flow = x->flow,
                            .result = {.n_flows = N, .tally = x->tally, .bound_ps = x->bound, .is_live = false}};
    return x;
}

/* Stores the outcome as the only run, with at most so many flows as rows. Returns the open store. */
static struct store *store_of(const char *path, const struct flows_of_run *x, size_t flows_as_rows, int64_t *run) {
    struct diag d = {0};
    int64_t experiment;
    struct experiment *e = read_text(STAR PERMUTATION);
    unlink(path);
    struct store *s = store_open(path, &d);
    if (!s) fail_msg("%s", d.text);
    s->flows_as_rows = flows_as_rows;
    assert_true(store_experiment(s, e, &experiment, &d));
    assert_true(store_run_begin(s, experiment, &e->run[0], "v", run, &d));
    assert_true(store_run_end(s, *run, &x->o, NULL, NULL, &d));
    experiment_free(e);
    return s;
}

static struct store_reader *opened(const char *path) {
    struct diag d = {0};
    struct store_reader *r = store_reader_open(path, &d);
    if (!r) fail_msg("%s", d.text);
    return r;
}

static int64_t number(sqlite3 *db, const char *sql) {
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return value;
}

/* Fails unless both readers give the same flows, all columns of them or those named. */
static void assert_same_flows(const struct store_reader *a, const struct store_reader *b, const char *columns) {
    struct diag d = {0};
    struct store_rows ra, rb;
    struct flow_row xa = {0}, xb = {0};
    uint32_t n = 0;
    assert_true(store_rows_begin_some(a, STORE_FLOWS, columns, a->run[0].id, &ra, &d));
    assert_true(store_rows_begin_some(b, STORE_FLOWS, columns, b->run[0].id, &rb, &d));
    for (; store_next_flow(&ra, &xa); n++) {
        assert_true(store_next_flow(&rb, &xb));
        assert_memory_equal(&xa, &xb, sizeof xa);
    }
    assert_false(store_next_flow(&rb, &xb));
    assert_true(store_rows_end(&ra, &d) && store_rows_end(&rb, &d));
    assert_int_equal(n, N);
}

static void packed__a_reader_sees_the_same_rows(void **state) {
    (void)state;
    struct diag d = {0};
    int64_t run;
    struct flows_of_run *x = flows_make();
    store_close(store_of(ROWS, x, N, &run));
    store_close(store_of(PACKED, x, N - 1, &run));
    struct store_reader *a = opened(ROWS), *b = opened(PACKED);
    assert_int_equal(number(a->db, "PRAGMA user_version"), 2);
    assert_int_equal(number(a->db, "SELECT count(*) FROM sqlite_schema WHERE name='flow_blocks'"), 0);
    assert_int_equal(number(b->db, "PRAGMA user_version"), 3);
    assert_int_equal(number(b->db, "SELECT count(*) FROM main.flows"), 0);
    assert_int_equal(number(b->db, "SELECT count(*) FROM flow_blocks"), 3);
    assert_same_flows(a, b, NULL);
    assert_same_flows(a, b, " start_ps fct_ps stop_ps ");
    assert_int_equal(store_count(b, STORE_FLOWS, run, &d), N);
    assert_int_equal(store_count(b, STORE_FLOWS, run + 1, &d), 0);
    store_reader_close(a);
    store_reader_close(b);
    free(x);
}

static void packed__questions_are_answered_as_rows_answer_them(void **state) {
    (void)state;
    static const char *const questions[] = {
        "SELECT start_ps FROM flows WHERE run=1 AND flow=0",
        "SELECT start_ps FROM flows WHERE run=1 AND flow=4095",
        "SELECT start_ps FROM flows WHERE run=1 AND flow=4096",
        "SELECT sent_packets FROM flows WHERE run=1 AND flow=9999",
        "SELECT count(*) FROM flows WHERE run=1 AND flow=10000",
        "SELECT count(*) FROM flows WHERE run=1 AND flow=-1",
        "SELECT count(*) FROM flows WHERE run=2 AND flow=1",
        "SELECT count(*) FROM flows WHERE run=1 AND flow IS NULL",
        "SELECT count(*) FROM flows WHERE run=1 AND flow=NULL",
        "SELECT count(*) FROM flows WHERE run=1 AND flow=0.5",
        "SELECT count(*) FROM flows WHERE run=1 AND flow='a'",
        "SELECT group_concat(flow) = '9000,4096,3' FROM (SELECT flow FROM flows WHERE run=1 AND flow IN (3, 9000, 4096)"
        " ORDER BY flow DESC)",
        "SELECT flow FROM flows WHERE run=1 AND bytes IS NOT NULL ORDER BY 1.0 * fct_ps / bound_ps DESC, flow LIMIT 1",
        "SELECT flow FROM flows WHERE run=1 ORDER BY flow DESC LIMIT 1",
        "SELECT sum(flow * (finished_ps IS NULL)) FROM flows WHERE run=1 AND src=3",
        "SELECT count(*) FROM runs r JOIN flows f ON f.run = r.id AND f.flow < 5000",
        "SELECT max(timeouts) + max(unfilled_bytes) FROM flows WHERE run=1",
    };
    int64_t run;
    struct flows_of_run *x = flows_make();
    store_close(store_of(ROWS, x, N, &run));
    store_close(store_of(PACKED, x, 0, &run));
    struct store_reader *a = opened(ROWS), *b = opened(PACKED);
    assert_int_equal(run, 1);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        int64_t of_rows = number(a->db, questions[i]), of_blocks = number(b->db, questions[i]);
        if (of_rows != of_blocks)
            fail_msg("%s: %lld, not %lld", questions[i], (long long)of_blocks, (long long)of_rows);
    }
    assert_int_not_equal(sqlite3_exec(b->db, "SELECT count(*) FROM flows", NULL, NULL, NULL), SQLITE_OK);
    assert_string_equal(sqlite3_errmsg(b->db), "no query solution");
    store_reader_close(a);
    store_reader_close(b);
    free(x);
}

static void packed__a_run_that_begins_again_loses_its_blocks(void **state) {
    (void)state;
    struct diag d = {0};
    int64_t run, again;
    struct experiment *e = read_text(STAR PERMUTATION);
    struct flows_of_run *x = flows_make();
    struct store *s = store_of(PACKED, x, 0, &run);
    assert_true(store_run_begin(s, 1, &e->run[0], "v", &again, &d));
    assert_int_equal(again, run);
    assert_int_equal(number(store_database(s), "SELECT count(*) FROM flow_blocks"), 0);
    s->flows_as_rows = N;
    assert_true(store_run_end(s, run, &x->o, NULL, NULL, &d));
    store_close(s);
    struct store_reader *r = opened(PACKED);
    assert_int_equal(number(r->db, "SELECT count(*) FROM flows"), N); /* the table itself: nothing hides it */
    store_reader_close(r);
    experiment_free(e);
    free(x);
}

/* What an earlier program refuses is a store that has, or had, packed flows; no other. */
static void packed__only_such_a_store_has_the_schema(void **state) {
    (void)state;
    int64_t run;
    struct flows_of_run *x = flows_make();
    struct store *s = store_of(ROWS, x, STORE_FLOWS_AS_ROWS, &run);
    assert_int_equal(number(store_database(s), "PRAGMA user_version"), STORE_SCHEMA_VERSION);
    store_close(s);
    free(x);
}

static int teardown(void **state) {
    (void)state;
    unlink(ROWS);
    unlink(PACKED);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(packed__a_reader_sees_the_same_rows),
        UNIT(packed__questions_are_answered_as_rows_answer_them),
        UNIT(packed__a_run_that_begins_again_loses_its_blocks),
        UNIT(packed__only_such_a_store_has_the_schema),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
