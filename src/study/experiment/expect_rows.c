/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/expect_rows.h"

#include "base/memory.h"
#include "study/experiment/expect_table.h"

#include <string.h>

/* Adds a claim with one metric, or a claim for each cell of its table; owns it. */
static bool claim_add(struct tree_node *list, struct tree_node *claim, struct diag *d) {
    if (tree_get(claim, "table")) return expect_table_write_out(list, claim, d);
    tree_append(list, claim);
    return true;
}

/* Adds the block with each of its metrics, and frees it. */
static bool metrics_add(struct tree_node *list, struct tree_node *block, struct diag *d) {
    const struct tree_node *metrics = tree_get(block, "metric");
    if (!metrics || metrics->kind != TREE_LIST) return claim_add(list, block, d);
    bool ok = metrics->n > 0 || tree_fail(d, metrics, "metric: the list is empty; name a path such as fct_us.mice.p95");
    for (size_t i = 0; ok && i < metrics->n; i++) {
        struct tree_node *one = tree_copy(block), **slot = tree_slot(one, "metric");
        tree_free(*slot);
        *slot = tree_copy(metrics->item[i]);
        ok = claim_add(list, one, d);
    }
    tree_free(block);
    return ok;
}

static bool row_add(struct tree_node *list, const struct tree_node *block, const struct tree_node *row,
                    struct diag *d) {
    if (row->kind != TREE_MAP) return tree_fail(d, row, "a row holds keys of a claim; write {of: {KEY: value}}");
    if (tree_get(row, "rows"))
        return tree_fail(d, row, "a row has no rows of its own; write them as rows of the block");
    struct tree_node *claim = tree_copy(block);
    tree_remove(claim, "rows");
    tree_merge(claim, row);
    claim->line = row->line;
    claim->col = row->col;
    return metrics_add(list, claim, d);
}

static bool block_add(struct tree_node *list, const struct tree_node *block, struct diag *d) {
    const struct tree_node *rows = tree_get(block, "rows");
    if (!rows) return metrics_add(list, tree_copy(block), d);
    if (rows->kind != TREE_LIST || rows->n == 0)
        return tree_fail(d, rows, "rows is a list of what differs between claims; write rows: [{...}, {...}]");
    for (size_t i = 0; i < rows->n; i++)
        if (!row_add(list, block, rows->item[i], d)) return false;
    return true;
}

bool expect_rows_write_out(struct tree_node *root, struct diag *d) {
    const struct tree_node *expect = tree_get(root, "expect");
    if (!expect || tree_is_null(expect)) return true;
    struct tree_node *list = memory_get(1, sizeof *list);
    *list = (struct tree_node){.kind = TREE_LIST, .file = expect->file, .line = expect->line, .col = expect->col};
    bool ok = true;
    for (size_t i = 0; ok && i < (expect->kind == TREE_LIST ? expect->n : 1); i++)
        ok = block_add(list, expect->kind == TREE_LIST ? expect->item[i] : expect, d);
    struct tree_node **slot = tree_slot(root, "expect");
    tree_free(*slot);
    *slot = list;
    return ok;
}
