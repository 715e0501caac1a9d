/* SPDX-License-Identifier: Apache-2.0 */
/* Forwarding of a frame through a switch, as one inline function: a simulation does this twelve times per data packet
 * and its ACK, so it avoids every function call that it can.
 *
 *   [ingress load] -> ttl -> route -> balance -> analytic egress port
 *
 * switch_forward handles the common case: the frame leaves by an analytic port and nothing else happens. It leaves the
 * rare cases (drops, a consumed tag, a second frame, ports with classes) to switch_finish in switch.c. switch_receive
 * is the two together.
 */
#ifndef HEDDLE_NODE_FORWARD_H
#define HEDDLE_NODE_FORWARD_H

#include "mech/balance/hash.h"
#include "node/switch.h"

/* Whether the frame is in a queue. HELD_WAITS: it waits in its egress queue. HELD_EVICTS: it does, and credits that
 * were queued are dropped for it. HELD_SERVE: it does, perhaps likewise, and the port may start a frame. HELD_INGRESS: it
 * goes to an ingress queue (node/cioq.h). */
enum held { HELD_NOT, HELD_WAITS, HELD_EVICTS, HELD_SERVE, HELD_INGRESS };

/* Work that is left when switch_forward returns false; none if the frame is HELD_WAITS. */
struct forward_rest {
    uint32_t emit; /* a second frame to send, or UINT32_MAX */
    uint16_t emit_port;
    uint16_t port;  /* egress port of the frame, or BALANCE_CONSUME */
    uint8_t drop;   /* enum drop_cause; unless DROP_NONE, the frame is dropped */
    uint8_t held;   /* enum held */
    bool noted;     /* the port's next service is another one than before; set by forward_put */
    time_ps depart; /* departure of a frame that is lost on a gray link */
};

static inline uint16_t forward_balance(struct fabric_switch *sw, time_ps now, uint16_t in_port, struct packet *p,
                                       const uint16_t *choice, uint16_t n, uint32_t leaf, struct forward_rest *rest) {
    struct balance_query q = {
        .now = now,
        .choice = choice,
        .n_choices = n,
        .in_port = in_port,
        .dst_leaf = leaf,
        .src_leaf = fabric_leaf_of_ip(sw->host_bits, p->src_ip),
        .northbound = choice[0] >= sw->first_uplink,
    };
    struct balance_out extra = {.emit = UINT32_MAX};
    uint16_t port = sw->balance->route(sw->balance_state, &q, p, &extra);
    rest->emit = extra.emit;
    rest->emit_port = extra.emit_port;
    return port;
}

/* Returns the choice that the frame carries for this tier (SP-3): an index among the next hops, 0xff if none. */
static inline uint8_t forward_chosen(const struct fabric_switch *sw, const struct packet *p) {
    return (uint8_t)(sw->leaf != NODE_NONE ? p->path : p->path >> 8);
}

/* Records the chosen next hop in a credit, so that its data can take the same path back (CMB-1, CMB-4). */
void forward_record(const struct fabric_switch *sw, struct packet *p, const uint16_t *choice, uint16_t n,
                    uint16_t port);

/* Handles a frame from outside for an egress port with classes. True: it leaves at once, at *depart. False: see *rest. */
bool forward_queue(struct fabric_switch *sw, time_ps now, struct packet *p, time_ps *depart, struct forward_rest *rest);

/* Sets *choice to the ports that lead to the frame's destination, and returns their number; an only port is stored in
 * *single. 0: no route. */
static inline uint16_t switch_choices(const struct fabric_switch *sw, const struct packet *p, uint16_t *single,
                                      const uint16_t **choice) {
    uint32_t leaf = fabric_leaf_of_ip(sw->host_bits, p->dst_ip);
    *choice = single;
    if (leaf == sw->leaf) {
        *single = (uint16_t)((p->dst_ip & sw->host_mask) - 1); /* hosts are a leaf's first ports */
        return __builtin_expect(*single < sw->first_uplink, 1);
    }
    uint16_t way = __builtin_expect(leaf < sw->n_leaves, 1) ? sw->to_leaf[leaf] : ROUTE_NONE;
    *single = way;
    if (!(way & ROUTE_SET)) return 1;
    if (__builtin_expect(way == ROUTE_NONE, 0)) return 0;
    *choice = sw->sets[way & ~ROUTE_SET].port;
    return sw->sets[way & ~ROUTE_SET].n;
}

/* switch_route in two steps, so that the caller can carry out deferred services of the ports that the balancer compares
 * before it chooses. switch_route_choices returns the number of ports that lead to the destination, 0 if the frame is
 * dropped; switch_route_among lets the balancer choose one. */
static inline uint16_t switch_route_choices(struct fabric_switch *sw, struct packet *p, uint16_t *port,
                                            const uint16_t **choice, struct forward_rest *rest) {
    rest->emit = UINT32_MAX;
    rest->port = BALANCE_NONE;
    rest->drop = DROP_NONE;
    rest->held = HELD_NOT;
    if (__builtin_expect(p->ttl-- <= 1, 0)) {
        rest->drop = DROP_TTL;
        return 0;
    }
    uint16_t n = switch_choices(sw, p, port, choice);
    if (__builtin_expect(n == 0, 0)) rest->drop = DROP_NO_ROUTE;
    return n;
}

static inline bool switch_route_among(struct fabric_switch *sw, time_ps now, uint16_t in_port, struct packet *p,
                                      const uint16_t *choice, uint16_t n, uint16_t *port, struct forward_rest *rest) {
    bool asks = n > 1 || sw->sees_all ||
                (sw->sees_northbound && (choice[0] >= sw->first_uplink || p->shape & SHAPE_SWITCH_TALK));
    if (asks) {
        uint32_t leaf = fabric_leaf_of_ip(sw->host_bits, p->dst_ip);
        uint8_t chosen = __builtin_expect(sw->pins, 0) && n > 1 ? forward_chosen(sw, p) : 0xff;
        if (__builtin_expect(chosen != 0xff, 0))
            *port = choice[chosen < n ? chosen : chosen % n];
        else if (sw->hashes)
            *port = flow_hash_pick(sw->balance_state, p, choice, n);
        else
            *port = forward_balance(sw, now, in_port, p, choice, n, leaf, rest);
        if (__builtin_expect(sw->records, 0) && chosen == 0xff) forward_record(sw, p, choice, n, *port);
    }
    rest->port = *port;
    return !__builtin_expect(rest->emit != UINT32_MAX || *port == BALANCE_CONSUME, 0);
}

/* Decides the egress port of a frame: checks the TTL, looks up the route, lets the balancer choose. True: the frame
 * leaves by *port, and nothing else happens. False: *rest has the work that is left. */
static inline bool switch_route(struct fabric_switch *sw, time_ps now, uint16_t in_port, struct packet *p,
                                uint16_t *port, struct forward_rest *rest) {
    const uint16_t *choice;
    uint16_t n = switch_route_choices(sw, p, port, &choice, rest);
    return n && switch_route_among(sw, now, in_port, p, choice, n, port, rest);
}

/* Hands a frame to the analytic port for which it is meant. True: it leaves at *depart. False: *rest has the work that is
 * left. */
static inline bool switch_enqueue(struct fabric_switch *sw, time_ps now, struct packet *p, uint16_t port,
                                  time_ps *depart, struct forward_rest *rest) {
    rest->drop = (uint8_t)port_enqueue(&sw->port[port], &sw->view[port], &sw->extra[port], &sw->dre, p, now, depart);
    if (buffer_fills(&sw->buffer, p)) switch_note_held(sw, switch_held_bytes(sw, now));
    if (__builtin_expect(!rest->drop, 1)) return true;
    rest->depart = rest->drop == DROP_LOSS ? *depart : now;
    return false;
}

/* Forwards a frame. True: it leaves by *port at *depart. False: *rest has the work that is left. */
static inline bool switch_forward(struct fabric_switch *sw, time_ps now, uint16_t in_port, struct packet *p,
                                  uint16_t *port, time_ps *depart, struct forward_rest *rest) {
    if (in_port >= sw->meters_from) {
        struct port_view *in = &sw->view[in_port];
        dre_count(&in->ingress, &sw->dre, port_serialize(&sw->port[in_port], in, p->wire_bytes), now);
    }
    if (__builtin_expect(sw->cioq != NULL, 0)) {
        *rest = (struct forward_rest){.emit = UINT32_MAX, .held = HELD_INGRESS};
        return false;
    }
    if (__builtin_expect(!switch_route(sw, now, in_port, p, port, rest), 0)) return false;
    if (__builtin_expect(sw->queued, 0)) return forward_queue(sw, now, p, depart, rest);
    return switch_enqueue(sw, now, p, *port, depart, rest);
}

/* Does the work in *rest after switch_forward has returned false; fills *out. Only reports a frame that the port has
 * dropped already. */
void switch_finish(struct fabric_switch *sw, time_ps now, uint16_t in_port, uint32_t packet,
                   const struct forward_rest *rest, struct switch_out *out);

#endif
