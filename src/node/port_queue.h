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
    if (class_queue_is_empty(q))
        q->head = index;
    else
        packet_at(pool, q->tail)->next = index;
    q->tail = index;
}

static inline uint32_t class_take(struct class_queue *q, const struct packet_pool *pool) {
    uint32_t index = q->head;
    q->head = packet_at(pool, index)->next;
    if (!class_queue_is_empty(q)) __builtin_prefetch(packet_at(pool, q->head), 1);
    return index;
}

/* Notes the bytes of the first frame, for schedules that ask for them. */
static inline void class_note_first(struct class_queue *q, const struct packet_pool *pool) {
    q->first_bytes = class_queue_is_empty(q) ? 0 : packet_frame_bytes(packet_at(pool, q->head));
}

/* The integral of the queue up to an instant T is the sum over frames of bytes x (departure, or T if it still waits,
 * less arrival), in the units of node/port.h. `area` has the departures and arrivals; port_queue_area adds the terms of
 * T. */
static inline void classes_change(struct port_classes *c, uint32_t k, int64_t bytes, time_ps now) {
    c->area -= (uint64_t)bytes * area_units(now);
    c->queue[k].bytes += bytes;
    c->drain_bytes[0] += (uint32_t)bytes; /* mostly the only one: not in a loop, which costs more than the addition */
    for (uint32_t i = 1; i <= k; i++) c->drain_bytes[i] += (uint32_t)bytes;
}

static inline uint64_t port_queue_area(const struct port_classes *c, time_ps now) {
    return c->area + (uint64_t)port_queued_bytes(c) * area_units(now);
}

/* Puts a frame into the queue of class k; port_take removes and returns the first one. */
static inline void port_add(struct port_classes *c, struct packet_pool *pool, uint32_t index, uint32_t k, time_ps now) {
    class_append(&c->queue[k], pool, index);
    if (!c->stateless) class_note_first(&c->queue[k], pool);
    c->filled |= 1u << k;
    classes_change(c, k, packet_frame_bytes(packet_at(pool, index)), now);
    if (c->waiting++ == 0) c->waiting_from = now;
}

static inline uint32_t port_take(struct port_classes *c, struct packet_pool *pool, uint32_t k, time_ps now) {
    struct class_queue *q = &c->queue[k];
    uint32_t index = class_take(q, pool);
    if (!c->stateless) class_note_first(q, pool);
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

/* ---- any port with classes ---- */

/* Pushes a frame of data whose port may drop or mark it. */
enum drop_cause port_push_data(struct port *p, struct port_view *v, struct port_extra *x, struct packet_pool *pool,
                               uint32_t index, time_ps now);
/* Returns whether a frame must join a queue under flow control. */
bool port_pause_holds(const struct port_classes *c, const struct packet *pkt, time_ps now);
/* Takes the next frame out of its queue under flow control; UINT32_MAX: none may leave. */
uint32_t port_take_paused(const struct port *p, struct port_classes *c, struct packet_pool *pool, time_ps now);
/* Takes the frame of data out of its queue that the schedule picks; UINT32_MAX: it picks none. Data must wait. */
uint32_t port_take_scheduled(struct port_classes *c, struct packet_pool *pool, uint32_t stopped, time_ps now);

/* Returns whether a frame was sent without a credit to a port where too much waits for it. */
static inline bool port_is_unscheduled(const struct port_classes *c, const struct packet *pkt) {
    return pkt->proto == PROTO_CREDIT && pkt->tcp_flags & CREDIT_UNSCHEDULED &&
           port_queued_bytes(c) > c->config.unscheduled_bytes;
}

/* Starts a frame of any kind on the idle link: its first bit leaves now. Returns what becomes of it. */
static inline __attribute__((always_inline)) enum drop_cause
port_begin(struct port *p, struct port_view *v, struct port_extra *x, struct port_classes *c,
           const struct dre_params *dre, struct packet *pkt, time_ps now, time_ps *depart) {
    if (__builtin_expect(p->metered, 0)) dre_count(&v->egress, dre, port_serialize(p, v, pkt->wire_bytes), now);
    if (pkt->shape & SHAPE_CREDIT) {
        p->sent_bytes += pkt->wire_bytes;
        c->credit.sent_bytes += pkt->wire_bytes;
        *depart = p->busy_until = now + port_serialize(p, v, pkt->wire_bytes);
    } else {
        *depart = port_start(p, v, x, pkt, now);
    }
    return __builtin_expect(p->plain, 1) ? DROP_NONE : port_fate(x, pkt, now, *depart);
}

/* port_queue_pass, inline. */
static inline __attribute__((always_inline)) bool port_pass(struct port *p, struct port_view *v, struct port_extra *x,
                                                            struct port_classes *c, const struct dre_params *dre,
                                                            struct packet *pkt, time_ps now, time_ps *depart,
                                                            enum drop_cause *lost) {
    if (p->busy_until > now || c->waiting) return false;
    if (__builtin_expect(c->pause != NULL, 0) && port_pause_holds(c, pkt, now)) return false;
    if (c->has_credits && pkt->shape & SHAPE_CREDIT) {
        if (c->credit.waiting) return false;
        if (c->credit.varies) credit_limiter_ask(&c->credit.limiter, pkt->wire_bytes);
        if (credit_limiter_ready_at(&c->credit.limiter) > now) return false;
        credit_class_leave(&c->credit.limiter, &c->credit.mark, pkt, now);
    } else {
        int64_t bytes = packet_frame_bytes(pkt);
        if (c->credit.waiting && credit_limiter_ready_at(&c->credit.limiter) <= now) return false;
        if (__builtin_expect(bytes > c->pass_bytes, 0)) return false;
        if (bytes > c->max_bytes) c->max_bytes = bytes;
    }
    *lost = port_begin(p, v, x, c, dre, pkt, now, depart);
    return true;
}

/* port_queue_push, inline. Far below all limits the backlog counts a whole frame on the wire instead of the rest of one,
 * which saves two divisions. */
static inline __attribute__((always_inline)) enum drop_cause port_push(struct port *p, struct port_view *v,
                                                                       struct port_extra *x, struct port_classes *c,
                                                                       struct packet_pool *pool, uint32_t index,
                                                                       time_ps now) {
    struct packet *pkt = packet_at(pool, index);
    if (c->has_credits && pkt->shape & SHAPE_CREDIT)
        return credit_class_push(&c->credit, pool, index, now) ? DROP_NONE : port_refuse(x, pkt, DROP_CREDIT);
    int64_t most = port_queued_bytes(c) + c->frame_bytes + packet_frame_bytes(pkt);
    if (most > c->max_bytes || most > c->near_bytes || __builtin_expect(port_is_unscheduled(c, pkt), 0))
        return port_push_data(p, v, x, pool, index, now);
    port_add(c, pool, index, port_class_of(c, pkt), now);
    return DROP_NONE;
}

/* port_queue_next, inline. */
static inline __attribute__((always_inline)) uint32_t port_next(struct port *p, struct port_view *v,
                                                                struct port_extra *x, struct port_classes *c,
                                                                const struct dre_params *dre, struct packet_pool *pool,
                                                                time_ps now, time_ps *depart, enum drop_cause *lost) {
    uint32_t index;
    if (p->busy_until > now) return UINT32_MAX;
    if (__builtin_expect(c->pause != NULL, 0))
        index = port_take_paused(p, c, pool, now);
    else if (c->credit.waiting && credit_limiter_ready_at(&c->credit.limiter) <= now)
        index = credit_class_take(&c->credit, pool, now);
    else if (!c->waiting)
        return UINT32_MAX;
    else if (c->stateless)
        index = port_take(c, pool, 31 - (uint32_t)__builtin_clz(c->filled), now); /* the highest class leaves first */
    else
        index = port_take_scheduled(c, pool, 0, now);
    if (index != UINT32_MAX) *lost = port_begin(p, v, x, c, dre, packet_at(pool, index), now, depart);
    return index;
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
