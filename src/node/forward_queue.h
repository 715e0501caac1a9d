/* SPDX-License-Identifier: Apache-2.0 */
/* Forwarding to a port with classes: what follows switch_route there (node/forward.h), inline. A switch whose services are
 * events calls it through forward_queue, a driver that defers services (sim/ways/deferred.c) by itself.
 */
#ifndef HEDDLE_NODE_FORWARD_QUEUE_H
#define HEDDLE_NODE_FORWARD_QUEUE_H

#include "node/forward.h"
#include "node/port_queue.h"

/* Puts a frame into the queue of port rest->port, or onto its link. True: it leaves at *depart. False: see *rest. If
 * rest->noted, the caller notes the port's next service. */
static inline __attribute__((always_inline)) bool forward_put(struct fabric_switch *sw, time_ps now, uint32_t packet,
                                                              time_ps *depart, struct forward_rest *rest) {
    struct packet *frame = packet_at(sw->pool, packet);
    uint16_t port = rest->port;
    struct port *p = &sw->port[port];
    struct port_classes *c = sw->classes[port];
    struct port_extra *x = &sw->extra[port];
    enum drop_cause drop = DROP_NONE;
    if (port_pass(p, &sw->view[port], x, c, &sw->dre, frame, now, depart, &drop)) {
        rest->noted = c->credit.waiting > 0;
        rest->depart = drop == DROP_LINK_DOWN ? now : *depart;
    } else {
        drop = port_push(p, &sw->view[port], x, c, sw->pool, packet, now);
        rest->noted = !drop;
        rest->depart = now;
        if (!drop) {
            /* with one queue and no pauses a frame passes a free port: others precede this one, their service is due */
            bool passes = c->one_queue && !c->pause;
            rest->held = p->busy_until <= now && !passes ? HELD_SERVE : HELD_WAITS;
            if (rest->held == HELD_WAITS && c->credit.evicted != UINT32_MAX) rest->held = HELD_EVICTS;
            return false;
        }
    }
    rest->drop = (uint8_t)drop;
    return drop == DROP_NONE;
}

/* Returns the bytes that the switch holds more, now that the port has accepted or refused the frame. */
static inline int64_t forward_joined_bytes(const struct packet *frame, uint8_t drop) {
    bool refused = drop == DROP_BUFFER || drop == DROP_UNSCHEDULED || drop == DROP_CREDIT;
    return refused || frame->shape & SHAPE_CREDIT ? 0 : packet_frame_bytes(frame);
}

#endif
