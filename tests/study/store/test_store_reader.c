/* SPDX-License-Identifier: Apache-2.0 */
#include "study/store/store_reader.h"

#include "bad_stores.h"
#include "study/store/store.h"
#include "study_test.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH "test_store_reader.db"

/* ---- stores ---- */

/* Makes a store of two experiments. The first has a done, a failed and an abandoned run, and one that its file no
 * longer contains. */
static void store_make(void) {
    struct diag d;
    unlink(PATH);
    struct store *s = store_open(PATH, &d);
    assert_non_null(s);
    store_close(s);
    store_change(
        PATH,
        "INSERT INTO experiments VALUES(1,'a','First','a.yaml','now'),(2,'b',NULL,NULL,NULL);"
        "INSERT INTO runs VALUES(10,1,NULL,'{\"x\":9}','i','done','','v',NULL,NULL,'s','f');"
        "INSERT INTO runs VALUES(11,1,2,'{\"x\":2}','i','failed','c','v','{\"run\":2}','stuck','s','f');"
        "INSERT INTO runs VALUES(12,1,1,'{\"x\":1}','i','done','c','v','{\"run\":1}',NULL,'s','f');"
        "INSERT INTO runs VALUES(13,2,1,'{}','i','running','c','v',NULL,NULL,'s',NULL);"
        "INSERT INTO claims(experiment, claim, place, metric, form, n_seeds, measured, spread, low, high,"
        " met, expected, note, subject, against) VALUES(1,'C','{\"x\":1}','m','value',1,NULL,0.5,NULL,3,0,0,'why',"
        "'{\"s\":\"a\"}','{\"s\":\"b\"}');"
        "INSERT INTO flows VALUES(12,0,0,1,2,5,1000,105,100,50,1000,1,2,3,4,5,6,7,8,9,10,25,77),"
        "(12,1,0,2,1,9,NULL,NULL,NULL,50,0,0,0,0,0,0,0,0,0,0,0,NULL,NULL);"
        "INSERT INTO nodes(run, node, name) VALUES(12,0,'host0'),(12,1,'leaf0');"
        "INSERT INTO samples VALUES(12,20,1,'queue',7),(12,30,1,'link',0.25);");
}

static struct store_reader *open_it(void) {
    struct diag d = {0};
    struct store_reader *r = store_reader_open(PATH, &d);
    if (!r) fail_msg("%s", d.text);
    return r;
}

/* Returns all bytes of a file; the caller frees them. */
static char *bytes_of(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    char *bytes = malloc(*size);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

/* ---- contents ---- */

static void open__lists_experiments_runs_and_claims(void **state) {
    (void)state;
    store_make();
    struct store_reader *r = open_it();
    assert_int_equal(r->n_experiments, 2);
    assert_string_equal(r->experiment[0].title, "First");
    assert_string_equal(r->experiment[1].title, "");
    assert_int_equal(r->n_runs, 4);
    assert_int_equal(r->run[0].id, 12);
    assert_int_equal(r->run[0].status, RUN_DONE);
    assert_int_equal(json_integer_value(json_object_get(r->run[0].settings, "x")), 1);
    assert_int_equal(json_integer_value(json_object_get(r->run[0].result, "run")), 1);
    assert_int_equal(r->run[1].status, RUN_FAILED);
    assert_string_equal(r->run[1].failure, "stuck");
    assert_int_equal(r->run[2].number, 0); /* no longer in the file, so it comes last */
    assert_int_equal(r->run[3].experiment, 1);
    assert_int_equal(r->run[3].status, RUN_LEFT);
    assert_null(r->run[3].result);
    assert_int_equal(r->n_claims, 1);
    assert_true(isnan(r->claim[0].measured) && isnan(r->claim[0].low));
    assert_true(r->claim[0].high == 3);
    assert_string_equal(r->claim[0].note, "why");
    assert_string_equal(json_string_value(json_object_get(r->claim[0].subject, "s")), "a");
    assert_string_equal(json_string_value(json_object_get(r->claim[0].against, "s")), "b");
    store_reader_close(r);
}

/* Control characters would steer the terminal, written as themselves or escaped, of seven bits or eight. All others stay. */
static void open__control_characters_of_json_are_blanks(void **state) {
    (void)state;
    store_make();
    store_change(
        PATH,
        "UPDATE runs SET settings='{\"a\": \"1\\u001b2\\u007f3\\u009b4\\u00a05\\u00e96\\n7\\\\u001b\"}' WHERE id=12");
    struct store_reader *r = open_it();
    assert_string_equal(json_string_value(json_object_get(r->run[0].settings, "a")), "1 2 3 4\u00a05\u00e96\n7\\u001b");
    store_reader_close(r);
}

static void next_flow__rows_with_their_nulls(void **state) {
    (void)state;
    store_make();
    struct diag d;
    struct store_reader *r = open_it();
    struct store_rows rows;
    struct flow_row f;
    assert_true(store_rows_begin(r, STORE_FLOWS, 12, &rows, &d));
    assert_true(store_next_flow(&rows, &f));
    assert_int_equal(f.fct_ps, 100);
    assert_int_equal(f.unfilled_bytes, 10);
    assert_int_equal(f.first_data_ps, 25);
    assert_int_equal(f.stop_ps, 77);
    assert_true(store_next_flow(&rows, &f));
    assert_true(f.bytes == STORE_NULL && f.finished_ps == STORE_NULL && f.first_data_ps == STORE_NULL);
    assert_false(store_next_flow(&rows, &f));
    assert_true(store_rows_end(&rows, &d));
    assert_int_equal(store_count(r, STORE_FLOWS, 12, &d), 2);
    assert_int_equal(store_count(r, STORE_FLOWS, 11, &d), 0);
    store_reader_close(r);
}

/* Columns that nobody asked for are NULL, but not the columns that never are. */
static void rows_begin_some__reads_the_named_columns(void **state) {
    (void)state;
    store_make();
    struct diag d;
    struct store_reader *r = open_it();
    struct store_rows rows;
    struct flow_row f;
    assert_true(store_rows_begin_some(r, STORE_FLOWS, " fct_ps stop_ps ", 12, &rows, &d));
    assert_true(store_next_flow(&rows, &f));
    assert_int_equal(f.fct_ps, 100);
    assert_int_equal(f.stop_ps, 77);
    assert_true(f.unfilled_bytes == STORE_NULL && f.bound_ps == STORE_NULL);
    assert_true(f.flow != STORE_NULL && f.src != STORE_NULL && f.dst != STORE_NULL);
    assert_true(store_rows_end(&rows, &d));
    store_reader_close(r);
}

static void next_sample__in_the_order_of_time(void **state) {
    (void)state;
    store_make();
    struct diag d;
    struct store_reader *r = open_it();
    struct store_rows rows;
    struct sample_row s;
    assert_true(store_rows_begin(r, STORE_SAMPLES, 12, &rows, &d));
    assert_true(store_next_sample(&rows, &s));
    assert_string_equal(s.kind, "queue");
    assert_true(store_next_sample(&rows, &s));
    assert_true(s.at_ps == 30 && s.value == 0.25);
    assert_true(store_rows_end(&rows, &d)); /* ends before the last row */
    store_reader_close(r);
}

static void next_open_flows__over_the_run(void **state) {
    (void)state;
    store_make();
    store_change(PATH, "INSERT INTO open_flows VALUES(12,15,2.5),(12,5,1),(11,5,9)");
    struct diag d;
    struct store_reader *r = open_it();
    struct store_rows rows;
    struct open_flows_row x;
    assert_true(store_rows_begin(r, STORE_OPEN_FLOWS, 12, &rows, &d));
    assert_true(store_next_open_flows(&rows, &x) && x.at_ps == 5 && x.flows == 1);
    assert_true(store_next_open_flows(&rows, &x) && x.at_ps == 15 && x.flows == 2.5);
    assert_false(store_next_open_flows(&rows, &x));
    assert_true(store_rows_end(&rows, &d));
    store_reader_close(r);
}

static void next_pause__who_was_stopped_and_the_rings(void **state) {
    (void)state;
    store_make();
    store_change(PATH, "INSERT INTO pauses VALUES(12,4,1,60,3,1,30,5),(12,2,0,10,1,0,10,7);"
                       "INSERT INTO pause_rings VALUES(12,0,1,2,0,7,20,40),(12,0,0,4,1,5,20,40)");
    struct diag d;
    struct store_reader *r = open_it();
    struct store_rows rows;
    struct pause_row p;
    struct pause_ring_row g;
    assert_true(store_rows_begin(r, STORE_PAUSES, 12, &rows, &d));
    assert_true(store_next_pause(&rows, &p) && p.port == 2 && p.paused_ps == 10 && p.storms == 0);
    assert_true(store_next_pause(&rows, &p) && p.port == 4 && p.class == 1 && p.stops == 3 && p.longest_from_ps == 5);
    assert_false(store_next_pause(&rows, &p));
    assert_true(store_rows_end(&rows, &d));
    assert_true(store_rows_begin(r, STORE_PAUSE_RINGS, 12, &rows, &d));
    assert_true(store_next_pause_ring(&rows, &g) && g.place == 0 && g.port == 4 && g.since_ps == 5);
    assert_true(store_next_pause_ring(&rows, &g) && g.place == 1 && g.first_ps == 20 && g.last_ps == 40);
    assert_true(store_rows_end(&rows, &d));
    store_reader_close(r);
}

/* Every table can be read from every store; newer tables and columns are empty in older stores. */
static void rows_begin__tables_and_columns_that_came_later_are_empty(void **state) {
    (void)state;
    store_make();
    store_change(
        PATH, "DROP TABLE queries; DROP TABLE pauses; DROP TABLE pause_rings; DROP TABLE ports; CREATE TABLE "
              "ports(run, port, node, neighbour, parallel, link_tier,"
              " sent_bytes, utilisation, queue_mean_bytes, queue_max_bytes, dropped, credit_bytes, data_utilisation);"
              "INSERT INTO ports VALUES(12,0,0,1,0,'host',77,0.5,1,2,3,4,0.25);"
              "ALTER TABLE claims DROP COLUMN subject; ALTER TABLE claims DROP COLUMN against;"
              "ALTER TABLE claims DROP COLUMN paper; ALTER TABLE claims DROP COLUMN missing");
    struct diag d;
    struct store_reader *r = open_it();
    struct store_rows rows;
    struct query_row q;
    struct port_row p;
    assert_true(store_rows_begin(r, STORE_QUERIES, 12, &rows, &d));
    assert_false(store_next_query(&rows, &q));
    assert_true(store_rows_end(&rows, &d));
    assert_int_equal(store_count(r, STORE_QUERIES, 12, &d), 0);
    assert_int_equal(store_count(r, STORE_PAUSES, 12, &d) + store_count(r, STORE_PAUSE_RINGS, 12, &d), 0);
    assert_true(store_rows_begin(r, STORE_PORTS, 12, &rows, &d));
    assert_true(store_next_port(&rows, &p));
    assert_true(r->n_claims == 1 && !r->claim[0].subject && !r->claim[0].against);
    assert_string_equal(r->claim[0].verdict, "not measurable"); /* from `measured`, `met` and `expected` */
    assert_true(r->claim[0].as_recorded && !r->claim[0].paper && r->claim[0].n_missing == 0);
    assert_true(p.paused_ps == STORE_NULL && p.sent_bytes == 77 && p.data_utilisation == 0.25);
    assert_true(store_rows_end(&rows, &d));
    store_reader_close(r);
}

static void rows_begin__every_table_has_the_columns_it_names(void **state) {
    (void)state;
    store_make();
    struct diag d;
    struct store_reader *r = open_it();
    for (int t = 0; t < STORE_TABLES; t++) {
        struct store_rows rows;
        const char *const *column;
        size_t n = store_columns((enum store_table)t, &column);
        assert_true(store_rows_begin(r, (enum store_table)t, 12, &rows, &d));
        assert_int_equal(sqlite3_column_count(rows.q), n);
        for (size_t i = 0; i < n; i++) assert_string_equal(sqlite3_column_name(rows.q, (int)i), column[i]);
        assert_true(store_rows_end(&rows, &d));
    }
    store_reader_close(r);
}

/* ---- nothing is written ---- */

static void open__leaves_the_file_as_it_is(void **state) {
    (void)state;
    store_make();
    size_t size_before, size_after;
    char *before = bytes_of(PATH, &size_before);
    store_reader_close(open_it());
    char *after = bytes_of(PATH, &size_after);
    assert_int_equal(size_before, size_after);
    assert_memory_equal(before, after, size_before);
    assert_int_equal(access(PATH "-journal", F_OK), -1);
    assert_int_equal(access(PATH "-wal", F_OK), -1);
    free(before);
    free(after);
}

/* Returns the number of files that this process has open. */
static int files_open(void) {
    int n = 0;
    for (int fd = 0; fd < 256; fd++) n += fcntl(fd, F_GETFD) != -1;
    return n;
}

static void open__a_store_of_a_killed_writer_is_read_without_its_half_and_stays(void **state) {
    (void)state;
    store_make();
    store_writer_killed(PATH, "UPDATE experiments SET title='half'");
    assert_int_equal(access(PATH "-journal", F_OK), 0);
    size_t size_before, size_after;
    char *before = bytes_of(PATH, &size_before);
    struct diag d;
    struct store_reader *r = open_it();
    assert_string_equal(r->experiment[0].title, "First");
    assert_int_equal(store_count(r, STORE_NODES, 99, &d), 0);
    store_reader_close(r);
    char *after = bytes_of(PATH, &size_after);
    assert_int_equal(size_before, size_after);
    assert_memory_equal(before, after, size_before);
    assert_int_equal(access(PATH "-journal", F_OK), 0);
    free(before);
    free(after);
    unlink(PATH "-journal");
}

static void open__a_store_in_wal_mode_gets_no_files_beside_it(void **state) {
    (void)state;
    store_make();
    store_change(PATH, "PRAGMA journal_mode=WAL; UPDATE experiments SET title='Other' WHERE id=1");
    int before = files_open();
    struct store_reader *r = open_it();
    assert_string_equal(r->experiment[0].title, "Other");
    store_reader_close(r);
    assert_int_equal(files_open(), before);
    assert_int_equal(access(PATH "-shm", F_OK), -1);
    assert_int_equal(access(PATH "-wal", F_OK), -1);
}

static void open__while_another_process_writes(void **state) {
    (void)state;
    store_make();
    struct diag d;
    struct store *writer = store_open(PATH, &d);
    assert_non_null(writer);
    struct store_reader *r = open_it();
    assert_int_equal(sqlite3_exec(store_database(writer), "UPDATE experiments SET title='New'", NULL, NULL, NULL),
                     SQLITE_OK); /* the reader blocks no writer */
    assert_string_equal(r->experiment[0].title, "First");
    store_reader_close(r);
    store_close(writer);
}

/* ---- what it refuses ---- */

static void open__refuses_with_one_line(void **state) {
    (void)state;
    struct diag d = {0};
    assert_null(store_reader_open(".", &d));
    assert_string_equal(d.text, "this is no file; name the file that heddle run wrote");
    for (size_t i = 0; i < N_BAD_STORES; i++) {
        store_make();
        bad_store_make(PATH, &bad_stores[i]);
        assert_null(store_reader_open(PATH, &d));
        assert_string_equal(d.text, bad_stores[i].says);
        assert_string_equal(d.file, PATH);
    }
}

/* SQLite detects a store that is cut in the middle; the error is one line. */
static void open__a_damaged_store_is_an_error(void **state) {
    (void)state;
    store_make();
    assert_int_equal(truncate(PATH, 8192), 0);
    struct diag d = {0};
    assert_null(store_reader_open(PATH, &d));
    assert_non_null(strstr(d.text, "results store: "));
}

static int teardown(void **state) {
    (void)state;
    unlink(PATH);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(open__lists_experiments_runs_and_claims),
        UNIT(open__control_characters_of_json_are_blanks),
        UNIT(next_flow__rows_with_their_nulls),
        UNIT(rows_begin_some__reads_the_named_columns),
        UNIT(next_sample__in_the_order_of_time),
        UNIT(next_open_flows__over_the_run),
        UNIT(next_pause__who_was_stopped_and_the_rings),
        UNIT(rows_begin__tables_and_columns_that_came_later_are_empty),
        UNIT(rows_begin__every_table_has_the_columns_it_names),
        UNIT(open__leaves_the_file_as_it_is),
        UNIT(open__a_store_of_a_killed_writer_is_read_without_its_half_and_stays),
        UNIT(open__a_store_in_wal_mode_gets_no_files_beside_it),
        UNIT(open__while_another_process_writes),
        UNIT(open__refuses_with_one_line),
        UNIT(open__a_damaged_store_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
