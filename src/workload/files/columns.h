/* SPDX-License-Identifier: Apache-2.0 */
/* Text in columns: the lines and fields of CDF and trace files, and exact decimal numbers.
 *
 * Works on a buffer that need not end in NUL, so that fuzzers and tests need no file. A byte order mark of UTF-8 before
 * the first line is skipped. Lines end in LF or CRLF; fields are separated by blanks, tabs, or one comma or semicolon;
 * `#` begins a comment. A field in double quotes may have blanks, separators and `#` in it; two quotes in a row stand for
 * one, and field.at keeps both.
 *
 * Tables of other programs have texts with blanks in them: columns_separate makes the comma or semicolon of the current
 * line the only separator, so that a line has as many fields as it has separators, and one.
 */
#ifndef HEDDLE_WORKLOAD_COLUMNS_H
#define HEDDLE_WORKLOAD_COLUMNS_H

#include "base/diag.h"

#define COLUMNS_MAX 64

struct field {
    const char *at;
    size_t n;
    int col;     /* 1-based */
    bool quoted; /* written in double quotes, which are no part of the text */
};

struct columns {
    const char *file;          /* for errors */
    const char *next, *end;    /* rest of the text */
    const char *now, *now_end; /* the current line, without its line feed */
    int line;                  /* number of the current line, 1-based */
    char separator;            /* ',' or ';': the only separator (columns_separate); 0: any */
    struct field field[COLUMNS_MAX];
    int n;                /* fields of this line; COLUMNS_MAX + 1 if there are more than COLUMNS_MAX */
    struct field comment; /* text after the `#` without leading and trailing blanks; n = 0: none */
};

void columns_init(struct columns *c, const char *text, size_t length, const char *file);
/* Returns false after filling *d if the text is UTF-16, which other programs call Unicode. */
bool columns_check(const struct columns *c, struct diag *d);
/* Reads the next line, which may be blank. False at the end. */
bool columns_next(struct columns *c);
/* Takes the first comma or semicolon between two fields of this line as the only separator, and splits the line again by
 * it. Changes nothing if there is none. */
void columns_separate(struct columns *c);

/* Fills *d with this line and the column of field i, or of the end of the last field if there is no field i; returns
 * false. */
bool columns_fail(const struct columns *c, int i, struct diag *d, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* mantissa x 10^exponent, as written: "0.1538", "1e-5", "-3". */
struct decimal {
    int64_t mantissa;
    int exponent;
};
/* Reads a decimal from the front of n characters; returns how many it used, 0 if there is no number. Drops digits after
 * the eighteenth. */
size_t decimal_parse(const char *s, size_t n, struct decimal *v);
/* Returns whether the value has no fraction: 1500.0 and 1.5e3 have none. */
bool decimal_is_whole(struct decimal v);
/* Sets *out to v x 10^scale, rounded to nearest; false if it does not fit. */
bool decimal_scaled(struct decimal v, int scale, int64_t *out);

/* Writes a field for an error message: cut to size, with '?' for unprintable characters. Returns buf. */
const char *field_show(const struct field *f, char *buf, size_t size);
bool field_is(const struct field *f, const char *word); /* ignores case */

/* Returns the text of the whole file, which the caller frees; NULL after filling *d. The caller adds the place at which
 * the file was named. */
char *text_file_read(const char *path, size_t *length, struct diag *d);

#endif
