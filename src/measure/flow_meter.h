/* SPDX-License-Identifier: Apache-2.0 */
/* Payload that every open flow received in each interval of a grid, for goodput over time, fairness and convergence.
 *
 * A step at the end of an interval reads the tallies of the flows that were open in it. They must count everything up
 * to that instant and nothing after it. One meter per grid. Cost: a visit to each open flow per interval.
 */
#ifndef HEDDLE_MEASURE_FLOW_METER_H
#define HEDDLE_MEASURE_FLOW_METER_H

#include "base/tallies.h"

struct metered_flow {
    uint32_t flow;
    time_ps start, end; /* end: arrival of its last byte, or its stop; TIME_NONE while open */
    int64_t bytes;      /* payload received in the last interval */
    int64_t received;   /* payload received by the end of the last interval */
};

struct flow_meter {
    const struct flow *flow; /* [n_flows], by start */
    struct tallies tally;
    uint32_t n_flows, next; /* next: first flow that has not started by the last step */
    time_ps from, to;       /* the last interval */
    struct metered_flow *open;
    uint32_t n_open, room; /* flows open at some time of the last interval */
};

void flow_meter_init(struct flow_meter *m, const struct flow *flow, struct tallies tally, uint32_t n_flows);
void flow_meter_fini(struct flow_meter *m);

/* Measures the interval from the last step (at first: from 0) to `now`. Keeps a stopped flow while its bytes arrive. */
void flow_meter_step(struct flow_meter *m, time_ps now);

/* Returns whether the flow was open during the whole last interval. */
static inline bool flow_meter_is_whole(const struct flow_meter *m, const struct metered_flow *f) {
    return f->start <= m->from && f->end >= m->to;
}

#endif
