/* SPDX-License-Identifier: Apache-2.0 */
/* What crosses between partitions: frames, in order, with their extensions; and what all hear at a barrier. */
#define PARTS 3
#include "sim/parallel/exchange_rig.h"

#include <pthread.h>
#include <sched.h>

struct thread {
    pthread_t thread;
    struct rig *rig;
    uint32_t number;
    bool fine;
    time_ps next[ROUNDS]; /* what passes returned */
};

/* Runs one partition's life in a thread for each; asserts are for the main thread. */
static void threads_live(struct thread t[PARTS], struct rig *r, void *(*life)(void *context)) {
    for (uint32_t i = 0; i < PARTS; i++) {
        t[i] = (struct thread){.rig = r, .number = i, .fine = true};
        assert_int_equal(pthread_create(&t[i].thread, NULL, life, &t[i]), 0);
    }
    for (uint32_t i = 0; i < PARTS; i++) pthread_join(t[i].thread, NULL);
    for (uint32_t i = 0; i < PARTS; i++) assert_true(t[i].fine);
}

static void *live(void *context) {
    struct thread *t = context;
    struct partition *me = &t->rig->part[t->number];
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct notice all;
        send_bursts(me, round);
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
    threads_live(t, r, live);
    /* Room for the largest burst, 200 frames; not for those of all rounds. */
    uint64_t most = PARTS * PARTS * 2 * 256 * sizeof(struct crossing);
    assert_in_range(exchange_bytes(&r->exchange), 1, most);
    rig_end(r);
}

/* ---- intervals that do not end together ---- */

/* Most rounds end by a pass. A partition says that it sends nothing more, or leaves that to the end; it may be far behind. */
static void *pass_many(void *context) {
    struct thread *t = context;
    struct partition *me = &t->rig->part[t->number];
    struct exchange *x = &t->rig->exchange;
    struct notice all;
    exchange_meet(x, me, &all);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        send_bursts(me, round);
        enum interval_end end = round % 7 == 6 ? END_MEET : END_PASS;
        if ((round + t->number) % 3) exchange_border_ran(x, me, end);
        if ((round + t->number) % 5 == 0) sched_yield();
        if (end == END_MEET) {
            exchange_meet(x, me, &all);
            t->next[round] = all.next;
            t->fine &= !anything_sent(round) || all.next <= arrival(round, 0);
        } else {
            t->next[round] = exchange_pass(x, me);
            t->fine &= round == 0 || !anything_sent(round - 1) || t->next[round] <= arrival(round - 1, 0);
        }
        t->fine &= take_bursts(me, round);
    }
    return NULL;
}

static void pass__every_frame_in_its_round(void **state) {
    (void)state;
    struct rig *r = rig_new();
    struct thread t[PARTS];
    threads_live(t, r, pass_many);
    for (uint32_t i = 1; i < PARTS; i++) assert_memory_equal(t[i].next, t[0].next, sizeof t[i].next);
    assert_true(t[0].next[0] == TIME_NONE); /* what all knew before the first round */
    rig_end(r);
}

/* A partition that has run its border may be as late as it likes: the others end the interval without it, with its frames. */
static void pass__does_not_wait_for_what_stays_at_home(void **state) {
    (void)state;
    struct rig *r = rig_new();
    struct exchange *x = &r->exchange;
    for (uint32_t i = 0; i < PARTS; i++) {
        send_bursts(&r->part[i], 0);
        exchange_border_ran(x, &r->part[i], END_PASS);
    }
    for (uint32_t i = 1; i < PARTS; i++) {
        exchange_pass(x, &r->part[i]);
        assert_true(take_bursts(&r->part[i], 0));
    }
    for (uint32_t i = 1; i < PARTS; i++) exchange_border_ran(x, &r->part[i], END_PASS);
    assert_int_equal(atomic_load(&x->sleeps), 0);
    exchange_pass(x, &r->part[0]);
    assert_true(take_bursts(&r->part[0], 0));
    rig_end(r);
}

/* ---- frames one way ---- */

#define ONE_WAY_ROUNDS 100
#define ONE_WAY_BURST 1000

static void put_frame(void *context, const struct flight *x) {
    struct partition *me = context;
    packet_put(&me->pool, frame_taken(me, x));
}

static void *one_way_live(void *context) {
    struct thread *t = context;
    struct partition *me = &t->rig->part[t->number];
    for (uint32_t round = 0; round < ONE_WAY_ROUNDS; round++) {
        struct notice all;
        for (uint32_t k = 0; t->number == 0 && k < ONE_WAY_BURST; k++)
            exchange_send(me, 0 * PARTS + 1, arrival(round, k), make_frame(me, k, true));
        exchange_meet(&t->rig->exchange, me, &all);
        uint32_t n = (uint32_t)flights_count(&me->flights);
        t->fine &= n == (t->number == 1 ? ONE_WAY_BURST : 0) && me->pool.in_use == n && me->pool.ext_in_use == n;
        flights_each(&me->flights, put_frame, me);
        flights_fini(&me->flights);
        rig_flights(me);
    }
    return NULL;
}

/* Frames that go one way only take their descriptors and extension cells along. Free ones come back, so 100,000 frames do not
 * take more than three blocks of each kind: one under way, one that waits until it is full, and what is left of the first. */
static void meet__descriptors_come_back(void **state) {
    (void)state;
    struct rig *r = rig_new();
    struct thread t[PARTS];
    threads_live(t, r, one_way_live);
    assert_in_range(r->part[0].pool.n_blocks, 1, 3);
    assert_in_range(r->part[0].pool.n_ext_blocks, 2, 6); /* of short cells and of wide ones */
    assert_int_equal(r->part[1].pool.n_blocks + r->part[1].pool.n_ext_blocks, 0);
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
    flights_init(&p.flights, 1, 0, false);
    exchange_meet(&x, &p, &all);
    assert_true(all.next == TIME_NONE);
    assert_int_equal(all.hops, 5);
    wheel_mark(&p.wheel, 7 * SLOT, 0);
    exchange_meet(&x, &p, &all);
    assert_true(all.next <= 7 * SLOT && all.next > 6 * SLOT);
    flights_fini(&p.flights);
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

/* Threads that have to share a core do not spin: the one that is waited for could not run meanwhile. */
static void init__no_spinning_on_too_few_cores(void **state) {
    (void)state;
    struct exchange x;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
    exchange_init(&x, 1);
    assert_int_not_equal(x.spins, 0);
    exchange_fini(&x);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    exchange_init(&x, 2);
    assert_int_equal(x.spins, 0);
    exchange_fini(&x);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(meet__alone),
        UNIT(meet__three_partitions_many_rounds),
        UNIT(meet__descriptors_come_back),
        UNIT(pass__every_frame_in_its_round),
        UNIT(pass__does_not_wait_for_what_stays_at_home),
        UNIT(init__no_spinning_on_too_few_cores),
        UNIT(barrier__the_early_one_sleeps_until_the_late_one_comes),
    };
    return RUN_UNITS(tests);
}
