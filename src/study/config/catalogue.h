/* SPDX-License-Identifier: Apache-2.0 */
/* The catalogue: one list of the rows of all families (mechanisms, topologies, workloads, flow sizes).
 *
 * The keys of experiment files and their checks (study/config/schema.h), `heddle list` and `show`, docs/keys.md and
 * completion are derived from it. A row of a family's table is known everywhere.
 */
#ifndef HEDDLE_STUDY_CONFIG_CATALOGUE_H
#define HEDDLE_STUDY_CONFIG_CATALOGUE_H

#include "base/param.h"

/* A property of a row that a key can depend on ("host.transport:credits"). */
struct catalogue_feature {
    const char *name;
    size_t at; /* offset in bytes of the bool in the row that says whether the row has it */
};

struct catalogue_item {
    const char *family, *name, *paper, *doc;
    const void *row;                 /* struct balancer_ops, struct fabric_ops, ...; NULL: schemes, presets, sizes */
    const struct param *const *keys; /* keys beside the one that names it: "drr_quantum"; ends at NULL; NULL: none */
    const struct param *params;      /* its own: in `block`; beside the key that names the row if `block` is NULL */
    size_t n_params;
    const struct counter *counters;
    size_t n_counters;
    const char *block;         /* path of the block of its parameters: "switch.expeditus"; NULL: no block */
    const struct need *needed; /* defaults for other keys (study/config/needs.h); ends at key NULL; NULL: none */
};

struct catalogue_family {
    const char *name, *key, *doc;             /* key: the key of an experiment that names a row of this family */
    void (*add)(const char *family);          /* adds the rows of the family's table to the catalogue */
    const struct catalogue_feature *features; /* ends at name NULL; NULL: none */
    bool strict; /* true: the block of a row is refused where another row is chosen; false: it is ignored */
};

const struct catalogue_family *catalogue_families(size_t *n);
/* Returns the family whose rows `key` names ("switch.balance", "workload.#.kind"); NULL if there is none. */
const struct catalogue_family *catalogue_family_of(const char *key);
/* Returns all items, family by family. */
const struct catalogue_item *catalogue_items(size_t *n);
/* Returns NULL if the family has no such row. */
const struct catalogue_item *catalogue_find(const char *family, const char *name);
/* Returns "ecmp|expeditus|...": all names of a family, or those with `feature` if not NULL. The caller frees it. */
char *catalogue_names(const char *family, const char *feature);
bool catalogue_has(const struct catalogue_item *item, const char *feature);

#endif
