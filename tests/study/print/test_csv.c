/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/csv.h"

#include "unit.h"

#include <math.h>
#include <stdlib.h>

static void csv__fields_read_back(void **state) {
    (void)state;
    char *text;
    size_t size;
    struct csv c = {.out = open_memstream(&text, &size)};
    csv_integer(&c, 0);
    csv_integer(&c, -12);
    csv_integer(&c, INT64_MAX);
    csv_integer(&c, INT64_MIN);
    csv_row_end(&c);
    csv_number(&c, -0.5);
    csv_number(&c, NAN);
    csv_number(&c, 0.1);
    csv_row_end(&c);
    csv_text(&c, "plain");
    csv_text(&c, NULL);
    csv_text(&c, "a, \"b\"");
    csv_row_end(&c);
    fclose(c.out);
    assert_string_equal(text, "0,-12,9223372036854775807,-9223372036854775808\n"
                              "-0.5,,0.1\n"
                              "plain,,\"a, \"\"b\"\"\"\n");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(csv__fields_read_back)};
    return RUN_UNITS(tests);
}
