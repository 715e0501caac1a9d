/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/codes.h"

#include "unit.h"

#include <stdlib.h>

static void left_out(const char *text, const char *expected) {
    char *out = codes_left_out(text);
    assert_string_equal(out, expected);
    free(out);
}

static void linked(const char *text, const char *expected) {
    char *out = codes_linked(text);
    assert_string_equal(out, expected);
    free(out);
}

static void codes_left_out__leaves_the_paper(void **state) {
    (void)state;
    left_out("", "");
    left_out("ExpressPass 2.3", "ExpressPass 2.3");
    left_out("AM-15", "");
    left_out("XP-7, AM-39", "");
    left_out("DX (AM-13)", "DX");
    left_out("ours, AM-55", "ours");
    left_out("DeTail DT-11, AM-50", "DeTail");
    left_out("SprayPass Algorithm 1 (SP-17, AM-48)", "SprayPass Algorithm 1");
    left_out("SprayPass 3.1 (SP-2), 3.3 (SP-20)", "SprayPass 3.1, 3.3");
    left_out("ExpressPass Algorithm 1 (XP-17), XP-22, AM-21", "ExpressPass Algorithm 1");
    left_out("SprayPass 3.2 (SP-17), ExpressPass 2017", "SprayPass 3.2, ExpressPass 2017");
}

/* RFC-like words and claims of figures are no codes. */
static void codes_left_out__other_words_stay(void **state) {
    (void)state;
    left_out("RAM-36, SHA-1, AM-x, XP-F7.1 (DX)", "RAM-36, SHA-1, AM-x, XP-F7.1 (DX)");
}

static void codes_linked__links_choices(void **state) {
    (void)state;
    linked("AM-15", "[AM-15](choices.md#am-15)");
    linked("ExpressPass Algorithm 1 (XP-17, AM-8)", "ExpressPass Algorithm 1 ([AM-8](choices.md#am-8))");
    linked("ExpressPass Algorithm 1 (XP-17), XP-22, AM-21", "ExpressPass Algorithm 1, [AM-21](choices.md#am-21)");
    linked("XP-7, AM-39", "[AM-39](choices.md#am-39)");
    linked("X-30; CMB-1", "[X-30](choices.md#x-30); [CMB-1](choices.md#cmb-1)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(codes_left_out__leaves_the_paper),
        UNIT(codes_left_out__other_words_stay),
        UNIT(codes_linked__links_choices),
    };
    return RUN_UNITS(tests);
}
