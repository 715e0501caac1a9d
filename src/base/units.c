/* SPDX-License-Identifier: Apache-2.0 */
#include "base/units.h"

#include "base/diag.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct unit {
    const char *name;
    int64_t base_units;
};

/* One kind of quantity: the words of its errors, and its units. units_print wants the smallest unit first. */
struct quantity {
    const char *a_noun, *too_fine, *example, *units;
    struct unit unit[10];
};

static const struct quantity quantities[] = {
    [PARAM_COUNT] = {"a count", "is no whole number", "10", "no unit", {{"", 1}}},
    [PARAM_TIME] = {"a time",
                    "is finer than a picosecond",
                    "20us",
                    "ps, ns, us, ms or s",
                    {{"ps", 1}, {"ns", PS_PER_NS}, {"us", PS_PER_US}, {"ms", PS_PER_MS}, {"s", PS_PER_S}}},
    [PARAM_MOMENT] = {"a time",
                      "is finer than a picosecond",
                      "20us or 50%",
                      "ps, ns, us, ms or s, or % of the arrivals",
                      {{"ps", 1}, {"ns", PS_PER_NS}, {"us", PS_PER_US}, {"ms", PS_PER_MS}, {"s", PS_PER_S}}},
    [PARAM_BYTES] = {"a size",
                     "is no whole number of bytes",
                     "250KB",
                     "B, KB, MB, GB, TB (thousands) or KiB, MiB, GiB (1024)",
                     {{"B", 1},
                      {"KB", 1000},
                      {"MB", 1000000},
                      {"GB", 1000000000},
                      {"TB", 1000000000000},
                      {"KiB", 1 << 10},
                      {"MiB", 1 << 20},
                      {"GiB", 1 << 30}}},
    [PARAM_QUEUE] = {"a queue",
                     "is no whole number of bytes",
                     "250KB or 100 frames",
                     "B, KB, MB, GB (thousands), KiB, MiB, GiB (1024) or frames",
                     {{"B", 1},
                      {"KB", 1000},
                      {"MB", 1000000},
                      {"GB", 1000000000},
                      {"KiB", 1 << 10},
                      {"MiB", 1 << 20},
                      {"GiB", 1 << 30}}},
    [PARAM_RATE] = {"a rate",
                    "is no whole number of bits per second",
                    "10Gbps",
                    "bps, Kbps, Mbps, Gbps or Tbps",
                    {{"bps", 1}, {"Kbps", 1000}, {"Mbps", 1000000}, {"Gbps", 1000000000}, {"Tbps", 1000000000000}}},
    [PARAM_FREQUENCY] =
        {"a number per second", "is finer than one in a thousand seconds", "2000/s", "/s", {{"/s", 1000}}},
    [PARAM_FRACTION] = {"a fraction",
                        "has more than nine decimals (seven in %)",
                        "0.1 or 10%",
                        "a plain number or %",
                        {{"", PPB}, {"%", PPB / 100}}},
};

static bool fail(char *why, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static bool fail(char *why, size_t size, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(why, size, fmt, args);
    va_end(args);
    return false;
}

static int64_t unit_find(const struct quantity *q, const char *name) {
    for (const struct unit *u = q->unit; u->name; u++) {
        if (strcmp(u->name, name) == 0) return u->base_units;
    }
    return 0;
}

/* A decimal number: digits x 10^exponent. */
struct decimal {
    bool negative, too_long;
    uint128 digits;
    int exponent;
};

/* The digits stay below ten times this, so that their product with the largest unit (2^40) fits 128 bits. */
#define DIGITS_MAX ((uint128)1000000000000 * 1000000000000)

static void decimal_digit(struct decimal *d, char c) {
    if (d->digits >= DIGITS_MAX) {
        d->too_long = true;
    } else {
        d->digits = d->digits * 10 + (unsigned)(c - '0');
    }
}

static const char *skip_digits(const char *s) {
    while (isdigit((unsigned char)*s)) s++;
    return s;
}

/* Reads [+-]digits[.digits][e[+-]digits] into *d; returns the end of the number, or NULL if `s` starts with none. */
static const char *decimal_read(const char *s, struct decimal *d) {
    *d = (struct decimal){.negative = *s == '-'};
    if (*s == '-' || *s == '+') s++;
    const char *end = skip_digits(s);
    bool any = end > s;
    for (; s < end; s++) decimal_digit(d, *s);
    if (*s == '.') {
        const char *first = ++s;
        end = skip_digits(s);
        any = any || end > first;
        const char *last = end;
        while (last > first && last[-1] == '0') last--;
        for (; s < last; s++) decimal_digit(d, *s);
        d->exponent = (int)(first - last);
        s = end;
    }
    if (!any) return NULL;
    if (*s == 'e' || *s == 'E') {
        bool negative = s[1] == '-';
        const char *digit = s + 1 + (s[1] == '-' || s[1] == '+');
        if (!isdigit((unsigned char)*digit)) return s; /* a unit that begins with e */
        int exponent = 0;
        for (; isdigit((unsigned char)*digit); digit++) {
            if (exponent < 1000) exponent = exponent * 10 + (*digit - '0');
        }
        d->exponent += negative ? -exponent : exponent;
        s = digit;
    }
    return s;
}

enum exactness { EXACT, TOO_FINE, TOO_LARGE };

/* Sets *value to digits x 10^exponent x unit if that is an int64; otherwise says why not. */
static enum exactness decimal_times(const struct decimal *d, int64_t unit, int64_t *value) {
    if (d->too_long) return d->exponent < 0 ? TOO_FINE : TOO_LARGE;
    uint128 magnitude = d->digits * (uint64_t)unit;
    int exponent = magnitude ? d->exponent : 0;
    for (; exponent < 0; exponent++) {
        if (magnitude % 10 != 0) return TOO_FINE;
        magnitude /= 10;
    }
    for (; exponent > 0 && magnitude <= INT64_MAX; exponent--) magnitude *= 10;
    if (magnitude > INT64_MAX) return TOO_LARGE;
    *value = d->negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return EXACT;
}

/* Sets *unit to the base units in one `name`; only 0 may have no unit. False after writing the error into `why`. */
static bool unit_parse(const struct quantity *q, const char *text, const char *name, bool is_zero, int64_t *unit,
                       char *why, size_t size) {
    *unit = unit_find(q, name);
    if (*unit) return true;
    if (*name == '\0' && is_zero) {
        *unit = 1;
        return true;
    }
    if (*name == '\0') return fail(why, size, "'%.40s' has no unit; write %s, such as %s", text, q->units, q->example);
    return fail(why, size, "'%.40s' is no unit of %s; write %s, such as %s", name, q->a_noun, q->units, q->example);
}

bool units_parse(enum param_type type, const char *text, int64_t *value, char *why, size_t size) {
    const struct quantity *q = &quantities[type];
    struct decimal d;
    const char *name = decimal_read(text, &d);
    if (!name) return fail(why, size, "'%.40s' is not %s; write one such as %s", text, q->a_noun, q->example);
    if (*name == ' ') name++;
    int64_t unit;
    if (!unit_parse(q, text, name, d.digits == 0, &unit, why, size)) return false;
    switch (decimal_times(&d, unit, value)) {
    case TOO_FINE: return fail(why, size, "'%.40s' %s", text, q->too_fine);
    case TOO_LARGE: {
        char most[UNITS_TEXT_MAX];
        return fail(why, size, "'%.40s' is too large; the most is %s", text,
                    units_print(type, INT64_MAX, most, sizeof most));
    }
    default: return true;
    }
}

/* Writes magnitude / unit as a decimal number. Its digits end, because every unit divides a power of ten. */
static void decimal_print(char *buf, size_t size, bool negative, uint64_t magnitude, uint64_t unit, const char *name) {
    char part[UNITS_TEXT_MAX / 2 + 16];
    size_t n = 0;
    uint128 rest = magnitude % unit;
    if (rest) part[n++] = '.';
    for (; rest; rest = rest * 10 % unit) part[n++] = (char)('0' + (int)(rest * 10 / unit));
    part[n] = '\0';
    snprintf(buf, size, "%s%llu%s%s", negative ? "-" : "", (unsigned long long)(magnitude / unit), part, name);
}

const char *units_print(enum param_type type, int64_t value, char *buf, size_t size) {
    bool negative = value < 0;
    uint64_t magnitude = negative ? -(uint64_t)value : (uint64_t)value;
    size_t shortest = SIZE_MAX;
    for (const struct unit *u = quantities[type].unit; u->name; u++) {
        char form[2 * UNITS_TEXT_MAX];
        decimal_print(form, sizeof form, negative, magnitude, (uint64_t)u->base_units, u->name);
        size_t cost = 2 * strlen(form) + (strchr(form, '.') != NULL);
        if (cost < shortest) {
            shortest = cost;
            snprintf(buf, size, "%s", form);
        }
    }
    return buf;
}

const char *units_name(enum param_type type, size_t i) { return quantities[type].unit[i].name; }

/* Returns the name after this one in "a|b|c", or NULL. */
static const char *choice_next(const char *at) {
    at += strcspn(at, "|");
    return *at ? at + 1 : NULL;
}

int64_t choice_index(const char *choices, const char *text) {
    size_t length = strlen(text);
    int64_t index = 0;
    for (const char *at = choices; at; at = choice_next(at), index++) {
        if (strcspn(at, "|") == length && strncmp(at, text, length) == 0) return index;
    }
    return -1;
}

static void choice_print(const char *choices, int64_t index, char *buf, size_t size) {
    const char *at = choices;
    while (at && index-- > 0) at = choice_next(at);
    snprintf(buf, size, "%.*s", at ? (int)strcspn(at, "|") : 1, at ? at : "?");
}

#define CHOICES_MAX 64 /* choices that an error lists and compares; it ignores further ones */

/* Writes the error for an unknown choice: it suggests the nearest name and lists all names; returns false. */
static bool choice_fail(const char *choices, const char *text, char *why, size_t size) {
    char names[CHOICES_MAX][UNITS_TEXT_MAX], listed[256] = "";
    const char *known[CHOICES_MAX];
    size_t n = 0;
    for (const char *at = choices; at && n < CHOICES_MAX; at = choice_next(at)) {
        snprintf(names[n], sizeof names[n], "%.*s", (int)strcspn(at, "|"), at);
        known[n] = names[n];
        size_t used = strlen(listed);
        snprintf(listed + used, sizeof listed - used, "%s%s", n ? ", " : "", names[n]);
        n++;
    }
    const char *nearest = diag_nearest(text, known, n);
    if (nearest) return fail(why, size, "'%.40s' is unknown; did you mean '%s'? (one of: %s)", text, nearest, listed);
    return fail(why, size, "'%.40s' is unknown; write one of: %s", text, listed);
}

int64_t units_rounded(int64_t value) {
    int64_t unit = 1;
    while (value / unit >= 10000) unit *= 10;
    return (value + unit / 2) / unit * unit;
}

int64_t units_rounded_up(int64_t value) {
    int64_t unit = 1;
    while (value / unit >= 1000) unit *= 10;
    return (value + unit - 1) / unit * unit;
}

static bool range_check(const struct param *p, const char *text, int64_t value, char *why, size_t size) {
    if (value >= p->min && value <= p->max) return true;
    char min[UNITS_TEXT_MAX], max[UNITS_TEXT_MAX];
    units_print(p->type, p->min, min, sizeof min);
    units_print(p->type, p->max, max, sizeof max);
    if (p->max == INT64_MAX) return fail(why, size, "'%.40s' is out of range; write at least %s", text, min);
    return fail(why, size, "'%.40s' is out of range; write %s to %s", text, min, max);
}

#define QUEUE_FRAMES_MAX 1000000

/* Returns whether the text is a number of frames ("100 frames", "1 frame"), whatever the number. */
static bool counts_frames(const char *text, struct decimal *d) {
    const char *name = decimal_read(text, d);
    if (!name) return false;
    while (*name == ' ') name++;
    return strcmp(name, "frames") == 0 || strcmp(name, "frame") == 0;
}

static bool queue_parse(const struct param *p, const char *text, int64_t *value, char *why, size_t size) {
    struct decimal d;
    if (!counts_frames(text, &d))
        return units_parse(p->type, text, value, why, size) && range_check(p, text, *value, why, size);
    if (decimal_times(&d, 1, value) != EXACT || *value < 1 || *value > QUEUE_FRAMES_MAX)
        return fail(why, size, "'%.40s' is out of range; write 1 to %d frames", text, QUEUE_FRAMES_MAX);
    *value = -*value;
    return true;
}

/* Reads a time, or a share of the arrivals. */
static bool moment_parse(const struct param *p, const char *text, int64_t *value, char *why, size_t size) {
    if (!strchr(text, '%'))
        return units_parse(p->type, text, value, why, size) && range_check(p, text, *value, why, size);
    if (!units_parse(PARAM_FRACTION, text, value, why, size)) return false;
    if (*value < 0 || *value > PPB) return fail(why, size, "'%.40s' is out of range; write 0%% to 100%%", text);
    *value = MOMENT_OF_SHARE(*value);
    return true;
}

bool param_parse(const struct param *p, const char *text, int64_t *value, char *why, size_t size) {
    int64_t read = 0;
    if (p->word && strcmp(text, p->word) == 0) {
        *value = p->word_value;
        return true;
    }
    switch (p->type) {
    case PARAM_BOOL:
        read = choice_index("false|true", text);
        if (read < 0) return fail(why, size, "'%.40s' is neither true nor false", text);
        break;
    case PARAM_CHOICE:
        read = choice_index(p->choices, text);
        if (read < 0) return choice_fail(p->choices, text, why, size);
        break;
    case PARAM_QUEUE:
        if (!queue_parse(p, text, &read, why, size)) return false;
        break;
    case PARAM_MOMENT:
        if (!moment_parse(p, text, &read, why, size)) return false;
        break;
    default:
        if (!units_parse(p->type, text, &read, why, size) || !range_check(p, text, read, why, size)) return false;
        break;
    }
    *value = read;
    return true;
}

const char *param_print(const struct param *p, int64_t value, char *buf, size_t size) {
    if (p->word && value == p->word_value) {
        snprintf(buf, size, "%s", p->word);
        return buf;
    }
    switch (p->type) {
    case PARAM_BOOL: snprintf(buf, size, "%s", value ? "true" : "false"); break;
    case PARAM_CHOICE: choice_print(p->choices, value, buf, size); break;
    case PARAM_QUEUE:
        if (value < 0) {
            snprintf(buf, size, "%lld frame%s", (long long)-value, value == -1 ? "" : "s");
            break;
        }
        units_print(p->type, value, buf, size);
        break;
    case PARAM_MOMENT:
        if (moment_is_share(value))
            units_print(PARAM_FRACTION, moment_share_ppb(value), buf, size);
        else
            units_print(p->type, value, buf, size);
        break;
    default: units_print(p->type, value, buf, size); break;
    }
    return buf;
}
