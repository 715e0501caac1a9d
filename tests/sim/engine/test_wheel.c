/* SPDX-License-Identifier: Apache-2.0 */
/* The wheel against a simple model, and the arithmetic of slots. */
#include "sim/engine/wheel.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "base/random.h"

/* ---- slots ---- */

static const span_ps lengths[] = {2, 3, 67200, 1048576, 2067200, 1000000007, 5 * PS_PER_MS};

static void slot_of__end_is_the_first_instant_after(void **state) {
    (void)state;
    struct random_stream r;
    random_init(&r, 1, RANDOM_HOST, 1);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct wheel w;
        wheel_init(&w, 1, lengths[i]);
        for (int n = 0; n < 2000; n++) {
            time_ps t = (time_ps)(random_u64(&r) >> (2 + random_below(&r, 50)));
            int64_t slot = wheel_slot_of(&w, t);
            assert_true(t < wheel_slot_end(&w, slot));
            assert_true(t >= wheel_slot_end(&w, slot - 1));
        }
        wheel_fini(&w);
    }
}

/* A frame sent in one slot arrives in a later one, because the lookahead is one slot length. */
static void slot_of__a_slot_length_apart_is_never_the_same_slot(void **state) {
    (void)state;
    struct random_stream r;
    random_init(&r, 1, RANDOM_HOST, 2);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct wheel w;
        wheel_init(&w, 1, lengths[i]);
        assert_int_equal(wheel_slot_of(&w, lengths[i]), 1); /* not the slot of time 0 */
        for (int n = 0; n < 2000; n++) {
            time_ps t = (time_ps)(random_u64(&r) >> (2 + random_below(&r, 50)));
            int64_t slot = wheel_slot_of(&w, t);
            assert_true(wheel_slot_of(&w, t + lengths[i]) > slot);
            assert_true(wheel_slot_of(&w, t + 1) >= slot); /* monotone */
            time_ps last = wheel_slot_end(&w, slot) - 1;   /* also from the last instant of a slot */
            assert_true(wheel_slot_of(&w, last + lengths[i]) > slot);
        }
        wheel_fini(&w);
    }
}

/* ---- marks ---- */

#define NODES 5000 /* more than one summary word */
#define MAX_MARKS 20000

/* The model: a list of marks (slot, node). A far mark means only "not later than", so `due` sets the exact mark again,
 * as a partition does. */
struct model {
    struct wheel w;
    int64_t slot[MAX_MARKS];
    uint32_t node[MAX_MARKS];
    uint32_t n, n_nodes;
};

static void model_mark(struct model *m, int64_t slot, uint32_t node) {
    assert_true(m->n < MAX_MARKS);
    m->slot[m->n] = slot;
    m->node[m->n++] = node;
    wheel_mark_slot(&m->w, slot, node);
}

static void model_due(void *context, uint32_t node) {
    struct model *m = context;
    for (uint32_t i = 0; i < m->n; i++)
        if (m->node[i] == node) wheel_mark_slot(&m->w, m->slot[i], node);
}

static int64_t model_next(const struct model *m) {
    int64_t next = SLOT_NONE;
    for (uint32_t i = 0; i < m->n; i++) next = min_i64(next, m->slot[i]);
    return next;
}

/* Returns whether the model has a mark, and removes it; equal marks count once. */
static bool model_remove(struct model *m, int64_t slot, uint32_t node) {
    bool found = false;
    for (uint32_t i = 0; i < m->n;) {
        if (m->slot[i] != slot || m->node[i] != node) {
            i++;
            continue;
        }
        m->slot[i] = m->slot[--m->n];
        m->node[i] = m->node[m->n];
        found = true;
    }
    return found;
}

/* Takes the marks of the present slot of the first n nodes, as a partition does; asserts that they are those of the
 * model. Reads them twice: reading alone changes nothing. */
static void model_take_first(struct model *m, uint32_t n) {
    struct wheel_words words, again;
    uint32_t word, same, last = 0;
    uint64_t bits, equal;
    int64_t slot = m->w.slot;
    wheel_leave(&m->w);
    wheel_words_begin(&words, &m->w, slot, n);
    wheel_words_begin(&again, &m->w, slot, n);
    while (wheel_words_next(&again, &word, &bits, false)) last++;
    for (; wheel_words_next(&words, &word, &bits, true); last--) {
        for (uint64_t rest = bits; rest; rest &= rest - 1) {
            uint32_t node = 64 * word + (uint32_t)__builtin_ctzll(rest);
            assert_true(node < n);
            assert_true(model_remove(m, slot, node));
        }
    }
    assert_int_equal(last, 0);
    for (uint32_t i = 0; i < m->n; i++) assert_true(m->slot[i] != slot || m->node[i] >= n);
    wheel_words_begin(&words, &m->w, slot, n);
    while (wheel_words_next(&words, &same, &equal, true)) assert_true(equal == 0);
}

static void model_take(struct model *m, int64_t slot) {
    assert_int_equal(m->w.slot, slot);
    model_take_first(m, m->n_nodes);
}

static int64_t random_ahead(struct random_stream *r, int64_t most) {
    static const int shift[] = {3, 8, 12, 15, 20, 26}; /* near, at the edges, far1, far2, beyond */
    int64_t ahead = (int64_t)random_below(r, 1ull << shift[random_below(r, 6)]);
    return ahead < most ? ahead : most;
}

static void run_against_model(uint64_t seed, int64_t most_ahead, bool jumps) {
    static struct model m;
    struct random_stream r;
    random_init(&r, seed, RANDOM_HOST, 3);
    m.n = 0;
    m.n_nodes = NODES;
    wheel_init(&m.w, m.n_nodes, 1000);
    for (int step = 0; step < 3000; step++) {
        for (uint64_t k = random_below(&r, 3); k > 0 && m.n < 60; k--)
            model_mark(&m, m.w.slot + random_ahead(&r, most_ahead), (uint32_t)random_below(&r, NODES));
        int64_t due = model_next(&m);
        assert_true(wheel_next(&m.w) <= due); /* a lower bound */
        int64_t last = jumps ? m.w.slot + random_ahead(&r, most_ahead) : SLOT_NONE - 1;
        int64_t slot = wheel_advance(&m.w, last, model_due, &m);
        if (slot == SLOT_NONE) {
            assert_true(due > last);
            continue;
        }
        assert_int_equal(slot, due); /* neither late nor too early */
        assert_true(slot <= last);
        model_take(&m, slot);
    }
    wheel_fini(&m.w);
}

static void marks__near(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) run_against_model(seed, WHEEL_NEAR, false);
}

static void marks__far_and_beyond(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) run_against_model(seed, INT64_MAX / 4, false);
}

/* A partition stops at the next barrier: the wheel stays behind, and later marks count from there. */
static void marks__in_windows(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) run_against_model(seed, INT64_MAX / 4, true);
}

static void advance__skips_what_is_empty(void **state) {
    (void)state;
    struct model *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->n_nodes = 100;
    wheel_init(&m->w, m->n_nodes, 1000);
    assert_true(wheel_next(&m->w) == SLOT_NONE);
    assert_true(wheel_advance(&m->w, INT64_MAX - 1, model_due, m) == SLOT_NONE);
    model_mark(m, 200, 7);
    assert_int_equal(wheel_advance(&m->w, 199, model_due, m), SLOT_NONE);
    assert_int_equal(m->w.slot, 0); /* unmoved */
    assert_int_equal(wheel_advance(&m->w, 200, model_due, m), 200);
    model_take(m, 200);
    model_mark(m, 200 + WHEEL_NEAR, 9);
    assert_int_equal(wheel_next(&m->w), 200 + WHEEL_NEAR);
    assert_int_equal(wheel_advance(&m->w, 1000000, model_due, m), 200 + WHEEL_NEAR);
    wheel_fini(&m->w);
    free(m);
}

/* A pass over the slots takes the marks of the first nodes; what it leaves, and what it adds, is found in a second pass. The
 * bound lies within a word, between words, and between words of the summary. */
static void rewind__finds_what_a_pass_has_left(void **state) {
    (void)state;
    static const uint32_t bounds[] = {70, 64, 4096, 4097, 4159};
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
        struct model *m = calloc(1, sizeof *m);
        assert_non_null(m);
        m->n_nodes = NODES;
        wheel_init(&m->w, m->n_nodes, 1000);
        m->w.slot = 126; /* the pass enters a block of far marks */
        int64_t slot[] = {126, 128};
        for (int i = 0; i < 2; i++) {
            model_mark(m, slot[i], 3);
            model_mark(m, slot[i], bounds[b] - 1);
            model_mark(m, slot[i], bounds[b]);
            model_mark(m, slot[i], NODES - 1);
        }
        for (int i = 0; i < 2; i++) {
            assert_int_equal(wheel_advance(&m->w, 128, model_due, m), slot[i]);
            model_take_first(m, bounds[b]);
        }
        assert_int_equal(wheel_advance(&m->w, 128, model_due, m), SLOT_NONE);
        assert_int_equal(m->n, 4);
        model_mark(m, 128 + WHEEL_NEAR, bounds[b]);
        model_mark(m, 128 + WHEEL_NEAR + 1, 7);
        wheel_rewind(&m->w, 126);
        assert_int_equal(wheel_next(&m->w), 126);
        while (m->n > 0) {
            int64_t next = model_next(m);
            for (int64_t at; (at = wheel_advance(&m->w, 1000, model_due, m)) < next;) model_take(m, at); /* empty */
            model_take(m, next);
        }
        assert_int_equal(m->w.slot, 128 + WHEEL_NEAR + 1);
        wheel_fini(&m->w);
        free(m);
    }
}

static void mark__twice_is_once(void **state) {
    (void)state;
    struct model *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->n_nodes = 100;
    wheel_init(&m->w, m->n_nodes, 1000);
    model_mark(m, 3, 7);
    model_mark(m, 3, 7);
    assert_int_equal(wheel_advance(&m->w, 100, model_due, m), 3);
    model_take(m, 3);
    assert_true(wheel_next(&m->w) == SLOT_NONE);
    wheel_fini(&m->w);
    free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(slot_of__end_is_the_first_instant_after),
        UNIT(slot_of__a_slot_length_apart_is_never_the_same_slot),
        UNIT(marks__near),
        UNIT(marks__far_and_beyond),
        UNIT(marks__in_windows),
        UNIT(advance__skips_what_is_empty),
        UNIT(rewind__finds_what_a_pass_has_left),
        UNIT(mark__twice_is_once),
    };
    return RUN_UNITS(tests);
}
