/* SPDX-License-Identifier: Apache-2.0 */
/* The links of a live fabric: which are up, who knows it, and the routes that follow.
 *
 *     struct topology *t = topology_create(&spec, detect, &d);
 *     ... a station of topology_fabric(t) ...
 *     topology_link(t, s, now, node, port, false);      the link's carrier is gone
 *     topology_until(t, s, now);                        what has become known by now
 *
 * As in the simulator (fabric/failures.c): frames on a link that fails are lost, and so is what is sent there; `detect`
 * later both ends show it, the routes change, and the switches below one that lost uplinks get its notice (EXP-38). A
 * link that comes back carries frames at once and is used `detect` later.
 *
 * The fabric has no failures of its own: those of the experiment file are for whoever plays them back. Each thread of a
 * live switch has its own topology, which changes the fabric that its station reads.
 */
#ifndef HEDDLE_LIVE_TOPOLOGY_H
#define HEDDLE_LIVE_TOPOLOGY_H

#include "live/station.h"

struct topology;

/* *spec without its failures; what it points to is the caller's and outlives the topology. NULL after filling *d. */
struct topology *topology_create(const struct fabric_spec *spec, span_ps detect, struct diag *d);
void topology_destroy(struct topology *t);
const struct fabric *topology_fabric(const struct topology *t);

/* A link, named by either of its ends, fails or comes back now; nothing if it has already. */
void topology_link(struct topology *t, struct station *s, time_ps now, uint32_t node, uint16_t port, bool up);
bool topology_is_up(const struct topology *t, uint32_t node, uint16_t port);

/* Tells everybody what becomes known up to `now`. */
void topology_until(struct topology *t, struct station *s, time_ps now);
/* When something becomes known next; TIME_NONE. */
time_ps topology_next(const struct topology *t);

#endif
