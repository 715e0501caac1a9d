/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/parallel/windows.h"

#include "base/memory.h"
#include "sim/engine/notice.h"
#include "sim/parallel/division.h"

#include <stdlib.h>

time_ps window_end(const struct world *w, const struct wheel *wheel, time_ps start, time_ps epoch) {
    time_ps farthest = start + w->lookahead;
    if (w->n_partitions == 1 || farthest >= epoch) return epoch;
    time_ps edge = wheel_slot_end(wheel, wheel_slot_of(wheel, farthest) - 1);
    return edge > start ? edge : farthest;
}

const char *world_refuses_ranks(const struct world_config *config, uint32_t ranks, uint32_t threads) {
    struct division v;
    division_make(&v, config, ranks, threads);
    uint32_t parts = v.parts;
    division_free(&v);
    return parts < ranks ? "the fabric has fewer pods, or racks, than the run shall have ranks; take fewer" : NULL;
}

struct window_count windows_count(const struct world_config *c, span_ps window) {
    span_ps period = c->switches.balance->needs_board ? min_i64(END_EPOCH, c->board_epoch) : END_EPOCH;
    return (struct window_count){period, window < period ? (period + window - 1) / window : 1};
}

/* Measured: two threads pay from windows of 100 full frames on, such as 116 hosts of 10 Gbps fill in 1.067 us (docs/notebook). More
 * threads were not measured: a thread waits for the last of the others, so each is given more the more there are. */
#define FRAMES_PER_THREAD(threads) (25 * (threads))
/* On several ranks each window ends with messages and a reduction. */
#define FRAMES_PER_THREAD_OF_RANKS 440
#define FULL_FRAME_BITS (FULL_WIRE_BYTES * 8)

/* Returns the sum of the link rates of all hosts that start flows. */
static int64_t senders_bps(const struct world_config *c) {
    const struct fabric *f = c->fabric;
    bool *sends = memory_get(f->n_hosts, sizeof *sends);
    int64_t sum = 0;
    for (uint32_t i = 0; i < c->flows->n; i++) sends[c->flows->flow[i].src] = true;
    for (uint32_t h = 0; h < f->n_hosts; h++)
        if (sends[h]) sum += f->population.nics_bps[h];
    free(sends);
    return sum;
}

static uint64_t window_frames(const struct world_config *c, uint32_t ranks, uint32_t threads, int64_t senders) {
    struct division v;
    division_make(&v, c, ranks, threads);
    span_ps window = v.window;
    division_free(&v);
    return window == TIME_NONE ? 0 : (uint64_t)((int128)senders * window / PS_PER_S / FULL_FRAME_BITS);
}

uint64_t world_window_frames(const struct world_config *c, uint32_t ranks, uint32_t threads) {
    return window_frames(c, ranks, threads, senders_bps(c));
}

/* Returns whether n threads on each rank have enough to do in a window. */
static bool threads_pay(const struct world_config *c, uint32_t ranks, uint32_t n, int64_t senders) {
    uint64_t each = window_frames(c, ranks, n, senders) / ((uint64_t)ranks * n);
    return each >= (ranks > 1 ? FRAMES_PER_THREAD_OF_RANKS : FRAMES_PER_THREAD(n));
}

/* Returns the largest number of threads that each have enough to do in a window. */
uint32_t world_useful_threads(const struct world_config *c, uint32_t ranks) {
    uint32_t most = (c->fabric->n_pods > 1 ? c->fabric->n_pods : c->fabric->n_leaves) / ranks;
    if (c->switches.balance->needs_board) return 1; /* an epoch every microsecond is a barrier every microsecond */
    int64_t senders = senders_bps(c);
    for (uint32_t n = most < MAX_THREADS ? most : MAX_THREADS; n > 1; n--)
        if (threads_pay(c, ranks, n, senders)) return n;
    return 1;
}
