/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds of an incast that overlap. Rounds by the clock (`gap`, without `request`) do not wait for each other: a round that
 * begins while flows of an earlier one are open adds its senders to theirs, and the incast is no longer the one that the
 * file describes. study/assemble/warnings.c foresees it where a link cannot carry a round within the gap.
 */
#ifndef HEDDLE_STUDY_RESULTS_ROUNDS_H
#define HEDDLE_STUDY_RESULTS_ROUNDS_H

#include "study/results/outcome.h"

#include <stdio.h>

/* Fills r->rounds from the workload entry with the most rounds that overlap. */
void rounds_compare(const struct assembly *a, struct run_result *r);
/* Prints a line "FILE: warning: run 3: ..." if rounds overlapped. */
void rounds_warn(const struct outcome *o, const char *file, uint32_t run, FILE *out);

#endif
