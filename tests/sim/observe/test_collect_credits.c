/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/collect_credits.h"

#include "unit.h"

#include <string.h>

static bool balances(struct credit_totals t, char text[256]) {
    struct run_result r = {.credits = t};
    text[0] = '\0';
    return credits_balance(&r, text, 256);
}

/* A credit that was sent is used, wasted, void, dropped or in flight. */
static void credits_balance__every_credit_is_somewhere(void **state) {
    (void)state;
    char text[256];
    const struct credit_totals whole = {.sent = 15, .used = 1, .wasted = 2, .voided = 3, .dropped = 4, .in_flight = 5};
    assert_true(balances(whole, text));
    struct credit_totals t = whole;
    t.sent = 16;
    assert_false(balances(t, text));
    assert_string_equal(text,
                        "conservation of credits is broken: sent 16, used 1, wasted 2, void 3, dropped 4, in flight 5");
    t = whole;
    t.in_flight = 6;
    assert_false(balances(t, text));
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(credits_balance__every_credit_is_somewhere)};
    return RUN_UNITS(tests);
}
