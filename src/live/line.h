/* SPDX-License-Identifier: Apache-2.0 */
/* Frames in transit in one direction of a link, in the order of their arrival: a ring that grows.
 *
 * A switch knows when a frame leaves before it does. Until its last bit has arrived at the other end the frame is held
 * here, which keeps rate and delay of the experiment's links whatever carries the bytes.
 */
#ifndef HEDDLE_LIVE_LINE_H
#define HEDDLE_LIVE_LINE_H

#include "base/memory.h"
#include "base/types.h"

#include <stdlib.h>

struct line_frame {
    time_ps at;        /* arrival of its last bit */
    uint32_t index;    /* descriptor (live/frames.h) */
    uint32_t captured; /* bytes present */
    uint32_t length;   /* bytes of the frame */
    bool is_copy;      /* duplicate, made by an impaired link, of a frame on the line */
    const uint8_t *bytes;
};

struct line {
    struct line_frame *frame; /* [size], a power of two; NULL: no frame was ever sent */
    uint32_t head, n, size;
};

static inline void line_fini(struct line *l) { free(l->frame); }

/* Returns frame i of the n frames on the line, in the order of arrival. */
static inline const struct line_frame *line_at(const struct line *l, uint32_t i) {
    return &l->frame[(l->head + i) & (l->size - 1)];
}
static inline const struct line_frame *line_first(const struct line *l) { return l->n ? line_at(l, 0) : NULL; }
static inline time_ps line_next(const struct line *l) { return l->n ? line_first(l)->at : TIME_NONE; }

/* Inserts a frame by its time: at the end, unless the delay of the link changes. Frames of one time keep their
 * order. */
static inline void line_put(struct line *l, const struct line_frame *f) {
    if (l->n == l->size) {
        uint32_t size = l->size ? 2 * l->size : 64;
        struct line_frame *frame = (struct line_frame *)memory_get(size, sizeof *frame);
        for (uint32_t i = 0; i < l->n; i++) frame[i] = l->frame[(l->head + i) & (l->size - 1)];
        free(l->frame);
        l->frame = frame;
        l->head = 0;
        l->size = size;
    }
    uint32_t i = l->n++;
    for (; i > 0 && line_at(l, i - 1)->at > f->at; i--) l->frame[(l->head + i) & (l->size - 1)] = *line_at(l, i - 1);
    l->frame[(l->head + i) & (l->size - 1)] = *f;
}

static inline struct line_frame line_take(struct line *l) {
    struct line_frame f = l->frame[l->head++ & (l->size - 1)];
    l->n--;
    return f;
}

/* Removes the last frame, which is the one put last. */
static inline struct line_frame line_drop_last(struct line *l) { return *line_at(l, --l->n); }

#endif
