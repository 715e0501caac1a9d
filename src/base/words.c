/* SPDX-License-Identifier: Apache-2.0 */
#include "base/words.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define UTF8_MARK "\xef\xbb\xbf"

void words_init(struct words *w, const char *path, const char *text, size_t size, struct diag *d) {
    size_t mark = size >= 3 && memcmp(text, UTF8_MARK, 3) == 0 ? 3 : 0;
    *w = (struct words){
        .path = path, .next = text + mark, .end = text + size, .line_at = text + mark, .line = 1, .d = d};
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\0'; }

/* Begins the line after the line feed at `next`. */
static void line_begin(struct words *w) {
    w->line_at = ++w->next;
    w->line++;
}

/* Takes the word at `next`, which is no blank. */
static struct word word_take(struct words *w) {
    struct word word = {.at = w->next, .line = w->line, .col = (int)(w->next - w->line_at) + 1};
    while (w->next < w->end && *w->next != '\n' && !is_blank(*w->next)) w->next++;
    word.n = (size_t)(w->next - word.at);
    return word;
}

bool words_next(struct words *w, struct word *word) {
    while (w->next < w->end && (*w->next == '\n' || is_blank(*w->next))) {
        if (*w->next == '\n')
            line_begin(w);
        else
            w->next++;
    }
    *word = (struct word){.at = w->next, .line = w->line, .col = (int)(w->next - w->line_at) + 1};
    if (w->next == w->end) return false;
    *word = word_take(w);
    return true;
}

void words_skip_line(struct words *w) {
    const char *feed = memchr(w->next, '\n', (size_t)(w->end - w->next));
    w->next = feed ? feed : w->end;
}

/* Splits the rest of the line at hand into words. */
static void line_split(struct words *w) {
    w->n = 0;
    while (w->next < w->end && *w->next != '\n') {
        if (is_blank(*w->next)) {
            w->next++;
            continue;
        }
        if (*w->next == '#') {
            words_skip_line(w);
            return;
        }
        struct word word = word_take(w);
        if (w->n < WORDS_MAX) w->word[w->n] = word;
        if (w->n <= WORDS_MAX) w->n++;
    }
}

bool words_line(struct words *w) {
    for (bool begun = w->n > 0; w->next < w->end; begun = true) {
        if (begun) {
            words_skip_line(w);
            if (w->next == w->end) break;
            line_begin(w);
        }
        line_split(w);
        if (w->n > 0) return true;
    }
    w->n = 0;
    return false;
}

static bool fail_at(const struct words *w, int line, int col, const char *fmt, va_list args) {
    char text[sizeof w->d->text];
    vsnprintf(text, sizeof text, fmt, args);
    return diag_fail(w->d, w->path, line, col, "%s", text);
}

bool words_fail(const struct words *w, uint32_t i, const char *fmt, ...) {
    uint32_t kept = w->n < WORDS_MAX ? w->n : WORDS_MAX;
    const struct word *last = kept ? &w->word[kept - 1] : NULL;
    int col = i < kept ? w->word[i].col : last ? last->col + (int)last->n : 1;
    va_list args;
    va_start(args, fmt);
    fail_at(w, w->line, col, fmt, args);
    va_end(args);
    return false;
}

bool word_fail(const struct words *w, const struct word *word, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    fail_at(w, word->line, word->col, fmt, args);
    va_end(args);
    return false;
}

bool word_is(const struct word *word, const char *text) {
    return word->n == strlen(text) && memcmp(word->at, text, word->n) == 0;
}

bool word_is_name(const struct word *word, const char *text) {
    return word->n == strlen(text) && strncasecmp(word->at, text, word->n) == 0;
}

bool word_number(const struct word *word, uint64_t most, uint64_t *number) {
    uint64_t value = 0;
    for (size_t i = 0; i < word->n; i++) {
        if (word->at[i] < '0' || word->at[i] > '9') return false;
        if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(word->at[i] - '0'), &value))
            return false;
    }
    *number = value;
    return word->n > 0 && value <= most;
}

bool words_number(const struct words *w, uint32_t i, uint64_t least, uint64_t most, const char *what,
                  uint64_t *number) {
    char text[WORD_TEXT_MAX];
    if (i >= w->n || i >= WORDS_MAX) return words_fail(w, i, "%s is missing", what);
    if (word_number(&w->word[i], most, number) && *number >= least) return true;
    return words_fail(w, i, "'%s' is not %s; write a whole number, %" PRIu64 " to %" PRIu64,
                      word_text(&w->word[i], text), what, least, most);
}

const char *word_text(const struct word *word, char buf[WORD_TEXT_MAX]) {
    size_t n = word->n < WORD_TEXT_MAX - 1 ? word->n : WORD_TEXT_MAX - 1;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)word->at[i];
        buf[i] = c < ' ' || c >= 0x7f ? '?' : (char)c;
    }
    buf[n] = '\0';
    return buf;
}
