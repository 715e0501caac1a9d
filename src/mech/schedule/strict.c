/* SPDX-License-Identifier: Apache-2.0 */
/* Strict priority: the highest class that has a frame; a frame on the wire is never interrupted (DeTail 5.2). */
#include "mech/schedule/schedule.h"

static uint32_t strict_pick(struct schedule_state *state, struct class_queue *queue, uint32_t n, uint32_t stopped) {
    (void)state;
    for (uint32_t k = n; k-- > 0;)
        if (!class_queue_is_empty(&queue[k]) && !(stopped >> k & 1)) return k;
    return SCHEDULE_NOTHING;
}

static const struct param *const strict_keys[] = {&schedule_class_reserve, NULL};

const struct schedule_ops schedule_strict = {
    .name = "strict",
    .paper = "DeTail 5.2",
    .doc = "the highest class that has a frame leaves first",
    .keys = strict_keys,
    .classes = true,
    .stateless = true,
    .pick = strict_pick,
};
