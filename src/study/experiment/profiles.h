/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles: named sets of keys in the file, one of which may be laid over it. */
#ifndef HEDDLE_STUDY_EXPERIMENT_PROFILES_H
#define HEDDLE_STUDY_EXPERIMENT_PROFILES_H

#include "study/config/yaml_doc.h"

/* Lays the profile `name` (NULL = none) over the tree and takes all profiles out of it. */
bool profile_apply(struct tree_node *root, const char *name, struct diag *d);

/* Lays every profile but `chosen` over a copy of `written`, the file as it was read, and checks keys, types and ranges
 * of what comes out, each value of its sweep once: a profile that nobody chose today is not found broken tomorrow.
 * What a profile leaves to be given by --set is not asked for. */
bool profiles_check(const struct tree_node *written, const char *chosen, struct diag *d);

#endif
