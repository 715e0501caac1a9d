/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/base_file.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/config/config.h"
#include "study/config/file_names.h"
#include "study/config/key_place.h"
#include "study/config/schema.h"
#include "workload/sizes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- what `base` says ---- */

static bool truth_read(const struct tree_node *n, const char *key, bool *value, struct diag *d) {
    const char *text = n->kind == TREE_SCALAR ? n->text : "";
    *value = strcmp(text, "true") == 0;
    if (*value || tree_is_null(n) || strcmp(text, "false") == 0) return true;
    return tree_fail(d, n, "base.%s is true or false", key);
}

static bool wish_item_read(const struct tree_node *key, const struct tree_node *value, struct base_wish *w,
                           struct diag *d) {
    static const char *const known[] = {"file", "expect", "figure"};
    if (strcmp(key->text, "expect") == 0) return truth_read(value, key->text, &w->expect, d);
    if (strcmp(key->text, "figure") == 0) return truth_read(value, key->text, &w->figure, d);
    if (strcmp(key->text, "file") == 0) {
        if (value->kind != TREE_SCALAR || !value->text[0] || tree_is_null(value))
            return tree_fail(d, value, "base.file names no file; write base: {file: FILE.yaml}");
        w->file = value->text;
        return true;
    }
    const char *nearest = diag_nearest(key->text, known, 3);
    return tree_fail(d, key, "unknown key '%.40s' in base; %s%s%s", key->text,
                     nearest ? "did you mean '" : "known are: file, expect, figure", nearest ? nearest : "",
                     nearest ? "'?" : "");
}

bool base_wish_read(const struct tree_node *root, struct base_wish *w, struct diag *d) {
    const struct tree_node *n = tree_get(root, "base");
    *w = (struct base_wish){0};
    if (!n || tree_is_null(n)) return true;
    if (n->kind == TREE_SCALAR && n->text[0]) {
        w->file = n->text;
        return true;
    }
    for (size_t i = 0; n->kind == TREE_MAP && i < n->n; i++)
        if (!wish_item_read(n->key[i], n->item[i], w, d)) return false;
    return w->file || tree_fail(d, n, "base names no file; write base: FILE.yaml");
}

bool base_refuse(const struct tree_node *root, struct diag *d) {
    const struct tree_node *n = tree_get(root, "base");
    return !n || tree_fail(d, n, "no other file is read here, and so no base; write the experiment out");
}

/* Fails if a profile names a base: it would be read for this profile only, and the profile stands in a file that may have
 * one. */
static bool profiles_refuse(const struct tree_node *root, struct diag *d) {
    const struct tree_node *profiles = tree_get(root, "profiles");
    for (size_t i = 0; profiles && profiles->kind == TREE_MAP && i < profiles->n; i++) {
        const struct tree_node *n = tree_get(profiles->item[i], "base");
        if (n) return tree_fail(d, n, "a profile has no base of its own; name it at the top of the file");
    }
    return true;
}

/* ---- relative paths ---- */

struct mover {
    const char *folder; /* where the paths started, as seen from where they will start */
};

static void text_move(const struct mover *m, char **text) {
    char path[1024];
    char *moved = text_copy(path_from(m->folder, *text, path, sizeof path));
    free(*text);
    *text = moved;
}

/* Returns whether a value of the key is the path of a file. A plain word is a distribution, perhaps misspelt. */
static bool is_path(const struct key *k, const char *text) {
    if (k->kind == KEY_FILE) return text[0] && strcmp(text, "none") != 0;
    return k->kind == KEY_SIZES && sizes_is_file(text) && strpbrk(text, "/.");
}

static void tree_move(const struct mover *m, struct tree_node *n, const char *path);

/* Moves the paths among a key's values: one value, a list of them, or a map with the values as keys (figure.names). */
static void values_move(const struct mover *m, struct tree_node *n, const char *path) {
    const struct key *k = schema_find(path);
    bool is_file = k && (k->kind == KEY_FILE || k->kind == KEY_SIZES);
    if (!is_file) {
        tree_move(m, n, path);
        return;
    }
    if (n->kind == TREE_SCALAR && !tree_is_null(n) && is_path(k, n->text)) text_move(m, &n->text);
    for (size_t i = 0; i < n->n; i++) {
        struct tree_node *value = n->kind == TREE_MAP ? n->key[i] : n->item[i];
        if (value->kind == TREE_SCALAR && is_path(k, value->text)) text_move(m, &value->text);
    }
}

/* Moves the paths in blocks that name settings by their full path: {KEY: value}, {KEY: [values]}, {against.KEY: [values]}, at
 * any depth. */
static void named_move(const struct mover *m, struct tree_node *n) {
    for (size_t i = 0; i < n->n; i++) {
        const char *key = n->kind == TREE_MAP ? n->key[i]->text : "";
        if (strncmp(key, "against.", 8) == 0) key += 8;
        if (key[0] && schema_find(key)) {
            values_move(m, n->item[i], key);
        } else {
            named_move(m, n->item[i]);
        }
    }
}

static void tree_move(const struct mover *m, struct tree_node *n, const char *path) {
    char child[KEY_PATH_MAX];
    for (size_t i = 0; i < n->n; i++) {
        if (n->kind == TREE_LIST) {
            values_move(m, n->item[i], path_item(child, path, i));
        } else {
            values_move(m, n->item[i], path_join(child, path, n->key[i]->text));
        }
    }
}

/* An axis holds a list of the values of its key, or a map of named ones. */
static void axes_move(const struct mover *m, struct tree_node *sweep) {
    for (size_t i = 0; sweep->kind == TREE_MAP && i < sweep->n; i++) {
        struct tree_node *values = sweep->item[i];
        for (size_t k = 0; k < values->n; k++) values_move(m, values->item[k], sweep->key[i]->text);
    }
}

static void root_move(const struct mover *m, struct tree_node *root) {
    for (size_t i = 0; root->kind == TREE_MAP && i < root->n; i++) {
        const char *key = root->key[i]->text;
        struct tree_node *item = root->item[i];
        if (strcmp(key, "sweep") == 0) {
            axes_move(m, item);
        } else if (strcmp(key, "expect") == 0 || strcmp(key, "figure") == 0) {
            named_move(m, item);
        } else if (strcmp(key, "profiles") == 0) {
            for (size_t p = 0; item->kind == TREE_MAP && p < item->n; p++) root_move(m, item->item[p]);
        } else {
            values_move(m, item, key);
        }
    }
}

/* ---- what is inherited ---- */

/* Removes `known` from a block of claims, or from each of a list, and from their rows. */
static void known_remove(struct tree_node *expect) {
    if (expect->kind == TREE_MAP) {
        tree_remove(expect, "known");
        struct tree_node *rows = tree_get(expect, "rows");
        if (rows) known_remove(rows);
    }
    for (size_t i = 0; expect->kind == TREE_LIST && i < expect->n; i++) known_remove(expect->item[i]);
}

static void block_strip(struct tree_node *root, const struct base_wish *w) {
    struct tree_node *expect = tree_get(root, "expect");
    if (expect && w->expect) known_remove(expect);
    if (expect && !w->expect) tree_remove(root, "expect");
    if (root->kind == TREE_MAP && !w->figure) tree_remove(root, "figure");
}

static void strip(struct tree_node *root, const struct base_wish *w) {
    const struct tree_node *profiles = tree_get(root, "profiles");
    block_strip(root, w);
    for (size_t i = 0; profiles && profiles->kind == TREE_MAP && i < profiles->n; i++)
        block_strip(profiles->item[i], w);
}

/* ---- merging ---- */

static bool nothing_removed(const struct tree_node *base, const struct tree_node *key, struct diag *d) {
    const char **names = memory_get(base->n + 1, sizeof *names);
    for (size_t i = 0; i < base->n; i++) names[i] = base->key[i]->text;
    const char *nearest = diag_nearest(key->text, names, base->n);
    free(names);
    return tree_fail(d, key, "'%s: null' removes nothing: %s gives no such key; %s%s%s", key->text, base->file,
                     nearest ? "did you mean '" : "leave it out", nearest ? nearest : "", nearest ? "'?" : "");
}

/* Returns where a new key of the map stands: behind all, but before a run.seed at the end of a sweep. */
static size_t place_of_new(const struct tree_node *map) {
    return map->n && strcmp(map->key[map->n - 1]->text, "run.seed") == 0 ? map->n - 1 : map->n;
}

/* Removes the paths of the base into a block for which `over` has another value: a path is placed after all blocks. */
static void paths_replaced(struct tree_node *base, const struct tree_node *over, const char *block) {
    size_t length = strlen(block);
    for (size_t i = base->n; i-- > 0;) {
        const char *path = base->key[i]->text;
        if (strncmp(path, block, length) != 0 || path[length] != '.') continue;
        if (tree_get(over, block)->kind != TREE_MAP || tree_at(over, path)) tree_remove(base, path);
    }
}

static bool map_merge(struct tree_node *base, const struct tree_node *over, struct diag *d) {
    for (size_t i = 0; i < over->n; i++) {
        const struct tree_node *key = over->key[i], *item = over->item[i];
        paths_replaced(base, over, key->text);
        struct tree_node *old = tree_get(base, key->text);
        if (tree_is_null(item)) {
            if (!old) return nothing_removed(base, key, d);
            tree_remove(base, key->text);
        } else if (old && old->kind == TREE_MAP && item->kind == TREE_MAP) {
            if (!map_merge(old, item, d)) return false;
        } else {
            tree_put(base, place_of_new(base), key, item);
        }
    }
    base->file = over->file; /* where a key that is missing in the block would be written */
    base->line = over->line;
    base->col = over->col;
    return true;
}

/* Removes the key at the end of a path. */
static bool path_remove(struct tree_node *base, const struct tree_node *key, struct diag *d) {
    char folder[KEY_PATH_MAX];
    const char *last = strrchr(key->text, '.');
    snprintf(folder, sizeof folder, "%.*s", (int)(last - key->text), key->text);
    struct tree_node *map = tree_at(base, folder);
    if (!tree_get(map, last + 1)) return nothing_removed(map && map->kind == TREE_MAP ? map : base, key, d);
    tree_remove(map, last + 1);
    return true;
}

/* Gives the keys at the paths of `over` their values in the base. */
static bool paths_place(struct tree_node *base, const struct tree_node *over, struct diag *d) {
    for (size_t i = 0; i < over->n; i++) {
        const struct tree_node *key = over->key[i], *item = over->item[i];
        if (!strchr(key->text, '.')) continue;
        bool ok = tree_is_null(item) ? path_remove(base, key, d) : key_place(base, key->text, tree_copy(item), d);
        if (!ok) return false;
    }
    return true;
}

/* Returns a copy of a block without its paths. */
static struct tree_node *without_paths(const struct tree_node *block) {
    struct tree_node *rest = tree_copy(block);
    for (size_t i = 0; i < block->n; i++)
        if (strchr(block->key[i]->text, '.')) tree_remove(rest, block->key[i]->text);
    return rest;
}

/* Gives the keys at the paths of a file without a base their values in the file itself. */
static bool own_paths_place(struct tree_node **root, struct diag *d) {
    struct tree_node *written = *root;
    *root = without_paths(written);
    bool ok = paths_place(*root, written, d);
    tree_free(written);
    return ok;
}

/* Fails if the block gives a value to a key that only the base sweeps: the axis would replace it in every run. */
static bool unswept_check(const struct tree_node *block, const char *path, const struct tree_node *base_sweep,
                          const struct tree_node *own_sweep, struct diag *d) {
    char child[KEY_PATH_MAX];
    for (size_t i = 0; block->kind == TREE_MAP && i < block->n; i++) {
        const char *key = path_join(child, path, block->key[i]->text);
        if (config_block_is_outside(key)) continue;
        const struct tree_node *axis = tree_get(base_sweep, key);
        if (axis && !tree_get(own_sweep, key) && !tree_is_null(block->item[i]))
            return tree_fail(d, block->item[i],
                             "%s:%d sweeps %s, so this value has no effect; remove the axis: sweep: {%s: null}",
                             axis->file, axis->line, key, key);
        if (!unswept_check(block->item[i], key, base_sweep, own_sweep, d)) return false;
    }
    return true;
}

bool base_merge(struct tree_node *base, const char *folder, const struct tree_node *over, const struct base_wish *w,
                struct diag *d) {
    struct tree_node *own = without_paths(over);
    tree_remove(own, "base");
    strip(base, w);
    if (folder[0]) root_move(&(struct mover){folder}, base);
    bool ok = unswept_check(over, "", tree_get(base, "sweep"), tree_get(own, "sweep"), d) && map_merge(base, own, d) &&
              paths_place(base, over, d);
    tree_free(own);
    return ok;
}

/* ---- files ---- */

/* A file, and the files that have it as a base. */
struct derived {
    const struct derived *next; /* its base is this file */
    const char *path;
    struct stat stat; /* st_nlink 0: it is no file (a text from memory) */
};

/* Returns the path's folder, "" if it has none, without ./ before it. The caller frees it. */
static char *folder_of(const char *path) {
    while (strncmp(path, "./", 2) == 0) path += 2 + strspn(path + 2, "/");
    const char *slash = strrchr(path, '/');
    return text_copy_part(path, !slash ? 0 : slash == path ? 1 : (size_t)(slash - path));
}

static bool cycle_fail(const struct tree_node *at, const struct derived *files, const struct derived *again,
                       struct diag *d) {
    char *names = text_copy(again->path);
    for (const struct derived *f = files; f; f = f->next) {
        char *more = text_format("%s, base of %s", names, f->path);
        free(names);
        names = more;
        if (f == again) break;
    }
    tree_fail(d, at, "a file cannot be its own base (%.300s); name another one here", names);
    free(names);
    return false;
}

/* Opens the base at `path`, which the file files->path names at `at`. Returns NULL after filling *d. */
static struct tree_node *base_open(const struct tree_node *at, const char *path, const struct derived *files,
                                   struct stat *stat_of, struct diag *d) {
    size_t depth = 0;
    *stat_of = (struct stat){0};
    if (stat(path, stat_of) != 0) {
        tree_fail(d, at, "cannot read the base %s: %s; name a file, relative to this one's folder", path,
                  strerror(errno));
        return NULL;
    }
    if (!S_ISREG(stat_of->st_mode)) {
        tree_fail(d, at, "the base %s is no file; name an experiment file", path);
        return NULL;
    }
    for (const struct derived *f = files; f; f = f->next, depth++) {
        bool same = f->stat.st_nlink && f->stat.st_dev == stat_of->st_dev && f->stat.st_ino == stat_of->st_ino;
        if (!same) continue;
        cycle_fail(at, files, f, d);
        return NULL;
    }
    if (depth > BASES_MAX) {
        tree_fail(d, at, "more than %d bases, one above the other; write some of them out", BASES_MAX);
        return NULL;
    }
    struct tree_node *base = tree_read_file(path, d);
    if (!base || base->kind == TREE_MAP) return base;
    tree_fail(d, base, "an experiment is a block of keys: fabric, workload, ...");
    tree_free(base);
    return NULL;
}

static bool lay(struct tree_node **root, const struct derived *files, struct diag *d) {
    struct base_wish w;
    if ((*root)->kind != TREE_MAP) return true;
    if (!profiles_refuse(*root, d) || !base_wish_read(*root, &w, d)) return false;
    if (!w.file) {
        tree_remove(*root, "base");
        return own_paths_place(root, d);
    }
    const struct tree_node *at = tree_get(*root, "base"), *file_at = tree_get(at, "file");
    char path[1024], *own_folder = folder_of(files->path), *folder = folder_of(w.file);
    struct derived next = {.next = files, .path = path_from(own_folder, w.file, path, sizeof path)};
    struct tree_node *base = base_open(file_at ? file_at : at, path, files, &next.stat, d);
    bool ok = base && lay(&base, &next, d) && base_merge(base, folder, *root, &w, d);
    if (ok) {
        struct tree_node *own = *root;
        *root = base;
        base = own;
    }
    tree_free(base);
    free(own_folder);
    free(folder);
    return ok;
}

bool base_apply(struct tree_node **root, const char *path, struct diag *d) {
    struct derived file = {.path = path};
    if (stat(path, &file.stat) != 0) file.stat = (struct stat){0};
    return lay(root, &file, d);
}

struct tree_node *base_read_file(const char *path, struct diag *d) {
    struct tree_node *root = tree_read_file(path, d);
    if (root && base_apply(&root, path, d)) return root;
    tree_free(root);
    return NULL;
}
