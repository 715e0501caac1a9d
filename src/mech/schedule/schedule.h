/* SPDX-License-Identifier: Apache-2.0 */
/* Scheduling: the order in which the classes of a port send.
 *
 * A port with several classes keeps a queue per class (struct class_queue). Whenever the link is idle, it asks its
 * schedule which queue's first frame goes next. A port with one class has nothing to ask, and is analytic
 * (node/port.h). Class k of n: schedules that rank send higher classes first; a frame's class is its DSCP >> 3, at most
 * n - 1.
 *
 * To add one: a .c file that ends in its table, and a row in SCHEDULES (schedules.h).
 */
#ifndef HEDDLE_MECH_SCHEDULE_H
#define HEDDLE_MECH_SCHEDULE_H

#include "base/param.h"

#define MAX_CLASSES 8

struct class_queue {
    uint32_t head, tail; /* descriptors, linked through `next`; UINT32_MAX when empty */
    int64_t bytes;       /* frame bytes */
    int64_t first_bytes; /* frame bytes of the first frame, 0 when empty; not kept for stateless schedules */
    int64_t deficit;     /* drr */
    int64_t quantum;     /* drr: frame bytes per turn */
};

struct schedule_state {
    uint32_t turn; /* drr: the class whose turn it is */
};

#define SCHEDULE_NOTHING UINT32_MAX

struct schedule_config {
    const struct schedule_ops *ops;     /* NULL: fifo */
    int64_t class_reserve_bytes;        /* part of the port's buffer kept for each class from the others */
    int64_t quantum_bytes[MAX_CLASSES]; /* drr: frame bytes of each class per turn; 0: a full frame */
};

struct schedule_ops {
    const char *name, *paper, *doc;
    const struct param *const *keys; /* "switch.drr_quantum", in struct schedule_config; ends at NULL; NULL: none */
    bool classes;                    /* a queue for each class */
    bool one_queue;                  /* all classes share queue 0 */
    /* Whether the queues alone decide which frame leaves next. If so, a frame that finds them empty may bypass them. */
    bool stateless;
    /* Returns the class whose first frame leaves next, or SCHEDULE_NOTHING. Classes in `stopped` (bit k: class k) are
     * paused and start no frame. The port takes the frame and lowers the deficit. */
    uint32_t (*pick)(struct schedule_state *state, struct class_queue *queue, uint32_t n, uint32_t stopped);
};

const struct schedule_ops *const *schedules(size_t *n);
const struct schedule_ops *schedule_find(const char *name); /* NULL if unknown */
extern const struct schedule_ops schedule_fifo;
/* Returns the schedule in force; fifo unless one is set. */
static inline const struct schedule_ops *schedule_of(const struct schedule_config *s) {
    return s->ops ? s->ops : &schedule_fifo;
}

/* The key that all schedules with a queue for each class share. */
extern const struct param schedule_class_reserve;

static inline bool class_queue_is_empty(const struct class_queue *q) { return q->head == UINT32_MAX; }

#endif
