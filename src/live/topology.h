/* SPDX-License-Identifier: Apache-2.0 */
/* The links of a live fabric: which are up, which switches know it, and the routes that follow.
 *
 *    struct topology *t = topology_create(&spec, detect, &d);
 *    ... a station of topology_fabric(t) ...
 *    topology_link(t, s, now, node, port, false);      the link's carrier is gone
 *    topology_until(t, s, now);                        changes detected by now
 *
 * As in the simulator (fabric/failures.c): frames on a link that fails are lost, and so are frames sent there. After
 * `detect` both ends know it, the routes change, and a switch that lost uplinks notifies the switches below it
 * (EXP-38).
 * A recovered link carries frames at once and is used after `detect`.
 *
 * The fabric has no failures of its own; the caller plays back those of the experiment file. Each thread of a live
 * switch has its own topology, which changes the fabric that its station reads.
 */
#ifndef HEDDLE_LIVE_TOPOLOGY_H
#define HEDDLE_LIVE_TOPOLOGY_H

#include "live/station.h"

struct topology;

/* Creates a topology of *spec without its failures. Data that spec points to belong to the caller and outlives the
 * topology. Returns NULL after filling *d. */
struct topology *topology_create(const struct fabric_spec *spec, span_ps detect, struct diag *d);
void topology_destroy(struct topology *t);
const struct fabric *topology_fabric(const struct topology *t);

/* Fails or restores a link, named by either end, now. Does nothing if that is its state already. */
void topology_link(struct topology *t, struct station *s, time_ps now, uint32_t node, uint16_t port, bool up);
bool topology_is_up(const struct topology *t, uint32_t node, uint16_t port);

/* Tells all switches the changes detected up to `now`. */
void topology_until(struct topology *t, struct station *s, time_ps now);
/* Returns the time of the next detection; TIME_NONE: none. */
time_ps topology_next(const struct topology *t);

#endif
