/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are not results stores, with the message that every reader gives. */
#ifndef HEDDLE_TESTS_BAD_STORES_H
#define HEDDLE_TESTS_BAD_STORES_H

#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

struct bad_store {
    const char *text; /* the whole file */
    const char *sql;  /* or the change to a good store; neither: no file */
    const char *says;
};

static const struct bad_store bad_stores[] = {
    {NULL, NULL, "there is no such results store; name the file that heddle run wrote"},
    {"", NULL, "this file is empty; name the file that heddle run wrote"},
    {"title: an experiment, no store of results\n", NULL,
     "this is no heddle results store; name the file that heddle run wrote"},
    {NULL, "PRAGMA application_id=1", "this is no heddle results store; name another file"},
    {NULL, "PRAGMA user_version=1",
     "this store has schema 1, this program knows 2 and 3; use an older heddle or another file"},
    {NULL, "PRAGMA user_version=4",
     "this store has schema 4, this program knows 2 and 3; use a newer heddle or another file"},
    {NULL, "CREATE VIEW more AS SELECT 1 AS one",
     "this is no store as heddle writes it: its schema has \"CREATE VIEW more AS SELECT 1 AS one\"; trust no result in "
     "it, "
     "or remove that first (sqlite3)"},
    {NULL, "ALTER TABLE flows ADD COLUMN more AS (abs(src))",
     "this is no store as heddle writes it: its schema has \"AS (abs(src)), PRIMARY KEY(run, flow)) WITHOUT ROWID\"; "
     "trust no "
     "result in it, or remove that first (sqlite3)"},
};
#define N_BAD_STORES (sizeof bad_stores / sizeof *bad_stores)

static inline void store_change(const char *path, const char *sql) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_close(db);
}

/* Makes it of the good store that is there. */
static inline void bad_store_make(const char *path, const struct bad_store *b) {
    if (b->sql) {
        store_change(path, b->sql);
        return;
    }
    unlink(path);
    if (!b->text) return;
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(b->text, out);
    fclose(out);
}

/* A process that dies inside a transaction whose pages have reached the file leaves a journal to roll back. `sql`: what
 * it changed first. */
static inline void store_writer_killed(const char *path, const char *sql) {
    pid_t pid = fork();
    if (pid == 0) {
        sqlite3 *db;
        sqlite3_open(path, &db);
        sqlite3_exec(db, "PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN IMMEDIATE", NULL, NULL, NULL);
        sqlite3_exec(db, sql, NULL, NULL, NULL);
        sqlite3_exec(db,
                     "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<20000)"
                     " INSERT INTO nodes SELECT 99, i, 'x' FROM n",
                     NULL, NULL, NULL);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
}

#endif
