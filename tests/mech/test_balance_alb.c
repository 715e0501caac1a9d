/* SPDX-License-Identifier: Apache-2.0 */
/* ALB (DT-13 to DT-18) at one ToR; the test sets the queues of its uplinks. */
#include "balance_harness.h"

#include "mech/balance/balancers.h"

enum { TWO, ONE, NONE, MIN };

#define UPLINKS 4
#define KB 1000
#define CLASSES 8

struct alb_bench {
    struct bench *b;
    uint32_t tor;
    struct port_view *uplink;         /* [uplinks] */
    uint32_t drain[UPLINKS][CLASSES]; /* what ports show after queue() has set them */
};

static struct alb_bench alb_bench_with(struct bench *b, uint32_t uplinks) {
    struct alb_bench a = {.b = bench_build(b, 1, 2, uplinks, 0)};
    a.tor = bench_tor(b, 0, 0);
    a.uplink = &bench_switch(b, a.tor)->view[BENCH_HOSTS];
    return a;
}

static struct alb_bench alb_bench(int thresholds, uint8_t classes, uint32_t uplinks) {
    struct bench *b = bench_new("alb");
    bench_set(b, "thresholds", thresholds);
    b->classes = classes;
    return alb_bench_with(b, uplinks);
}

/* Adds bytes of a class to the egress queue of an uplink. */
static void queue(struct alb_bench *a, uint32_t uplink, uint32_t class, int64_t bytes) {
    for (uint32_t k = 0; k <= class; k++) a->drain[uplink][k] = (uint32_t)(a->drain[uplink][k] + bytes);
    a->uplink[uplink].drain_bytes = a->drain[uplink];
}

static void queue_only(struct alb_bench *a, uint32_t uplink, uint32_t bytes) {
    memset(a->drain[uplink], 0, sizeof a->drain[uplink]);
    queue(a, uplink, 0, bytes);
}

/* Sends a frame of a class. Returns its uplink. */
static uint32_t uplink_of_class(struct alb_bench *a, uint32_t class, time_ps now) {
    uint32_t frame = bench_data(a->b, 0, 2, 4000);
    packet_at(&a->b->pool, frame)->tos = (uint8_t)(class << 5);
    struct trip t = bench_send(a->b, frame, now);
    assert_true(t.delivered);
    return t.port[0] - BENCH_HOSTS;
}
static uint32_t uplink_taken(struct alb_bench *a) { return uplink_of_class(a, 0, 0); }

/* Sends n frames of a class. Returns the set of uplinks that they took. */
static uint32_t set_of_class(struct alb_bench *a, uint32_t class, uint32_t n) {
    uint32_t set = 0;
    while (n--) set |= 1u << uplink_of_class(a, class, 0);
    return set;
}

/* ---- favoured sets ---- */

#define MOST "alb_most_favoured"
#define SOME "alb_favoured"
#define LEAST "alb_least_favoured"

static const struct {
    int thresholds;
    uint32_t bytes[UPLINKS];
    uint32_t expected; /* bit k: uplink k */
    const char *counter;
} sets[] = {
    {TWO, {0, 0, 0, 0}, 0xf, MOST},
    {TWO, {16383, 16384, 16383, 65536}, 0x5, MOST},
    {TWO, {16384, 65535, 65536, 100000}, 0x3, SOME},
    {TWO, {70000, 65536, 65535, 80000}, 0x4, SOME},
    {TWO, {65536, 65537, 131072, 65536}, 0xf, LEAST},
    {ONE, {16383, 16384, 65535, 0}, 0x9, MOST},
    {ONE, {16384, 65536, 20000, 131072}, 0xf, LEAST},
    {NONE, {0, 131072, 65536, 16384}, 0xf, MOST},
    {MIN, {5, 4, 4, 9}, 0x6, MOST},
    {MIN, {0, 1, 1, 1}, 0x1, MOST},
    {MIN, {20000, 20001, 19999, 65536}, 0x4, SOME},
    {MIN, {65536, 131072, 65536, 65536}, 0xd, LEAST},
};

static void alb_route__takes_the_ports_of_the_best_set(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct alb_bench a = alb_bench(sets[i].thresholds, 1, UPLINKS);
        for (uint32_t k = 0; k < UPLINKS; k++) queue_only(&a, k, sets[i].bytes[k]);
        assert_int_equal(set_of_class(&a, 0, 100), sets[i].expected);
        assert_int_equal(bench_count(a.b, sets[i].counter), 100);
        assert_int_equal(bench_count(a.b, MOST) + bench_count(a.b, SOME) + bench_count(a.b, LEAST), 100);
        bench_end(a.b);
    }
}

/* Every pattern of four ports that are each most, less or least favoured. */
static void alb_route__every_pattern_of_favour(void **state) {
    (void)state;
    static const uint32_t bytes[] = {1 * KB, 20 * KB, 100 * KB};
    struct alb_bench a = alb_bench(TWO, 1, UPLINKS);
    for (uint32_t pattern = 0; pattern < 81; pattern++) {
        uint32_t set[3] = {0}, rest = pattern;
        for (uint32_t k = 0; k < UPLINKS; k++, rest /= 3) {
            set[rest % 3] |= 1u << k;
            queue_only(&a, k, bytes[rest % 3]);
        }
        assert_int_equal(set_of_class(&a, 0, 120), set[0] ? set[0] : set[1] ? set[1] : set[2]);
    }
    assert_int_equal(bench_count(a.b, LEAST), 120);           /* one pattern has long queues only */
    assert_int_equal(bench_count(a.b, SOME), (16 - 1) * 120); /* 15 patterns have no short queue but a middle one */
    bench_end(a.b);
}

static void assert_uniform(struct alb_bench *a, uint32_t first, uint32_t n, int64_t bound) {
    int64_t seen[UPLINKS] = {0}, sum = 0;
    for (uint32_t i = 0; i < n * 1000; i++) seen[uplink_taken(a)]++;
    for (uint32_t k = first; k < first + n; k++) sum += (seen[k] - 1000) * (seen[k] - 1000);
    assert_true(sum < bound * 1000 / 10); /* chi-square, in tenths */
}

static void alb_route__uniform_among_the_favoured_and_when_saturated(void **state) {
    (void)state;
    for (int thresholds = TWO; thresholds <= MIN; thresholds++) {
        struct alb_bench a = alb_bench(thresholds, 1, UPLINKS);
        for (uint32_t k = 0; k < UPLINKS; k++) queue_only(&a, k, 120 * KB);
        assert_uniform(&a, 0, 4, 163); /* chi-square, 3 degrees of freedom: 99.9 % are below */
        for (uint32_t k = 1; k < UPLINKS; k++) queue_only(&a, k, 10 * KB);
        if (thresholds != NONE) assert_uniform(&a, 1, 3, 138); /* 2 degrees of freedom */
        bench_end(a.b);
    }
}

/* ---- classes ---- */

/* The paper's example: port 1 holds 10 KB of class 7, port 2 holds 20 KB of class 0. */
static void example(struct alb_bench *a, int thresholds, bool per_class) {
    struct bench *b = bench_new("alb");
    bench_set(b, "thresholds", thresholds);
    bench_set(b, "per_class", per_class);
    b->classes = CLASSES;
    *a = alb_bench_with(b, 2);
    queue(a, 0, 7, 10 * KB);
    queue(a, 1, 0, 20 * KB);
}

static uint32_t times_port_2(struct alb_bench *a, uint32_t class) {
    uint32_t n = 0;
    for (int i = 0; i < 1000; i++) n += uplink_of_class(a, class, 0) == 1;
    return n;
}

static void alb_route__thresholds_take_the_example_half_right(void **state) {
    (void)state;
    struct alb_bench a;
    example(&a, TWO, true);
    assert_in_range(times_port_2(&a, 7), 500 - 50, 500 + 50); /* standard deviation 16 */
    assert_int_equal(times_port_2(&a, 0), 0);                 /* class 0 sees the 20 KB */
    bench_end(a.b);
}

static void alb_route__minimum_takes_the_example_right(void **state) {
    (void)state;
    struct alb_bench a;
    example(&a, MIN, true);
    assert_int_equal(times_port_2(&a, 7), 1000);
    assert_int_equal(times_port_2(&a, 1), 1000);
    assert_int_equal(times_port_2(&a, 0), 0);
    bench_end(a.b);
}

static void alb_route__blind_to_classes_it_takes_the_shorter_queue(void **state) {
    (void)state;
    for (int thresholds = TWO; thresholds <= MIN; thresholds += MIN) {
        struct alb_bench a;
        example(&a, thresholds, false);
        assert_int_equal(times_port_2(&a, 7), 0);
        assert_int_equal(times_port_2(&a, 0), 0);
        bench_end(a.b);
    }
}

/* With two classes, priorities above 1 count as class 1. With one class all frames are alike. */
static void alb_route__takes_the_class_as_ports_do(void **state) {
    (void)state;
    for (uint8_t classes = 0; classes <= 2; classes++) {
        struct alb_bench a = alb_bench(MIN, classes, 2);
        queue(&a, 0, 1, 10 * KB);
        queue(&a, 1, 0, 20 * KB);
        for (uint32_t class = 0; class < CLASSES; class ++)
            assert_int_equal(set_of_class(&a, class, 20), classes == 2 && class > 0 ? 2 : 1);
        bench_end(a.b);
    }
}

/* ---- time ---- */

/* Uplink 0 is paused from frame 1000 to frame 2000; the other uplinks drain as fast as frames come. */
static void alb_route__a_paused_port_falls_out_of_the_favoured_set(void **state) {
    (void)state;
    struct alb_bench a = alb_bench(TWO, 1, UPLINKS);
    uint32_t share[3] = {0};
    for (uint32_t i = 0; i < 3000; i++) {
        uint32_t phase = i / 1000, k = uplink_taken(&a);
        share[phase] += k == 0;
        queue(&a, k, 0, 1518);
        for (uint32_t turn = 0; turn < 2; turn++) {
            k = (2 * i + turn) % UPLINKS;
            if (a.drain[k][0] > 0 && (k > 0 || phase != 1)) queue(&a, k, 0, -1518);
        }
    }
    assert_in_range(share[0], 250 - 55, 250 + 55);
    assert_in_range(share[1], 11, 11 + 5); /* 11 frames are 16.7 KB; a few were queued before the pause */
    assert_in_range(share[2], 180, 250 + 55);
    bench_end(a.b);
}

/* The backlog of an analytic port counts in frame bytes, exact to the byte. */
static void alb_route__analytic_ports_by_their_backlog(void **state) {
    (void)state;
    static const int64_t rate[] = {1000000000, 10000000000, 40000000000, 400000000000};
    time_ps now = 7 * PS_PER_MS;
    struct alb_bench a = alb_bench(MIN, 1, 2);
    for (uint32_t i = 0; i < 40; i++) {
        uint32_t frames = 1 + i * i * 7;
        a.uplink[1].rate_bps = rate[i % 4];
        a.uplink[1].busy_until = now + frames * 1538 * (8 * PS_PER_S / rate[i % 4]);
        a.drain[0][0] = frames * 1518;
        a.uplink[0].drain_bytes = a.drain[0];
        uint32_t seen = 0;
        for (int k = 0; k < 30; k++) seen |= 1u << uplink_of_class(&a, 0, now);
        assert_int_equal(seen, 3); /* equal backlogs */
        a.drain[0][0]++;
        for (int k = 0; k < 5; k++) assert_int_equal(uplink_of_class(&a, 0, now), 1);
        a.drain[0][0] -= 2;
        for (int k = 0; k < 5; k++) assert_int_equal(uplink_of_class(&a, 0, now), 0);
        a.uplink[1].busy_until = now; /* empty */
        assert_int_equal(uplink_of_class(&a, 7, now), 1);
    }
    bench_end(a.b);
}

static void alb_route__backlogs_drain_with_time(void **state) {
    (void)state;
    struct alb_bench a = alb_bench(TWO, 1, 2);
    for (int k = 0; k < 2; k++) a.uplink[k].rate_bps = 1000000000;
    a.uplink[0].busy_until = 200 * PS_PER_US;                                                 /* 24.7 KB */
    for (int i = 0; i < 50; i++) assert_int_equal(uplink_of_class(&a, 0, 67 * PS_PER_US), 1); /* 16.41 KB */
    uint32_t seen = 0;
    for (int i = 0; i < 50; i++) seen |= 1u << uplink_of_class(&a, 0, 68 * PS_PER_US); /* 16.29 KB */
    assert_int_equal(seen, 3);
    bench_end(a.b);
}

/* ---- ports that are not acceptable ---- */

static void alb_route__a_port_that_is_down_is_not_taken(void **state) {
    (void)state;
    struct alb_bench a = alb_bench(TWO, 1, UPLINKS);
    for (uint32_t k = 0; k < UPLINKS; k++) queue_only(&a, k, k == 2 ? 0 : 70 * KB);
    a.uplink[2].up = false; /* routing has not withdrawn it yet */
    assert_int_equal(set_of_class(&a, 0, 100), 0xb);
    a.uplink[0].up = a.uplink[1].up = a.uplink[3].up = false;
    assert_int_equal(set_of_class(&a, 0, 100), 0xf); /* without a port that is up, all are taken */
    assert_int_equal(bench_count(a.b, LEAST), 100);
    bench_end(a.b);
}

static void alb_route__withdrawn_link_is_not_taken(void **state) {
    (void)state;
    struct alb_bench a = alb_bench(TWO, 1, UPLINKS);
    bench_cut(a.b, bench_agg(a.b, 0, 3), bench_tor(a.b, 0, 1), 0);
    assert_int_equal(set_of_class(&a, 0, 100), 0x7);
    bench_end(a.b);
}

/* ---- the rest of its table ---- */

static void alb_route__seed_decides(void **state) {
    (void)state;
    struct alb_bench one = alb_bench(TWO, 1, UPLINKS), again = alb_bench(TWO, 1, UPLINKS);
    struct bench *b = bench_new("alb");
    b->seed = 2;
    struct alb_bench other = alb_bench_with(b, UPLINKS);
    uint32_t same = 0;
    for (int i = 0; i < 400; i++) {
        uint32_t k = uplink_taken(&one);
        assert_int_equal(k, uplink_taken(&again));
        same += k == uplink_taken(&other);
    }
    assert_in_range(same, 60, 140); /* 1 in 4 by chance */
    bench_end(one.b);
    bench_end(again.b);
    bench_end(other.b);
}

static void alb__says_what_it_needs(void **state) {
    (void)state;
    assert_true(balance_alb.reorders);
    assert_true(balance_alb.wants_backlogs);
    assert_false(balance_alb.wants_loads);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alb_route__takes_the_ports_of_the_best_set),
        cmocka_unit_test(alb_route__every_pattern_of_favour),
        cmocka_unit_test(alb_route__uniform_among_the_favoured_and_when_saturated),
        cmocka_unit_test(alb_route__thresholds_take_the_example_half_right),
        cmocka_unit_test(alb_route__minimum_takes_the_example_right),
        cmocka_unit_test(alb_route__blind_to_classes_it_takes_the_shorter_queue),
        cmocka_unit_test(alb_route__takes_the_class_as_ports_do),
        cmocka_unit_test(alb_route__a_paused_port_falls_out_of_the_favoured_set),
        cmocka_unit_test(alb_route__analytic_ports_by_their_backlog),
        cmocka_unit_test(alb_route__backlogs_drain_with_time),
        cmocka_unit_test(alb_route__a_port_that_is_down_is_not_taken),
        cmocka_unit_test(alb_route__withdrawn_link_is_not_taken),
        cmocka_unit_test(alb_route__seed_decides),
        cmocka_unit_test(alb__says_what_it_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
