/* SPDX-License-Identifier: Apache-2.0 */
/* A station under the machine's clock, with real ports at its edges: the loop of one thread of a live switch.
 *
 *     ports -> receive (now) -> station_until(now) -> frames that are due -> ports
 *
 * A frame from outside has arrived when it is received. A frame to the outside is held until its last bit would have
 * arrived at the other end, at the rate and delay of its link. When nothing happens the loop spins for a while, then
 * waits for a port or for the next time at which something is due.
 *
 * Time is CLOCK_MONOTONIC since driver_create, so setting the machine's clock changes nothing. A loop that is late
 * does what was due in the order in which it was due, and sends it late; `lateness` says how much.
 */
#ifndef HEDDLE_LIVE_DRIVER_H
#define HEDDLE_LIVE_DRIVER_H

#include "live/port/port.h"
#include "live/station.h"

#include <stdatomic.h>

/* A port of a switch of the station, and where its frames come from and go to. */
struct driver_edge {
    uint32_t place; /* of the switch in the station */
    uint16_t port;
    struct live_port *live;
};

struct driver_counts {
    uint64_t turns, waits;
    span_ps late_max; /* longest time between when a frame to the outside was due and when it was sent */
};

struct driver;

/* The station and the edges, [n], are the caller's and outlive the driver. */
struct driver *driver_create(struct station *s, const struct driver_edge *edge, uint32_t n);
void driver_destroy(struct driver *d);

/* Since driver_create. */
time_ps driver_now(const struct driver *d);
/* One turn: receives, does what is due, sends. Returns whether anything happened. */
bool driver_turn(struct driver *d);
/* Turns and waits until *stop is set and seen: at the latest after a tenth of a second without frames. */
void driver_run(struct driver *d, const atomic_bool *stop);
const struct driver_counts *driver_counts(const struct driver *d);

#endif
