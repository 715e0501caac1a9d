/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/files/columns.h"

#include "base/input_file.h"
#include "base/memory.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DIGITS_MAX 18 /* decimal digits that always fit an int64 */
#define EXPONENT_MAX 400
#define FILE_MAX_BYTES (1LL << 30)

#define UTF8_MARK "\xef\xbb\xbf"

static bool begins_with(const char *text, size_t length, const char *bytes) {
    size_t n = strlen(bytes);
    return length >= n && memcmp(text, bytes, n) == 0;
}

void columns_init(struct columns *c, const char *text, size_t length, const char *file) {
    size_t mark = begins_with(text, length, UTF8_MARK) ? strlen(UTF8_MARK) : 0;
    *c = (struct columns){.file = file, .next = text + mark, .end = text + length};
}

bool columns_check(const struct columns *c, struct diag *d) {
    size_t length = (size_t)(c->end - c->next);
    if (!begins_with(c->next, length, "\xff\xfe") && !begins_with(c->next, length, "\xfe\xff")) return true;
    return diag_fail(d, c->file, 1, 1, "this text is UTF-16; save it as UTF-8 (spreadsheets: as \"CSV UTF-8\")");
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_comma(char c) { return c == ',' || c == ';'; }

static bool is_separator(const struct columns *c, char x) { return c->separator ? x == c->separator : is_comma(x); }

static const char *skip_blanks(const char *s, const char *end) {
    while (s < end && is_blank(*s)) s++;
    return s;
}

/* Returns the quote that closes the field whose first quote is at s, or NULL. */
static const char *quote_close(const struct columns *c, const char *s, const char *end) {
    for (s++; s < end && (s = memchr(s, '"', (size_t)(end - s))); s += 2) {
        if (s + 1 == end || s[1] != '"')
            return s + 1 == end || is_blank(s[1]) || s[1] == '#' || is_separator(c, s[1]) ? s : NULL;
    }
    return NULL;
}

/* Returns the end of the field without quotes at s. */
static const char *plain_end(const struct columns *c, const char *s, const char *end) {
    const char *from = s;
    while (s < end && *s != '#' && !is_separator(c, *s) && (c->separator || !is_blank(*s))) s++;
    while (s > from && is_blank(s[-1])) s--;
    return s;
}

/* Reads the field at s. Returns the end of the field. */
static const char *field_take(const struct columns *c, struct field *f, const char *s, const char *end) {
    const char *quote = *s == '"' ? quote_close(c, s, end) : NULL;
    f->quoted = quote != NULL;
    f->at = s + f->quoted;
    f->n = (size_t)((quote ? quote : plain_end(c, s, end)) - f->at);
    f->col = (int)(f->at - c->now) + 1;
    return f->at + f->n + f->quoted;
}

static void field_add(struct columns *c, const struct field *f) {
    if (c->n < COLUMNS_MAX) c->field[c->n] = *f;
    if (c->n <= COLUMNS_MAX) c->n++;
}

static bool ends(const char *s, const char *end) { return s == end || *s == '#'; }

/* Splits the current line into c->field. Between two separators there is a field even if it is empty, so that a missing
 * value does not shift the columns after it. Returns the end of the fields: the `#` of a comment or the end of the
 * line. */
static const char *split_fields(struct columns *c) {
    const char *end = c->now_end, *s = skip_blanks(c->now, end);
    c->n = 0;
    while (!ends(s, end)) {
        struct field f;
        s = skip_blanks(field_take(c, &f, s, end), end);
        field_add(c, &f);
        if (s == end || !is_separator(c, *s)) continue;
        s = skip_blanks(s + 1, end);
        if (c->separator && ends(s, end)) field_add(c, &(struct field){.at = s, .col = (int)(s - c->now) + 1});
    }
    return s;
}

static struct field trimmed(const char *line, const char *s, const char *end) {
    s = skip_blanks(s, end);
    while (end > s && is_blank(end[-1])) end--;
    return (struct field){.at = s, .n = (size_t)(end - s), .col = (int)(s - line) + 1};
}

bool columns_next(struct columns *c) {
    if (c->next == c->end) return false;
    c->now = c->next;
    const char *newline = memchr(c->now, '\n', (size_t)(c->end - c->now));
    c->now_end = newline ? newline : c->end;
    c->next = newline ? newline + 1 : c->end;
    c->line++;
    const char *hash = split_fields(c);
    c->comment = hash < c->now_end ? trimmed(c->now, hash + 1, c->now_end) : (struct field){0};
    return true;
}

void columns_separate(struct columns *c) {
    for (int i = 0; i < c->n && i < COLUMNS_MAX && !c->separator; i++) {
        const struct field *f = &c->field[i];
        const char *after = skip_blanks(f->at + f->n + f->quoted, c->now_end);
        if (after < c->now_end && is_comma(*after)) c->separator = *after;
    }
    if (c->separator) split_fields(c);
}

bool columns_fail(const struct columns *c, int i, struct diag *d, const char *fmt, ...) {
    char text[sizeof d->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    int fields = c->n > COLUMNS_MAX ? COLUMNS_MAX : c->n;
    int col = 1;
    if (i < fields) {
        col = c->field[i].col;
    } else if (fields > 0) {
        col = c->field[fields - 1].col + (int)c->field[fields - 1].n;
    }
    return diag_fail(d, c->file, c->line, col, "%s", text);
}

static size_t digits_parse(const char *s, size_t n, struct decimal *v, int *digits, int per_digit) {
    size_t used = 0;
    for (; used < n && s[used] >= '0' && s[used] <= '9'; used++) {
        if (*digits >= DIGITS_MAX) {
            if (per_digit == 0 && v->exponent < EXPONENT_MAX) v->exponent++;
            continue;
        }
        v->mantissa = 10 * v->mantissa + (s[used] - '0');
        if (v->mantissa != 0) ++*digits;
        v->exponent += per_digit;
        if (v->exponent < -EXPONENT_MAX) v->exponent = -EXPONENT_MAX;
    }
    return used;
}

/* Reads an exponent such as "e-5" into v; returns how many characters it used, 0 if there is none ("e" may begin a
 * unit). */
static size_t exponent_parse(const char *s, size_t n, struct decimal *v) {
    if (n < 2 || (s[0] != 'e' && s[0] != 'E')) return 0;
    size_t at = 1;
    bool negative = s[at] == '-';
    if (s[at] == '-' || s[at] == '+') at++;
    size_t first = at;
    int value = 0;
    for (; at < n && s[at] >= '0' && s[at] <= '9'; at++) {
        if (value < EXPONENT_MAX) value = 10 * value + (s[at] - '0');
    }
    if (at == first) return 0;
    v->exponent += negative ? -value : value;
    return at;
}

size_t decimal_parse(const char *s, size_t n, struct decimal *v) {
    *v = (struct decimal){0};
    size_t at = 0;
    bool negative = n > 0 && s[0] == '-';
    if (n > 0 && (s[0] == '-' || s[0] == '+')) at++;
    int digits = 0;
    size_t whole = digits_parse(s + at, n - at, v, &digits, 0);
    at += whole;
    size_t part = 0;
    if (at < n && s[at] == '.') {
        part = digits_parse(s + at + 1, n - at - 1, v, &digits, -1);
        if (whole + part > 0) at += 1 + part;
    }
    if (whole + part == 0) return 0;
    at += exponent_parse(s + at, n - at, v);
    if (negative) v->mantissa = -v->mantissa;
    return at;
}

bool decimal_is_whole(struct decimal v) {
    for (; v.exponent < 0 && v.mantissa % 10 == 0 && v.mantissa != 0; v.exponent++) v.mantissa /= 10;
    return v.exponent >= 0 || v.mantissa == 0;
}

bool decimal_scaled(struct decimal v, int scale, int64_t *out) {
    int exponent = v.exponent + scale;
    int64_t m = v.mantissa;
    for (; exponent > 0 && m != 0; exponent--) {
        if (__builtin_mul_overflow(m, (int64_t)10, &m)) return false;
    }
    int64_t unit = 1;
    for (; exponent < 0 && unit <= INT64_MAX / 10; exponent++) unit *= 10;
    if (exponent < 0) { /* the unit exceeds any mantissa */
        *out = 0;
        return true;
    }
    int64_t rest = m % unit, half = unit / 2;
    *out = m / unit + (unit > 1 && rest >= half) - (unit > 1 && rest <= -half);
    return true;
}

const char *field_show(const struct field *f, char *buf, size_t size) {
    size_t n = f->n < size - 1 ? f->n : size - 1;
    for (size_t i = 0; i < n; i++) buf[i] = f->at[i] >= ' ' && f->at[i] <= '~' ? f->at[i] : '?';
    buf[n] = '\0';
    return buf;
}

bool field_is(const struct field *f, const char *word) {
    return f->n == strlen(word) && strncasecmp(f->at, word, f->n) == 0;
}

/* Reads to the end, or until more than FILE_MAX_BYTES are read. Asks for no size in advance, so that pipes work too. */
static char *stream_read(FILE *in, size_t *length) {
    char *text = NULL;
    size_t room = 0, n = 0, got;
    do {
        if (n == room) {
            room = room ? 2 * room : 65536;
            text = memory_grow(text, room, 1);
        }
        got = fread(text + n, 1, room - n, in);
        n += got;
    } while (got > 0 && n <= FILE_MAX_BYTES);
    *length = n;
    return text;
}

char *text_file_read(const char *path, size_t *length, struct diag *d) {
    const char *why;
    FILE *in = input_open(path, &why);
    if (!in) {
        diag_say(d, "cannot read '%s' (%s); give the path of a readable file", path, why);
        return NULL;
    }
    char *text = stream_read(in, length);
    int error = ferror(in) ? errno : 0;
    fclose(in);
    if (error == 0 && *length <= FILE_MAX_BYTES) return text;
    diag_say(d, "cannot read '%s' (%s); give the path of a readable file", path,
             error ? strerror(error) : "larger than 1 GiB");
    free(text);
    return NULL;
}
