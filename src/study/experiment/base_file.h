/* SPDX-License-Identifier: Apache-2.0 */
/* The base of an experiment file: `base: FILE`, or `base: {file: FILE, expect: true, figure: true}`. The file then states only
 * what it changes. A base may have a base itself.
 *
 *     maps                  merge, key by key
 *     KEY: null             removes the key from the base, or an axis under `sweep`; it must be there
 *     any other value       replaces that of the base, lists as a whole
 *     PATH: value           with dots, as --set takes it: `workload.0.flows: 100` replaces one key of one item, after all
 *                           blocks are merged; null removes it. A file without a base may have paths too
 *     axes that are new     stand behind those of the base, but before a `run.seed` at its end
 *     profiles              are inherited, and merge as other maps do
 *     expect, figure        of the base and its profiles are inherited only if `base` asks for them; without `known`, which
 *                           tells of the base's runs
 *     relative paths        in a base start at the base's folder: the merged tree names them from the folder of the file
 *
 * The rules for maps, null and lists are those of JSON Merge Patch (RFC 7396). Two things are refused that it would take, as
 * they have no effect: a null that removes nothing, and a value for a key that the base sweeps.
 *
 * Every node keeps the file, line and column that it came from. The tree has no `base` any more: all that reads it sees the
 * experiment written out, so a run has the identity of the same run in a file without a base.
 */
#ifndef HEDDLE_STUDY_EXPERIMENT_BASE_FILE_H
#define HEDDLE_STUDY_EXPERIMENT_BASE_FILE_H

#include "study/config/yaml_doc.h"

#define BASES_MAX 8 /* of a file: its base, the base of that, ... */

/* Reads the file at `path` and lays it over its bases. NULL after filling *d. tree_free frees the tree. */
struct tree_node *base_read_file(const char *path, struct diag *d);

/* Lays a tree that was read from `path` over its bases: *root becomes the merged tree. False after filling *d; the caller
 * frees *root in any case. */
bool base_apply(struct tree_node **root, const char *path, struct diag *d);

/* Fails if the tree names a base, for readers that open no other file. */
bool base_refuse(const struct tree_node *root, struct diag *d);

/* What `base` says. */
struct base_wish {
    const char *file; /* as written; belongs to the tree */
    bool expect, figure;
};

/* Reads the `base` of a tree; file is NULL if there is none. False after filling *d. */
bool base_wish_read(const struct tree_node *root, struct base_wish *w, struct diag *d);

/* Lays `over` over the map `base`, which has no base of its own any more. `folder` is the base's folder as seen from that
 * of `over`; "": the same. Opens no file. False after filling *d. */
bool base_merge(struct tree_node *base, const char *folder, const struct tree_node *over, const struct base_wish *w,
                struct diag *d);

#endif
