/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/needs.h"

#include "base/text.h"
#include "base/units.h"
#include "mech/balance/balance.h"

#include <stdlib.h>
#include <string.h>

/* ---- which rows are in use ---- */

static bool entry_names(const struct tree_node *entry, const char *name) {
    const struct tree_node *t = tree_get(entry, "transport");
    return t && t->kind == TREE_SCALAR && strcmp(t->text, name) == 0;
}

static bool hosts_name(const struct config_input *in, const char *key, const char *name) {
    const char *text = config_input_text(in, key);
    return text && strcmp(text, name) == 0;
}

bool transport_in_use(const struct config_input *in, const char *name) {
    const struct tree_node *workload = tree_get(in->root, "workload");
    if (hosts_name(in, "host.transport", name)) return true;
    if (workload && workload->kind != TREE_LIST) return entry_names(workload, name); /* without brackets */
    for (size_t i = 0; workload && i < workload->n; i++)
        if (entry_names(workload->item[i], name)) return true;
    return false;
}

/* True if the row is in use. For keys of hosts, host.transport alone counts; else transports of the workload do too. */
static bool is_in_use(const struct config_input *in, const struct catalogue_item *item, const char *path) {
    if (strcmp(item->family, "transports") == 0 && strncmp(path, "host.", 5) != 0)
        return transport_in_use(in, item->name);
    size_t n;
    const struct catalogue_family *f = catalogue_families(&n);
    while (strcmp(f->name, item->family) != 0) f++;
    return hosts_name(in, f->key, item->name);
}

/* ---- their needs ---- */

const char *need_of(const struct need *needed, const char *path) {
    for (; needed && needed->key; needed++)
        if (strcmp(needed->key, path) == 0) return needed->value;
    return NULL;
}

/* True if a transport in use has this feature. */
static bool some_transport(const struct config_input *in, const char *feature) {
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    for (size_t i = 0; i < n; i++)
        if (catalogue_has(&item[i], feature) && strcmp(item[i].family, "transports") == 0 &&
            transport_in_use(in, item[i].name))
            return true;
    return false;
}

/* True if `path` is the parameter that makes this balancer symmetric. */
static bool is_symmetry_of(const struct catalogue_item *item, const char *path) {
    const struct balancer_ops *b = item->row;
    if (!item->block) return false;
    size_t length = strlen(item->block);
    return catalogue_has(item, "symmetric") && strncmp(path, item->block, length) == 0 && path[length] == '.' &&
           strcmp(path + length + 1, b->params[b->symmetric_param].name) == 0;
}

/* Returns the value of `path` that makes its balancer symmetric; NULL if no transport in use needs symmetric paths, or
 * if the experiment records paths. */
static const char *symmetric_text(const struct config_input *in, const char *path) {
    static char text[UNITS_TEXT_MAX];
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    for (size_t i = 0; i < n; i++) {
        const struct balancer_ops *b = item[i].row;
        if (!is_symmetry_of(&item[i], path) || !some_transport(in, "symmetry")) continue;
        if (hosts_name(in, "switch.record_path", "true")) return NULL;
        return param_print(&b->params[b->symmetric_param], b->symmetric_value, text, sizeof text);
    }
    return NULL;
}

bool is_needed(const char *path) {
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    for (size_t i = 0; i < n; i++)
        if (need_of(item[i].needed, path) || is_symmetry_of(&item[i], path)) return true;
    return false;
}

/* True if need `text` prevails over `over` (needs.h): a later choice, or a lower quantity. */
static bool prevails(const struct key *k, const char *text, const char *over) {
    int64_t a, b;
    char why[384];
    if (!over) return true;
    if (k->kind != KEY_VALUE || !param_parse(&k->param, text, &a, why, sizeof why) ||
        !param_parse(&k->param, over, &b, why, sizeof why))
        return false;
    return k->param.type == PARAM_CHOICE ? a > b : a < b;
}

const char *needed_text(const struct config_input *in, const struct key *k, const char *path) {
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    const char *found = NULL;
    for (size_t i = 0; i < n; i++) {
        const char *text = need_of(item[i].needed, path);
        if (text && prevails(k, text, found) && is_in_use(in, &item[i], path)) found = text;
    }
    return found ? found : symmetric_text(in, path);
}

/* ---- for documents ---- */

/* Writes the value that row i needs and the names of all rows that need it. Writes nothing if an earlier row needs it:
 * the call for that row named them all. */
static void say_alike(const struct catalogue_item *item, size_t n, size_t i, const char *path, FILE *out) {
    const char *text = need_of(item[i].needed, path);
    for (size_t k = 0; k < i; k++) {
        const char *said = need_of(item[k].needed, path);
        if (said && strcmp(said, text) == 0) return;
    }
    fprintf(out, "; %s with %s", text, item[i].name);
    for (size_t k = i + 1; k < n; k++) {
        const char *same = need_of(item[k].needed, path);
        if (same && strcmp(same, text) == 0) fprintf(out, ", %s", item[k].name);
    }
}

static void say_symmetry(const struct balancer_ops *b, FILE *out) {
    char value[UNITS_TEXT_MAX], *names = catalogue_names("transports", "symmetry");
    fprintf(out, "; %s with ", param_print(&b->params[b->symmetric_param], b->symmetric_value, value, sizeof value));
    for (const char *c = names; *c; c++) fprintf(out, *c == '|' ? ", " : "%c", *c);
    free(names);
}

const char *needs_text(const struct key *k, char *buf, size_t size) {
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    FILE *out = text_stream_into(buf, size);
    fprintf(out, "%s", k->def ? k->def : "");
    for (size_t i = 0; i < n; i++) {
        const char *text = need_of(item[i].needed, k->path);
        if (text && (!k->def || strcmp(text, k->def) != 0)) say_alike(item, n, i, k->path, out);
    }
    for (size_t i = 0; i < n; i++)
        if (is_symmetry_of(&item[i], k->path)) say_symmetry(item[i].row, out);
    fclose(out);
    return buf;
}
