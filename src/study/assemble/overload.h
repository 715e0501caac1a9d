/* SPDX-License-Identifier: Apache-2.0 */
/* The load that a workload offers each tier of links, all bytes counted: headers and gaps, ACKs and credits.
 *
 * Counted are Poisson entries by their rate and mean size, traces of 100 flows and more by what they list, and queries
 * by workload's query_rate, over all phases. Which flows cross a tier, and whose links carry them, is read off
 * the flows of the run. A tier's load is that of all its links of racks or hosts that take part, one way, nominal
 * rates; failures are ignored. A load above 1 is more than the tier carries: flows pile up for as long as the run
 * lasts.
 *
 * Flows that start at once, closed loops, and flows without an end are no load in this sense.
 */
#ifndef HEDDLE_STUDY_ASSEMBLE_OVERLOAD_H
#define HEDDLE_STUDY_ASSEMBLE_OVERLOAD_H

#include "study/assemble/assemble.h"

struct offered_load {
    double share[3]; /* by link tier: hosts, ToR uplinks, agg uplinks; 0: there are no such links, or no load */
};

struct offered_load offered_load(const struct assembly *a);

/* The tier that is loaded most, 0 to 2. */
int offered_load_worst(const struct offered_load *l);

/* "host links", "ToR uplinks", "agg uplinks" */
const char *load_tier_name(int tier);

#endif
