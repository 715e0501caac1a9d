/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/exchange.h"

#include "base/memory.h"
#include "sim/exchange_ranks.h"

#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAD_TIME 8 /* one cache line for each partition */
#define PAD_PARITY 16
#define AHEAD_NEAR 8 /* frames between the one that is copied and the one whose places are prefetched */
#define AHEAD_FAR 16 /* the same to the one that itself is prefetched */
#define SPINS 2000   /* some 30 us: longer than windows of two threads differ, far shorter than a time slice */

static void *lines(size_t n, size_t size) {
    size_t bytes = (n * size + 63) / 64 * 64;
    void *memory = aligned_alloc(64, bytes);
    if (!memory) memory_out("memory ran out: none for frames between threads; lower --threads or --jobs");
    memset(memory, 0, bytes);
    return memory;
}

void exchange_init(struct exchange *x, uint32_t n) {
    memset(x, 0, sizeof *x);
    x->n = x->here = n;
    x->spins = n <= sysconf(_SC_NPROCESSORS_ONLN) ? SPINS : 0; /* spinning would take cores that other threads need */
    x->outbox = lines((size_t)n * n * 2, sizeof *x->outbox);
    x->vacated = lines(n, sizeof *x->vacated);
    x->notice = lines(2 * (size_t)n, sizeof *x->notice);
    x->earliest = lines((size_t)n * PAD_TIME, sizeof *x->earliest);
    x->parity = lines((size_t)n * PAD_PARITY, sizeof *x->parity);
    for (uint32_t i = 0; i < n; i++) x->earliest[i * PAD_TIME] = TIME_NONE;
}

void exchange_fini(struct exchange *x) {
    exchange_ranks_fini(x);
    for (size_t i = 0; i < (size_t)x->n * x->n * 2; i++) {
        free(x->outbox[i].frame);
        free(x->outbox[i].ext);
    }
    for (uint32_t i = 0; i < x->n; i++) free(x->vacated[i].packet);
    free(x->vacated);
    free(x->outbox);
    free(x->notice);
    free(x->earliest);
    free(x->parity);
}

struct outbox_half *exchange_half(struct exchange *x, uint32_t from, uint32_t to, uint32_t parity) {
    return &x->outbox[((size_t)from * x->n + to) * 2 + parity];
}

static __attribute__((noinline)) void frames_grow(struct outbox_half *half, uint32_t n) {
    struct packet *frame = memory_get_lines(n, sizeof *frame);
    if (half->n) memcpy(frame, half->frame, half->n * sizeof *frame);
    free(half->frame);
    half->frame = frame;
    half->size = n;
}

void outbox_half_room(struct outbox_half *half, uint32_t n, uint32_t n_ext) {
    if (n > half->size) frames_grow(half, (uint32_t)max_i64(2 * half->size, n));
    if (n_ext <= half->ext_size) return;
    half->ext_size = (uint32_t)max_i64(2 * half->ext_size, n_ext);
    half->ext = memory_grow(half->ext, half->ext_size, sizeof *half->ext);
}

static inline void vacated_add(struct vacated *v, uint32_t packet) {
    if (v->n == v->size) {
        v->size = v->size ? 2 * v->size : 256;
        v->packet = memory_grow(v->packet, v->size, sizeof *v->packet);
    }
    v->packet[v->n++] = packet;
}

static inline uint32_t vacated_take(struct vacated *v, struct packet_pool *pool) {
    return v->n ? v->packet[--v->n] : packet_get(pool);
}

void exchange_send(struct exchange *x, struct partition *part, uint32_t global, time_ps at, uint32_t packet) {
    uint32_t me = part->number;
    struct outbox_half *half = exchange_half(x, me, part->hop[global].partition, x->parity[me * PAD_PARITY]);
    outbox_half_room(half, half->n + 1, half->n_ext + 1);
    struct packet *from = packet_at(&part->pool, packet), *p = &half->frame[half->n++];
    __builtin_prefetch(p + AHEAD_NEAR, 1); /* another core has read this line */
    *p = *from;
    p->at = at;
    p->next = global;
    if (p->ext != EXT_NONE) {
        half->ext[half->n_ext] = *packet_ext_at(&part->pool, p->ext);
        p->ext = half->n_ext++;
        packet_ext_put(&part->pool, from->ext);
        from->ext = EXT_NONE;
    }
    vacated_add(&x->vacated[me], packet);
    if (at < x->earliest[me * PAD_TIME]) x->earliest[me * PAD_TIME] = at;
}

/* Sleeps until the round differs from `round`. The thread that ends the round changes it before it checks for sleepers,
 * and a sleeper is counted before it checks the round, so no wake-up is missed; the kernel checks once more. */
static void barrier_sleep(struct exchange *x, unsigned round) {
    atomic_fetch_add(&x->sleepers, 1);
    while (atomic_load(&x->round) == round) {
        atomic_fetch_add_explicit(&x->sleeps, 1, memory_order_relaxed);
        syscall(SYS_futex, &x->round, FUTEX_WAIT_PRIVATE, round, NULL, NULL, 0);
    }
    atomic_fetch_sub(&x->sleepers, 1);
}

void exchange_barrier(struct exchange *x) {
    unsigned round = atomic_load_explicit(&x->round, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&x->arrived, 1, memory_order_acq_rel) + 1 == x->here) {
        atomic_store_explicit(&x->arrived, 0, memory_order_relaxed);
        atomic_store(&x->round, round + 1);
        if (atomic_load(&x->sleepers)) syscall(SYS_futex, &x->round, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
        return;
    }
    for (unsigned spin = 0; spin < x->spins; spin++) {
        if (atomic_load_explicit(&x->round, memory_order_acquire) != round) return;
        __builtin_ia32_pause();
    }
    barrier_sleep(x, round);
}

/* Prefetches, while frame i is copied, where later frames go to, and one that is later still. */
PREFETCHING fetch_ahead(const struct partition *part, const struct vacated *v, const struct outbox_half *half,
                        uint32_t i) {
    __builtin_prefetch(&half->frame[i + AHEAD_FAR]);
    if (i + AHEAD_NEAR >= half->n) return;
    __builtin_prefetch(&part->hop[half->frame[i + AHEAD_NEAR].next]);
    if (v->n > AHEAD_NEAR) __builtin_prefetch(packet_at(&part->pool, v->packet[v->n - 1 - AHEAD_NEAR]), 1);
}

static void exchange_fetch(struct partition *part, struct vacated *v, struct outbox_half *half) {
    for (uint32_t i = 0; i < half->n; i++) {
        fetch_ahead(part, v, half, i);
        const struct packet *sent = &half->frame[i];
        uint32_t packet = vacated_take(v, &part->pool);
        struct packet *p = packet_at(&part->pool, packet);
        *p = *sent;
        if (sent->ext != EXT_NONE) {
            p->ext = packet_ext_get(&part->pool);
            *packet_ext_at(&part->pool, p->ext) = half->ext[sent->ext];
        }
        partition_accept(part, sent->next, sent->at, packet);
    }
    half->n = half->n_ext = 0;
}

/* Gives descriptors back that no frame has been copied into. */
static void vacated_put(struct vacated *v, struct packet_pool *pool) {
    while (v->n) packet_put(pool, v->packet[--v->n]);
}

void exchange_border_ran(struct exchange *x, struct partition *part) {
    exchange_ranks_border_ran(x, x->parity[part->number * PAD_PARITY], part->number == x->first);
}

void exchange_meet(struct exchange *x, struct partition *part, struct notice *all) {
    uint32_t me = part->number, parity = x->parity[me * PAD_PARITY];
    x->notice[parity * x->n + me] = (struct notice){
        .next = min_i64(partition_next(part), x->earliest[me * PAD_TIME]),
        .flows_done = part->shared.flows_done,
        .flows_started = part->shared.flows_started,
        .bytes = part->shared.bytes_received,
        .hops = part->hops,
        .given_up = part->given_up,
    };
    if (x->here > 1) exchange_barrier(x);
    if (x->ranks) {
        if (me == x->first) exchange_ranks_meet(x, parity);
        if (x->here > 1) exchange_barrier(x);
    }
    *all = x->ranks ? x->all : (struct notice){.next = TIME_NONE};
    for (uint32_t i = 0; i < x->n && !x->ranks; i++) {
        const struct notice *one = &x->notice[parity * x->n + i];
        all->next = min_i64(all->next, one->next);
        all->flows_done += one->flows_done;
        all->flows_started += one->flows_started;
        all->bytes += one->bytes;
        all->hops += one->hops;
        all->given_up += one->given_up;
    }
    for (uint32_t i = 0; i < x->n; i++) exchange_fetch(part, &x->vacated[me], exchange_half(x, i, me, parity));
    vacated_put(&x->vacated[me], &part->pool);
    x->parity[me * PAD_PARITY] = parity ^ 1;
    x->earliest[me * PAD_TIME] = TIME_NONE;
}

uint64_t exchange_bytes(const struct exchange *x) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < (size_t)x->n * x->n * 2; i++)
        bytes += x->outbox[i].size * sizeof(struct packet) + x->outbox[i].ext_size * sizeof(struct packet_ext);
    for (uint32_t i = 0; i < x->n; i++) bytes += x->vacated[i].size * sizeof *x->vacated[i].packet;
    return bytes;
}
