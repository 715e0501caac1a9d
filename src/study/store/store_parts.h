/* SPDX-License-Identifier: Apache-2.0 */
/* Inside study/store. */
#ifndef HEDDLE_STUDY_STORE_STORE_PARTS_H
#define HEDDLE_STUDY_STORE_STORE_PARTS_H

#include "study/results/json_out.h"
#include "study/store/store.h"

struct store {
    sqlite3 *db;
    char *path;
    int lock; /* a writer's; -1 */
};

bool store_fail(struct store *s, struct diag *d);
bool store_exec(struct store *s, const char *sql, struct diag *d);
bool store_prepare(struct store *s, const char *sql, sqlite3_stmt **q, struct diag *d);
bool store_step(struct store *s, sqlite3_stmt *q, struct diag *d); /* a statement without rows; leaves it ready again */

/* Everything of an outcome but the run's own row. */
bool store_rows(struct store *s, int64_t run, const struct outcome *o, struct diag *d);

#endif
