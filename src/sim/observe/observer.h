/* SPDX-License-Identifier: Apache-2.0 */
/* Observers of a run, which change nothing in it: captures (pcapng) and timelines of single flows.
 *
 * A partition without an observer pays one comparison per frame. Captures are written per node, with an interface per
 * port. Frames that leave carry the time of their departure (last bit out), frames that arrive that of their arrival
 * (last bit in).
 */
#ifndef HEDDLE_SIM_OBSERVE_OBSERVER_H
#define HEDDLE_SIM_OBSERVE_OBSERVER_H

#include "measure/timeline.h"
#include "node/switch.h"
#include "sim/world.h"

struct partition;
struct sim_node;
struct observer;

/* Creates the observer of a partition in *o; NULL if the configuration asks for none there. Returns false after filling
 * *d if a file cannot be written. */
bool observer_create(const struct world_config *config, struct partition *part, struct observer **o, struct diag *d);

void observe_arrival(struct observer *o, const struct partition *part, const struct sim_node *n, time_ps at,
                     uint16_t port, uint32_t packet);
void observe_emission(struct observer *o, const struct partition *part, const struct sim_node *n, time_ps now,
                      const struct emission *e);

/* Writes the frames held back, closes files, moves the timeline into *t (initialised) and frees o. Returns false if a
 * file could not be written; *d names it. */
bool observer_finish(struct observer *o, struct timeline *t, struct diag *d);

#endif
