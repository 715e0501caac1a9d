/* SPDX-License-Identifier: Apache-2.0 */
#include "node/cioq_egress.h"

static void cioq_open_to(struct cioq *c, uint32_t class, uint64_t bit, bool open) {
    c->open[class] = open ? c->open[class] | bit : c->open[class] & ~bit;
}

/* The frame of data that crosses to an output; none: no bytes. Credits take no room. */
struct crossing {
    int64_t bytes;
    uint32_t class;
};

static struct crossing crossing_to(const struct cioq *c, uint16_t port) {
    uint64_t busy = c->idle_out >> port & 1 ? 0 : c->all & ~c->idle_in;
    for (; busy; busy &= busy - 1) {
        const struct cioq_input *i = &c->input[__builtin_ctzll(busy)];
        if (i->out == port && i->class != CROSSBAR_CREDIT_CLASS) return (struct crossing){i->bytes, i->class};
    }
    return (struct crossing){0, 0};
}

/* Notes for each class whether a frame of the largest size fits: into `room`, the free bytes of the queue, less what is
 * reserved for the classes above it and not used by them. The highest class therefore has the most room. */
static void cioq_open_by_class(struct cioq *c, const struct port_classes *q, uint16_t port, int64_t room,
                               struct crossing crossing) {
    uint64_t bit = 1ull << port;
    c->narrow &= ~bit;
    for (uint32_t k = q->n; k-- > 0;) {
        bool open = room >= c->largest_bytes;
        cioq_open_to(c, k, bit, open);
        if (!open) c->narrow |= bit;
        int64_t taken = q->queue[k].bytes + (crossing.class == k ? crossing.bytes : 0);
        if (taken < c->config.reserve_bytes) room -= c->config.reserve_bytes - taken;
    }
}

bool cioq_open_narrow(struct fabric_switch *sw, uint16_t port, time_ps now) {
    struct cioq *c = sw->cioq;
    const struct port_classes *q = sw->extra[port].classes;
    bool was_narrow = c->narrow >> port & 1;
    int64_t on_wire = sw->port[port].busy_until > now ? c->largest_bytes : 0;
    struct crossing crossing = crossing_to(c, port);
    int64_t room = q->limit_bytes - port_queued_bytes(q) - on_wire - crossing.bytes;
    /* with room for a frame and the reserves of all classes every class has room, which is the common case */
    if (was_narrow || room < c->largest_bytes + (q->n - 1) * c->config.reserve_bytes)
        cioq_open_by_class(c, q, port, room, crossing);
    return was_narrow;
}

void cioq_make_room(struct fabric_switch *sw, time_ps now, uint16_t port, const struct packet *p,
                    struct switch_out *out) {
    struct port_classes *q = sw->extra[port].classes;
    if (!q->config.push_out || p->shape & SHAPE_CREDIT) return;
    int64_t over = port_backlog_bytes(&sw->port[port], &sw->view[port], now) + packet_frame_bytes(p) - q->limit_bytes;
    if (over > port_bytes_below(q, p)) return; /* it would not fit even without all lower classes */
    while (port_backlog_bytes(&sw->port[port], &sw->view[port], now) + packet_frame_bytes(p) > q->limit_bytes) {
        uint32_t last = port_push_out(&sw->extra[port], sw->pool, p, now);
        if (last == UINT32_MAX) return;
        switch_refuse(sw, now, port, last, DROP_BUFFER, out);
        if (out->n >= SWITCH_MAX_OUT - 3) return;
    }
}
