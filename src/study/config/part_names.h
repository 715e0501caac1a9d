/* SPDX-License-Identifier: Apache-2.0 */
/* Names that a file gives to parts of a run: entries of the workload (workload.#.name) and phases (measure.phases). They
 * are keys of results: phases.during.fct_us.mice.p99, fct_us.trace.mice.p99. */
#ifndef HEDDLE_STUDY_CONFIG_PART_NAMES_H
#define HEDDLE_STUDY_CONFIG_PART_NAMES_H

#include "study/config/config.h"

struct part_names {
    const char **name; /* [n], owned by the configuration; NULL: that item has no name */
    size_t n;
};

/* Returns whether a name can be one: letters, digits, - and _, at most PART_NAME_MAX - 1 of them, and neither a class of
 * flows (mice, under_100KB) nor another key that stands there (all, unfinished). */
bool part_name_is_free(const char *name);

/* Return the names of the workload's entries, and of phases, by their numbers in the list; false after filling *d if one
 * cannot be a name or stands twice. part_names_free frees the list. */
bool entry_names_read(const struct config *c, struct part_names *names, struct diag *d);
bool phase_names_read(const struct config *c, struct part_names *names, struct diag *d);
void part_names_free(struct part_names *names);

#endif
