/* SPDX-License-Identifier: Apache-2.0 */
/* Cyclic buffer dependencies: rings of paused lanes, each of which waits for the next.
 *
 * A lane is one class of one egress port that its neighbour has paused. It waits for another lane, of that neighbour,
 * under two conditions: the frames that fill the ingress queue there can leave only through the other lane, and that
 * lane is paused too. Lanes that wait in a ring wait for ever, unless something else releases one of them (a timer, a
 * repaired link). This is how lossless networks deadlock (DeTail 5.2 keeps to trees, where up-down routes close no
 * ring; CMB-12).
 *
 * pause_rings_find() finds rings in a list of such waits: at least one in each set of lanes that can all reach each
 * other, and no lane in two rings. Pure: the driver determines which lane waits for which, and since when. Cost:
 * n_lanes + n_waits steps.
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
    uint32_t *start; /* [n + 1]: where each ring begins in lane[] */
    uint32_t *lane;  /* each waits for the next of its ring, the last for the first; the first is the lowest */
};

/* Fills *r anew; the caller frees it with pause_rings_fini. */
void pause_rings_find(struct pause_rings *r, const struct pause_wait *wait, size_t n_waits, uint32_t n_lanes);
void pause_rings_fini(struct pause_rings *r);

#endif
