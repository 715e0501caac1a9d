/* SPDX-License-Identifier: Apache-2.0 */
/* Detects pause storms, and rings of ports that wait for each other.
 *
 * A port records for each class how long it was paused (mech/flowctl/pause_state.h); that costs nothing more. To find
 * rings all switches must be read, so partition 0 does it at epochs, four times per switch.pause_storm, and once at the
 * end of the run. It takes the lanes that have been paused for switch.pause_storm without a break. Such a lane waits
 * for another if its neighbour's ingress queue holds frames for that other one (mech/flowctl/pause_ring.h). With 802.3x
 * a link is one lane, class 0. Without flow control there is no such epoch. Nothing in the run depends on the watchdog,
 * and its findings do not depend on the number of threads.
 */
#ifndef HEDDLE_SIM_OBSERVE_WATCHDOG_H
#define HEDDLE_SIM_OBSERVE_WATCHDOG_H

#include "measure/result.h"
#include "sim/engine/world.h"

/* Create and free w->watchdog. */
void watchdog_init(struct world *w);
void watchdog_fini(struct world *w);

/* Returns the next epoch after `now` at which it looks; TIME_NONE: it never does. */
time_ps watchdog_next(const struct world *w, time_ps now);
/* Looks for rings if they are due at this epoch. Only partition 0 calls it, at every epoch. */
void watchdog_step(struct world *w, time_ps now);
/* Looks once more, after the last epoch, and moves the rings found into *r. */
void watchdog_collect(struct world *w, struct run_result *r);

/* Returns the state of pauses at an egress or NIC; NULL without flow control, and for ports of other ranks. */
const struct pause_state *watchdog_pauses(const struct world *w, uint32_t port);
/* Returns the number of lanes of a port: the classes, or 1 for 802.3x. */
uint32_t watchdog_lanes(const struct world *w);
/* Returns the period of samples of pauses; 0: none are taken. */
span_ps watchdog_samples(const struct world *w);

#endif
