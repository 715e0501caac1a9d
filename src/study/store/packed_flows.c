/* SPDX-License-Identifier: Apache-2.0 */
#include "study/store/packed_flows.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/store/flow_block.h"

#include <stdio.h>
#include <stdlib.h>

static bool has_blocks(sqlite3 *db) {
    return sqlite3_table_column_metadata(db, "main", "flow_blocks", "packed", NULL, NULL, NULL, NULL, NULL) ==
           SQLITE_OK;
}

/* ---- writing ---- */

static bool block_write(struct store *s, sqlite3_stmt *q, int64_t run, const struct flow_block *b, uint8_t *bytes,
                        struct diag *d) {
    sqlite3_bind_int64(q, 1, run);
    sqlite3_bind_int64(q, 2, b->value[FLOW_AT_FLOW][0]);
    sqlite3_bind_int64(q, 3, b->n);
    sqlite3_bind_blob64(q, 4, bytes, flow_block_pack(b, bytes), SQLITE_STATIC);
    return store_step(s, q, d);
}

static void block_fill(struct flow_block *b, const struct outcome *o, size_t first, size_t n, flow_values_fn fill) {
    int64_t value[FLOW_COLUMNS];
    b->n = n - first < FLOW_BLOCK ? (uint32_t)(n - first) : FLOW_BLOCK;
    for (uint32_t i = 0; i < b->n; i++) {
        fill(o, first + i, value);
        for (int c = 0; c < FLOW_COLUMNS; c++) b->value[c][i] = value[c];
    }
}

bool packed_flows_write(struct store *s, int64_t run, const struct outcome *o, size_t n, flow_values_fn fill,
                        struct diag *d) {
    sqlite3_stmt *q;
    char schema[256];
    snprintf(schema, sizeof schema,
             "CREATE TABLE IF NOT EXISTS flow_blocks(run INTEGER, first INTEGER, flows INTEGER, packed BLOB,"
             " PRIMARY KEY(run, first)); PRAGMA user_version=%d",
             STORE_SCHEMA_PACKED);
    if (!store_exec(s, schema, d) ||
        !store_prepare(s, "INSERT INTO flow_blocks(run, first, flows, packed) VALUES(?,?,?,?)", &q, d))
        return false;
    struct flow_block *b = memory_get(1, sizeof *b);
    uint8_t *bytes = memory_get(FLOW_BLOCK_BYTES_MOST, 1);
    bool ok = true;
    for (size_t first = 0; ok && first < n; first += b->n) {
        block_fill(b, o, first, n, fill);
        ok = block_write(s, q, run, b, bytes, d);
    }
    sqlite3_finalize(q);
    free(b);
    free(bytes);
    return ok;
}

bool packed_flows_clear(struct store *s, int64_t run, struct diag *d) {
    char sql[96];
    snprintf(sql, sizeof sql, "DELETE FROM flow_blocks WHERE run=%lld", (long long)run);
    return !has_blocks(s->db) || store_exec(s, sql, d);
}

/* ---- the virtual table: connection ---- */

#define COLUMN_RUN 0
#define COLUMN_FLOW (1 + FLOW_AT_FLOW)

struct flows_table {
    sqlite3_vtab base;
    const struct store_reader *reader;
};

struct flows_cursor {
    sqlite3_vtab_cursor base;
    sqlite3_stmt *q;          /* the rows, or the blocks */
    struct flow_block *block; /* NULL: the run's flows are rows */
    uint32_t at, end;         /* row of the block, and the first that is not asked for */
    int code;                 /* of the last step of q */
    int64_t run;
};

static int table_connect(sqlite3 *db, void *reader, int argc, const char *const *argv, sqlite3_vtab **table,
                         char **error) {
    const char *const *column;
    size_t n = store_columns(STORE_FLOWS, &column);
    char sql[1024];
    (void)argc, (void)argv, (void)error;
    _Static_assert(FLOW_COLUMNS < 32, "the text has room");
    FILE *out = text_stream_into(sql, sizeof sql);
    fprintf(out, "CREATE TABLE flows(run INTEGER");
    for (size_t i = 0; i < n; i++) fprintf(out, ", %s INTEGER", column[i]);
    fprintf(out, ")");
    fclose(out);
    int code = sqlite3_declare_vtab(db, sql);
    if (code != SQLITE_OK) return code;
    struct flows_table *t = memory_get(1, sizeof *t);
    t->reader = reader;
    *table = &t->base;
    return SQLITE_OK;
}

static int table_disconnect(sqlite3_vtab *table) {
    free(table);
    return SQLITE_OK;
}

/* ---- which questions it answers ---- */

static bool is_of(const struct sqlite3_index_constraint *c, int column) {
    return c->usable && c->op == SQLITE_INDEX_CONSTRAINT_EQ && c->iColumn == column;
}

/* Makes the comparison with a column an argument of the cursor. SQLite compares once more, with what is no integer too. Returns
 * whether there is one. */
static bool argument_take(sqlite3_index_info *asked, int column, int number) {
    for (int i = 0; i < asked->nConstraint; i++) {
        if (!is_of(&asked->aConstraint[i], column)) continue;
        asked->aConstraintUsage[i].argvIndex = number;
        return true;
    }
    return false;
}

static int table_plan(sqlite3_vtab *table, sqlite3_index_info *asked) {
    (void)table;
    if (!argument_take(asked, COLUMN_RUN, 1)) return SQLITE_CONSTRAINT;
    bool one = argument_take(asked, COLUMN_FLOW, 2);
    asked->idxNum = one;
    asked->estimatedCost = one ? 1000 : 1e7;
    asked->estimatedRows = one ? 1 : 1000000;
    asked->orderByConsumed =
        asked->nOrderBy == 1 && asked->aOrderBy[0].iColumn == COLUMN_FLOW && !asked->aOrderBy[0].desc;
    return SQLITE_OK;
}

/* ---- cursors ---- */

static int cursor_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
    (void)table;
    struct flows_cursor *c = memory_get(1, sizeof *c);
    *cursor = &c->base;
    return SQLITE_OK;
}

static void cursor_empty(struct flows_cursor *c) {
    sqlite3_finalize(c->q);
    free(c->block);
    c->q = NULL;
    c->block = NULL;
    c->at = c->end = 0;
}

static int cursor_close(sqlite3_vtab_cursor *cursor) {
    cursor_empty((struct flows_cursor *)cursor);
    free(cursor);
    return SQLITE_OK;
}

static const struct store_reader *reader_of(const struct flows_cursor *c) {
    return ((struct flows_table *)c->base.pVtab)->reader;
}

/* Returns SQLite's code of a cursor whose inner question failed, with its message. */
static int fail(struct flows_cursor *c, int code) {
    sqlite3_free(c->base.pVtab->zErrMsg);
    c->base.pVtab->zErrMsg = sqlite3_mprintf("%s", store_trouble(reader_of(c)->db));
    return code;
}

static int damaged(struct flows_cursor *c) {
    sqlite3_free(c->base.pVtab->zErrMsg);
    c->base.pVtab->zErrMsg =
        sqlite3_mprintf("a block of its flows is damaged; run the experiment again into another file");
    return SQLITE_CORRUPT;
}

/* Reads the block that the last step found. */
static int block_read(struct flows_cursor *c) {
    int64_t n = sqlite3_column_int64(c->q, 1);
    const void *bytes = sqlite3_column_blob(c->q, 2);
    size_t size = (size_t)sqlite3_column_bytes(c->q, 2);
    c->at = 0;
    c->end = n > 0 && n <= FLOW_BLOCK ? (uint32_t)n : 0;
    return bytes && flow_block_unpack(c->block, c->end, bytes, size) ? SQLITE_OK : damaged(c);
}

/* Steps to the next row, or to the next block and reads it. */
static int step(struct flows_cursor *c) {
    c->code = sqlite3_step(c->q);
    c->at = c->end = 0;
    if (c->code == SQLITE_DONE) return SQLITE_OK;
    if (c->code != SQLITE_ROW) return fail(c, c->code);
    return c->block ? block_read(c) : SQLITE_OK;
}

/* Begins a question about a run, and with `flow` about one of its flows. */
static int begin(struct flows_cursor *c, const char *sql, sqlite3_value *flow) {
    if (sqlite3_prepare_v2(reader_of(c)->db, sql, -1, &c->q, NULL) != SQLITE_OK) return fail(c, SQLITE_ERROR);
    sqlite3_bind_int64(c->q, 1, c->run);
    if (flow) sqlite3_bind_int64(c->q, 2, sqlite3_value_int64(flow));
    return step(c);
}

static int blocks_begin(struct flows_cursor *c, sqlite3_value *flow) {
    c->block = memory_get(1, sizeof *c->block);
    int code = begin(c,
                     flow ? "SELECT first, flows, packed FROM main.flow_blocks WHERE run=?1 AND first<=?2"
                            " ORDER BY first DESC LIMIT 1"
                          : "SELECT first, flows, packed FROM main.flow_blocks WHERE run=?1 ORDER BY first",
                     flow);
    if (code != SQLITE_OK || c->code != SQLITE_ROW || !flow) return code;
    int64_t place = sqlite3_value_int64(flow) - sqlite3_column_int64(c->q, 0);
    c->end = place < c->end ? (uint32_t)place + 1 : 0;
    c->at = (uint32_t)place;
    return c->end ? SQLITE_OK : step(c); /* the flow is behind the last one: there is no further block */
}

static int rows_begin(struct flows_cursor *c, sqlite3_value *flow) {
    char sql[2048];
    store_rows_select(reader_of(c), STORE_FLOWS, flow ? "run=?1 AND flow=?2" : "run=?1", sql, sizeof sql);
    return begin(c, sql, flow);
}

static int cursor_filter(sqlite3_vtab_cursor *cursor, int one, const char *unused, int argc, sqlite3_value **argv) {
    struct flows_cursor *c = (struct flows_cursor *)cursor;
    sqlite3_value *flow = one && argc > 1 ? argv[1] : NULL;
    (void)unused;
    cursor_empty(c);
    c->run = sqlite3_value_int64(argv[0]);
    int code = blocks_begin(c, flow);
    if (code != SQLITE_OK || c->code == SQLITE_ROW) return code;
    cursor_empty(c);
    return rows_begin(c, flow);
}

static int cursor_next(sqlite3_vtab_cursor *cursor) {
    struct flows_cursor *c = (struct flows_cursor *)cursor;
    return c->block && ++c->at < c->end ? SQLITE_OK : step(c);
}

static int cursor_eof(sqlite3_vtab_cursor *cursor) { return ((struct flows_cursor *)cursor)->code != SQLITE_ROW; }

static int cursor_column(sqlite3_vtab_cursor *cursor, sqlite3_context *to, int column) {
    struct flows_cursor *c = (struct flows_cursor *)cursor;
    if (column == COLUMN_RUN)
        sqlite3_result_int64(to, c->run);
    else if (!c->block)
        sqlite3_result_value(to, sqlite3_column_value(c->q, column - 1));
    else if (c->block->value[column - 1][c->at] != STORE_NULL)
        sqlite3_result_int64(to, c->block->value[column - 1][c->at]);
    return SQLITE_OK;
}

static int cursor_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) {
    const struct flows_cursor *c = (struct flows_cursor *)cursor;
    *rowid = c->block ? c->block->value[FLOW_AT_FLOW][c->at] : sqlite3_column_int64(c->q, FLOW_AT_FLOW);
    return SQLITE_OK;
}

static const sqlite3_module flows_module = {.xCreate = table_connect,
                                            .xConnect = table_connect,
                                            .xBestIndex = table_plan,
                                            .xDisconnect = table_disconnect,
                                            .xDestroy = table_disconnect,
                                            .xOpen = cursor_open,
                                            .xClose = cursor_close,
                                            .xFilter = cursor_filter,
                                            .xNext = cursor_next,
                                            .xEof = cursor_eof,
                                            .xColumn = cursor_column,
                                            .xRowid = cursor_rowid};

bool packed_flows_show(struct store_reader *r, struct diag *d) {
    if (!has_blocks(r->db)) return true;
    sqlite3_stmt *q = NULL;
    store_guard_ask(r->guard);
    int code = sqlite3_prepare_v2(r->db, "SELECT 1 FROM main.flow_blocks LIMIT 1", -1, &q, NULL);
    if (code == SQLITE_OK) code = sqlite3_step(q);
    sqlite3_finalize(q);
    if (code == SQLITE_DONE) return true;
    bool ok = code == SQLITE_ROW &&
              sqlite3_create_module_v2(r->db, "heddle_flows", &flows_module, r, NULL) == SQLITE_OK &&
              sqlite3_exec(r->db, "CREATE VIRTUAL TABLE temp.flows USING heddle_flows", NULL, NULL, NULL) == SQLITE_OK;
    return ok || diag_fail_in(d, r->path, "results store: %s", store_trouble(r->db));
}
