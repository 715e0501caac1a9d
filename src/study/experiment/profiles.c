/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/profiles.h"

#include "base/memory.h"
#include "study/config/config.h"
#include "study/config/key_place.h"
#include "study/experiment/expect_rows.h"
#include "study/experiment/sweep.h"

#include <stdlib.h>
#include <string.h>

static bool unknown(const struct tree_node *at, const struct tree_node *profiles, const char *name, struct diag *d) {
    const char *known[32], *nearest = NULL;
    size_t n = 0;
    for (size_t i = 0; profiles && i < profiles->n && n < 32; i++) known[n++] = profiles->key[i]->text;
    nearest = diag_nearest(name, known, n);
    if (!nearest && n) nearest = known[0];
    return tree_fail(d, at, "there is no profile '%s'%s%s%s", name,
                     nearest ? "; did you mean '" : "; the file has none", nearest ? nearest : "", nearest ? "'?" : "");
}

/* Lays the keys of a profile over the tree: blocks first, then paths. */
static bool profile_lay(struct tree_node *root, const struct tree_node *profile, struct diag *d) {
    struct tree_node *blocks = tree_copy(profile);
    bool ok = true;
    for (size_t i = 0; i < profile->n; i++)
        if (strchr(profile->key[i]->text, '.')) tree_remove(blocks, profile->key[i]->text);
    tree_merge(root, blocks);
    tree_free(blocks);
    for (size_t i = 0; ok && i < profile->n; i++) {
        const char *key = profile->key[i]->text;
        if (strchr(key, '.')) ok = sweep_or_place(root, key, tree_copy(profile->item[i]), d);
    }
    return ok;
}

bool profile_apply(struct tree_node *root, const char *name, struct diag *d) {
    struct tree_node *profiles = tree_get(root, "profiles");
    if (profiles && profiles->kind != TREE_MAP)
        return tree_fail(d, profiles, "profiles holds keys; write NAME: {KEY: VALUE}");
    if (name) {
        const struct tree_node *chosen = tree_get(profiles, name);
        if (!chosen) return unknown(profiles ? profiles : root, profiles, name, d);
        if (chosen->kind != TREE_MAP) return tree_fail(d, chosen, "a profile holds keys; write %s: {KEY: VALUE}", name);
        struct tree_node *over = tree_copy(chosen); /* a path may lead into the profiles */
        bool ok = profile_lay(root, over, d);
        tree_free(over);
        if (!ok) return false;
    }
    tree_remove(root, "profiles");
    return true;
}

/* ---- profiles not chosen ---- */

struct axes {
    struct axis *axis;
    size_t n;
    const char **key; /* of each axis */
};

/* Checks a copy of the tree with value `index` of one axis in its place. */
static bool value_check(const struct tree_node *root, const struct axes *a, size_t axis, size_t index, struct diag *d) {
    struct tree_node *tree = tree_copy(root);
    bool ok = key_place(tree, a->key[axis], tree_copy(a->axis[axis].list->item[index]), d) &&
              config_check(tree, a->key, a->n, d);
    tree_free(tree);
    return ok;
}

/* Checks each value of each axis once, with the other axes at their first value. */
static bool values_check(struct tree_node *root, const struct axes *a, struct diag *d) {
    for (size_t i = 0; i < a->n; i++) {
        if (!key_place(root, a->key[i], tree_copy(a->axis[i].list->item[0]), d)) return false;
    }
    for (size_t i = 0; i < a->n; i++) {
        for (size_t k = 1; k < a->axis[i].list->n; k++) {
            if (!value_check(root, a, i, k, d)) return false;
        }
    }
    return config_check(root, a->key, a->n, d);
}

static bool profile_check(const struct tree_node *written, const char *name, struct diag *d) {
    struct tree_node *root = tree_copy(written);
    struct axes a = {0};
    bool ok = profile_apply(root, name, d) && expect_rows_write_out(root, d) && sweep_axes(root, &a.axis, &a.n, d);
    tree_remove(root, "sweep");
    a.key = memory_get(a.n + 1, sizeof *a.key);
    for (size_t i = 0; i < a.n; i++) a.key[i] = a.axis[i].key;
    ok = ok && values_check(root, &a, d);
    free(a.key);
    sweep_axes_free(a.axis, a.n);
    tree_free(root);
    return ok;
}

bool profiles_check(const struct tree_node *written, const char *chosen, struct diag *d) {
    const struct tree_node *profiles = tree_get(written, "profiles");
    for (size_t i = 0; profiles && i < profiles->n; i++) {
        const char *name = profiles->key[i]->text;
        if (chosen && strcmp(name, chosen) == 0) continue;
        if (!profile_check(written, name, d)) return false;
    }
    return true;
}
