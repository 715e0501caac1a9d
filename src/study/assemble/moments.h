/* SPDX-License-Identifier: Apache-2.0 */
/* Moments: instants of a run that a file names by what happens then.
 *
 *     2ms                 a time
 *     50%                 a share of the open-loop arrivals: when so many of them have started. 100% is right after the last
 *     failed.0.at         the failure of fabric.failed's first item; failed.0.repair_at its repair
 *
 * Open-loop arrivals are the flows of workloads with a lasting load (poisson, queries by rate, a trace) whose starts do not
 * depend on other flows, so a share is known before the run. Where there are none, a share is an error.
 */
#ifndef HEDDLE_STUDY_ASSEMBLE_MOMENTS_H
#define HEDDLE_STUDY_ASSEMBLE_MOMENTS_H

#include "study/assemble/parts.h"

/* The starts of the open-loop arrivals in their order. */
struct arrival_times {
    time_ps *start;
    size_t n;
};
struct arrival_times arrival_times_of(const struct flow_list *flows);
void arrival_times_free(struct arrival_times *t);

/* Turns shares of the arrivals in the failures of *spec into times, by a->arrivals, and counts them in a->n_shares. False
 * after filling *d if a repair then comes before its failure. */
bool failure_moments_set(struct assembly *a, const struct config *c, struct fabric_spec *spec, struct diag *d);

/* Sets *at to the moment that `text`, the value of the key `path`, names. False after filling *d. Call when the assembly has
 * its flows. */
bool moment_of(const struct assembly *a, const struct config *c, const char *path, const char *text, time_ps *at,
               struct diag *d);

/* Fills the phases of measure.phases. */
bool phases_fill(struct assembly *a, const struct config *c, struct diag *d);

#endif
