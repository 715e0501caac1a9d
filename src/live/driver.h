/* SPDX-License-Identifier: Apache-2.0 */
/* A station under the machine's clock, with real ports at its edges: the loop of one thread of a live switch.
 *
 *     ports -> receive (now) -> station_until(now) -> frames that are due -> ports
 *
 * A frame from outside has arrived when it is received. A frame to the outside is held until its last bit would have
 * arrived at the other end, at the rate and delay of its link. When nothing happens the loop spins for a while, then
 * waits for a port or for the next time at which something is due.
 *
 * Time is CLOCK_MONOTONIC since `epoch`, so setting the machine's clock changes nothing. A loop that is late does what
 * was due in the order in which it was due, and sends it late; `late_max` says how much.
 *
 * Ports are asked for their carrier a hundred times a second; one that has lost it is a failed link (live/topology.h).
 * Other threads reach what the loop owns by driver_post and driver_call alone.
 */
#ifndef HEDDLE_LIVE_DRIVER_H
#define HEDDLE_LIVE_DRIVER_H

#include "live/port/port.h"
#include "live/topology.h"

#include <stdatomic.h>
#include <time.h>

/* A port of a switch of the station, and where its frames come from and go to. */
struct driver_edge {
    uint32_t place; /* of the switch in the station */
    uint16_t port;
    bool is_inside; /* leads to another thread of this process: goes on while the outside is drained */
    struct live_port *live;
};

struct driver_counts {
    uint64_t turns, waits;
    span_ps late_max; /* longest time between when a frame to the outside was due and when it was sent */
};

struct driver_setup {
    struct station *station;
    struct topology *topology;      /* NULL: links are up, whatever their carrier */
    const struct driver_edge *edge; /* [n] */
    uint32_t n;
    struct timespec epoch; /* by CLOCK_MONOTONIC; zeros: driver_create */
    /* A port's carrier changed; called by the loop. NULL: topology_link alone. */
    void (*carrier)(void *to, uint32_t node, uint16_t port, bool up);
    void *to;
};

struct driver;

/* All that *setup points to is the caller's and outlives the driver. */
struct driver *driver_create(const struct driver_setup *setup);
void driver_destroy(struct driver *d); /* the loop has ended */

time_ps driver_now(const struct driver *d); /* since the epoch */
/* One turn: receives, does what is due, sends. Returns whether anything happened. */
bool driver_turn(struct driver *d);
/* Turns and waits until *stop is set and seen: at the latest after a tenth of a second without frames. Then takes no
 * more frames from outside and goes on until all that it holds has left, a second at most. */
void driver_run(struct driver *d, const atomic_bool *stop);
const struct driver_counts *driver_counts(const struct driver *d);

/* Has the loop call fn(arg) between two turns. driver_post returns at once, driver_call when fn has returned. The loop
 * must be running, or driver_run be called later. */
void driver_post(struct driver *d, void (*fn)(void *arg), void *arg);
void driver_call(struct driver *d, void (*fn)(void *arg), void *arg);

#endif
