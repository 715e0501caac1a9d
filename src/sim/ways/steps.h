/* SPDX-License-Identifier: Apache-2.0 */
/* The steps that several ways have in common. `observed`, known when they are compiled, says whether an observer is shown each
 * frame before it goes on.
 */
#ifndef HEDDLE_SIM_WAYS_STEPS_H
#define HEDDLE_SIM_WAYS_STEPS_H

#include "node/forward.h"
#include "sim/engine/digest.h"
#include "sim/engine/sending.h"

#define STEP static inline __attribute__((always_inline))

/* Carries out what a node did at `now`, after its observer has seen each of it. */
void step_show(struct partition *part, const struct sim_node *n, time_ps now, const struct emission *e, uint32_t count);

STEP void step_carry_out(struct partition *part, const struct sim_node *n, time_ps now, const struct emission *e,
                         uint32_t count, const bool observed) {
    if (observed) {
        step_show(part, n, now, e, count);
        return;
    }
    for (const struct emission *last = e + count; e < last; e++) {
        if (__builtin_expect(e->consumed | e->drop, 0))
            partition_carry_out(part, n, now, e, 1);
        else
            partition_send(part, n->first_port + e->port, e->depart, e->packet);
    }
}

/* Do the work that a switch left after forwarding a frame, and carry it out. `rest` is a copy, so that the compiler can keep the
 * caller's in registers. */
void step_finish(struct partition *part, struct sim_node *n, time_ps at, uint16_t port, uint32_t packet,
                 struct forward_rest rest);
void step_finish_observed(struct partition *part, struct sim_node *n, time_ps at, uint16_t port, uint32_t packet,
                          struct forward_rest rest);

/* Run the events of a switch up to `until`. */
void step_timers(struct partition *part, struct sim_node *n, time_ps until);
void step_timers_observed(struct partition *part, struct sim_node *n, time_ps until);

/* Takes one frame through one switch. */
STEP void step_frame(struct partition *part, struct sim_node *n, time_ps at, uint16_t port, uint32_t packet,
                     const bool observed) {
    struct packet *p = packet_at(&part->pool, packet);
    struct forward_rest rest = {0};
    uint16_t to = 0;
    time_ps depart = 0;
    if (__builtin_expect(switch_next_timer(n->sw) <= at, 0))
        (observed ? step_timers_observed : step_timers)(part, n, at);
    AUDIT_COUNT(part, arrived, n->first_port + port);
    part->digest += digest_frame(at, n->node, port, p, 0);
    if (observed) part->observer->arrival(part->observer, part, n, at, port, packet);
    if (__builtin_expect(!switch_forward(n->sw, at, port, p, &to, &depart, &rest), 0)) {
        if (rest.held == HELD_WAITS) return;
        (observed ? step_finish_observed : step_finish)(part, n, at, port, packet, rest);
        return;
    }
    if (observed) {
        struct emission e = {.depart = depart, .packet = packet, .port = to};
        part->observer->emission(part->observer, part, n, at, &e);
    }
    partition_send(part, n->first_port + to, depart, packet);
}

/* Takes the frames of a batch through their switch, one after the other, and runs its timers before `end`. */
STEP time_ps step_switch(struct partition *part, const struct batch *b, time_ps start, time_ps end,
                         const bool observed) {
    for (uint32_t i = 0; i < b->n; i++)
        step_frame(part, b->node, start + (time_ps)(b->arrival[i].key >> 16), (uint16_t)b->arrival[i].key,
                   b->arrival[i].packet, observed);
    if (__builtin_expect(switch_next_timer(b->node->sw) < end, 0))
        (observed ? step_timers_observed : step_timers)(part, b->node, end - 1);
    return switch_next_timer(b->node->sw);
}

#endif
