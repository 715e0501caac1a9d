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
    *c = (struct credit_class){.limit_bytes = config->queue * WIRE_MIN_BYTES,
                               .evicted = UINT32_MAX,
                               .varies = config->spread > 0,
                               .draws = config->drop == CREDIT_DROP_RANDOM};
    random_init(&c->random, seed, RANDOM_DROP, port);
    c->mark.window = config->mark_window;
    c->mark.stale = config->mark_stale;
    random_init(&c->mark.random, seed, RANDOM_MARK, port);
    credit_limiter_set(&c->limiter, config, rate_bps);
    c->limiter.base = -c->limiter.depth; /* a full bucket */
}

/* Unlinks the credit that has `place` credits before it, and puts it into the list of evicted ones. */
static void queue_evict(struct credit_class *c, struct credit_queue *q, struct packet_pool *pool, uint32_t place) {
    uint32_t before = UINT32_MAX, index = q->head;
    for (; place > 0; place--) {
        before = index;
        index = packet_at(pool, index)->next;
    }
    struct packet *victim = packet_at(pool, index);
    if (before == UINT32_MAX)
        q->head = victim->next;
    else
        packet_at(pool, before)->next = victim->next;
    if (q->tail == index) q->tail = before;
    q->n--;
    q->bytes -= victim->wire_bytes;
    c->waiting--;
    victim->next = c->evicted;
    c->evicted = index;
}

uint32_t credit_class_make_room(struct credit_class *c, struct credit_queue *q, struct packet_pool *pool,
                                uint32_t bytes) {
    uint32_t place = c->draws ? (uint32_t)random_below(&c->random, q->n + 1ull) : q->n, n = 0;
    if (place == q->n) return 0;
    queue_evict(c, q, pool, place);
    for (n = 1; !credit_queue_has_room(c, q, bytes); n++)
        queue_evict(c, q, pool, (uint32_t)random_below(&c->random, q->n));
    return n;
}
