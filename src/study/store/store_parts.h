/* SPDX-License-Identifier: Apache-2.0 */
/* Private to study/store. */
#ifndef HEDDLE_STUDY_STORE_STORE_PARTS_H
#define HEDDLE_STUDY_STORE_STORE_PARTS_H

#include "study/results/json_out.h"
#include "study/store/store.h"

struct store {
    sqlite3 *db;
    char *path;
    int lock; /* file descriptor of a writer's lock; -1: none */
};

bool store_fail(struct store *s, struct diag *d);
bool store_exec(struct store *s, const char *sql, struct diag *d);
bool store_prepare(struct store *s, const char *sql, sqlite3_stmt **q, struct diag *d);
bool store_step(struct store *s, sqlite3_stmt *q, struct diag *d); /* runs a statement without rows and resets it */

/* Writes all rows of an outcome except the one in `runs`. */
bool store_rows(struct store *s, int64_t run, const struct outcome *o, struct diag *d);

#endif
