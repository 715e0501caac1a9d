/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files of a switch with a crossbar only (node/cioq.h): its events, and what they have in common. */
#ifndef HEDDLE_NODE_CIOQ_INSIDE_H
#define HEDDLE_NODE_CIOQ_INSIDE_H

#include "node/cioq.h"
#include "node/port_queue.h"
#include "node/switch_inside.h"

/* Sends a pause frame out of the port: it says anew what stands paused, and releases what of `changed` is not. */
void input_say(struct fabric_switch *sw, time_ps now, uint16_t in, uint8_t changed, struct switch_out *out);
/* A pause ends by itself in the end, if it is not said again: the first that is due is. */
void cioq_renew(struct fabric_switch *sw, time_ps now, struct switch_out *out);
/* A pause frame has come in. */
void cioq_obey(struct fabric_switch *sw, time_ps now, uint16_t in, uint32_t index, struct switch_out *out);

/* To which classes the egress queue of the port is open now (AM-3). True: perhaps to one that it was closed to. */
bool cioq_open(struct fabric_switch *sw, uint16_t port, time_ps now);
/* A frame that finds the egress queue full may push out one of a lower class (AM-3, Priority). */
void cioq_make_room(struct fabric_switch *sw, time_ps now, uint16_t port, const struct packet *p,
                    struct switch_out *out);

/* A frame's class: that of its queue, which is the same at all ports (port_class_of); credits have one above. */
static inline uint8_t cioq_class(const struct cioq *c, const struct packet *p) {
    uint8_t class = p->tos >> 5;
    if (__builtin_expect(p->shape & SHAPE_CREDIT, 0)) return CROSSBAR_CREDIT_CLASS;
    return class < c->top_class ? class : c->top_class;
}

/* A frame joins an ingress queue, or leaves it; returns the lanes that it pauses, or releases. The integral is kept as
 * that of an egress queue (node/port_queue.h). Credits hold so little that they count with the highest class, which the
 * meter sees to. */
static inline uint8_t input_join(struct cioq_input *i, time_ps now, uint32_t class, int64_t bytes) {
    i->area -= (uint64_t)bytes * area_units(now);
    return ingress_add(&i->meter, class, bytes);
}

static inline uint8_t input_leave(struct cioq_input *i, time_ps now, uint32_t class, int64_t bytes) {
    i->area += (uint64_t)bytes * area_units(now);
    return ingress_remove(&i->meter, class, bytes);
}

/* The engine's work with a frame that has arrived. */
static inline struct cioq_lookup cioq_lookup_of(const struct cioq *c, time_ps now, uint16_t in, uint32_t index,
                                                const struct packet *p) {
    return (struct cioq_lookup){now + c->config.forward_delay, index, packet_frame_bytes(p), (uint8_t)in,
                                cioq_class(c, p)};
}

void lookup_grow(struct cioq *c);

static inline void lookup_push(struct cioq *c, const struct cioq_lookup *l) {
    if (__builtin_expect(c->lookup_n == c->lookup_size, 0)) lookup_grow(c);
    if (c->lookup_n == 0) c->next_lookup = l->at;
    c->lookup[(c->lookup_head + c->lookup_n++) & (c->lookup_size - 1)] = *l;
}

static inline struct cioq_lookup lookup_pop(struct cioq *c) {
    struct cioq_lookup l = c->lookup[c->lookup_head];
    c->lookup_head = (c->lookup_head + 1) & (c->lookup_size - 1);
    c->next_lookup = --c->lookup_n ? c->lookup[c->lookup_head].at : TIME_NONE;
    return l;
}

#endif
