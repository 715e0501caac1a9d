/* SPDX-License-Identifier: Apache-2.0 */
/* What a run says of flow control that went wrong: storms, and ports that wait for each other. */
#ifndef HEDDLE_STUDY_RESULTS_PAUSES_H
#define HEDDLE_STUDY_RESULTS_PAUSES_H

#include "study/results/outcome.h"

/* Returns the longest pause of the run, by the port and class that it stopped; NULL: none. */
const struct pause_total *pauses_longest(const struct run_result *r);
/* Returns how many lanes the ring that begins at lane `first` has. */
size_t pauses_ring_length(const struct run_result *r, size_t first);
/* Returns the time since when all lanes of that ring have stood. */
time_ps pauses_ring_since(const struct run_result *r, size_t first);

/* A line for each: "FILE: warning: run 3: ..."; none where there is nothing. */
void pauses_warn(const struct outcome *o, const char *file, uint32_t run, FILE *out);

#endif
