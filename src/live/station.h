/* SPDX-License-Identifier: Apache-2.0 */
/* Switches of a fabric in one thread, joined by links in memory; edges lead to all other neighbours.
 *
 *  edge (a host, another process)  ->  station_arrive  ->  switch  ->  line  ->  switch  ->  line  ->  station_depart
 *
 * The station is a discrete-event loop without a clock of its own: station_until(t) handles all events due up to t, in
 * the order of time, as the simulator does. A driver that calls it with the machine's clock runs a fabric of real
 * frames with the rates and delays of the experiment. A late call moves no event, since events are stamped with their
 * due times. A driver that reads its input from captures gets the simulator's results, frame by frame
 * (tests/parity/test_station.c).
 *
 * At one instant: topology events and services of a switch first, then arrivals. Arrivals of one switch are ordered by
 * the rank of the run (base/tie.h), then by switch. One thread owns a station.
 */
#ifndef HEDDLE_LIVE_STATION_H
#define HEDDLE_LIVE_STATION_H

#include "live/forwarder.h"
#include "live/impair.h"
#include "live/line.h"
#include "live/outlet.h"
#include "live/port/port.h"

/* Sees every frame that arrives at a switch, when its last bit arrives, and every frame that leaves one, with the time
 * of its last bit. No frame shown later passes before `now`. */
struct station_tap {
    void *to;
    void (*frame)(void *to, uint32_t place, const struct outlet_frame *f);
};

#define STATION_NIC_FRAMES 1000 /* the queue of Linux' NICs */

struct station_setup {
    const struct fabric *fabric;
    const struct switch_config *config;
    uint64_t seed;
    const uint32_t *node; /* [n] switches, each once */
    uint32_t n;
    bool answers; /* ARP and ICMP (live/answer.h) */
    /* Frames of hosts arrive at the rate and after the delay of their links, as if a NIC with room for
     * STATION_NIC_FRAMES full frames had sent them. False: hosts keep the rate themselves. */
    bool paces_hosts;
    struct station_tap tap; /* frame NULL: no tap */
};

struct station;

/* Creates a station. Returns NULL after filling *d: a node is no switch, or the balancer cannot run here. */
struct station *station_create(const struct station_setup *setup, struct diag *d);
void station_destroy(struct station *s);

struct frames *station_frames(struct station *s);
/* Returns the index of a node in setup->node; UINT32_MAX: not here. */
uint32_t station_find(const struct station *s, uint32_t node);
uint32_t station_node(const struct station *s, uint32_t place);
const struct forwarder *station_switch(const struct station *s, uint32_t place);

/* Handles a frame from outside whose last bit arrives at a port of switch `place`. The station takes over `index`, a
 * frame of station_frames with its bytes. `at` is not before that of any earlier call, nor before events already
 * handled. */
void station_arrive(struct station *s, uint32_t place, uint16_t port, time_ps at, uint32_t index, size_t captured,
                    size_t length);
/* Handles all events due up to and at `until`. */
void station_until(struct station *s, time_ps until);
/* Returns the next due time inside; TIME_NONE: none. */
time_ps station_next(const struct station *s);

/* Makes every switch ask its hosts for their MACs (forwarder_ask_hosts). */
void station_ask_hosts(struct station *s, time_ps now);

/* Passes an event of a port, e->node and e->port, to its switch (switch_event); ignored if the switch is not here.
 * EVENT_LINK_DOWN loses the frames on the link in this direction (DROP_LINK_DOWN). If the other end is outside, it also
 * loses those on their way to the port, and all that come until EVENT_LINK_UP; the switch never receives these. */
void station_event(struct station *s, const struct fabric_event *e);
/* Returns how many frames from outside a port has lost because its link was down. */
uint64_t station_lost_outside(const struct station *s, uint32_t place, uint16_t port);
/* Tells every switch that the fabric's first route state was changed in place. */
void station_reroute(struct station *s, time_ps now);

/* An impaired direction of a link, and its counts. */
struct station_impaired {
    struct impairment what;
    struct random_stream random;
    uint64_t lost, corrupted, duplicated, reordered;
};
/* Impairs frames that leave the port, and if a host is behind it also frames that arrive. Ignored if the node is not
 * here. */
void station_impair(struct station *s, uint32_t node, uint16_t port, const struct impairment *what);
/* Returns an impaired direction and its counts; NULL: it was never impaired. */
const struct station_impaired *station_impaired(const struct station *s, uint32_t place, uint16_t port, bool inwards);

/* Returns the next frame that left a port to the outside and arrived at its other end by `now`; NULL: none. Valid until
 * station_departed, which removes it. */
const struct line_frame *station_departing(const struct station *s, uint32_t place, uint16_t port, time_ps now);
void station_departed(struct station *s, uint32_t place, uint16_t port);
/* Fills `out` with the first `most` such frames. Returns their number. station_departed removes one of them. */
uint32_t station_departing_burst(const struct station *s, uint32_t place, uint16_t port, time_ps now,
                                 struct port_bytes *out, uint32_t most);
/* Returns when the next frame arrives at the other end; TIME_NONE: none. */
time_ps station_next_departure(const struct station *s, uint32_t place, uint16_t port);

#endif
