/* SPDX-License-Identifier: Apache-2.0 */
/* A switch of a large fabric, in loops over the frames of a slot.
 *
 * A run of a large fabric waits for memory: each frame touches its own cache line, its egress port and what says where that
 * port leads, none of which a near cache holds. Where routes depend on no port (switch.h: ahead), a switch takes its
 * frames through three loops, of up to 64 frames each: routes, ports, links. What a loop needs was prefetched
 * by the one before, for as many frames as there are, and each loop is so short that the processor waits for several
 * lines at a time. docs/notebook has the figures; small fabrics lose by it. Frames that the lists of links carry (sim/flight.h)
 * are copied from list to list, and have no descriptor here.
 */
#ifndef HEDDLE_SIM_AHEAD_H
#define HEDDLE_SIM_AHEAD_H

#include "sim/partition.h"

/* Takes the frames of the batch, sorted, through its switch. The switch has no event within the slot, which begins at
 * `start`, and there is no observer. */
void ahead_run(struct partition *part, struct batch *b, time_ps start);

#endif
