/* SPDX-License-Identifier: Apache-2.0 */
#include "study/store/store_guard.h"

#include "base/input_file.h"
#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* ---- files beside it ---- */

bool store_beside_check(const char *path, struct diag *d) {
    static const char *const part[] = {"-journal", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        char *beside = text_format("%s%s", path, part[i]);
        bool fine = input_is_plain_or_absent(beside);
        if (!fine) diag_fail_in(d, beside, "this stands beside a results store and is no plain file; remove it");
        free(beside);
        if (!fine) return false;
    }
    return true;
}

/* ---- what SQLite may do ---- */

#define LENGTH_MOST (64 << 20)  /* bytes of one value */
#define STEPS 100000            /* of SQLite, from one call of the guard to the next */
#define CALLS_LEAST 200         /* a question may take 20 million steps in any store, a second or two */
#define BYTES_PER_CALL (1 << 9) /* and 200 steps for each byte of the file */

static int on_steps(void *guard) {
    struct store_guard *g = guard;
    return g->left-- <= 0;
}

/* Returns the bytes of the store and of its write-ahead log, which may hold all of it. */
static int64_t bytes_of(const char *path) {
    static const char *const part[] = {"", "-wal"};
    struct stat at;
    int64_t bytes = 0;
    for (size_t i = 0; i < 2; i++) {
        char *name = text_format("%s%s", path, part[i]);
        if (stat(name, &at) == 0) bytes += at.st_size;
        free(name);
    }
    return bytes;
}

void store_guard_ask(struct store_guard *g) {
    g->bytes = bytes_of(g->path);
    g->most = CALLS_LEAST + g->bytes / BYTES_PER_CALL;
    store_guard_again(g);
}

struct store_guard *store_guard_begin(sqlite3 *db, const char *path) {
    static const int off[] = {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_VIEW,
                              SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL};
    struct store_guard *g = memory_get(1, sizeof *g);
    g->path = text_copy(path);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) sqlite3_db_config(db, off[i], 0, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, LENGTH_MOST);
    store_guard_ask(g);
    sqlite3_progress_handler(db, STEPS, on_steps, g);
    return g;
}

void store_guard_end(struct store_guard *g) {
    if (g) free(g->path);
    free(g);
}

const char *store_trouble(sqlite3 *db) {
    return sqlite3_errcode(db) == SQLITE_INTERRUPT ? STORE_ENDLESS : sqlite3_errmsg(db);
}

/* ---- the schema ---- */

/* The only expression of heddle's tables (store_schema.c). */
static const char own_check[] = "CHECK(status IN ('running','done','failed'))";

/* Returns the character behind the prefix; NULL if the text begins otherwise. */
static const char *after(const char *text, const char *prefix) {
    size_t n = strlen(prefix);
    return strncmp(text, prefix, n) == 0 ? text + n : NULL;
}

/* Returns whether the word begins an expression or another rule that SQLite would carry out. */
static bool is_rule(const char *word, size_t n) {
    static const char *const rule[] = {"CHECK", "DEFAULT", "AS", "GENERATED", "COLLATE", "CONFLICT", "WHERE", "SELECT"};
    for (size_t i = 0; i < sizeof rule / sizeof *rule; i++)
        if (strlen(rule[i]) == n && strncasecmp(word, rule[i], n) == 0) return true;
    return false;
}

/* Returns the place in the text from which on it has more than names, types and keys, or more brackets than so many; NULL if it
 * has not. */
static const char *rule_find(const char *text, size_t brackets) {
    for (const char *at = text; *at;) {
        const char *own = after(at, own_check);
        size_t n = 0;
        while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
        if (!own && n && is_rule(at, n)) return at;
        if (!own && !n && !strchr(" \t\n,()\"", *at)) return at;
        if (!own && *at == '(' && brackets-- == 0) return at;
        at = own ? own : at + (n ? n : 1);
    }
    return NULL;
}

/* Returns what a statement of the schema has that no plain table or index has; NULL if it makes one. */
static const char *not_plain(const char *sql) {
    const char *table = after(sql, "CREATE TABLE "), *index = after(sql, "CREATE INDEX ");
    if (!index) index = after(sql, "CREATE UNIQUE INDEX ");
    if (!table && !index) return sql;
    return table ? rule_find(table, SIZE_MAX) : rule_find(index, 1);
}

bool store_guard_schema(sqlite3 *db, const char *path, struct diag *d) {
    sqlite3_stmt *q = NULL;
    int code = sqlite3_prepare_v2(db, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL", -1, &q, NULL);
    bool fine = true;
    while (fine && code != SQLITE_DONE && (code == SQLITE_OK || code == SQLITE_ROW)) {
        if ((code = sqlite3_step(q)) != SQLITE_ROW) continue;
        const char *sql = (const char *)sqlite3_column_text(q, 0);
        const char *rule = sql ? not_plain(sql) : "";
        fine = rule == NULL;
        if (fine) continue;
        diag_fail_in(
            d, path,
            "this is no store as heddle writes it: its schema has \"%.60s\"; trust no result in it, or remove that "
            "first (sqlite3)",
            rule);
    }
    if (fine && code != SQLITE_DONE) fine = diag_fail_in(d, path, "results store: %s", store_trouble(db));
    sqlite3_finalize(q);
    return fine;
}
