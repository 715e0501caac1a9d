/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/samples.h"

#include "unit.h"

#include <stdlib.h>

/* Takes the samples of ports [from, to) at periods 0, 10, 20 .. as one thread would; each value encodes time and
 * port. */
static void sample_ports(struct samples *s, int periods, uint32_t from, uint32_t to) {
    for (int k = 0; k < periods; k++) {
        time_ps at = 10 * k;
        if (!samples_begin(s, at)) continue;
        for (uint32_t port = from; port < to; port++) samples_add(s, at, port, SAMPLE_QUEUE, 1000 * at + port);
    }
}

static void samples_merge__all_when_they_fit(void **state) {
    (void)state;
    struct samples s;
    struct run_result r = {0};
    samples_init(&s, 10, 40, 4);
    sample_ports(&s, 10, 0, 4);
    samples_merge(&s, 1, &r);
    assert_int_equal(r.n_samples, 40);
    assert_false(r.samples_thinned);
    assert_int_equal(r.sample[5].at, 10);
    assert_int_equal(r.sample[5].port, 1);
    assert_int_equal(r.sample[5].value, 10001);
    run_result_free(&r);
}

/* The store keeps 10 periods: of 25 (0 to 24) every fourth stays: 0, 4, .. 24. */
static void samples_begin__thins_by_every_second_period(void **state) {
    (void)state;
    struct samples s;
    struct run_result r = {0};
    samples_init(&s, 10, 40, 4);
    sample_ports(&s, 25, 0, 4);
    samples_merge(&s, 1, &r);
    assert_true(r.samples_thinned);
    assert_int_equal(r.n_samples, 7 * 4);
    for (int i = 0; i < 7; i++) assert_int_equal(r.sample[4 * i].at, 40 * i);
    run_result_free(&r);
}

static void samples_begin__never_more_than_the_bound(void **state) {
    (void)state;
    struct samples s;
    samples_init(&s, 10, 40, 4);
    for (int k = 0; k < 1000; k++) {
        if (samples_begin(&s, 10 * k)) {
            for (uint32_t port = 0; port < 4; port++) samples_add(&s, 10 * k, port, SAMPLE_LINK, 0);
        }
        assert_true(s.n <= 40);
        assert_true(k < 20 || s.n > 16);
    }
    samples_fini(&s);
}

/* The merged samples are the same for one thread and for three, however the ports are divided. */
static void samples_merge__does_not_depend_on_threads(void **state) {
    (void)state;
    struct samples one, three[3];
    struct run_result a = {0}, b = {0};
    samples_init(&one, 10, 60, 6);
    sample_ports(&one, 77, 0, 6);
    samples_merge(&one, 1, &a);
    const uint32_t cut[] = {0, 1, 4, 6};
    for (int i = 0; i < 3; i++) {
        samples_init(&three[i], 10, 60, 6);
        sample_ports(&three[i], 77, cut[i], cut[i + 1]);
    }
    samples_merge(three, 3, &b);
    assert_int_equal(a.n_samples, b.n_samples);
    for (size_t i = 0; i < a.n_samples; i++) {
        assert_int_equal(a.sample[i].at, b.sample[i].at);
        assert_int_equal(a.sample[i].port, b.sample[i].port);
        assert_int_equal(a.sample[i].value, b.sample[i].value);
    }
    run_result_free(&a);
    run_result_free(&b);
}

/* Stores of one period are thinned alike, also that of a thread that saw no late period. A store of another period is
 * unchanged. */
static void samples_merge__thins_alike(void **state) {
    (void)state;
    struct samples store[3];
    struct run_result r = {0};
    samples_init(&store[0], 10, 8, 2); /* 4 periods */
    samples_init(&store[1], 10, 8, 2);
    samples_init(&store[2], 5, 8, 2);
    sample_ports(&store[0], 8, 0, 1); /* keeps 0, 2, 4, 6 */
    sample_ports(&store[1], 4, 1, 2); /* has 0, 1, 2, 3 */
    assert_true(samples_begin(&store[2], 5));
    samples_add(&store[2], 5, 9, SAMPLE_LINK, 1);
    samples_merge(store, 3, &r);
    assert_int_equal(r.n_samples, 4 + 2 + 1);
    assert_int_equal(r.sample[0].port, 0);
    assert_int_equal(r.sample[1].port, 1);
    assert_int_equal(r.sample[2].at, 5);
    run_result_free(&r);
}

static void samples_merge__order_and_kinds(void **state) {
    (void)state;
    struct samples s;
    struct run_result r = {0};
    samples_init(&s, 10, 0, 4);
    assert_true(samples_begin(&s, 10));
    samples_add(&s, 10, 3, SAMPLE_LINK, 1);
    samples_add(&s, 10, 3, SAMPLE_QUEUE, 2);
    samples_add(&s, 10, 1, SAMPLE_LINK, 3);
    samples_merge(&s, 1, &r);
    assert_int_equal(r.sample[0].value, 3);
    assert_int_equal(r.sample[1].value, 2);
    assert_int_equal(r.sample[2].value, 1);
    run_result_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(samples_merge__all_when_they_fit),
        UNIT(samples_begin__thins_by_every_second_period),
        UNIT(samples_begin__never_more_than_the_bound),
        UNIT(samples_merge__does_not_depend_on_threads),
        UNIT(samples_merge__thins_alike),
        UNIT(samples_merge__order_and_kinds),
    };
    return RUN_UNITS(tests);
}
