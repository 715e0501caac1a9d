/* SPDX-License-Identifier: Apache-2.0 */
/* What each rank did when in an iteration of a job: times in which it computed, and times in which messages for it were under
 * way, by the phases of the job. For a timeline of ranks: gaps of less than a JOB_SPAN_SHARE-th of the iteration between times of the
 * same kind are filled, and wider ones if there are more than JOB_SPANS_MAX times.
 */
#ifndef HEDDLE_MEASURE_JOB_SPANS_H
#define HEDDLE_MEASURE_JOB_SPANS_H

#include "measure/job_look.h"

#define JOB_SPAN_SHARE 2000
#define JOB_SPANS_MAX 50000

/* Appends the times of an iteration that took `took` to r->job_span, by rank, kind, phase and start. */
void job_spans_add(const struct job_look *l, span_ps took, struct run_result *r);

#endif
