/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path of an iteration of a job: the chain of messages and computations, each of which began when the one before
 * it ended, that leads to the iteration's last end. Whatever is not on it could take a little longer without a loss; what is on
 * it and takes longer than its ideal is why the iteration took so long.
 */
#ifndef HEDDLE_MEASURE_CRITICAL_PATH_H
#define HEDDLE_MEASURE_CRITICAL_PATH_H

#include "measure/job_look.h"

/* Appends its steps to r->job_step, the first one first. The iteration must have ended. */
void critical_path_add(const struct job_look *q, struct run_result *r);

#endif
