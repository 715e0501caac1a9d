/* SPDX-License-Identifier: Apache-2.0 */
/* Lines: which message of a connection may be sent, and what a line keeps. */
#include "base/lines.h"

#include "unit.h"

/* Flows 0, 2 and 4 are line 0; flows 3 and 5 are line 1; flow 1 is in none. */
static const uint32_t of[] = {0, FLOW_NONE, 0, 1, 0, 1};
static const struct flow_lines two_lines = {of, 2};

static void messages__are_sent_in_the_order_in_which_they_start(void **state) {
    (void)state;
    struct line_state s;
    line_state_init(&s, &two_lines, 6, 0);
    assert_true(lines_enter(&s, 4));
    assert_false(lines_enter(&s, 2));
    assert_false(lines_enter(&s, 0));
    assert_true(lines_enter(&s, 5)); /* another line */
    assert_int_equal(lines_leave(&s, 4), 2);
    assert_false(lines_enter(&s, 4)); /* 2 is being sent, 0 waits */
    assert_int_equal(lines_leave(&s, 2), 0);
    assert_int_equal(lines_leave(&s, 0), 4);
    line_state_fini(&s);
}

static void a_line__is_free_when_its_last_message_has_left(void **state) {
    (void)state;
    struct line_state s;
    line_state_init(&s, &two_lines, 6, 0);
    for (int round = 0; round < 3; round++) {
        assert_true(lines_enter(&s, 3));
        assert_int_equal(line_of(&s, 3)->sending, 3);
        assert_int_equal(lines_leave(&s, 3), FLOW_NONE);
        assert_int_equal(line_of(&s, 3)->sending, FLOW_NONE);
    }
    line_state_fini(&s);
}

static void a_flow_in_no_line__never_waits(void **state) {
    (void)state;
    struct flow_lines none = {0};
    struct line_state s;
    line_state_init(&s, &two_lines, 6, 8);
    assert_true(lines_enter(&s, 1));
    assert_true(lines_enter(&s, 1));
    line_state_fini(&s);
    line_state_init(&s, &none, 6, 8);
    assert_null(s.memory);
    assert_true(lines_enter(&s, 0));
    line_state_fini(&s);
}

static void memory__is_a_line_s_own_and_aligned(void **state) {
    (void)state;
    struct line_state s;
    line_state_init(&s, &two_lines, 6, 20);
    assert_ptr_equal(line_memory(&s, 0), line_memory(&s, 4));
    assert_int_equal((char *)line_memory(&s, 5) - (char *)line_memory(&s, 0), 32);
    assert_int_equal(line_of(&s, 0)->window_bytes, 0);
    assert_false(line_of(&s, 0)->knows);
    line_state_fini(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages__are_sent_in_the_order_in_which_they_start),
        cmocka_unit_test(a_line__is_free_when_its_last_message_has_left),
        cmocka_unit_test(a_flow_in_no_line__never_waits),
        cmocka_unit_test(memory__is_a_line_s_own_and_aligned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
