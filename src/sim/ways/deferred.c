/* SPDX-License-Identifier: Apache-2.0 */
/* The way through a switch that defers the services of its ports (node/switch.h: switch_may_defer): a port is served when a frame
 * joins its queue, when the topology changes, and at the end of the slot, not at an event of its own. */
#include "node/forward_queue.h"
#include "sim/ways/steps.h"
#include "sim/ways/ways.h"

/* Carries out that a frame has left its queue: it goes on its link, or is lost there. */
static inline void port_started(struct partition *part, const struct sim_node *n, time_ps now,
                                const struct emission *e) {
    if (__builtin_expect(e->drop, 0))
        partition_carry_out(part, n, now, e, 1);
    else
        partition_send(part, n->first_port + e->port, e->depart, e->packet);
}

/* Carries out the services of a port up to `until`, the first of which is at `at`. */
static __attribute__((noinline)) void port_serve(struct partition *part, struct sim_node *n, uint16_t port, time_ps at,
                                                 time_ps until) {
    struct fabric_switch *sw = n->sw;
    struct port *p = &sw->port[port];
    struct port_extra *x = &sw->extra[port];
    struct port_classes *c = sw->classes[port];
    while (at <= until) {
        struct emission e = {.port = port};
        enum drop_cause lost = DROP_NONE;
        e.packet = port_next(p, &sw->view[port], x, c, &sw->dre, sw->pool, at, &e.depart, &lost);
        e.drop = (uint8_t)lost;
        if (e.packet != UINT32_MAX) port_started(part, n, at, &e);
        at = max_i64(at, port_classes_service_at(p, c));
    }
    switch_defer(sw, port, at);
}

/* Serves all ports; returns the time of their next service. */
static time_ps ports_serve(struct partition *part, struct sim_node *n, time_ps until) {
    struct fabric_switch *sw = n->sw;
    time_ps next = TIME_NONE;
    for (uint32_t word = 0; word < (sw->n_ports + 63u) / 64; word++)
        for (uint64_t ports = sw->deferred[word]; ports; ports &= ports - 1) {
            uint16_t port = (uint16_t)(64 * word + (uint32_t)__builtin_ctzll(ports));
            time_ps at = switch_service_of(sw, port);
            if (at <= until) {
                port_serve(part, n, port, at, until);
                at = switch_service_of(sw, port);
            }
            next = min_i64(next, at);
        }
    return next;
}

/* Runs the topology events up to `until`, each after the services before it. */
static __attribute__((noinline)) void topology_run(struct partition *part, struct sim_node *n, time_ps until) {
    while (n->sw->event < n->sw->event_end && n->sw->event->at <= until) {
        ports_serve(part, n, n->sw->event->at - 1);
        switch_topology(n->sw);
    }
}

/* Returns the time of the next topology event. */
static inline time_ps topology_next(const struct fabric_switch *sw) {
    return sw->event < sw->event_end ? sw->event->at : TIME_NONE;
}

static inline void deferred_frame(struct partition *part, struct sim_node *n, time_ps at, uint16_t in_port,
                                  uint32_t packet) {
    struct fabric_switch *sw = n->sw;
    struct packet *p = packet_at(&part->pool, packet);
    struct forward_rest rest;
    uint16_t port = 0;
    time_ps depart = 0;
    AUDIT_COUNT(part, arrived, n->first_port + in_port);
    part->digest += digest_frame(at, n->node, in_port, p, 0);
    if (__builtin_expect(!switch_route(sw, at, in_port, p, &port, &rest), 0)) {
        step_finish(part, n, at, in_port, packet, &rest);
        return;
    }
    int64_t held = -1;
    if (__builtin_expect(buffer_may_grow(&sw->buffer, p), 0)) {
        ports_serve(part, n, at); /* all queues are read (node/buffer.h) */
        held = switch_held_bytes(sw, at);
    } else {
        time_ps due = switch_service_of(sw, port);
        if (due <= at) port_serve(part, n, port, due, at);
    }
    buffer_fills(&sw->buffer, p);
    bool leaves = forward_put(sw, at, p, &depart, &rest);
    if (__builtin_expect(held >= 0, 0)) switch_note_held(sw, held + forward_joined_bytes(p, rest.drop));
    if (rest.noted) switch_defer(sw, port, max_i64(at, port_classes_service_at(&sw->port[port], sw->classes[port])));
    if (leaves)
        partition_send(part, n->first_port + port, depart, packet);
    else if (rest.held != HELD_WAITS)
        step_finish(part, n, at, in_port, packet, &rest);
}

time_ps way_deferred(struct partition *part, const struct batch *b, time_ps start, time_ps end) {
    struct fabric_switch *sw = b->node->sw;
    time_ps change = topology_next(sw);
    for (uint32_t i = 0; i < b->n; i++) {
        const struct arrival *a = &b->arrival[i];
        time_ps at = start + (time_ps)(a->key >> 16);
        if (__builtin_expect(change <= at, 0)) {
            topology_run(part, b->node, at);
            change = topology_next(sw);
        }
        deferred_frame(part, b->node, at, (uint16_t)a->key, a->packet);
    }
    if (__builtin_expect(change < end, 0)) topology_run(part, b->node, end - 1);
    switch_end_slot(sw, ports_serve(part, b->node, end - 1));
    return switch_next_timer(sw);
}
