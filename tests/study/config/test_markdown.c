/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/markdown.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#define SIXTY "sixty characters, of which this text has just that many, end"

static char *table_of(const char *const *cell) {
    static const char *const heads[] = {"key", "value", "meaning"};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct markdown_table t;
    markdown_begin(&t, out, heads, 3);
    markdown_row(&t, cell);
    markdown_end(&t);
    fclose(out);
    return text;
}

static void row__short_cells_stand_as_they_are(void **state) {
    (void)state;
    char *text = table_of((const char *const[]){"`a`", "on|off", "says it"});
    assert_string_equal(text, "| key | value | meaning |\n|---|---|---|\n| `a` | on\\|off | says it |\n");
    free(text);
}

static void row__a_long_text_is_cut_and_stands_below(void **state) {
    (void)state;
    char *text = table_of((const char *const[]){"`a`", "on", SIXTY "; " SIXTY "; " SIXTY});
    assert_string_equal(text, "| key | value | meaning |\n|---|---|---|\n| `a` | on | " SIXTY
                              " ... |\n\nIn full:\n\n* `a`: " SIXTY "; " SIXTY "; " SIXTY "\n");
    free(text);
}

static void row__the_list_names_columns_but_the_last(void **state) {
    (void)state;
    char *text = table_of((const char *const[]){"`a`", SIXTY "; " SIXTY, "says it"});
    assert_non_null(strstr(text, "\n* `a`, value: " SIXTY "; " SIXTY "\n"));
    free(text);
}

static void cut__at_the_end_of_a_clause(void **state) {
    (void)state;
    assert_int_equal(markdown_cut("short; text"), 11);
    assert_int_equal(markdown_cut(SIXTY ". " SIXTY), 60);
    assert_int_equal(markdown_cut(SIXTY " " SIXTY), strlen(SIXTY " sixty characters"));
    assert_int_equal(markdown_cut("a clause of some thirty letters; " SIXTY " (" SIXTY "; " SIXTY ")"),
                     strlen("a clause of some thirty letters"));
    assert_int_equal(markdown_cut("a clause of some thirty letters; `" SIXTY "; " SIXTY "; " SIXTY "`"),
                     strlen("a clause of some thirty letters"));
    assert_int_equal(markdown_cut("hold: " SIXTY "; " SIXTY), strlen("hold: " SIXTY));
}

/* A cell is as long as what is written, and a | is written as two characters. */
static void cut__counts_escapes(void **state) {
    (void)state;
    char text[MARKDOWN_CELL + 1], line[2 * MARKDOWN_CELL + 8];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(markdown_cut(text), MARKDOWN_CELL);
    text[3] = '|';
    assert_true(markdown_cut(text) < MARKDOWN_CELL);
    snprintf(line, sizeof line, "%.*s", (int)markdown_cut(text), text);
    assert_true(strlen(line) + 1 + strlen(" ...") <= MARKDOWN_CELL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(row__short_cells_stand_as_they_are),
        UNIT(row__a_long_text_is_cut_and_stands_below),
        UNIT(row__the_list_names_columns_but_the_last),
        UNIT(cut__at_the_end_of_a_clause),
        UNIT(cut__counts_escapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
