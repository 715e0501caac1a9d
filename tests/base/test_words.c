/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a text, and their places. */
#include "base/words.h"

#include "unit.h"

#include <string.h>

static struct words words_of(const char *text, struct diag *d) {
    struct words w;
    words_init(&w, "f", text, strlen(text), d);
    return w;
}

static void line__words_comments_and_places(void **state) {
    (void)state;
    struct words w = words_of("\xef\xbb\xbf# first\n\n  one\ttwo # three\r\n#\nfour#five", NULL);
    assert_true(words_line(&w));
    assert_int_equal(w.n, 2);
    assert_true(word_is(&w.word[0], "one"));
    assert_false(word_is(&w.word[0], "One"));
    assert_true(word_is_name(&w.word[1], "TWO"));
    assert_int_equal(w.word[1].line, 3);
    assert_int_equal(w.word[1].col, 7);
    assert_true(words_line(&w));
    assert_int_equal(w.n, 1);
    assert_true(word_is(&w.word[0], "four#five"));
    assert_int_equal(w.word[0].line, 5);
    assert_false(words_line(&w));
    assert_false(words_line(&w));
}

static void line__more_words_than_are_kept(void **state) {
    (void)state;
    char text[200] = "";
    for (int i = 0; i < 40; i++) strcat(text, "a ");
    struct words w = words_of(text, NULL);
    assert_true(words_line(&w));
    assert_int_equal(w.n, WORDS_MAX + 1);
}

static void next__goes_over_lines(void **state) {
    (void)state;
    struct words w = words_of("1 2\r\n\n #3 4\n5", NULL);
    struct word word;
    assert_true(words_next(&w, &word));
    assert_true(words_next(&w, &word));
    assert_true(word_is(&word, "2"));
    assert_true(words_next(&w, &word));
    assert_true(word_is(&word, "#3"));
    assert_int_equal(word.line, 3);
    assert_int_equal(word.col, 2);
    words_skip_line(&w);
    assert_true(words_next(&w, &word));
    assert_true(word_is(&word, "5"));
    assert_false(words_next(&w, &word));
    assert_int_equal(word.line, 4);
    assert_int_equal(word.col, 2);
}

/* A reader of lines may go on with words: the rest of its line is read already. */
static void next__after_a_line(void **state) {
    (void)state;
    struct words w = words_of("1 2\n3\n4", NULL);
    struct word word;
    assert_true(words_line(&w));
    assert_true(words_next(&w, &word));
    assert_true(word_is(&word, "3"));
}

static void number__digits_alone(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t most;
        bool fine;
    } row[] = {
        {"0", 0, true},
        {"18446744073709551615", UINT64_MAX, true},
        {"18446744073709551616", UINT64_MAX, false},
        {"99999999999999999999999", UINT64_MAX, false},
        {"8", 7, false},
        {"+1", 9, false},
        {"-1", 9, false},
        {"1.0", 9, false},
        {"0x1", 9, false},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct word word = {.at = row[i].text, .n = strlen(row[i].text)};
        uint64_t number;
        if (word_number(&word, row[i].most, &number) != row[i].fine) fail_msg("%s", row[i].text);
    }
    assert_false(word_number(&(struct word){.at = "1", .n = 0}, 9, &(uint64_t){0}));
}

static void fail__names_the_place(void **state) {
    (void)state;
    struct diag d = {0};
    char line[600];
    struct words w = words_of("size 5\x1b m", &d);
    uint64_t number;
    assert_true(words_line(&w));
    assert_false(words_number(&w, 1, 1, 9, "a size", &number));
    assert_string_equal(diag_line(&d, line, sizeof line),
                        "f:1:6: error: '5?' is not a size; write a whole number, 1 to 9");
    assert_false(words_number(&w, 3, 1, 9, "a size", &number));
    assert_string_equal(diag_line(&d, line, sizeof line), "f:1:10: error: a size is missing");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(line__words_comments_and_places),
        UNIT(line__more_words_than_are_kept),
        UNIT(next__goes_over_lines),
        UNIT(next__after_a_line),
        UNIT(number__digits_alone),
        UNIT(fail__names_the_place),
    };
    return RUN_UNITS(tests);
}
