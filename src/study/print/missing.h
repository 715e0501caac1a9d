/* SPDX-License-Identifier: Apache-2.0 */
/* Tells what is missing from a sweep, by the values of its axes.
 *
 *    18 of 24 runs are done; missing:
 *      workload.0.load: 0.5 (4 of 8), 0.9 (all)
 *      run.seed: 2 (2 of 12), 3 (4 of 12)
 *
 * An axis is a key with several values. A value is listed if runs with it are missing; long lists are cut. Runs may be
 * those of several sweeps of one experiment: the axes of the first one's keys are listed.
 */
#ifndef HEDDLE_STUDY_PRINT_MISSING_H
#define HEDDLE_STUDY_PRINT_MISSING_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A run of the sweep. */
struct sweep_run {
    const json_t *settings; /* swept keys and run.seed */
    bool done;
};

/* Returns the lines above, each ended by '\n'; "" if all runs are done. The caller frees it. */
char *missing_text(const struct sweep_run *run, size_t n);

#endif
