/* SPDX-License-Identifier: Apache-2.0 */
/* The way of a frame through a switch, as one inline function: this is what a simulation does twelve times per data
 * packet and its ACK, so nothing on it is called that need not be.
 *
 *   [ingress load] -> ttl -> route -> balance -> analytic egress port
 *
 * switch_forward handles the frame that leaves by one analytic port and nothing else comes of it. Whatever is rarer
 * (drops, a consumed tag, one more frame, ports with classes) goes on in switch.c, with the same meaning:
 * switch_receive is this function and that rest.
 */
#ifndef HEDDLE_NODE_FORWARD_H
#define HEDDLE_NODE_FORWARD_H

#include "node/switch.h"

/* SERVE: and the port may start a frame. INGRESS: it stands in an ingress queue (node/cioq.h). */
enum held { HELD_NOT, HELD_WAITS, HELD_SERVE, HELD_INGRESS };

/* What is left to do when switch_forward returns false; nothing, if the frame is HELD_WAITS. */
struct forward_rest {
    uint32_t emit; /* a second frame, or UINT32_MAX */
    uint16_t emit_port;
    uint16_t port;  /* of the frame; BALANCE_CONSUME */
    uint8_t drop;   /* enum drop_cause: it goes nowhere */
    uint8_t held;   /* enum held: it stands in a queue of its port */
    time_ps depart; /* if it was lost on a gray link: when it left */
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

/* The same where frames may carry a path that was chosen for them, or note it (switch.c). */
uint16_t forward_on_path(struct fabric_switch *sw, time_ps now, uint16_t in_port, struct packet *p,
                         const uint16_t *choice, uint16_t n, uint32_t leaf, struct forward_rest *rest);

/* The egress port has classes: true if the frame leaves at once, at *depart; else *rest says what became of it. */
bool forward_queue(struct fabric_switch *sw, time_ps now, struct packet *p, time_ps *depart, struct forward_rest *rest);

/* The ports that lead to the frame's destination: *choice, or *single alone. 0: there is none. */
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

/* The way of a frame in two steps, as a port that balancers look at may have to be brought up to date between them: how
 * many ports lead on, and the balancer's word. 0: the frame is dropped. */
static inline uint16_t switch_route_choices(struct fabric_switch *sw, struct packet *p, uint16_t *port,
                                            const uint16_t **choice, struct forward_rest *rest) {
    rest->emit = UINT32_MAX;
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
        *port = __builtin_expect(sw->pins, 0) ? forward_on_path(sw, now, in_port, p, choice, n, leaf, rest)
                                              : forward_balance(sw, now, in_port, p, choice, n, leaf, rest);
    }
    rest->port = *port;
    return !__builtin_expect(rest->emit != UINT32_MAX || *port == BALANCE_CONSUME, 0);
}

/* Where the frame is to go: its ttl, its route, its balancer's word. True: out by *port, and nothing else comes of it.
 * False: *rest says what is to be done. */
static inline bool switch_route(struct fabric_switch *sw, time_ps now, uint16_t in_port, struct packet *p,
                                uint16_t *port, struct forward_rest *rest) {
    const uint16_t *choice;
    uint16_t n = switch_route_choices(sw, p, port, &choice, rest);
    return n && switch_route_among(sw, now, in_port, p, choice, n, port, rest);
}

/* True: the frame left by *port at *depart. False: *rest says what is to be done. */
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
    rest->drop = (uint8_t)port_enqueue(&sw->port[*port], &sw->view[*port], &sw->extra[*port], &sw->dre, p, now, depart);
    if (__builtin_expect(!rest->drop, 1)) return true;
    rest->depart = rest->drop == DROP_LOSS ? *depart : now;
    return false;
}

/* The rest of a frame's way after switch_forward said false; fills *out. A frame that the port has dropped already is
 * only reported. */
void switch_finish(struct fabric_switch *sw, time_ps now, uint16_t in_port, uint32_t packet,
                   const struct forward_rest *rest, struct switch_out *out);

#endif
