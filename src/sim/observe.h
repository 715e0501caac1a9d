/* SPDX-License-Identifier: Apache-2.0 */
/* Observers of a run, which change nothing in it: captures (pcapng) and timelines of single flows.
 *
 * A partition without an observer pays one comparison per frame. Captures are written per node, an interface per port;
 * frames that leave are stamped with their departure (last bit out), frames that arrive with their arrival (last bit
 * in).
 */
#ifndef HEDDLE_SIM_OBSERVE_H
#define HEDDLE_SIM_OBSERVE_H

#include "measure/timeline.h"
#include "node/switch.h"
#include "sim/world.h"

struct partition;
struct sim_node;
struct observer;

/* NULL when the configuration asks for nothing in this partition. False after filling *d: a file cannot be written. */
bool observer_create(const struct world_config *config, struct partition *part, struct observer **o, struct diag *d);

void observe_arrival(struct observer *o, const struct partition *part, const struct sim_node *n, time_ps at,
                     uint16_t port, uint32_t packet);
void observe_emission(struct observer *o, const struct partition *part, const struct sim_node *n, time_ps now,
                      const struct emission *e);

/* Writes out what is held back, closes files, hands its timeline over into *t (initialised) and frees o. False: *d says
 * which file could not be written. */
bool observer_finish(struct observer *o, struct timeline *t, struct diag *d);

#endif
