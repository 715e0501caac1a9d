/* SPDX-License-Identifier: Apache-2.0 */
/* What crosses between ranks: the frames that would cross between threads, in their order; and what all ranks hear. */
#define PARTS 6
#include "ranks/fake_ranks.h"
#include "sim/parallel/exchange_ranks.h"
#include "sim/parallel/exchange_rig.h"

#define RANKS 3
static const uint32_t first[RANKS + 1] = {0, 2, 3, 6}; /* parts of unequal ranks */

/* Each rank has a rig of its own, of which its partitions live. */
struct ring {
    struct rig *rig[RANKS];
    struct rank_traffic traffic[RANKS];
    bool fine[PARTS];
    bool quiet;              /* nobody sends anything; two partitions have something to do later */
    bool passes;             /* intervals end by a pass, but for every seventh */
    atomic_uint said[RANKS]; /* how often partitions of the rank have said that they send nothing more */
};

struct thread {
    pthread_t thread;
    struct ring *ring;
    struct rig *rig;
    uint32_t number, rank;
};

/* In a third of the rounds nobody says that it sends nothing more; in a third the first partition of a rank says so before
 * the others; in a third after them. */
enum { NOBODY, BEFORE_OTHERS, AFTER_OTHERS, ORDERS };

static enum interval_end end_of(const struct ring *ring, uint32_t round) {
    return ring->passes && round % 7 != 6 ? END_PASS : END_MEET;
}

static void border_ran(struct thread *t, uint32_t round) {
    uint32_t way = round % ORDERS, here = t->rig->exchange.here, rounds = 2 * (round / ORDERS) + (way == AFTER_OTHERS);
    bool is_first = t->number == t->rig->exchange.first;
    if (way == NOBODY) return;
    uint32_t before = rounds * here;
    if (way == BEFORE_OTHERS && !is_first) before++;
    if (way == AFTER_OTHERS && is_first) before += here - 1;
    while (atomic_load(&t->ring->said[t->rank]) < before) sched_yield();
    exchange_border_ran(&t->rig->exchange, &t->rig->part[t->number], end_of(t->ring, round));
    atomic_fetch_add(&t->ring->said[t->rank], 1);
}

/* Returns whether this is the slot of the first thing to do where nobody sends anything. */
static bool is_first_mark(time_ps next) { return next > 6 * SLOT && next <= 7 * SLOT; }

/* Returns whether no rank misses the first arrival. Slots of earlier rounds stay marked, so only the first is exact. */
static bool next_is_right(const struct notice *all, uint32_t round) {
    if (!anything_sent(round)) return true;
    return round == 0 ? all->next == arrival(0, 0) : all->next <= arrival(round, 0);
}

/* Meets the others; returns whether all sums are right. */
static bool meet(struct thread *t, struct partition *me, uint32_t round) {
    struct notice all;
    me->hops = round + t->number;
    me->shared.flows_done = t->number;
    me->shared.flows_started = 2 * t->number;
    me->shared.bytes_received = 1000000000000 * t->number;
    me->given_up = t->number == 4 && round == 7;
    exchange_meet(&t->rig->exchange, me, &all);
    bool fine = all.hops == PARTS * round + 15 && all.flows_done == 15 && all.flows_started == 30;
    fine &= all.bytes == 15000000000000 && all.given_up == (round == 7);
    return fine && (t->ring->quiet ? is_first_mark(all.next) : next_is_right(&all, round));
}

/* Passes; returns whether it hears what all knew a round before. */
static bool pass(struct thread *t, struct partition *me, uint32_t round) {
    time_ps next = exchange_pass(&t->rig->exchange, me);
    if (t->ring->quiet) return is_first_mark(next);
    return round == 0 || !anything_sent(round - 1) || next <= arrival(round - 1, 0);
}

/* One partition's life. */
static void *live(void *context) {
    struct thread *t = context;
    struct partition *me = &t->rig->part[t->number];
    struct notice all;
    bool fine = true;
    if (t->ring->quiet && t->number == 0) wheel_mark(&me->wheel, 9 * SLOT, 0);
    if (t->ring->quiet && t->number == 3) wheel_mark(&me->wheel, 7 * SLOT, 0);
    if (t->ring->passes) exchange_meet(&t->rig->exchange, me, &all);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        if (!t->ring->quiet) send_bursts(me, round);
        border_ran(t, round);
        fine &= end_of(t->ring, round) == END_PASS ? pass(t, me, round) : meet(t, me, round);
        fine &= t->ring->quiet || take_bursts(me, round);
    }
    t->ring->fine[t->number] = fine;
    return NULL;
}

static void rank_live(const struct ranks *ranks, void *context) {
    struct ring *ring = context;
    struct rig *rig = ring->rig[ranks->rank];
    struct ranks_group group;
    struct thread t[PARTS];
    ranks_group_join(&group, ranks, RANKS);
    exchange_fini(&rig->exchange);
    exchange_ranks_init(&rig->exchange, &group, first);
    for (uint32_t i = 0; i < rig->exchange.here; i++) {
        t[i] = (struct thread){.ring = ring, .rig = rig, .number = rig->exchange.first + i, .rank = ranks->rank};
        if (i > 0 && pthread_create(&t[i].thread, NULL, live, &t[i])) abort();
    }
    live(&t[0]);
    for (uint32_t i = 1; i < rig->exchange.here; i++) pthread_join(t[i].thread, NULL);
    ring->traffic[ranks->rank] = *exchange_ranks_traffic(&rig->exchange);
    rig->exchange.remote->fini(&rig->exchange);
}

static struct ring *ring_run(bool quiet, bool passes) {
    struct ring *ring = memory_get(1, sizeof *ring);
    ring->quiet = quiet;
    ring->passes = passes;
    for (uint32_t i = 0; i < RANKS; i++) ring->rig[i] = rig_new();
    assert_int_equal(fake_ranks(RANKS, rank_live, ring), 0); /* every message was taken */
    for (uint32_t i = 0; i < PARTS; i++) assert_true(ring->fine[i]);
    return ring;
}

static void ring_end(struct ring *ring) {
    for (uint32_t i = 0; i < RANKS; i++) rig_end(ring->rig[i]);
    free(ring);
}

/* Returns the frames from one rank to another in a round. */
static uint32_t frames_between(uint32_t from, uint32_t to, uint32_t round) {
    uint32_t n = 0;
    for (uint32_t i = first[from]; i < first[from + 1]; i++)
        for (uint32_t k = first[to]; k < first[to + 1]; k++) n += burst(round, i, k);
    return n;
}

static bool is_ahead(uint32_t rank, uint32_t round) {
    bool is_alone = first[rank + 1] - first[rank] == 1;
    return round % ORDERS == AFTER_OTHERS || (round % ORDERS == BEFORE_OTHERS && is_alone);
}

/* Returns the processor time of all threads so far. */
static uint64_t process_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Every frame arrives in the round in which it was sent, once and in order. A rank sends another at most one message a
 * round, and none without a frame. Messages leave ahead where the thread that sends them hears last that it may. */
static void many_rounds(bool passes) {
    struct ring *ring = ring_run(false, passes);
    uint64_t messages = 0, computing = 0;
    for (uint32_t from = 0; from < RANKS; from++) {
        uint64_t m = 0, frames = 0, ahead = 0;
        for (uint32_t round = 0; round < ROUNDS; round++)
            for (uint32_t to = 0; to < RANKS; to++) {
                uint32_t n = from == to ? 0 : frames_between(from, to, round);
                frames += n;
                m += n > 0;
                ahead += n > 0 && is_ahead(from, round);
            }
        const struct rank_traffic *t = &ring->traffic[from];
        assert_int_equal(t->windows, ROUNDS + passes);
        assert_int_equal(t->messages, m);
        assert_int_equal(t->frames, frames);
        assert_int_equal(t->ahead, ahead);
        /* Half of the frames at most have an extension. */
        uint64_t least = frames * EXCHANGE_FRAME_BYTES + m * EXCHANGE_MESSAGE_BYTES;
        assert_true(t->bytes >= least);
        assert_true(t->bytes <= 8 * least + frames * sizeof(struct packet_ext) / 2);
        messages += m;
        assert_true(t->computing_ns > 0 && t->busiest_ns == t->computing_ns);
        computing += t->computing_ns;
    }
    assert_true(computing < process_ns());                          /* meeting costs too */
    assert_in_range(messages, 1, ROUNDS * RANKS * (RANKS - 1) - 1); /* some rounds have pairs without a frame */
    ring_end(ring);
}

static void meet__ranks_of_unequal_parts_many_rounds(void **state) {
    (void)state;
    many_rounds(false);
}

static void pass__ranks_of_unequal_parts_many_rounds(void **state) {
    (void)state;
    many_rounds(true);
}

/* The ranks hear how far they may skip. */
static void nothing_crosses(bool passes) {
    struct ring *ring = ring_run(true, passes);
    for (uint32_t i = 0; i < RANKS; i++) {
        assert_int_equal(ring->traffic[i].windows, ROUNDS + passes);
        assert_int_equal(ring->traffic[i].messages, 0);
        assert_int_equal(ring->traffic[i].bytes, 0);
    }
    ring_end(ring);
}

static void meet__nothing_crosses_without_frames(void **state) {
    (void)state;
    nothing_crosses(false);
}

static void pass__nothing_crosses_without_frames(void **state) {
    (void)state;
    nothing_crosses(true);
}

/* ---- ranks that are behind ---- */

#define PAIR 2
static const uint32_t first_of_pair[PAIR + 1] = {0, 1, 2};

struct pair {
    struct rig *rig[PAIR];
    atomic_uint passed; /* intervals that rank 0 has ended */
    bool fine[PAIR];
};

/* Rank 1 ends no interval before rank 0 has. */
static void pair_live(const struct ranks *ranks, void *context) {
    struct pair *pair = context;
    struct ranks_group group;
    struct exchange *x = &pair->rig[ranks->rank]->exchange;
    struct partition *me = &pair->rig[ranks->rank]->part[ranks->rank];
    struct notice all;
    ranks_group_join(&group, ranks, PAIR);
    exchange_fini(x);
    exchange_ranks_init(x, &group, first_of_pair);
    exchange_meet(x, me, &all);
    pair->fine[ranks->rank] = true;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t other = 1 - ranks->rank, number = me->number;
        for (uint32_t k = 0; k < 3; k++)
            exchange_send(me, number * PARTS + other, arrival(round, k), make_frame(me, k, false));
        exchange_border_ran(x, me, END_PASS);
        while (ranks->rank == 1 && atomic_load(&pair->passed) <= round) sched_yield();
        exchange_pass(x, me);
        if (ranks->rank == 0) atomic_fetch_add(&pair->passed, 1);
        pair->fine[ranks->rank] &= flights_count(&me->flights) == 3 * (round + 1);
    }
    x->remote->fini(x);
}

/* A rank that has run its border may be as late as it likes: the others end the window without it, with its frames. */
static void pass__does_not_wait_for_what_stays_at_home(void **state) {
    (void)state;
    struct pair *pair = memory_get(1, sizeof *pair);
    for (uint32_t i = 0; i < PAIR; i++) pair->rig[i] = rig_new();
    assert_int_equal(fake_ranks(PAIR, pair_live, pair), 0);
    for (uint32_t i = 0; i < PAIR; i++) assert_true(pair->fine[i]);
    for (uint32_t i = 0; i < PAIR; i++) rig_end(pair->rig[i]);
    free(pair);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(meet__ranks_of_unequal_parts_many_rounds),   UNIT(pass__ranks_of_unequal_parts_many_rounds),
        UNIT(meet__nothing_crosses_without_frames),       UNIT(pass__nothing_crosses_without_frames),
        UNIT(pass__does_not_wait_for_what_stays_at_home),
    };
    return RUN_UNITS(tests);
}
