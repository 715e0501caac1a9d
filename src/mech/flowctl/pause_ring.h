/* SPDX-License-Identifier: Apache-2.0 */
/* Cyclic buffer dependencies: rings of paused lanes, each of which waits for the next.
 *
 * A lane is one class of one egress port that its neighbour has paused. It waits for another lane of that neighbour if
 * the frames that fill the ingress queue there can leave through the other only, and that is paused too. Lanes that
 * wait in a ring wait for ever, unless something outside lets one of them go (a timer, a repaired link): lossless
 * networks deadlock so (DeTail 5.2 keeps to trees, where up-down routes close no ring; CMB-12).
 *
 * pause_rings() finds rings in a list of such waits: at least one in each knot of lanes that can all reach each other,
 * no lane in two of them. Pure: who waits for whom, and since when, is for the driver to say. Cost: n_lanes + n waits.
 */
#ifndef HEDDLE_MECH_PAUSE_RING_H
#define HEDDLE_MECH_PAUSE_RING_H

#include "base/types.h"

/* Lane `of` waits for lane `on`; both count from 0. */
struct pause_wait {
    uint32_t of, on;
};

struct pause_rings {
    uint32_t n;      /* rings */
    uint32_t *start; /* [n + 1] where each begins in lane[] */
    uint32_t *lane;  /* each waits for the next of its ring, the last for the first, which is the lowest */
};

/* Filled anew; to be given back. */
void pause_rings_find(struct pause_rings *r, const struct pause_wait *wait, size_t n_waits, uint32_t n_lanes);
void pause_rings_fini(struct pause_rings *r);

#endif
