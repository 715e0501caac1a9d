/* SPDX-License-Identifier: Apache-2.0 */
/* Which flows of a list share a connection that carries one after the other. */
#include "workload/generate.h"

#include "unit.h"

#include <stdlib.h>

#define FLOW(s, d, e, sp, dp)                                                                                          \
    { .src = (s), .dst = (d), .entry = (e), .src_port = (sp), .dst_port = (dp), .flags = FLOW_IN_LINE }

/* Flows 0 and 6 are of one connection. Each other one differs from them in one part of it, or is in no line. */
static void lines__are_connections_of_one_entry(void **state) {
    (void)state;
    struct flow flow[] = {FLOW(1, 2, 0, 5, 6), FLOW(3, 2, 0, 5, 6), FLOW(1, 3, 0, 5, 6), FLOW(1, 2, 1, 5, 6),
                          FLOW(1, 2, 0, 7, 6), FLOW(1, 2, 0, 5, 7), FLOW(1, 2, 0, 5, 6), FLOW(1, 2, 0, 5, 6)};
    struct flow_list list = {.flow = flow, .n = 8};
    flow[7].flags = 0;
    lines_finish(&list);
    assert_int_equal(list.lines.n_lines, 1);
    for (uint32_t i = 0; i < 8; i++) assert_int_equal(lines_of(&list.lines, i), i == 0 || i == 6 ? 0 : FLOW_NONE);
    free((void *)list.lines.of);
}

static void lines__there_are_none_without_two_of_a_connection(void **state) {
    (void)state;
    struct flow flow[] = {FLOW(1, 2, 0, 5, 6), FLOW(2, 1, 0, 5, 6)};
    struct flow_list list = {.flow = flow, .n = 2};
    lines_finish(&list);
    assert_int_equal(list.lines.n_lines, 0);
    assert_null(list.lines.of);
    assert_int_equal(lines_of(&list.lines, 0), FLOW_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines__are_connections_of_one_entry),
        cmocka_unit_test(lines__there_are_none_without_two_of_a_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
