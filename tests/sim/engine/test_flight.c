/* SPDX-License-Identifier: Apache-2.0 */
/* Frames on links against a simple model: each comes in its slot, at its node, whether lists name frames or carry them. */
#include "sim/engine/flight.h"

#include <stdlib.h>

#include "unit.h"

#include "base/random.h"

#define NODES 150
#define PORTS 3
#define SLOT 1000
#define MAX_FRAMES 5000

/* The model: all frames on their way, in the order in which they were sent. */
struct sky {
    struct packet_pool pool;
    struct wheel wheel;
    struct flights flights;
    struct random_stream random;
    struct {
        time_ps at;
        uint32_t serial, node, port;
    } frame[MAX_FRAMES];
    uint32_t n, sent;
    uint64_t taken;
};

static struct sky *sky_new(uint64_t seed, uint32_t n_border, bool carries) {
    struct sky *s = calloc(1, sizeof *s);
    assert_non_null(s);
    packet_pool_init(&s->pool);
    wheel_init(&s->wheel, NODES, SLOT);
    flights_init(&s->flights, NODES, n_border, carries);
    random_init(&s->random, seed, RANDOM_HOST, 0);
    return s;
}

static void sky_end(struct sky *s) {
    assert_int_equal(s->pool.in_use, s->n);
    flights_fini(&s->flights);
    wheel_fini(&s->wheel);
    packet_pool_fini(&s->pool);
    free(s);
}

static void sky_send(struct sky *s, uint32_t node, uint32_t port, time_ps at) {
    assert_true(s->n < MAX_FRAMES);
    uint32_t packet = packet_get(&s->pool);
    *packet_at(&s->pool, packet) = (struct packet){.serial = s->sent, .ext = EXT_NONE};
    s->frame[s->n].at = at;
    s->frame[s->n].serial = s->sent++;
    s->frame[s->n].node = node;
    s->frame[s->n++].port = port;
    struct flight x = {.packet = packet, .node = node, .port = port};
    flights_add(&s->flights, &s->wheel, &s->pool, x, at, wheel_slot_of(&s->wheel, at));
}

static time_ps sky_next(const struct sky *s) {
    time_ps next = TIME_NONE;
    for (uint32_t i = 0; i < s->n; i++) next = min_i64(next, s->frame[i].at);
    return next;
}

/* Goes to the next slot with frames, as a partition does. */
static int64_t sky_advance(struct sky *s) {
    for (;;) {
        int64_t slot = wheel_advance(&s->wheel, s->flights.far_slot, NULL, NULL);
        if (slot < s->flights.far_slot || s->flights.far_slot == SLOT_NONE) return slot;
        s->wheel.slot = s->flights.far_slot;
        flights_drain(&s->flights, &s->wheel, &s->pool);
    }
}

/* Returns the arrival of a frame of the model among those of its node, from `from` to `end`; these have descriptors. */
static const struct arrival *arrival_of(const struct sky *s, uint32_t i, uint32_t from, uint32_t end) {
    for (; from < end; from++) {
        const struct arrival *a = &s->flights.sorted[from];
        if (packet_at(&s->pool, a->packet)->serial == s->frame[i].serial) return a;
    }
    fail_msg("frame %u has not come", s->frame[i].serial);
    return NULL;
}

/* Takes the arrivals of a node, which are those of the model between start and end. */
static void node_take(struct sky *s, uint32_t node, uint32_t from, const struct slot_part *p) {
    uint32_t kept = 0, n = s->n, end = s->flights.end[node];
    if (s->flights.carries) flights_unload(&s->flights, &s->pool, &s->flights.sorted[from], end - from);
    for (uint32_t i = 0; i < n; i++) {
        if (s->frame[i].node != node || s->frame[i].at >= p->end) {
            s->frame[kept++] = s->frame[i];
            continue;
        }
        assert_true(s->frame[i].at >= p->start);
        const struct arrival *a = arrival_of(s, i, from, end);
        assert_true(a->key == ((uint64_t)(s->frame[i].at - p->start) << 16 | s->frame[i].port));
        packet_put(&s->pool, a->packet);
        s->taken++;
    }
    assert_int_equal(n - kept, end - from);
    s->n = kept;
    s->flights.end[node] = 0;
}

/* Takes the present slot up to `end`, at the first n_nodes nodes. */
static void sky_take(struct sky *s, time_ps end, uint32_t n_nodes) {
    int64_t slot = s->wheel.slot;
    struct slot_part p = {.slot = slot,
                          .start = wheel_slot_end(&s->wheel, slot - 1),
                          .end = min_i64(end, wheel_slot_end(&s->wheel, slot)),
                          .is_cut = end < wheel_slot_end(&s->wheel, slot),
                          .n_nodes = n_nodes};
    struct wheel_words words;
    uint32_t word, done = 0;
    uint64_t bits;
    flights_sort(&s->flights, &s->wheel, &p);
    if (s->flights.carries)
        flights_fetch(&s->flights, 2 * s->flights.size); /* it reads no further than the last arrival */
    wheel_words_begin(&words, &s->wheel, slot, n_nodes);
    while (wheel_words_next(&words, &word, &bits, true))
        for (; bits; bits &= bits - 1) {
            uint32_t node = 64 * word + (uint32_t)__builtin_ctzll(bits), last = s->flights.end[node];
            assert_true(node < n_nodes);
            node_take(s, node, done, &p);
            done = last;
        }
    assert_int_equal(done, s->flights.n);
    flights_leave(&s->flights);
    if (n_nodes == NODES && !p.is_cut) assert_false(s->wheel.occupied[slot >> 6 & 3] >> (slot & 63) & 1);
    for (uint32_t i = 0; i < NODES; i++) assert_int_equal(s->flights.end[i], 0);
}

static void sky_send_some(struct sky *s, uint32_t n) {
    static const int shift[] = {2, 6, 9, 13, 18, 27}; /* slots ahead: near, at the edges, far, and beyond */
    for (; n > 0; n--) {
        uint64_t slots = 1 + random_below(&s->random, 1ull << shift[random_below(&s->random, 6)]);
        time_ps now = wheel_slot_end(&s->wheel, s->wheel.slot);
        sky_send(s, (uint32_t)random_below(&s->random, NODES), (uint32_t)random_below(&s->random, PORTS),
                 now + (time_ps)slots * SLOT + (time_ps)random_below(&s->random, SLOT));
    }
}

static void add__each_frame_comes_in_its_slot(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct sky *s = sky_new(seed, 0, seed & 1);
        for (int step = 0; step < 2000; step++) {
            if (s->n < 500) sky_send_some(s, 1 + (uint32_t)random_below(&s->random, 40));
            time_ps due = sky_next(s);
            assert_int_equal(flights_count(&s->flights), s->n);
            while (sky_advance(s) < wheel_slot_of(&s->wheel, due)) sky_take(s, TIME_NONE, NODES); /* empty */
            assert_int_equal(s->wheel.slot, wheel_slot_of(&s->wheel, due));
            sky_take(s, TIME_NONE, NODES);
        }
        assert_true(s->taken >= 2000);
        sky_end(s);
    }
}

/* A slot that is cut is taken in two parts; the second may begin with frames that the first has left. */
static void cut_slots_keep_what_is_later(bool carries) {
    struct sky *s = sky_new(7, 0, carries);
    for (int step = 0; step < 500; step++) {
        if (s->n < 500) sky_send_some(s, 20);
        sky_advance(s);
        time_ps first = wheel_slot_end(&s->wheel, s->wheel.slot - 1);
        int64_t slot = s->wheel.slot;
        sky_take(s, first + 1 + (time_ps)random_below(&s->random, SLOT - 1), NODES);
        if (sky_next(s) < first + SLOT) {
            assert_int_equal(sky_advance(s), slot);
            sky_take(s, TIME_NONE, NODES);
        }
        assert_true(sky_next(s) >= first + SLOT);
    }
    sky_end(s);
}

static void sort__a_cut_slot_keeps_what_is_later(void **state) {
    (void)state;
    cut_slots_keep_what_is_later(false);
    cut_slots_keep_what_is_later(true);
}

/* A frame that arrives at the very end of the part is later. */
static void sort__the_end_of_a_part_is_later(void **state) {
    (void)state;
    struct sky *s = sky_new(1, 0, false);
    sky_send(s, 3, 0, 5 * SLOT + 99);
    sky_send(s, 3, 1, 5 * SLOT + 100);
    assert_int_equal(sky_advance(s), 5);
    sky_take(s, 5 * SLOT + 100, NODES);
    assert_int_equal(s->taken, 1);
    assert_int_equal(sky_advance(s), 5);
    sky_take(s, TIME_NONE, NODES);
    assert_int_equal(s->taken, 2);
    sky_end(s);
}

/* Border nodes are run two slots ahead of the others, and the wheel goes back. */
static void sort__border_nodes_run_ahead(void **state) {
    (void)state;
    static const uint32_t border[] = {1, 64, 70, NODES - 1};
    for (size_t i = 0; i < 2 * sizeof border / sizeof *border; i++) {
        size_t b = i / 2;
        struct sky *s = sky_new(b, border[b], i & 1);
        for (int step = 0; step < 500; step++) {
            if (s->n < 500) sky_send_some(s, 20);
            int64_t first = sky_advance(s);
            while (s->wheel.slot < first + 2) {
                sky_take(s, TIME_NONE, border[b]);
                s->wheel.slot++;
                if (s->flights.far_slot == s->wheel.slot) flights_drain(&s->flights, &s->wheel, &s->pool);
            }
            for (uint32_t k = 0; k < s->n; k++) /* none of theirs is left */
                assert_true(s->frame[k].node >= border[b] || wheel_slot_of(&s->wheel, s->frame[k].at) >= first + 2);
            wheel_rewind(&s->wheel, first);
            for (int64_t slot = first; slot < first + 2; slot++) {
                s->wheel.slot = slot;
                sky_take(s, TIME_NONE, NODES);
            }
            assert_true(wheel_slot_of(&s->wheel, sky_next(s)) >= first + 2);
        }
        sky_end(s);
    }
}

static void count_frame(void *context, const struct flight *x) { *(uint64_t *)context += 1 + x->port; }

/* Frames near and far are seen by whoever looks at all, and their memory is counted and given back. */
static void all_are_seen(bool carries) {
    struct sky *s = sky_new(1, 70, carries);
    uint64_t sum = 0, wanted = 0, before = flights_bytes(&s->flights) + flights_frames_bytes(&s->flights);
    sky_send_some(s, 2000);
    for (uint32_t i = 0; i < s->n; i++) wanted += 1 + s->frame[i].port;
    flights_each(&s->flights, count_frame, &sum);
    assert_true(sum == wanted);
    assert_int_equal(flights_count(&s->flights), 2000);
    uint64_t full = flights_bytes(&s->flights) + flights_frames_bytes(&s->flights);
    assert_true(flights_bytes(&s->flights) >= before + 2000 * sizeof(struct flight));
    if (carries) assert_true(flights_frames_bytes(&s->flights) >= 2000 * sizeof(struct packet));
    while (s->n) sky_advance(s), sky_take(s, TIME_NONE, NODES);
    for (int i = 0; i < 5; i++) { /* chunks are used again */
        sky_send_some(s, 1000);
        while (s->n) sky_advance(s), sky_take(s, TIME_NONE, NODES);
    }
    uint64_t after = flights_bytes(&s->flights) + flights_frames_bytes(&s->flights);
    assert_true(after <= full + 1024 * sizeof(struct arrival));
    sky_end(s);
}

static void each__sees_all(void **state) {
    (void)state;
    all_are_seen(false);
    all_are_seen(true);
}

/* ---- carried frames ---- */

struct serials {
    const struct sky *s;
    uint64_t sum, n;
};

static void add_serial(void *context, const struct flight *x) {
    struct serials *all = context;
    all->sum += flights_frame(&all->s->flights, &all->s->pool, x)->serial;
    all->n++;
}

/* While a list carries a frame its descriptor is free: 2,000 frames need one, one after another. They are in use all the same. */
static void carry__leaves_descriptors_free(void **state) {
    (void)state;
    struct sky *s = sky_new(3, 0, true);
    sky_send(s, 0, 0, 5 * SLOT);
    uint32_t first = s->pool.free_head;
    sky_send_some(s, 1999);
    assert_int_equal(s->pool.free_head, first);
    assert_int_equal(s->pool.in_use, 2000);
    struct serials all = {.s = s};
    flights_each(&s->flights, add_serial, &all);
    assert_int_equal(all.n, 2000);
    assert_int_equal(all.sum, 1999 * 2000 / 2);
    while (s->n) sky_advance(s), sky_take(s, TIME_NONE, NODES);
    assert_int_equal(s->pool.in_use, 0);
    sky_end(s);
}

/* Frames go from list to list as they are, near and far, and take no descriptor for it. */
static void carry__from_list_to_list(void **state) {
    (void)state;
    struct sky *s = sky_new(3, 0, true);
    const uint32_t n = 3 * FLIGHT_CARRIER; /* some chunks */
    for (uint32_t i = 0; i < n; i++) sky_send(s, i % NODES, 0, 5 * SLOT + i);
    uint32_t free_head = s->pool.free_head;
    assert_int_equal(sky_advance(s), 5);
    struct slot_part p = {.slot = 5, .start = 5 * SLOT, .end = 6 * SLOT, .n_nodes = NODES};
    flights_sort(&s->flights, &s->wheel, &p);
    assert_int_equal(s->flights.n, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct packet *frame = flights_carried(&s->flights, s->flights.sorted[i].packet);
        uint32_t serial = frame->serial;
        s->frame[serial].node = (serial + 1) % NODES;
        s->frame[serial].at = serial % 3 ? 40 * SLOT + serial : 4000000 * (time_ps)SLOT + serial;
        struct flight x = {.node = s->frame[serial].node};
        time_ps at = s->frame[serial].at;
        flights_add_carried(&s->flights, &s->wheel, &s->pool, x, frame, at, wheel_slot_of(&s->wheel, at));
    }
    for (uint32_t node = 0; node < NODES; node++) s->flights.end[node] = 0;
    flights_leave(&s->flights);
    struct wheel_words words;
    uint32_t word;
    uint64_t bits;
    wheel_words_begin(&words, &s->wheel, 5, NODES);
    while (wheel_words_next(&words, &word, &bits, true)) {
    }
    assert_int_equal(s->pool.free_head, free_head);
    while (s->n) sky_advance(s), sky_take(s, TIME_NONE, NODES);
    assert_int_equal(s->taken, n);
    sky_end(s);
}

/* Lists of more than four MiB grow by huge pages; each frame is still seen once. */
static void add__more_than_small_slabs(void **state) {
    (void)state;
    const uint32_t n = 500000;
    struct flights f;
    struct wheel w;
    uint64_t sum = 0, wanted = 0, small;
    wheel_init(&w, NODES, SLOT);
    flights_init(&f, NODES, 0, false);
    small = flights_bytes(&f);
    for (uint32_t i = 0; i < n; i++) {
        struct flight x = {.packet = i, .node = i % NODES, .port = i % 7};
        flights_add(&f, &w, NULL, x, (1 + i % 50) * SLOT, wheel_slot_of(&w, (1 + i % 50) * SLOT));
    }
    assert_int_equal(flights_count(&f), n);
    flights_each(&f, count_frame, &sum);
    for (uint32_t i = 0; i < n; i++) wanted += 1 + i % 7;
    assert_int_equal(sum, wanted);
    assert_in_range(flights_bytes(&f) - small, n * sizeof(struct flight), n * sizeof(struct flight) + 3 * HUGE_PAGE);
    flights_fini(&f);
    wheel_fini(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(add__each_frame_comes_in_its_slot),
        UNIT(sort__a_cut_slot_keeps_what_is_later),
        UNIT(sort__the_end_of_a_part_is_later),
        UNIT(sort__border_nodes_run_ahead),
        UNIT(each__sees_all),
        UNIT(carry__leaves_descriptors_free),
        UNIT(carry__from_list_to_list),
        UNIT(add__more_than_small_slabs),
    };
    return RUN_UNITS(tests);
}
