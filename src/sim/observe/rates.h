/* SPDX-License-Identifier: Apache-2.0 */
/* Measurements of flows over time: goodput of hosts, fairness, convergence.
 *
 * They read both ends of every open flow, so partition 0 takes them at epochs, while all partitions stand still. Intervals
 * that end after the last flow (sim/observe/last_flow.h) do not count. The values do not depend on the number of threads or ranks,
 * and nothing in the run depends on them.
 */
#ifndef HEDDLE_SIM_OBSERVE_RATES_H
#define HEDDLE_SIM_OBSERVE_RATES_H

#include "measure/convergence.h"
#include "measure/fairness.h"
#include "measure/samples.h"
#include "measure/variation.h"
#include "sim/engine/world.h"
#include "sim/observe/rates_ranks.h"

struct rates {
    struct flow_meter goodput, fairness[FAIRNESS_MAX], convergence;
    struct fairness_total total[FAIRNESS_MAX];
    struct fairness_total (*phase)[FAIRNESS_MAX]; /* [n_phases] of the intervals that lie in a phase */
    struct convergence episodes;
    struct samples samples;   /* of goodput */
    struct variation *varies; /* [n_flows] over the intervals of goodput; NULL: not measured */
    int64_t *host_bytes;      /* [n_hosts] bytes in the last interval of goodput; -1: receives no flow */
    struct rates_ranks ranks; /* what the leader knows of this rank's receivers */
};

/* Creates w->rates, from flows and tallies. */
void rates_init(struct world *w);
void rates_fini(struct world *w);

/* Returns the next epoch after `now` at which a measurement is taken; TIME_NONE if none. */
time_ps rates_next(const struct world *w, time_ps now);
/* Takes the measurements due at this epoch. over: the last flow has ended. The first partition of each rank calls it. */
void rates_step(struct world *w, time_ps now, bool over);

/* Returns the goodput of hosts over a time in which they received so many payload bytes; hosts to which no flow was open in
 * it are left out. Sets *jain_ppm to Jain's index of these (JAIN_NONE), unless jain_ppm is NULL. */
struct summary hosts_goodput(const struct world *w, struct tallies tally, const struct averaged *time,
                             const int64_t *received, int64_t *jain_ppm);

/* Fills fairness, convergence, host goodput and its variation in *r; the samples are collected with the others. */
void rates_collect(struct world *w, struct run_result *r);
/* Fills fairness in each r->phase, which has been made. */
void rates_collect_phases(const struct world *w, struct run_result *r);

#endif
