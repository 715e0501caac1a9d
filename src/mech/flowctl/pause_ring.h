/* SPDX-License-Identifier: Apache-2.0 */
/* Cyclic buffer dependencies: rings of paused lanes, each of which waits for the next.
 *
 * A lane is one class of one egress port that its neighbour has paused. It waits for another lane of that neighbour if
 * the frames that fill the neighbour's ingress queue can leave through that lane only, and it is paused too. Lanes that
 * wait in a ring never move again unless an outside event releases one (a timer, a repaired link): this is how lossless
 * networks deadlock (DeTail 5.2 keeps to trees, where up-down routes close no ring; CMB-12).
 *
 * pause_rings_find() finds rings in a list of such waits: at least one in each set of lanes that can all reach each
 * other; no lane is in two rings. The driver finds out which lane waits for which. Cost: n_lanes + n_waits.
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
    uint32_t *start; /* [n + 1] first index of each ring in lane[] */
    uint32_t *lane;  /* each lane waits for the next of its ring, the last for the first; the first is the lowest */
};

/* Fills *r, whose old contents are ignored; pause_rings_fini frees it. */
void pause_rings_find(struct pause_rings *r, const struct pause_wait *wait, size_t n_waits, uint32_t n_lanes);
void pause_rings_fini(struct pause_rings *r);

#endif
