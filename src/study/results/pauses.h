/* SPDX-License-Identifier: Apache-2.0 */
/* Failures of flow control in a run: pause storms, and rings of ports that wait for each other. */
#ifndef HEDDLE_STUDY_RESULTS_PAUSES_H
#define HEDDLE_STUDY_RESULTS_PAUSES_H

#include "study/results/outcome.h"

/* Returns the longest pause of the run, by the port and class that it stopped; NULL: none. */
const struct pause_total *pauses_longest(const struct run_result *r);
/* Returns the number of lanes of the ring that begins at lane `first`. */
size_t pauses_ring_length(const struct run_result *r, size_t first);
/* Returns the time from which on all lanes of that ring were paused. */
time_ps pauses_ring_since(const struct run_result *r, size_t first);

/* Prints a line "FILE: warning: run 3: ..." for the storms and one for each of the first rings; none if all is well. */
void pauses_warn_storms(const struct outcome *o, const char *file, uint32_t run, FILE *out);
void pauses_warn_rings(const struct outcome *o, const char *file, uint32_t run, FILE *out);

#endif
