/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that several ranks carry out together, each a part of the fabric (heddle run --ranks-per-run).
 *
 * Such a run is no process of its own: a process that was forked after MPI was opened may not use it. The ranks are
 * divided into groups (o->group). The first rank of a group tells the others which run is next; all of them assemble it
 * and run their part. The leader of all ranks gives runs to the first ranks of the other groups as it gives them to
 * single ranks (study/run/crew.h), from the progress function of the run that its own group carries out.
 */
#ifndef HEDDLE_STUDY_RUN_TOGETHER_H
#define HEDDLE_STUDY_RUN_TOGETHER_H

#include "study/run/job.h"

/* The first rank of a group: carries out the run of *j with the others of its group. The outcome lies where job_finish
 * looks for it. Returns the status that job_finish takes. */
int together_lead(const struct job *j, const struct experiment *e, const struct run_options *o, const char *pcap_dir,
                  progress_fn progress, void *context);
/* The first rank of a group: tells the others of its group that there is no further run. */
void together_end(const struct ranks_group *g);
/* All ranks but the leader: carry out runs until they are dismissed. */
void together_serve(const struct experiment *e, const struct run_options *o);

#endif
