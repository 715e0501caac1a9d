/* SPDX-License-Identifier: Apache-2.0 */
/* How a lab divides the processors between its switches and its hosts. */
#include "live/lab/processors.h"

#include "unit.h"

#include <string.h>

static cpu_set_t set_of(const int *cpu, int n) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; i < n; i++) CPU_SET(cpu[i], &set);
    return set;
}

static void processors_divide__threads_get_the_highest(void **state) {
    (void)state;
    static const int all[] = {0, 1, 2, 3, 5};
    cpu_set_t set = set_of(all, 5);
    struct processors p;
    processors_divide(&set, 1, &p);
    assert_int_equal(p.n, 1);
    assert_int_equal(p.of_thread[0], 5);
    assert_string_equal(p.receive, "f");
    processors_divide(&set, 4, &p);
    assert_int_equal(p.n, 4);
    assert_int_equal(p.of_thread[1], 3);
    assert_int_equal(p.of_thread[3], 1);
    assert_string_equal(p.receive, "1");
}

static void processors_divide__too_few_are_shared(void **state) {
    (void)state;
    static const int all[] = {0, 1};
    cpu_set_t set = set_of(all, 2);
    struct processors p;
    for (uint32_t threads = 2; threads < 4; threads++) {
        processors_divide(&set, threads, &p);
        assert_int_equal(p.n, 0);
        assert_string_equal(p.receive, "3");
    }
}

static void processors_divide__masks_have_groups_of_32_bits(void **state) {
    (void)state;
    static const int all[] = {4, 64, 65, 67, CPU_SETSIZE - 1};
    cpu_set_t set = set_of(all, 4);
    struct processors p;
    processors_divide(&set, 1, &p);
    assert_int_equal(p.of_thread[0], 67);
    assert_string_equal(p.receive, "3,00000000,00000010");
    set = set_of(all, 5);
    processors_divide(&set, 5, &p);
    assert_int_equal(strlen(p.receive), PROCESSORS_MASK_MAX - 2);
    assert_memory_equal(p.receive, "80000000,00000000,", 18);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(processors_divide__threads_get_the_highest),
        UNIT(processors_divide__too_few_are_shared),
        UNIT(processors_divide__masks_have_groups_of_32_bits),
    };
    return RUN_UNITS(tests);
}
