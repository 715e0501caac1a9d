/* SPDX-License-Identifier: Apache-2.0 */
/* Rings of frames in flight: order, growth, wrap, arrivals beyond the wheel's reach. */
#include "sim/link.h"

#include "unit.h"

#include "base/random.h"

struct one {
    struct packet_pool pool;
    struct link link;
    uint32_t pushed, taken;
};

static void one_begin(struct one *o) {
    *o = (struct one){0};
    packet_pool_init(&o->pool);
    link_init(&o->link, 3, 5, false);
}

static bool one_is_empty(const struct one *o) { return link_length(&o->link) == 0; }

static void one_push(struct one *o) {
    uint32_t index = packet_get(&o->pool);
    packet_at(&o->pool, index)->ext = EXT_NONE;
    packet_at(&o->pool, index)->serial = o->pushed;
    link_push(&o->link, &o->pool, index, 1000 + o->pushed, o->pushed / 3, o->pushed % 7 == 0);
    o->pushed++;
}

/* Takes the first frame off the link, as the receiver does. */
static void one_take(struct one *o) {
    uint32_t entry = *link_entry(&o->link, o->link.head), index = link_frame(&o->link, o->link.head++);
    const struct packet *p = packet_at(&o->pool, index);
    assert_int_equal(p->serial, o->taken);
    assert_int_equal(p->at, 1000 + o->taken);
    assert_int_equal(entry & LINK_SLOT, link_slot(o->taken / 3));
    assert_int_equal((entry & LINK_FAR) != 0, o->taken % 7 == 0);
    packet_put(&o->pool, index);
    o->taken++;
}

static void one_end(struct one *o) {
    while (!one_is_empty(o)) one_take(o);
    assert_int_equal(o->taken, o->pushed);
    assert_int_equal(o->pool.in_use, 0);
    link_fini(&o->link);
    packet_pool_fini(&o->pool);
}

static void init__empty(void **state) {
    (void)state;
    struct one o;
    one_begin(&o);
    assert_true(one_is_empty(&o));
    assert_int_equal(o.link.node, 3);
    assert_int_equal(o.link.port, 5);
    assert_int_equal(link_bytes(&o.link), 0);
    one_end(&o);
}

static void push__grows_and_keeps_the_order(void **state) {
    (void)state;
    struct one o;
    one_begin(&o);
    for (uint32_t i = 0; i < 1000; i++) {
        one_push(&o);
        assert_int_equal(link_length(&o.link), i + 1);
    }
    assert_int_equal(link_bytes(&o.link), 1024 * sizeof(uint32_t));
    one_end(&o);
}

/* A ring that has been emptied gives its memory back, and grows again when it must. */
static void shrink__a_link_is_as_new(void **state) {
    (void)state;
    struct one o;
    one_begin(&o);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++) one_push(&o);
        assert_int_equal(link_bytes(&o.link), 128 * sizeof(uint32_t));
        while (!one_is_empty(&o)) one_take(&o);
        link_shrink(&o.link);
        assert_int_equal(link_bytes(&o.link), 0);
        for (int i = 0; i < LINK_FRAMES; i++) one_push(&o);
        assert_int_equal(link_bytes(&o.link), 0);
        while (!one_is_empty(&o)) one_take(&o);
    }
    one_end(&o);
}

/* A ring that is emptied as fast as it is filled goes round and stays as small as it began. */
static void push__wraps_without_growth(void **state) {
    (void)state;
    struct one o;
    one_begin(&o);
    for (int i = 0; i < 1000; i++) {
        for (int k = 0; k < LINK_FRAMES; k++) one_push(&o);
        for (int k = 0; k < LINK_FRAMES; k++) one_take(&o);
        assert_true(one_is_empty(&o));
    }
    assert_int_equal(link_bytes(&o.link), 0);
    one_end(&o);
}

/* Growth in the middle of a round, at every offset of the head. */
static void push__grows_while_wrapped(void **state) {
    (void)state;
    for (int offset = 0; offset < 2 * LINK_FRAMES; offset++) {
        struct one o;
        one_begin(&o);
        for (int i = 0; i < offset; i++) one_push(&o), one_take(&o);
        for (int i = 0; i < 3 * LINK_FRAMES; i++) one_push(&o);
        assert_int_equal(link_length(&o.link), 3 * LINK_FRAMES);
        one_end(&o);
    }
}

/* Positions are 32-bit counters that wrap. */
static void push__positions_wrap_at_32_bits(void **state) {
    (void)state;
    struct one o;
    one_begin(&o);
    o.link.head = o.link.tail = UINT32_MAX - 3;
    for (int i = 0; i < 50; i++) one_push(&o);
    assert_int_equal(link_length(&o.link), 50);
    one_end(&o);
}

static void push__random_walk(void **state) {
    (void)state;
    struct one o;
    struct random_stream r;
    random_init(&r, 5, RANDOM_HOST, 0);
    one_begin(&o);
    for (int i = 0; i < 20000; i++) {
        bool push = random_below(&r, 100) < (i / 2000 % 2 ? 40 : 60);
        if (push)
            one_push(&o);
        else if (o.taken < o.pushed)
            one_take(&o);
        assert_int_equal(link_length(&o.link), o.pushed - o.taken);
    }
    one_end(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(init__empty),
        UNIT(push__grows_and_keeps_the_order),
        UNIT(shrink__a_link_is_as_new),
        UNIT(push__wraps_without_growth),
        UNIT(push__grows_while_wrapped),
        UNIT(push__positions_wrap_at_32_bits),
        UNIT(push__random_walk),
    };
    return RUN_UNITS(tests);
}
