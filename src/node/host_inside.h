/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files of a host only (node/host.h).
 *
 * host.c: events and the NIC; host_setup.c: what is made and freed; host_starts.c: which flow starts next;
 * host_ends.c: connections that open and close, and frames for those that have closed.
 */
#ifndef HEDDLE_NODE_HOST_INSIDE_H
#define HEDDLE_NODE_HOST_INSIDE_H

#include "node/host.h"

#define HOST_TTL 64 /* of frames that it makes */

/* ---- host_setup.c ---- */

/* Sets how long before its link is idle the NIC may take a frame; to be called when its rate has changed. */
void host_rate_is_set(struct host *h);

/* ---- host_starts.c ---- */

/* Sets h->start_at. */
void host_foresee_start(struct host *h);
/* Returns the flow that starts at h->start_at, and takes it off. */
uint32_t host_take_start(struct host *h);
/* A flow has come to its end here: the gate needs one less, and opens after its last. GATE_NONE: there is no gate. */
void host_feed(struct host *h, uint32_t gate, time_ps now);

/* ---- host_ends.c ---- */

/* Opens one end of a flow; its transport may have something to send at once. */
struct connection *connection_open(struct host *h, uint32_t flow, enum transport_side side, time_ps now);
/* Closes it without a word to the peer. */
void connection_close(struct host *h, struct connection *c);
/* Answers a frame of a flow whose end here has closed, or lets it go. */
void host_receive_closed(struct host *h, time_ps now, const struct packet *p, struct host_out *out);

/* ---- host.c ---- */

/* Sends a frame of no connection. */
void nic_send_beside(struct host *h, uint32_t index, time_ps now, struct host_out *out);

/* ---- who wants to send ---- */

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

/* The first of the highest of `classes`, which have some. Where thousands wait, the lines of the one after it come
 * while the NIC sends. */
static inline struct connection *ready_take(struct host *h, uint32_t classes) {
    uint32_t k = 31 - (uint32_t)__builtin_clz(classes);
    struct connection *c = h->ready[k].head;
    ready_pop(h, k);
    if (__builtin_expect(h->shared->prefetches, 0) && c->ready_next)
        connection_prefetch(c->ready_next, h->shared->prefetch_sender);
    return c;
}

#endif
