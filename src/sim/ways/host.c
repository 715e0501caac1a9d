/* SPDX-License-Identifier: Apache-2.0 */
/* The ways through a host: it consumes each frame, and sends what its connections make. A frame arrives when it has come up the
 * stack; on its link it was earlier. */
#include "sim/ways/steps.h"
#include "sim/ways/ways.h"

STEP void host_timers(struct partition *part, struct sim_node *n, time_ps until, const bool observed) {
    struct host_out out;
    for (time_ps at; (at = host_next_timer(n->host)) <= until && at != TIME_NONE;) {
        host_timer(n->host, at, &out);
        step_carry_out(part, n, at, out.e, out.n, observed);
    }
}

static void timers_plain(struct partition *part, struct sim_node *n, time_ps until) {
    host_timers(part, n, until, false);
}

static void timers_observed(struct partition *part, struct sim_node *n, time_ps until) {
    host_timers(part, n, until, true);
}

STEP time_ps host_steps(struct partition *part, const struct batch *b, time_ps start, time_ps end,
                        const bool observed) {
    struct sim_node *n = b->node;
    struct host_out out;
    span_ps stack = part->shared.config->processing_delay;
    for (uint32_t i = 0; i < b->n; i++) {
        time_ps at = start + (time_ps)(b->arrival[i].key >> 16);
        uint32_t packet = b->arrival[i].packet;
        if (host_next_timer(n->host) <= at) (observed ? timers_observed : timers_plain)(part, n, at);
        const struct packet *p = packet_at(&part->pool, packet);
        part->digest += digest_frame(at - stack, n->node, 0, p, 0);
        if (observed) part->observer->arrival(part->observer, part, n, at, 0, packet);
        host_receive(n->host, at, p, &out);
        frame_ended(part, p, &part->delivered);
        AUDIT_COUNT(part, arrived, n->first_port);
        AUDIT_COUNT(part, consumed, n->node);
        packet_put(&part->pool, packet);
        step_carry_out(part, n, at, out.e, out.n, observed);
    }
    if (host_next_timer(n->host) < end) (observed ? timers_observed : timers_plain)(part, n, end - 1);
    return host_next_timer(n->host);
}

time_ps way_host(struct partition *part, const struct batch *b, time_ps start, time_ps end) {
    return host_steps(part, b, start, end, false);
}

time_ps way_host_observed(struct partition *part, const struct batch *b, time_ps start, time_ps end) {
    return host_steps(part, b, start, end, true);
}
