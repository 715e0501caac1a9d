/* SPDX-License-Identifier: Apache-2.0 */
/* Switches of a fabric in one thread, joined by links in memory; whatever else is a neighbour is reached by an edge.
 *
 *   edge (a host, another process)  ->  station_arrive  ->  switch  ->  line  ->  switch  ->  line  ->  station_depart
 *
 * The station is a discrete-event loop without a clock of its own: station_until(t) does all that is due up to t, in the
 * order of time, as the simulator would. A driver that calls it with the machine's clock has a fabric of real frames
 * with the rates and delays of the experiment; being late moves nothing, as everything is stamped with the time at
 * which it is due. A driver that reads its input from captures has the simulator's results, frame by frame
 * (tests/parity/test_station.c).
 *
 * At one instant: topology events and services of a switch, then arrivals, those of one switch by the rank of the run
 * (base/tie.h), then of the other switches. One thread owns a station.
 */
#ifndef HEDDLE_LIVE_STATION_H
#define HEDDLE_LIVE_STATION_H

#include "live/forwarder.h"
#include "live/impair.h"
#include "live/line.h"
#include "live/outlet.h"
#include "live/port/port.h"

/* Sees every frame that comes into a switch, when its last bit arrives, and every frame that leaves one, when its last
 * bit will have left. No frame shown later passes before `now`. */
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
    /* What hosts send comes in at the rate and after the delay of their links, as if a NIC with room for
     * STATION_NIC_FRAMES full frames had sent it; false: hosts keep the rate themselves. */
    bool paces_hosts;
    struct station_tap tap; /* frame NULL: nobody looks */
};

struct station;

/* NULL after filling *d: a node is no switch, or the balancer cannot run here. */
struct station *station_create(const struct station_setup *setup, struct diag *d);
void station_destroy(struct station *s);

struct frames *station_frames(struct station *s);
/* The place of a node in setup->node; UINT32_MAX: it is not here. */
uint32_t station_find(const struct station *s, uint32_t node);
uint32_t station_node(const struct station *s, uint32_t place);
const struct forwarder *station_switch(const struct station *s, uint32_t place);

/* A frame's last bit arrives at a port of the switch at `place` from outside; the station takes `index`, a frame of
 * station_frames with its bytes, over. `at` is not before any other call's, nor before what was done already. */
void station_arrive(struct station *s, uint32_t place, uint16_t port, time_ps at, uint32_t index, size_t captured,
                    size_t length);
/* Does all that is due up to and at `until`. */
void station_until(struct station *s, time_ps until);
/* When something is due inside; TIME_NONE. */
time_ps station_next(const struct station *s);

/* Every switch asks its hosts for their MACs (forwarder_ask_hosts). */
void station_ask_hosts(struct station *s, time_ps now);

/* Something happens to a port of a switch: e->node and e->port (switch_event); nothing if the switch is not here. With
 * EVENT_LINK_DOWN the frames on the link in this direction are lost (DROP_LINK_DOWN). */
void station_event(struct station *s, const struct fabric_event *e);
/* The fabric's first route state changed in place: every switch uses it from now on. */
void station_reroute(struct station *s, time_ps now);

/* An impaired direction of a link, and what came of it. */
struct station_impaired {
    struct impairment what;
    struct random_stream random;
    uint64_t lost, corrupted, duplicated, reordered;
};
/* From now on this happens to what leaves the port; if a host is behind it, also to what comes in. Nothing if the node is
 * not here. */
void station_impair(struct station *s, uint32_t node, uint16_t port, const struct impairment *what);
/* NULL: the direction was never impaired. */
const struct station_impaired *station_impaired(const struct station *s, uint32_t place, uint16_t port, bool inwards);

/* The next frame that has left a port to the outside and has arrived at its other end by `now`; NULL: none has. Valid
 * until station_departed, which takes it away. */
const struct line_frame *station_departing(const struct station *s, uint32_t place, uint16_t port, time_ps now);
void station_departed(struct station *s, uint32_t place, uint16_t port);
/* The first `most` of them at once; returns how many. station_departed takes one of them away. */
uint32_t station_departing_burst(const struct station *s, uint32_t place, uint16_t port, time_ps now,
                                 struct port_bytes *out, uint32_t most);
/* When the next one arrives at its other end; TIME_NONE. */
time_ps station_next_departure(const struct station *s, uint32_t place, uint16_t port);

#endif
