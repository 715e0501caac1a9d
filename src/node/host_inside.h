/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of a host (node/host.h) and by nobody else.
 *
 * host.c handles events and the NIC, host_setup.c makes and frees a host, host_starts.c finds the flow that starts
 * next, host_ends.c opens and closes connections and handles frames of flows whose end here has closed, host_nics.c is for
 * hosts with several NICs.
 */
#ifndef HEDDLE_NODE_HOST_INSIDE_H
#define HEDDLE_NODE_HOST_INSIDE_H

#include "node/host_nics.h"

#define HOST_TTL 64 /* IPv4 TTL of the frames that a host makes */

/* ---- host_setup.c ---- */

/* Sets h->nic_ahead from the rate of the NIC; called again when the rate has changed. */
void host_rate_is_set(struct host *h);

/* ---- host_starts.c ---- */

/* Sets h->start_at to the start of the next flow, listed or gated, or to the next instant at which a gate begins or ends. */
void host_foresee_start(struct host *h);
/* Returns the flow whose first frame may be made at h->start_at, and removes it from those to come; FLOW_NONE: a gate began
 * or ended then, or a flow started that waits for another one of its connection. */
uint32_t host_take_start(struct host *h);
/* Makes a flow that has waited for its connection the next that host_take_start returns. */
void host_go_on(struct host *h, uint32_t flow, time_ps now);
/* Counts the end of a flow for each gate of `fed` (base/gates.h). */
void host_feed(struct host *h, struct fed_gates fed, time_ps now);

/* ---- host_ends.c ---- */

/* Opens one end of a flow and puts it into the ready list if its transport has something to send. */
struct connection *connection_open(struct host *h, uint32_t flow, enum transport_side side, time_ps now);
/* Sets the base round trip of the connection's hosts, for its transport. */
void connection_set_trip(struct host *h, struct connection *c);
/* Frees an end of a flow; no frame tells the peer. */
void connection_close(struct host *h, struct connection *c);
/* Handles a frame of a flow whose end here has closed. A closed receiver answers from the frame alone; a closed sender
 * answers credits and FINs and ignores all other frames. */
void host_receive_closed(struct host *h, time_ps now, const struct packet *p, struct host_out *out);

/* ---- host_nics.c ---- */

/* Returns the pair of NICs of a flow that opens or looks for another pair now. */
struct nic_ends host_ends_now(const struct host_shared *s, uint32_t flow, time_ps now);
/* Adds an open end to those of its host, and removes it; only where hosts have several NICs (host_shared.chain). */
void host_chain_add(struct host *h, const struct connection *c);
void host_chain_remove(struct host *h, const struct connection *c);
/* Moves the open ends of a host to the NICs that they use from now on. */
void host_rebind(struct host *first, time_ps now);

/* ---- host.c ---- */

/* Sends a frame that belongs to no open connection. */
void nic_send_beside(struct host *h, uint32_t index, time_ps now, struct host_out *out);

/* ---- connections that have something to send ---- */

static inline void ready_add(struct host *h, struct connection *c) {
    struct ready_list *list = &h->ready[c->priority];
    c->ready = true;
    c->ready_next = NULL;
    c->ready_before = list->tail;
    if (h->ready_classes >> c->priority & 1)
        list->tail->ready_next = c;
    else
        list->head = c;
    list->tail = c;
    h->ready_classes |= (uint8_t)(1u << c->priority);
}

static inline void ready_pop(struct host *h, uint32_t k) {
    struct connection *c = h->ready[k].head;
    h->ready[k].head = c->ready_next;
    if (!c->ready_next) h->ready_classes &= (uint8_t) ~(1u << k);
    c->ready = false;
}

void ready_remove(struct host *h, struct connection *c);

/* Removes and returns the first connection of the highest class of `classes`, none of which may be empty. Prefetches
 * the connection behind it, so that its cache lines arrive while the NIC sends. */
static inline struct connection *ready_take(struct host *h, uint32_t classes) {
    uint32_t k = 31 - (uint32_t)__builtin_clz(classes);
    struct connection *c = h->ready[k].head;
    ready_pop(h, k);
    if (__builtin_expect(h->shared->prefetches, 0) && c->ready_next)
        connection_prefetch(c->ready_next, h->shared->prefetch_sender);
    return c;
}

#endif
