/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/own_schemes.h"

#include "base/memory.h"
#include "study/config/config_check.h"

#include <stdlib.h>
#include <string.h>

static const char *scalar_text(const struct tree_node *n) {
    return n && n->kind == TREE_SCALAR && !tree_is_null(n) ? n->text : NULL;
}

static const struct scheme *row_of(const char *name) {
    size_t n;
    const struct scheme *table = schemes(&n);
    return scheme_find(table, n, name);
}

const struct tree_node *own_scheme(const struct tree_node *root) {
    const char *name = scalar_text(tree_get(root, "scheme"));
    return name ? tree_get(tree_get(root, "schemes"), name) : NULL;
}

const struct scheme *scheme_of_tree(const struct tree_node *root) {
    const struct tree_node *own = own_scheme(root);
    return row_of(scalar_text(tree_get(own ? own : root, "scheme")));
}

/* ---- names ---- */

/* Fails for a name that is no scheme. `own`: the file's schemes, which may be meant; NULL: one of heddle's is wanted. */
static bool unknown_scheme(const struct tree_node *at, const struct tree_node *own, struct diag *d) {
    if (scheme_remedy(at->text)) return tree_fail(d, at, "scheme '%s' %s", at->text, scheme_remedy(at->text));
    size_t n, n_own = own && own->kind == TREE_MAP ? own->n : 0;
    const struct scheme *table = schemes(&n);
    const char **names = memory_get(n + n_own, sizeof *names);
    for (size_t i = 0; i < n_own; i++) names[i] = own->key[i]->text;
    for (size_t i = 0; i < n; i++) names[n_own + i] = table[i].name;
    const char *nearest = diag_nearest(at->text, names, n_own + n);
    free(names);
    return tree_fail(d, at, "unknown scheme '%.40s'; %s%s%s", at->text,
                     nearest ? "did you mean '" : "see `heddle list schemes", nearest ? nearest : "",
                     nearest ? "'?" : "`");
}

bool scheme_name_check(const struct tree_node *root, struct diag *d) {
    const struct tree_node *at = tree_get(root, "scheme");
    const char *name = scalar_text(at);
    if (!name || strcmp(name, "none") == 0 || own_scheme(root) || row_of(name)) return true;
    return unknown_scheme(at, tree_get(root, "schemes"), d);
}

static bool name_check(const struct tree_node *key, struct diag *d) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    if (row_of(key->text))
        return tree_fail(
            d, key,
            "scheme '%s' is one of heddle's; give yours another name, and write scheme: %s in it to change "
            "parts of that one",
            key->text, key->text);
    if (strcmp(key->text, "none") == 0) return tree_fail(d, key, "'none' means no scheme; give yours another name");
    if (key->text[0] && strspn(key->text, plain) == strlen(key->text)) return true;
    return tree_fail(d, key, "a scheme's name is made of letters, digits, - and _, not '%s'", key->text);
}

/* Checks the scheme that one of the file's schemes starts from. */
static bool start_check(const struct tree_node *own, const struct tree_node *all, struct diag *d) {
    const struct tree_node *at = tree_get(own, "scheme");
    const char *name = scalar_text(at);
    if (at && at->kind != TREE_SCALAR)
        return tree_fail(d, at, "scheme is one value; name the scheme to start from (`heddle list schemes`)");
    if (!name || strcmp(name, "none") == 0 || row_of(name)) return true;
    if (!tree_get(all, name)) return unknown_scheme(at, NULL, d);
    return tree_fail(d, at, "'%s' is a scheme of this file; start from one of heddle's (`heddle list schemes`)", name);
}

/* ---- keys ---- */

static bool unknown_part(const struct tree_node *key, const char *name, struct diag *d) {
    static const char *const known[] = {"scheme", "switch", "host"};
    const char *nearest = diag_nearest(key->text, known, 3);
    return tree_fail(d, key, "unknown key '%.40s' in schemes.%s; %s%s%s", key->text, name,
                     nearest ? "did you mean '" : "known are: scheme, switch, host", nearest ? nearest : "",
                     nearest ? "'?" : "");
}

static bool parts_check(const struct config_input *in, const struct tree_node *own, const char *name, struct diag *d) {
    for (size_t i = 0; i < own->n; i++) {
        const char *part = own->key[i]->text;
        if (strcmp(part, "scheme") == 0) continue;
        if (strcmp(part, "switch") != 0 && strcmp(part, "host") != 0) return unknown_part(own->key[i], name, d);
        if (!block_check(in, own->item[i], part, part, d)) return false;
    }
    return true;
}

/* Returns a map with the items of `root`, not copied, in which `scheme` is `name`. The caller frees key and item. */
static struct tree_node root_with_scheme(const struct tree_node *root, struct tree_node *key, struct tree_node *name) {
    struct tree_node with = *root;
    with.key = memory_get(root->n + 1, sizeof(struct tree_node *));
    with.item = memory_get(root->n + 1, sizeof(struct tree_node *));
    with.n = 0;
    for (size_t i = 0; i < root->n; i++) {
        if (strcmp(root->key[i]->text, "scheme") == 0) continue;
        with.key[with.n] = root->key[i];
        with.item[with.n++] = root->item[i];
    }
    with.key[with.n] = key;
    with.item[with.n++] = name;
    return with;
}

/* Returns the swept keys but `scheme`, which is known here. The caller frees the list. */
static const char **swept_but_scheme(const struct config_input *in, size_t *n) {
    const char **swept = memory_get(in->n_swept + 1, sizeof *swept);
    *n = 0;
    for (size_t i = 0; i < in->n_swept; i++)
        if (strcmp(in->swept[i], "scheme") != 0) swept[(*n)++] = in->swept[i];
    return swept;
}

static bool own_check(const struct config_input *in, struct tree_node *name, const struct tree_node *own,
                      struct diag *d) {
    char word[] = "scheme";
    struct tree_node key = {.kind = TREE_SCALAR, .text = word};
    if (!name_check(name, d)) return false;
    if (own->kind != TREE_MAP)
        return tree_fail(d, own, "a scheme holds keys; write %s: {switch: {KEY: VALUE}, host: {KEY: VALUE}}",
                         name->text);
    struct tree_node root = root_with_scheme(in->root, &key, name);
    struct config_input chosen = {.root = &root};
    chosen.swept = swept_but_scheme(in, &chosen.n_swept);
    bool ok = start_check(own, tree_get(in->root, "schemes"), d) && parts_check(&chosen, own, name->text, d);
    free((void *)chosen.swept);
    free(root.key);
    free(root.item);
    return ok;
}

bool own_schemes_check(const struct config_input *in, struct diag *d) {
    const struct tree_node *all = tree_get(in->root, "schemes");
    if (!all || tree_is_null(all)) return true;
    if (all->kind != TREE_MAP)
        return tree_fail(d, all, "schemes holds schemes; write schemes: {NAME: {switch: {}, host: {}}}");
    for (size_t i = 0; i < all->n; i++)
        if (!tree_is_null(all->item[i]) && !own_check(in, all->key[i], all->item[i], d)) return false;
    return true;
}
