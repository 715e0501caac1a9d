/* SPDX-License-Identifier: Apache-2.0 */
/* The class of credits of a port: limiter, queue, order, marking (XP-4, XP-7, AM-9, SP-7 to SP-9). */
#include "node/ports.h"

#define CREDIT_GAP (1622 * BYTE_PS) /* at 10 Gbps: one credit per 1538 + 84 bytes of link time */

static const struct credit_config paper = {.on = true, .queue = 16, .share_ppb = 51787916, .burst_bytes = 168};

static struct rig *rig_credits(const struct credit_config *config) {
    struct rig *r = rig_new();
    r->setup.credit = config;
    return rig_start(r);
}

static struct packet credit_of(uint32_t serial, uint8_t class) {
    return (struct packet){.wire_bytes = 84,
                           .proto = PROTO_CREDIT,
                           .tcp_flags = CREDIT_GRANT,
                           .shape = SHAPE_CREDIT,
                           .tos = (uint8_t)(class << 5 | ECN_ECT0),
                           .serial = serial,
                           .ext = EXT_NONE};
}

static struct packet data_of(uint32_t serial) {
    return (struct packet){
        .wire_bytes = FULL, .proto = PROTO_CREDIT, .tcp_flags = CREDIT_DATA, .serial = serial, .ext = EXT_NONE};
}

/* Sends a frame as a switch does: at once if possible, else through its queue. */
static enum drop_cause offer(struct rig *r, struct packet p, time_ps now) {
    time_ps depart;
    enum drop_cause lost = DROP_NONE;
    uint32_t index = packet_get(&r->pool);
    *packet_at(&r->pool, index) = p;
    bool passed = port_queue_pass(&r->p, &r->v, &r->x, NULL, packet_at(&r->pool, index), now, &depart, &lost);
    if (!passed) lost = port_queue_push(&r->p, &r->v, &r->x, &r->pool, index, now);
    if (passed || lost) packet_put(&r->pool, index);
    return lost;
}

/* Starts the next frame that may leave at `now`, copied to *p. Returns false if there is none. */
static bool serve(struct rig *r, time_ps now, struct packet *p) {
    time_ps depart;
    enum drop_cause lost = DROP_NONE;
    uint32_t index = port_queue_next(&r->p, &r->v, &r->x, NULL, &r->pool, now, &depart, &lost);
    if (index == UINT32_MAX) return false;
    *p = *packet_at(&r->pool, index);
    packet_put(&r->pool, index);
    return true;
}

static void limiter__a_credit_for_each_frame_and_credit(void **state) {
    (void)state;
    struct credit_limiter l;
    credit_limiter_set(&l, &paper, 10 * GBPS);
    assert_int_equal(l.gap, CREDIT_GAP);
    assert_int_equal(l.depth, 2 * CREDIT_GAP);
    credit_limiter_set(&l, &paper, 100 * GBPS);
    assert_int_equal(l.gap, CREDIT_GAP / 10);
}

/* Half of a credit's tokens have come when the rate changes; the other half comes at the new rate. */
static void limiter__keeps_its_tokens_when_the_rate_changes(void **state) {
    (void)state;
    struct rig *r = rig_credits(&paper);
    struct packet p;
    for (uint32_t i = 0; i < 3; i++) offer(r, credit_of(i, 0), 0); /* the first leaves, the second has tokens too */
    assert_true(serve(r, r->p.busy_until, &p));
    time_ps ready = port_queue_service_at(&r->p, &r->x), change = ready - CREDIT_GAP / 2;
    port_set_rate(&r->p, &r->v, &r->x, change, GBPS);
    assert_int_equal(port_queue_service_at(&r->p, &r->x), change + 10 * CREDIT_GAP / 2);
    port_set_rate(&r->p, &r->v, &r->x, change + CREDIT_GAP, 10 * GBPS); /* 4/5 of the half are missing */
    assert_int_equal(port_queue_service_at(&r->p, &r->x), change + CREDIT_GAP + 4 * CREDIT_GAP / 10);
    port_set_rate(&r->p, &r->v, &r->x, change + 2 * CREDIT_GAP, GBPS); /* ready and paid for before */
    assert_true(port_queue_service_at(&r->p, &r->x) <= change + 2 * CREDIT_GAP);
    assert_true(serve(r, change + 2 * CREDIT_GAP, &p));
    rig_end(r);
}

/* AM-9, T: with both queues saturated, credits get 84/1622 of the link within 0.1 %. */
static void limiter__saturated_port_gives_credits_their_share(void **state) {
    (void)state;
    struct rig *r = rig_credits(&paper);
    const time_ps end = 20000 * US;
    struct packet p;
    for (time_ps now = 0; now < end; now = r->p.busy_until) {
        while (r->x.classes->credit.waiting < 4) assert_int_equal(offer(r, credit_of(0, 0), now), DROP_NONE);
        while (r->x.classes->waiting < 4) assert_int_equal(offer(r, data_of(0), now), DROP_NONE);
        if (r->p.busy_until <= now) assert_true(serve(r, now, &p));
    }
    uint64_t all = r->p.sent_bytes, credits = port_credit_bytes(&r->x);
    uint64_t expected = all * 84 / 1622;
    assert_in_range(credits, expected - expected / 1000, expected + expected / 1000);
    assert_in_range(all, end / BYTE_PS, end / BYTE_PS + 2 * FULL); /* the link is never idle */
    rig_end(r);
}

static const struct credit_config drawn = {
    .on = true, .queue = 16, .share_ppb = 51787916, .burst_bytes = 168, .spread = 8};

static struct packet sized(uint32_t serial, uint8_t class, uint16_t bytes) {
    struct packet p = credit_of(serial, class);
    p.wire_bytes = bytes;
    return p;
}

/* AM-20: credits pay for their own bytes, so credits of different sizes get the same share of the link. */
static void limiter__drawn_sizes_have_the_share_of_their_mean(void **state) {
    (void)state;
    struct rig *r = rig_credits(&drawn);
    struct random_stream s;
    struct packet p;
    random_init(&s, 1, RANDOM_CREDIT, 7);
    const time_ps end = 20000 * US;
    uint64_t n = 0;
    for (time_ps now = 0; now < end; now = r->p.busy_until) {
        while (r->x.classes->credit.waiting < 4)
            assert_int_equal(offer(r, sized(0, 0, (uint16_t)(76 + random_below(&s, 17))), now), DROP_NONE);
        while (r->x.classes->waiting < 4) assert_int_equal(offer(r, data_of(0), now), DROP_NONE);
        if (r->p.busy_until <= now && serve(r, now, &p)) n += (p.shape & SHAPE_CREDIT) != 0;
    }
    uint64_t expected = r->p.sent_bytes * 84 / 1622;
    assert_in_range(port_credit_bytes(&r->x), expected - expected / 1000, expected + expected / 1000);
    assert_in_range(port_credit_bytes(&r->x) * 10 / n, 838, 842); /* close to the mean size */
    rig_end(r);
}

/* The limiter waits for the tokens of the first credit, even if another one becomes the first. */
static void limiter__waits_for_the_size_of_the_first(void **state) {
    (void)state;
    struct rig *r = rig_credits(&drawn);
    const time_ps start = 1000 * US, base = start - 2 * CREDIT_GAP; /* a full bucket */
    struct packet p;
    assert_int_equal(offer(r, sized(0, 0, 92), start), DROP_NONE);
    assert_int_equal(offer(r, sized(1, 0, 92), start), DROP_NONE);
    time_ps after = base + CREDIT_GAP * 92 / 84; /* paid for the first, which has left */
    assert_int_equal(port_queue_service_at(&r->p, &r->x), after + CREDIT_GAP * 92 / 84);
    assert_int_equal(offer(r, sized(2, 3, 76), start), DROP_NONE); /* a higher class is now first */
    time_ps due = port_queue_service_at(&r->p, &r->x);
    assert_int_equal(due, max_i64(after + CREDIT_GAP * 76 / 84, start + 92 * BYTE_PS));
    assert_true(serve(r, due, &p));
    assert_int_equal(p.serial, 2);
    due = after + CREDIT_GAP * 76 / 84 + CREDIT_GAP * 92 / 84;
    assert_int_equal(port_queue_service_at(&r->p, &r->x), due);
    assert_false(serve(r, due - 1, &p));
    assert_true(serve(r, due, &p));
    assert_int_equal(p.serial, 1);
    rig_end(r);
}

static void limiter__an_idle_port_lets_two_credits_through_at_once(void **state) {
    (void)state;
    struct rig *r = rig_credits(&paper);
    struct packet p;
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(offer(r, credit_of(i, 0), 1000 * US), DROP_NONE);
    time_ps second = 1000 * US + 84 * BYTE_PS;
    assert_int_equal(port_queue_service_at(&r->p, &r->x), second);
    assert_true(serve(r, second, &p));
    assert_int_equal(p.serial, 1);
    /* the bucket was full at 1000 us, so the third credit's tokens come a gap later */
    assert_int_equal(port_queue_service_at(&r->p, &r->x), 1000 * US + CREDIT_GAP);
    assert_false(serve(r, 1000 * US + CREDIT_GAP - 1, &p));
    assert_true(serve(r, 1000 * US + CREDIT_GAP, &p));
    assert_int_equal(p.serial, 2);
    rig_end(r);
}

static void order__credits_before_data_without_interrupting_it(void **state) {
    (void)state;
    struct rig *r = rig_credits(&paper);
    struct packet p;
    assert_int_equal(offer(r, data_of(1), 0), DROP_NONE); /* on the wire */
    assert_int_equal(offer(r, data_of(2), 0), DROP_NONE);
    assert_int_equal(offer(r, credit_of(3, 0), 1), DROP_NONE);
    assert_int_equal(port_queue_service_at(&r->p, &r->x), FULL * BYTE_PS);
    assert_false(serve(r, FULL * BYTE_PS - 1, &p));
    assert_true(serve(r, FULL * BYTE_PS, &p));
    assert_int_equal(p.serial, 3);
    assert_true(serve(r, (FULL + 84) * BYTE_PS, &p));
    assert_int_equal(p.serial, 2);
    rig_end(r);
}

static void order__data_goes_while_credits_wait_for_tokens(void **state) {
    (void)state;
    struct rig *r = rig_credits(&paper);
    struct packet p;
    for (uint32_t i = 0; i < 3; i++) offer(r, credit_of(i, 0), 0);
    offer(r, data_of(9), 0);
    assert_true(serve(r, 84 * BYTE_PS, &p));
    assert_int_equal(p.serial, 1);
    assert_true(serve(r, 168 * BYTE_PS, &p));
    assert_int_equal(p.serial, 9); /* the third credit lacks tokens */
    rig_end(r);
}

static void order__higher_classes_of_credits_first(void **state) {
    (void)state;
    struct rig *r = rig_credits(&paper);
    struct packet p;
    offer(r, credit_of(0, 0), 0);
    offer(r, credit_of(1, 0), 0);
    offer(r, credit_of(2, 5), 0);
    assert_true(serve(r, 84 * BYTE_PS, &p));
    assert_int_equal(p.serial, 2);
    rig_end(r);
}

/* XP-7: a short queue with tail drop, which does not affect data. */
static void queue__the_seventeenth_waiting_credit_is_dropped(void **state) {
    (void)state;
    struct rig *r = rig_credits(&paper);
    assert_int_equal(offer(r, data_of(0), 0), DROP_NONE);
    for (uint32_t i = 0; i < 16; i++) assert_int_equal(offer(r, credit_of(i, 0), 0), DROP_NONE);
    assert_int_equal(offer(r, credit_of(16, 0), 0), DROP_CREDIT);
    assert_int_equal(r->x.credits_dropped, 1);
    assert_int_equal(r->x.dropped[DROP_CREDIT], 0); /* the drop counters of frames cover data only */
    assert_int_equal(offer(r, data_of(1), 0), DROP_NONE);
    assert_int_equal(port_queue_length(&r->x, &r->pool), 17);
    rig_end(r);
}

/* AM-39, by hand: the queue holds 3 x 84 = 252 bytes. After 92 + 92 = 184, a credit of 76 would make 260, one of 68 makes
 * 252. A nearly full queue takes small credits and refuses large ones. */
static void queue__its_limit_is_in_bytes(void **state) {
    (void)state;
    struct credit_config three = drawn;
    three.queue = 3;
    struct rig *r = rig_credits(&three);
    assert_int_equal(offer(r, data_of(0), 0), DROP_NONE);
    assert_int_equal(offer(r, sized(0, 0, 92), 0), DROP_NONE);
    assert_int_equal(offer(r, sized(1, 0, 92), 0), DROP_NONE);
    assert_int_equal(offer(r, sized(2, 0, 76), 0), DROP_CREDIT);
    assert_int_equal(offer(r, sized(3, 0, 68), 0), DROP_NONE);
    assert_int_equal(offer(r, sized(4, 0, 64), 0), DROP_CREDIT);
    assert_int_equal(offer(r, sized(5, 1, 92), 0), DROP_NONE); /* another class, another queue */
    assert_int_equal(r->x.classes->credit.waiting, 4);
    rig_end(r);
}

/* A queue of one takes a credit that is larger than 84 bytes, or such credits would never pass a busy port. */
static void queue__of_one_takes_any_size(void **state) {
    (void)state;
    struct credit_config one = drawn;
    one.queue = 1;
    struct rig *r = rig_credits(&one);
    assert_int_equal(offer(r, data_of(0), 0), DROP_NONE);
    assert_int_equal(offer(r, sized(0, 0, 92), 0), DROP_NONE);
    assert_int_equal(offer(r, sized(1, 0, 76), 0), DROP_CREDIT);
    rig_end(r);
}

/* ---- random drops (AM-36) ---- */

/* Returns the serial of a credit that the last one evicted, and frees it; -1: none. */
static int64_t evicted(struct rig *r) {
    uint32_t index = port_evicted(&r->x, &r->pool);
    if (index == UINT32_MAX) return -1;
    uint32_t serial = packet_at(&r->pool, index)->serial;
    packet_put(&r->pool, index);
    return serial;
}

static void assert_queued(const struct rig *r, uint32_t class, const uint32_t *serial, uint32_t n) {
    const struct credit_queue *q = &r->x.classes->credit.queue[class];
    uint32_t index = q->head;
    assert_int_equal(q->n, n);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(packet_at(&r->pool, index)->serial, serial[i]);
        if (i == n - 1) assert_int_equal(index, q->tail);
        index = packet_at(&r->pool, index)->next;
    }
    assert_int_equal(index, UINT32_MAX);
}

static struct credit_config with_random_drops(const struct credit_config *of) {
    struct credit_config config = *of;
    config.drop = CREDIT_DROP_RANDOM;
    return config;
}

/* Of 16 queued credits and the newcomer each goes equally often; the newcomer joins the tail, the others keep their
 * order, and none is lost or doubled. The victim is the one that the stream (seed, RANDOM_DROP, global port) draws. */
static void random_drop__each_of_17_goes_equally_often(void **state) {
    (void)state;
    enum { N = 17, TRIALS = N * 2000 };
    struct credit_config config = with_random_drops(&paper);
    struct rig *r = rig_new();
    r->setup.credit = &config;
    r->setup.global = 77;
    rig_start(r);
    uint32_t model[N], times[N] = {0};
    struct random_stream s;
    random_init(&s, r->setup.seed, RANDOM_DROP, 77);
    offer(r, data_of(0), 0);
    for (uint32_t i = 0; i < N - 1; i++) {
        assert_int_equal(offer(r, credit_of(model[i] = i, 0), 0), DROP_NONE);
        assert_int_equal(evicted(r), -1);
    }
    for (uint32_t serial = N; serial < N + TRIALS; serial++) {
        uint32_t goes = (uint32_t)random_below(&s, N);
        model[N - 1] = serial;
        bool refused = offer(r, credit_of(serial, 0), 0) == DROP_CREDIT;
        assert_int_equal(refused, goes == N - 1);
        assert_int_equal(evicted(r), refused ? -1 : (int64_t)model[goes]);
        assert_int_equal(evicted(r), -1);
        times[goes]++;
        for (uint32_t i = goes; i < N - 1; i++) model[i] = model[i + 1];
        assert_queued(r, 0, model, N - 1);
    }
    uint64_t squares = 0;
    for (uint32_t i = 0; i < N; i++) squares += (times[i] - 2000ull) * (times[i] - 2000ull);
    assert_in_range(squares / 2000, 4, 39); /* chi-square of 16 degrees of freedom: 0.1 % and 99.9 % */
    assert_int_equal(port_queue_length(&r->x, &r->pool), N - 1);
    rig_end(r);
}

static void random_drop__stays_within_its_class(void **state) {
    (void)state;
    struct credit_config config = with_random_drops(&paper);
    config.queue = 2;
    struct rig *r = rig_credits(&config);
    offer(r, data_of(0), 0);
    for (uint32_t i = 0; i < 4; i++) offer(r, credit_of(i, i / 2 ? 5 : 0), 0);
    for (uint32_t i = 4; i < 200; i++) {
        bool refused = offer(r, credit_of(i, 5), 0) == DROP_CREDIT;
        int64_t serial = evicted(r);
        assert_true(refused ? serial == -1 : serial >= 2);
    }
    assert_queued(r, 0, (const uint32_t[]){0, 1}, 2);
    rig_end(r);
}

/* The limiter waits for the tokens of the first credit. When that one is the victim it waits for those of the next. */
static void random_drop__of_the_first_sets_the_deadline_anew(void **state) {
    (void)state;
    struct credit_config config = with_random_drops(&drawn);
    config.queue = 2;
    uint32_t seen = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct rig *r = rig_new();
        r->setup.credit = &config;
        r->setup.seed = seed;
        rig_start(r);
        const time_ps start = 1000 * US;
        struct packet p;
        offer(r, credit_of(0, 0), start); /* two credits empty the bucket */
        offer(r, credit_of(0, 0), start);
        assert_true(serve(r, start + 84 * BYTE_PS, &p));
        offer(r, sized(1, 0, 92), start + US / 10);
        offer(r, sized(2, 0, 76), start + US / 10);
        assert_int_equal(port_queue_service_at(&r->p, &r->x), start + CREDIT_GAP * 92 / 84);
        bool refused = offer(r, sized(3, 0, 76), start + US / 10) == DROP_CREDIT;
        int64_t victim = evicted(r);
        assert_true(refused ? victim == -1 : victim == 1 || victim == 2);
        seen |= 1u << (refused ? 0 : victim);
        assert_int_equal(port_queue_service_at(&r->p, &r->x), start + CREDIT_GAP * (victim == 1 ? 76 : 92) / 84);
        rig_end(r);
    }
    assert_int_equal(seen, 7);
}

/* A large newcomer may need the room of two small credits: the queue of 168 bytes holds two of 84, one of 104 comes. */
static void random_drop__makes_room_for_a_large_credit(void **state) {
    (void)state;
    struct credit_config config = with_random_drops(&drawn);
    config.queue = 2;
    uint32_t refused = 0, n = 300;
    for (uint64_t seed = 0; seed < n; seed++) {
        struct rig *r = rig_new();
        r->setup.credit = &config;
        r->setup.seed = seed;
        rig_start(r);
        offer(r, data_of(0), 0);
        offer(r, credit_of(1, 0), 0);
        offer(r, credit_of(2, 0), 0);
        if (offer(r, sized(3, 0, 104), 0) == DROP_CREDIT) {
            refused++;
            assert_int_equal(evicted(r), -1);
            assert_queued(r, 0, (const uint32_t[]){1, 2}, 2);
        } else {
            assert_true(evicted(r) + evicted(r) == 3);
            assert_int_equal(evicted(r), -1);
            assert_queued(r, 0, (const uint32_t[]){3}, 1);
        }
        rig_end(r);
    }
    assert_in_range(refused, n / 4, n * 5 / 12); /* one in three */
}

/* Data without a credit is dropped above its own limit, however much room the buffer has. */
static void unscheduled__dropped_first(void **state) {
    (void)state;
    struct rig *r = rig_new();
    r->setup.credit = &paper;
    r->setup.config.unscheduled_bytes = FULL_FRAME;
    rig_start(r);
    struct packet uncalled = data_of(5);
    uncalled.tcp_flags |= CREDIT_UNSCHEDULED;
    offer(r, data_of(0), 0);
    offer(r, data_of(1), 0);
    assert_int_equal(offer(r, uncalled, 0), DROP_NONE); /* one frame is queued */
    assert_int_equal(offer(r, uncalled, 0), DROP_UNSCHEDULED);
    assert_int_equal(offer(r, data_of(2), 0), DROP_NONE);
    rig_end(r);
}

/* ---- marking ---- */

/* SP-9: with N_cdt = 1 a credit is marked if and only if the one before it was dropped. Of the patterns of five credits
 * that lose two of the first four, `good` lists those in which half of the credits sent among 2..5 are marked. */
static void mark__window_of_one_is_right_in_4_of_12_patterns(void **state) {
    (void)state;
    const uint32_t good[] = {0x19 /* 11001 */, 0x13 /* 10011 */, 0x0c /* 01100 */, 0x06 /* 00110 */};
    uint32_t patterns = 0, right = 0;
    for (uint32_t bits = 0; bits < 32; bits++) {
        if (__builtin_popcount(bits >> 1) != 2) continue;
        struct credit_mark m = {.window = 1};
        uint32_t sent = 0;
        for (int i = 4; i >= 0; i--) {
            bool leaves = bits >> i & 1;
            struct packet c = credit_of(0, 0);
            if (leaves) credit_mark_leave(&m, &c);
            sent += leaves && i < 4;
            credit_mark_inject(&m, !leaves, 0);
        }
        bool is_good = false;
        for (size_t k = 0; k < 4; k++) is_good |= good[k] == bits;
        assert_int_equal(2 * m.marked == sent, is_good);
        patterns++;
        right += is_good;
    }
    assert_int_equal(patterns, 12);
    assert_int_equal(right, 4);
}

/* SP-7: P_d is 0, 1/4, 1/2, 3/4 or 1, and changes only with every fourth credit. */
static void mark__counted_over_four_credits(void **state) {
    (void)state;
    struct credit_mark m = {.window = 4};
    const bool dropped[] = {true, false, true, true, false, false, false};
    const uint32_t p_q16[] = {0, 0, 0, 49152, 49152, 49152, 49152};
    for (size_t i = 0; i < 7; i++) {
        credit_mark_inject(&m, dropped[i], 0);
        assert_int_equal(m.p_q16, p_q16[i]);
    }
    credit_mark_inject(&m, false, 0);
    assert_int_equal(m.p_q16, 0);
}

/* with `stale` set the share is forgotten after a silence. */
static void mark__stale_share_is_dropped(void **state) {
    (void)state;
    struct credit_mark m = {.window = 1, .stale = 10 * US}, keeps = {.window = 1};
    credit_mark_inject(&m, true, 0);
    credit_mark_inject(&keeps, true, 0);
    assert_int_equal(m.p_q16, 65536);
    m.window = keeps.window = 4;
    credit_mark_inject(&m, false, 11 * US);
    credit_mark_inject(&keeps, false, 11 * US);
    assert_int_equal(m.p_q16, 0);
    assert_int_equal(keeps.p_q16, 65536);
}

/* SP-8, T: the marked share of the surviving credits approaches the dropped share; a mark is never removed. */
static void mark__survivors_tell_the_loss(void **state) {
    (void)state;
    struct credit_config config = paper;
    config.mark_window = 4;
    config.queue = 4;
    struct rig *r = rig_credits(&config);
    struct packet p;
    uint32_t survivors = 0, marked = 0;
    time_ps next = 0; /* credits arrive at random, at 1.6 times the limiter's rate */
    struct random_stream s;
    random_init(&s, 1, RANDOM_HOST, 0);
    for (time_ps now = 0; survivors < 20000;) {
        time_ps service = port_queue_service_at(&r->p, &r->x);
        now = next < service ? next : service;
        if (service <= now && serve(r, now, &p)) {
            survivors++;
            marked += (p.tos & ECN_MASK) == ECN_CE;
        }
        if (next > now) continue;
        offer(r, credit_of(0, 0), now);
        next += random_exponential(&s, CREDIT_GAP * 10 / 16);
    }
    uint64_t offered = survivors + r->x.credits_dropped;
    uint64_t expected = r->x.credits_dropped * survivors / offered;
    assert_in_range(marked, expected * 97 / 100, expected * 103 / 100);
    struct packet already = credit_of(0, 0);
    already.tos |= ECN_CE;
    credit_mark_leave(&(struct credit_mark){.window = 4}, &already);
    assert_int_equal(already.tos & ECN_MASK, ECN_CE);
    rig_end(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limiter__a_credit_for_each_frame_and_credit),
        cmocka_unit_test(limiter__keeps_its_tokens_when_the_rate_changes),
        cmocka_unit_test(limiter__saturated_port_gives_credits_their_share),
        cmocka_unit_test(limiter__drawn_sizes_have_the_share_of_their_mean),
        cmocka_unit_test(limiter__waits_for_the_size_of_the_first),
        cmocka_unit_test(limiter__an_idle_port_lets_two_credits_through_at_once),
        cmocka_unit_test(order__credits_before_data_without_interrupting_it),
        cmocka_unit_test(order__data_goes_while_credits_wait_for_tokens),
        cmocka_unit_test(order__higher_classes_of_credits_first),
        cmocka_unit_test(queue__the_seventeenth_waiting_credit_is_dropped),
        cmocka_unit_test(queue__its_limit_is_in_bytes),
        cmocka_unit_test(queue__of_one_takes_any_size),
        cmocka_unit_test(random_drop__each_of_17_goes_equally_often),
        cmocka_unit_test(random_drop__stays_within_its_class),
        cmocka_unit_test(random_drop__of_the_first_sets_the_deadline_anew),
        cmocka_unit_test(random_drop__makes_room_for_a_large_credit),
        cmocka_unit_test(unscheduled__dropped_first),
        cmocka_unit_test(mark__window_of_one_is_right_in_4_of_12_patterns),
        cmocka_unit_test(mark__counted_over_four_credits),
        cmocka_unit_test(mark__stale_share_is_dropped),
        cmocka_unit_test(mark__survivors_tell_the_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
