/* SPDX-License-Identifier: Apache-2.0 */
/* The way through a switch with a crossbar. It has so many events of its own that it runs the slot by itself (node/cioq.h). */
#include "node/cioq.h"
#include "sim/engine/digest.h"
#include "sim/engine/sending.h"
#include "sim/ways/ways.h"

time_ps way_crossbar(struct partition *part, const struct batch *b, time_ps start, time_ps end) {
    struct sim_node *n = b->node;
    struct cioq_slot slot = {.arrival = b->arrival, .n = b->n, .start = start, .end = end};
    for (uint32_t i = 0; i < b->n; i++) {
        const struct arrival *a = &b->arrival[i];
        uint16_t port = (uint16_t)a->key;
        AUDIT_COUNT(part, arrived, n->first_port + port);
        part->digest +=
            digest_frame(start + (time_ps)(a->key >> 16), n->node, port, packet_at(&part->pool, a->packet), 0);
    }
    const struct cioq *c = n->sw->cioq;
    while (cioq_run(n->sw, &slot)) partition_carry_out(part, n, slot.now, c->sent, c->n_sent);
    for (const struct emission *e = c->sent, *last = e + c->n_sent; e < last; e++)
        partition_send(part, n->first_port + e->port, e->depart, e->packet);
    return switch_next_timer(n->sw);
}
