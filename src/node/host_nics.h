/* SPDX-License-Identifier: Apache-2.0 */
/* A host with several NICs.
 *
 * Each NIC is a struct host of its own, and the NICs of one host lie side by side in the order of its ports:
 *
 *     NIC 0   port, queue, limiter, ends bound to it   + the starts, gates and lines of the whole host
 *     NIC 1   port, queue, limiter, ends bound to it
 *     ..
 *
 * So a host with one NIC is a plain struct host, and its frames meet nothing of what follows. The driver of a host with several
 * calls the functions below instead of host_receive and host_timer, and finds in `out` the port of each frame.
 *
 * Ends. A flow is bound to a pair of NICs, one at each host, when an end opens (fabric/nics.h has the choice). The NIC of an end is
 * the one whose address its frames bear. A frame is handled by the NIC of its end, whatever port it came by; a pause frame
 * by the NIC that it came by. Messages of one connection (base/lines.h) have one pair.
 * Failures. At EVENT_NICS the host looks at all its open ends and moves those whose pair has changed: they leave the lists of
 * one NIC, join those of another, and send from its address to the new one of the peer. Windows and rates are kept, as for
 * the flows of a bond. Frames in the queue of a dead NIC are lost. SprayPass keeps the number of paths with which it opened.
 * Order at one instant: NICs by their number, then as in a host with one.
 *
 * Cost: an event looks at all NICs of its host; an open end takes 8 more bytes for each side.
 */
#ifndef HEDDLE_NODE_HOST_NICS_H
#define HEDDLE_NODE_HOST_NICS_H

#include "fabric/nics.h"
#include "node/host.h"

/* Returns NIC 0 of the host of a NIC. */
static inline struct host *host_first(struct host *h) { return h - h->nic; }

/* What the NICs of flows follow from. */
struct nic_binding {
    const struct fabric *fabric;
    const struct host_config *config;
    const struct flow_lines *lines; /* NULL: none */
    uint64_t seed;
};
/* Returns the pair of NICs of a flow, whose number in the run is `number`. nic_binding_find is for fabrics in which hosts have
 * several. */
struct nic_ends nic_binding_find(const struct nic_binding *b, const struct flow *f, uint32_t number, time_ps now);
static inline struct nic_ends nic_binding_of(const struct nic_binding *b, const struct flow *f, uint32_t number,
                                             time_ps now) {
    if (__builtin_expect(fabric_is_multihomed(b->fabric), 0)) return nic_binding_find(b, f, number, now);
    return (struct nic_ends){f->src, f->dst};
}

/* The rest is for hosts with several NICs; `first` is NIC 0. */

/* Handles a frame that has arrived at a port of the host, as host_receive does. */
void host_nics_receive(struct host *first, uint16_t port, time_ps now, const struct packet *p, struct host_out *out);
/* Handles the event of any NIC that is due first. */
void host_nics_timer(struct host *first, time_ps now, struct host_out *out);
time_ps host_nics_next_timer(const struct host *first);

/* Return the NIC to which an end is bound, and the NIC to which an end of this flow is bound that opens now. */
struct host *host_nic_of(struct host *first, const struct connection *c);
struct host *host_nic_for(struct host *first, uint32_t flow, enum transport_side side, time_ps now);

#endif
