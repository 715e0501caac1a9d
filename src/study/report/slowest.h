/* SPDX-License-Identifier: Apache-2.0 */
/* The flows of a run that were slowest for their size, and where they went.
 *
 *   [{"flow", "src", "dst", "bytes", "start_us", "fct_us", "slowdown", "timeouts", "retransmitted", "reordered",
 *     "path": [ports that its data crossed] or absent}, ...]
 *
 * The SLOWEST of greatest slowdown, then those whose timeline was recorded (measure: {flow: [ID]}), the only ones whose
 * path is known. Unfinished flows (fct_us null) come first: nothing is slower. Those of the background never finish
 * and are left out where all others did. In a condensed fabric src and dst are drawn nodes, "from" and "to" the hosts.
 */
#ifndef HEDDLE_STUDY_REPORT_SLOWEST_H
#define HEDDLE_STUDY_REPORT_SLOWEST_H

#include "study/report/topology.h"

#define SLOWEST 20

/* NULL after filling *d. */
json_t *run_slowest(const struct store_reader *r, const struct run_row *run, const struct topology *t, struct diag *d);

#endif
