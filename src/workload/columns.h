/* SPDX-License-Identifier: Apache-2.0 */
/* Text in columns: the lines and fields of CDF and trace files, and exact decimal numbers.
 *
 * Works on a buffer that need not end in NUL, so that fuzzers and tests need no file. Lines end in LF or CRLF; fields
 * are separated by blanks, tabs, or one comma or semicolon; `#` begins a comment.
 */
#ifndef HEDDLE_WORKLOAD_COLUMNS_H
#define HEDDLE_WORKLOAD_COLUMNS_H

#include "base/diag.h"

#define COLUMNS_MAX 8

struct field {
    const char *at;
    size_t n;
    int col;     /* 1-based */
    bool quoted; /* written in double quotes, which are no part of the text */
};

struct columns {
    const char *file;       /* for errors */
    const char *next, *end; /* rest of the text */
    int line;               /* number of the current line, 1-based */
    struct field field[COLUMNS_MAX];
    int n;                /* fields of this line; COLUMNS_MAX + 1 if there are more than COLUMNS_MAX */
    struct field comment; /* text after the `#` without leading and trailing blanks; n = 0: none */
};

void columns_init(struct columns *c, const char *text, size_t length, const char *file);
/* Reads the next line, which may be blank. False at the end. */
bool columns_next(struct columns *c);

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
/* Sets *out to v x 10^scale, rounded to nearest; false if it does not fit. */
bool decimal_scaled(struct decimal v, int scale, int64_t *out);

/* Writes a field for an error message: cut to size, with '?' for unprintable characters. Returns buf. */
const char *field_show(const struct field *f, char *buf, size_t size);
bool field_is(const struct field *f, const char *word); /* ignores case */

/* Returns the text of the whole file, which the caller frees; NULL after filling *d. The caller adds the place at which
 * the file was named. */
char *text_file_read(const char *path, size_t *length, struct diag *d);

#endif
