/* SPDX-License-Identifier: Apache-2.0 */
/* Rings of frames in flight: order, growth, wrap. */
#include "sim/link.h"

#include "unit.h"

#include "base/random.h"

struct one {
    struct link_out out;
    struct link_in in[1];
    uint32_t pushed, taken;
};

static void one_push(struct one *l) {
    link_push(&l->out, l->in, 1000 + l->pushed, l->pushed, l->pushed % 7 == 0);
    l->pushed++;
}

static void one_take(struct one *l) {
    const struct ring_entry *e = &l->in->ring[l->in->head & l->in->mask];
    assert_int_equal(e->at, 1000 + l->taken);
    assert_int_equal(e->packet, l->taken);
    assert_int_equal(e->far, l->taken % 7 == 0);
    l->in->head++;
    l->taken++;
}

static bool one_is_empty(const struct one *l) { return l->in->ring[l->in->head & l->in->mask].at == TIME_NONE; }

static void create__empty(void **state) {
    (void)state;
    struct one l = {0};
    link_create(&l.out, l.in);
    assert_true(one_is_empty(&l));
    assert_int_equal(link_length(l.in), 0);
    link_destroy(l.in);
}

static void push__grows_and_keeps_the_order(void **state) {
    (void)state;
    struct one l = {0};
    link_create(&l.out, l.in);
    for (int i = 0; i < 1000; i++) {
        one_push(&l);
        assert_int_equal(link_length(l.in), i + 1);
    }
    assert_true(l.in->mask >= 1000);
    assert_ptr_equal(l.out.ring, l.in->ring);
    assert_int_equal(l.out.mask, l.in->mask);
    for (int i = 0; i < 1000; i++) one_take(&l);
    assert_true(one_is_empty(&l));
    link_destroy(l.in);
}

/* A ring that is emptied as fast as it is filled goes round and stays as small as it began. */
static void push__wraps_without_growth(void **state) {
    (void)state;
    struct one l = {0};
    link_create(&l.out, l.in);
    for (int i = 0; i < 1000; i++) {
        for (int k = 0; k < RING_FIRST_SIZE - 1; k++) one_push(&l);
        for (int k = 0; k < RING_FIRST_SIZE - 1; k++) one_take(&l);
        assert_true(one_is_empty(&l));
    }
    assert_int_equal(l.in->mask, RING_FIRST_SIZE - 1);
    link_destroy(l.in);
}

/* Growth in the middle of a round, at every offset of the head. */
static void push__grows_while_wrapped(void **state) {
    (void)state;
    for (int offset = 0; offset < 2 * RING_FIRST_SIZE; offset++) {
        struct one l = {0};
        link_create(&l.out, l.in);
        for (int i = 0; i < offset; i++) one_push(&l), one_take(&l);
        for (int i = 0; i < 3 * RING_FIRST_SIZE; i++) one_push(&l);
        assert_int_equal(link_length(l.in), 3 * RING_FIRST_SIZE);
        for (int i = 0; i < 3 * RING_FIRST_SIZE; i++) one_take(&l);
        assert_true(one_is_empty(&l));
        link_destroy(l.in);
    }
}

/* Positions are 32-bit counters that wrap. */
static void push__positions_wrap_at_32_bits(void **state) {
    (void)state;
    struct one l = {0};
    link_create(&l.out, l.in);
    l.in->head = l.out.tail = l.out.head_seen = UINT32_MAX - 3;
    l.in->ring[l.in->head & l.in->mask].at = TIME_NONE;
    for (int i = 0; i < 50; i++) one_push(&l);
    assert_int_equal(link_length(l.in), 50);
    for (int i = 0; i < 50; i++) one_take(&l);
    assert_true(one_is_empty(&l));
    link_destroy(l.in);
}

static void push__random_walk(void **state) {
    (void)state;
    struct one l = {0};
    struct random_stream r;
    random_init(&r, 5, RANDOM_HOST, 0);
    link_create(&l.out, l.in);
    for (int i = 0; i < 20000; i++) {
        bool push = random_below(&r, 100) < (i / 2000 % 2 ? 40 : 60);
        if (push)
            one_push(&l);
        else if (l.taken < l.pushed)
            one_take(&l);
        assert_int_equal(one_is_empty(&l), l.taken == l.pushed);
    }
    assert_int_equal(link_length(l.in), l.pushed - l.taken);
    link_destroy(l.in);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(create__empty),
        UNIT(push__grows_and_keeps_the_order),
        UNIT(push__wraps_without_growth),
        UNIT(push__grows_while_wrapped),
        UNIT(push__positions_wrap_at_32_bits),
        UNIT(push__random_walk),
    };
    return RUN_UNITS(tests);
}
