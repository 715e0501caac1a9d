/* SPDX-License-Identifier: Apache-2.0 */
/* Deficit round robin (Shreedhar and Varghese, SIGCOMM 1995): each turn a class gains its quantum, and sends while its
 * deficit covers its first frame. So classes share the link in the ratio of their quanta, whatever their frame
 * sizes. */
#include "mech/schedule/schedule.h"

#include "base/ethernet.h"

static bool drr_may_send(const struct class_queue *queue, uint32_t k, uint32_t stopped) {
    return !class_queue_is_empty(&queue[k]) && !(stopped >> k & 1);
}

static uint32_t drr_pick(struct schedule_state *state, struct class_queue *queue, uint32_t n, uint32_t stopped) {
    uint32_t k = 0;
    while (k < n && !drr_may_send(queue, k, stopped)) k++;
    if (k == n) return SCHEDULE_NOTHING;
    for (;;) {
        struct class_queue *q = &queue[state->turn];
        if (drr_may_send(queue, state->turn, stopped) && q->deficit >= q->first_bytes) {
            if (q->bytes == q->first_bytes) q->deficit = q->bytes; /* its last frame: no deficit is saved while idle */
            return state->turn;
        }
        state->turn = (state->turn + 1) % n;
        if (drr_may_send(queue, state->turn, stopped)) queue[state->turn].deficit += queue[state->turn].quantum;
    }
}

static const struct param drr_quantum = {
    .name = "drr_quantum",
    .type = PARAM_BYTES,
    .def = FULL_FRAME_BYTES,
    .min = 64,
    .max = 1 << 30,
    .doc = "frame bytes a class may send per turn",
    .needs = "classes>1",
    .lacks = "ports have one class (switch.classes)",
    PARAM_IN(struct schedule_config, quantum_bytes),
};
static const struct param *const drr_keys[] = {&schedule_class_reserve, &drr_quantum, NULL};

const struct schedule_ops schedule_drr = {
    .name = "drr",
    .paper = "Shreedhar and Varghese 1995",
    .doc = "deficit round robin: classes share the link by their quanta",
    .keys = drr_keys,
    .classes = true,
    .pick = drr_pick,
};
