/* SPDX-License-Identifier: Apache-2.0 */
/* Detects pause storms, and rings of ports that wait for each other.
 *
 * Each port counts its storms by class at no extra cost (mech/flowctl/pause_state.h). Rings need a look at all
 * switches, so partition 0 searches for them at epochs, four times per switch.pause_storm, and once at the end of the
 * run. The search (mech/flowctl/pause_ring.h) follows lanes that have been stopped for switch.pause_storm without a
 * break. Such a lane waits for another if the neighbour's ingress queue behind it holds frames for a closed egress
 * that has been stopped just as long. With 802.3x a link is one lane, class 0. Without flow control there is no such
 * epoch. The run does not depend on the search, and the result does not depend on the number of threads.
 */
#ifndef HEDDLE_SIM_WATCHDOG_H
#define HEDDLE_SIM_WATCHDOG_H

#include "base/types.h"
#include "measure/result.h"

struct world;

#define WATCHDOG_RINGS 64 /* of these are kept */

struct watchdog {
    struct pause_ring_lane *lane; /* lanes of the rings found so far, ring after ring */
    size_t n_lanes;
    uint32_t n_rings;
};

time_ps watchdog_next(const struct world *w, time_ps now);
/* Searches for rings if the search is due. Only partition 0 calls it, at every epoch. */
void watchdog_step(struct world *w, time_ps now);
/* Searches once more and moves the rings into *r. Call after the last epoch. */
void watchdog_collect(struct world *w, struct run_result *r);

/* Returns the pause state of an egress or NIC; NULL without flow control. */
const struct pause_state *watchdog_pauses(const struct world *w, uint32_t port);
/* Returns the lanes of a port: its classes, or 1 with 802.3x. */
uint32_t watchdog_lanes(const struct world *w);
/* Returns the period of samples of pauses; 0: none are taken. */
span_ps watchdog_samples(const struct world *w);

#endif
