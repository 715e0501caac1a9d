/* SPDX-License-Identifier: Apache-2.0 */
/* First in, first out: all classes share one queue. */
#include "mech/schedule/schedule.h"

static uint32_t fifo_pick(struct schedule_state *state, struct class_queue *queue, uint32_t n, uint32_t stopped) {
    (void)state;
    (void)n;
    return class_queue_is_empty(&queue[0]) || stopped & 1 ? SCHEDULE_NOTHING : 0;
}

const struct schedule_ops schedule_fifo = {
    .name = "fifo",
    .paper = "RFC 7567 2",
    .doc = "first in, first out, whatever the class",
    .one_queue = true,
    .stateless = true,
    .pick = fifo_pick,
};
