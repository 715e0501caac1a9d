/* SPDX-License-Identifier: Apache-2.0 */
/* Measurements of flows over time: goodput of hosts, fairness, convergence, and what had happened by measure.from.
 *
 * They look at both ends of every open flow, so partition 0 takes them at epochs, while all partitions stand still. The
 * values do not depend on the number of threads, and the run does not depend on the values.
 */
#ifndef HEDDLE_SIM_RATES_H
#define HEDDLE_SIM_RATES_H

#include "measure/convergence.h"
#include "measure/fairness.h"
#include "measure/samples.h"
#include "measure/variation.h"

struct world;

struct rates {
    struct flow_meter goodput, fairness[FAIRNESS_MAX], convergence;
    struct fairness_total total[FAIRNESS_MAX];
    struct convergence episodes;
    struct samples samples;   /* of goodput */
    struct variation *varies; /* [n_flows] over the intervals of goodput; NULL: not measured */
    int64_t *host_bytes;      /* [n_hosts] in the last interval of goodput; -1: no flow's receiver */
    bool has_mark;            /* the run has come to measure.from */
    uint64_t *sent, *credits; /* [n_ports] bytes by then; NULL: from the start */
    int64_t *received;        /* [n_hosts] payload bytes by then */
};

/* After world_build. */
void rates_init(struct world *w);
void rates_fini(struct world *w);

/* The next epoch after `now` at which one of these is taken; TIME_NONE. */
time_ps rates_next(const struct world *w, time_ps now);
/* Takes the measurements that are due. Only partition 0 calls it, at every epoch. */
void rates_step(struct world *w, time_ps now);

/* How long after measure.from the run has gone on, and what port g had sent by then. */
span_ps rates_measured(const struct world *w);
uint64_t rates_sent_before(const struct world *w, uint32_t g, uint64_t *credit_bytes);

/* Fills fairness, convergence, host goodput and its variation of *r; the samples are collected with the others. */
void rates_collect(struct world *w, struct run_result *r);

#endif
