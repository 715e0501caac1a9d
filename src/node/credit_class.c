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

/* Returns the class whose credit leaves next. */
static uint32_t credit_class_first(const struct credit_class *c) { return 31 - (uint32_t)__builtin_clz(c->filled); }

/* Tells the limiter the size of the first credit. Not needed where all have the same size. */
static void credit_class_ask(struct credit_class *c, struct packet_pool *pool) {
    if (!c->varies || !c->filled) return;
    const struct packet *p = packet_at(pool, c->queue[credit_class_first(c)].head);
    credit_limiter_ask(&c->limiter, p->wire_bytes);
}

static bool queue_has_room(const struct credit_class *c, const struct credit_queue *q, uint32_t bytes) {
    return q->n == 0 || q->bytes + bytes <= c->limit_bytes;
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

/* Makes room for a newcomer in a full queue. Returns how many queued credits were dropped; 0: the newcomer is. */
static uint32_t queue_make_room(struct credit_class *c, struct credit_queue *q, struct packet_pool *pool,
                                uint32_t bytes) {
    uint32_t place = c->draws ? (uint32_t)random_below(&c->random, q->n + 1ull) : q->n, n = 0;
    if (place == q->n) return 0;
    queue_evict(c, q, pool, place);
    for (n = 1; !queue_has_room(c, q, bytes); n++) queue_evict(c, q, pool, (uint32_t)random_below(&c->random, q->n));
    return n;
}

static void queue_append(struct credit_queue *q, struct packet_pool *pool, uint32_t index) {
    struct packet *p = packet_at(pool, index);
    p->next = UINT32_MAX;
    if (q->n++)
        packet_at(pool, q->tail)->next = index;
    else
        q->head = index;
    q->tail = index;
    q->bytes += p->wire_bytes;
}

bool credit_class_push(struct credit_class *c, struct packet_pool *pool, uint32_t index, time_ps now) {
    const struct packet *p = packet_at(pool, index);
    uint32_t k = p->tos >> 5;
    struct credit_queue *q = &c->queue[k];
    bool full = !queue_has_room(c, q, p->wire_bytes);
    uint32_t evicted = full ? queue_make_room(c, q, pool, p->wire_bytes) : 0;
    credit_mark_inject(&c->mark, full && evicted == 0 ? 1 : evicted, now);
    if (full && evicted == 0) return false;
    queue_append(q, pool, index);
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
    q->bytes -= p->wire_bytes;
    if (--q->n == 0) c->filled &= (uint8_t) ~(1u << k);
    c->waiting--;
    credit_limiter_spend(&c->limiter, now);
    credit_mark_leave(&c->mark, p);
    credit_class_ask(c, pool);
    return index;
}
