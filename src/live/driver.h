/* SPDX-License-Identifier: Apache-2.0 */
/* Drives a station by the machine's clock, with real ports at its edges: the loop of one thread of a live switch.
 *
 *    ports -> receive -> station_until(now) -> frames that are due -> ports
 *
 * A frame from outside counts as arrived when it has been received: never earlier than it came, however long the
 * machine lets the thread wait. A frame to the outside is held until its last bit would arrive at the other end, at the
 * rate and delay of its link. An idle loop first spins for `spin`, then waits for a port or for the next due time.
 *
 * Time is CLOCK_MONOTONIC since `epoch`, so setting the machine's clock changes nothing. A late loop handles due
 * events in the order of their due times, and sends the frames late; `late_max` records how late.
 *
 * Carriers are checked a hundred times a second; a port without carrier is a failed link (live/topology.h). Other
 * threads reach data of the loop through driver_post and driver_call alone.
 */
#ifndef HEDDLE_LIVE_DRIVER_H
#define HEDDLE_LIVE_DRIVER_H

#include "live/port/port.h"
#include "live/topology.h"

#include <stdatomic.h>
#include <time.h>

/* A port of a switch of the station, joined to a real port. */
struct driver_edge {
    uint32_t place; /* index of the switch in the station */
    uint16_t port;
    bool is_inside; /* leads to another thread of this process: still received from while the station drains */
    struct live_port *live;
};

struct driver_counts {
    span_ps late_max; /* longest delay from due time to sending of a frame to the outside */
};

struct driver_setup {
    struct station *station;
    struct topology *topology;      /* NULL: all links are up, whatever their carrier */
    const struct driver_edge *edge; /* [n] */
    uint32_t n;
    struct timespec epoch; /* by CLOCK_MONOTONIC; zeros: driver_create */
    span_ps spin;          /* how long an idle loop polls before it waits (pace_spin) */
    /* Called by the loop when a port's carrier changed. NULL: only topology_link is called. */
    void (*carrier)(void *to, uint32_t node, uint16_t port, bool up);
    void *to;
};

struct driver;

/* Creates a driver. Everything that *setup points to belongs to the caller and outlives the driver. */
struct driver *driver_create(const struct driver_setup *setup);
void driver_destroy(struct driver *d); /* call after driver_run has returned */

time_ps driver_now(const struct driver *d); /* time since the epoch */
/* Runs one turn: receives, handles due events, sends. Returns true if anything happened. */
bool driver_turn(struct driver *d);
/* Runs turns and waits until *stop is set, which it notices within a tenth of a second. Then takes no more frames from
 * outside and continues until the station is empty, for a second at most. */
void driver_run(struct driver *d, const atomic_bool *stop);
const struct driver_counts *driver_counts(const struct driver *d);

/* Makes the loop call fn(arg) between two turns. driver_post returns at once, driver_call after fn has returned.
 * driver_run must be running, or be called later. */
void driver_post(struct driver *d, void (*fn)(void *arg), void *arg);
void driver_call(struct driver *d, void (*fn)(void *arg), void *arg);

#endif
