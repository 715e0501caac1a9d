/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of a capture held back until their time has passed, so that the file is in the order of time.
 *
 * A switch knows when a frame will leave before it leaves, and other frames come and go until then. Frames of one
 * instant are written in the order in which they were put. Cost: O(log n) of the frames held.
 */
#ifndef HEDDLE_WIRE_PCAPNG_QUEUE_H
#define HEDDLE_WIRE_PCAPNG_QUEUE_H

#include "base/heap.h"
#include "wire/pcapng.h"

struct pcapng_held;

struct pcapng_queue {
    struct pcapng_writer *writer;
    struct heap order;        /* numbers, by time */
    struct pcapng_held *held; /* a ring: by number modulo its size, from `oldest` to `next` */
    uint32_t size, oldest, next;
    bool failed; /* since then nothing was written */
    struct diag why;
};

void pcapng_queue_init(struct pcapng_queue *q, struct pcapng_writer *writer); /* begun, and with its interfaces */
/* Takes over `bytes` (malloc'ed), `captured` of them good. */
void pcapng_queue_put(struct pcapng_queue *q, uint32_t interface, time_ps at, enum capture_direction direction,
                      uint8_t *bytes, size_t captured, size_t original);
/* Writes the frames of before `before`; TIME_NONE: all. */
void pcapng_queue_flush(struct pcapng_queue *q, time_ps before);
/* Writes what is left, ends the file and frees everything but the writer. False after filling *d: it is not whole. */
bool pcapng_queue_finish(struct pcapng_queue *q, struct diag *d);

#endif
