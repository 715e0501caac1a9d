/* SPDX-License-Identifier: Apache-2.0 */
/* Holds frames of a capture back until their time has passed, so that the file is in the order of time.
 *
 * A switch knows when a frame will leave before it leaves, and other frames arrive and leave until then. Frames of one
 * instant are written in the order of pcapng_queue_put. Cost: O(log n) of the frames held.
 */
#ifndef HEDDLE_WIRE_PCAPNG_QUEUE_H
#define HEDDLE_WIRE_PCAPNG_QUEUE_H

#include "base/heap.h"
#include "wire/pcapng.h"

struct pcapng_held;

struct pcapng_queue {
    struct pcapng_writer *writer;
    struct heap order;        /* numbers, by time */
    struct pcapng_held *held; /* ring indexed by number modulo its size, from `oldest` to `next` */
    uint32_t size, oldest, next;
    bool failed; /* a write failed, and nothing was written since */
    struct diag why;
};

void pcapng_queue_init(struct pcapng_queue *q, struct pcapng_writer *writer); /* the writer has its interfaces */
/* Takes over `bytes` (malloc'ed), of which `captured` are valid. */
void pcapng_queue_put(struct pcapng_queue *q, uint32_t interface, time_ps at, enum capture_direction direction,
                      uint8_t *bytes, size_t captured, size_t original);
/* Writes the frames before time `before`; TIME_NONE: all. */
void pcapng_queue_flush(struct pcapng_queue *q, time_ps before);
/* Writes the remaining frames, ends the file and frees everything but the writer. Returns false after filling *d: the
 * file is incomplete. */
bool pcapng_queue_finish(struct pcapng_queue *q, struct diag *d);

#endif
