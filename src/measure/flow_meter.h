/* SPDX-License-Identifier: Apache-2.0 */
/* What every open flow received in each interval of a grid: the ground of goodput over time, fairness and convergence.
 *
 * A step at the end of an interval reads the tallies of the flows that were open in it; everything before that instant
 * has been counted and nothing after. One meter per grid; it costs a visit to each open flow per interval.
 */
#ifndef HEDDLE_MEASURE_FLOW_METER_H
#define HEDDLE_MEASURE_FLOW_METER_H

#include "base/views.h"

struct metered_flow {
    uint32_t flow;
    time_ps start, end; /* end: last byte arrived, or its stop; TIME_NONE while open */
    int64_t bytes;      /* payload received in the last interval */
    int64_t received;   /* payload received by its end */
};

struct flow_meter {
    const struct flow *flow; /* [n_flows], by start */
    const struct flow_tally *tally;
    uint32_t n_flows, next; /* flows before `next` have been seen */
    time_ps from, to;       /* the last interval */
    struct metered_flow *open;
    uint32_t n_open, room; /* those open at some time of the last interval */
};

void flow_meter_init(struct flow_meter *m, const struct flow *flow, const struct flow_tally *tally, uint32_t n_flows);
void flow_meter_fini(struct flow_meter *m);

/* The interval from the last step (at first: from 0) to `now`. A stopped flow is kept while bytes of it arrive. */
void flow_meter_step(struct flow_meter *m, time_ps now);

/* Open during the whole interval? */
static inline bool flow_meter_is_whole(const struct flow_meter *m, const struct metered_flow *f) {
    return f->start <= m->from && f->end >= m->to;
}

#endif
