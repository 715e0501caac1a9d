/* SPDX-License-Identifier: Apache-2.0 */
/* What a store that a stranger made must not do.
 *
 * A database can hold programs: views, triggers, generated columns, defaults and checks are expressions that SQLite carries
 * out for whoever reads or writes. A view in place of a table answers without end; a trigger fills the disk. Heddle's own
 * stores have plain tables and indexes only, so a store with anything else is refused. SQLite is told to run none of it, in
 * case that a name hides something: no views, no triggers, no functions of the schema, no writing to the schema by tricks, no
 * texts in double quotes.
 *
 * A damaged file of a few pages can also stand for a table without end, if pages point to each other. Each question
 * to the database therefore has a budget of SQLite's steps, which grows with the file: no honest answer comes near it.
 *
 * The files that SQLite looks for beside a store, a journal or a write-ahead log, must be plain files too.
 */
#ifndef HEDDLE_STUDY_STORE_STORE_GUARD_H
#define HEDDLE_STUDY_STORE_STORE_GUARD_H

#include "base/diag.h"

#include <sqlite3.h>

struct store_guard {
    char *path;
    int64_t bytes; /* of the store when the last question was asked */
    int64_t most;  /* calls of the guard that a question may take; each stands for so many steps of SQLite */
    int64_t left;  /* of them, for the current question */
};

/* Refuses a store beside which stands a journal or write-ahead log that is no plain file. */
bool store_beside_check(const char *path, struct diag *d);
/* Makes an open database safe to ask. Returns its guard; store_guard_end frees it after the database is closed. */
struct store_guard *store_guard_begin(sqlite3 *db, const char *path);
void store_guard_end(struct store_guard *g); /* NULL is allowed */
/* Gives the next question its whole budget, by the present size of the store. */
void store_guard_ask(struct store_guard *g);
/* Gives a question that is asked once more the budget that it had: for a statement that writes row after row. */
static inline void store_guard_again(struct store_guard *g) { g->left = g->most; }
/* Returns true if the schema holds nothing but plain tables and indexes. Fills *d if not, or if the store cannot be read. */
bool store_guard_schema(sqlite3 *db, const char *path, struct diag *d);
#define STORE_ENDLESS "it is damaged, and a table of it has no end; run the experiment again into another file"
/* Returns the message of the last error for a person. */
const char *store_trouble(sqlite3 *db);

#endif
