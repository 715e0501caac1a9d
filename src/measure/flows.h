/* SPDX-License-Identifier: Apache-2.0 */
/* From the tallies of a run's flows to the summaries of its result.
 *
 * FCT is finished_at - start (SC-5: from the instant the application hands the flow over to the arrival of its last
 * payload byte); slowdown is FCT over the flow's lower bound, in parts per million. Percentiles are exact, nearest
 * rank; means are rounded to the nearest integer. Cost: one sort per class, after the run.
 */
#ifndef HEDDLE_MEASURE_FLOWS_H
#define HEDDLE_MEASURE_FLOWS_H

#include "measure/result.h"

/* The facts of a flow that its tally does not have. */
struct flow_facts {
    time_ps start;   /* TIME_NONE: it never did */
    uint64_t bytes;  /* UINT64_MAX: it has no end; counted, but never unfinished, and without FCT */
    bool background; /* never unfinished either */
    bool once;       /* of a workload that offers no load that lasts (FLOW_ONCE) */
};

/* The flows that count for FCT and slowdown; totals and the check of bounds cover all flows. */
struct flow_selection {
    time_ps from;                           /* those that start earlier are left out */
    int64_t starts_from_ppb, starts_to_ppb; /* of the arrivals in order: keep [from, to); 0 and PPB = all */
    struct size_classes sizes;              /* besides mice, medium and elephants */
    const uint32_t *place; /* of each flow among the arrivals (flow_places); NULL: as they are listed */
    uint32_t n_places;     /* flows that arrived */
};

/* facts, tally, bound_ps: n each, in the order of the flow list (by start). bound_ps may be NULL: no slowdown. `end` is
 * the end of the run: flows that start later are not "started". Fills flows_*, flow_bytes (distinct payload bytes
 * delivered), sizes, and the times of the flows selected and of all, by class and by those of selection->sizes, of *r.
 * False, with r->failure naming the flow, if one finished under its bound or before its start. */
bool flows_summarise(const struct flow_facts *facts, const struct flow_tally *tally, const int64_t *bound_ps,
                     uint32_t n, const struct flow_selection *selection, time_ps end, struct run_result *r);

/* Flows that gates start stand at the end of the list: the place of each among the arrivals by time, then number, and
 * how many did arrive. The caller frees it; NULL: they are listed so. */
uint32_t *flow_places(const struct flow_tally *tally, uint32_t n, uint32_t *n_places);

/* Is flow i of n, whose facts are *f, one of them? */
bool flow_is_selected(const struct flow_facts *f, const struct flow_selection *s, uint32_t i, uint32_t n);

/* What the transports did to the flows that count, into r->reorder_milli (those that received anything; flows
 * without an end count whenever they start), wasted_milli and unfilled_milli (those that finished and had credits). */
void flows_summarise_transport(const struct flow_facts *facts, const struct flow_tally *tally, uint32_t n,
                               const struct flow_selection *selection, struct run_result *r);

/* n, mean, percentiles, maximum and minimum of values, which are sorted in place. */
struct summary summary_of(int64_t *values, size_t n);

#endif
