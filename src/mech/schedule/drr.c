/* Deficit round robin (Shreedhar and Varghese, SIGCOMM 1995): each turn a class gains its quantum and sends while its
 * deficit covers its first frame, so classes share the link in the ratio of their quanta whatever their frame sizes.
 */
#include "mech/schedule/schedule.h"

static bool drr_has_frames(const struct class_queue *queue, uint32_t n) {
    for (uint32_t k = 0; k < n; k++)
        if (!class_queue_is_empty(&queue[k])) return true;
    return false;
}

static uint32_t drr_pick(struct schedule_state *state, struct class_queue *queue, uint32_t n) {
    if (!drr_has_frames(queue, n)) return SCHEDULE_NOTHING;
    for (;;) {
        struct class_queue *q = &queue[state->turn];
        if (!class_queue_is_empty(q) && q->deficit >= q->first_bytes) {
            if (q->bytes == q->first_bytes) q->deficit = q->bytes; /* its last frame: no credit is saved while idle */
            return state->turn;
        }
        state->turn = (state->turn + 1) % n;
        if (!class_queue_is_empty(&queue[state->turn])) queue[state->turn].deficit += queue[state->turn].quantum;
    }
}

const struct schedule_ops schedule_drr = {
    .name = "drr",
    .paper = "Shreedhar and Varghese 1995",
    .doc = "deficit round robin: classes share the link by their quanta",
    .pick = drr_pick,
};
