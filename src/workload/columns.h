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
    int col; /* 1-based */
};

struct columns {
    const char *file;       /* for errors */
    const char *next, *end; /* what is left */
    int line;               /* of the fields below */
    struct field field[COLUMNS_MAX];
    int n;                /* fields of this line; COLUMNS_MAX + 1 when there are more */
    struct field comment; /* after the `#`, blanks trimmed; n = 0: none */
};

void columns_init(struct columns *c, const char *text, size_t length, const char *file);
/* To the next line, blank ones included. False at the end. */
bool columns_next(struct columns *c);

/* Fills *d with this line and the column of field i (its end when there is no such field); returns false. */
bool columns_fail(const struct columns *c, int i, struct diag *d, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* mantissa x 10^exponent, as written: "0.1538", "1e-5", "-3". */
struct decimal {
    int64_t mantissa;
    int exponent;
};
/* Reads a decimal from the front of n characters; returns how many were used, 0 if there is no number. Digits beyond
 * the eighteenth are dropped. */
size_t decimal_parse(const char *s, size_t n, struct decimal *v);
/* value x 10^scale, rounded to nearest; false if it does not fit. */
bool decimal_scaled(struct decimal v, int scale, int64_t *out);

/* Shows a field in an error: cut, and what cannot be printed as '?'. Returns buf. */
const char *field_show(const struct field *f, char *buf, size_t size);
bool field_is(const struct field *f, const char *word); /* letters of either case */

/* The whole file, which the caller frees; NULL after filling *d, whose place is left to the caller: the file was named
 * elsewhere. */
char *text_file_read(const char *path, size_t *length, struct diag *d);

#endif
