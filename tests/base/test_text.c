/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static void becomes(const char *text, const char *expected) {
    char copy[64];
    strcpy(copy, text);
    assert_ptr_equal(text_clean(copy), copy);
    assert_string_equal(copy, expected);
}

static void clean__plain_text_stays(void **state) {
    (void)state;
    becomes("", "");
    becomes("Figure 13: 50 % \xe2\x80\x93 na\xc3\xafve\n\tand \xf0\x9f\x8c\x8d",
            "Figure 13: 50 % \xe2\x80\x93 na\xc3\xafve\n\tand \xf0\x9f\x8c\x8d");
}

static void clean__nothing_steers_a_terminal(void **state) {
    (void)state;
    becomes("\x1b[31mred\x07\r", " [31mred  ");
    becomes("del\x7f"
            "ete",
            "del ete");
    becomes("csi \xc2\x9b"
            "31m",
            "csi   31m"); /* U+009B begins a sequence as ESC [ does */
    becomes("nbsp \xc2\xa0"
            "1",
            "nbsp \xc2\xa0"
            "1");
}

static void clean__what_is_no_utf8_becomes_question_marks(void **state) {
    (void)state;
    becomes("caf\xe9.db", "caf?.db");
    becomes("\xc0\xaf over-long", "?? over-long");
    becomes("\xe0\x80\xaf", "???");
    becomes("\xed\xa0\x80 surrogate", "??? surrogate");
    becomes("\xf4\x90\x80\x80 too large", "???? too large");
    becomes("cut \xe2\x80", "cut ??");
    becomes("\xf4\x8f\xbf\xbf last", "\xf4\x8f\xbf\xbf last");
}

static void format__and_copies(void **state) {
    (void)state;
    char *text = text_format("%d of %s", 3, "four"), *copy = text_copy(text), *part = text_copy_part(text, 4);
    assert_string_equal(text, "3 of four");
    assert_string_equal(copy, text);
    assert_string_equal(part, "3 of");
    free(text);
    free(copy);
    free(part);
}

static void stream__the_text_is_whole_at_its_end(void **state) {
    (void)state;
    char *text, room[4];
    size_t size;
    FILE *out = text_stream(&text, &size);
    for (int i = 0; i < 10000; i++) fprintf(out, "%d,", i % 10);
    text_stream_end(out, &text);
    assert_int_equal(size, 20000);
    assert_int_equal(strlen(text), size);
    free(text);
    out = text_stream_into(room, sizeof room);
    fprintf(out, "ab");
    fclose(out);
    assert_string_equal(room, "ab");
}

static void of_flow__size_or_none(void **state) {
    (void)state;
    char buf[TEXT_OF_FLOW];
    assert_string_equal(text_of_flow(0, buf), "of 0 B");
    assert_string_equal(text_of_flow(UINT64_MAX - 1, buf), "of 18446744073709551614 B");
    assert_string_equal(text_of_flow(UINT64_MAX, buf), "of an endless flow");
}

static bool tab(const char *text, size_t line, size_t character) {
    return text_tab_at(text, strlen(text), line, character);
}

static void tab_at__counts_lines_and_characters(void **state) {
    (void)state;
    assert_true(tab("\ta", 0, 0));
    assert_false(tab("\ta", 0, 1));
    assert_true(tab("a\n  \tb", 1, 2));
    assert_false(tab("a\n  \tb", 1, 1));
    assert_true(tab("na\xc3\xafve\t", 0, 5)); /* a character of two bytes */
    assert_false(tab("na\xc3\xafve\t", 0, 6));
    assert_false(tab("a\n\tb", 0, 2)); /* beyond the end of the line */
    assert_false(tab("a\n\tb", 2, 0));
    assert_false(tab("", 0, 0));
}

static void shell__any_text_is_one_word(void **state) {
    (void)state;
    static const char *const text[][2] = {{"host0.1-tor0:a=b/c,d", "host0.1-tor0:a=b/c,d"},
                                          {"", "''"},
                                          {"two words", "'two words'"},
                                          {"$(id)`x`\\", "'$(id)`x`\\'"},
                                          {"it's", "'it'\\''s'"},
                                          {"~", "'~'"}};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        char *word = text_shell(text[i][0]);
        assert_string_equal(word, text[i][1]);
        free(word);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(format__and_copies),
        UNIT(stream__the_text_is_whole_at_its_end),
        UNIT(clean__plain_text_stays),
        UNIT(tab_at__counts_lines_and_characters),
        UNIT(clean__nothing_steers_a_terminal),
        UNIT(clean__what_is_no_utf8_becomes_question_marks),
        UNIT(of_flow__size_or_none),
        UNIT(shell__any_text_is_one_word),
    };
    return RUN_UNITS(tests);
}
