/* SPDX-License-Identifier: Apache-2.0 */
/* Who paused whom in a run: the classes of ports that were stopped for longest, and rings in which each waited for the
 * next.
 *
 *   {"n": classes of ports that were ever stopped,
 *    "longest": [[port, class, paused us, stops, storms, longest us, from us], ...] by the whole time,
 *    "rings": [{"first_us", "last_us", "ports": [[port, class, since us], ...]}, ...]}
 *
 * A port is its place in the topology; where pods are drawn as one, what lies within a pod has none and is null. The
 * node that stopped it is the port's neighbour.
 */
#ifndef HEDDLE_STUDY_REPORT_PAUSE_LIST_H
#define HEDDLE_STUDY_REPORT_PAUSE_LIST_H

#include "study/report/topology.h"

#define PAUSES_LISTED 20
#define RINGS_LISTED 20

/* JSON null where nothing was ever paused; NULL after filling *d. */
json_t *run_pauses(const struct store_reader *r, const struct run_row *run, const struct topology *t, struct diag *d);

#endif
