/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/pcapng_queue.h"

#include <string.h>

#define LEAST_SIZE 256u

struct pcapng_held {
    time_ps at;
    uint8_t *bytes; /* NULL: written, or never set */
    size_t captured, original;
    uint32_t interface;
    enum capture_direction direction;
};

void pcapng_queue_init(struct pcapng_queue *q, struct pcapng_writer *writer) {
    *q = (struct pcapng_queue){.writer = writer, .size = LEAST_SIZE};
    q->held = memory_get(q->size, sizeof *q->held);
}

static struct pcapng_held *queue_at(const struct pcapng_queue *q, uint32_t number) {
    return &q->held[number & (q->size - 1)];
}

static void queue_grow(struct pcapng_queue *q) {
    struct pcapng_queue old = *q;
    q->size *= 2;
    q->held = memory_get(q->size, sizeof *q->held);
    for (uint32_t i = q->oldest; i != q->next; i++) *queue_at(q, i) = *queue_at(&old, i);
    free(old.held);
}

void pcapng_queue_put(struct pcapng_queue *q, uint32_t interface, time_ps at, enum capture_direction direction,
                      uint8_t *bytes, size_t captured, size_t original) {
    if (q->next - q->oldest == q->size) queue_grow(q);
    *queue_at(q, q->next) = (struct pcapng_held){.at = at,
                                                 .bytes = bytes,
                                                 .captured = captured,
                                                 .original = original,
                                                 .interface = interface,
                                                 .direction = direction};
    heap_push(&q->order, at, q->next++);
}

static void queue_write(struct pcapng_queue *q, struct pcapng_held *x) {
    if (!q->failed)
        q->failed =
            !pcapng_write(q->writer, x->interface, x->at, x->direction, x->bytes, x->captured, x->original, &q->why);
    free(x->bytes);
    x->bytes = NULL;
}

void pcapng_queue_flush(struct pcapng_queue *q, time_ps before) {
    for (const struct heap_entry *e; (e = heap_top(&q->order)) && e->key < before;)
        queue_write(q, queue_at(q, heap_pop(&q->order).id));
    while (q->oldest != q->next && !queue_at(q, q->oldest)->bytes) q->oldest++;
    if (q->oldest == q->next) q->oldest = q->next = 0; /* numbers must not wrap between two held frames */
}

bool pcapng_queue_finish(struct pcapng_queue *q, struct diag *d) {
    pcapng_queue_flush(q, TIME_NONE);
    if (!q->failed) q->failed = !pcapng_finish(q->writer, &q->why);
    heap_fini(&q->order);
    free(q->held);
    if (q->failed) *d = q->why;
    return !q->failed;
}
