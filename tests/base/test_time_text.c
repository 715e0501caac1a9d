/* SPDX-License-Identifier: Apache-2.0 */
/* Times in sentences. */
#include "base/time_text.h"

#include "unit.h"

static void time_text__has_the_unit_that_a_reader_wants(void **state) {
    (void)state;
    static const struct {
        time_ps time;
        const char *text;
    } row[] = {{0, "0s"},
               {999, "999ps"},
               {1000, "1ns"},
               {31790 * PS_PER_NS, "31.79us"},
               {29167361 * PS_PER_NS, "29.17ms"},
               {74080 * PS_PER_US, "74.08ms"},
               {52501250 * PS_PER_NS, "52.5ms"},
               {1001 * PS_PER_NS, "1.001us"},
               {10 * PS_PER_MS, "10ms"},
               {999999 * PS_PER_NS, "1ms"}, /* rounding makes it the next unit */
               {1899 * PS_PER_S, "1899s"},
               {9000001 * PS_PER_S, "9000000s"}};
    char text[TIME_TEXT_MAX];
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        assert_string_equal(time_text(row[i].time, text), row[i].text);
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(time_text__has_the_unit_that_a_reader_wants)};
    return RUN_UNITS(tests);
}
