/* SPDX-License-Identifier: Apache-2.0 */
/* Time that flows need to share a link fairly after a flow joined (XP-F7).
 *
 * A join opens an episode; the next join or leave, or the end of the run, closes it. In each whole interval of an
 * episode the rates of all flows that are open throughout the interval are compared with their mean, the fair share.
 * The interval is fair if every rate is within the band around the mean. The episode converges first at the end of its
 * first fair interval, and in a row at the end of the first three that follow each other. It converges for good at the end of the first of the fair intervals that last until its end. So
 * the result exceeds the real time by at most one interval. Episodes of a single flow or without a whole interval are
 * left out. Flows that join at one time, or within one interval, are one episode, which starts at the last join.
 */
#ifndef HEDDLE_MEASURE_CONVERGENCE_H
#define HEDDLE_MEASURE_CONVERGENCE_H

#include "measure/flow_meter.h"
#include "measure/result.h"

struct convergence {
    int64_t band_ppb; /* allowed deviation from the fair share, as a share of it */
    time_ps from;     /* joins before this instant are left out */
    struct join_episode *episode;
    size_t n, room;
    bool is_open; /* the last episode is open */
};

/* Returns whether every value is within the band around their mean; false if all are 0. */
bool convergence_is_fair(const int64_t *bytes, size_t n, int64_t band_ppb);

/* Takes in the meter's last interval. */
void convergence_step(struct convergence *c, const struct flow_meter *m);

/* Closes the last episode. Moves the episodes to r->join and summarises them in r->converged_ps,
 * r->converged_first_ps and r->converged_third_ps, where an episode that never converged counts as TIME_NONE. *c is left empty. */
void convergence_finish(struct convergence *c, struct run_result *r);

#endif
