/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that all ranks carry out together, each a part of the fabric (heddle run --ranks-per-run).
 *
 * Such a run is no process of its own: a process that was forked after MPI was opened may not use it. The leader says
 * which run is next; all ranks assemble it and run their part.
 */
#ifndef HEDDLE_STUDY_RUN_TOGETHER_H
#define HEDDLE_STUDY_RUN_TOGETHER_H

#include "study/run/job.h"

/* The leader: carries out the run of *j with all other ranks. The outcome lies where job_finish looks for it. Returns
 * the status that job_finish takes. */
int together_lead(const struct ranks_group *g, struct job *j, const struct experiment *e, const struct run_options *o,
                  const char *pcap_dir);
/* The leader: there is no further run. */
void together_end(const struct ranks_group *g);
/* The others: carry out their part of each run until there is none. */
void together_serve(const struct ranks_group *g, const struct experiment *e, const struct run_options *o);

#endif
