/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/key_place.h"

#include "base/memory.h"
#include "study/config/schema.h"

#include <stdio.h>
#include <string.h>

void list_wrap(struct tree_node **slot) {
    struct tree_node *list = memory_get(1, sizeof *list), *only = *slot;
    *list = (struct tree_node){.kind = TREE_LIST, .file = only->file, .line = only->line, .col = only->col};
    if (tree_is_null(only)) {
        tree_free(only);
    } else {
        list->item = memory_get(1, sizeof *list->item);
        list->item[list->n++] = only;
    }
    *slot = list;
}

static bool is_list(const char *path) {
    const struct key *k = schema_find(path);
    return k && k->kind == KEY_LIST;
}

/* Puts an empty list where none is. On failure the value is freed. */
static bool list_begin(struct tree_node *root, const char *path, struct tree_node *value, struct diag *d) {
    struct tree_node *list = tree_map(value);
    list->kind = TREE_LIST;
    if (tree_place(root, path, list, d)) return true;
    tree_free(value);
    return false;
}

bool key_place(struct tree_node *root, const char *key, struct tree_node *value, struct diag *d) {
    char before[KEY_PATH_MAX];
    for (const char *dot = strchr(key, '.'); dot && dot - key < KEY_PATH_MAX; dot = strchr(dot + 1, '.')) {
        if (dot[1] < '0' || dot[1] > '9') continue;
        snprintf(before, sizeof before, "%.*s", (int)(dot - key), key);
        if (!is_list(before)) continue;
        struct tree_node **slot = tree_slot(root, before);
        if (!slot && !list_begin(root, before, value, d)) return false;
        if (slot && (*slot)->kind != TREE_LIST) list_wrap(slot);
    }
    return tree_place(root, key, value, d);
}
