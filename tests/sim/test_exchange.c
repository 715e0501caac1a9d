/* SPDX-License-Identifier: Apache-2.0 */
/* What crosses between partitions: copies, in order, with their extensions; and what all hear at a barrier. */
#include "sim/exchange.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#define SLOT 1000
#define PARTS 3
#define ROUNDS 50

/* Every partition has a link to each of the others (port from * PARTS + to) and one input per sender. */
struct rig {
    struct exchange exchange;
    struct partition part[PARTS];
    uint32_t to[PARTS * PARTS];
    uint16_t to_partition[PARTS * PARTS];
};

static void rig_part(struct rig *r, uint16_t number) {
    struct partition *p = &r->part[number];
    p->number = number;
    p->exchange = &r->exchange;
    p->to = r->to;
    p->to_partition = r->to_partition;
    p->n_inputs = PARTS;
    p->in = calloc(PARTS, sizeof *p->in);
    assert_non_null(p->in);
    wheel_init(&p->wheel, PARTS, SLOT);
    packet_pool_init(&p->pool);
    for (uint32_t from = 0; from < PARTS; from++) {
        link_init(&p->in[from], 0, (uint16_t)from, false);
        r->to[from * PARTS + number] = from | TO_OTHER;
        r->to_partition[from * PARTS + number] = number;
    }
}

static struct rig *rig_new(void) {
    struct rig *r = aligned_alloc(64, (sizeof *r + 63) / 64 * 64);
    assert_non_null(r);
    memset(r, 0, sizeof *r);
    exchange_init(&r->exchange, PARTS);
    for (uint16_t i = 0; i < PARTS; i++) rig_part(r, i);
    return r;
}

static void rig_end(struct rig *r) {
    for (int i = 0; i < PARTS; i++) {
        for (int k = 0; k < PARTS; k++) link_fini(&r->part[i].in[k]);
        free(r->part[i].in);
        wheel_fini(&r->part[i].wheel);
        packet_pool_fini(&r->part[i].pool);
    }
    exchange_fini(&r->exchange);
    free(r);
}

static uint32_t make_frame(struct partition *p, uint32_t serial, bool tagged) {
    uint32_t index = packet_get(&p->pool);
    *packet_at(&p->pool, index) = (struct packet){.serial = serial, .origin = p->number, .ext = EXT_NONE};
    if (tagged) {
        uint32_t ext = packet_ext_get(&p->pool);
        packet_ext_at(&p->pool, ext)->n_sack = 1;
        packet_ext_at(&p->pool, ext)->sack[0].begin = serial;
        packet_at(&p->pool, index)->ext = ext;
    }
    return index;
}

/* How many frames partition `from` sends to `to` in a round; none at all in some. */
static uint32_t burst(uint32_t round, uint32_t from, uint32_t to) {
    return from == to ? 0 : (round * 7 + from * 3 + to) % 5 == 0 ? 200 : (round + to) % 3;
}

static time_ps arrival(uint32_t round, uint32_t k) { return (round + 1) * 100 * SLOT + k; }

static void send_bursts(struct rig *r, struct partition *me, uint32_t round) {
    for (uint32_t to = 0; to < PARTS; to++)
        for (uint32_t k = 0; k < burst(round, me->number, to); k++)
            exchange_send(&r->exchange, me, me->number * PARTS + to, arrival(round, k),
                          make_frame(me, round * 1000 + k, k % 2));
}

/* True if what came from each sender is what it sent, in order; takes it out. */
static bool take_bursts(struct partition *me, uint32_t round) {
    for (uint32_t from = 0; from < PARTS; from++) {
        struct link *link = &me->in[from];
        if (link_length(link) != burst(round, from, me->number)) return false;
        for (uint32_t k = 0; k < burst(round, from, me->number); k++) {
            uint32_t index = link_frame(link, link->head++);
            struct packet *p = packet_at(&me->pool, index);
            if (p->at != arrival(round, k) || p->origin != from || p->serial != round * 1000 + k) return false;
            if ((p->ext != EXT_NONE) != (k % 2)) return false;
            if (k % 2 && packet_ext_at(&me->pool, p->ext)->sack[0].begin != p->serial) return false;
            packet_put(&me->pool, index);
        }
    }
    return me->pool.in_use == 0 && me->pool.ext_in_use == 0;
}

static bool anything_sent(uint32_t round) {
    for (uint32_t from = 0; from < PARTS; from++)
        for (uint32_t to = 0; to < PARTS; to++)
            if (burst(round, from, to)) return true;
    return false;
}

struct thread {
    pthread_t thread;
    struct rig *rig;
    uint32_t number;
    bool fine;
};

/* One partition's life; asserts are for the main thread. */
static void *live(void *context) {
    struct thread *t = context;
    struct partition *me = &t->rig->part[t->number];
    t->fine = true;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct notice all;
        send_bursts(t->rig, me, round);
        me->hops = round;
        me->shared.flows_done = t->number;
        exchange_meet(&t->rig->exchange, me, &all);
        t->fine &= all.hops == PARTS * round && all.flows_done == 0 + 1 + 2;
        t->fine &= !anything_sent(round) || all.next <= arrival(round, 0);
        t->fine &= take_bursts(me, round);
    }
    return NULL;
}

static void meet__three_partitions_many_rounds(void **state) {
    (void)state;
    struct rig *r = rig_new();
    struct thread t[PARTS];
    for (uint32_t i = 0; i < PARTS; i++) {
        t[i] = (struct thread){.rig = r, .number = i};
        assert_int_equal(pthread_create(&t[i].thread, NULL, live, &t[i]), 0);
    }
    for (uint32_t i = 0; i < PARTS; i++) pthread_join(t[i].thread, NULL);
    for (uint32_t i = 0; i < PARTS; i++) assert_true(t[i].fine);
    /* Room for the largest burst, 200 frames, half of them tagged; not for those of all rounds. */
    uint64_t most = PARTS * PARTS * 2 * (256 * sizeof(struct crossing) + 128 * sizeof(struct packet_ext));
    assert_in_range(exchange_bytes(&r->exchange), 1, most);
    rig_end(r);
}

/* A lone partition meets nobody, and hears of itself. */
static void meet__alone(void **state) {
    (void)state;
    struct exchange x;
    struct partition p = {.hops = 5};
    struct notice all;
    exchange_init(&x, 1);
    wheel_init(&p.wheel, 1, SLOT);
    exchange_meet(&x, &p, &all);
    assert_true(all.next == TIME_NONE);
    assert_int_equal(all.hops, 5);
    wheel_mark(&p.wheel, 7 * SLOT, 0);
    exchange_meet(&x, &p, &all);
    assert_true(all.next <= 7 * SLOT && all.next > 6 * SLOT);
    wheel_fini(&p.wheel);
    exchange_fini(&x);
}

/* ---- who waits for long sleeps ---- */

struct waiter {
    pthread_t thread;
    struct exchange *x;
};

static void *wait_twice(void *context) {
    struct waiter *w = context;
    exchange_barrier(w->x);
    exchange_barrier(w->x);
    return NULL;
}

/* The thread that is early spins for microseconds and then leaves its core; the late one wakes it. Twice, so that a
 * wake of the first round is none of the second. */
static void barrier__the_early_one_sleeps_until_the_late_one_comes(void **state) {
    (void)state;
    struct exchange x;
    struct waiter early = {.x = &x};
    exchange_init(&x, 2);
    assert_int_equal(pthread_create(&early.thread, NULL, wait_twice, &early), 0);
    for (unsigned round = 1; round <= 2; round++) {
        while (!atomic_load(&x.sleepers)) sched_yield();
        exchange_barrier(&x);
        assert_int_equal(atomic_load(&x.round), round);
    }
    pthread_join(early.thread, NULL);
    assert_true(atomic_load(&x.sleeps) >= 1);
    assert_int_equal(atomic_load(&x.sleepers), 0);
    exchange_fini(&x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(meet__alone),
        UNIT(meet__three_partitions_many_rounds),
        UNIT(barrier__the_early_one_sleeps_until_the_late_one_comes),
    };
    return RUN_UNITS(tests);
}
