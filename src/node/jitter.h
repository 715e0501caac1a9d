/* SPDX-License-Identifier: Apache-2.0 */
/* Random delay of a host's frames before its NIC (host.jitter, AM-32).
 *
 * Each frame waits a time drawn uniformly from [0, most] between its transport and the NIC, which models the varying
 * time that the host's software takes. Frames never overtake each other: a frame also waits for those made before it.
 * The stream is keyed by (seed, node), so another host does not change the delays of this one.
 *
 * A NIC without queues gets the time at which a frame reaches it. Where the NIC has a queue per class, delayed frames
 * wait in a line before the queues; they take room in the NIC's queue from the beginning.
 */
#ifndef HEDDLE_NODE_JITTER_H
#define HEDDLE_NODE_JITTER_H

#include "base/memory.h"
#include "base/random.h"

#include <stdlib.h>

struct jitter_frame {
    time_ps at; /* time at which it reaches the NIC */
    uint32_t packet;
    uint32_t bytes; /* frame bytes */
};

struct jitter {
    span_ps most;
    time_ps last; /* time at which the last frame reaches the NIC */
    struct random_stream random;
    struct jitter_frame *line; /* ring; its size is a power of two */
    uint32_t head, n, size;
    int64_t bytes; /* frame bytes in the line */
};

static inline void jitter_init(struct jitter *j, span_ps most, uint64_t seed, uint32_t node) {
    *j = (struct jitter){.most = most};
    random_init(&j->random, seed, RANDOM_DELAY, node);
}

/* Returns when a frame made at `now` reaches the NIC; no earlier than the one before. */
static inline time_ps jitter_next(struct jitter *j, time_ps now) {
    time_ps at = now + (time_ps)random_below(&j->random, (uint64_t)j->most + 1);
    if (at > j->last) j->last = at;
    return j->last;
}

/* Puts a frame made at `now` into the line. */
static inline void jitter_push(struct jitter *j, time_ps now, uint32_t packet, uint32_t bytes) {
    if (j->n == j->size) {
        uint32_t size = j->size ? 2 * j->size : 16;
        struct jitter_frame *line = (struct jitter_frame *)memory_get(size, sizeof *line);
        for (uint32_t i = 0; i < j->n; i++) line[i] = j->line[(j->head + i) & (j->size - 1)];
        free(j->line);
        j->line = line;
        j->head = 0;
        j->size = size;
    }
    j->line[(j->head + j->n++) & (j->size - 1)] = (struct jitter_frame){jitter_next(j, now), packet, bytes};
    j->bytes += bytes;
}

/* Returns when the first frame of the line reaches the NIC; TIME_NONE if there is none. */
static inline time_ps jitter_due(const struct jitter *j) { return j->n ? j->line[j->head].at : TIME_NONE; }

/* Takes the first frame out of the line, which must not be empty. */
static inline uint32_t jitter_take(struct jitter *j) {
    struct jitter_frame f = j->line[j->head];
    j->head = (j->head + 1) & (j->size - 1);
    j->n--;
    j->bytes -= f.bytes;
    return f.packet;
}

#endif
