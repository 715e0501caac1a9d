/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs of a run: what each rank did when in the slowest iteration of each, and the critical path of it.
 *
 *  [{"name", "op", "ranks", "iterations": how many, "iteration": which, from 1, "start_us", "took_us", "ideal_us",
 *    "hosts": [name of the host of each rank], "phases": [names],
 *    "spans": {"n", "rank": integers, "what": integers, "start", "end": scaled},
 *    "path": [[phase, from rank, to rank, start us, end us, ideal us, flow or null], ...], "path_left": steps left out}, ...]
 *
 * A span's `what` is twice the place of its phase in `phases`, plus 1 if the rank computed. Times of spans and of the path count
 * from the start of the iteration. A rank is null where it had nothing to do.
 */
#ifndef HEDDLE_STUDY_REPORT_JOB_LIST_H
#define HEDDLE_STUDY_REPORT_JOB_LIST_H

#include "study/store/store_reader.h"

#define PATH_LISTED 2000 /* steps of a critical path */

/* Returns JSON null if the run has no job of which an iteration ended; NULL after filling *d. */
json_t *run_jobs(const struct store_reader *r, const struct run_row *run, struct diag *d);

#endif
