/* SPDX-License-Identifier: Apache-2.0 */
/* The ways through a host with several NICs: as host.c, but frames have the port by which they came, and events that of their NIC. */
#include "node/host_nics.h"
#include "sim/ways/steps.h"
#include "sim/ways/ways.h"

STEP void nics_timers(struct partition *part, struct sim_node *n, time_ps until, const bool observed) {
    struct host_out out;
    for (time_ps at; (at = host_nics_next_timer(n->host)) <= until && at != TIME_NONE;) {
        host_nics_timer(n->host, at, &out);
        step_carry_out(part, n, at, out.e, out.n, observed);
    }
}

STEP time_ps nics_steps(struct partition *part, const struct batch *b, time_ps start, time_ps end,
                        const bool observed) {
    struct sim_node *n = b->node;
    struct host_out out;
    span_ps stack = part->shared.config->processing_delay;
    for (uint32_t i = 0; i < b->n; i++) {
        time_ps at = start + (time_ps)(b->arrival[i].key >> 16);
        uint16_t port = (uint16_t)b->arrival[i].key;
        uint32_t packet = b->arrival[i].packet;
        nics_timers(part, n, at, observed);
        const struct packet *p = packet_at(&part->pool, packet);
        part->digest += digest_frame(at - stack, n->node, port, p, 0);
        if (observed) part->observer->arrival(part->observer, part, n, at, port, packet);
        host_nics_receive(n->host, port, at, p, &out);
        frame_ended(part, p, &part->delivered);
        AUDIT_COUNT(part, arrived, n->first_port + port);
        AUDIT_COUNT(part, consumed, n->node);
        packet_put(&part->pool, packet);
        step_carry_out(part, n, at, out.e, out.n, observed);
    }
    nics_timers(part, n, end - 1, observed);
    return host_nics_next_timer(n->host);
}

time_ps way_nics(struct partition *part, const struct batch *b, time_ps start, time_ps end) {
    return nics_steps(part, b, start, end, false);
}

time_ps way_nics_observed(struct partition *part, const struct batch *b, time_ps start, time_ps end) {
    return nics_steps(part, b, start, end, true);
}
