/* SPDX-License-Identifier: Apache-2.0 */
/* Whoever watches the frames of a partition: functions that the observed ways call (sim/ways/ways.h).
 *
 * The engine does not know what an observer makes of a frame; sim/observe/observer.h has captures and timelines. An observer
 * changes nothing in the run.
 */
#ifndef HEDDLE_SIM_ENGINE_OBSERVER_H
#define HEDDLE_SIM_ENGINE_OBSERVER_H

#include "node/switch.h"

struct partition;
struct sim_node;

struct observer {
    /* A frame arrives at a port of a node: its last bit, and at a host the delay up the stack. */
    void (*arrival)(struct observer *o, const struct partition *part, const struct sim_node *n, time_ps at,
                    uint16_t port, uint32_t packet);
    /* A node has sent, dropped or consumed a frame at `now`. Call it before the frame goes on or is freed. */
    void (*emission)(struct observer *o, const struct partition *part, const struct sim_node *n, time_ps now,
                     const struct emission *e);
};

#endif
