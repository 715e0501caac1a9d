/* SPDX-License-Identifier: Apache-2.0 */
/* What an experiment asks for outside the time of a run, where it cannot happen, and hosts that failures cut off from others.
 *
 *   flows that start at run.until or later              failures and repairs that come then
 *   measure.from then, or no flow left to be measured   periods of samples and intervals longer than the run
 *
 * With run.until all of it is known before the run. Without it, and where all flows end before it, study/results/unreached.h
 * tells after the run.
 */
#ifndef HEDDLE_STUDY_ASSEMBLE_OUTSIDE_H
#define HEDDLE_STUDY_ASSEMBLE_OUTSIDE_H

#include "study/assemble/assemble.h"

/* Fills at most `room` warnings; returns their number. */
size_t outside_warnings(const struct assembly *a, const struct config *c, struct diag *warning, size_t room);

/* Failures and repairs of an experiment, and those of them that come at `end` or later. */
struct outages {
    uint32_t n, n_outside;
    char first[KEY_PATH_MAX]; /* key of the first that is outside */
    time_ps at;               /* its time */
};
struct outages outages_of(const struct config *c, time_ps end);

/* A period of samples, or a length of intervals, that the experiment gives. */
struct measured_period {
    char path[KEY_PATH_MAX];
    span_ps period;
    bool is_interval; /* only intervals within the time of averages count; samples are taken until the run ends */
};
#define MEASURED_PERIODS_MAX (6 + FAIRNESS_MAX)
size_t measured_periods(const struct config *c, struct measured_period list[MEASURED_PERIODS_MAX]);

#endif
