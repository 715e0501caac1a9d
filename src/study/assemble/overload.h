/* SPDX-License-Identifier: Apache-2.0 */
/* The load that a workload offers each tier of links, in wire bytes: with headers and gaps, ACKs and credits.
 *
 * Poisson entries count by their rate and mean size, traces of 100 flows and more by the flows they list, and queries
 * by query_rate (workload/workload.h), averaged over all phases. The flows of the run tell which of them cross a tier,
 * and which hosts, racks and pods take part. A tier's capacity is that of the links above these, one way, at nominal
 * rates, before any failure. A load above 1 is more than the tier carries: flows pile up for as long as the run
 * lasts.
 *
 * Flows that start at once, closed loops, and endless flows are no load in this sense.
 */
#ifndef HEDDLE_STUDY_ASSEMBLE_OVERLOAD_H
#define HEDDLE_STUDY_ASSEMBLE_OVERLOAD_H

#include "study/assemble/assemble.h"

struct offered_load {
    double share[3]; /* of capacity, by tier: host links, ToR uplinks, agg uplinks; 0: no such links, or no load */
};

struct offered_load offered_load(const struct assembly *a);

/* The load on the uplinks of one switch after failures: of the switch that keeps the smallest share of its capacity. */
struct load_after_failures {
    double share;  /* of what is left; 0: no uplink of the tier fails or gets slower while the run lasts */
    uint32_t node; /* the switch */
    time_ps at;    /* from when on */
};
/* Fills after[t] for each tier: host links never, ToR uplinks, agg uplinks. The flows of a switch are taken to be as many as
 * those of the others of its tier. */
void offered_load_after(const struct assembly *a, const struct offered_load *load, struct load_after_failures after[3]);

/* Returns the tier with the highest load, 0 to 2. */
int offered_load_worst(const struct offered_load *l);

/* Returns "host links", "ToR uplinks" or "agg uplinks". */
const char *load_tier_name(int tier);

#endif
