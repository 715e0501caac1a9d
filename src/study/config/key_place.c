/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/key_place.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/config/schema.h"

#include <stdio.h>
#include <string.h>

/* ---- blocks of names ---- */

static bool is_named(const struct tree_node *n, const struct key *k) {
    if (!k->param.by_name || n->kind != TREE_MAP || n->n == 0) return false;
    for (size_t i = 0; i < n->n; i++)
        if (n->item[i]->kind != TREE_LIST || n->item[i]->n + 1 != k->param.n_items) return false;
    return true;
}

static struct tree_node *scalar_at(const struct tree_node *where, const char *text) {
    struct tree_node *n = tree_map(where);
    n->kind = TREE_SCALAR;
    n->text = text_copy(text);
    return n;
}

/* Returns {name: NAME, from: FIRST, to: SECOND} of NAME: [FIRST, SECOND]. */
static struct tree_node *named_item(const struct tree_node *name, const struct tree_node *values, const struct key *k) {
    struct tree_node *item = tree_map(name);
    for (uint32_t i = 0; i < k->param.n_items; i++) {
        struct tree_node *key = scalar_at(i ? values->item[i - 1] : name, k->param.items[i].name);
        tree_put(item, i, key, i ? values->item[i - 1] : name);
        tree_free(key);
    }
    return item;
}

/* ---- lists ---- */

void list_wrap(struct tree_node **slot, const struct key *k) {
    struct tree_node *list = memory_get(1, sizeof *list), *only = *slot;
    *list = (struct tree_node){.kind = TREE_LIST, .file = only->file, .line = only->line, .col = only->col};
    if (is_named(only, k)) {
        for (size_t i = 0; i < only->n; i++) tree_append(list, named_item(only->key[i], only->item[i], k));
        tree_free(only);
    } else if (tree_is_null(only)) {
        tree_free(only);
    } else {
        list->item = memory_get(1, sizeof *list->item);
        list->item[list->n++] = only;
    }
    *slot = list;
}

static const struct key *list_at(const char *path) {
    const struct key *k = schema_find(path);
    return k && k->kind == KEY_LIST ? k : NULL;
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
        const struct key *list = list_at(before);
        if (!list) continue;
        struct tree_node **slot = tree_slot(root, before);
        if (!slot && !list_begin(root, before, value, d)) return false;
        if (slot && (*slot)->kind != TREE_LIST) list_wrap(slot, list);
    }
    return tree_place(root, key, value, d);
}
