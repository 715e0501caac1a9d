/* SPDX-License-Identifier: Apache-2.0 */
#include "node/calendar.h"

#include "base/memory.h"
#include "base/require.h"

#include <stdlib.h>

#define BEYOND CALENDAR_BUCKETS
#define PLACE_BITS 24

struct calendar *calendar_create(uint32_t place_at) {
    struct calendar *c = memory_get(1, sizeof *c);
    c->place_at = place_at;
    c->beyond_first = TIME_NONE;
    return c;
}

void calendar_destroy(struct calendar *c) {
    if (!c) return;
    for (uint32_t b = 0; b <= BEYOND; b++) free(c->bucket[b].entry);
    free(c);
}

uint64_t calendar_bytes(const struct calendar *c) {
    uint64_t bytes = sizeof *c;
    for (uint32_t b = 0; b <= BEYOND; b++) bytes += c->bucket[b].size * sizeof(struct deadline);
    return bytes;
}

static void bucket_put(struct calendar *c, uint32_t number, uint32_t place, struct deadline d) {
    c->bucket[number].entry[place] = d;
    *deadline_place(d.of, c->place_at) = PLACE_IN_CALENDAR | number << PLACE_BITS | place;
}

static void bucket_append(struct calendar *c, uint32_t number, struct deadline d) {
    struct bucket *b = &c->bucket[number];
    if (b->n == b->size) {
        REQUIRE(b->n < 1u << PLACE_BITS);
        b->size = b->size ? 2 * b->size : 8;
        b->entry = memory_grow(b->entry, b->size, sizeof *b->entry);
    }
    bucket_put(c, number, b->n++, d);
}

void calendar_add(struct calendar *c, struct deadline d) {
    uint64_t ahead = (uint64_t)(d.at - c->from) >> c->shift;
    c->n++;
    if (ahead >= CALENDAR_BUCKETS) {
        if (d.at < c->beyond_first) c->beyond_first = d.at;
        bucket_append(c, BEYOND, d);
        return;
    }
    uint32_t number = (c->first + (uint32_t)ahead) % CALENDAR_BUCKETS;
    c->filled |= 1ull << number;
    bucket_append(c, number, d);
}

void calendar_remove(struct calendar *c, uint32_t place) {
    uint32_t number = (place & ~PLACE_IN_CALENDAR) >> PLACE_BITS, i = place & ((1u << PLACE_BITS) - 1);
    struct bucket *b = &c->bucket[number];
    c->n--;
    struct deadline last = b->entry[--b->n];
    if (i < b->n) bucket_put(c, number, i, last);
    if (b->n == 0 && number != BEYOND) c->filled &= ~(1ull << number);
}

/* ---- new buckets ---- */

/* Empties all buckets into one list with room for `more` deadlines, which the caller frees. */
static struct deadline *calendar_collect(struct calendar *c, uint32_t more) {
    struct deadline *all = memory_get(c->n + more, sizeof *all);
    uint32_t n = 0;
    for (uint32_t number = 0; number <= BEYOND; number++) {
        struct bucket *b = &c->bucket[number];
        for (uint32_t i = 0; i < b->n; i++) all[n++] = b->entry[i];
        b->n = 0;
    }
    c->filled = 0;
    c->n = 0;
    c->beyond_first = TIME_NONE;
    return all;
}

/* Sets start and width of the buckets, which then cover at least twice the mean distance from the first deadline. */
static void calendar_measure(struct calendar *c, const struct deadline *d, uint32_t n) {
    time_ps first = TIME_NONE;
    uint64_t mean = 0;
    for (uint32_t i = 0; i < n; i++) first = min_i64(first, d[i].at);
    for (uint32_t i = 0; i < n; i++) mean += (uint64_t)(d[i].at - first) / n;
    c->from = first;
    c->first = 0;
    for (c->shift = 0; (uint64_t)CALENDAR_BUCKETS / 2 << c->shift < mean; c->shift++) {
    }
}

void calendar_spread(struct calendar *c, const struct deadline *d, uint32_t n) {
    uint32_t held = c->n, total = held + n;
    struct deadline *all = calendar_collect(c, n);
    for (uint32_t i = 0; i < n; i++) all[held + i] = d[i];
    calendar_measure(c, all, total);
    for (uint32_t i = 0; i < total; i++) calendar_add(c, all[i]);
    free(all);
}

/* ---- the earliest bucket ---- */

/* Returns the number of empty buckets before the first one with deadlines; CALENDAR_BUCKETS if all are empty. */
static uint32_t calendar_empty_before(const struct calendar *c) {
    uint32_t r = c->first;
    uint64_t in_order = r ? c->filled >> r | c->filled << (CALENDAR_BUCKETS - r) : c->filled;
    return in_order ? (uint32_t)__builtin_ctzll(in_order) : CALENDAR_BUCKETS;
}

static time_ps calendar_end_of(const struct calendar *c, uint32_t ahead) {
    return c->from + ((time_ps)(ahead + 1) << c->shift);
}

struct bucket *calendar_take(struct calendar *c) {
    uint32_t empty = calendar_empty_before(c);
    if (empty == CALENDAR_BUCKETS || c->beyond_first < calendar_end_of(c, empty)) {
        calendar_spread(c, NULL, 0);
        empty = calendar_empty_before(c);
    }
    struct bucket *b = &c->bucket[(c->first + empty) % CALENDAR_BUCKETS];
    c->from = calendar_end_of(c, empty);
    c->first = (c->first + empty + 1) % CALENDAR_BUCKETS;
    return b;
}

void calendar_taken(struct calendar *c, struct bucket *b) {
    c->n -= b->n;
    b->n = 0;
    c->filled &= ~(1ull << (b - c->bucket));
}
