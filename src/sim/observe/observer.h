/* SPDX-License-Identifier: Apache-2.0 */
/* Observers of a run, which change nothing in it: captures (pcapng) and timelines of single flows.
 *
 * A partition without an observer pays nothing: the nodes of one with an observer have ways of their own
 * (sim/engine/observer.h, sim/ways/ways.h). Captures are written per node, with an interface per
 * port. Frames that leave carry the time of their departure (last bit out), frames that arrive that of their arrival
 * (last bit in).
 */
#ifndef HEDDLE_SIM_OBSERVE_OBSERVER_H
#define HEDDLE_SIM_OBSERVE_OBSERVER_H

#include "measure/timeline.h"
#include "sim/engine/partition.h"

/* Creates the observer of a partition, part->observer; none if the configuration asks for none. Returns false after filling
 * *d if a file cannot be written. */
bool observer_create(const struct world_config *config, struct partition *part, struct diag *d);

/* Writes the frames held back, closes files, moves the timeline into *t (initialised) and frees the observer. Returns false if a
 * file could not be written; *d names it. */
bool observer_finish(struct partition *part, struct timeline *t, struct diag *d);

#endif
