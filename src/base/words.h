/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that consist of words between blanks, with the place of each word: the files of other simulators.
 *
 *     struct words w;
 *     words_init(&w, path, text, size, &d);
 *     while (words_line(&w)) {                         the next line that has a word in it
 *         if (w.n != 2) return words_fail(&w, w.n, "give KEY VALUE");
 *         if (!words_number(&w, 1, 1, 1000, "a size", &size)) return false;
 *     }
 *
 * Works on a text that need not end in NUL. A byte order mark of UTF-8 before the first line is skipped; lines end in LF or
 * CRLF. A reader of a format without lines asks for one word after the other (words_next).
 */
#ifndef HEDDLE_BASE_WORDS_H
#define HEDDLE_BASE_WORDS_H

#include "base/diag.h"

#define WORDS_MAX 32      /* words of a line that are kept */
#define WORD_TEXT_MAX 128 /* buffer size for a word in an error or a name */

struct word {
    const char *at;
    size_t n;
    int line, col; /* 1-based */
};

struct words {
    const char *path;
    const char *next, *end; /* the rest of the text */
    const char *line_at;    /* begin of the line at hand */
    int line;               /* its number, 1-based; 0: none yet */
    struct diag *d;
    struct word word[WORDS_MAX]; /* of the line, for words_line */
    uint32_t n;                  /* how many; WORDS_MAX + 1: more than WORDS_MAX */
};

void words_init(struct words *w, const char *path, const char *text, size_t size, struct diag *d);

/* Reads the next line that has a word which does not begin with #. Words from one that begins with # on are a comment.
 * Returns false at the end of the text. */
bool words_line(struct words *w);
/* Reads the next word of this line, or of a line below it. Returns false at the end. A # is nothing special. */
bool words_next(struct words *w, struct word *word);
/* Skips the rest of the line at hand, after words_next. */
void words_skip_line(struct words *w);

/* Fills *d with the place of word i of the line, or of its end if there is no such word; returns false. */
bool words_fail(const struct words *w, uint32_t i, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The same, with the place of a word. */
bool word_fail(const struct words *w, const struct word *word, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns whether the word is this text; word_is_name ignores case. */
bool word_is(const struct word *word, const char *text);
bool word_is_name(const struct word *word, const char *text);
/* Reads a whole number of digits alone; false if the word is none, or one above `most`. */
bool word_number(const struct word *word, uint64_t most, uint64_t *number);
/* Reads word i as a number in [least, most]. Returns false after filling *d, which calls it `what`. */
bool words_number(const struct words *w, uint32_t i, uint64_t least, uint64_t most, const char *what, uint64_t *number);
/* Writes a word for an error or as a name: cut to WORD_TEXT_MAX, with '?' for control characters. Returns buf. */
const char *word_text(const struct word *word, char buf[WORD_TEXT_MAX]);

#endif
