/* SPDX-License-Identifier: Apache-2.0 */
#include "node/cioq_egress.h"

#include "base/memory.h"

void sent_grow(struct cioq *c) {
    c->sent_size = c->sent_size ? 2 * c->sent_size : 64;
    c->sent = memory_grow(c->sent, c->sent_size, sizeof *c->sent);
}

void egress_serve(struct fabric_switch *sw, uint16_t port, time_ps before) {
    struct cioq *c = sw->cioq;
    struct cioq_output *o = &c->output[port];
    while (o->port->busy_until < before) {
        time_ps depart;
        uint32_t index = port_start_next(o->port, o->view, o->extra, o->classes, sw->pool, &depart);
        sent_add(c, index, port, depart);
        if (!o->classes->waiting) {
            c->waits &= ~(1ull << port);
            return;
        }
    }
}

void cioq_harden(struct fabric_switch *sw, uint16_t port, time_ps now) {
    struct cioq *c = sw->cioq;
    uint64_t bit = 1ull << port;
    if (!(c->easy & bit)) return;
    if (c->waits & bit) egress_catch_up(sw, port, now);
    c->easy &= ~bit;
    c->waits &= ~bit;
    switch_note_service(sw, port, now);
}

void cioq_harden_all(struct fabric_switch *sw, uint64_t ports, time_ps now) {
    for (; ports; ports &= ports - 1) cioq_harden(sw, (uint16_t)__builtin_ctzll(ports), now);
}

void cioq_ease(struct fabric_switch *sw, uint16_t port, time_ps now) {
    struct cioq *c = sw->cioq;
    uint64_t bit = 1ull << port;
    bool open = port_queued_bytes(c->output[port].classes) <= c->output[port].open_below_bytes && !(c->narrow & bit);
    if (!open || !port_is_easy(&sw->port[port], &sw->extra[port], now)) return;
    c->easy |= bit;
    if (c->output[port].classes->waiting) c->waits |= bit;
    switch_forget_service(sw, port);
}

bool egress_put(struct fabric_switch *sw, time_ps now, uint16_t port, uint32_t class, uint32_t index) {
    struct cioq *c = sw->cioq;
    struct cioq_output *o = &c->output[port];
    struct port_classes *q = o->classes;
    struct port *p = o->port;
    const struct packet *pkt = packet_at(sw->pool, index);
    int64_t bytes = packet_frame_bytes(pkt);
    if (c->waits >> port & 1) egress_catch_up(sw, port, now);
    if (p->busy_until <= now && !q->waiting) {
        q->max_bytes = max_i64(q->max_bytes, bytes);
        sent_add(c, index, port, port_start(p, o->view, o->extra, pkt, now));
        return true;
    }
    if (port_queued_bytes(q) + c->largest_bytes + bytes > q->max_bytes)
        q->max_bytes = max_i64(q->max_bytes, port_backlog_bytes(p, o->view, now) + bytes);
    port_add(q, sw->pool, index, class, now);
    c->waits |= 1ull << port;
    /* with one queue and no pauses an idle link is served by the next event (forward_queue) */
    if (p->busy_until <= now && !(c->one_queue && !q->pause)) egress_catch_up(sw, port, now + 1);
    if (port_queued_bytes(q) <= o->open_below_bytes) return true;
    cioq_harden(sw, port, now);
    return false;
}
