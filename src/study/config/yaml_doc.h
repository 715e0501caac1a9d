/* SPDX-License-Identifier: Apache-2.0 */
/* A YAML document as a tree in which every node knows its file, line and column.
 *
 * Read once, then changed by values from the command line and by profiles; study/config/schema gives it meaning. Maps keep
 * the order of the file. A key that appears twice in one map is an error; anchors and aliases work (an alias is a
 * copy), merge keys (<<) and several documents in one file do not. Depth and size are bounded, so that a hostile file
 * fails quickly instead of filling memory.
 */
#ifndef HEDDLE_STUDY_CONFIG_YAML_DOC_H
#define HEDDLE_STUDY_CONFIG_YAML_DOC_H

#include "base/diag.h"

#define YAML_MAX_DEPTH 16
#define YAML_MAX_NODES 100000
#define YAML_MAX_BYTES (4 << 20)

enum tree_kind { TREE_SCALAR, TREE_LIST, TREE_MAP };

struct tree_node {
    enum tree_kind kind;
    const char *file; /* owned by nobody here: lives as long as the process (tree_intern) */
    int line, col;
    char *text;              /* scalar: as written, quotes removed */
    bool quoted;             /* "null" in quotes is a word */
    struct tree_node **item; /* list: items; map: values */
    struct tree_node **key;  /* map: scalars, beside the values */
    size_t n;
};

/* The document in `text`; NULL after filling *d. An empty document is an empty map. `file` is named in errors. */
struct tree_node *tree_parse(const char *text, size_t size, const char *file, struct diag *d);
struct tree_node *tree_read_file(const char *path, struct diag *d);
void tree_free(struct tree_node *n);
struct tree_node *tree_copy(const struct tree_node *n);
struct tree_node *tree_map(const struct tree_node *where); /* an empty map at the same place */

/* The value under `key` of a map, NULL if `n` is no map or has none. */
struct tree_node *tree_get(const struct tree_node *n, const char *key);
/* The node at "a.b.0.c", or NULL. */
struct tree_node *tree_at(const struct tree_node *root, const char *path);
/* Where the map or list holds that node, to put another in its place. */
struct tree_node **tree_slot(const struct tree_node *root, const char *path);
/* Puts `value` (taken over, also on failure) at "a.b.0.c": maps on the way are made, list items must exist or be the
 * next. */
bool tree_place(struct tree_node *root, const char *path, struct tree_node *value, struct diag *d);
void tree_remove(struct tree_node *map, const char *key);

/* Lays `over` on `base`: maps key by key, everything else replaced. */
void tree_merge(struct tree_node *base, const struct tree_node *over);

bool tree_is_null(const struct tree_node *n); /* null, ~ or nothing, unquoted */
bool tree_equal(const struct tree_node *a, const struct tree_node *b);
/* One line of flow-style YAML: [1, {a: b}]. Returns the length it has or would have had. */
size_t tree_print_flow(const struct tree_node *n, char *buf, size_t size);

/* Fills *d with the place of `n` and returns false. */
bool tree_fail(struct diag *d, const struct tree_node *n, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The same string for the same name, for the life of the process. */
const char *tree_intern(const char *name);

#endif
