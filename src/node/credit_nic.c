/* SPDX-License-Identifier: Apache-2.0 */
#include "node/credit_nic.h"

#include "base/memory.h"
#include "node/host.h"

#include <stdlib.h>

/* Draws the size of the next credit, uniform in 84 +- spread bytes, and tells it to the limiter. */
static void draw_size(struct credit_nic *n) {
    n->next_bytes = CREDIT_WIRE_BYTES;
    if (n->spread == 0) return;
    n->next_bytes += (uint16_t)(random_below(&n->random, 2ull * n->spread + 1) - n->spread);
    credit_limiter_ask(&n->limiter, n->next_bytes);
}

/* Gives a credit that leaves the size drawn for it, marks it, spends its tokens, and draws the next size. */
static void nic_leave(struct credit_nic *n, struct packet *credit, time_ps now) {
    credit->wire_bytes = n->next_bytes;
    credit_class_leave(&n->limiter, &n->mark, credit, now);
    draw_size(n);
}

struct credit_nic *credit_nic_create(const struct credit_config *config, int64_t rate_bps, uint64_t seed, uint32_t node,
                                     uint32_t port) {
    if (!config->on) return NULL;
    struct credit_nic *n = memory_get(1, sizeof *n);
    deadlines_init(&n->later, offsetof(struct connection, credit_place));
    n->mark.window = config->mark_window;
    n->mark.stale = config->mark_stale;
    random_init(&n->mark.random, seed, RANDOM_MARK, port);
    random_init(&n->random, seed, RANDOM_CREDIT, node);
    for (uint32_t i = 0; i < CREDIT_DRAWS; i++) n->draw[i] = random_u32(&n->random);
    credit_limiter_set(&n->limiter, config, rate_bps);
    n->limiter.base = -n->limiter.depth;
    n->spread = config->spread;
    draw_size(n);
    return n;
}

void credit_nic_destroy(struct credit_nic *n) {
    if (!n) return;
    deadlines_fini(&n->later);
    for (uint32_t k = 0; k < MAX_CLASSES; k++) free(n->due[k].at);
    free(n);
}

void credit_nic_set_rate(struct credit_nic *n, const struct credit_config *config, int64_t rate_bps, time_ps now) {
    credit_limiter_change(&n->limiter, config, rate_bps, now);
}

uint64_t credit_nic_bytes(const struct credit_nic *n) {
    uint64_t places = 0;
    for (uint32_t k = 0; k < MAX_CLASSES; k++) places += n->due[k].size;
    return sizeof *n + deadlines_bytes(&n->later) + places * sizeof(struct connection *);
}

/* ---- the two sets ---- */

static void set_room(struct credit_set *s) {
    if (s->n < s->size) return;
    s->size = s->size ? 2 * s->size : 4;
    s->at = memory_grow(s->at, s->size, sizeof(struct connection *));
}

static void later_add(struct credit_nic *n, struct connection *c) {
    c->credit_stand = CREDIT_LATER;
    deadlines_add(&n->later, c, c->credit_at);
}

static void later_remove(struct credit_nic *n, struct connection *c) {
    c->credit_stand = CREDIT_NOWHERE;
    deadlines_remove(&n->later, c);
}

static void due_add(struct credit_nic *n, struct connection *c) {
    struct credit_set *s = &n->due[c->priority];
    set_room(s);
    c->credit_stand = CREDIT_DUE;
    c->credit_place = s->n;
    s->at[s->n++] = c;
    n->due_classes |= (uint8_t)(1u << c->priority);
}

static void due_remove(struct credit_nic *n, struct connection *c) {
    struct credit_set *s = &n->due[c->priority];
    struct connection *last = s->at[--s->n];
    s->at[c->credit_place] = last;
    last->credit_place = c->credit_place;
    c->credit_stand = CREDIT_NOWHERE;
    if (s->n == 0) n->due_classes &= (uint8_t) ~(1u << c->priority);
}

/* ---- events ---- */

void credit_nic_arm(struct credit_nic *n, struct connection *c, time_ps at) {
    if (c->credit_stand == CREDIT_LATER) {
        if (at == c->credit_at) return;
        c->credit_at = at;
        if (at != TIME_NONE)
            deadlines_move(&n->later, c, at);
        else
            later_remove(n, c);
        return;
    }
    if (c->credit_stand == CREDIT_DUE) {
        if (at <= c->credit_at) return; /* it stays due */
        due_remove(n, c);
    }
    c->credit_at = at;
    if (at != TIME_NONE) later_add(n, c);
}

static void credit_nic_come_due(struct credit_nic *n, time_ps now) {
    while (deadlines_next(&n->later) <= now) {
        struct connection *c = n->later.entry[0].of;
        later_remove(n, c);
        due_add(n, c);
    }
}

/* Returns a number below n from a random number, each with equal probability. */
static uint32_t draw_of(uint32_t draw, uint32_t n) { return (uint32_t)((uint64_t)draw * n >> 32); }

/* Takes the random number of this pick, and draws another one ahead. */
static uint32_t draw_take(struct credit_nic *n) {
    uint32_t draw = n->draw[0];
    for (uint32_t i = 1; i < CREDIT_DRAWS; i++) n->draw[i - 1] = n->draw[i];
    n->draw[CREDIT_DRAWS - 1] = random_u32(&n->random);
    return draw;
}

struct connection *credit_nic_pick(struct credit_nic *n, time_ps now) {
    if (credit_limiter_ready_at(&n->limiter) > now) return NULL;
    if (!n->due_classes && deadlines_one_due(&n->later, now)) {
        draw_take(n); /* as if there were a choice */
        return n->later.entry[0].of;
    }
    credit_nic_come_due(n, now);
    if (!n->due_classes) return NULL;
    struct credit_set *s = &n->due[31 - (uint32_t)__builtin_clz(n->due_classes)];
    struct connection *c = s->at[draw_of(draw_take(n), s->n)];
    due_remove(n, c);
    return c;
}

bool credit_nic_foresee(const struct credit_nic *n, struct connection *who[2]) {
    if (n->later.n) __builtin_prefetch(n->later.entry[0].of, 1);
    if (!n->due_classes) return false;
    const struct credit_set *s = &n->due[31 - (uint32_t)__builtin_clz(n->due_classes)];
    uint32_t place = draw_of(n->draw[1], s->n), or_else = draw_of(n->draw[1], s->n + 1);
    __builtin_prefetch(&s->at[draw_of(n->draw[2], s->n)]);
    who[0] = s->at[place];
    who[1] = or_else < s->n ? s->at[or_else] : who[0];
    return true;
}

void credit_nic_sent(struct credit_nic *n, struct packet *credit, uint64_t refused, time_ps now) {
    /* more refused credits than two windows do not change the estimate further */
    uint64_t dropped = refused < 2ull * n->mark.window ? refused : 2ull * n->mark.window;
    while (dropped--) credit_mark_inject(&n->mark, true, now);
    nic_leave(n, credit, now);
}

void credit_nic_owe(struct credit_nic *n, const struct packet *p) {
    n->owed_bytes += p->wire_bytes;
    n->owed = (struct packet){.src_ip = p->dst_ip,
                              .dst_ip = p->src_ip,
                              .src_port = p->dst_port,
                              .dst_port = p->src_port,
                              .wire_bytes = CREDIT_WIRE_BYTES,
                              .tcp_flags = CREDIT_GRANT | CREDIT_VOID,
                              .proto = PROTO_CREDIT,
                              .tos = (MAX_CLASSES - 1) << 5 | ECN_ECT0,
                              .shape = SHAPE_CREDIT,
                              .path = PATH_NONE,
                              .ext = EXT_NONE,
                              .flow = p->flow ^ FLOW_REVERSE};
}

bool credit_nic_void(struct credit_nic *n, struct packet *credit, time_ps now) {
    if (!credit_nic_owes(n) || credit_limiter_ready_at(&n->limiter) > now) return false;
    n->owed_bytes -= CREDIT_DATA_WIRE_BYTES;
    *credit = n->owed;
    nic_leave(n, credit, now);
    return true;
}
