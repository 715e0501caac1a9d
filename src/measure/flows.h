/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries of a run's flows, from their tallies.
 *
 * FCT is finished_at - start (SC-5: from the instant the application hands the flow over to the arrival of its last
 * payload byte); slowdown is FCT over the flow's lower bound, in parts per million. Percentiles are exact, nearest
 * rank; means are rounded to the nearest integer. Cost: one sort per class, after the run.
 */
#ifndef HEDDLE_MEASURE_FLOWS_H
#define HEDDLE_MEASURE_FLOWS_H

#include "measure/result.h"
#include "measure/selection.h"

/* The facts of a flow that its tally does not have. */
struct flow_facts {
    time_ps start;   /* TIME_NONE: it never started */
    uint64_t bytes;  /* UINT64_MAX: it has no end; it counts, but never as unfinished, and has no FCT */
    bool background; /* never counts as unfinished */
    bool once;       /* its workload offers no lasting load (FLOW_ONCE) */
    uint16_t entry;  /* of the workload */
};

/* The flows that count for FCT and slowdown; totals and the check of bounds cover all flows. */
struct flow_selection {
    struct selection arrivals;
    struct size_classes sizes; /* classes besides mice, medium and elephants */
    const uint32_t *place;     /* per flow: its place among the arrivals (flow_places); NULL: its index in the list */
    uint32_t n_places;         /* flows that started; used with `place` */
    uint32_t entries;          /* 0: of all entries of the workload; else of entry `entries` - 1 alone */
};

/* facts, tally, bound_ps: n each, in the order of the flow list (by start). bound_ps may be NULL: no slowdown. `end` is
 * the end of the run: flows that start then or later are not "started". In *r it fills flows_*, flow_bytes (distinct
 * payload bytes delivered), sizes, and the times of the selected flows and of all flows, by class and by
 * selection->sizes. False, with r->failure naming the flow, if one finished below its bound or before its start. */
bool flows_summarise(const struct flow_facts *facts, struct tallies tally, const int64_t *bound_ps, uint32_t n,
                     const struct flow_selection *selection, time_ps end, struct run_result *r);

/* Summarises the flows that `selection` selects. Arguments as above. */
void flows_summarise_part(const struct flow_facts *facts, struct tallies tally, const int64_t *bound_ps, uint32_t n,
                          const struct flow_selection *selection, time_ps end, struct flow_part *part);

/* Fills flows and counts of both halves: from the flows of `selection` that start in the first and in the second half of
 * the window of arrivals, [window->from, window->to]. A statistic that is alike in both does not depend on how long the
 * run lasts. The number of open flows may grow all the same: until as many long flows end as begin, which may take longer
 * than the window, they become more while each takes as long as before. */
void flows_summarise_halves(const struct flow_facts *facts, struct tallies tally, const int64_t *bound_ps, uint32_t n,
                            const struct flow_selection *selection, const struct open_flows *window, time_ps end,
                            struct half_total half[2]);

/* Returns the place of each flow among the arrivals (arrival_places) and sets *n_places to the number of flows that
 * started; the caller frees it. Needed because flows that gates start are at the end of the list. NULL: all flows
 * started, in the order of the list. */
uint32_t *flow_places(struct tallies tally, uint32_t n, uint32_t *n_places);

/* Returns whether flow i of n, whose facts are *f, counts. */
bool flow_is_selected(const struct flow_facts *f, const struct flow_selection *s, uint32_t i, uint32_t n);

/* Returns the summaries of per-flow counters of the transports for the flows that count: reorder (flows that received
 * anything; flows without an end count whenever they start), wasted and unfilled (finished flows with credits). */
struct flow_counts flows_count_transport(const struct flow_facts *facts, struct tallies tally, uint32_t n,
                                         const struct flow_selection *selection);

/* Return the selections of the first and of the second half of a window. */
struct selection selection_first_half(const struct selection *s, const struct open_flows *window);
struct selection selection_second_half(const struct selection *s, const struct open_flows *window);

/* Returns n, mean, percentiles, maximum and minimum of the values; sorts them in place. */
struct summary summary_of(int64_t *values, size_t n);

#endif
