/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/sweep.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/config/config.h"
#include "study/config/key_place.h"
#include "study/config/schema.h"
#include "study/experiment/settings.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *axis_key(const char *key) { return strncmp(key, "sweep.", 6) == 0 ? key + 6 : key; }

bool sweep_takes(const struct tree_node *root, const char *key) {
    return axis_key(key) != key || tree_get(tree_get(root, "sweep"), key) != NULL;
}

static struct tree_node *sweep_block(struct tree_node *root, const struct tree_node *where, struct diag *d) {
    struct tree_node *sweep = tree_get(root, "sweep");
    if (!sweep) {
        if (!tree_place(root, "sweep", tree_map(where), d)) return NULL;
        sweep = tree_get(root, "sweep");
    }
    if (sweep->kind == TREE_MAP) return sweep;
    tree_fail(d, sweep, "sweep holds keys; write sweep: {KEY: [values]}");
    return NULL;
}

/* Returns a map of one key that holds a list, for tree_merge into the sweep block. tree_place would not do: the key has
 * dots in it. Owns `value`. */
static struct tree_node *axis_map(const char *key, struct tree_node *value) {
    struct tree_node *map = tree_map(value), *name = memory_get(1, sizeof *name), *list = value;
    *name = (struct tree_node){.kind = TREE_SCALAR, .file = value->file, .line = value->line, .col = value->col};
    name->text = text_copy(key);
    if (value->kind != TREE_LIST) {
        list = memory_get(1, sizeof *list);
        *list =
            (struct tree_node){.kind = TREE_LIST, .file = value->file, .line = value->line, .col = value->col, .n = 1};
        list->item = memory_get(1, sizeof *list->item);
        list->item[0] = value;
    }
    map->key = memory_get(1, sizeof *map->key);
    map->item = memory_get(1, sizeof *map->item);
    map->key[0] = name;
    map->item[0] = list;
    map->n = 1;
    return map;
}

/* Fails because `at` is no name of the axis. */
static bool unknown_name(const struct tree_node *at, const char *key, const struct tree_node *named, struct diag *d) {
    const char **names = memory_get(named->n, sizeof *names), *text = at->kind == TREE_SCALAR ? at->text : "this";
    for (size_t i = 0; i < named->n; i++) names[i] = named->key[i]->text;
    const char *nearest = at->kind == TREE_SCALAR ? diag_nearest(text, names, named->n) : NULL;
    tree_fail(d, at, "sweep %s: '%s' is none of its named values; %s '%s'%s", key, text,
              nearest ? "did you mean" : "one is", nearest ? nearest : names[0], nearest ? "?" : "");
    free(names);
    return false;
}

/* Keeps those values of a named axis that `value`, a name or a list of them, names. Frees `value`. */
static bool names_keep(struct tree_node *sweep, const char *key, struct tree_node *value, struct diag *d) {
    const struct tree_node *named = tree_get(sweep, key);
    struct tree_node *kept = tree_map(named);
    bool ok = true;
    for (size_t i = 0; ok && i < (value->kind == TREE_LIST ? value->n : 1); i++) {
        const struct tree_node *name = value->kind == TREE_LIST ? value->item[i] : value;
        const struct tree_node *chosen = name->kind == TREE_SCALAR ? tree_get(named, name->text) : NULL;
        ok = chosen || unknown_name(name, key, named, d);
        if (ok) tree_put(kept, kept->n, name, chosen);
    }
    for (size_t i = 0; ok && i < sweep->n; i++) {
        if (sweep->item[i] != named) continue;
        tree_free(sweep->item[i]);
        sweep->item[i] = kept;
        kept = NULL;
        break;
    }
    tree_free(kept);
    tree_free(value);
    return ok;
}

/* Returns true if `value` names values of an axis that has names: a name or a list of them, no block. */
static bool is_of_names(const struct tree_node *sweep, const char *key, const struct tree_node *value) {
    const struct tree_node *axis = tree_get(sweep, key);
    bool plain = value->kind == TREE_SCALAR || (value->kind == TREE_LIST && value->n > 0);
    for (size_t i = 0; value->kind == TREE_LIST && i < value->n; i++) plain &= value->item[i]->kind == TREE_SCALAR;
    return plain && axis && axis->kind == TREE_MAP && axis->n > 0;
}

bool sweep_set(struct tree_node *root, const char *key, struct tree_node *value, struct diag *d) {
    struct tree_node *sweep = sweep_block(root, value, d);
    if (!sweep) {
        tree_free(value);
        return false;
    }
    if (tree_is_null(value)) {
        tree_remove(sweep, axis_key(key));
        tree_free(value);
        return true;
    }
    if (is_of_names(sweep, axis_key(key), value)) return names_keep(sweep, axis_key(key), value, d);
    struct tree_node *over = axis_map(axis_key(key), value);
    tree_merge(sweep, over);
    tree_free(over);
    return true;
}

bool sweep_or_place(struct tree_node *root, const char *key, struct tree_node *value, struct diag *d) {
    return sweep_takes(root, key) ? sweep_set(root, key, value, d) : key_place(root, key, value, d);
}

/* Returns true if the values of a key are blocks or lists, which may have names. An item of a list, workload.0, has no row. */
static bool takes_names(const char *key) {
    const struct key *k = schema_find(key);
    const char *last = strrchr(key, '.');
    bool is_item = last && last[1] && strspn(last + 1, "0123456789") == strlen(last + 1);
    return k ? k->kind == KEY_MAP || k->kind == KEY_LIST : is_item;
}

static bool axis_check(const struct tree_node *key, const struct tree_node *list, struct diag *d) {
    if (config_block_is_outside(key->text))
        return tree_fail(d, key,
                         "'%s' cannot be swept; name a key of the fabric, hosts, switches, workload, run or measure",
                         key->text);
    if (list->kind == TREE_MAP && !takes_names(key->text))
        return tree_fail(d, list, "sweep %s: only blocks and lists have names; write a list of values: [a, b]",
                         key->text);
    if (list->kind == TREE_SCALAR) return tree_fail(d, list, "sweep %s: write a list of values: [a, b]", key->text);
    if (list->n == 0)
        return tree_fail(d, list, "sweep %s: the list is empty; give a value or remove the key", key->text);
    return true;
}

/* ---- ranges ---- */

/* Returns whether the item is FIRST..LAST, and sets both. */
static bool is_range(const struct tree_node *item, long *first, long *last) {
    char *end;
    if (item->kind != TREE_SCALAR || item->quoted || !isdigit((unsigned char)item->text[0])) return false;
    errno = 0;
    *first = strtol(item->text, &end, 10);
    if (strncmp(end, "..", 2) != 0 || !isdigit((unsigned char)end[2])) return false;
    *last = strtol(end + 2, &end, 10);
    return *end == '\0' && errno == 0;
}

/* Returns the list with each FIRST..LAST written out; NULL after filling *d. */
static struct tree_node *ranges_written_out(const struct tree_node *list, struct diag *d) {
    struct tree_node *whole = memory_get(1, sizeof *whole);
    *whole = (struct tree_node){.kind = TREE_LIST, .file = list->file, .line = list->line, .col = list->col};
    for (size_t i = 0; i < list->n; i++) {
        long first = 0, last = 0;
        if (!is_range(list->item[i], &first, &last)) {
            tree_append(whole, tree_copy(list->item[i]));
            continue;
        }
        if (last < first || last - first >= MAX_RUNS) {
            tree_fail(d, list->item[i], "'%s' is no range of 1 to %d values; write FIRST..LAST", list->item[i]->text,
                      MAX_RUNS);
            tree_free(whole);
            return NULL;
        }
        for (long value = first; value <= last; value++) {
            struct tree_node *item = tree_copy(list->item[i]);
            free(item->text);
            item->text = text_format("%ld", value);
            tree_append(whole, item);
        }
    }
    return whole;
}

/* Fills an axis with named values; false if they have none. */
static bool names_take(const struct tree_node *named, struct axis *a) {
    if (named->kind != TREE_MAP) return false;
    struct tree_node place = {.kind = TREE_LIST, .file = named->file, .line = named->line, .col = named->col};
    a->list = tree_copy(&place);
    a->names = tree_copy(&place);
    for (size_t i = 0; i < named->n; i++) {
        tree_append(a->list, tree_copy(named->item[i]));
        tree_append(a->names, tree_copy(named->key[i]));
    }
    return true;
}

bool sweep_axes(const struct tree_node *root, struct axis **axis, size_t *n, struct diag *d) {
    *axis = NULL;
    *n = 0;
    const struct tree_node *sweep = tree_get(root, "sweep");
    if (!sweep || tree_is_null(sweep)) return true;
    if (sweep->kind != TREE_MAP) return tree_fail(d, sweep, "sweep holds keys; write sweep: {KEY: [values]}");
    if (sweep->n > AXES_MAX)
        return tree_fail(d, sweep->key[AXES_MAX], "sweep: at most %d keys are swept at once; sweep fewer", AXES_MAX);
    for (size_t i = 0; i < sweep->n; i++) {
        struct axis a = {0};
        if (!axis_check(sweep->key[i], sweep->item[i], d)) return false;
        if (!names_take(sweep->item[i], &a) && !(a.list = ranges_written_out(sweep->item[i], d))) return false;
        a.key = text_copy(sweep->key[i]->text);
        *axis = memory_grow(*axis, *n + 1, sizeof **axis);
        (*axis)[(*n)++] = a;
    }
    return true;
}

const char *sweep_row_key(const struct experiment *e) {
    json_t *axes = json_object();
    const char *found = "run.seed";
    for (size_t i = 0; i < e->n_runs; i++) settings_axes_add(axes, e->run[i].settings);
    const char *key = settings_row_key(axes);
    for (size_t i = 0; i < e->n_axes; i++) {
        if (strcmp(e->axis[i].key, key) == 0) found = e->axis[i].key;
    }
    json_decref(axes);
    return found;
}

void sweep_axes_free(struct axis *axis, size_t n) {
    for (size_t i = 0; i < n; i++) {
        free(axis[i].key);
        tree_free(axis[i].list);
        tree_free(axis[i].names);
    }
    free(axis);
}
