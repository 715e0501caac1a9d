/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the largest data queues of switches after a run with the bound that credits give them (XP-9,
 * study/assemble/credits.h). */
#ifndef HEDDLE_STUDY_RESULTS_QUEUE_BOUNDS_H
#define HEDDLE_STUDY_RESULTS_QUEUE_BOUNDS_H

#include "study/results/outcome.h"

#include <stdio.h>

/* Fills the bounds in r->queue[] and r->queue_bound. Leaves them as they are if a transport of the run has no credits:
 * nothing bounds its data. */
void queue_bounds_compare(const struct assembly *a, struct run_result *r);
/* Prints a line "FILE: warning: run 3: ..." if a queue held more than its bound. */
void queue_bounds_warn(const struct outcome *o, const char *file, uint32_t run, FILE *out);

#endif
