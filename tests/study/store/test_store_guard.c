/* SPDX-License-Identifier: Apache-2.0 */
/* What is refused in the schema of a store, and what SQLite does not do for it. */
#include "study/store/store_guard.h"

#include "store_layouts.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENDLESS "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) "

static sqlite3 *database(void) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    return db;
}

static void does(sqlite3 *db, const char *sql) {
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
}

/* Asserts that a database made by the statement is refused, and that the line shows what for. */
static void refuses(const char *sql, const char *shown) {
    struct diag d = {0};
    char says[256];
    sqlite3 *db = database();
    does(db, "CREATE TABLE t(run INTEGER, name TEXT)");
    does(db, sql);
    assert_false(store_guard_schema(db, "x.db", &d));
    snprintf(says, sizeof says, "this is no store as heddle writes it: its schema has \"%s\"", shown);
    if (strncmp(d.text, says, strlen(says)) != 0) fail_msg("%s", d.text);
    assert_string_equal(d.file, "x.db");
    sqlite3_close(db);
}

static void schema__of_every_layout_is_plain(void **state) {
    (void)state;
    sqlite3 *db = database();
    struct diag d = {0};
    for (size_t i = 0; i < sizeof store_layouts / sizeof *store_layouts; i++) {
        does(db, store_layouts[i].sql);
        if (!store_guard_schema(db, "x.db", &d)) fail_msg("%s: %s", store_layouts[i].since, d.text);
    }
    does(db,
         "CREATE TABLE \"notes of mine\"(run INTEGER, text TEXT); CREATE UNIQUE INDEX i ON nodes(run, name); ANALYZE");
    assert_true(store_guard_schema(db, "x.db", &d));
    sqlite3_close(db);
}

static void schema__with_a_rule_is_refused(void **state) {
    (void)state;
    refuses("CREATE VIEW v AS SELECT 1", "CREATE VIEW v AS SELECT 1");
    refuses("CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END",
            "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END");
    refuses("ALTER TABLE t ADD COLUMN g INTEGER AS (run + 1)", "AS (run + 1))");
    refuses("ALTER TABLE t ADD COLUMN g generated always as (run)", "generated always as (run))");
    refuses("CREATE TABLE u(a default 7)", "default 7)");
    refuses("CREATE TABLE u(a CHECK(a > 0))", "CHECK(a > 0))");
    refuses("CREATE TABLE u(a CHECK(status IN ('running','done','failed','x')), status)",
            "CHECK(status IN ('running','done','failed','x')), status)");
    refuses("CREATE TABLE u(a TEXT COLLATE nocase)", "COLLATE nocase)");
    refuses("CREATE TABLE u(a UNIQUE ON CONFLICT REPLACE)", "CONFLICT REPLACE)");
    refuses("CREATE TABLE u(a /* x */)", "/* x */)");
    refuses("CREATE INDEX i ON t(run) WHERE run > 1", "WHERE run > 1");
    refuses("CREATE INDEX i ON t(abs(run))", "(run))");
    refuses("CREATE INDEX i ON t(run+1)", "+1)");
}

/* Views and triggers that a name hides do nothing, and a text in double quotes is a name. */
static void begin__switches_programs_off(void **state) {
    (void)state;
    sqlite3 *db = database();
    does(db, "CREATE TABLE t(a); CREATE VIEW v AS SELECT 1; CREATE TABLE seen(a);"
             "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO seen VALUES(1); END");
    struct store_guard *g = store_guard_begin(db, "x.db");
    assert_int_not_equal(sqlite3_exec(db, "SELECT * FROM v", NULL, NULL, NULL), SQLITE_OK);
    assert_int_not_equal(sqlite3_exec(db, "SELECT \"no column\"", NULL, NULL, NULL), SQLITE_OK);
    does(db, "INSERT INTO t VALUES(1)");
    does(db, "PRAGMA writable_schema=ON");
    assert_int_not_equal(sqlite3_exec(db, "DELETE FROM sqlite_schema", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_stmt *q;
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT count(*) FROM seen", -1, &q, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(q, 0), 0);
    sqlite3_finalize(q);
    assert_int_equal(sqlite3_exec(db, "SELECT zeroblob(70000000)", NULL, NULL, NULL), SQLITE_TOOBIG);
    sqlite3_close(db);
    store_guard_end(g);
}

static bool counts_to(sqlite3 *db, int n) {
    char sql[160];
    snprintf(sql, sizeof sql, ENDLESS "SELECT max(i) FROM (SELECT i FROM n LIMIT %d)", n);
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* A question ends when its budget is spent; a larger store has a larger one; each question has its own. */
static void ask__bounds_a_question_by_the_size(void **state) {
    (void)state;
    sqlite3 *db = database();
    unlink("guarded.db");
    struct store_guard *g = store_guard_begin(db, "guarded.db");
    assert_false(counts_to(db, 1 << 30));
    assert_string_equal(store_trouble(db), STORE_ENDLESS);
    assert_false(counts_to(db, 100000)); /* nothing is left */
    store_guard_again(g);
    assert_true(counts_to(db, 100000));
    store_guard_ask(g);
    int64_t small = g->most;
    FILE *out = fopen("guarded.db", "w");
    fclose(out);
    assert_int_equal(truncate("guarded.db", 1 << 20), 0);
    out = fopen("guarded.db-wal", "w");
    fclose(out);
    assert_int_equal(truncate("guarded.db-wal", 1 << 20), 0);
    store_guard_ask(g);
    assert_int_equal(g->bytes, 2 << 20);
    assert_int_equal(g->most, small + (2 << 20) / 512);
    assert_int_equal(g->left, g->most);
    unlink("guarded.db");
    unlink("guarded.db-wal");
    sqlite3_close(db);
    store_guard_end(g);
}

static void beside__is_plain_or_absent(void **state) {
    (void)state;
    static const char *const part[] = {"-journal", "-wal", "-shm"};
    struct diag d = {0};
    assert_true(store_beside_check("beside.db", &d));
    for (size_t i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "beside.db%s", part[i]);
        FILE *out = fopen(name, "w");
        fclose(out);
        assert_true(store_beside_check("beside.db", &d));
        unlink(name);
        assert_int_equal(mkfifo(name, 0600), 0);
        assert_false(store_beside_check("beside.db", &d));
        assert_string_equal(d.file, name);
        unlink(name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(schema__of_every_layout_is_plain), UNIT(schema__with_a_rule_is_refused),
        UNIT(begin__switches_programs_off),     UNIT(ask__bounds_a_question_by_the_size),
        UNIT(beside__is_plain_or_absent),
    };
    return RUN_UNITS(tests);
}
