/* SPDX-License-Identifier: Apache-2.0 */
/* The way through a switch that defers the services of its ports (node/switch.h: switch_may_defer): a port is served when a frame
 * joins its queue, when the topology changes, and at the end of the slot, not at an event of its own. */
#include "node/forward_queue.h"
#include "sim/ways/steps.h"
#include "sim/ways/ways.h"

/* Carries out that a frame was lost when it left its queue. */
static __attribute__((noinline)) void port_lost(struct partition *part, const struct sim_node *n, time_ps now,
                                                uint16_t port, uint32_t packet, enum drop_cause lost) {
    struct emission e = {.depart = now, .packet = packet, .port = port, .drop = (uint8_t)lost};
    partition_carry_out(part, n, now, &e, 1);
}

/* Carries out the services of a port up to `until`, the first of which is at `at`; returns the time of the next one. */
STEP time_ps port_serve(struct partition *part, const struct sim_node *n, uint16_t port, time_ps at, time_ps until) {
    struct fabric_switch *sw = n->sw;
    struct port *p = &sw->port[port];
    struct port_classes *c = sw->classes[port];
    do {
        time_ps depart = 0;
        enum drop_cause lost = DROP_NONE;
        uint32_t packet = port_next(p, &sw->view[port], &sw->extra[port], c, &sw->dre, sw->pool, at, &depart, &lost);
        if (__builtin_expect(lost, 0))
            port_lost(part, n, at, port, packet, lost);
        else if (packet != UINT32_MAX)
            partition_send(part, n->first_port + port, depart, packet);
        at = max_i64(at, port_classes_service_at(p, c));
    } while (at <= until);
    switch_served(sw, port, at);
    return at;
}

/* Serves a port that a frame is about to join. */
static __attribute__((noinline)) void port_serve_due(struct partition *part, const struct sim_node *n, uint16_t port,
                                                     time_ps due, time_ps now) {
    port_serve(part, n, port, due, now);
}

/* Serves all ports; sets the switch's next timer to the next of their services. */
static __attribute__((noinline)) void ports_serve(struct partition *part, const struct sim_node *n, time_ps until) {
    struct fabric_switch *sw = n->sw;
    time_ps next = TIME_NONE;
    for (uint32_t word = 0; word < (sw->n_ports + 63u) / 64; word++)
        for (uint64_t ports = sw->deferred[word]; ports; ports &= ports - 1) {
            uint16_t port = (uint16_t)(64 * word + (uint32_t)__builtin_ctzll(ports));
            time_ps at = switch_service_of(sw, port);
            if (at <= until) at = port_serve(part, n, port, at, until);
            next = min_i64(next, at);
        }
    sw->next_timer = next;
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

/* Takes one frame through the switch. */
STEP void deferred_frame(struct partition *part, struct sim_node *n, time_ps at, const struct arrival *a) {
    struct fabric_switch *sw = n->sw;
    struct packet *p = packet_at(&part->pool, a->packet);
    struct forward_rest rest = {0};
    uint16_t port = 0, in_port = (uint16_t)a->key;
    time_ps depart = 0;
    int64_t held = -1;
    AUDIT_COUNT(part, arrived, n->first_port + in_port);
    part->digest += digest_frame(at, n->node, in_port, p, 0);
    if (__builtin_expect(!switch_route(sw, at, in_port, p, &port, &rest), 0)) {
        step_finish(part, n, at, in_port, a->packet, rest);
        return;
    }
    if (__builtin_expect(buffer_may_grow(&sw->buffer, p), 0)) {
        if (sw->next_timer <= at) ports_serve(part, n, at); /* all queues are read (node/buffer.h) */
        held = switch_held_bytes(sw, at);
    } else {
        time_ps due = switch_service_of(sw, port);
        if (due <= at) port_serve_due(part, n, port, due, at);
    }
    buffer_fills(&sw->buffer, p);
    bool leaves = forward_put(sw, at, a->packet, &depart, &rest);
    if (__builtin_expect(held >= 0, 0)) switch_note_held(sw, held + forward_joined_bytes(p, rest.drop));
    if (rest.noted) switch_defer(sw, port, max_i64(at, port_classes_service_at(&sw->port[port], sw->classes[port])));
    if (leaves)
        partition_send(part, n->first_port + port, depart, a->packet);
    else if (rest.held != HELD_WAITS)
        step_finish(part, n, at, in_port, a->packet, rest);
}

time_ps way_deferred(struct partition *part, const struct batch *b, time_ps start, time_ps end) {
    struct fabric_switch *sw = b->node->sw;
    time_ps change = topology_next(sw);
    for (const struct arrival *a = b->arrival, *last = a + b->n; a < last; a++) {
        time_ps at = start + (time_ps)(a->key >> 16);
        if (__builtin_expect(change <= at, 0)) {
            topology_run(part, b->node, at);
            change = topology_next(sw);
        }
        deferred_frame(part, b->node, at, a);
    }
    if (__builtin_expect(change < end, 0)) topology_run(part, b->node, end - 1);
    if (sw->next_timer < end) ports_serve(part, b->node, end - 1);
    switch_end_slot(sw, sw->next_timer);
    return switch_next_timer(sw);
}
