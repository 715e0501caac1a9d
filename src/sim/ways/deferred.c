/* SPDX-License-Identifier: Apache-2.0 */
/* The way through a switch that defers the services of its ports (node/switch.h: switch_may_defer): a port is served when a frame
 * joins its queue, when the topology changes, and at the end of the slot, not at an event of its own. */
#include "sim/ways/steps.h"
#include "sim/ways/ways.h"

static inline void port_serve(struct partition *part, struct sim_node *n, uint16_t port, time_ps until) {
    struct switch_out out;
    for (time_ps at; (at = switch_service_of(n->sw, port)) <= until;) {
        switch_serve_one(n->sw, port, at, &out);
        partition_carry_out(part, n, at, out.e, out.n);
    }
}

/* Serves all ports; returns the time of their next service. */
static time_ps ports_serve(struct partition *part, struct sim_node *n, time_ps until) {
    time_ps next = TIME_NONE;
    for (uint32_t word = 0; word < (n->sw->n_ports + 63u) / 64; word++)
        for (uint64_t ports = n->sw->deferred[word]; ports; ports &= ports - 1) {
            uint16_t port = (uint16_t)(64 * word + (uint32_t)__builtin_ctzll(ports));
            port_serve(part, n, port, until);
            next = min_i64(next, switch_service_of(n->sw, port));
        }
    return next;
}

/* Runs topology events up to `until`, each after the services before it. */
static void topology_run(struct partition *part, struct sim_node *n, time_ps until) {
    while (n->sw->event < n->sw->event_end && n->sw->event->at <= until) {
        ports_serve(part, n, n->sw->event->at - 1);
        switch_topology(n->sw);
    }
}

static void deferred_frame(struct partition *part, struct sim_node *n, time_ps at, uint16_t in_port, uint32_t packet) {
    struct fabric_switch *sw = n->sw;
    struct packet *p = packet_at(&part->pool, packet);
    struct forward_rest rest;
    uint16_t port = 0;
    time_ps depart = 0;
    topology_run(part, n, at);
    AUDIT_COUNT(part, arrived, n->first_port + in_port);
    part->digest += digest_frame(at, n->node, in_port, p, 0);
    if (__builtin_expect(!switch_route(sw, at, in_port, p, &port, &rest), 0)) {
        step_finish(part, n, at, in_port, packet, &rest);
        return;
    }
    if (buffer_may_grow(&sw->buffer, p))
        ports_serve(part, n, at); /* all queues are read (node/buffer.h) */
    else
        port_serve(part, n, port, at);
    if (forward_queue(sw, at, p, &depart, &rest))
        partition_send(part, n->first_port + port, depart, packet);
    else if (rest.held != HELD_WAITS)
        step_finish(part, n, at, in_port, packet, &rest);
}

time_ps way_deferred(struct partition *part, const struct batch *b, time_ps start, time_ps end) {
    for (uint32_t i = 0; i < b->n; i++)
        deferred_frame(part, b->node, start + (time_ps)(b->arrival[i].key >> 16), (uint16_t)b->arrival[i].key,
                       b->arrival[i].packet);
    topology_run(part, b->node, end - 1);
    switch_end_slot(b->node->sw, ports_serve(part, b->node, end - 1));
    return switch_next_timer(b->node->sw);
}
