/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of a frame that has been through a node: it goes on its next link, or ends. */
#ifndef HEDDLE_SIM_ENGINE_SENDING_H
#define HEDDLE_SIM_ENGINE_SENDING_H

#include "sim/engine/partition.h"

/* Ends the program: a frame would arrive in the slot that is being run. */
_Noreturn void partition_too_early(const struct partition *part, uint32_t global, time_ps at);

/* Returns the slot in which a frame arrives that leaves the port `global`. */
static inline int64_t partition_slot(const struct partition *part, uint32_t global, time_ps at) {
    int64_t slot = wheel_slot_of(&part->wheel, at);
    if (__builtin_expect(slot <= part->wheel.slot, 0)) partition_too_early(part, global, at);
    return slot;
}

/* Puts a frame that leaves the port `global` at `depart` on its link. */
static inline void partition_send(struct partition *part, uint32_t global, time_ps depart, uint32_t packet) {
    const struct hop *hop = &part->hop[global];
    time_ps at = depart + hop->delay;
    AUDIT_COUNT(part, sent, global);
    if (__builtin_expect(hop->partition != part->number, 0)) {
        part->cross(part, global, at, packet);
        return;
    }
    struct flight x = {.packet = packet, .node = hop->node, .port = hop->port};
    flights_add(&part->flights, &part->wheel, &part->pool, x, at, partition_slot(part, global, at));
}

/* Sends a frame of the present slot that the lists carry, and that has no descriptor. */
static inline void partition_send_carried(struct partition *part, uint32_t global, time_ps depart,
                                          const struct packet *frame) {
    const struct hop *hop = &part->hop[global];
    time_ps at = depart + hop->delay;
    AUDIT_COUNT(part, sent, global);
    if (__builtin_expect(hop->partition != part->number, 0)) {
        part->cross(part, global, at, flight_unload(frame, &part->pool));
        return;
    }
    struct flight x = {.node = hop->node, .port = hop->port};
    flights_add_carried(&part->flights, &part->wheel, &part->pool, x, frame, at, partition_slot(part, global, at));
}

/* Counts the end of a frame. Credits and pause frames are counted elsewhere. */
static inline void frame_ended(struct partition *part, const struct packet *p, uint64_t *count) {
    *count += !(p->shape & (SHAPE_CREDIT | SHAPE_PAUSE));
    part->pauses_ended += (p->shape & SHAPE_PAUSE) != 0;
}

/* Carries out what a node did at `now`: frames that it sent, dropped or consumed. */
void partition_carry_out(struct partition *part, const struct sim_node *n, time_ps now, const struct emission *e,
                         uint32_t count);

#endif
