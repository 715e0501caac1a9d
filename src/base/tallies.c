/* SPDX-License-Identifier: Apache-2.0 */
#include "base/tallies.h"

#include "base/memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What a value is counted from. */
enum from { FROM_0, FROM_FINISHED, FROM_STARTED, FROM_SIZE };

/* A field of struct flow_tally. */
struct column {
    uint8_t at, bytes;
    uint8_t from;
};

#define COLUMN(field, from)                                                                                            \
    { offsetof(struct flow_tally, field), sizeof((struct flow_tally *)0)->field, from }

enum { TALLY_FINISHED, TALLY_ACKED, TALLY_STARTED, TALLY_RECEIVED };
static const struct column columns[] = {
    [TALLY_FINISHED] = COLUMN(finished_at, FROM_0), /* most often asked for */
    [TALLY_ACKED] = COLUMN(acked_at, FROM_FINISHED),
    [TALLY_STARTED] = COLUMN(started_at, FROM_FINISHED),
    [TALLY_RECEIVED] = COLUMN(received_bytes, FROM_SIZE),
    COLUMN(first_data_at, FROM_STARTED),
    COLUMN(reordered_pkts, FROM_0),
    COLUMN(duplicate_pkts, FROM_0),
    COLUMN(max_reorder_pkts, FROM_0),
    COLUMN(marked_pkts, FROM_0),
    COLUMN(credits_sent, FROM_0),
    COLUMN(credits_refused, FROM_0),
    COLUMN(synack_timeouts, FROM_0),
    COLUMN(synack_spurious, FROM_0),
    COLUMN(sent_pkts, FROM_0),
    COLUMN(retransmitted_pkts, FROM_0),
    COLUMN(syn_timeouts, FROM_0),
    COLUMN(data_timeouts, FROM_0),
    COLUMN(spurious_timeouts, FROM_0),
    COLUMN(fast_recoveries, FROM_0),
    COLUMN(cwnd_bytes, FROM_0),
    COLUMN(credits_used, FROM_0),
    COLUMN(credits_wasted, FROM_0),
    COLUMN(unfilled_bytes, FROM_0),
};
_Static_assert(sizeof columns / sizeof *columns == TALLY_COLUMNS, "TALLY_COLUMNS is wrong");

/* ---- fields ---- */

static uint64_t field_get(const struct flow_tally *t, const struct column *c) {
    const char *at = (const char *)t + c->at;
    uint64_t wide;
    uint32_t narrow;
    uint16_t narrowest;
    switch (c->bytes) {
    case sizeof wide: return memcpy(&wide, at, sizeof wide), wide;
    case sizeof narrow: return memcpy(&narrow, at, sizeof narrow), narrow;
    default: return memcpy(&narrowest, at, sizeof narrowest), narrowest;
    }
}

static void field_set(struct flow_tally *t, const struct column *c, uint64_t value) {
    char *at = (char *)t + c->at;
    uint32_t narrow = (uint32_t)value;
    uint16_t narrowest = (uint16_t)value;
    switch (c->bytes) {
    case sizeof value: memcpy(at, &value, sizeof value); break;
    case sizeof narrow: memcpy(at, &narrow, sizeof narrow); break;
    default: memcpy(at, &narrowest, sizeof narrowest); break;
    }
}

/* Returns what a field is counted from, given the fields before it and the size of the flow. */
static uint64_t guess(const struct flow_tally *t, uint64_t size, const struct column *c) {
    switch (c->from) {
    case FROM_FINISHED: return (uint64_t)t->finished_at;
    case FROM_STARTED: return (uint64_t)t->started_at;
    case FROM_SIZE: return size;
    default: return 0;
    }
}

/* ---- packing ---- */

#define COLUMN_HEAD (1 + sizeof(uint64_t))
#define PLACES_BYTES (TALLY_COLUMNS * sizeof(uint16_t))
#define BEHIND sizeof(uint64_t) /* bytes behind a block, so that a value may be read as 8 bytes */
#define PACKED_MOST (PLACES_BYTES + TALLY_COLUMNS * (COLUMN_HEAD + TALLY_BLOCK * sizeof(uint64_t)) + BEHIND)
_Static_assert(PACKED_MOST <= UINT16_MAX, "places have 16 bits");

static void put(uint8_t *at, unsigned w, uint64_t value) {
    for (unsigned i = 0; i < w; i++) at[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get(const uint8_t *at, unsigned w) {
    uint64_t value = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&value, at, sizeof value);
    return w < sizeof value ? value & (((uint64_t)1 << 8 * w) - 1) : value;
#else
    for (unsigned i = 0; i < w; i++) value |= (uint64_t)at[i] << 8 * i;
    return value;
#endif
}

static unsigned width_of(uint64_t most) {
    unsigned w = 0;
    while (w < 8 && most >> 8 * w) w++;
    return w;
}

/* Packs TALLY_BLOCK distances behind `to`; returns where they end. Distances are signed, modulo 2^64. */
static uint8_t *column_pack(uint8_t *to, const uint64_t *distance) {
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (int i = 0; i < TALLY_BLOCK; i++) {
        low = min_i64(low, (int64_t)distance[i]);
        high = max_i64(high, (int64_t)distance[i]);
    }
    unsigned w = width_of((uint64_t)high - (uint64_t)low);
    *to++ = (uint8_t)w;
    put(to, sizeof low, (uint64_t)low);
    to += sizeof low;
    for (int i = 0; i < TALLY_BLOCK; i++, to += w) put(to, w, distance[i] - (uint64_t)low);
    return to;
}

static uint64_t size_of(const struct tallies *t, uint32_t flow) { return flow < t->n ? t->flow[flow].bytes : 0; }

/* Packs an open block into bytes[PACKED_MOST]; returns how many it took. */
static size_t block_pack(const struct tallies *t, uint32_t block, uint8_t *bytes) {
    const struct flow_tally *open = t->block[block].open;
    uint8_t *to = bytes + PLACES_BYTES;
    for (unsigned c = 0; c < TALLY_COLUMNS; c++) {
        uint64_t distance[TALLY_BLOCK], any = 0;
        for (uint32_t i = 0; i < TALLY_BLOCK; i++) {
            uint64_t size = size_of(t, block * TALLY_BLOCK + i);
            distance[i] = field_get(&open[i], &columns[c]) - guess(&open[i], size, &columns[c]);
            any |= distance[i];
        }
        put(bytes + 2 * c, 2, any ? (uint64_t)(to - bytes) : 0);
        if (any) to = column_pack(to, distance);
    }
    put(to, BEHIND, 0);
    return (size_t)(to - bytes) + BEHIND;
}

static void block_close(struct tallies *t, uint32_t block) {
    uint8_t bytes[PACKED_MOST];
    struct tally_block *b = &t->block[block];
    size_t n = block_pack(t, block, bytes);
    b->packed = memory_get(n, 1);
    memcpy(b->packed, bytes, n);
    free(b->open);
    b->open = NULL;
}

size_t tally_block_bytes(const struct tally_block *b) {
    size_t n = PLACES_BYTES + BEHIND;
    for (unsigned c = 0; c < TALLY_COLUMNS; c++) {
        uint64_t at = get(b->packed + 2 * c, 2);
        if (at) n += COLUMN_HEAD + (size_t)TALLY_BLOCK * b->packed[at];
    }
    return n;
}

/* ---- reading ---- */

static uint64_t distance_at(const uint8_t *packed, unsigned column, uint32_t place) {
    uint64_t at = get(packed + 2 * column, 2);
    if (at == 0) return 0;
    unsigned w = packed[at];
    return get(packed + at + 1, 8) + get(packed + at + COLUMN_HEAD + place * w, w);
}

/* Returns the tally of a flow of a block that is not made: it has not started. */
static struct flow_tally tally_unmade(const struct flow *f) {
    return (struct flow_tally){.finished_at = TIME_NONE,
                               .started_at = f ? f->start : TIME_NONE,
                               .first_data_at = TIME_NONE,
                               .acked_at = TIME_NONE};
}

struct flow_tally tally_unpack(const struct tallies *t, uint32_t flow) {
    const uint8_t *packed = t->block[flow / TALLY_BLOCK].packed;
    struct flow_tally x = {0};
    if (!packed) return tally_unmade(&t->flow[flow]);
    for (unsigned c = 0; c < TALLY_COLUMNS; c++)
        field_set(&x, &columns[c],
                  distance_at(packed, c, flow % TALLY_BLOCK) + guess(&x, t->flow[flow].bytes, &columns[c]));
    return x;
}

/* Single fields, as tally_unpack has them. The heap of ends (measure/gate_times.c) asks for times by the hundred million. */

static int64_t from_finished(const struct tallies *t, uint32_t flow, unsigned column) {
    const uint8_t *packed = t->block[flow / TALLY_BLOCK].packed;
    uint32_t place = flow % TALLY_BLOCK;
    return (int64_t)(distance_at(packed, TALLY_FINISHED, place) + distance_at(packed, column, place));
}

static bool is_packed(const struct tallies *t, uint32_t flow) { return t->block[flow / TALLY_BLOCK].packed != NULL; }

time_ps tally_unpack_started_at(const struct tallies *t, uint32_t flow) {
    return is_packed(t, flow) ? from_finished(t, flow, TALLY_STARTED) : t->flow[flow].start;
}

time_ps tally_unpack_finished_at(const struct tallies *t, uint32_t flow) {
    if (!is_packed(t, flow)) return TIME_NONE;
    return (time_ps)distance_at(t->block[flow / TALLY_BLOCK].packed, TALLY_FINISHED, flow % TALLY_BLOCK);
}

time_ps tally_unpack_acked_at(const struct tallies *t, uint32_t flow) {
    return is_packed(t, flow) ? from_finished(t, flow, TALLY_ACKED) : TIME_NONE;
}

int64_t tally_unpack_received_bytes(const struct tallies *t, uint32_t flow) {
    if (!is_packed(t, flow)) return 0;
    uint64_t beyond = distance_at(t->block[flow / TALLY_BLOCK].packed, TALLY_RECEIVED, flow % TALLY_BLOCK);
    return (int64_t)(t->flow[flow].bytes + beyond);
}

/* ---- making ---- */

void tallies_init(struct tallies *t, const struct flow *flow, uint32_t n, bool in_blocks) {
    *t = (struct tallies){.flow = flow, .n = n};
    if (in_blocks) {
        t->block = memory_get(tallies_blocks(n), sizeof *t->block);
        return;
    }
    t->all = memory_get_lines(n, sizeof *t->all);
    for (uint32_t i = 0; i < n; i++) t->all[i] = tally_unmade(&flow[i]);
}

void tallies_fini(struct tallies *t) {
    free(t->all);
    for (uint32_t b = 0; t->block && b < tallies_blocks(t->n); b++) {
        free(t->block[b].open);
        free(t->block[b].packed);
    }
    free(t->block);
    *t = (struct tallies){0};
}

void tally_work_init(struct tally_work *w, struct tallies *of) {
    *w = (struct tally_work){.of = of};
    if (of->block) w->made = memory_get(tallies_blocks(of->n), sizeof *w->made);
}

void tally_work_fini(struct tally_work *w) {
    free(w->made);
    free(w->open);
    *w = (struct tally_work){0};
}

/* Makes a block, unless another thread does so first. */
static struct flow_tally *block_make(struct tally_work *w, uint32_t block) {
    const struct tallies *t = w->of;
    struct flow_tally *open = memory_get_lines(TALLY_BLOCK, sizeof *open), *theirs = NULL;
    for (uint32_t i = 0; i < TALLY_BLOCK; i++) {
        uint32_t flow = block * TALLY_BLOCK + i;
        open[i] = tally_unmade(flow < t->n ? &t->flow[flow] : NULL);
    }
    if (!__atomic_compare_exchange_n(&t->block[block].open, &theirs, open, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        free(open);
        return theirs;
    }
    w->made[__atomic_fetch_add(&w->n_made, 1, __ATOMIC_RELAXED)] = block;
    return open;
}

struct flow_tally *tallies_at(struct tally_work *w, uint32_t flow) {
    const struct flow_tally *near = tallies_near(w->of, flow);
    return near ? (struct flow_tally *)near : &block_make(w, flow / TALLY_BLOCK)[flow % TALLY_BLOCK];
}

/* ---- closing ---- */

static void made_take(struct tally_work *w) {
    if (w->n_open + w->n_made > w->open_room) {
        w->open_room = 2 * (w->n_open + w->n_made);
        w->open = memory_grow(w->open, w->open_room, sizeof *w->open);
    }
    for (uint32_t i = 0; i < w->n_made; i++) w->open[w->n_open++] = (struct open_tallies){.block = w->made[i]};
    w->n_made = 0;
}

void tallies_look(struct tally_work *w, bool (*has_ended)(const void *context, uint32_t flow), const void *context) {
    made_take(w);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->n_open; i++) {
        struct open_tallies *o = &w->open[i];
        uint32_t first = o->block * TALLY_BLOCK;
        uint32_t n = w->of->n - first < TALLY_BLOCK ? w->of->n - first : TALLY_BLOCK;
        while (o->ended < n && has_ended(context, first + o->ended)) o->ended++;
        if (o->ended == n)
            block_close(w->of, o->block);
        else
            w->open[kept++] = *o;
    }
    w->n_open = kept;
}

void tallies_pack(struct tallies *t) {
    for (uint32_t b = 0; t->block && b < tallies_blocks(t->n); b++)
        if (t->block[b].open) block_close(t, b);
}

size_t tallies_bytes(const struct tallies *t) {
    if (t->all) return t->n * sizeof *t->all;
    size_t bytes = tallies_blocks(t->n) * sizeof *t->block;
    for (uint32_t b = 0; b < tallies_blocks(t->n); b++)
        bytes += t->block[b].open     ? TALLY_BLOCK * sizeof(struct flow_tally)
                 : t->block[b].packed ? tally_block_bytes(&t->block[b])
                                      : 0;
    return bytes;
}
