/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/effect.h"

#include "study/config/acts.h"
#include "study/config/config_index.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_from(const struct setting *s, const struct tree_node *at) {
    return s->file == at->file && s->line == at->line && s->col == at->col;
}

/* Writes why the key has no effect in this run; "" if it has one. Of the transports in use that have a parameter which is
 * written directly under `host`, one is enough. `own`: the value in a scheme of the file; NULL: it stands in no scheme. */
static void effect_in(const struct config *c, const struct key *k, const char *path, const struct tree_node *own,
                      char *why, size_t size) {
    bool applies = false;
    why[0] = '\0';
    const struct config_range r = config_range(c, path);
    for (size_t i = r.first; i < r.end; i++) {
        if (!path_is_meant(path, c->setting[i].path)) continue;
        applies = true;
        if (own && !is_from(&c->setting[i], own)) {
            snprintf(why, size, "%s outside the scheme comes first", c->setting[i].path);
            continue;
        }
        if (setting_lacks(c, &c->setting[i], why, size)) continue;
        why[0] = '\0';
        return;
    }
    if (!applies) snprintf(why, size, k && k->when ? "no run has %s" : "it does not apply", k ? k->when : "");
}

/* ---- the file ---- */

struct walk {
    const struct experiment *e;
    void (*say)(const struct diag *d, void *context);
    void *context;
    const char *own; /* the scheme of the file whose keys are visited (tree_intern); NULL: keys in no scheme */
    bool in_sweep;   /* the values of the sweep are visited, which replace those of the file */
};

/* True if the sweep replaces the key, or a block or list around it, in every run. */
static bool is_swept(const struct experiment *e, const char *path) {
    for (size_t i = 0; i < e->n_axes; i++) {
        size_t length = strlen(e->axis[i].key);
        bool within = strncmp(e->axis[i].key, path, length) == 0 && (path[length] == '\0' || path[length] == '.');
        if (within) return true;
    }
    return false;
}

/* Writes the reason that the first of the runs concerned gives for a value without effect, and returns true if it has none in
 * any of them. The keys of a scheme concern its runs only. */
static bool lacks_effect(const struct walk *w, const struct tree_node *at, const struct key *k, const char *wild,
                         char first[LACKS_MAX]) {
    char why[LACKS_MAX];
    bool any = false;
    for (size_t i = 0; i < w->e->n_runs; i++) {
        const struct config *c = &w->e->run[i].config;
        if (w->own && c->own_scheme != w->own) continue;
        effect_in(c, k, wild, w->own ? at : NULL, why, sizeof why);
        if (!why[0]) return false;
        if (!any) snprintf(first, LACKS_MAX, "%s", why);
        any = true;
    }
    return any;
}

/* Warns of a value without effect in any run. A transport's parameter may stand directly under `host`. */
static void value_visit(const struct walk *w, const struct tree_node *at, const char *path) {
    const struct key *k = schema_find(path);
    char wild[KEY_PATH_MAX], first[LACKS_MAX];
    snprintf(wild, sizeof wild, "%s", path);
    if (!k && strncmp(path, "host.", 5) == 0) snprintf(wild, sizeof wild, "host.*.%s", path + 5);
    if (tree_is_null(at) || (k && config_key_is_outside(k))) return;
    if (!w->in_sweep && ((!w->own && is_swept(w->e, path)) || experiment_inherits(w->e, at->file))) return;
    struct diag d;
    if (!lacks_effect(w, at, k, wild, first)) return;
    /* on real frames the key stays where the simulation of the same file needs it */
    const char *remedy = w->e->is_live ? "" : "; leave it out";
    diag_fail(&d, at->file, at->line, at->col, "%s%s%s%s has no effect: %s%s", w->own ? "schemes." : "",
              w->own ? w->own : "", w->own ? "." : "", path, first, remedy);
    w->say(&d, w->context);
}

static void node_visit(const struct walk *w, const struct tree_node *at, const char *path);

static void list_visit(const struct walk *w, const struct tree_node *list, const char *path) {
    char item[KEY_PATH_MAX];
    if (list->kind != TREE_LIST) { /* of one item, without brackets */
        node_visit(w, list, path_item(item, path, 0));
        return;
    }
    for (size_t i = 0; i < list->n; i++) node_visit(w, list->item[i], path_item(item, path, i));
}

static void node_visit(const struct walk *w, const struct tree_node *at, const char *path) {
    if (at->kind == TREE_SCALAR) value_visit(w, at, path);
    for (size_t i = 0; at->kind == TREE_MAP && i < at->n; i++) {
        char child[KEY_PATH_MAX];
        const struct key *k = schema_find(path_join(child, path, at->key[i]->text));
        if (k && k->kind == KEY_LIST)
            list_visit(w, at->item[i], child);
        else if (!k || k->kind != KEY_ANY)
            node_visit(w, at->item[i], child);
    }
}

/* Visits what stands at a key, which may lie in a block: "switch", "switch.balance". */
static void key_visit(const struct walk *w, const struct tree_node *at, const char *path) {
    const struct key *k = schema_find(path);
    if (k && k->kind == KEY_LIST)
        list_visit(w, at, path);
    else
        node_visit(w, at, path);
}

static bool is_of_a_run(const char *path) {
    static const char *const blocks[] = {"fabric", "host", "switch", "workload", "run", "measure"};
    size_t length = strcspn(path, ".");
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (strlen(blocks[i]) == length && strncmp(blocks[i], path, length) == 0) return true;
    return false;
}

/* Writes a swept path with the number that it leaves out where a list has one item: fabric.fail_random.0.links. */
static void path_whole(const char *path, char whole[KEY_PATH_MAX]) {
    size_t used = 0;
    while (*path && used < KEY_PATH_MAX) {
        size_t part = strcspn(path, ".");
        used += (size_t)snprintf(whole + used, KEY_PATH_MAX - used, "%s%.*s", used ? "." : "", (int)part, path);
        path += part + (path[part] == '.');
        const struct key *k = schema_find(whole);
        if (k && k->kind == KEY_LIST && *path && !isdigit((unsigned char)*path) && used < KEY_PATH_MAX)
            used += (size_t)snprintf(whole + used, KEY_PATH_MAX - used, ".0");
    }
}

/* Visits all blocks and lists among the values of a swept key, but one value of a plain key. */
static void axis_visit(const struct walk *w, const struct axis *x) {
    char path[KEY_PATH_MAX];
    bool seen = false;
    path_whole(x->key, path);
    for (size_t i = 0; i < x->list->n; i++) {
        const struct tree_node *value = x->list->item[i];
        bool plain = value->kind == TREE_SCALAR;
        if (tree_is_null(value) || (plain && seen)) continue;
        key_visit(w, value, path);
        seen |= plain;
    }
}

/* Visits the keys of the schemes that the file makes. */
static void own_schemes_visit(struct walk *w) {
    const struct tree_node *all = tree_get(w->e->root, "schemes");
    for (size_t i = 0; all && all->kind == TREE_MAP && i < all->n; i++) {
        const struct tree_node *own = all->item[i];
        w->own = tree_intern(all->key[i]->text);
        for (size_t k = 0; own->kind == TREE_MAP && k < own->n; k++)
            if (is_of_a_run(own->key[k]->text)) key_visit(w, own->item[k], own->key[k]->text);
    }
    w->own = NULL;
}

void effect_find(const struct experiment *e, void (*say)(const struct diag *d, void *context), void *context) {
    struct walk w = {.e = e, .say = say, .context = context};
    for (size_t i = 0; e->n_runs && i < e->root->n; i++)
        if (is_of_a_run(e->root->key[i]->text)) key_visit(&w, e->root->item[i], e->root->key[i]->text);
    if (e->n_runs) own_schemes_visit(&w);
    w.in_sweep = true;
    for (size_t i = 0; e->n_runs && i < e->n_axes; i++)
        if (is_of_a_run(e->axis[i].key)) axis_visit(&w, &e->axis[i]);
}
