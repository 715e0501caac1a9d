/* SPDX-License-Identifier: Apache-2.0 */
/* How long flows need to share a link fairly after one joined (XP-F7).
 *
 * A join opens an episode; the next join or leave closes it, or the end of the run. In each whole interval of an
 * episode the rates of all flows open during it are compared with their mean, the fair share: the interval is fair when
 * every one lies within the band around it. The episode has converged first at the end of its first fair interval, and
 * for good at the end of the first of the fair intervals that last until its end. So a time is at most one interval
 * more than it took. Episodes of a single flow, and those without a whole interval, say nothing and are left out; flows
 * that join at one time, or within one interval, are one episode, counted from the last of them.
 */
#ifndef HEDDLE_MEASURE_CONVERGENCE_H
#define HEDDLE_MEASURE_CONVERGENCE_H

#include "measure/flow_meter.h"
#include "measure/result.h"

struct convergence {
    int64_t band_ppb; /* of the fair share */
    time_ps from;     /* joins before it are left out */
    struct join_episode *episode;
    size_t n, room;
    bool is_open; /* the last one */
};

/* Does every rate lie within band of their mean? False when nothing was received. */
bool convergence_is_fair(const int64_t *bytes, size_t n, int64_t band_ppb);

/* The meter's last interval. */
void convergence_step(struct convergence *c, const struct flow_meter *m);

/* The episodes into r->join and their summaries into r->converged_ps and r->converged_first_ps, where an episode that
 * never converged counts as TIME_NONE. *c is left empty. */
void convergence_finish(struct convergence *c, struct run_result *r);

#endif
