/* SPDX-License-Identifier: Apache-2.0 */
/* Frames on links, in lists by the slot in which they arrive: a calendar queue (Brown 1988).
 *
 * A frame that leaves a port is appended to the list of its slot: 16 bytes that name the frame, the node that receives it, its
 * port and the time. That includes queued frames: an analytic port knows at enqueue when a frame will arrive. When a slot
 * comes, its list is sorted by nodes, by counting, and each node finds its arrivals side by side. So neither sender nor
 * receiver touches memory that belongs to the link, which no near cache would hold in a large fabric. Lists are written and
 * read from one end to the other, so the next part of one can be prefetched.
 *
 * Frames for the border nodes of a partition have lists of their own, because these nodes may run ahead of the others
 * (sim/partition.h). Frames that arrive beyond the wheel's reach wait in lists of blocks of slots, as its marks do.
 */
#ifndef HEDDLE_SIM_FLIGHT_H
#define HEDDLE_SIM_FLIGHT_H

#include "node/switch.h"
#include "sim/wheel.h"
#include "wire/packet_pool.h"

/* A slot is shorter than this, so 32 bits tell the time of an arrival. */
#define FLIGHT_LONGEST_SLOT ((span_ps)UINT32_MAX)

struct flight {
    uint32_t packet;
    uint32_t at;   /* the last 32 bits of its time of arrival, ps */
    uint32_t node; /* the receiver: index in the partition's list of nodes */
    uint32_t port; /* the receiver's */
};

#define FLIGHT_CHUNK 31
struct flight_chunk { /* 512 B of a list; all chunks but the last are full */
    struct flight_chunk *next;
    uint64_t unused;
    struct flight of[FLIGHT_CHUNK];
};

#define FLIGHT_SLAB 64         /* chunks */
#define FLIGHT_SLAB_LARGE 4096 /* of later slabs: a huge page */
#define FLIGHT_SMALL_SLABS 128 /* 4 MiB */

#define FETCH_AHEAD 24 /* arrivals between the one that is processed and the one whose frame is prefetched */
#define FETCH_FAR 512  /* the same from there to the one whose frame is prefetched into the second level */

struct flight_list {
    struct flight *tail, *limit; /* in the last chunk: the next free place, the end */
    struct flight_chunk *first, *last;
};

struct flights {
    struct flight_list *near;        /* [2][WHEEL_SLOTS] of border nodes, of the others */
    struct flight_list *far1, *far2; /* [WHEEL_SLOTS] by blocks of slots; the frames have their times (packet.at) */
    uint64_t far1_occupied[WHEEL_MAP], far2_occupied[WHEEL_MAP];
    int64_t far_slot;           /* first slot of the first block with frames; SLOT_NONE */
    struct flight_chunk *spare; /* chunks in no list */
    struct flight_chunk **slab; /* [n_slabs] all chunks, many in one piece of memory */
    uint64_t slab_bytes;        /* of all slabs */
    uint32_t n_slabs;
    uint32_t n_nodes, n_border;
    /* the present slot: */
    struct arrival *sorted; /* [size] its arrivals, node by node */
    uint32_t *end;          /* [n_nodes] index behind the node's last arrival; whoever takes them sets it to 0 */
    uint32_t n, size;
    uint32_t fetched; /* index of the next arrival whose frame is prefetched (flights_fetch) */
};

/* Bytes of the lists of a partition, without its nodes and frames, when each near slot has a chunk that is half full. */
#define FLIGHTS_BYTES (4 * WHEEL_SLOTS * sizeof(struct flight_list) + WHEEL_NEAR * sizeof(struct flight_chunk) / 2)

/* Creates empty lists for a partition of n_nodes, of which the first n_border are border nodes. */
void flights_init(struct flights *f, uint32_t n_nodes, uint32_t n_border);
void flights_fini(struct flights *f);
uint64_t flights_bytes(const struct flights *f);

void flight_list_grow(struct flights *f, struct flight_list *l);
void flights_add_far(struct flights *f, const struct wheel *w, struct packet_pool *pool, const struct flight *x,
                     time_ps at, int64_t slot);

/* Puts a frame that arrives at `at`, in `slot`, on its way. x: all but its time. */
static inline void flights_add(struct flights *f, struct wheel *w, struct packet_pool *pool, struct flight x,
                               time_ps at, int64_t slot) {
    x.at = (uint32_t)at;
    if (__builtin_expect(slot - w->slot > WHEEL_NEAR, 0)) {
        flights_add_far(f, w, pool, &x, at, slot);
        return;
    }
    uint32_t place = (uint32_t)slot & (WHEEL_SLOTS - 1);
    struct flight_list *l = &f->near[place + (x.node < f->n_border ? 0 : WHEEL_SLOTS)];
    wheel_map_set(w->occupied, slot);
    if (__builtin_expect(l->tail == l->limit, 0)) flight_list_grow(f, l);
    struct flight *to = l->tail++;
    to->packet = x.packet;
    to->at = x.at;
    to->node = x.node;
    to->port = x.port;
}

/* The part of a slot that a partition processes in one pass: some or all of its nodes, to its end or to an earlier time. */
struct slot_part {
    int64_t slot;
    time_ps start, end; /* from the slot's first instant, to its end or an earlier time */
    bool is_cut;        /* `end` is earlier than the slot's end */
    uint32_t n_nodes;   /* the first n_border nodes, or all */
};

/* Sorts the arrivals of part of the wheel's present slot by nodes, and marks these in the wheel. Later arrivals of the slot
 * stay in its list; if there are none, the wheel leaves the slot (wheel_leave). The arrivals of one node are in no order
 * that matters; sim/arrivals.h sorts them. */
void flights_sort(struct flights *f, struct wheel *w, const struct slot_part *part);

/* For huge fabrics, whose frames come from memory: prefetches the frames of the next n arrivals in `sorted`, whatever nodes
 * these are for. Two steps, first into the second level of the cache, are faster than one (docs/perf.md). */
PREFETCHING flights_fetch(struct flights *f, const struct packet_pool *pool, uint32_t n) {
    uint32_t first = f->fetched, last = f->fetched += n;
    for (uint32_t i = first + FETCH_FAR; i < last + FETCH_FAR && i < f->n; i++)
        __builtin_prefetch(packet_at(pool, f->sorted[i].packet), 0, 2);
    for (uint32_t i = first; i < last && i < f->n; i++) __builtin_prefetch(packet_at(pool, f->sorted[i].packet), 1);
}

/* Distributes the first block of far frames. Its first slot, far_slot, is the wheel's present one. */
void flights_drain(struct flights *f, struct wheel *w, struct packet_pool *pool);

/* Calls `visit` for each frame on its way. */
typedef void (*flight_visit_fn)(void *context, const struct flight *x);
void flights_each(const struct flights *f, flight_visit_fn visit, void *context);
/* Returns the number of frames on their way. */
uint64_t flights_count(const struct flights *f);

#endif
