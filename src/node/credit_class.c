/* SPDX-License-Identifier: Apache-2.0 */
#include "node/credit_class.h"

void credit_limiter_set(struct credit_limiter *l, const struct credit_config *config, int64_t rate_bps) {
    uint128 own = (uint128)WIRE_MIN_BYTES * 8 * PS_PER_S * (uint64_t)PPB;
    l->gap = (span_ps)(own / ((uint128)rate_bps * (uint64_t)config->share_ppb));
    l->next = l->gap;
    l->depth = (span_ps)((int128)l->gap * config->burst_bytes / WIRE_MIN_BYTES);
}

void credit_limiter_change(struct credit_limiter *l, const struct credit_config *config, int64_t rate_bps,
                           time_ps now) {
    span_ps missing = credit_limiter_ready_at(l) - now, gap = l->gap, next = l->next; /* missing tokens, as time */
    credit_limiter_set(l, config, rate_bps);
    l->next = (span_ps)((int128)next * l->gap / gap);
    l->base = now + (span_ps)((int128)missing * l->gap / gap) - l->next;
}

void credit_class_init(struct credit_class *c, const struct credit_config *config, int64_t rate_bps, uint64_t seed,
                       uint32_t port) {
    *c = (struct credit_class){.limit = config->queue, .varies = config->spread > 0};
    c->mark.window = config->mark_window;
    c->mark.stale = config->mark_stale;
    random_init(&c->mark.random, seed, RANDOM_MARK, port);
    credit_limiter_set(&c->limiter, config, rate_bps);
    c->limiter.base = -c->limiter.depth; /* a full bucket */
}

/* Returns the class whose credit leaves next. */
static uint32_t credit_class_first(const struct credit_class *c) { return 31 - (uint32_t)__builtin_clz(c->filled); }

/* Tells the limiter the size of the first credit. Not needed where all have the same size. */
static void credit_class_ask(struct credit_class *c, struct packet_pool *pool) {
    if (!c->varies || !c->filled) return;
    const struct packet *p = packet_at(pool, c->queue[credit_class_first(c)].head);
    credit_limiter_ask(&c->limiter, p->wire_bytes);
}

bool credit_class_push(struct credit_class *c, struct packet_pool *pool, uint32_t index, time_ps now) {
    struct packet *p = packet_at(pool, index);
    uint32_t k = p->tos >> 5;
    struct credit_queue *q = &c->queue[k];
    bool full = q->n == c->limit;
    credit_mark_inject(&c->mark, full, now);
    if (full) {
        c->dropped++;
        return false;
    }
    p->next = UINT32_MAX;
    if (q->n++)
        packet_at(pool, q->tail)->next = index;
    else
        q->head = index;
    q->tail = index;
    c->filled |= (uint8_t)(1u << k);
    c->waiting++;
    credit_class_ask(c, pool);
    return true;
}

uint32_t credit_class_take(struct credit_class *c, struct packet_pool *pool, time_ps now) {
    uint32_t k = credit_class_first(c);
    struct credit_queue *q = &c->queue[k];
    uint32_t index = q->head;
    struct packet *p = packet_at(pool, index);
    q->head = p->next;
    if (--q->n == 0) c->filled &= (uint8_t) ~(1u << k);
    c->waiting--;
    credit_limiter_spend(&c->limiter, now);
    credit_mark_leave(&c->mark, p);
    credit_class_ask(c, pool);
    return index;
}
