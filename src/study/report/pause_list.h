/* SPDX-License-Identifier: Apache-2.0 */
/* Pauses of a run: the classes of ports that were paused for longest, and rings of ports of which each waited for the
 * next.
 *
 *  {"n": classes of ports that were ever paused,
 *   "longest": [[port, class, paused us, stops, storms, longest us, from us], ...] by total time,
 *   "rings": [{"first_us", "last_us", "ports": [[port, class, since us], ...]}, ...]}
 *
 * A port is its index in the topology. Where pods are drawn as one node, ports within a pod are null. The port's
 * neighbour is the node that paused it.
 */
#ifndef HEDDLE_STUDY_REPORT_PAUSE_LIST_H
#define HEDDLE_STUDY_REPORT_PAUSE_LIST_H

#include "study/report/topology.h"

#define PAUSES_LISTED 20
#define RINGS_LISTED 20

/* Returns JSON null if no port was ever paused; NULL after filling *d. */
json_t *run_pauses(const struct store_reader *r, const struct run_row *run, const struct topology *t, struct diag *d);

#endif
