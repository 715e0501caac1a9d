/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/parallel/exchange.h"

#include "base/cores.h"
#include "base/memory.h"

#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAD_TIME 8 /* one cache line for each partition */
#define PAD_PARITY 16
#define AHEAD 8    /* frames between the one that is written into an outbox and the place that is prefetched */
#define SPINS 2000 /* some 30 us: longer than windows of two threads differ, far shorter than a time slice */

static void *lines(size_t n, size_t size) {
    size_t bytes = (n * size + 63) / 64 * 64;
    void *memory = aligned_alloc(64, bytes);
    if (!memory) memory_out("memory ran out: none for frames between threads; lower --threads or --jobs");
    memset(memory, 0, bytes);
    return memory;
}

/* Returns how often a waiting thread may spin: not at all where it would take a core that another thread needs. */
static uint32_t spins_for(uint32_t n, uint32_t here) {
    uint32_t usable = cores_allowed();
    if (n > sysconf(_SC_NPROCESSORS_ONLN)) return 0;
    return usable && here > usable ? 0 : SPINS;
}

void exchange_init_part(struct exchange *x, uint32_t n, uint32_t first, uint32_t here) {
    memset(x, 0, sizeof *x);
    x->n = n;
    x->first = first;
    x->here = here;
    x->spins = spins_for(n, here);
    x->outbox = lines((size_t)here * here, sizeof *x->outbox);
    x->notice = lines(2 * (size_t)n, sizeof *x->notice);
    x->earliest = lines((size_t)n * PAD_TIME, sizeof *x->earliest);
    x->parity = lines((size_t)n * PAD_PARITY, sizeof *x->parity);
    x->closing = lines(n, sizeof *x->closing);
    for (uint32_t i = 0; i < n; i++) x->earliest[i * PAD_TIME] = TIME_NONE;
}

void exchange_init(struct exchange *x, uint32_t n) { exchange_init_part(x, n, 0, n); }

static void half_fini(struct outbox_half *half) {
    free(half->frame);
    for (int kind = 0; kind < POOL_KINDS; kind++) free(half->free[kind]);
}

void exchange_fini(struct exchange *x) {
    if (x->remote) x->remote->fini(x);
    for (size_t i = 0; i < 2 * (size_t)x->here * x->here; i++) half_fini(&x->outbox[i / 2].half[i % 2]);
    free(x->outbox);
    free(x->notice);
    free(x->earliest);
    free(x->parity);
    free(x->closing);
}

static struct outbox *outbox_at(const struct exchange *x, uint32_t from, uint32_t to) {
    return &x->outbox[(size_t)(from - x->first) * x->here + (to - x->first)];
}

static __attribute__((noinline)) void half_grow(struct outbox_half *half) {
    half->size = half->size ? 2 * half->size : 256;
    half->frame = memory_grow(half->frame, half->size, sizeof *half->frame);
}

void exchange_send(struct partition *part, uint32_t global, time_ps at, uint32_t packet) {
    struct exchange *x = part->exchange;
    uint32_t me = part->number;
    const struct hop *hop = &part->hop[global];
    if (at < x->earliest[me * PAD_TIME]) x->earliest[me * PAD_TIME] = at;
    if (hop->partition - x->first >= x->here) {
        x->remote->send(x, part, x->parity[me * PAD_PARITY], global, at, packet);
        return;
    }
    struct outbox_half *half = &outbox_at(x, me, hop->partition)->half[x->parity[me * PAD_PARITY]];
    if (half->sent[POOL_DESCRIPTOR] == half->size) half_grow(half);
    struct crossing *to = &half->frame[half->sent[POOL_DESCRIPTOR]++];
    __builtin_prefetch(to + AHEAD, 1); /* another core has read this line */
    *to = (struct crossing){.at = at, .packet = packet, .node = hop->node, .port = hop->port};
    uint32_t ext = packet_at(&part->pool, packet)->ext;
    if (ext != EXT_NONE) half->sent[packet_ext_kind(ext)]++;
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

/* ---- free descriptors that come back ---- */

/* Gives free descriptors or extension cells back, if a block more has come from a partition than was sent to it. */
static void give_back(struct outbox *box, struct outbox_half *half, struct packet_pool *pool, enum pool_kind kind) {
    uint32_t block = pool_per_block(kind);
    box->surplus[kind] -= half->sent[kind];
    if (box->surplus[kind] < block) return;
    if (!half->free[kind]) half->free[kind] = memory_get(block, sizeof *half->free[kind]);
    half->n_free[kind] = packet_pool_take_free(pool, kind, half->free[kind], block);
    box->surplus[kind] -= half->n_free[kind];
}

/* Ends what this partition sends to another in an interval. */
static void half_close(struct outbox *box, struct outbox_half *half, struct packet_pool *pool) {
    packet_pool_gave(pool, half->sent[POOL_DESCRIPTOR], half->sent[POOL_SHORT] + half->sent[POOL_WIDE]);
    for (enum pool_kind kind = 0; kind < POOL_KINDS; kind++) give_back(box, half, pool, kind);
}

/* Takes what another partition has sent. `back`: this one's outbox to it. */
static void half_take(struct outbox_half *half, struct outbox *back, struct partition *part) {
    for (const struct crossing *c = half->frame, *end = c + half->sent[POOL_DESCRIPTOR]; c < end; c++) {
        struct flight x = {.packet = c->packet, .node = c->node, .port = c->port};
        if (end - c > AHEAD && part->flights.carries) __builtin_prefetch(packet_at(&part->pool, c[AHEAD].packet), 1);
        partition_accept(part, x, c->at);
    }
    packet_pool_got(&part->pool, half->sent[POOL_DESCRIPTOR], half->sent[POOL_SHORT] + half->sent[POOL_WIDE]);
    for (enum pool_kind kind = 0; kind < POOL_KINDS; kind++) {
        back->surplus[kind] += half->sent[kind] + half->n_free[kind];
        packet_pool_put_free(&part->pool, kind, half->free[kind], half->n_free[kind]);
        half->sent[kind] = half->n_free[kind] = 0;
    }
}

/* ---- the end of an interval ---- */

/* Closes what this partition sends to others of the process. */
static void exchange_close(struct exchange *x, struct partition *part) {
    uint32_t me = part->number, parity = x->parity[me * PAD_PARITY];
    struct closing *c = &x->closing[me];
    if (c->is_closed) return;
    c->is_closed = true;
    for (uint32_t i = x->first; i < x->first + x->here; i++) {
        struct outbox *box = outbox_at(x, me, i);
        if (i != me) half_close(box, &box->half[parity], &part->pool);
    }
    atomic_fetch_add(&c->n, 1);
    if (atomic_load(&c->sleepers)) syscall(SYS_futex, &c->n, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

static bool has_closed(const struct closing *c, unsigned n) {
    return (int)(atomic_load_explicit(&c->n, memory_order_acquire) - n) >= 0;
}

/* Waits until a partition has closed n intervals. No wake-up is missed, for the reasons given at barrier_sleep. */
static void closing_await(struct exchange *x, struct closing *c, unsigned n) {
    for (unsigned spin = 0; spin < x->spins; spin++) {
        if (has_closed(c, n)) return;
        __builtin_ia32_pause();
    }
    atomic_fetch_add(&c->sleepers, 1);
    for (unsigned seen; (int)((seen = atomic_load(&c->n)) - n) < 0;) {
        atomic_fetch_add_explicit(&x->sleeps, 1, memory_order_relaxed);
        syscall(SYS_futex, &c->n, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
    }
    atomic_fetch_sub(&c->sleepers, 1);
}

/* Closes this interval and waits until the others of the process have. Then they also have read the notices and outboxes of the
 * interval before the last, whose places are written next. */
static void exchange_close_all(struct exchange *x, struct partition *part) {
    exchange_close(x, part);
    unsigned n = atomic_load_explicit(&x->closing[part->number].n, memory_order_relaxed);
    for (uint32_t i = x->first; i < x->first + x->here; i++)
        if (!has_closed(&x->closing[i], n)) closing_await(x, &x->closing[i], n);
}

static void exchange_take(struct exchange *x, struct partition *part, uint32_t parity) {
    uint32_t me = part->number;
    for (uint32_t i = x->first; i < x->first + x->here; i++)
        if (i != me) half_take(&outbox_at(x, i, me)->half[parity], outbox_at(x, me, i), part);
    if (x->remote) x->remote->fetch(x, part);
    x->parity[me * PAD_PARITY] = parity ^ 1;
    x->earliest[me * PAD_TIME] = TIME_NONE;
    x->closing[me].is_closed = false;
}

void exchange_border_ran(struct exchange *x, struct partition *part, enum interval_end end) {
    if (x->remote)
        x->remote->border_ran(x, x->parity[part->number * PAD_PARITY], part->number == x->first, end);
    else
        exchange_close(x, part);
}

/* Ends an interval with the other ranks, if there are any. Afterwards x->all is the sum over all ranks. */
static void exchange_with_ranks(struct exchange *x, uint32_t me, enum interval_end end) {
    if (!x->remote) return;
    if (me == x->first) x->remote->end(x, x->parity[me * PAD_PARITY], end);
    if (x->here > 1) exchange_barrier(x);
}

static void notice_add(struct notice *all, const struct notice *one) {
    all->next = min_i64(all->next, one->next);
    all->flows_done += one->flows_done;
    all->flows_started += one->flows_started;
    all->bytes += one->bytes;
    all->hops += one->hops;
    all->work_done += one->work_done;
    all->given_up += one->given_up;
    all->last = max_i64(all->last, one->last);
}

struct notice exchange_notices(const struct exchange *x, uint32_t parity) {
    struct notice all = {.next = TIME_NONE, .last = LAST_NO_FLOW};
    for (uint32_t i = 0; i < x->here; i++) notice_add(&all, &x->notice[parity * x->n + x->first + i]);
    return all;
}

/* A partition posts its notice of an interval before it closes the next one, and has read those of an interval before it
 * closes the one after the next. So after the wait the notices of the interval before are there, and the
 * places of those before that are free. */
time_ps exchange_pass(struct exchange *x, struct partition *part) {
    uint32_t me = part->number, parity = x->parity[me * PAD_PARITY];
    exchange_close_all(x, part);
    exchange_with_ranks(x, me, END_PASS);
    time_ps next = x->remote ? x->all.next : exchange_notices(x, parity ^ 1).next;
    exchange_take(x, part, parity);
    x->notice[parity * x->n + me] = (struct notice){.next = partition_next(part)};
    return next;
}

void exchange_meet(struct exchange *x, struct partition *part, struct notice *all) {
    uint32_t me = part->number, parity = x->parity[me * PAD_PARITY];
    exchange_close_all(x, part);
    x->notice[parity * x->n + me] = (struct notice){
        .next = min_i64(partition_next(part), x->earliest[me * PAD_TIME]),
        .flows_done = part->shared.flows_done,
        .flows_started = part->shared.flows_started,
        .bytes = part->shared.bytes_received,
        .hops = part->hops,
        .work_done = part->shared.work_done,
        .given_up = part->given_up,
        .last = part->last,
    };
    if (x->here > 1) exchange_barrier(x);
    exchange_with_ranks(x, me, END_MEET);
    *all = x->remote ? x->all : exchange_notices(x, parity);
    exchange_take(x, part, parity);
}

static uint64_t half_bytes(const struct outbox_half *half) {
    uint64_t bytes = half->size * sizeof *half->frame;
    for (enum pool_kind kind = 0; kind < POOL_KINDS; kind++)
        if (half->free[kind]) bytes += pool_per_block(kind) * sizeof *half->free[kind];
    return bytes;
}

uint64_t exchange_bytes(const struct exchange *x) {
    uint64_t bytes = x->remote ? x->remote->bytes(x) : 0;
    for (size_t i = 0; i < 2 * (size_t)x->here * x->here; i++) bytes += half_bytes(&x->outbox[i / 2].half[i % 2]);
    return bytes;
}
