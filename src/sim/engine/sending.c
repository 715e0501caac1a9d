/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/sending.h"

#include "sim/engine/digest.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void partition_too_early(const struct partition *part, uint32_t global, time_ps at) {
    const struct place_port *port = &part->shared.fabric->paths.port[global];
    fprintf(stderr,
            "heddle: internal error: a frame from node %u to node %u arrives at %lld ps, within the present slot\n",
            port->node, port->neighbour, (long long)at);
    abort();
}

static void partition_drop(struct partition *part, const struct sim_node *n, time_ps now, const struct emission *e) {
    part->digest += digest_frame(now, n->node, e->port, packet_at(&part->pool, e->packet), e->drop);
    frame_ended(part, packet_at(&part->pool, e->packet), &part->dropped);
    packet_put(&part->pool, e->packet);
}

void partition_carry_out(struct partition *part, const struct sim_node *n, time_ps now, const struct emission *e,
                         uint32_t count) {
    for (uint32_t i = 0; i < count; i++, e++) {
        if (__builtin_expect(e->consumed, 0)) {
            frame_ended(part, packet_at(&part->pool, e->packet), &part->delivered);
            AUDIT_COUNT(part, consumed, n->node);
            packet_put(&part->pool, e->packet);
        } else if (__builtin_expect(e->drop, 0)) {
            partition_drop(part, n, now, e);
        } else {
            partition_send(part, n->first_port + e->port, e->depart, e->packet);
        }
    }
}
