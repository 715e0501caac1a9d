/* SPDX-License-Identifier: Apache-2.0 */
/* The way of a frame through a node, of which each node has one for the whole run.
 *
 * A way takes the frames of one slot through one node: way_fn. The engine finds a node's frames, sorts and prefetches them,
 * and calls the node's way. sim/ways/ways.h has the ways, and the function that chooses among them when the world is built.
 */
#ifndef HEDDLE_SIM_ENGINE_WAY_H
#define HEDDLE_SIM_ENGINE_WAY_H

#include "node/switch.h"

struct partition;
struct sim_node;

enum way {
    WAY_HOST,          /* a host */
    WAY_HOST_OBSERVED, /* a host that an observer watches */
    WAY_NICS,          /* a host with several NICs */
    WAY_NICS_OBSERVED, /* the same, while an observer watches */
    WAY_PLAIN,         /* one frame after the other, through the whole switch */
    WAY_OBSERVED,      /* the same, while an observer watches */
    WAY_DEFERRED,      /* one frame after the other; the services of a port are carried out when somebody looks at it */
    WAY_CROSSBAR,      /* a switch with a crossbar runs the slot by itself */
    WAY_AHEAD,         /* all frames are routed before the first of them leaves */
    WAY_AHEAD_CARRIED, /* the same, and frames are read where the lists of links carry them */
    WAYS
};

/* Returns whether a switch routes the frames of a slot before they reach its ports, and prefetches these itself. */
static inline bool way_is_ahead(enum way way) { return way >= WAY_AHEAD; }

/* The work of one node in one slot. */
struct batch {
    struct sim_node *node;
    struct arrival *arrival; /* [n], in flights.sorted */
    uint32_t n;
};

/* Takes the arrivals of a batch, which are in order, through its node, and runs the node's timers before `end`. The slot, or
 * its part that is run now, lasts from `start` to before `end`. Returns the time of the node's next timer. */
typedef time_ps (*way_fn)(struct partition *part, const struct batch *b, time_ps start, time_ps end);

#endif
