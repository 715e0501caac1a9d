/* SPDX-License-Identifier: Apache-2.0 */
/* Frames on links, in lists by the slot in which they arrive: a calendar queue (Brown 1988).
 *
 * A frame that leaves a port is appended to the list of its slot: 16 bytes that name the frame, the node that receives it, its
 * port and the time. That includes queued frames: an analytic port knows at enqueue when a frame will arrive. When a slot
 * comes, its list is sorted by nodes, by counting, and each node finds its arrivals side by side. So neither sender nor
 * receiver touches memory that belongs to the link, which no near cache would hold in a large fabric. Lists are written and
 * read from one end to the other, so the next part of one can be prefetched.
 *
 * In huge fabrics the lists carry the frames too, by value. Their descriptors would lie anywhere in hundreds of MB, and each
 * frame would wait for the translation of its page and for its line; frames that were copied to their list lie side by side
 * with others of their slot (docs/notebook). The descriptor of a frame is free while the frame is on its way, and the frame gets
 * another from its next node, unless that is a switch which passes it on at once (sim/ways/ahead.c).
 *
 * Frames for the border nodes of a partition have lists of their own, because these nodes may run ahead of the others
 * (sim/engine/partition.h). Frames that arrive beyond the wheel's reach wait in lists of blocks of slots, as its marks do.
 */
#ifndef HEDDLE_SIM_ENGINE_FLIGHT_H
#define HEDDLE_SIM_ENGINE_FLIGHT_H

#include "node/switch.h"
#include "sim/engine/wheel.h"
#include "wire/packet_pool.h"

/* A slot is shorter than this, so 32 bits tell the time of an arrival. */
#define FLIGHT_LONGEST_SLOT ((span_ps)UINT32_MAX)

struct flight {
    uint32_t packet; /* its descriptor; undefined if the list carries it */
    uint32_t at;     /* the last 32 bits of its time of arrival, ps */
    uint32_t node;   /* the receiver: index in the partition's list of nodes */
    uint32_t port;   /* the receiver's */
};

struct flight_chunk { /* a piece of a list; all chunks of a list but the last are full */
    struct flight_chunk *next;
    uint64_t first; /* if it carries frames: the first one's number (flights_carried) */
    struct flight of[];
};

/* A chunk has room for 31 flights, or for 204 flights and behind them their frames. Large ones save waits for the translation
 * of addresses; so many frames lie there that half a chunk for each slot is little. */
#define FLIGHT_CHUNK_BYTES 512
#define FLIGHT_CARRIER_BYTES 16384 /* and its address is a multiple of that */
#define FLIGHT_CHUNK ((FLIGHT_CHUNK_BYTES - sizeof(struct flight_chunk)) / sizeof(struct flight))
#define FLIGHT_CARRIER                                                                                                 \
    ((FLIGHT_CARRIER_BYTES - sizeof(struct flight_chunk)) / (sizeof(struct flight) + sizeof(struct packet)))
#define FLIGHT_FRAMES_AT (FLIGHT_CARRIER_BYTES - FLIGHT_CARRIER * sizeof(struct packet))

/* Chunks are allocated in slabs. */
#define FLIGHT_SLAB 64         /* chunks without frames */
#define FLIGHT_SMALL_SLABS 128 /* of so many; 4 MiB. Later slabs, and those of chunks with frames, are huge pages. */

#define FETCH_AHEAD 24 /* arrivals between the one that is processed and the one whose frame is prefetched */
#define FETCH_FAR 512  /* the same from there to the one whose frame is prefetched into the second level */
#define FETCH_LIST 64  /* from there to the one that is prefetched itself */

struct flight_list {
    struct flight *tail, *limit; /* in the last chunk: the next free place, the end */
    struct flight_chunk *first, *last;
};

struct flights {
    bool carries;           /* the lists carry the frames */
    uint32_t chunk_flights; /* that a chunk has room for */
    uint32_t chunk_bytes;
    struct flight_list *near;        /* [2][WHEEL_SLOTS] of border nodes, of the others */
    struct flight_list *far1, *far2; /* [WHEEL_SLOTS] by blocks of slots; the frames have their times (packet.at) */
    uint64_t far1_occupied[WHEEL_MAP], far2_occupied[WHEEL_MAP];
    int64_t far_slot;           /* first slot of the first block with frames; SLOT_NONE */
    struct flight_chunk *spare; /* chunks in no list */
    char **slab;                /* [n_slabs] all chunks, many in one piece of memory */
    uint64_t slab_bytes;        /* of all slabs */
    uint32_t n_slabs;
    uint32_t n_nodes, n_border;
    /* the present slot: */
    struct arrival *sorted; /* [size] its n arrivals, node by node; those of carried frames have the frames' numbers */
    uint32_t *end;          /* [n_nodes] index behind the node's last arrival; whoever takes them sets it to 0 */
    uint32_t n, size;
    struct flight_list taken[2]; /* the lists of its frames */
    uint32_t fetched;            /* index of the next arrival whose frame is prefetched (flights_fetch) */
};

/* Bytes of the lists of a partition, without its nodes and frames, when each near slot has a chunk that is half full. */
#define FLIGHTS_BYTES(carries)                                                                                         \
    (4 * WHEEL_SLOTS * sizeof(struct flight_list) +                                                                    \
     WHEEL_NEAR * (uint64_t)((carries) ? FLIGHT_CARRIER_BYTES : FLIGHT_CHUNK_BYTES) / 2)

/* Creates empty lists for a partition of n_nodes, of which the first n_border are border nodes. carries: the lists are to carry
 * the frames, too. */
void flights_init(struct flights *f, uint32_t n_nodes, uint32_t n_border, bool carries);
void flights_fini(struct flights *f);
/* Return the bytes of the lists without the frames that they carry, and those of frames that they have room for. */
uint64_t flights_bytes(const struct flights *f);
uint64_t flights_frames_bytes(const struct flights *f);

void flight_list_grow(struct flights *f, struct flight_list *l);
void flights_add_far(struct flights *f, const struct wheel *w, struct packet_pool *pool, const struct flight *x,
                     time_ps at, int64_t slot);

/* ---- frames that lists carry ---- */

/* Returns where the frame of a flight lies in its chunk, if the lists carry frames. */
static inline struct packet *flight_frame(const struct flight *x) {
    uintptr_t at = (uintptr_t)x % FLIGHT_CARRIER_BYTES;
    char *chunk = (char *)((uintptr_t)x - at);
    size_t place = (at - sizeof(struct flight_chunk)) / sizeof(struct flight);
    return (struct packet *)(chunk + FLIGHT_FRAMES_AT) + place;
}

/* Returns the carried frame of that number: the place of its cache line among those of all slabs. */
static inline struct packet *flights_carried(const struct flights *f, uint32_t number) {
    const uint32_t per_slab = HUGE_PAGE / sizeof(struct packet);
    return (struct packet *)f->slab[number / per_slab] + number % per_slab;
}

/* Returns the frame of a flight in the lists. */
static inline const struct packet *flights_frame(const struct flights *f, const struct packet_pool *pool,
                                                 const struct flight *x) {
    return f->carries ? flight_frame(x) : packet_at(pool, x->packet);
}

/* Copies a frame to its place in a list, and prefetches the places behind it. */
static inline void flight_load(const struct flight *to, const struct packet *frame) {
    struct packet *copy = flight_frame(to);
    __builtin_prefetch(copy + 2, 1);
    __builtin_prefetch(to + 6, 1);
    *copy = *frame;
}

/* Copies a carried frame to a descriptor, and returns that. */
static inline uint32_t flight_unload(const struct packet *frame, struct packet_pool *pool) {
    uint32_t packet = packet_descriptor_take(pool);
    *packet_at(pool, packet) = *frame;
    return packet;
}

/* Copies the carried frames of n arrivals to descriptors, which the arrivals then name. */
static inline void flights_unload(const struct flights *f, struct packet_pool *pool, struct arrival *a, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) a[i].packet = flight_unload(flights_carried(f, a[i].packet), pool);
}

/* ---- sending ---- */

/* Appends to the list of a slot that is near. x: all but its time. Returns its place. */
static inline struct flight *flights_append(struct flights *f, struct wheel *w, struct flight x, time_ps at,
                                            int64_t slot) {
    uint32_t place = (uint32_t)slot & (WHEEL_SLOTS - 1);
    struct flight_list *l = &f->near[place + (x.node < f->n_border ? 0 : WHEEL_SLOTS)];
    if (__builtin_expect(l->tail == l->limit, 0)) {
        flight_list_grow(f, l);
        wheel_map_set(w->occupied, slot); /* an empty list grows with its first flight */
    }
    struct flight *to = l->tail++;
    to->packet = x.packet;
    to->at = (uint32_t)at;
    to->node = x.node;
    to->port = x.port;
    return to;
}

/* Puts a frame that arrives at `at`, in `slot`, on its way. x: all but its time. Where lists carry frames, its descriptor is
 * free then. */
static inline void flights_add(struct flights *f, struct wheel *w, struct packet_pool *pool, struct flight x,
                               time_ps at, int64_t slot) {
    if (__builtin_expect(slot - w->slot > WHEEL_NEAR, 0)) {
        flights_add_far(f, w, pool, &x, at, slot);
        return;
    }
    struct flight *to = flights_append(f, w, x, at, slot);
    if (!f->carries) return;
    flight_load(to, packet_at(pool, x.packet));
    packet_descriptor_put(pool, x.packet);
}

/* Puts a frame that came from a list, and has no descriptor, on its way. x: its receiver. */
static inline void flights_add_carried(struct flights *f, struct wheel *w, struct packet_pool *pool, struct flight x,
                                       const struct packet *frame, time_ps at, int64_t slot) {
    if (__builtin_expect(slot - w->slot > WHEEL_NEAR, 0)) {
        x.packet = flight_unload(frame, pool);
        flights_add_far(f, w, pool, &x, at, slot);
        return;
    }
    flight_load(flights_append(f, w, x, at, slot), frame);
}

/* ---- receiving ---- */

/* The part of a slot that a partition processes in one pass: some or all of its nodes, to its end or to an earlier time. */
struct slot_part {
    int64_t slot;
    time_ps start, end; /* from the slot's first instant, to its end or an earlier time */
    bool is_cut;        /* `end` is earlier than the slot's end */
    uint32_t n_nodes;   /* the first n_border nodes, or all */
};

/* Sorts the arrivals of part of the wheel's present slot by nodes, and marks these in the wheel. Later arrivals of the slot
 * stay in its list; if there are none, the wheel leaves the slot (wheel_leave). The arrivals of one node are in no order
 * that matters; sim/engine/arrivals.h sorts them. flights_leave follows when they all have been taken: until then carried frames
 * stay where they are. */
void flights_sort(struct flights *f, struct wheel *w, const struct slot_part *part);
void flights_leave(struct flights *f);

/* Prefetches the carried frames of the next n arrivals in `sorted`, whatever nodes these are for. Two steps, first into the
 * second level of the cache, are faster than one (docs/notebook). */
PREFETCHING flights_fetch(struct flights *f, uint32_t n) {
    uint32_t first = f->fetched, last = f->fetched += n;
    for (uint32_t i = first + FETCH_FAR; i < last + FETCH_FAR && i < f->n; i++) {
        __builtin_prefetch(&f->sorted[i + FETCH_LIST]);
        __builtin_prefetch(flights_carried(f, f->sorted[i].packet), 0, 2);
    }
    for (uint32_t i = first; i < last && i < f->n; i++) __builtin_prefetch(flights_carried(f, f->sorted[i].packet), 1);
}

/* Distributes the first block of far frames. Its first slot, far_slot, is the wheel's present one. */
void flights_drain(struct flights *f, struct wheel *w, struct packet_pool *pool);

/* Calls `visit` for each frame on its way; flights_frame returns the frame. */
typedef void (*flight_visit_fn)(void *context, const struct flight *x);
void flights_each(const struct flights *f, flight_visit_fn visit, void *context);
/* Calls `visit` for each frame on its way, with the time of its arrival. */
typedef void (*flight_arrival_fn)(void *context, const struct flight *x, time_ps at);
void flights_each_arrival(const struct flights *f, const struct wheel *w, const struct packet_pool *pool,
                          flight_arrival_fn visit, void *context);
/* Returns the number of frames on their way. */
uint64_t flights_count(const struct flights *f);

#endif
