/* SPDX-License-Identifier: Apache-2.0 */
/* The tallies of all flows of a run: an array, or blocks that take what their flows need at the time.
 *
 * A large job has millions of messages of which few are open at a time. Its tallies are blocks of TALLY_BLOCK flows of adjacent
 * numbers. A block has
 *
 *     nothing            until one of its flows starts: a tally is as that of a flow that has not started;
 *     an open array      while its flows run: ends write it through the pointer of tallies_at;
 *     packed columns     when all its flows have ended: tallies are read one by one, and nobody writes them.
 *
 * A column is packed as its least value and the distances from it, each of as many whole bytes as the largest one needs; the
 * times of a flow count from its end, and its received bytes from its size. A block, little-endian:
 *
 *     2 bytes for each of TALLY_COLUMNS    place of the column in the block; 0: all its values are 0
 *     then the columns that have a place:  1 byte w, 8 bytes the least distance, TALLY_BLOCK x w bytes
 *     8 bytes                              0
 *
 * Threads: any may make a block. tallies_look and tallies_pack need that all others stand still.
 */
#ifndef HEDDLE_BASE_TALLIES_H
#define HEDDLE_BASE_TALLIES_H

#include "base/views.h"

#define TALLY_BLOCK 64
#define TALLY_COLUMNS 23

struct tally_block {
    struct flow_tally *open; /* [TALLY_BLOCK]; NULL: packed, or not made yet */
    uint8_t *packed;
};

/* A block that may be packed one day, and how many of its first flows have ended. */
struct open_tallies {
    uint32_t block, ended;
};

struct tallies {
    struct flow_tally *all; /* [n]; NULL: there are blocks */
    struct tally_block *block;
    const struct flow *flow; /* [n] of blocks */
    uint32_t n;
};

/* What a run needs to make and pack blocks. */
struct tally_work {
    struct tallies *of;
    uint32_t *made, n_made; /* blocks in the order in which they were made, since tallies_look was called */
    struct open_tallies *open;
    uint32_t n_open, open_room;
};

/* Returns the tallies of an array. */
static inline struct tallies tallies_of(const struct flow_tally *all) {
    return (struct tallies){.all = (struct flow_tally *)all};
}

static inline uint32_t tallies_blocks(uint32_t n) { return n / TALLY_BLOCK + (n % TALLY_BLOCK != 0); }

/* Makes tallies of n flows that have not started: blocks, or an array. The caller frees them by tallies_fini. */
void tallies_init(struct tallies *t, const struct flow *flow, uint32_t n, bool in_blocks);
void tallies_fini(struct tallies *t);
void tally_work_init(struct tally_work *w, struct tallies *of);
void tally_work_fini(struct tally_work *w);

/* Returns the tally of a flow that is not packed, for its ends to write; makes its block. */
struct flow_tally *tallies_at(struct tally_work *w, uint32_t flow);

/* Returns the tally of a flow if an array or an open block has it; NULL: none has. */
static inline const struct flow_tally *tallies_near(const struct tallies *t, uint32_t flow) {
    if (t->all) return &t->all[flow];
    const struct flow_tally *open = __atomic_load_n(&t->block[flow / TALLY_BLOCK].open, __ATOMIC_ACQUIRE);
    return open ? &open[flow % TALLY_BLOCK] : NULL;
}

/* Return a tally that is packed, or not made, and single fields of it. */
struct flow_tally tally_unpack(const struct tallies *t, uint32_t flow);
time_ps tally_unpack_started_at(const struct tallies *t, uint32_t flow);
time_ps tally_unpack_finished_at(const struct tallies *t, uint32_t flow);
time_ps tally_unpack_acked_at(const struct tallies *t, uint32_t flow);
int64_t tally_unpack_received_bytes(const struct tallies *t, uint32_t flow);

/* Return a tally, and single fields of it. */
static inline struct flow_tally tally_of(struct tallies t, uint32_t flow) {
    const struct flow_tally *near = tallies_near(&t, flow);
    return near ? *near : tally_unpack(&t, flow);
}
static inline time_ps tally_started_at(struct tallies t, uint32_t flow) {
    const struct flow_tally *near = tallies_near(&t, flow);
    return near ? near->started_at : tally_unpack_started_at(&t, flow);
}
static inline time_ps tally_finished_at(struct tallies t, uint32_t flow) {
    const struct flow_tally *near = tallies_near(&t, flow);
    return near ? near->finished_at : tally_unpack_finished_at(&t, flow);
}
static inline time_ps tally_acked_at(struct tallies t, uint32_t flow) {
    const struct flow_tally *near = tallies_near(&t, flow);
    return near ? near->acked_at : tally_unpack_acked_at(&t, flow);
}
static inline int64_t tally_received_bytes(struct tallies t, uint32_t flow) {
    const struct flow_tally *near = tallies_near(&t, flow);
    return near ? near->received_bytes : tally_unpack_received_bytes(&t, flow);
}
static inline time_ps tally_first_data_at(struct tallies t, uint32_t flow) { return tally_of(t, flow).first_data_at; }

/* Packs the blocks of whose flows both ends have ended: has_ended says so of a flow, once for all. */
void tallies_look(struct tally_work *w, bool (*has_ended)(const void *context, uint32_t flow), const void *context);
/* Packs all blocks, when nobody writes tallies any more. */
void tallies_pack(struct tallies *t);
/* Returns the bytes of a packed block, and of all blocks with what they have. */
size_t tally_block_bytes(const struct tally_block *b);
size_t tallies_bytes(const struct tallies *t);

#endif
