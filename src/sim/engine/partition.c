/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/partition.h"

#include "node/host_nics.h"

void partition_accept(struct partition *part, struct flight x, time_ps at) {
    flights_add(&part->flights, &part->wheel, &part->pool, x, at, wheel_slot_of(&part->wheel, at));
}

void partition_mark_timer(struct partition *part, struct sim_node *n, time_ps at) {
    int64_t slot = max_i64(wheel_slot_of(&part->wheel, at), part->wheel.slot);
    if (slot >= n->timer_slot) return;
    n->timer_slot = slot;
    wheel_mark_slot(&part->wheel, slot, (uint32_t)(n - part->nodes));
}

void partition_mark_next(struct partition *part, struct sim_node *n) {
    time_ps at = n->is_host ? host_nics_next_timer(n->host) : switch_next_timer(n->sw);
    if (at != TIME_NONE) partition_mark_timer(part, n, at);
}

time_ps partition_next(const struct partition *part) {
    int64_t slot = min_i64(wheel_next(&part->wheel), part->flights.far_slot);
    return slot == SLOT_NONE ? TIME_NONE : wheel_slot_end(&part->wheel, slot - 1);
}
