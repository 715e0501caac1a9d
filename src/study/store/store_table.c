/* SPDX-License-Identifier: Apache-2.0 */
#include "study/store/store_table.h"

#include <string.h>

void store_table_wish(const struct store_reader *r, size_t experiment, struct table_wish *w) {
    sqlite3_stmt *q = NULL;
    struct diag ignored;
    struct tree_node *block = NULL;
    static const char sql[] = "SELECT text FROM table_blocks WHERE experiment=?1";
    *w = (struct table_wish){0};
    if (sqlite3_prepare_v2(r->db, sql, -1, &q, NULL) != SQLITE_OK) return;
    sqlite3_bind_int64(q, 1, r->experiment[experiment].id);
    if (sqlite3_step(q) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(q, 0);
        if (text) block = tree_parse(text, strlen(text), r->path, &ignored);
    }
    sqlite3_finalize(q);
    if (block && !table_wish_read(block, w, &ignored)) table_wish_free(w);
    tree_free(block);
}
