/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions without nodes that send each other bursts of frames through an exchange. Whoever includes it says with
 * PARTS how many partitions there are.
 */
#ifndef HEDDLE_TESTS_SIM_EXCHANGE_RIG_H
#define HEDDLE_TESTS_SIM_EXCHANGE_RIG_H

#include "sim/parallel/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

#define SLOT 1000
#define ROUNDS 50

/* Every partition has a link to each of the others (from the port from * PARTS + to), to a port for each sender. */
struct rig {
    struct exchange exchange;
    struct partition part[PARTS];
    struct hop hop[PARTS * PARTS];
};

/* Every second partition has lists that carry the frames, as in huge fabrics. */
static inline void rig_flights(struct partition *p) { flights_init(&p->flights, 1, 0, p->number % 2); }

static inline void rig_part(struct rig *r, uint16_t number) {
    struct partition *p = &r->part[number];
    p->number = number;
    p->exchange = &r->exchange;
    p->cross = exchange_send;
    p->hop = r->hop;
    wheel_init(&p->wheel, 1, SLOT);
    rig_flights(p);
    if (number == 0)
        packet_pool_init(&p->pool);
    else
        packet_pool_share(&p->pool, &r->part[0].pool);
    for (uint16_t from = 0; from < PARTS; from++)
        r->hop[from * PARTS + number] = (struct hop){.port = from, .partition = number};
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
        flights_fini(&r->part[i].flights);
        wheel_fini(&r->part[i].wheel);
        packet_pool_fini(&r->part[i].pool);
    }
    exchange_fini(&r->exchange);
    free(r);
}

/* Half of the frames with an extension have a tag in it, of any length. */
static inline bool has_tag(uint32_t serial) { return serial % 4 == 3; }
static inline uint8_t tag_entries(uint32_t serial) { return (uint8_t)(serial % TAG_MAX_ENTRIES + 1); }
static inline uint8_t tag_load(uint32_t serial, uint32_t entry) { return (uint8_t)(serial + entry); }

static inline void make_extension(struct packet *p, struct packet_ext *ext) {
    p->shape = SHAPE_SACK;
    ext->n_sack = 1;
    ext->sack[0].begin = p->serial;
    if (!has_tag(p->serial)) return;
    p->shape |= SHAPE_EXPEDITUS;
    ext->tag.entries = tag_entries(p->serial);
    for (uint32_t i = 0; i < ext->tag.entries; i++) ext->tag.load[i] = tag_load(p->serial, i);
}

static inline uint32_t make_frame(struct partition *part, uint32_t serial, bool extended) {
    uint32_t index = packet_get(&part->pool);
    struct packet *p = packet_at(&part->pool, index);
    *p = (struct packet){.serial = serial, .origin = part->number, .ext = EXT_NONE};
    if (extended) {
        p->ext = has_tag(serial) ? packet_ext_get_wide(&part->pool) : packet_ext_get(&part->pool);
        make_extension(p, packet_ext_at(&part->pool, p->ext));
    }
    return index;
}

/* How many frames partition `from` sends to `to` in a round; none at all in some. */
static inline uint32_t burst(uint32_t round, uint32_t from, uint32_t to) {
    return from == to ? 0 : (round * 7 + from * 3 + to) % 5 == 0 ? 200 : (round + to) % 3;
}

static inline time_ps arrival(uint32_t round, uint32_t k) { return (round + 1) * 100 * SLOT + k; }

static inline void send_bursts(struct partition *me, uint32_t round) {
    for (uint32_t to = 0; to < PARTS; to++)
        for (uint32_t k = 0; k < burst(round, me->number, to); k++)
            exchange_send(me, me->number * PARTS + to, arrival(round, k), make_frame(me, round * 1000 + k, k % 2));
}

/* What has come in a round, looked at frame by frame. */
struct taking {
    struct partition *me;
    uint32_t round, from[PARTS]; /* frames of each sender so far */
    bool wrong;
};

static inline bool extension_is_right(const struct packet *p, const struct packet_ext *ext) {
    if (p->shape != (has_tag(p->serial) ? SHAPE_SACK | SHAPE_EXPEDITUS : SHAPE_SACK)) return false;
    if (ext->n_sack != 1 || ext->sack[0].begin != p->serial) return false;
    if (!has_tag(p->serial)) return true;
    for (uint32_t i = 0; i < ext->tag.entries; i++)
        if (ext->tag.load[i] != tag_load(p->serial, i)) return false;
    return ext->tag.entries == tag_entries(p->serial);
}

static inline bool frame_is_right(const struct taking *t, const struct flight *x, const struct packet *p, uint32_t k) {
    const struct packet_pool *pool = &t->me->pool;
    if (x->at != (uint32_t)arrival(t->round, k) || p->origin != x->port || p->serial != t->round * 1000 + k)
        return false;
    if ((p->ext != EXT_NONE) != (k % 2)) return false;
    return k % 2 == 0 || extension_is_right(p, packet_ext_at(pool, p->ext));
}

/* Returns the descriptor of a frame in the lists; one that they carry gets one. */
static inline uint32_t frame_taken(struct partition *me, const struct flight *x) {
    return me->flights.carries ? flight_unload(flight_frame(x), &me->pool) : x->packet;
}

static inline void take_frame(void *context, const struct flight *x) {
    struct taking *t = context;
    uint32_t packet = frame_taken(t->me, x);
    t->wrong |= !frame_is_right(t, x, packet_at(&t->me->pool, packet), t->from[x->port]++);
    packet_put(&t->me->pool, packet);
}

/* True if what came from each sender is what it sent, in order; takes it out. */
static inline bool take_bursts(struct partition *me, uint32_t round) {
    struct taking t = {.me = me, .round = round};
    flights_each(&me->flights, take_frame, &t);
    flights_fini(&me->flights);
    rig_flights(me);
    for (uint32_t from = 0; from < PARTS; from++) t.wrong |= t.from[from] != burst(round, from, me->number);
    return !t.wrong && me->pool.in_use == 0 && me->pool.ext_in_use == 0;
}

static inline bool anything_sent(uint32_t round) {
    for (uint32_t from = 0; from < PARTS; from++)
        for (uint32_t to = 0; to < PARTS; to++)
            if (burst(round, from, to)) return true;
    return false;
}

#endif
