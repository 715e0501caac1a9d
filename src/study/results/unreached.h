/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings after the runs: what an experiment asked for and could not happen, because all flows had ended before.
 *
 * What comes after run.until is told before the run (study/assemble/outside.h). Without run.until, or with one that is later
 * than the last flow, only the run can tell. At most one line of each kind, with the number of runs and the first of them.
 */
#ifndef HEDDLE_STUDY_RESULTS_UNREACHED_H
#define HEDDLE_STUDY_RESULTS_UNREACHED_H

#include "study/config/config.h"

#include <jansson.h>
#include <stdio.h>

/* config_of returns the configuration of a run, from 0 on. result[i] may be NULL; runs that failed do not count. */
void unreached_warn(json_t *const *result, size_t n, const struct config *(*config_of)(const void *context, size_t run),
                    const void *context, const char *file, FILE *out);

#endif
