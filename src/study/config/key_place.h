/* SPDX-License-Identifier: Apache-2.0 */
/* Puts values at their place in a tree, by the table of keys. A list of one item may be written without brackets, so
 * workload.0.load is the load in `workload: [{load: ...}]` and in `workload: {load: ...}`. */
#ifndef HEDDLE_STUDY_CONFIG_KEY_PLACE_H
#define HEDDLE_STUDY_CONFIG_KEY_PLACE_H

#include "study/config/schema.h"
#include "study/config/yaml_doc.h"

/* Does what tree_place does. First wraps a list of one item without brackets if `key` has a number after its path. */
bool key_place(struct tree_node *root, const char *key, struct tree_node *value, struct diag *d);

/* Replaces *slot, which is no list, by the list of key `k` that it stands for: its only item; no item if it is null; and a
 * block of names, each with a list, by an item for each, if the key allows that (by_name, base/param.h). */
void list_wrap(struct tree_node **slot, const struct key *k);

#endif
