/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/flight.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define SORTED_LEAST 1024 /* arrivals that the sorted list has room for at least */

_Static_assert(sizeof(struct flight) == 16 && FLIGHT_CHUNK == 31, "a chunk is whole cache lines");
_Static_assert(FLIGHT_CARRIER == 204 && FLIGHT_FRAMES_AT % CACHE_LINE == 0, "a carried frame is a cache line");
_Static_assert(FLIGHT_FRAMES_AT >= sizeof(struct flight_chunk) + FLIGHT_CARRIER * sizeof(struct flight), "both fit");

void flights_init(struct flights *f, uint32_t n_nodes, uint32_t n_border, bool carries) {
    *f = (struct flights){.carries = carries,
                          .chunk_flights = carries ? FLIGHT_CARRIER : FLIGHT_CHUNK,
                          .chunk_bytes = carries ? FLIGHT_CARRIER_BYTES : FLIGHT_CHUNK_BYTES,
                          .n_nodes = n_nodes,
                          .n_border = n_border,
                          .far_slot = SLOT_NONE};
    f->near = memory_get_lines(2 * WHEEL_SLOTS, sizeof *f->near);
    f->far1 = memory_get_lines(WHEEL_SLOTS, sizeof *f->far1);
    f->far2 = memory_get_lines(WHEEL_SLOTS, sizeof *f->far2);
    f->end = memory_get(n_nodes, sizeof *f->end);
}

/* ---- lists ---- */

/* Prefetches the first 512 bytes of a chunk, while the one before it is read. */
PREFETCHING chunk_prefetch(const struct flight_chunk *c) {
    for (size_t at = 0; c && at < FLIGHT_CHUNK_BYTES; at += CACHE_LINE) __builtin_prefetch((const char *)c + at, 1);
}

/* Prefetches the next chunk to be filled: all of it, or where its first flights and frames come. */
PREFETCHING spare_prefetch(const struct flights *f) {
    if (!f->carries || !f->spare) {
        chunk_prefetch(f->spare);
        return;
    }
    const char *first = (const char *)f->spare, *frame = first + FLIGHT_FRAMES_AT;
    __builtin_prefetch(first, 1);
    __builtin_prefetch(first + CACHE_LINE, 1);
    __builtin_prefetch(frame, 1);
    __builtin_prefetch(frame + CACHE_LINE, 1);
}

/* The first slabs are small, for the sake of small fabrics; later ones fill a huge page each. Slabs that carry frames are
 * mapped, not taken from the heap, where blocks that begin at a huge page leave gaps. */
static char *slab_new(const struct flights *f, size_t bytes) {
    if (f->carries) return memory_map(1, bytes, true);
    return bytes == HUGE_PAGE ? memory_get_large(bytes) : memory_get_lines(1, bytes);
}

static void slab_free(const struct flights *f, char *slab) {
    if (f->carries)
        memory_unmap(slab, 1, HUGE_PAGE, true);
    else
        free(slab);
}

static __attribute__((noinline)) void slab_add(struct flights *f) {
    bool large = f->carries || f->n_slabs >= FLIGHT_SMALL_SLABS;
    size_t bytes = large ? HUGE_PAGE : FLIGHT_SLAB * FLIGHT_CHUNK_BYTES;
    char *slab = slab_new(f, bytes);
    f->slab = memory_grow(f->slab, f->n_slabs + 1, sizeof *f->slab);
    for (size_t at = bytes; at;) {
        struct flight_chunk *c = (struct flight_chunk *)(slab + (at -= f->chunk_bytes));
        c->first = (f->n_slabs * HUGE_PAGE + at + FLIGHT_FRAMES_AT) / sizeof(struct packet);
        c->next = f->spare;
        f->spare = c;
    }
    f->slab[f->n_slabs++] = slab;
    f->slab_bytes += bytes;
}

void flight_list_grow(struct flights *f, struct flight_list *l) {
    if (!f->spare) slab_add(f);
    struct flight_chunk *c = f->spare;
    f->spare = c->next;
    spare_prefetch(f);
    c->next = NULL;
    if (l->last)
        l->last->next = c;
    else
        l->first = c;
    l->last = c;
    l->tail = c->of;
    l->limit = c->of + f->chunk_flights;
}

/* Appends a flight; `frame` is copied if the lists carry frames. */
static inline void list_append(struct flights *f, struct flight_list *l, const struct flight *x,
                               const struct packet *frame) {
    bool carries = f->carries; /* as the caller saw it: to grow does not change it */
    if (l->tail == l->limit) flight_list_grow(f, l);
    *l->tail = *x;
    if (carries) flight_load(l->tail, frame);
    l->tail++;
}

/* Gives back the chunks of a list that has been taken. */
static void list_put(struct flights *f, struct flight_list *l) {
    if (!l->last) return;
    l->last->next = f->spare;
    f->spare = l->first;
}

static struct flight_list list_take(struct flight_list *l) {
    struct flight_list taken = *l;
    *l = (struct flight_list){0};
    return taken;
}

/* Returns the end of the flights in a chunk of the list. */
static const struct flight *chunk_end(const struct flights *f, const struct flight_list *l,
                                      const struct flight_chunk *c) {
    return c == l->last ? l->tail : c->of + f->chunk_flights;
}

static uint32_t list_length(const struct flights *f, const struct flight_list *l) {
    uint32_t n = 0;
    for (const struct flight_chunk *c = l->first; c; c = c->next) n += (uint32_t)(chunk_end(f, l, c) - c->of);
    return n;
}

void flights_fini(struct flights *f) {
    for (uint32_t i = 0; i < f->n_slabs; i++) slab_free(f, f->slab[i]);
    free(f->slab);
    free(f->near);
    free(f->far1);
    free(f->far2);
    free(f->end);
    free(f->sorted);
}

uint64_t flights_frames_bytes(const struct flights *f) {
    return f->carries ? f->slab_bytes / FLIGHT_CARRIER_BYTES * FLIGHT_CARRIER * sizeof(struct packet) : 0;
}

uint64_t flights_bytes(const struct flights *f) {
    return 4 * WHEEL_SLOTS * sizeof *f->near + f->slab_bytes - flights_frames_bytes(f) + f->n_nodes * sizeof *f->end +
           f->size * sizeof *f->sorted;
}

/* ---- far frames ---- */

static void far_append(struct flights *f, struct flight_list *ring, uint64_t *occupied, int64_t block,
                       const struct flight *x, const struct packet *frame, int64_t first_slot) {
    list_append(f, &ring[block & (WHEEL_SLOTS - 1)], x, frame);
    wheel_map_set(occupied, block);
    f->far_slot = min_i64(f->far_slot, first_slot);
}

void flights_add_far(struct flights *f, const struct wheel *w, struct packet_pool *pool, const struct flight *x,
                     time_ps at, int64_t slot) {
    int64_t block = slot >> WHEEL_BLOCK_SHIFT, now = w->slot >> WHEEL_BLOCK_SHIFT;
    struct packet *frame = packet_at(pool, x->packet);
    struct flight far = *x;
    frame->at = at;
    far.at = (uint32_t)at;
    if (block - now <= WHEEL_NEAR) {
        far_append(f, f->far1, f->far1_occupied, block, &far, frame, block << WHEEL_BLOCK_SHIFT);
    } else {
        block >>= WHEEL_BLOCK_SHIFT;
        now >>= WHEEL_BLOCK_SHIFT;
        if (block - now > WHEEL_NEAR) block = now + WHEEL_NEAR; /* it is distributed too early then, and added again */
        far_append(f, f->far2, f->far2_occupied, block, &far, frame, block << 2 * WHEEL_BLOCK_SHIFT);
    }
    if (f->carries) packet_descriptor_put(pool, x->packet);
}

static void far_distribute(struct flights *f, struct wheel *w, struct packet_pool *pool, struct flight_list *ring,
                           uint64_t *occupied, int64_t block) {
    struct flight_list l = list_take(&ring[block & (WHEEL_SLOTS - 1)]);
    wheel_map_clear(occupied, block);
    for (struct flight_chunk *c = l.first; c; c = c->next)
        for (const struct flight *x = c->of; x < chunk_end(f, &l, c); x++) {
            const struct packet *frame = flights_frame(f, pool, x);
            if (f->carries)
                flights_add_carried(f, w, pool, *x, frame, frame->at, wheel_slot_of(w, frame->at));
            else
                flights_add(f, w, pool, *x, frame->at, wheel_slot_of(w, frame->at));
        }
    list_put(f, &l);
}

void flights_drain(struct flights *f, struct wheel *w, struct packet_pool *pool) {
    if (wheel_map_next(f->far2_occupied, w->slot, 2 * WHEEL_BLOCK_SHIFT) == w->slot)
        far_distribute(f, w, pool, f->far2, f->far2_occupied, w->slot >> 2 * WHEEL_BLOCK_SHIFT);
    else
        far_distribute(f, w, pool, f->far1, f->far1_occupied, w->slot >> WHEEL_BLOCK_SHIFT);
    f->far_slot = min_i64(wheel_map_next(f->far1_occupied, w->slot, WHEEL_BLOCK_SHIFT),
                          wheel_map_next(f->far2_occupied, w->slot, 2 * WHEEL_BLOCK_SHIFT));
}

/* ---- sorting ---- */

/* Moves the flights that arrive at or after `end` back to the slot's list. */
static __attribute__((noinline)) void list_cut(struct flights *f, struct flight_list *taken, struct flight_list *rest,
                                               const struct slot_part *part) {
    struct flight_list all = *taken, before = {0};
    uint32_t start = (uint32_t)part->start, length = (uint32_t)(part->end - part->start);
    for (struct flight_chunk *c = all.first; c; c = c->next)
        for (const struct flight *x = c->of; x < chunk_end(f, &all, c); x++)
            list_append(f, x->at - start < length ? &before : rest, x, f->carries ? flight_frame(x) : NULL);
    list_put(f, &all);
    *taken = before;
}

/* Counts the flights of each node, in `end`, and marks the nodes; returns the number of flights. */
static uint32_t list_count(struct flights *f, struct wheel *w, const struct flight_list *l, int64_t slot) {
    uint32_t n = 0;
    for (const struct flight_chunk *c = l->first; c; c = c->next) {
        const struct flight *last = chunk_end(f, l, c);
        n += (uint32_t)(last - c->of);
        chunk_prefetch(c->next);
        for (const struct flight *x = c->of; x < last; x++)
            if (f->end[x->node]++ == 0) wheel_set(w, slot, x->node);
    }
    return n;
}

/* Turns the numbers of the marked nodes into the index of the first arrival of each. */
static void counts_add_up(struct flights *f, struct wheel *w, const struct slot_part *part) {
    struct wheel_words words;
    uint32_t word, sum = 0;
    uint64_t bits;
    wheel_words_begin(&words, w, part->slot, part->n_nodes);
    while (wheel_words_next(&words, &word, &bits, false))
        for (; bits; bits &= bits - 1) {
            uint32_t *end = &f->end[64 * word + (uint32_t)__builtin_ctzll(bits)], n = *end;
            *end = sum;
            sum += n;
        }
}

static void list_place(struct flights *f, const struct flight_list *l, uint32_t start) {
    for (const struct flight_chunk *c = l->first; c; c = c->next) {
        const struct flight *last = chunk_end(f, l, c);
        uint32_t carried = (uint32_t)c->first;
        chunk_prefetch(c->next);
        for (const struct flight *x = c->of; x < last; x++, carried++)
            f->sorted[f->end[x->node]++] = (struct arrival){.key = (uint64_t)(x->at - start) << 16 | x->port,
                                                            .packet = f->carries ? carried : x->packet};
    }
}

static void sorted_room(struct flights *f, uint32_t n) {
    if (n + FETCH_LIST <= f->size) return;
    f->size = (uint32_t)max_i64(SORTED_LEAST, n + n / 4 + FETCH_LIST);
    free(f->sorted);
    f->sorted = memory_get_lines(f->size, sizeof *f->sorted);
}

void flights_sort(struct flights *f, struct wheel *w, const struct slot_part *part) {
    uint32_t place = (uint32_t)part->slot & (WHEEL_SLOTS - 1), n_lists = part->n_nodes > f->n_border ? 2 : 1;
    struct flight_list *taken = f->taken;
    bool rest = false;
    f->n = 0;
    for (uint32_t i = 0; i < n_lists; i++) {
        struct flight_list *l = &f->near[place + i * WHEEL_SLOTS];
        taken[i] = list_take(l);
        if (part->is_cut) list_cut(f, &taken[i], l, part);
        rest |= l->first != NULL;
        f->n += list_count(f, w, &taken[i], part->slot);
    }
    sorted_room(f, f->n);
    counts_add_up(f, w, part);
    for (uint32_t i = 0; i < n_lists; i++) list_place(f, &taken[i], (uint32_t)part->start);
    f->fetched = 0;
    if (!f->carries) flights_leave(f); /* their chunks are used again while they are in a near cache */
    if (!rest) wheel_leave(w);
}

void flights_leave(struct flights *f) {
    for (uint32_t i = 0; i < 2; i++) {
        struct flight_list l = list_take(&f->taken[i]);
        list_put(f, &l);
    }
}

/* ---- looking at all ---- */

static void lists_each(const struct flights *f, const struct flight_list *l, uint32_t n, flight_visit_fn visit,
                       void *context) {
    for (uint32_t i = 0; i < n; i++)
        for (const struct flight_chunk *c = l[i].first; c; c = c->next)
            for (const struct flight *x = c->of; x < chunk_end(f, &l[i], c); x++) visit(context, x);
}

void flights_each(const struct flights *f, flight_visit_fn visit, void *context) {
    if (!f->near) return;
    lists_each(f, f->near, 2 * WHEEL_SLOTS, visit, context);
    lists_each(f, f->far1, WHEEL_SLOTS, visit, context);
    lists_each(f, f->far2, WHEEL_SLOTS, visit, context);
}

/* Where the frames of a list get their times from. */
struct timing {
    const struct flights *f;
    const struct packet_pool *pool;
    time_ps slot_start; /* of a near list */
    bool far;           /* the frames themselves have their times */
    flight_arrival_fn visit;
    void *context;
};

static void timing_visit(void *context, const struct flight *x) {
    const struct timing *t = context;
    time_ps near = t->slot_start + (time_ps)(uint32_t)(x->at - (uint32_t)t->slot_start);
    t->visit(t->context, x, t->far ? flights_frame(t->f, t->pool, x)->at : near);
}

void flights_each_arrival(const struct flights *f, const struct wheel *w, const struct packet_pool *pool,
                          flight_arrival_fn visit, void *context) {
    if (!f->near) return;
    struct timing t = {.f = f, .pool = pool, .visit = visit, .context = context};
    for (int64_t slot = w->slot; slot < w->slot + WHEEL_SLOTS; slot++) {
        uint32_t place = (uint32_t)slot & (WHEEL_SLOTS - 1);
        if (!f->near[place].first && !f->near[place + WHEEL_SLOTS].first) continue;
        t.slot_start = slot ? wheel_slot_end(w, slot - 1) : 0;
        lists_each(f, &f->near[place], 1, timing_visit, &t);
        lists_each(f, &f->near[place + WHEEL_SLOTS], 1, timing_visit, &t);
    }
    t.far = true;
    lists_each(f, f->far1, WHEEL_SLOTS, timing_visit, &t);
    lists_each(f, f->far2, WHEEL_SLOTS, timing_visit, &t);
}

uint64_t flights_count(const struct flights *f) {
    uint64_t n = 0;
    for (uint32_t i = 0; f->near && i < 2 * WHEEL_SLOTS; i++) n += list_length(f, &f->near[i]);
    for (uint32_t i = 0; f->near && i < WHEEL_SLOTS; i++)
        n += list_length(f, &f->far1[i]) + list_length(f, &f->far2[i]);
    return n;
}
