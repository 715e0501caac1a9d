/* SPDX-License-Identifier: Apache-2.0 */
/* Queues of a port with classes: the inline part, which every frame that waits goes through.
 *
 * A port is easy (`port_is_easy`) while it does nothing but send what waits, the highest class first: no class is
 * paused, no frame may be lost, marked or metered, no bytes are reserved, and there are neither credits nor pause
 * frames to be sent. The services of an easy port can be carried out later, when its queue is read, with the same
 * result:
 *
 *   port_start_next  starts the next waiting frame when the link becomes idle, at port.busy_until
 *   port_start       starts a frame on the idle link; returns when its last bit has left
 *   port_add, port_take  put a frame into the queue of its class, and take the first one out
 *
 * The caller makes sure that there is room. port_start_next starts the frame that port_queue_next would have started.
 */
#ifndef HEDDLE_NODE_PORT_QUEUE_H
#define HEDDLE_NODE_PORT_QUEUE_H

#include "node/port.h"

/* Appends a frame to a queue; class_take removes and returns the first one. */
static inline void class_append(struct class_queue *q, struct packet_pool *pool, uint32_t index) {
    struct packet *pkt = packet_at(pool, index);
    pkt->next = UINT32_MAX;
    if (class_queue_is_empty(q)) {
        q->head = index;
        q->first_bytes = packet_frame_bytes(pkt);
    } else {
        packet_at(pool, q->tail)->next = index;
    }
    q->tail = index;
}

static inline uint32_t class_take(struct class_queue *q, const struct packet_pool *pool) {
    uint32_t index = q->head;
    q->head = packet_at(pool, index)->next;
    q->first_bytes = 0;
    if (class_queue_is_empty(q)) return index;
    const struct packet *first = packet_at(pool, q->head);
    q->first_bytes = packet_frame_bytes(first);
    if (first->next != UINT32_MAX) __builtin_prefetch(packet_at(pool, first->next), 1);
    return index;
}

/* The integral of the queue up to an instant T is the sum over frames of bytes x (departure, or T if it still waits,
 * less arrival), in the units of node/port.h. `area` has the departures and arrivals; port_queue_area adds the terms of
 * T. */
static inline void classes_change(struct port_classes *c, uint32_t k, int64_t bytes, time_ps now) {
    c->area -= (uint64_t)bytes * area_units(now);
    c->queue[k].bytes += bytes;
    for (uint32_t i = 0; i <= k; i++) c->drain_bytes[i] = (uint32_t)((int64_t)c->drain_bytes[i] + bytes);
}

static inline uint64_t port_queue_area(const struct port_classes *c, time_ps now) {
    return c->area + (uint64_t)port_queued_bytes(c) * area_units(now);
}

/* Puts a frame into the queue of class k; port_take removes and returns the first one. */
static inline void port_add(struct port_classes *c, struct packet_pool *pool, uint32_t index, uint32_t k, time_ps now) {
    class_append(&c->queue[k], pool, index);
    c->filled |= 1u << k;
    classes_change(c, k, packet_frame_bytes(packet_at(pool, index)), now);
    if (c->waiting++ == 0) c->waiting_from = now;
}

static inline uint32_t port_take(struct port_classes *c, struct packet_pool *pool, uint32_t k, time_ps now) {
    struct class_queue *q = &c->queue[k];
    uint32_t index = class_take(q, pool);
    c->waiting--;
    classes_change(c, k, -(int64_t)packet_frame_bytes(packet_at(pool, index)), now);
    if (class_queue_is_empty(q)) c->filled &= ~(1u << k);
    return index;
}

/* Starts a frame of data on the idle link; returns when its last bit has left. */
static inline time_ps port_start(struct port *p, const struct port_view *v, struct port_extra *x,
                                 const struct packet *pkt, time_ps now) {
    span_ps s = port_serialize(p, v, pkt->wire_bytes);
    p->sent_bytes += pkt->wire_bytes;
    port_area_add(p, x, pkt->wire_bytes, 0, s); /* the frame on the wire */
    return p->busy_until = now + s;
}

/* ---- easy ports ---- */

bool port_is_easy(const struct port *p, const struct port_extra *x, time_ps now);

/* Starts the next frame of an easy port with a backlog, and returns its index. */
static inline __attribute__((always_inline)) uint32_t port_start_next(struct port *p, const struct port_view *v,
                                                                      struct port_extra *x, struct port_classes *c,
                                                                      struct packet_pool *pool, time_ps *depart) {
    time_ps now = p->busy_until;
    assert(c->filled);
    uint32_t index = port_take(c, pool, 31 - (uint32_t)__builtin_clz(c->filled | 1), now);
    *depart = port_start(p, v, x, packet_at(pool, index), now);
    return index;
}

#endif
