/* SPDX-License-Identifier: Apache-2.0 */
/* A YAML document as a tree in which every node knows its file, line and column.
 *
 * The tree is read once; then values from the command line and profiles change it. study/config/schema.h gives it
 * meaning. Maps keep the order of the file. A key that appears twice in one map is an error. Anchors and aliases work
 * (an alias is a copy); merge keys (<<) and several documents in one file do not. Depth and size are bounded, so that
 * a hostile file fails quickly instead of filling memory.
 */
#ifndef HEDDLE_STUDY_CONFIG_YAML_DOC_H
#define HEDDLE_STUDY_CONFIG_YAML_DOC_H

#include "base/diag.h"

#define YAML_MAX_DEPTH 16
#define YAML_MAX_NODES 100000
#define YAML_MAX_KEYS 1000    /* of one block */
#define YAML_MAX_ANCHORS 1000 /* of a file */
#define YAML_MAX_BYTES (4 << 20)

enum tree_kind { TREE_SCALAR, TREE_LIST, TREE_MAP };

struct tree_node {
    enum tree_kind kind;
    const char *file;        /* lives as long as the process (tree_intern) */
    int line, col;           /* from 1; 0: no place in a file */
    char *text;              /* scalar: as written, without quotes */
    bool quoted;             /* written in quotes: "null" is a word then */
    struct tree_node **item; /* list: items; map: values */
    struct tree_node **key;  /* map: scalars, in the order of `item` */
    size_t n;                /* of `item`, and of `key` */
};

/* Parse the document in `text`, or in a file; NULL after filling *d. An empty document is an empty map. Errors
 * name the file. tree_free frees the tree. */
struct tree_node *tree_parse(const char *text, size_t size, const char *file, struct diag *d);
struct tree_node *tree_read_file(const char *path, struct diag *d);
void tree_free(struct tree_node *n);
struct tree_node *tree_copy(const struct tree_node *n);
struct tree_node *tree_map(const struct tree_node *where); /* returns an empty map with the place of `where` */

/* Returns the value under `key` of a map; NULL if `n` is NULL, no map, or lacks the key. */
struct tree_node *tree_get(const struct tree_node *n, const char *key);
/* Returns the node at "a.b.0.c"; NULL if there is none. */
struct tree_node *tree_at(const struct tree_node *root, const char *path);
/* Returns the slot of that node in its map or list, so that the caller can replace the node; NULL if there is none. */
struct tree_node **tree_slot(const struct tree_node *root, const char *path);
/* Puts `value` at "a.b.0.c", in place of the node there, and owns it, also on failure. Creates missing maps on the way;
 * a list item must exist or be the next one. False after filling *d. */
bool tree_place(struct tree_node *root, const char *path, struct tree_node *value, struct diag *d);
void tree_remove(struct tree_node *map, const char *key);
/* Puts copies of a key and its value into a map: in place of the pair with that key, else before the pair at index `at`;
 * behind all pairs if there are no more. */
void tree_put(struct tree_node *map, size_t at, const struct tree_node *key, const struct tree_node *value);

/* Appends an item to a list, which owns it. */
void tree_append(struct tree_node *list, struct tree_node *item);

/* Merges the map `over` into the map `base`: maps key by key; other values of `over` replace those of `base`. */
void tree_merge(struct tree_node *base, const struct tree_node *over);

bool tree_is_null(const struct tree_node *n); /* true for null, ~ or nothing, without quotes */
bool tree_equal(const struct tree_node *a, const struct tree_node *b);
/* Writes one line of flow-style YAML: [1, {a: b}]. Returns its full length, even if buf is too small. */
size_t tree_print_flow(const struct tree_node *n, char *buf, size_t size);

/* Fills *d with the place of `n` and returns false. */
bool tree_fail(struct diag *d, const struct tree_node *n, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Returns the same string for equal names; it lives as long as the process. */
const char *tree_intern(const char *name);

#endif
