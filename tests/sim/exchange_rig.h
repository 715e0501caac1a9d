/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions without nodes that send each other bursts of frames through an exchange. Whoever includes it says with
 * PARTS how many partitions there are.
 */
#ifndef HEDDLE_TESTS_SIM_EXCHANGE_RIG_H
#define HEDDLE_TESTS_SIM_EXCHANGE_RIG_H

#include "sim/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

#define SLOT 1000
#define ROUNDS 50

/* Every partition has a link to each of the others (port from * PARTS + to) and one input per sender. */
struct rig {
    struct exchange exchange;
    struct partition part[PARTS];
    uint32_t to[PARTS * PARTS];
    uint16_t to_partition[PARTS * PARTS];
};

static inline void rig_part(struct rig *r, uint16_t number) {
    struct partition *p = &r->part[number];
    p->number = number;
    p->exchange = &r->exchange;
    p->to = r->to;
    p->to_partition = r->to_partition;
    p->n_inputs = PARTS;
    p->in = calloc(PARTS, sizeof *p->in);
    assert_non_null(p->in);
    wheel_init(&p->wheel, PARTS, SLOT);
    packet_pool_init(&p->pool);
    for (uint32_t from = 0; from < PARTS; from++) {
        link_init(&p->in[from], 0, (uint16_t)from, false);
        r->to[from * PARTS + number] = from | TO_OTHER;
        r->to_partition[from * PARTS + number] = number;
    }
}

static inline struct rig *rig_new(void) {
    struct rig *r = aligned_alloc(64, (sizeof *r + 63) / 64 * 64);
    assert_non_null(r);
    memset(r, 0, sizeof *r);
    exchange_init(&r->exchange, PARTS);
    for (uint16_t i = 0; i < PARTS; i++) rig_part(r, i);
    return r;
}

static inline void rig_end(struct rig *r) {
    for (int i = 0; i < PARTS; i++) {
        for (int k = 0; k < PARTS; k++) link_fini(&r->part[i].in[k]);
        free(r->part[i].in);
        wheel_fini(&r->part[i].wheel);
        packet_pool_fini(&r->part[i].pool);
    }
    exchange_fini(&r->exchange);
    free(r);
}

static inline uint32_t make_frame(struct partition *p, uint32_t serial, bool tagged) {
    uint32_t index = packet_get(&p->pool);
    *packet_at(&p->pool, index) = (struct packet){.serial = serial, .origin = p->number, .ext = EXT_NONE};
    if (tagged) {
        uint32_t ext = packet_ext_get(&p->pool);
        packet_ext_at(&p->pool, ext)->n_sack = 1;
        packet_ext_at(&p->pool, ext)->sack[0].begin = serial;
        packet_at(&p->pool, index)->ext = ext;
    }
    return index;
}

/* How many frames partition `from` sends to `to` in a round; none at all in some. */
static inline uint32_t burst(uint32_t round, uint32_t from, uint32_t to) {
    return from == to ? 0 : (round * 7 + from * 3 + to) % 5 == 0 ? 200 : (round + to) % 3;
}

static inline time_ps arrival(uint32_t round, uint32_t k) { return (round + 1) * 100 * SLOT + k; }

static inline void send_bursts(struct rig *r, struct partition *me, uint32_t round) {
    for (uint32_t to = 0; to < PARTS; to++)
        for (uint32_t k = 0; k < burst(round, me->number, to); k++)
            exchange_send(&r->exchange, me, me->number * PARTS + to, arrival(round, k),
                          make_frame(me, round * 1000 + k, k % 2));
}

/* True if what came from each sender is what it sent, in order; takes it out. */
static inline bool take_bursts(struct partition *me, uint32_t round) {
    for (uint32_t from = 0; from < PARTS; from++) {
        struct link *link = &me->in[from];
        if (link_length(link) != burst(round, from, me->number)) return false;
        for (uint32_t k = 0; k < burst(round, from, me->number); k++) {
            uint32_t index = link_frame(link, link->head++);
            struct packet *p = packet_at(&me->pool, index);
            if (p->at != arrival(round, k) || p->origin != from || p->serial != round * 1000 + k) return false;
            if ((p->ext != EXT_NONE) != (k % 2)) return false;
            if (k % 2 && packet_ext_at(&me->pool, p->ext)->sack[0].begin != p->serial) return false;
            packet_put(&me->pool, index);
        }
    }
    return me->pool.in_use == 0 && me->pool.ext_in_use == 0;
}

static inline bool anything_sent(uint32_t round) {
    for (uint32_t from = 0; from < PARTS; from++)
        for (uint32_t to = 0; to < PARTS; to++)
            if (burst(round, from, to)) return true;
    return false;
}

#endif
