/* SPDX-License-Identifier: Apache-2.0 */
/* The flows of a run with the greatest slowdown, and their paths.
 *
 *  [{"flow", "src", "dst", "bytes", "start_us", "fct_us", "slowdown", "timeouts", "retransmitted", "reordered",
 *    "path": [ports that its data crossed] or absent}, ...]
 *
 * Lists the SLOWEST flows of greatest slowdown, then the flows with a recorded timeline (measure: {flow: [ID]}), the
 * only ones whose path is known. Unfinished flows (fct_us null) come first, as the slowest of all. Background flows
 * never finish; they are left out if all other flows finished. In a condensed fabric src and dst are drawn nodes, and
 * "from" and "to" are the hosts.
 */
#ifndef HEDDLE_STUDY_REPORT_SLOWEST_H
#define HEDDLE_STUDY_REPORT_SLOWEST_H

#include "study/report/topology.h"

#define SLOWEST 20

/* Returns the list; NULL after filling *d. */
json_t *run_slowest(const struct store_reader *r, const struct run_row *run, const struct topology *t, struct diag *d);

#endif
