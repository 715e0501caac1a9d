/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles: named sets of keys in the file, one of which may be merged into it. A key with dots is a path, as --set takes it:
 * `workload.0.flows: 100` changes one key of one workload, and `run.seed: 1` the axis of the seeds if they are swept. Blocks
 * are merged first, then paths have their values in the order of the profile. */
#ifndef HEDDLE_STUDY_EXPERIMENT_PROFILES_H
#define HEDDLE_STUDY_EXPERIMENT_PROFILES_H

#include "study/config/yaml_doc.h"

/* Merges the profile `name` (NULL = none) into the tree and removes all profiles from it. False after filling *d. */
bool profile_apply(struct tree_node *root, const char *name, struct diag *d);

/* Merges every profile but `chosen` into a copy of `written`, the file as it was read. Checks keys, types and ranges of
 * the merged tree, each value of its sweep once, so that errors show in profiles that are not in use. Keys that a
 * profile leaves to --set may be missing. False after filling *d. */
bool profiles_check(const struct tree_node *written, const char *chosen, struct diag *d);

#endif
