#include "study/needs.h"

#include "base/units.h"

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
    if (workload && workload->kind != TREE_LIST) return entry_names(workload, name); /* one without brackets */
    for (size_t i = 0; workload && i < workload->n; i++)
        if (entry_names(workload->item[i], name)) return true;
    return false;
}

/* Keys of hosts follow the hosts' own transport. */
static bool is_in_use(const struct config_input *in, const struct catalogue_item *item, const char *path) {
    if (strcmp(item->family, "transports") == 0 && strncmp(path, "host.", 5) != 0)
        return transport_in_use(in, item->name);
    size_t n;
    const struct catalogue_family *f = catalogue_families(&n);
    while (strcmp(f->name, item->family) != 0) f++;
    return hosts_name(in, f->key, item->name);
}

/* ---- what they need ---- */

const char *need_of(const struct need *needed, const char *path) {
    for (; needed && needed->key; needed++)
        if (strcmp(needed->key, path) == 0) return needed->value;
    return NULL;
}

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
    return found;
}

/* ---- for documents ---- */

/* Names of the rows from the i-th on that need the same, after ", "; those of before have been said. */
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

const char *needs_text(const struct key *k, char *buf, size_t size) {
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    FILE *out = fmemopen(buf, size, "w");
    fprintf(out, "%s", k->def ? k->def : "");
    for (size_t i = 0; i < n; i++) {
        const char *text = need_of(item[i].needed, k->path);
        if (text && (!k->def || strcmp(text, k->def) != 0)) say_alike(item, n, i, k->path, out);
    }
    fclose(out);
    return buf;
}
