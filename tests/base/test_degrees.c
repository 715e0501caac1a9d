/* SPDX-License-Identifier: Apache-2.0 */
#include "base/degrees.h"

#include "unit.h"

static void degree_bin__small_degrees_have_a_bin_each_then_bins_double(void **state) {
    (void)state;
    static const struct {
        uint32_t degree, bin;
    } row[] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {7, 4}, {8, 5}, {255, 9}, {256, 10}, {4000000000u, 10}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) assert_int_equal(degree_bin(row[i].degree), row[i].bin);
}

static void degree_least__bins_follow_each_other_without_a_gap(void **state) {
    (void)state;
    for (uint32_t bin = 0; bin < DEGREE_BINS; bin++) {
        assert_int_equal(degree_bin(degree_least(bin)), bin);
        assert_int_equal(degree_bin(degree_most(bin)), bin);
        if (bin > 0) assert_int_equal(degree_least(bin), degree_most(bin - 1) + 1);
    }
    assert_int_equal(degree_most(DEGREE_BINS - 1), 511);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(degree_bin__small_degrees_have_a_bin_each_then_bins_double),
        UNIT(degree_least__bins_follow_each_other_without_a_gap),
    };
    return RUN_UNITS(tests);
}
