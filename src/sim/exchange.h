/* SPDX-License-Identifier: Apache-2.0 */
/* Frames between partitions: the sender copies them into an outbox, the receiver fetches them after the barrier.
 *
 * Frames for partitions of other ranks go the same way, and then through sim/exchange_ranks.h. An outbox has two halves:
 * the sender fills one while the receiver reads the other, of the interval before. So one barrier per interval suffices.
 */
#ifndef HEDDLE_SIM_EXCHANGE_H
#define HEDDLE_SIM_EXCHANGE_H

#include "sim/partition.h"

#include <stdatomic.h>

/* A frame that crosses is a descriptor, one cache line: `at` is its arrival, `next` the global port that sent it, `ext`
 * an index in the half's list of extensions. */
struct outbox_half {
    struct packet *frame;
    struct packet_ext *ext;
    uint32_t n, size, n_ext, ext_size;
};

/* Descriptors whose frames have left a partition in this interval. The frames that it fetches at the end are copied into
 * them, which are known ahead and can be prefetched; a free list would tell one after the other. */
struct vacated {
    uint32_t *packet;
    uint32_t n, size;
    char pad[48];
};
_Static_assert(sizeof(struct vacated) == 64, "one cache line: its owner writes it with each frame");

/* The message of a partition to all others at a barrier. */
struct notice {
    time_ps next; /* no event before this time among those it has and those it has sent */
    uint64_t flows_done, flows_started, bytes, hops;
    uint64_t given_up; /* whoever watches the run wants its end */
    char pad[16];
};

struct exchange {
    uint32_t n;                   /* partitions */
    uint32_t first, here;         /* those of this process: all, or a rank's part of them */
    struct exchange_ranks *ranks; /* NULL: all partitions are here */
    struct notice all;            /* what the ranks agreed on at the last meeting */
    uint32_t spins;               /* spins at a barrier before a thread sleeps */
    struct outbox_half *outbox;   /* [from][to][parity] */
    struct vacated *vacated;      /* [partition] */
    struct notice *notice;        /* [parity][partition] */
    time_ps *earliest;            /* [partition * 8] earliest arrival sent in this interval */
    uint32_t *parity;             /* [partition * 16] */
    _Alignas(64) atomic_uint arrived;
    _Alignas(64) atomic_uint round;
    _Alignas(64) atomic_uint sleepers; /* threads that sleep in the kernel until the round ends */
    atomic_uint sleeps;                /* how often threads went to sleep, in total */
};

struct outbox_half *exchange_half(struct exchange *x, uint32_t from, uint32_t to, uint32_t parity);
/* Makes room for n frames with n_ext extensions. */
void outbox_half_room(struct outbox_half *half, uint32_t n, uint32_t n_ext);

void exchange_init(struct exchange *x, uint32_t n);
void exchange_fini(struct exchange *x);
void exchange_send(struct exchange *x, struct partition *part, uint32_t global, time_ps at, uint32_t packet);

/* Waits until all partitions have arrived. A waiting thread spins briefly and then sleeps, so that on a busy machine
 * the thread it waits for gets the core. */
void exchange_barrier(struct exchange *x);

/* Says that this partition sends nothing more to other ranks in this interval. Once all partitions of the rank have said
 * so, their frames may leave for the other ranks while the partitions go on. */
void exchange_border_ran(struct exchange *x, struct partition *part);

/* Ends an interval: posts this partition's notice, waits for the others, fetches the frames sent here. Afterwards *all
 * is the sum of the notices (next: the least), the same in every partition. */
void exchange_meet(struct exchange *x, struct partition *part, struct notice *all);

uint64_t exchange_bytes(const struct exchange *x);

#endif
