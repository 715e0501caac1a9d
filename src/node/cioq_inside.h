/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of a switch with a crossbar (node/cioq.h) and by nobody else. */
#ifndef HEDDLE_NODE_CIOQ_INSIDE_H
#define HEDDLE_NODE_CIOQ_INSIDE_H

#include "node/cioq.h"
#include "node/port_queue.h"
#include "node/switch_inside.h"

/* Sends a pause frame out of the port. It refreshes every class that is paused, and releases those of `changed` that
 * are not. */
void input_say(struct fabric_switch *sw, time_ps now, uint16_t in, uint8_t changed, struct switch_out *out);
/* Refreshes the pause that expires first, so that it does not lapse while its queue is still above the threshold. */
void cioq_renew(struct fabric_switch *sw, time_ps now, struct switch_out *out);
/* Obeys a pause frame that arrived at `in`, and consumes it. */
void cioq_obey(struct fabric_switch *sw, time_ps now, uint16_t in, uint32_t index, struct switch_out *out);

/* Takes the turn of the watchdog that is due: it polls, or drops frames of stormed classes, a few in each turn. */
void cioq_watch(struct fabric_switch *sw, time_ps now, struct switch_out *out);
/* Returns whether the watchdog drops the frame instead of letting it into the egress queue of the port. */
static inline bool cioq_drops(const struct fabric_switch *sw, uint16_t port, const struct packet *p) {
    const struct cioq *c = sw->cioq;
    if (__builtin_expect(!c || !c->watchdog || !c->watchdog[port].dropping, 1) || p->shape & SHAPE_CREDIT) return false;
    return pause_watchdog_drops(&c->watchdog[port], port_class_of(sw->extra[port].classes, p));
}
/* Drops it. */
void cioq_drop(struct fabric_switch *sw, time_ps now, uint16_t port, uint32_t packet, struct switch_out *out);

/* Notes for which classes the egress queue of the port has room now (AM-3). Returns true if a class may have gained
 * room that it lacked before. Mostly there is room for all classes, before and now. */
bool cioq_open_narrow(struct fabric_switch *sw, uint16_t port, time_ps now);
static inline bool cioq_open(struct fabric_switch *sw, uint16_t port, time_ps now) {
    const struct cioq_output *o = &sw->cioq->output[port];
    bool open = port_queued_bytes(o->classes) <= o->open_below_bytes && !(sw->cioq->narrow >> port & 1);
    return !open && cioq_open_narrow(sw, port, now);
}
/* Drops frames of lower classes from the tail of a full egress queue until *p fits (AM-3, Priority); none if it would
 * not fit even then. */
void cioq_make_room(struct fabric_switch *sw, time_ps now, uint16_t port, const struct packet *p,
                    struct switch_out *out);

/* Returns the class in which a frame crosses: that of its egress queue, the same at all ports (port_class_of). Credits
 * have a class above all others. */
static inline uint8_t cioq_class(const struct cioq *c, const struct packet *p) {
    uint8_t class = p->tos >> 5;
    if (__builtin_expect(p->shape & SHAPE_CREDIT, 0)) return CROSSBAR_CREDIT_CLASS;
    return class < c->top_class ? class : c->top_class;
}

/* Adds a frame to an ingress queue, or removes it; returns the classes whose pause state changed. The integral of the
 * queue is kept as in node/port_queue.h. The meter counts credits with the highest class. */
static inline uint8_t input_join(struct cioq *c, uint16_t in, time_ps now, uint32_t class, int64_t bytes) {
    struct cioq_input *i = &c->input[in];
    c->ingress_bytes += bytes;
    i->area -= (uint64_t)bytes * area_units(now);
    return ingress_add(&i->meter, class, bytes);
}

static inline uint8_t input_leave(struct cioq *c, uint16_t in, time_ps now, uint32_t class, int64_t bytes) {
    struct cioq_input *i = &c->input[in];
    c->ingress_bytes -= bytes;
    i->area += (uint64_t)bytes * area_units(now);
    return ingress_remove(&i->meter, class, bytes);
}

/* Returns the entry of a frame that arrived at `now`: its lookup ends after the forwarding delay. */
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

/* Takes the first one out; its place is not used again before the next push. */
static inline struct cioq_lookup *lookup_pop(struct cioq *c) {
    struct cioq_lookup *l = &c->lookup[c->lookup_head];
    c->lookup_head = (c->lookup_head + 1) & (c->lookup_size - 1);
    c->next_lookup = --c->lookup_n ? c->lookup[c->lookup_head].at : TIME_NONE;
    return l;
}

#endif
