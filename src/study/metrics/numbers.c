/* SPDX-License-Identifier: Apache-2.0 */
#include "study/metrics/numbers.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 3       /* significant digits of values with a unit */
#define PLACES_MAX 15  /* of decimals */
#define GROUPED_FROM 5 /* digits of a whole part that is grouped */

/* ---- plain numbers ---- */

/* Returns the number of decimals that leave so many significant digits after rounding. */
static int places_of(double value, int digits) {
    char text[48];
    if (value == 0 || !isfinite(value)) return 0;
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    int places = digits - 1 - atoi(strchr(text, 'e') + 1);
    return places < 0 ? 0 : places > PLACES_MAX ? PLACES_MAX : places;
}

/* Copies a number of digits, with a comma between thousands. */
static void group(const char *text, char *buf, size_t size) {
    size_t whole = 0, used = 0, sign = *text == '-';
    while (isdigit((unsigned char)text[sign + whole])) whole++;
    for (size_t i = 0; text[i] && used + 2 < size; i++) {
        size_t left = sign + whole - i;
        bool breaks = i > sign && i < sign + whole && left % 3 == 0;
        if (whole >= GROUPED_FROM && breaks) buf[used++] = ',';
        buf[used++] = text[i];
    }
    buf[used] = '\0';
}

/* Removes the zeros at the end of decimals, and the sign of a 0. */
static void zeros_remove(char *text) {
    size_t length = strlen(text);
    if (strchr(text, '.')) {
        while (text[length - 1] == '0') length--;
        if (text[length - 1] == '.') length--;
        text[length] = '\0';
    }
    if (strcmp(text, "-0") == 0) memcpy(text, "0", 2);
}

const char *number_plain(double value, int digits, char *buf, size_t size) {
    char text[400];
    snprintf(text, sizeof text, "%.*f", places_of(value, digits), value);
    if (isfinite(value)) zeros_remove(text);
    group(text, buf, size);
    return buf;
}

/* ---- values with a unit ---- */

/* Units of a quantity, the smallest first, each `step` times the one before. */
struct ladder {
    const char *unit[5];
    double step;
};

static const struct ladder times = {{"ns", "us", "ms", "s", NULL}, 1000},
                           rates = {{"bps", "Kbps", "Mbps", "Gbps", "Tbps"}, 1000},
                           sizes = {{"B", "KB", "MB", "GB", "TB"}, 1000}, counts = {{"", "k", "M", "G", "T"}, 1000};

/* Writes the value, given in the smallest unit, in the largest one that leaves a whole part. */
static void climb(const struct ladder *l, double value, char *buf, size_t size) {
    size_t i = 0;
    for (; i < 4 && l->unit[i + 1] && fabs(value) >= l->step - 0.5; i++) value /= l->step;
    snprintf(buf, size, "%.*f%s%s", places_of(value, DIGITS), value, l->unit[i][0] ? " " : "", l->unit[i]);
}

static void time_text(double us, char *buf, size_t size) {
    if (us == 0)
        snprintf(buf, size, "0 s");
    else
        climb(&times, us * 1000, buf, size);
}

static void count_text(double value, double most, char *buf, size_t size) {
    if (fabs(value) >= most)
        climb(&counts, value, buf, size);
    else
        number_plain(value, DIGITS, buf, size);
}

const char *number_text(enum metric_unit unit, double value, char *buf, size_t size) {
    switch (unit) {
    case UNIT_US: time_text(value, buf, size); break;
    case UNIT_S: time_text(value * 1e6, buf, size); break;
    case UNIT_MBPS: climb(&rates, value * 1e6, buf, size); break;
    case UNIT_GBPS: climb(&rates, value * 1e9, buf, size); break;
    case UNIT_BYTES: climb(&sizes, value, buf, size); break;
    case UNIT_COUNT: count_text(value, 1e5 - 0.5, buf, size); break;
    case UNIT_TIMES: climb(&counts, value, buf, size); break;
    case UNIT_SHARE:
        number_plain(value * 100, DIGITS, buf, size);
        snprintf(buf + strlen(buf), size - strlen(buf), " %%");
        break;
    case UNIT_PER_S:
        count_text(value, 1e6, buf, size);
        snprintf(buf + strlen(buf), size - strlen(buf), "/s");
        break;
    default: count_text(value, 1e6, buf, size);
    }
    return buf;
}
