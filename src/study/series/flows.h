/* SPDX-License-Identifier: Apache-2.0 */
/* The flows of runs that count in their results: finished, and selected by measure.from and measure.starts. */
#ifndef HEDDLE_STUDY_SERIES_FLOWS_H
#define HEDDLE_STUDY_SERIES_FLOWS_H

#include "study/series/points.h"

struct finished_flow {
    int64_t bytes, fct_ps, bound_ps;
};

struct run_flows {
    struct finished_flow *flow;
    size_t n, room;
    int64_t *reorder; /* most packets held out of order, of all flows that received data */
    size_t n_received, room_received;
};

/* Adds the flows of one run. */
bool run_flows_add(struct run_flows *f, const struct store_reader *r, const struct run_row *run,
                   const struct selection *selection, struct diag *d);
void run_flows_free(struct run_flows *f);

#endif
