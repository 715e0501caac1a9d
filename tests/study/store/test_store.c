/* SPDX-License-Identifier: Apache-2.0 */
#include "study/store/store.h"

#include "faulty_vfs.h"
#include "store_layouts.h"
#include "study/metrics/metrics.h"
#include "study/results/json_out.h"
#include "study/store/store_reader.h"
#include "study_test.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH "test_store.db"

static struct store *fresh(void) {
    struct diag d = {0};
    unlink(PATH);
    struct store *s = store_open(PATH, &d);
    if (!s) fail_msg("%s", d.text);
    return s;
}

static struct store *reopen(struct store *s) {
    struct diag d = {0};
    store_close(s);
    s = store_open(PATH, &d);
    assert_non_null(s);
    return s;
}

static int64_t number_of(struct store *s, const char *sql) {
    sqlite3_stmt *q;
    assert_int_equal(sqlite3_prepare_v2(store_database(s), sql, -1, &q, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return value;
}

static void refuses_to_open(const char *line) {
    struct diag d = {0};
    char buf[1024];
    assert_null(store_open(PATH, &d));
    assert_string_equal(diag_line(&d, buf, sizeof buf), line);
}

/* A second writer is refused, since both would give runs the same numbers. A reader may open the store at any time. */
static void open__one_writer_at_a_time(void **state) {
    (void)state;
    struct diag d = {0};
    struct store *s = fresh();
    refuses_to_open("test_store.db: error: another heddle run is writing to this store; wait for it, or name another "
                    "file with -o");
    struct store_reader *reader = store_reader_open(PATH, &d);
    assert_non_null(reader);
    store_reader_close(reader);
    store_close(s);
    s = store_open(PATH, &d);
    assert_non_null(s);
    store_close(s);
}

/* Returns whether another open file could lock these bytes for writing. */
static bool is_free(off_t first, off_t n) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = first, .l_len = n};
    pid_t pid = fork(); /* closing the file here would release SQLite's locks */
    if (pid == 0) {
        int fd = open(PATH, O_RDWR);
        _exit(fd >= 0 && fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WEXITSTATUS(status);
}

/* Over NFS all locks of a file are bytes at the server: a lock of the whole file would keep SQLite from its own. */
static void open__the_lock_leaves_the_bytes_of_sqlite_alone(void **state) {
    (void)state;
    struct store *s = fresh();
    assert_true(is_free(0, 0x40000000 + 512));
    assert_false(is_free(0x40000000 + 512, 0));
    store_close(s);
    assert_true(is_free(0, 0));
}

/* A run's process may outlive its parent by a moment. The next command must not wait for it. */
static void open__a_forked_process_does_not_keep_the_lock(void **state) {
    (void)state;
    struct diag d = {0};
    int told[2], alive[2];
    char byte = 0;
    struct store *s = fresh();
    assert_int_equal(pipe(told) + pipe(alive), 0);
    pid_t pid = fork();
    if (pid == 0) { /* lives on until the parent closes its end */
        close(told[1]);
        _exit(write(alive[1], &byte, 1) == 1 && read(told[0], &byte, 1) == 0 ? 0 : 1);
    }
    assert_int_equal(read(alive[0], &byte, 1), 1);
    refuses_to_open("test_store.db: error: another heddle run is writing to this store; wait for it, or name another "
                    "file with -o");
    store_close(s);
    s = store_open(PATH, &d);
    if (!s) fail_msg("%s", d.text);
    store_close(s);
    for (int i = 0; i < 2; i++) close(told[i]), close(alive[i]);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* An outcome of two flows in a fabric of two nodes; one flow did not finish. */
struct small {
    struct outcome o;
    const char *node[2];
    struct outcome_port port[2];
    struct flow flow[2];
    struct query query[1];
    struct flow_tally tally[2];
    int64_t bound[2];
    struct port_total total[2];
    struct buffer_total buffer[1];
    struct sample sample[3];
    struct join_episode join[1];
    struct pause_total pause[1];
    struct pause_ring_lane ring[3];
};

static void small_fill(struct small *x) {
    *x = (struct small){.node = {"host0", "host1"}, .port = {{0, 1, 0, 0}, {1, 0, 0, 0}}};
    x->flow[0] = (struct flow){.start = 5, .bytes = 1000, .src = 0, .dst = 1, .stop = TIME_NONE};
    x->flow[1] = (struct flow){.start = 9, .bytes = UINT64_MAX, .src = 1, .dst = 0, .stop = TIME_NONE};
    x->tally[0] = (struct flow_tally){
        .started_at = 5, .finished_at = 105, .received_bytes = 1000, .data_timeouts = 2, .syn_timeouts = 1};
    x->tally[1] = (struct flow_tally){.started_at = 9, .finished_at = TIME_NONE};
    x->bound[0] = x->bound[1] = 50;
    x->query[0] = (struct query){.request = 1, .response = 0, .set = 3};
    x->total[0] = (struct port_total){.port = 0, .sent_bytes = 77, .utilisation_ppb = PPB / 2};
    x->total[1] = (struct port_total){.port = 1};
    x->buffer[0] = (struct buffer_total){400, 900}; /* of the second node, which counts as a switch */
    x->sample[0] = (struct sample){10, 1, SAMPLE_LINK, PPB / 4};
    x->sample[2] = (struct sample){10, 1, SAMPLE_PAUSE, PPB / 2};
    x->total[1].paused = 60, x->total[1].blocked = 7;
    x->pause[0] = (struct pause_total){
        .port = 1, .class = 5, .stops = 4, .storms = 1, .paused = 60, .longest = 30, .longest_from = 3};
    for (uint32_t i = 0; i < 3; i++)
        x->ring[i] =
            (struct pause_ring_lane){.ring = i > 0, .port = i % 2, .class = 2, .since = 8, .first = 9, .last = i};
    x->sample[1] = (struct sample){10, 1, SAMPLE_GOODPUT, 3000000000};
    x->tally[0].credits_wasted = 4;
    x->tally[0].first_data_at = 21;
    x->tally[1].first_data_at = TIME_NONE;
    x->join[0] = (struct join_episode){.at = 9, .flows = 2, .intervals = 5, .first_ps = 20, .settled_ps = TIME_NONE};
    x->o = (struct outcome){.node = x->node,
                            .n_nodes = 2,
                            .n_hosts = 1,
                            .port = x->port,
                            .n_ports = 2,
                            .flow = x->flow,
                            .query = x->query,
                            .n_queries = 1};
    x->o.result = (struct run_result){.n_flows = 2,
                                      .tally = x->tally,
                                      .bound_ps = x->bound,
                                      .port = x->total,
                                      .n_ports = 2,
                                      .buffer = x->buffer,
                                      .n_buffers = 1,
                                      .sample = x->sample,
                                      .n_samples = 3,
                                      .join = x->join,
                                      .n_joins = 1,
                                      .pause = x->pause,
                                      .n_pauses = 1,
                                      .ring = x->ring,
                                      .n_ring_lanes = 3,
                                      .link[1] = {.n = 2, .max_ppb = PPB / 2, .data_min_ppb = PPB / 4},
                                      .open = {.arrivals = 2, .end = 2000, .point_milli = {[1] = 1500}},
                                      .watched = {.n = 1},
                                      .fairness[1] = {.interval = 50, .intervals = 2, .sum_ppm = 1500000}};
}

static struct stored_run find(struct store *s, int64_t experiment, const struct planned_run *r) {
    struct diag d;
    struct stored_run found;
    assert_true(store_run_find(s, experiment, r, &found, &d));
    return found;
}

static void store_run_end__a_done_run_is_found_again_with_its_rows(void **state) {
    (void)state;
    struct diag d;
    struct experiment *e = read_text(STAR PERMUTATION);
    struct small x;
    small_fill(&x);
    json_t *result = metrics_object(1, e->run[0].settings, &x.o);
    struct store *s = fresh();
    int64_t experiment, run;
    assert_true(store_experiment(s, e, &experiment, &d));
    assert_int_equal(find(s, experiment, &e->run[0]).id, 0);
    assert_true(store_run_begin(s, experiment, &e->run[0], "v", &run, &d));
    assert_true(store_run_end(s, run, &x.o, result, NULL, &d));
    s = reopen(s);
    struct stored_run found = find(s, experiment, &e->run[0]);
    assert_true(found.done);
    assert_true(json_equal(found.result, result));
    assert_int_equal(number_of(s, "SELECT count(*) FROM flows"), 2);
    assert_int_equal(number_of(s, "SELECT fct_ps FROM flows WHERE flow=0"), 100);
    assert_int_equal(number_of(s, "SELECT timeouts FROM flows WHERE flow=0"), 3);
    assert_int_equal(number_of(s, "SELECT time_ps FROM queries"), 105 - 9);
    assert_int_equal(number_of(s, "SELECT start_ps FROM queries"), 9);
    assert_int_equal(number_of(s, "SELECT client FROM queries"), 1);
    assert_int_equal(number_of(s, "SELECT part_of FROM queries"), 3);
    assert_int_equal(number_of(s, "SELECT timeouts FROM queries"), 3);
    assert_int_equal(number_of(s, "SELECT finished_ps IS NULL AND bytes IS NULL FROM flows WHERE flow=1"), 1);
    assert_int_equal(number_of(s, "SELECT count(*) FROM samples"), 3);
    assert_int_equal(number_of(s, "SELECT count(*) FROM samples WHERE kind='link' AND value=0.25"), 1);
    assert_int_equal(number_of(s, "SELECT sent_bytes FROM ports WHERE port=0"), 77);
    assert_int_equal(number_of(s, "SELECT buffer_max_bytes FROM nodes WHERE name='host1' AND buffer_mean_bytes=400"),
                     900);
    assert_int_equal(number_of(s, "SELECT count(*) FROM nodes WHERE name='host0' AND buffer_max_bytes IS NULL"), 1);
    assert_int_equal(number_of(s, "SELECT count(*) FROM samples WHERE kind='goodput' AND value=3e9"), 1);
    assert_int_equal(number_of(s, "SELECT credits_wasted FROM flows WHERE flow=0"), 4);
    assert_int_equal(number_of(s, "SELECT first_data_ps FROM flows WHERE first_data_ps IS NOT NULL"), 21);
    assert_int_equal(number_of(s, "SELECT count(*) FROM open_flows"), OPEN_POINTS);
    assert_int_equal(number_of(s, "SELECT at_ps FROM open_flows WHERE flows=1.5"), 30);
    assert_int_equal(number_of(s, "SELECT count(*) FROM links"), 2); /* tiers without links have no row */
    assert_int_equal(number_of(s, "SELECT 4 * data_min FROM links WHERE tier='uplink'"), 1);
    assert_int_equal(number_of(s, "SELECT 4 * jain_mean FROM fairness WHERE place=1"), 3);
    assert_int_equal(number_of(s, "SELECT first_ps FROM convergence WHERE settled_ps IS NULL AND at_ps=9"), 20);
    assert_int_equal(number_of(s, "SELECT 2 * value FROM samples WHERE kind='pause'"), 1);
    assert_int_equal(number_of(s, "SELECT 100 * paused_ps + blocked_ps FROM ports WHERE port=1"), 6007);
    assert_int_equal(number_of(s, "SELECT count(*) FROM pauses WHERE port=1 AND class=5 AND paused_ps=60 AND stops=4"
                                  " AND storms=1 AND longest_ps=30 AND longest_from_ps=3"),
                     1);
    assert_int_equal(number_of(s, "SELECT count(*) FROM pause_rings"), 3);
    assert_int_equal(number_of(s, "SELECT port FROM pause_rings WHERE ring=1 AND place=1 AND class=2 AND since_ps=8"
                                  " AND first_ps=9 AND last_ps=2"),
                     0);
    json_decref(found.result);
    json_decref(result);
    store_close(s);
    experiment_free(e);
}

/* ---- tables of many rows ---- */

#define MANY_MOST 131

/* Nodes of which few have a buffer, ports of which every fifth is none, and samples, so many of each. */
struct many {
    struct outcome o;
    char name[MANY_MOST][16];
    const char *node[MANY_MOST];
    struct outcome_port port[MANY_MOST];
    struct port_total total[MANY_MOST];
    struct buffer_total buffer[60];
    struct sample sample[MANY_MOST];
};

static void many_fill(struct many *x, uint32_t n) {
    *x = (struct many){0};
    for (uint32_t i = 0; i < n; i++) {
        snprintf(x->name[i], sizeof x->name[i], "node%u", i);
        x->node[i] = x->name[i];
        x->port[i] = (struct outcome_port){i, 0, 0, 0};
        x->total[i] = (struct port_total){.port = i % 5 == 4 ? n : i, .sent_bytes = 1000 + i};
        x->sample[i] = (struct sample){10 + i, i, SAMPLE_GOODPUT, 7 * (int64_t)i};
    }
    for (uint32_t i = 0; i < 60; i++) x->buffer[i] = (struct buffer_total){2 * i, 3 * i};
    x->o = (struct outcome){.node = x->node, .n_nodes = n, .n_hosts = 3, .port = x->port, .n_ports = n};
    x->o.result = (struct run_result){
        .port = x->total, .n_ports = n, .buffer = x->buffer, .n_buffers = 60, .sample = x->sample, .n_samples = n};
}

/* Each row is there once with its own values, where a statement inserts one row, several, or some of both. */
static void store_run_end__many_rows(void **state) {
    (void)state;
    static const uint32_t sizes[] = {127, 128, 129, MANY_MOST};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct diag d;
        struct experiment *e = read_text(STAR PERMUTATION);
        static struct many x;
        uint32_t n = sizes[k];
        many_fill(&x, n);
        json_t *result = metrics_object(1, e->run[0].settings, &x.o);
        struct store *s = fresh();
        int64_t experiment, run;
        assert_true(store_experiment(s, e, &experiment, &d));
        assert_true(store_run_begin(s, experiment, &e->run[0], "v", &run, &d));
        assert_true(store_run_end(s, run, &x.o, result, NULL, &d));
        assert_int_equal(number_of(s, "SELECT count(*) FROM nodes WHERE name = 'node' || node"), n);
        assert_int_equal(number_of(s, "SELECT count(*) FROM nodes WHERE buffer_max_bytes = 3 * (node - 3)"), 60);
        assert_int_equal(number_of(s, "SELECT count(*) FROM nodes WHERE buffer_max_bytes IS NULL"), n - 60);
        assert_int_equal(number_of(s, "SELECT count(*) FROM ports WHERE sent_bytes = 1000 + port"), n - n / 5);
        assert_int_equal(number_of(s, "SELECT count(*) FROM ports"), n - n / 5);
        assert_int_equal(number_of(s, "SELECT count(*) FROM samples WHERE value = 7 * (at_ps - 10)"), n);
        assert_int_equal(number_of(s, "SELECT count(DISTINCT at_ps) FROM samples"), n);
        json_decref(result);
        store_close(s);
        experiment_free(e);
    }
}

static void store_run_begin__what_a_killed_process_left_is_run_again(void **state) {
    (void)state;
    struct diag d;
    struct experiment *e = read_text(STAR PERMUTATION);
    struct small x;
    small_fill(&x);
    struct store *s = fresh();
    int64_t experiment, run, again;
    assert_true(store_experiment(s, e, &experiment, &d));
    assert_true(store_run_begin(s, experiment, &e->run[0], "v", &run, &d));
    s = reopen(s);
    struct stored_run found = find(s, experiment, &e->run[0]);
    assert_int_equal(found.id, run);
    assert_false(found.done);
    assert_true(store_run_end(s, run, &x.o, NULL, "stuck", &d));
    assert_int_equal(number_of(s, "SELECT count(*) FROM runs WHERE status='failed' AND failure='stuck'"), 1);
    assert_false(find(s, experiment, &e->run[0]).done);
    assert_true(store_run_begin(s, experiment, &e->run[0], "v", &again, &d));
    assert_int_equal(again, run);
    assert_int_equal(number_of(s, "SELECT count(*) FROM flows"), 0);
    store_close(s);
    experiment_free(e);
}

static double tried_s(struct store *s, int64_t experiment, const struct planned_run *r) {
    struct stored_run found = find(s, experiment, r);
    assert_false(found.done);
    return found.tried_s;
}

/* A run that waits for its turn has a row without times; one that was ended keeps how long it was tried. */
static void store_run_plan__and_leave_keep_a_run_missing(void **state) {
    (void)state;
    struct diag d;
    struct experiment *e = read_text(STAR PERMUTATION);
    struct store *s = fresh();
    int64_t experiment, planned, run;
    assert_true(store_experiment(s, e, &experiment, &d));
    assert_true(store_run_plan(s, experiment, &e->run[0], "v", &planned, &d));
    assert_int_equal(number_of(s, "SELECT count(*) FROM runs WHERE status='running' AND number=1 AND started IS NULL"),
                     1);
    assert_true(tried_s(s, experiment, &e->run[0]) == 0);
    assert_true(store_run_begin(s, experiment, &e->run[0], "v", &run, &d));
    assert_int_equal(run, planned);
    assert_int_equal(/* the time of day is set during the run */
                     sqlite3_exec(store_database(s), "UPDATE runs SET started=datetime('now', '-1 hour')", NULL, NULL,
                                  NULL),
                     SQLITE_OK);
    assert_true(tried_s(s, experiment, &e->run[0]) == 0);
    assert_true(store_run_leave(s, run, 60.7, &d));
    assert_float_equal(tried_s(s, experiment, &e->run[0]), 60, 0.001); /* whole seconds */
    assert_true(store_run_begin(s, experiment, &e->run[0], "v", &run, &d));
    assert_true(tried_s(s, experiment, &e->run[0]) == 0);
    store_close(s);
    experiment_free(e);
}

static void store_experiment__runs_no_longer_part_of_it_lose_their_number_and_stay(void **state) {
    (void)state;
    struct diag d;
    struct experiment *before = read_text(STAR PERMUTATION "sweep: {run.seed: [1, 2]}\n"),
                      *after = read_text(STAR PERMUTATION "sweep: {run.seed: [2, 3]}\n");
    struct store *s = fresh();
    int64_t experiment, same, run;
    assert_true(store_experiment(s, before, &experiment, &d));
    for (size_t i = 0; i < 2; i++) assert_true(store_run_begin(s, experiment, &before->run[i], "v", &run, &d));
    assert_true(store_experiment(s, after, &same, &d));
    assert_int_equal(same, experiment);
    find(s, experiment, &after->run[0]);
    assert_int_equal(number_of(s, "SELECT number FROM runs WHERE settings LIKE '%:2}'"), 1);
    assert_int_equal(number_of(s, "SELECT number IS NULL FROM runs WHERE settings LIKE '%:1}'"), 1);
    store_close(s);
    experiment_free(before);
    experiment_free(after);
}

static void store_claims__are_replaced(void **state) {
    (void)state;
    struct diag d;
    struct experiment *e = read_text(STAR PERMUTATION);
    struct store *s = fresh();
    int64_t experiment;
    struct stored_claim c = {.claim = "C",
                             .metric = "m",
                             .form = "value",
                             .place = "{}",
                             .subject = "{\"scheme\":\"a\"}",
                             .n_seeds = 1,
                             .measured = NAN,
                             .spread = NAN,
                             .low = -HUGE_VAL,
                             .high = 3,
                             .than = "{\"load\":0.3}",
                             .standard_error = 0.5,
                             .interval_low = -1,
                             .interval_high = 2,
                             .verdict = "not decided",
                             .recorded = "holds",
                             .reason = "one seed",
                             .every = true,
                             .paper = "it says"};
    assert_true(store_experiment(s, e, &experiment, &d));
    assert_true(store_claims(s, experiment, &c, 1, &d));
    assert_true(store_claims(s, experiment, &c, 1, &d));
    assert_int_equal(number_of(s, "SELECT count(*) FROM claims"), 1);
    assert_int_equal(number_of(s, "SELECT json_extract(subject, '$.scheme')='a' AND against IS NULL FROM claims"), 1);
    assert_int_equal(number_of(s, "SELECT measured IS NULL AND low IS NULL AND high=3 FROM claims"), 1);
    assert_int_equal(number_of(s, "SELECT json_extract(than, '$.load')=0.3 AND standard_error=0.5 AND interval_low=-1"
                                  " AND interval_high=2 AND every=1 AND as_recorded=0 FROM claims"),
                     1);
    assert_int_equal(number_of(s, "SELECT verdict='not decided' AND recorded='holds' AND roughly IS NULL AND"
                                  " paper='it says' AND reason='one seed' FROM claims"),
                     1);
    store_close(s);
    experiment_free(e);
}

/* ---- what cannot be opened ---- */

static void file_write(const char *text, size_t size) {
    unlink(PATH);
    int fd = open(PATH, O_CREAT | O_WRONLY, 0644);
    assert_int_equal(write(fd, text, size), size);
    close(fd);
}

static void store_open__refuses_what_is_no_database(void **state) {
    (void)state;
    file_write("title: an experiment and not a store at all, whatever its name says\n", 68);
    refuses_to_open(
        PATH ": error: results store: file is not a database; this is no heddle results store: name another with -o");
}

static void store_open__refuses_a_foreign_database(void **state) {
    (void)state;
    sqlite3 *db;
    unlink(PATH);
    assert_int_equal(sqlite3_open(PATH, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE mail(id)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    refuses_to_open(PATH ": error: this is no heddle results store; name another file with -o");
}

static void store_open__refuses_a_newer_schema(void **state) {
    (void)state;
    struct store *s = fresh();
    sqlite3_exec(store_database(s), "PRAGMA user_version=99", NULL, NULL, NULL);
    store_close(s);
    refuses_to_open(
        PATH ": error: this store has schema 99, this program knows 2 and 3; use a newer heddle or another file");
}

static void store_open__refuses_a_folder_that_does_not_exist(void **state) {
    (void)state;
    struct diag d = {0};
    assert_null(store_open("no/such/folder/x.db", &d));
    assert_string_equal(
        d.text,
        "results store: unable to open database file; check the folder and its permissions, or name another with -o");
}

/* A store that cannot grow stands for a full disk: it refuses the whole run and keeps the earlier ones. */
static void store_run_end__a_full_disk_keeps_what_is_finished(void **state) {
    (void)state;
    struct diag d = {0};
    struct experiment *e = read_text(STAR PERMUTATION "sweep: {run.seed: [1, 2]}\n");
    struct small x;
    small_fill(&x);
    struct flow many[4000] = {0};
    static struct flow_tally tallies[4000];
    json_t *result = metrics_object(1, e->run[0].settings, &x.o);
    struct store *s = fresh();
    int64_t experiment, run;
    assert_true(store_experiment(s, e, &experiment, &d));
    assert_true(store_run_begin(s, experiment, &e->run[0], "v", &run, &d));
    assert_true(store_run_end(s, run, &x.o, result, NULL, &d));
    int64_t pages = number_of(s, "PRAGMA page_count");
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA max_page_count=%lld", (long long)pages + 4);
    sqlite3_exec(store_database(s), sql, NULL, NULL, NULL);
    assert_true(store_run_begin(s, experiment, &e->run[1], "v", &run, &d));
    x.o.flow = many;
    x.o.result.tally = tallies;
    x.o.result.bound_ps = NULL;
    x.o.result.n_flows = 4000;
    assert_false(store_run_end(s, run, &x.o, result, NULL, &d));
    assert_string_equal(d.text,
                        "results store: database or disk is full; the disk is full: free some space and run the same "
                        "command again");
    s = reopen(s);
    assert_int_equal(number_of(s, "SELECT count(*) FROM runs WHERE status='done'"), 1);
    assert_int_equal(number_of(s, "SELECT count(*) FROM flows"), 2);
    json_decref(result);
    store_close(s);
    experiment_free(e);
}

static int teardown(void **state) {
    (void)state;
    unlink(PATH);
    return 0;
}

/* A store of a version without queries, pauses and compared settings gets the missing tables and columns. */
static void store_open__an_older_store_gets_what_it_lacks(void **state) {
    (void)state;
    struct store *s = fresh();
    assert_int_equal(
        sqlite3_exec(store_database(s),
                     "DROP TABLE queries; DROP TABLE pauses; DROP TABLE pause_rings; DROP TABLE open_flows;"
                     "ALTER TABLE flows DROP COLUMN first_data_ps; ALTER TABLE flows DROP COLUMN stop_ps;"
                     "ALTER TABLE nodes DROP COLUMN buffer_mean_bytes; ALTER TABLE nodes DROP COLUMN buffer_max_bytes;"
                     "ALTER TABLE ports DROP COLUMN paused_ps; ALTER TABLE ports DROP COLUMN blocked_ps;"
                     "ALTER TABLE claims DROP COLUMN subject; ALTER TABLE claims DROP COLUMN against;"
                     "ALTER TABLE claims DROP COLUMN than; ALTER TABLE claims DROP COLUMN standard_error;"
                     "ALTER TABLE claims DROP COLUMN interval_low; ALTER TABLE claims DROP COLUMN interval_high;"
                     "ALTER TABLE claims DROP COLUMN verdict; ALTER TABLE claims DROP COLUMN recorded;"
                     "ALTER TABLE claims DROP COLUMN as_recorded; ALTER TABLE claims DROP COLUMN every;"
                     "ALTER TABLE claims DROP COLUMN roughly; ALTER TABLE claims DROP COLUMN paper;"
                     "ALTER TABLE claims DROP COLUMN missing; ALTER TABLE claims DROP COLUMN reason;"
                     "INSERT INTO ports(run, port) VALUES(1, 2);"
                     "INSERT INTO claims(experiment, claim) VALUES(1, 'C')",
                     NULL, NULL, NULL),
        SQLITE_OK);
    s = reopen(s);
    assert_int_equal(number_of(s, "SELECT count(*) FROM queries"), 0);
    assert_int_equal(number_of(s, "SELECT count(*) FROM pauses, pause_rings, open_flows"), 0);
    assert_int_equal(number_of(s, "SELECT count(first_data_ps) FROM flows"), 0);
    assert_int_equal(number_of(s, "SELECT paused_ps IS NULL AND blocked_ps IS NULL FROM ports WHERE port=2"), 1);
    assert_int_equal(
        number_of(s, "SELECT subject IS NULL AND against IS NULL AND missing IS NULL FROM claims WHERE claim='C'"), 1);
    assert_int_equal(number_of(s, "SELECT count(*) FROM claims WHERE reason IS NULL"), 1);
    assert_int_equal(number_of(s, "SELECT count(buffer_max_bytes) FROM nodes"), 0);
    store_close(s);
}

static void change(struct store *s, const char *sql) {
    char *why = NULL;
    if (sqlite3_exec(store_database(s), sql, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s: %s", sql, why);
}

/* The names of all tables and their columns, as one text that the caller frees. */
static char *layout_text(struct store *s) {
    sqlite3_stmt *q;
    static const char sql[] =
        "SELECT group_concat(part, char(10)) FROM (SELECT t.name || '.' || c.name || ' ' || c.type"
        " AS part FROM sqlite_schema t, pragma_table_info(t.name) c ORDER BY t.name, c.name)";
    assert_int_equal(sqlite3_prepare_v2(store_database(s), sql, -1, &q, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    char *text = strdup((const char *)sqlite3_column_text(q, 0));
    sqlite3_finalize(q);
    return text;
}

/* Carries out each statement that the query returns in a new store; opened again, the store has all its parts. */
static void lacks_and_heals(const char *query, int least) {
    struct store *s = fresh(), *list;
    struct diag d;
    sqlite3_stmt *q;
    char *whole = layout_text(s);
    int n = 0;
    store_close(s);
    rename(PATH, PATH ".whole");
    list = store_open(PATH ".whole", &d);
    assert_non_null(list);
    assert_int_equal(sqlite3_prepare_v2(store_database(list), query, -1, &q, NULL), SQLITE_OK);
    for (; sqlite3_step(q) == SQLITE_ROW; n++) {
        s = fresh();
        change(s, (const char *)sqlite3_column_text(q, 0));
        s = reopen(s);
        char *healed = layout_text(s);
        assert_string_equal(healed, whole);
        store_close(s);
        free(healed);
    }
    sqlite3_finalize(q);
    store_close(list);
    unlink(PATH ".whole");
    free(whole);
    assert_true(n >= least);
}

/* An upgrade that an earlier version left half done may lack any one of them. */
static void store_open__each_table_and_each_column_is_looked_for(void **state) {
    (void)state;
    lacks_and_heals("SELECT 'DROP TABLE ' || name FROM sqlite_schema WHERE type='table'", 18);
    lacks_and_heals("SELECT 'ALTER TABLE ' || t.name || ' DROP COLUMN \"' || c.name || '\"' FROM sqlite_schema t,"
                    " pragma_table_info(t.name) c WHERE t.type='table' AND NOT c.pk AND NOT c.\"notnull\""
                    " AND NOT (t.name IN ('samples', 'imbalance') AND c.name='run')",
                    100);
}

static void store_open__a_store_without_a_key_is_damaged(void **state) {
    (void)state;
    struct store *s = fresh();
    change(s, "DROP TABLE queries; CREATE TABLE queries(run INTEGER)");
    store_close(s);
    refuses_to_open(PATH ": error: this store is damaged: its table queries lacks the column query; name another file "
                         "with -o");
}

/* Runs the old upgrade's statements one by one, as far as a kill let them come, in every layout. */
static void store_open__heals_what_an_upgrade_of_an_earlier_version_left(void **state) {
    (void)state;
    struct diag d = {0};
    for (size_t layout = 1; layout < N_STORE_LAYOUTS; layout++) {
        const char *rest = store_layouts[layout].sql;
        for (bool ends = false; !ends;) { /* one statement more each time */
            sqlite3 *db;
            unlink(PATH);
            assert_int_equal(sqlite3_open(PATH, &db), SQLITE_OK);
            for (size_t i = 0; i < layout; i++)
                assert_int_equal(sqlite3_exec(db, store_layouts[i].sql, NULL, NULL, NULL), SQLITE_OK);
            assert_int_equal(sqlite3_exec(db, STORE_LAYOUT_ROWS, NULL, NULL, NULL), SQLITE_OK);
            char *part = strndup(store_layouts[layout].sql, (size_t)(rest - store_layouts[layout].sql));
            assert_int_equal(sqlite3_exec(db, part, NULL, NULL, NULL), SQLITE_OK);
            free(part);
            sqlite3_close(db);
            struct store *s = store_open(PATH, &d);
            if (!s) fail_msg("layout %zu: %s", layout, d.text);
            assert_int_equal(number_of(s, STORE_LAYOUT_ROWS_KEPT), 1);
            assert_int_equal(number_of(s, "SELECT count(stop_ps) + count(first_data_ps) FROM flows"), 0);
            store_close(s);
            ends = *rest == '\0';
            rest = ends ? rest : strchr(rest, ';') + 1;
        }
    }
}

/* ---- names and locks ---- */

static void refuses_path(const char *path, const char *line) {
    struct diag d = {0};
    char buf[1024];
    assert_null(store_open(path, &d));
    assert_string_equal(diag_line(&d, buf, sizeof buf), line);
}

/* SQLite would take these for databases in memory, URIs, or files that keep nothing. */
static void store_open__refuses_names_that_keep_nothing(void **state) {
    (void)state;
    refuses_path("", "error: the name of the results store is empty; name a file with -o");
    refuses_path(":memory:", ":memory:: error: SQLite takes this for no plain file name, and results would not be kept "
                             "where it says; name a file with -o, such as ./results.db");
    refuses_path("file:x.db?mode=memory",
                 "file:x.db?mode=memory: error: SQLite takes this for no plain file name, and results would not be "
                 "kept where it says; name a file with -o, such as ./file:x.db?mode=memory");
    refuses_path("/dev/null", "/dev/null: error: this is no plain file and cannot hold a results store; name a file "
                              "with -o");
    refuses_path(".", ".: error: this is a folder and cannot hold a results store; name a file with -o");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(open__one_writer_at_a_time),
        UNIT(open__the_lock_leaves_the_bytes_of_sqlite_alone),
        UNIT(open__a_forked_process_does_not_keep_the_lock),
        UNIT(store_run_end__a_done_run_is_found_again_with_its_rows),
        UNIT(store_run_end__many_rows),
        UNIT(store_run_begin__what_a_killed_process_left_is_run_again),
        UNIT(store_run_plan__and_leave_keep_a_run_missing),
        UNIT(store_experiment__runs_no_longer_part_of_it_lose_their_number_and_stay),
        UNIT(store_claims__are_replaced),
        UNIT(store_open__refuses_what_is_no_database),
        UNIT(store_open__refuses_a_foreign_database),
        UNIT(store_open__refuses_a_newer_schema),
        UNIT(store_open__refuses_a_folder_that_does_not_exist),
        UNIT(store_run_end__a_full_disk_keeps_what_is_finished),
        UNIT(store_open__an_older_store_gets_what_it_lacks),
        UNIT(store_open__each_table_and_each_column_is_looked_for),
        UNIT(store_open__a_store_without_a_key_is_damaged),
        UNIT(store_open__heals_what_an_upgrade_of_an_earlier_version_left),
        UNIT(store_open__refuses_names_that_keep_nothing),
    };
    faulty_vfs_install(); /* without faults: hundreds of stores, and none is synced */
    return cmocka_run_group_tests(tests, NULL, teardown);
}
