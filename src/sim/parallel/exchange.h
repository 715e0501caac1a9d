/* SPDX-License-Identifier: Apache-2.0 */
/* Frames between partitions.
 *
 * Between partitions of one process a frame stays where it is: their pools share memory (wire/packet_pool.h), and what
 * crosses is 24 bytes that name the frame and where it arrives. The sender writes them into an outbox. It closes the outbox
 * as soon as its border nodes have been run to the end of the interval, and goes on with its other nodes. The receiver reads
 * the outbox after it has run all of its own nodes. A thread therefore waits only for a thread that is behind by more than
 * the work of its other nodes. An outbox has two halves: the sender fills one while the receiver may still read the
 * other, of the interval before. Where more frames go one way than the other, free descriptors come back in the outboxes.
 *
 * Frames for partitions of other ranks are copied (sim/parallel/exchange_ranks.h).
 */
#ifndef HEDDLE_SIM_PARALLEL_EXCHANGE_H
#define HEDDLE_SIM_PARALLEL_EXCHANGE_H

#include "sim/engine/notice.h"
#include "sim/engine/partition.h"

#include <stdatomic.h>

/* A frame on its way to another partition of the process. */
struct crossing {
    time_ps at; /* its arrival */
    uint32_t packet;
    uint32_t node; /* the receiver: index in its partition's list of nodes */
    uint16_t port; /* its port */
};

/* What one partition sends another in one interval. */
struct outbox_half {
    _Alignas(64) struct crossing *frame; /* [sent[POOL_DESCRIPTOR]], room for `size` */
    uint32_t size;
    uint32_t sent[POOL_KINDS];   /* frames, those of them with a short extension cell, those with a wide one */
    uint32_t n_free[POOL_KINDS]; /* free descriptors and cells that come back */
    uint32_t *free[POOL_KINDS];  /* [pool_per_block] each; NULL before the first */
};

/* From one partition to another. */
struct outbox {
    struct outbox_half half[2];
    int64_t surplus[POOL_KINDS]; /* descriptors and cells that have come from the other partition, minus those sent */
};

/* How many intervals there are in which a partition sends nothing more to others of the process. */
struct closing {
    _Alignas(64) atomic_uint n;
    atomic_uint sleepers; /* threads that sleep in the kernel until n grows */
    bool is_closed;       /* this interval; the partition's own */
};

/* How an interval ends. */
enum interval_end { END_PASS, END_MEET };

struct exchange;

/* How frames and notices reach the partitions of other ranks (sim/parallel/exchange_ranks.h). A window is an interval; parity: of
 * the window. */
struct exchange_remote {
    /* Copies a frame that leaves the port `global`, and arrives at a partition of another rank at `at`, into the list for it. */
    void (*send)(struct exchange *x, struct partition *part, uint32_t parity, uint32_t global, time_ps at,
                 uint32_t packet);
    /* Copies the frames that other ranks have sent this partition into its pool. */
    void (*fetch)(struct exchange *x, struct partition *part);
    /* One partition of this rank sends nothing more to other ranks in this window. Each partition may say so once a window. If
     * all have, and `may_send`, the messages leave, and if the window ends with a pass, its reduction begins; only the thread
     * that calls `end` may do so. */
    void (*border_ran)(struct exchange *x, uint32_t parity, bool may_send, enum interval_end end);
    /* Ends a window with the other ranks. One thread calls it, when all threads of the rank have ended the window, and for a
     * meeting have posted their notices of this parity; a pass takes those of the other one. Fills x->all. */
    void (*end)(struct exchange *x, uint32_t parity, enum interval_end end);
    uint64_t (*bytes)(const struct exchange *x);
    void (*fini)(struct exchange *x);
};

struct exchange {
    uint32_t n;                           /* partitions */
    uint32_t first, here;                 /* those of this process: all, or a rank's part of them */
    const struct exchange_remote *remote; /* NULL: all partitions are here */
    struct exchange_ranks *ranks;         /* its own */
    struct notice all;                    /* the sum over all ranks, when an interval has ended */
    uint32_t spins;                       /* spins at a barrier before a thread sleeps */
    struct outbox *outbox;                /* [from][to] of this process */
    struct notice *notice;                /* [parity][partition] */
    time_ps *earliest;                    /* [partition * 8] earliest arrival sent in this interval */
    uint32_t *parity;                     /* [partition * 16] of the interval */
    struct closing *closing;              /* [partition] */
    _Alignas(64) atomic_uint arrived;
    _Alignas(64) atomic_uint round;
    _Alignas(64) atomic_uint sleepers; /* threads that sleep in the kernel until the round ends */
    atomic_uint sleeps;                /* how often threads went to sleep, in total */
};

/* An exchange between n partitions, of which this process has `here` from `first` on; exchange_init: all of them. A rank calls
 * exchange_ranks_init instead. */
void exchange_init_part(struct exchange *x, uint32_t n, uint32_t first, uint32_t here);
void exchange_init(struct exchange *x, uint32_t n);
void exchange_fini(struct exchange *x);
/* Sends a frame to another partition of this process or of another rank (sim/engine/partition.h: cross_fn). */
void exchange_send(struct partition *part, uint32_t global, time_ps at, uint32_t packet);

/* Waits until all partitions have arrived. A waiting thread spins briefly and then sleeps, so that on a busy machine
 * the thread it waits for gets the core. */
void exchange_barrier(struct exchange *x);

/* Says that this partition sends nothing more to other ranks, or, without ranks, to others at all in this interval. Its
 * frames may then be fetched, or leave for the other ranks, while it goes on. Called at most once in an interval, by all
 * partitions with the same `end`. */
void exchange_border_ran(struct exchange *x, struct partition *part, enum interval_end end);

/* Ends an interval: waits until the others send nothing more in it, and fetches what they sent here. Returns a time before
 * which nobody has an event, as it was known when the interval before ended; the same in every partition. */
time_ps exchange_pass(struct exchange *x, struct partition *part);

/* Ends an interval for all together: posts this partition's notice, waits until the others have posted theirs, fetches the
 * frames sent here. Afterwards *all is the sum of the notices (next: the least), the same in every partition. */
void exchange_meet(struct exchange *x, struct partition *part, struct notice *all);

/* Returns the sum of the notices of this process's partitions for intervals of that parity (next: the least). */
struct notice exchange_notices(const struct exchange *x, uint32_t parity);

uint64_t exchange_bytes(const struct exchange *x);

#endif
