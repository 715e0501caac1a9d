/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- fields ---- */

static void field_begin(struct csv *c) {
    if (c->within) putc_unlocked(',', c->out);
    c->within = true;
}

void csv_text(struct csv *c, const char *text) {
    field_begin(c);
    if (!text) return;
    if (!text[strcspn(text, "\",\r\n")]) {
        fputs(text, c->out);
        return;
    }
    putc_unlocked('"', c->out);
    for (; *text; text++) {
        if (*text == '"') putc_unlocked('"', c->out);
        putc_unlocked(*text, c->out);
    }
    putc_unlocked('"', c->out);
}

/* Prints digits itself: with printf, printing takes most of the time of a large table. */
void csv_integer(struct csv *c, int64_t value) {
    char buf[24], *at = buf + sizeof buf;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    field_begin(c);
    do {
        *--at = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    if (value < 0) *--at = '-';
    fwrite_unlocked(at, 1, (size_t)(buf + sizeof buf - at), c->out);
}

const char *number_print(double value, char buf[32]) {
    for (int digits = 6; digits <= 17; digits += digits == 6 ? 9 : 1) {
        snprintf(buf, 32, "%.*g", digits, value);
        if (strtod(buf, NULL) == value) break;
    }
    return buf;
}

void csv_number(struct csv *c, double value) {
    char buf[32];
    if (isfinite(value) && value == rint(value) && fabs(value) < 1e15) {
        csv_integer(c, (int64_t)value);
        return;
    }
    field_begin(c);
    if (isfinite(value)) fputs(number_print(value, buf), c->out);
}

void csv_row_end(struct csv *c) {
    putc_unlocked('\n', c->out);
    c->within = false;
}
