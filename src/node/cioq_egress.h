/* SPDX-License-Identifier: Apache-2.0 */
/* Egress queues of a switch with a crossbar that need no events of their own.
 *
 * While an egress port is easy (node/port_queue.h) and its queue ample, what leaves it changes nothing for anybody but
 * those who read its queue: it stays open to all classes, so no pair of the crossbar waits for it. Its services are
 * then made up for when somebody looks: a frame that joins the queue, a balancer that asks how full it is, the end of
 * the slot. All of them come in the order of time at that port, which is all that can be seen of it.
 *
 * At one instant an event of the crossbar comes before the service of a port, an arrival after it. So whoever looks at
 * `now` makes up for what starts before `now`, an arrival for what starts up to it.
 *
 * A port leaves this state (cioq_harden) before anything else is done to it: a pause frame comes or goes, the topology
 * changes, its queue is ample no more; or when a pair that could be made may be left undone after a match, as then
 * every event looks for one. It comes back (cioq_ease) when it is looked at next and may.
 */
#ifndef HEDDLE_NODE_CIOQ_EGRESS_H
#define HEDDLE_NODE_CIOQ_EGRESS_H

#include "node/cioq_inside.h"

void sent_grow(struct cioq *c);

static inline void sent_add(struct cioq *c, uint32_t packet, uint16_t port, time_ps depart) {
    if (__builtin_expect(c->n_sent == c->sent_size, 0)) sent_grow(c);
    c->sent[c->n_sent++] = (struct emission){.depart = depart, .packet = packet, .port = port};
}

static inline bool cioq_is_easy(const struct cioq *c, uint16_t port) { return c->easy >> port & 1; }

/* Makes up for what has started before `before`; frames wait. */
static inline void egress_catch_up(struct fabric_switch *sw, uint16_t port, time_ps before) {
    struct cioq *c = sw->cioq;
    struct port *p = &sw->port[port];
    struct port_classes *q = c->output[port].classes;
    if (p->busy_until >= before) return;
    const struct port_view *v = &sw->view[port];
    struct port_extra *x = &sw->extra[port];
    struct packet_pool *pool = sw->pool;
    while (p->busy_until < before) {
        time_ps depart;
        uint32_t index = port_start_next(p, v, x, q, pool, &depart);
        sent_add(c, index, port, depart);
        if (!q->waiting) {
            c->waits &= ~(1ull << port);
            return;
        }
    }
}

/* The same for all of `ports`. */
static inline void egress_catch_up_all(struct fabric_switch *sw, uint64_t ports, time_ps before) {
    for (uint64_t left = sw->cioq->waits & ports; left; left &= left - 1)
        egress_catch_up(sw, (uint16_t)__builtin_ctzll(left), before);
}

/* Back to service events; `now` is that of an event of the crossbar. */
void cioq_harden(struct fabric_switch *sw, uint16_t port, time_ps now);
void cioq_harden_all(struct fabric_switch *sw, uint64_t ports, time_ps now);
/* May it do without? Then it does. */
void cioq_ease(struct fabric_switch *sw, uint16_t port, time_ps now);

/* A frame joins the queue of an easy port, or starts at once. False: the queue is ample no more, and the port easy no
 * more. */
bool egress_put(struct fabric_switch *sw, time_ps now, uint16_t port, uint32_t class, uint32_t index);

#endif
