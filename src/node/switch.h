/* SPDX-License-Identifier: Apache-2.0 */
/* A switch, sans-IO: a frame comes in with a time and leaves with a time.
 *
 *   receive -> [ingress load] -> route (fabric's rows) -> balance -> egress port -> (frame, port, departure)
 *
 * The driver (simulator, replay, live) owns the clock, the descriptors and the links. It hands every frame to
 * switch_receive with the time its last bit arrived, and calls switch_timer at switch_next_timer. It carries out
 * `struct switch_out`: it puts frames on their links at their departure, and frees dropped and consumed frames.
 * One switch belongs to one thread.
 */
#ifndef HEDDLE_NODE_SWITCH_H
#define HEDDLE_NODE_SWITCH_H

#include "base/earliest.h"
#include "fabric/fabric.h"
#include "mech/balance/balance.h"
#include "node/buffer.h"
#include "node/config.h"
#include "node/port.h"

/* The outcome for one frame: it leaves by a port, is dropped, or is consumed. */
struct emission {
    time_ps depart;
    uint32_t packet;
    uint16_t port;
    uint8_t drop;     /* enum drop_cause; unless DROP_NONE, the frame did not leave */
    uint8_t consumed; /* the frame was addressed to this switch */
};

/* A frame that arrives in a slot of time. Arrivals are sorted by key. */
struct arrival {
    uint64_t key; /* (time - start of the slot) << 16 | port */
    uint32_t packet;
    uint32_t rank; /* order among frames of one instant; set only for those (sim/engine/arrivals.h) */
};

/* Most emissions of one event: the frame itself, one more from the balancer, for each of the two a frame that may start
 * from a queue, a pause frame, and frames pushed out of a queue. */
#define SWITCH_MAX_OUT 32
struct switch_out {
    uint32_t n;
    struct emission e[SWITCH_MAX_OUT];
};

struct cioq;

struct fabric_switch {
    const struct balancer_ops *balance;
    void *balance_state;
    const uint16_t *to_leaf; /* routes in force */
    const struct next_hops *sets;
    struct port_view *view; /* [n_ports] */
    struct port *port;
    struct port_extra *extra;
    struct port_classes **classes; /* [n_ports] those of `extra`, side by side; NULL: ports are analytic */
    struct packet_pool *pool;
    uint32_t leaf; /* own rack, or NODE_NONE */
    uint32_t node;
    uint32_t host_mask;
    uint16_t n_ports, first_uplink;
    uint8_t host_bits;
    bool hashes;          /* the switch picks next hops for its balancer (balancer_ops.picks_by_hash) */
    uint16_t meters_from; /* ports from this one on keep their load; UINT16_MAX: none do */
    bool metered, queued, sees_all, sees_northbound;
    bool
        routes_alone; /* switch_route may run ahead of switch_enqueue: routes depend on no port, all ports are analytic */
    bool defers;      /* services of ports are deferred (switch_may_defer) */
    bool pins;        /* frames may carry a path that was chosen for them (SP-3) */
    bool records;     /* credits record the path that they take (CMB-1) */
    uint32_t n_leaves;
    time_ps next_timer; /* earliest topology event, service of a port, or event of the crossbar */
    struct cioq *cioq;  /* queues at both ends of a crossbar (node/cioq.h); NULL: output queued */
    struct buffer_watch buffer;
    struct dre_params dre;
    uint64_t created;     /* frames made here: Exp-responses */
    uint64_t pauses_made; /* pause frames made here, which `created` does not count */
    uint32_t serial;
    uint32_t ps_per_byte; /* of all ports, if it is the same (struct port); else 0 */
    /* rarely touched */
    struct balance_env env;
    const struct fabric *fabric;
    const struct fabric_event *event, *event_end; /* topology events still to come */
    struct place place;
    uint64_t *counters;
    struct earliest service; /* per port: next service of a port with classes, if it is an event; TIME_NONE */
    uint64_t *deferred;      /* the set of ports that have a service, if services are deferred */
};

struct switch_setup {
    const struct fabric *fabric;
    const struct switch_config *config;
    struct packet_pool *pool;
    const struct load_board *board;
    struct port_view *view;
    struct port *port;
    struct port_extra *extra;
    uint64_t seed;
    bool flat_tables;
};

void switch_init(struct fabric_switch *sw, uint32_t node, const struct switch_setup *setup);
void switch_fini(struct fabric_switch *sw);
uint64_t switch_memory_bytes(const struct fabric_switch *sw);

/* Handles a frame whose last bit arrived at in_port; fills *out. */
void switch_receive(struct fabric_switch *sw, time_ps now, uint16_t in_port, uint32_t packet, struct switch_out *out);

/* Returns whether the services of ports may be deferred: only frames that join a port's queue ever look at it. A driver
 * that defers them sets `defers`; the switch then has no events for services. Instead the driver asks switch_service_of
 * and serves a port itself (port_next, then switch_served): before a frame joins it, and all ports before the topology
 * changes and at the end of a slot. */
bool switch_may_defer(const struct fabric_switch *sw);
static inline time_ps switch_service_of(const struct fabric_switch *sw, uint16_t port) {
    return sw->classes[port]->service_at;
}
/* Set the time of a port's next service, if services are deferred: switch_defer when a frame has joined the port,
 * switch_served when the port has been served; then `at` may be TIME_NONE. Meanwhile next_timer is at or before all
 * services, so the driver need not look at the ports before that time. */
static inline void switch_defer(struct fabric_switch *sw, uint16_t port, time_ps at) {
    sw->classes[port]->service_at = at;
    sw->deferred[port >> 6] |= 1ull << (port & 63);
    if (at < sw->next_timer) sw->next_timer = at;
}
static inline void switch_served(struct fabric_switch *sw, uint16_t port, time_ps at) {
    sw->classes[port]->service_at = at;
    if (at == TIME_NONE) sw->deferred[port >> 6] &= ~(1ull << (port & 63));
}
/* Applies the next topology event. */
void switch_topology(struct fabric_switch *sw);
/* For deferred services, at the end of a slot: sets next_timer to the next topology event, or to `service`, the earliest
 * of all services, if that is earlier. */
static inline void switch_end_slot(struct fabric_switch *sw, time_ps service) {
    sw->next_timer = sw->event < sw->event_end ? min_i64(sw->event->at, service) : service;
}

/* Applies a change that is in no timeline: a link of a live switch fails, comes back or changes now. e->kind is any
 * but EVENT_ROUTES; e->at is now. */
void switch_event(struct fabric_switch *sw, const struct fabric_event *e);
/* Takes the routes of the fabric's first state again, which its owner has changed in place. */
void switch_reroute(struct fabric_switch *sw, time_ps now);

/* Handles the event that is due first: a topology event, an event of the crossbar, or the service of a port. */
void switch_timer(struct fabric_switch *sw, time_ps now, struct switch_out *out);
static inline time_ps switch_next_timer(const struct fabric_switch *sw) { return sw->next_timer; }

/* Sets load_ps[global port] to the load register of every metered egress port at `now` (Clairvoyant's board). */
void switch_read_loads(struct fabric_switch *sw, time_ps now, int64_t *load_ps);

#endif
