/* SPDX-License-Identifier: Apache-2.0 */
#include "base/heap.h"

#include "base/random.h"
#include "unit.h"

static void heap_pop__in_the_order_of_time(void **state) {
    (void)state;
    struct heap h;
    heap_init(&h);
    assert_null(heap_top(&h));
    const time_ps keys[] = {50, 10, 40, 20, 30};
    for (uint32_t i = 0; i < 5; i++) heap_push(&h, keys[i], i);
    const uint32_t ids[] = {1, 3, 4, 2, 0};
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(heap_top(&h)->key, 10 * (i + 1));
        struct heap_entry e = heap_pop(&h);
        assert_int_equal(e.key, 10 * (i + 1));
        assert_int_equal(e.id, ids[i]);
    }
    assert_null(heap_top(&h));
    heap_fini(&h);
}

static void heap_pop__ties_in_the_order_of_id(void **state) {
    (void)state;
    struct heap h;
    heap_init(&h);
    for (uint32_t i = 0; i < 100; i++) heap_push(&h, 7, (i * 37) % 100);
    for (uint32_t i = 0; i < 100; i++) assert_int_equal(heap_pop(&h).id, i);
    heap_fini(&h);
}

/* Mixed pushes and pops: popped times never go back, and every item comes out. */
static void heap_pop__random_mix_against_a_plain_list(void **state) {
    (void)state;
    struct random_stream s;
    random_init(&s, 11, RANDOM_SIZES, 0);
    struct heap h;
    heap_init(&h);
    struct heap_entry list[500];
    size_t n = 0;
    for (int step = 0; step < 20000; step++) {
        if (n < 500 && (n == 0 || random_below(&s, 2))) {
            list[n] = (struct heap_entry){(time_ps)random_below(&s, 50), (uint32_t)random_below(&s, 20)};
            heap_push(&h, list[n].key, list[n].id);
            n++;
        } else {
            size_t least = 0;
            for (size_t i = 1; i < n; i++) {
                if (heap_is_before(list[i], list[least])) least = i;
            }
            struct heap_entry e = heap_pop(&h);
            assert_int_equal(e.key, list[least].key);
            assert_int_equal(e.id, list[least].id);
            list[least] = list[--n];
        }
        assert_int_equal(h.n, n);
    }
    heap_fini(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(heap_pop__in_the_order_of_time),
        UNIT(heap_pop__ties_in_the_order_of_id),
        UNIT(heap_pop__random_mix_against_a_plain_list),
    };
    return RUN_UNITS(tests);
}
