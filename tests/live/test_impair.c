/* SPDX-License-Identifier: Apache-2.0 */
#include "live/impair.h"

#include "unit.h"

#include <string.h>

static void impairment_parse__any_subset_in_any_order(void **state) {
    (void)state;
    struct impairment x;
    struct diag d = {0};
    assert_true(impairment_parse("delay=1ms loss=1%", &x, &d));
    assert_int_equal(x.delay, PS_PER_MS);
    assert_int_equal(x.loss_ppb, PPB / 100);
    assert_int_equal(x.corrupt_ppb + x.duplicate_ppb + x.reorder_ppb, 0);
    assert_true(impairment_parse("reorder=100% corrupt=0.1%  duplicate=2%", &x, &d));
    assert_int_equal(x.reorder_ppb, PPB);
    assert_int_equal(x.corrupt_ppb, PPB / 1000);
    assert_int_equal(x.duplicate_ppb, PPB / 50);
    assert_int_equal(x.loss_ppb + x.delay, 0);
    assert_true(impairment_parse("none", &x, &d));
    assert_true(impairment_is_none(&x));
}

static void impairment_parse__says_what_to_write(void **state) {
    (void)state;
    static const struct {
        const char *text, *said;
    } row[] = {
        {"", "write loss=1%, corrupt=1%, duplicate=1%, reorder=1%, delay=1ms, or none"},
        {"loss", "'loss': write loss=1%, corrupt=1%, duplicate=1%, reorder=1%, delay=1ms, or none"},
        {"losses=1%", "'losses=1%': write loss=1%, corrupt=1%, duplicate=1%, reorder=1%, delay=1ms, or none"},
        {"los=1%", "'los=1%': write loss=1%, corrupt=1%, duplicate=1%, reorder=1%, delay=1ms, or none"},
        {"loss=1% dely=1ms", "'dely=1ms': write loss=1%, corrupt=1%, duplicate=1%, reorder=1%, delay=1ms, or none"},
        {"loss=101%", "loss=101%: at least 0, at most 100% or 100s"},
        {"delay=101s", "delay=101s: at least 0, at most 100% or 100s"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct impairment x;
        struct diag d = {0};
        assert_false(impairment_parse(row[i].text, &x, &d));
        assert_string_equal(d.text, row[i].said);
    }
}

/* One bit behind the addresses; a frame of addresses alone stays. */
static void impairment_corrupt__one_bit(void **state) {
    (void)state;
    struct random_stream r;
    random_init(&r, 1, RANDOM_IMPAIR, 0);
    for (int round = 0; round < 200; round++) {
        uint8_t frame[20] = {0};
        impairment_corrupt(frame, sizeof frame, &r);
        int bits = 0;
        for (size_t i = 0; i < sizeof frame; i++) {
            if (frame[i]) assert_true(i >= 12);
            bits += __builtin_popcount(frame[i]);
        }
        assert_int_equal(bits, 1);
        uint8_t addresses[12] = {0}, before[12] = {0};
        impairment_corrupt(addresses, sizeof addresses, &r);
        assert_memory_equal(addresses, before, sizeof before);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(impairment_parse__any_subset_in_any_order),
        UNIT(impairment_parse__says_what_to_write),
        UNIT(impairment_corrupt__one_bit),
    };
    return RUN_UNITS(tests);
}
