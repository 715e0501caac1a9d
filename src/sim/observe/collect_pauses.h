/* SPDX-License-Identifier: Apache-2.0 */
/* Totals of flow control: which classes were stopped, for how long, and how long frames were blocked meanwhile.
 *
 * Conservation of pause frames: sent = obeyed + dropped + in flight, the last counted by walking links and ports.
 */
#ifndef HEDDLE_SIM_OBSERVE_COLLECT_PAUSES_H
#define HEDDLE_SIM_OBSERVE_COLLECT_PAUSES_H

#include "sim/engine/world.h"

/* Pause frames that ended, and those in queues or on links at the end. */
struct pause_frames {
    uint64_t ended, under_way;
};

/* Fills r->pauses, its maxima excepted, and counts pause frames, over the nodes of this rank. Call it after
 * collect_ports. */
void collect_pauses(const struct world *w, struct pause_frames *frames, struct run_result *r);
/* Fills the maxima from the rows of all ranks. Returns false if the frames do not balance; *text says how. */
bool pauses_conclude(const struct pause_frames *frames, struct run_result *r, char *text, size_t size);

#endif
