/* SPDX-License-Identifier: Apache-2.0 */
/* The credit class of a port: a short queue of credits, their limiter, their marking (XP-4, XP-7, SP-1, SP-7).
 *
 * The limiter is a token bucket of wire bytes (AM-9). A credit of 84 bytes may leave once the bucket holds 84; the
 * bucket fills with `share` of the link's rate (84 / (84 + 1538) by default, XP-4) up to `burst`. Kept as time: the
 * bucket holds min(depth, t - base), and a credit takes `gap`, the time in which its tokens come. So
 *
 *     gap   = serialization of its bytes / share        (84 bytes: of 1622 bytes with the default share)
 *     depth = gap of 84 bytes x burst / 84
 *     a credit may leave from base + gap on; then base = max(base, t - depth) + gap
 *
 * Where NICs draw the sizes of credits (credit_config.spread, AM-20), the limiter must know the size of the next one:
 * `credit_limiter_ask` sets it whenever another credit is first.
 *
 * Credits leave highest class first (CMB-9), in the order of arrival within a class. Each class has a queue of its own,
 * limited in wire bytes: `queue` credits of 84 bytes, as in the authors' ns-2 (AM-39). An empty queue takes a credit of
 * any size. A credit that does not fit makes the queue drop one (credit_config.drop, AM-36):
 *
 *     tail     the newcomer
 *     random   one of the n queued credits and the newcomer, each with probability 1 / (n + 1). A queued victim is
 *              unlinked, the newcomer joins the tail, all others keep their order: putting the newcomer into the
 *              victim's place would bias the drops. If sizes differ and the newcomer still does not fit, another of
 *              the queued credits goes, each with equal probability
 *
 * The random stream is (seed, RANDOM_DROP, global port), so a live switch and a replay drop the same credits. Dropped
 * credits take no tokens. If the victim was the first, the limiter waits for the size of the new first one. Cost of a
 * random drop: a walk to the victim. Marking: mech/admit/credit_mark.h.
 */
#ifndef HEDDLE_NODE_CREDIT_CLASS_H
#define HEDDLE_NODE_CREDIT_CLASS_H

#include "mech/admit/credit_mark.h"
#include "mech/schedule/schedule.h"
#include "node/config.h"
#include "wire/packet_pool.h"

struct credit_limiter {
    time_ps base;
    span_ps gap;  /* gap of a credit of 84 bytes */
    span_ps next; /* gap of the credit that leaves next */
    span_ps depth;
};

void credit_limiter_set(struct credit_limiter *l, const struct credit_config *config, int64_t rate_bps);
/* Follows a change of the link's rate: the bucket keeps its tokens, and fills at the new rate from `now` on. */
void credit_limiter_change(struct credit_limiter *l, const struct credit_config *config, int64_t rate_bps, time_ps now);

/* Sets the wire bytes of the credit that leaves next. */
static inline void credit_limiter_ask(struct credit_limiter *l, uint32_t wire_bytes) {
    bool mean = __builtin_expect(wire_bytes == WIRE_MIN_BYTES, 1);
    l->next = mean ? l->gap : (span_ps)((uint64_t)l->gap * wire_bytes / WIRE_MIN_BYTES);
}

static inline time_ps credit_limiter_ready_at(const struct credit_limiter *l) { return l->base + l->next; }

static inline void credit_limiter_spend(struct credit_limiter *l, time_ps now) {
    if (l->base < now - l->depth) l->base = now - l->depth;
    l->base += l->next;
}

struct credit_queue {
    uint32_t head, tail, n;
    uint32_t bytes; /* wire bytes of its credits */
};

struct credit_class {
    /* one cache line: all that a credit touches which passes without waiting, up to the counters of `mark` */
    struct credit_limiter limiter;
    uint32_t waiting;    /* credits in all queues */
    bool varies;         /* credits differ in size */
    bool draws;          /* a full queue draws what it drops */
    uint8_t filled;      /* bit k: queue[k] is not empty */
    uint64_t sent_bytes; /* wire bytes of the credits that have left */
    struct credit_mark mark;
    /* the rest */
    uint32_t limit_bytes; /* most wire bytes of each queue */
    uint32_t evicted;     /* list of queued credits that were dropped for the last newcomer; UINT32_MAX: none */
    struct credit_queue queue[MAX_CLASSES]; /* by priority */
    struct random_stream random;            /* draws of victims */
};
_Static_assert(offsetof(struct credit_class, mark.stale) == 64, "one line");

void credit_class_init(struct credit_class *c, const struct credit_config *config, int64_t rate_bps, uint64_t seed,
                       uint32_t port);

/* ---- queues ---- */

/* Returns the class whose credit leaves next. One must wait. */
static inline uint32_t credit_class_first(const struct credit_class *c) {
    return 31 - (uint32_t)__builtin_clz(c->filled);
}

/* Tells the limiter the size of the first credit. Not needed where all have the same size. */
static inline void credit_class_ask(struct credit_class *c, const struct packet_pool *pool) {
    if (!c->varies || !c->filled) return;
    credit_limiter_ask(&c->limiter, packet_at(pool, c->queue[credit_class_first(c)].head)->wire_bytes);
}

static inline bool credit_queue_has_room(const struct credit_class *c, const struct credit_queue *q, uint32_t bytes) {
    return q->n == 0 || q->bytes + bytes <= c->limit_bytes;
}

static inline void credit_queue_append(struct credit_queue *q, struct packet_pool *pool, struct packet *p,
                                       uint32_t index) {
    p->next = UINT32_MAX;
    if (q->n++)
        packet_at(pool, q->tail)->next = index;
    else
        q->head = index;
    q->tail = index;
    q->bytes += p->wire_bytes;
}

/* Makes room for a newcomer in a full queue. Returns how many queued credits were dropped; 0: the newcomer is. */
uint32_t credit_class_make_room(struct credit_class *c, struct credit_queue *q, struct packet_pool *pool,
                                uint32_t bytes);

/* Queues a credit. False: its queue is full, and the caller drops it. True: the caller also drops the credits that
 * credit_class_evicted returns, before the next push. */
static inline bool credit_class_push(struct credit_class *c, struct packet_pool *pool, uint32_t index, time_ps now) {
    struct packet *p = packet_at(pool, index);
    uint32_t k = p->tos >> 5, evicted = 0;
    struct credit_queue *q = &c->queue[k];
    if (!credit_queue_has_room(c, q, p->wire_bytes)) {
        evicted = credit_class_make_room(c, q, pool, p->wire_bytes);
        credit_mark_inject(&c->mark, evicted ? evicted : 1, now);
        if (!evicted) return false;
    } else {
        credit_mark_inject(&c->mark, 0, now);
    }
    credit_queue_append(q, pool, p, index);
    c->filled |= (uint8_t)(1u << k);
    c->waiting++;
    credit_class_ask(c, pool);
    return true;
}

/* Removes and returns a credit that the last push dropped from its queue; UINT32_MAX: none is left. */
static inline uint32_t credit_class_evicted(struct credit_class *c, const struct packet_pool *pool) {
    uint32_t index = c->evicted;
    if (index != UINT32_MAX) c->evicted = packet_at(pool, index)->next;
    return index;
}
/* Removes and returns the next credit; spends its tokens and may mark it. One must wait, and the limiter be ready. */
static inline uint32_t credit_class_take(struct credit_class *c, struct packet_pool *pool, time_ps now) {
    uint32_t k = credit_class_first(c);
    struct credit_queue *q = &c->queue[k];
    uint32_t index = q->head;
    struct packet *p = packet_at(pool, index);
    q->head = p->next;
    q->bytes -= p->wire_bytes;
    if (--q->n == 0) c->filled &= (uint8_t) ~(1u << k);
    c->waiting--;
    credit_limiter_spend(&c->limiter, now);
    credit_mark_leave(&c->mark, p);
    credit_class_ask(c, pool);
    return index;
}
/* Spends the tokens of a credit that passes without waiting, and may mark it. No credit may wait, and the limiter must be ready for its
 * size. */
static inline void credit_class_leave(struct credit_limiter *l, struct credit_mark *m, struct packet *credit,
                                      time_ps now) {
    credit_mark_leave(m, credit); /* first: the mark depends on the credits before this one (SP-9) */
    credit_limiter_spend(l, now);
    credit_mark_inject(m, false, now);
}

#endif
