/* SPDX-License-Identifier: Apache-2.0 */
/* Private to study/store. */
#ifndef HEDDLE_STUDY_STORE_STORE_PARTS_H
#define HEDDLE_STUDY_STORE_STORE_PARTS_H

#include "study/results/json_out.h"
#include "study/store/store.h"
#include "study/store/store_guard.h"
#include "study/store/store_reader.h"

struct store {
    sqlite3 *db;
    struct store_guard *guard;
    char *path;
    size_t flows_as_rows;      /* packed_flows.h: flows of a run that are rows, at most */
    int lock;                  /* file descriptor of the writer's lock, if the store is locked */
    struct store *next_locked; /* written by store_lock and store_unlock only */
};

/* Takes the lock that gives the store one writer. Processes that are forked later do not share it. */
bool store_lock(struct store *s, struct diag *d);
/* Releases the lock, if it was taken. SQLite must have closed the file: closing any descriptor of it drops SQLite's locks. */
void store_unlock(struct store *s);
/* Makes all tables of a new store, or adds the tables and columns that an older one lacks, in one transaction. Fails if
 * the database is no store of this schema. */
bool store_schema_make(struct store *s, struct diag *d);

bool store_fail(struct store *s, struct diag *d);
bool store_exec(struct store *s, const char *sql, struct diag *d);
bool store_prepare(struct store *s, const char *sql, sqlite3_stmt **q, struct diag *d);
bool store_step(struct store *s, sqlite3_stmt *q, struct diag *d); /* runs a statement without rows and resets it */

/* Writes all rows of an outcome except the one in `runs`. */
bool store_rows(struct store *s, int64_t run, const struct outcome *o, struct diag *d);

/* Prints the query of the rows of a table that the condition names, with NULL for columns that the store lacks. The table is
 * that of the file, also where a virtual one hides it (packed_flows.h). */
void store_rows_select(const struct store_reader *r, enum store_table table, const char *where, char *sql, size_t size);

#endif
