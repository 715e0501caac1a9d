/* SPDX-License-Identifier: Apache-2.0 */
/* The place in a tree that a key means, by the table of keys: a list of one item may stand without its brackets, so
 * workload.0.load is the load in `workload: [{load: ...}]` and in `workload: {load: ...}`. */
#ifndef HEDDLE_STUDY_CONFIG_KEY_PLACE_H
#define HEDDLE_STUDY_CONFIG_KEY_PLACE_H

#include "study/config/yaml_doc.h"

/* tree_place, except that what stands where a list belongs becomes a list of one when the key has a number there. */
bool key_place(struct tree_node *root, const char *key, struct tree_node *value, struct diag *d);

/* Makes *slot a list of what stands there; of nothing if that is null. */
void list_wrap(struct tree_node **slot);

#endif
