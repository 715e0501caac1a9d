/* SPDX-License-Identifier: Apache-2.0 */
/* The set of credits that a receiver has outstanding, by hand and against a model that keeps every credit in an array. */
#include "mech/transport/credit_outstanding.h"

#include "base/random.h"
#include "unit.h"
#include "wire/packet.h"

#include <stdlib.h>

struct bench {
    struct cell_pool cells;
    struct credit_outstanding o;
};

static struct bench *bench_new(size_t cell_bytes) {
    struct bench *b = calloc(1, sizeof *b);
    cell_pool_init(&b->cells, cell_bytes);
    return b;
}

static void bench_free(struct bench *b) {
    credit_outstanding_clear(&b->o, &b->cells);
    assert_int_equal(b->cells.in_use, 0);
    cell_pool_fini(&b->cells);
    free(b);
}

static void add(struct bench *b, time_ps at, uint32_t number, uint16_t path) {
    credit_outstanding_add(&b->o, &b->cells, at, number, path);
}

static void answer(struct bench *b, uint32_t number) { credit_outstanding_answer(&b->o, &b->cells, number); }

static void outstanding__in_order(void **state) {
    (void)state;
    struct bench *b = bench_new(credit_page_bytes());
    assert_int_equal(credit_outstanding_oldest(&b->o), TIME_NONE);
    answer(b, 0);                                                        /* none was sent */
    for (uint32_t i = 0; i < 100; i++) add(b, i * 10, i * 3, PATH_NONE); /* refused credits take numbers too */
    for (uint32_t i = 0; i < 100; i++) {
        assert_int_equal(b->o.n, 100 - i);
        assert_int_equal(credit_outstanding_oldest(&b->o), i * 10);
        answer(b, i * 3);
    }
    assert_int_equal(credit_outstanding_oldest(&b->o), TIME_NONE);
    assert_int_equal(b->cells.in_use, 1);
    bench_free(b);
}

/* A hole is a lost credit: all credits before the answered one leave the set. */
static void outstanding__a_later_answer_passes(void **state) {
    (void)state;
    struct bench *b = bench_new(credit_page_bytes());
    for (uint32_t i = 0; i < 30; i++) add(b, i, i, PATH_NONE);
    answer(b, 20);
    assert_int_equal(b->o.n, 9);
    assert_int_equal(credit_outstanding_oldest(&b->o), 21);
    answer(b, 7);  /* an answer that comes after all */
    answer(b, 20); /* and one twice */
    answer(b, 99); /* never sent */
    assert_int_equal(b->o.n, 9);
    bench_free(b);
}

/* An answer over one path says nothing of credits on another one. */
static void outstanding__paths_apart(void **state) {
    (void)state;
    struct bench *b = bench_new(credit_page_bytes());
    for (uint32_t i = 0; i < 12; i++) add(b, i, i, (uint16_t)(i % 3));
    answer(b, 7); /* path 1: passes 1 and 4 */
    assert_int_equal(b->o.n, 9);
    assert_int_equal(credit_outstanding_oldest(&b->o), 0);
    answer(b, 6); /* path 0: passes 0 and 3 */
    assert_int_equal(b->o.n, 6);
    assert_int_equal(credit_outstanding_oldest(&b->o), 2);
    answer(b, 11); /* path 2: passes 2, 5 and 8 */
    assert_int_equal(b->o.n, 2);
    assert_int_equal(credit_outstanding_oldest(&b->o), 9);
    bench_free(b);
}

static void outstanding__expire(void **state) {
    (void)state;
    struct bench *b = bench_new(credit_page_bytes());
    for (uint32_t i = 0; i < 40; i++) add(b, 100 + i, i, (uint16_t)(i % 2));
    answer(b, 9); /* 1, 3, 5, 7, 9 */
    credit_outstanding_expire(&b->o, &b->cells, 99);
    assert_int_equal(b->o.n, 35);
    credit_outstanding_expire(&b->o, &b->cells, 110);
    assert_int_equal(b->o.n, 29);
    assert_int_equal(credit_outstanding_oldest(&b->o), 111);
    credit_outstanding_expire(&b->o, &b->cells, 1000);
    assert_int_equal(b->o.n, 0);
    bench_free(b);
}

static void outstanding__numbers_wrap(void **state) {
    (void)state;
    struct bench *b = bench_new(credit_page_bytes());
    for (uint32_t i = 0; i < 20; i++) add(b, i, UINT32_MAX - 9 + i, PATH_NONE);
    answer(b, 3); /* the fourteenth */
    assert_int_equal(b->o.n, 6);
    assert_int_equal(credit_outstanding_oldest(&b->o), 14);
    bench_free(b);
}

/* ---- against the model ---- */

#define CREDITS 3000

struct model {
    struct credit_sent sent[CREDITS];
    uint32_t n;
};

static uint32_t model_count(const struct model *m) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n; i++) n += !m->sent[i].gone;
    return n;
}

static time_ps model_oldest(const struct model *m) {
    for (uint32_t i = 0; i < m->n; i++)
        if (!m->sent[i].gone) return m->sent[i].at;
    return TIME_NONE;
}

static void model_answer(struct model *m, uint32_t which) {
    if (m->sent[which].gone) return;
    for (uint32_t i = 0; i <= which; i++)
        if (m->sent[i].path == m->sent[which].path) m->sent[i].gone = true;
}

static void model_expire(struct model *m, time_ps at) {
    for (uint32_t i = 0; i < m->n; i++) m->sent[i].gone |= m->sent[i].at <= at;
}

/* Adds, answers and expires at random, over up to 8 paths and with cells that hold 8 to 60 credits. */
static void outstanding__as_the_model(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 40; round++) {
        struct random_stream random;
        random_init(&random, 5, RANDOM_MARK, round);
        struct bench *b = bench_new(credit_page_bytes() + round % 4 * 256);
        struct model *m = calloc(1, sizeof *m);
        uint32_t number = random_u32(&random), paths = 1 + random_below(&random, 8);
        time_ps now = 0;
        while (m->n < CREDITS) {
            uint32_t what = random_below(&random, 100);
            now += random_below(&random, 5);
            if (what < 60 || m->n == 0) {
                number += 1 + (random_below(&random, 4) == 0 ? random_below(&random, 100) : 0);
                uint16_t path = (uint16_t)random_below(&random, paths);
                m->sent[m->n++] = (struct credit_sent){.at = now, .number = number, .path = path};
                add(b, now, number, path);
            } else if (what < 98) {
                uint32_t last = m->n < 40 ? m->n : 40, which = m->n - 1 - random_below(&random, last);
                model_answer(m, which);
                answer(b, m->sent[which].number);
            } else {
                model_expire(m, now - 60);
                credit_outstanding_expire(&b->o, &b->cells, now - 60);
            }
            assert_int_equal(b->o.n, model_count(m));
            assert_int_equal(credit_outstanding_oldest(&b->o), model_oldest(m));
        }
        free(m);
        bench_free(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(outstanding__in_order), UNIT(outstanding__a_later_answer_passes), UNIT(outstanding__paths_apart),
        UNIT(outstanding__expire),   UNIT(outstanding__numbers_wrap),          UNIT(outstanding__as_the_model),
    };
    return RUN_UNITS(tests);
}
