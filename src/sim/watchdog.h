/* SPDX-License-Identifier: Apache-2.0 */
/* Watches pauses: pause storms, and rings of ports that wait for each other.
 *
 * A port keeps by class how long it was stopped (mech/flowctl/pause_state.h); that costs nothing more. Rings need a
 * look at all switches, so partition 0 looks for them at epochs, four times per switch.pause_storm, and once at the end
 * of the run: lanes stopped for that long without a break, whose neighbour holds frames in the ingress queue behind
 * them for a closed egress that is stopped just as long, are followed (mech/flowctl/pause_ring.h). With 802.3x a link
 * is one lane, class 0. Without flow control there is no such epoch. Nothing of the run depends on it, nor does what is
 * found on the number of threads.
 */
#ifndef HEDDLE_SIM_WATCHDOG_H
#define HEDDLE_SIM_WATCHDOG_H

#include "base/types.h"
#include "measure/result.h"

struct world;

#define WATCHDOG_RINGS 64 /* of these are kept */

struct watchdog {
    struct pause_ring_lane *lane; /* of the rings seen so far, one after the other */
    size_t n_lanes;
    uint32_t n_rings;
};

time_ps watchdog_next(const struct world *w, time_ps now);
/* By partition 0 alone, at every epoch; looks if it is time. */
void watchdog_step(struct world *w, time_ps now);
/* At the end, after the last epoch: looks once more, and hands over what was found. */
void watchdog_collect(struct world *w, struct run_result *r);

/* The state of pauses at an egress or NIC; NULL without flow control. */
const struct pause_state *watchdog_pauses(const struct world *w, uint32_t port);
/* Lanes that a port has: the classes, or 1 for 802.3x. */
uint32_t watchdog_lanes(const struct world *w);
/* Period of samples of pauses; 0: none are taken. */
span_ps watchdog_samples(const struct world *w);

#endif
