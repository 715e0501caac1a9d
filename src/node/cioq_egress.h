/* SPDX-License-Identifier: Apache-2.0 */
/* Egress queues of a switch with a crossbar whose services are deferred.
 *
 * Deferring saves the event for each frame that leaves. It is possible while the port is easy (node/port_queue.h) and
 * its backlog is below `open_below_bytes`: the queue then has room for every class whatever leaves it, so no pair of the
 * crossbar waits for a service. The services that are overdue are carried out when the queue is read: by a frame that
 * joins it, by a balancer that compares backlogs, and at the end of the slot. The frames of one port still leave in
 * the order of time.
 *
 * At one instant, events of the crossbar precede the service of a port, and arrivals follow it. So an event of the
 * crossbar at `now` carries out the services that start before `now`, an arrival also the services that start at `now`.
 *
 * cioq_harden gives a port its service events back. It is called before a pause frame is sent or obeyed, before the
 * topology changes, and when the backlog passes `open_below_bytes`. It is called for all ports if a match may have left a
 * possible pair unmade, because every event then looks for a pair. cioq_ease defers the services again as soon as the
 * conditions hold.
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

/* Carries out the services of a port that start before `before`. Its queue must not be empty. */
void egress_serve(struct fabric_switch *sw, uint16_t port, time_ps before);
static inline void egress_catch_up(struct fabric_switch *sw, uint16_t port, time_ps before) {
    if (sw->cioq->output[port].port->busy_until < before) egress_serve(sw, port, before);
}

/* Carries out the services that are due before `before` at each port of the set `ports`. */
static inline void egress_catch_up_all(struct fabric_switch *sw, uint64_t ports, time_ps before) {
    for (uint64_t left = sw->cioq->waits & ports; left; left &= left - 1)
        egress_catch_up(sw, (uint16_t)__builtin_ctzll(left), before);
}

/* Gives a port its service events back, after its overdue services; `now` is the time of an event of the crossbar. */
void cioq_harden(struct fabric_switch *sw, uint16_t port, time_ps now);
void cioq_harden_all(struct fabric_switch *sw, uint64_t ports, time_ps now);
/* Defers the services of a port from now on, if the conditions hold. */
void cioq_ease(struct fabric_switch *sw, uint16_t port, time_ps now);

/* Puts a frame into the queue of an easy port, or onto its link. Returns false if the backlog has passed `open_below_bytes`:
 * the port has its service events back then. */
bool egress_put(struct fabric_switch *sw, time_ps now, uint16_t port, uint32_t class, uint32_t index);

#endif
