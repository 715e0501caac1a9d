/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors and extension cells, one pool per partition; the partitions of a process share the memory.
 *
 * An extension cell is short, one cache line, or wide, with room for an Expeditus tag (three). Most frames with an extension have
 * SACK blocks or a stamp, and in a large fabric hundreds of thousands of them are on their way. The number of a cell says
 * which it is: wide ones are numbered from POOL_FIRST_WIDE on.
 *
 * Descriptors lie in one range of addresses, which is reserved at the start and gets memory block by block. A 32-bit
 * index names a descriptor, and one shift and add finds it. The free list is a stack through `next`, so packet_get
 * returns the cache line touched last. A pool is used by one thread. A frame that crosses to a partition of another thread
 * stays where it is, and from then on belongs to that partition's pool. Cost: get 3 loads, put 2 stores. When the free list
 * is empty a block of 4,096 is added, beyond 8 MiB of them eight.
 */
#ifndef HEDDLE_WIRE_PACKET_POOL_H
#define HEDDLE_WIRE_PACKET_POOL_H

#include "wire/packet.h"

#define POOL_BLOCK_SHIFT 12
#define POOL_BLOCK (1u << POOL_BLOCK_SHIFT)
#define POOL_MAX_PACKETS (1u << 27) /* 8 GiB of descriptors */
#define POOL_FIRST_WIDE POOL_MAX_PACKETS
#define POOL_WIDE_LINES ((uint32_t)((sizeof(struct packet_ext) + 63) / 64)) /* that a wide cell takes, and numbers */

/* What a pool hands out: descriptors, short and wide extension cells. */
enum pool_kind { POOL_DESCRIPTOR, POOL_SHORT, POOL_WIDE, POOL_KINDS };

/* Returns how many of a kind a block has. */
static inline uint32_t pool_per_block(enum pool_kind kind) {
    return kind == POOL_WIDE ? POOL_BLOCK / POOL_WIDE_LINES : POOL_BLOCK;
}

struct ext_line { /* a short cell, or a third of a wide one */
    _Alignas(64) char byte[64];
};

/* The memory of descriptors and extension cells: of one pool, or of several that hand frames to each other. */
struct packet_store;

/* Numbers of free extension cells; the last one is handed out first. */
struct ext_list {
    uint32_t *ext; /* [n], room for `size` */
    uint32_t n, size;
};

struct packet_pool {
    struct packet *cell;         /* [POOL_MAX_PACKETS] of the store; addresses are reserved, blocks in use usable */
    struct ext_line **ext_block; /* of the store: [POOL_BLOCK] lines each */
    struct packet_store *store;
    uint32_t free_head;                          /* list of free descriptors, by packet.next; UINT32_MAX when empty */
    struct ext_list short_free, wide_free;       /* extension cells */
    uint32_t n_blocks, n_ext_blocks;             /* that this pool has taken from the store */
    uint64_t in_use, peak, ext_in_use, ext_peak; /* frames and extensions, wherever the frames are */
};

void packet_pool_init(struct packet_pool *pool);
/* Makes a pool that hands out of the same memory as `other`, so that an index names the same descriptor in both. Each is used
 * by one thread at a time. A frame is handed over by packet_pool_gave in one pool and packet_pool_got in the other, with
 * a barrier between; whoever has it then puts it back. The memory goes with the last pool. */
void packet_pool_share(struct packet_pool *pool, const struct packet_pool *other);
void packet_pool_fini(struct packet_pool *pool);
void packet_pool_grow(struct packet_pool *pool); /* aborts with a message when memory is exhausted */
/* Hand out an extension cell, short or wide, with zeroed n_sack and tag.entries. */
uint32_t packet_ext_get(struct packet_pool *pool);
uint32_t packet_ext_get_wide(struct packet_pool *pool);
/* Returns a wide cell with the contents of `ext`, which may be EXT_NONE, and takes a short one back. */
uint32_t packet_ext_widen(struct packet_pool *pool, uint32_t ext);
void packet_ext_put(struct packet_pool *pool, uint32_t ext);
uint64_t packet_pool_bytes(const struct packet_pool *pool); /* without what other pools took from the store */

/* Take at most n free descriptors, or extension cells, out of a pool, and return how many; put free ones of another pool that
 * shares the memory into this one. Where frames go one way, their descriptors come back so. */
uint32_t packet_pool_take_free(struct packet_pool *pool, enum pool_kind kind, uint32_t *index, uint32_t n);
void packet_pool_put_free(struct packet_pool *pool, enum pool_kind kind, const uint32_t *index, uint32_t n);

static inline struct packet *packet_at(const struct packet_pool *pool, uint32_t index) { return &pool->cell[index]; }
static inline uint32_t packet_index(const struct packet_pool *pool, const struct packet *p) {
    return (uint32_t)(p - pool->cell);
}

static inline struct packet_ext *packet_ext_at(const struct packet_pool *pool, uint32_t ext) {
    return (struct packet_ext *)&pool->ext_block[ext >> POOL_BLOCK_SHIFT][ext & (POOL_BLOCK - 1)];
}
/* Returns the kind of a cell; EXT_NONE is none. */
static inline enum pool_kind packet_ext_kind(uint32_t ext) { return ext < POOL_FIRST_WIDE ? POOL_SHORT : POOL_WIDE; }
/* Returns how much of a struct packet_ext a cell has. */
static inline size_t packet_ext_bytes(uint32_t ext) {
    return packet_ext_kind(ext) == POOL_WIDE ? sizeof(struct packet_ext) : sizeof(struct ext_line);
}

/* Take a descriptor from the free list and put one there, for a frame that is in use before and after: it was copied to
 * somewhere else, or comes back from there (sim/engine/flight.h). */
static inline uint32_t packet_descriptor_take(struct packet_pool *pool) {
    if (__builtin_expect(pool->free_head == UINT32_MAX, 0)) packet_pool_grow(pool);
    uint32_t index = pool->free_head;
    pool->free_head = packet_at(pool, index)->next;
    return index;
}
static inline void packet_descriptor_put(struct packet_pool *pool, uint32_t index) {
    packet_at(pool, index)->next = pool->free_head;
    pool->free_head = index;
}

/* Hands out a descriptor with undefined contents. */
static inline uint32_t packet_get(struct packet_pool *pool) {
    uint32_t index = packet_descriptor_take(pool);
    if (++pool->in_use > pool->peak) pool->peak = pool->in_use;
    return index;
}

/* Count frames, with their extension cells, that another pool got from this one, and that this one got. */
static inline void packet_pool_gave(struct packet_pool *pool, uint32_t n, uint32_t n_ext) {
    pool->in_use -= n;
    pool->ext_in_use -= n_ext;
}
static inline void packet_pool_got(struct packet_pool *pool, uint32_t n, uint32_t n_ext) {
    if ((pool->in_use += n) > pool->peak) pool->peak = pool->in_use;
    if ((pool->ext_in_use += n_ext) > pool->ext_peak) pool->ext_peak = pool->ext_in_use;
}

/* Takes a descriptor back, its extension cell too. */
static inline void packet_put(struct packet_pool *pool, uint32_t index) {
    struct packet *p = packet_at(pool, index);
    if (__builtin_expect(p->ext != EXT_NONE, 0)) packet_ext_put(pool, p->ext);
    packet_descriptor_put(pool, index);
    pool->in_use--;
}

#endif
