/* SPDX-License-Identifier: Apache-2.0 */
/* What there is to choose from: the tables of all families of mechanisms, topologies, workloads and sizes in one form.
 *
 * Keys of experiment files and their checks (study/config/schema.h), `heddle list` and `show`, docs/keys.md and completion are
 * derived from it, so a row that is added to its family's table is known everywhere.
 */
#ifndef HEDDLE_STUDY_CONFIG_CATALOGUE_H
#define HEDDLE_STUDY_CONFIG_CATALOGUE_H

#include "base/param.h"

/* What a row says of itself that a key can depend on ("host.transport:credits"). */
struct catalogue_feature {
    const char *name;
    size_t at; /* of a bool in the row */
};

struct catalogue_item {
    const char *family, *name, *paper, *doc;
    const void *row;                 /* struct balancer_ops, struct fabric_ops, ...; NULL for schemes and presets */
    const struct param *const *keys; /* beside the key that names it ("switch.drr_quantum"); ends at NULL; NULL: none */
    const struct param *params;      /* its own: in `block`, or beside that key too if it has no block */
    size_t n_params;
    const struct counter *counters;
    size_t n_counters;
    const char *block;         /* where its parameters stand: "switch.expeditus"; NULL: it has none */
    const struct need *needed; /* keys that are so unless the experiment says otherwise; ends at key NULL; NULL: none */
};

struct catalogue_family {
    const char *name, *key, *doc; /* key: which key of an experiment names one */
    void (*add)(const char *family);
    const struct catalogue_feature *features; /* ends at name NULL; NULL: none */
    bool strict; /* the block of a row is refused where another is chosen; else it is ignored */
};

const struct catalogue_family *catalogue_families(size_t *n);
/* The family whose key this is ("switch.balance", "workload.#.kind"); NULL if it is none's. */
const struct catalogue_family *catalogue_family_of(const char *key);
/* Everything, family by family. */
const struct catalogue_item *catalogue_items(size_t *n);
/* NULL if the family has no such row. */
const struct catalogue_item *catalogue_find(const char *family, const char *name);
/* "ecmp|expeditus|..." of a family: of all its rows, or of those with this feature. The caller frees it. */
char *catalogue_names(const char *family, const char *feature);
bool catalogue_has(const struct catalogue_item *item, const char *feature);

#endif
