/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"

#include "unit.h"

#include <math.h>

/* The first known answer of Random123's own kat_vectors: counter 0, key 0. */
static void random_u32__known_answer(void **state) {
    (void)state;
    struct random_stream s;
    random_init(&s, 0, (enum random_purpose)0, 0);
    assert_int_equal(random_u32(&s), 0x6627e8d5);
    assert_int_equal(random_u32(&s), 0xe169c58d);
    assert_int_equal(random_u32(&s), 0xbc57ac4c);
    assert_int_equal(random_u32(&s), 0x9b00dbd8);
}

/* The numbers of purposes are part of every result, so they never change. */
static void random_purpose__numbers_are_kept(void **state) {
    (void)state;
    static const enum random_purpose purpose[] = {
        RANDOM_ARRIVALS, RANDOM_SIZES,    RANDOM_PAIRS, RANDOM_PORTS, RANDOM_BALANCE, RANDOM_HASH,
        RANDOM_LOSS,     RANDOM_FAILURES, RANDOM_HOST,  RANDOM_MARK,  RANDOM_JITTER,  RANDOM_CREDIT,
        RANDOM_SPRAY,    RANDOM_CLASS,    RANDOM_TIES,  RANDOM_DELAY, RANDOM_IMPAIR};
    for (size_t i = 0; i < sizeof purpose / sizeof *purpose; i++) assert_int_equal(purpose[i], i + 1);
}

static void random_u64__two_words_high_first(void **state) {
    (void)state;
    struct random_stream s;
    random_init(&s, 0, (enum random_purpose)0, 0);
    assert_true(random_u64(&s) == 0x6627e8d5e169c58dull);
}

/* Two streams that differ in one word of their name share no value among their first thousand (chance 2^-44). */
static void streams_differ(struct random_stream a, struct random_stream b) {
    uint64_t from_a[1000];
    for (int i = 0; i < 1000; i++) from_a[i] = random_u64(&a);
    for (int i = 0; i < 1000; i++) {
        uint64_t value = random_u64(&b);
        for (int j = 0; j < 1000; j++) assert_true(value != from_a[j]);
    }
}

static void random_init__streams_are_independent(void **state) {
    (void)state;
    struct random_stream s, other;
    random_init(&s, 7, RANDOM_SIZES, 3);
    random_init(&other, 8, RANDOM_SIZES, 3);
    streams_differ(s, other);
    random_init(&other, 7, RANDOM_PAIRS, 3);
    streams_differ(s, other);
    random_init(&other, 7, RANDOM_SIZES, 4);
    streams_differ(s, other);
    random_init(&other, 7 | 1ull << 40, RANDOM_SIZES, 3);
    streams_differ(s, other);
    random_init(&other, 7, RANDOM_SIZES, 3 | 1ull << 40);
    streams_differ(s, other);
}

static void random_init__same_name_same_stream(void **state) {
    (void)state;
    struct random_stream a, b;
    random_init(&a, 42, RANDOM_BALANCE, 9);
    random_init(&b, 42, RANDOM_BALANCE, 9);
    for (int i = 0; i < 100; i++) assert_int_equal(random_u32(&a), random_u32(&b));
}

/* The block counter carries into its high word and leaves the purpose in place. */
static void random_u32__block_counter_carries(void **state) {
    (void)state;
    struct random_stream s;
    random_init(&s, 1, RANDOM_PAIRS, 0);
    s.counter[0] = UINT32_MAX;
    random_u32(&s);
    assert_int_equal(s.counter[0], 0);
    assert_int_equal(s.counter[1], (RANDOM_PAIRS << 24) + 1);
}

static void random_lane__is_the_same_stream(void **state) {
    (void)state;
    struct random_stream stream;
    struct random_lane lane = {0};
    random_init(&stream, 0x123456789abcdefull, RANDOM_JITTER, 99999);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(random_lane_u32(&lane, 0x123456789abcdefull, RANDOM_JITTER, 99999), random_u32(&stream));
}

static void random_below__in_range_and_even(void **state) {
    (void)state;
    struct random_stream s;
    random_init(&s, 1, RANDOM_PAIRS, 0);
    int count[7] = {0};
    for (int i = 0; i < 70000; i++) {
        uint64_t value = random_below(&s, 7);
        assert_in_range(value, 0, 6);
        count[value]++;
    }
    /* 10,000 expected, standard deviation 93 */
    for (int i = 0; i < 7; i++) assert_in_range(count[i], 9500, 10500);
}

/* A biased method would return the lowest third of 3 x 2^62 values twice as often as the others. */
static void random_below__unbiased_for_large_ranges(void **state) {
    (void)state;
    struct random_stream s;
    random_init(&s, 1, RANDOM_PAIRS, 1);
    const uint64_t third = 1ull << 62;
    int count[3] = {0};
    for (int i = 0; i < 30000; i++) count[random_below(&s, 3 * third) / third]++;
    for (int i = 0; i < 3; i++) assert_in_range(count[i], 9600, 10400);
}

static void random_below__one_is_always_zero(void **state) {
    (void)state;
    struct random_stream s;
    random_init(&s, 1, RANDOM_PAIRS, 2);
    for (int i = 0; i < 100; i++) assert_int_equal(random_below(&s, 1), 0);
}

static void random_chance_ppb__never_always_and_a_tenth(void **state) {
    (void)state;
    struct random_stream s;
    random_init(&s, 1, RANDOM_LOSS, 0);
    int hits = 0;
    for (int i = 0; i < 100000; i++) {
        assert_false(random_chance_ppb(&s, 0));
        assert_true(random_chance_ppb(&s, (uint32_t)PPB));
        hits += random_chance_ppb(&s, (uint32_t)(PPB / 10));
    }
    assert_in_range(hits, 9600, 10400); /* standard deviation 95 */
}

static double neg_log(uint32_t x) {
    return x > 1u << 31 ? -log1p(-((double)(1ull << 32) - x) / (double)(1ull << 32)) : 32 * log(2.0) - log((double)x);
}

static void log_is_close(uint32_t x) {
    double wrong = (double)neg_log_q32(x) / (double)(1ull << 32) - neg_log(x);
    assert_true(fabs(wrong) < 1.0 / (1 << 30));
}

static void neg_log_q32__hand_checked(void **state) {
    (void)state;
    assert_int_equal(neg_log_q32(1u << 31), 2977044472); /* ln 2 = 0.693147180559945 */
    assert_int_equal(neg_log_q32(1), 95265423098);       /* 32 ln 2 = 22.180709777918 */
    assert_int_equal(neg_log_q32(UINT32_MAX), 1);        /* 2^-32 */
}

static void neg_log_q32__within_2_to_minus_30_of_libm(void **state) {
    (void)state;
    for (int shift = 0; shift < 32; shift++) {
        for (uint32_t near = 0; near < 40; near++) {
            uint32_t power = 1u << shift;
            if (power + near > near) log_is_close(power + near);
            if (power > near) log_is_close(power - near);
        }
    }
    for (uint32_t near = 0; near < 1000; near++) {
        log_is_close(UINT32_MAX - near);
        log_is_close(0xb504f334u - 500 + near); /* at the border of two octaves */
    }
    for (uint64_t x = 1; x < 1ull << 32; x += 99991) log_is_close((uint32_t)x);
}

static void neg_log_q32__never_grows_with_x(void **state) {
    (void)state;
    for (uint32_t x = 0xb504f334u - 1000; x < 0xb504f334u + 1000; x++)
        assert_true(neg_log_q32(x) >= neg_log_q32(x + 1));
}

/* Mean 1 ms over 200,000 draws: the standard error is 0.22 %. A share e^-1 exceeds the mean. */
static void random_exponential__mean_and_tail(void **state) {
    (void)state;
    struct random_stream s;
    random_init(&s, 5, RANDOM_ARRIVALS, 0);
    const int n = 200000;
    int64_t sum = 0;
    int above = 0;
    for (int i = 0; i < n; i++) {
        int64_t value = random_exponential(&s, PS_PER_MS);
        assert_true(value >= 0);
        sum += value;
        above += value > PS_PER_MS;
    }
    assert_in_range(sum / n, 990 * PS_PER_US, 1010 * PS_PER_US);
    assert_in_range(above, 72500, 74600); /* 73,576; standard deviation 216 */
}

/* Each draw equals the mean times -ln of its random word, within a relative 2^-30 or the rounding to a picosecond. */
static void random_exponential__accurate_for_tiny_and_huge_means(void **state) {
    (void)state;
    const int64_t means[] = {1, 1000, PS_PER_US, PS_PER_S, 100000 * PS_PER_S};
    for (size_t m = 0; m < sizeof means / sizeof *means; m++) {
        struct random_stream s, words;
        random_init(&s, 5, RANDOM_ARRIVALS, m);
        random_init(&words, 5, RANDOM_ARRIVALS, m);
        for (int i = 0; i < 2000; i++) {
            double want = (double)means[m] * neg_log(random_u32(&words));
            double got = (double)random_exponential(&s, means[m]);
            assert_true(fabs(got - want) <= 0.51 + want / (1 << 30));
        }
    }
}

static void random_key__keyed_and_apart_from_the_stream(void **state) {
    (void)state;
    assert_true(random_key(1, RANDOM_HASH, 2) == random_key(1, RANDOM_HASH, 2));
    assert_true(random_key(1, RANDOM_HASH, 2) != random_key(1, RANDOM_HASH, 3));
    assert_true(random_key(1, RANDOM_HASH, 2) != random_key(2, RANDOM_HASH, 2));
    assert_true(random_key(1, RANDOM_HASH, 2) != random_key(1, RANDOM_HOST, 2));
    struct random_stream s;
    random_init(&s, 1, RANDOM_HASH, 2);
    assert_true(random_key(1, RANDOM_HASH, 2) != random_u64(&s));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(random_u32__known_answer),
        UNIT(random_purpose__numbers_are_kept),
        UNIT(random_u64__two_words_high_first),
        UNIT(random_init__streams_are_independent),
        UNIT(random_init__same_name_same_stream),
        UNIT(random_u32__block_counter_carries),
        UNIT(random_lane__is_the_same_stream),
        UNIT(random_below__in_range_and_even),
        UNIT(random_below__unbiased_for_large_ranges),
        UNIT(random_below__one_is_always_zero),
        UNIT(random_chance_ppb__never_always_and_a_tenth),
        UNIT(neg_log_q32__hand_checked),
        UNIT(neg_log_q32__within_2_to_minus_30_of_libm),
        UNIT(neg_log_q32__never_grows_with_x),
        UNIT(random_exponential__mean_and_tail),
        UNIT(random_exponential__accurate_for_tiny_and_huge_means),
        UNIT(random_key__keyed_and_apart_from_the_stream),
    };
    return RUN_UNITS(tests);
}
