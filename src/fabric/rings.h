/* SPDX-License-Identifier: Apache-2.0 */
/* Rings of buffers: links whose queues may all wait for each other under lossless flow control.
 *
 * A frame that waits at a switch's port for the link behind it holds the room that frames of the link before it need. If the
 * links that frames take one after the other form a ring, pauses may go round in it and stop all of them for ever (Dally
 * and Seitz 1987; Guo et al., SIGCOMM 2016). Paths that go up first and then down never make one; other shortest paths may,
 * and so may paths between switches of one tier.
 */
#ifndef HEDDLE_FABRIC_RINGS_H
#define HEDDLE_FABRIC_RINGS_H

#include "fabric/fabric.h"

#define RING_SHOWN_MAX 8

/* The switches of a ring, in the order of its links; the last one leads to the first. */
struct fabric_ring {
    uint32_t node[RING_SHOWN_MAX];
    uint32_t n; /* switches of the ring; the first RING_SHOWN_MAX are in node[] */
};

/* Returns whether the routes of the whole fabric have a ring, and sets *ring to the first that is found. Walks only fabrics from
 * a file. Cost: for every rack, all ports. */
bool fabric_has_ring(const struct fabric *f, struct fabric_ring *ring);

#endif
