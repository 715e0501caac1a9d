/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/cell_text.h"

#include <math.h>
#include <string.h>

#define RATIO_LOW 0.05 /* what is left, from where a percentage tells nothing */
#define RATIO_HIGH 10

static bool has_interval(const struct estimate *e) { return !isnan(e->standard_error) && !isnan(e->value); }

static double half_of(const struct estimate *e) { return e->high - e->value; }

/* Writes a half-width in percent or points, with at most one decimal. */
static void half_text(double percent, const char *unit, char *buf, size_t size) {
    if (percent == 0)
        snprintf(buf, size, "+-0%s", unit);
    else if (percent < 0.05)
        snprintf(buf, size, "+-<0.1%s", unit);
    else
        snprintf(buf, size, percent < 9.95 ? "+-%.1f%s" : "+-%.0f%s", percent, unit);
}

/* ---- values ---- */

static void range_text(const struct estimate *e, enum metric_unit unit, char *buf, size_t size) {
    char high[NUMBER_TEXT_MAX];
    snprintf(buf, size, "0..%s", number_text(unit, e->high, high, sizeof high));
}

static void interval_text(const struct estimate *e, const struct metric_column *column, char *buf, size_t size,
                          struct cell_kinds *kinds) {
    if (!has_interval(e) || (e->value == 0 && half_of(e) == 0)) return;
    kinds->intervals = true;
    if (column->is_signed) {
        char half[NUMBER_TEXT_MAX];
        snprintf(buf, size, "+-%s", number_text(column->unit, half_of(e), half, sizeof half));
    } else if (e->low > 0) {
        half_text(half_of(e) / e->value * 100, "%", buf, size);
    } else {
        range_text(e, column->unit, buf, size);
        kinds->ranges = true;
    }
}

/* ---- changes ---- */

static void percent_text(double percent, char *buf, size_t size) {
    if (fabs(percent) < 0.05)
        snprintf(buf, size, "0 %%");
    else
        snprintf(buf, size, fabs(percent) < 9.95 ? "%+.1f %%" : "%+.0f %%", percent);
}

static bool is_ratio(double change) { return (change > -1 && change < RATIO_LOW - 1) || change > RATIO_HIGH - 1; }

static void ratio_text(double ratio, char *buf, size_t size) {
    char number[NUMBER_TEXT_MAX];
    if (ratio < 1)
        snprintf(buf, size, "1/%s", number_plain(1 / ratio, 3, number, sizeof number));
    else
        snprintf(buf, size, "%sx", number_plain(ratio, 3, number, sizeof number));
}

static void ratio_interval(const struct estimate *e, char *buf, size_t size) {
    char high[NUMBER_TEXT_MAX];
    if (e->low > -1) {
        half_text(half_of(e) / (1 + e->value) * 100, "%", buf, size);
        return;
    }
    ratio_text(1 + e->high, high, sizeof high);
    snprintf(buf, size, "0..%s", high);
}

static void relative_text(const struct estimate *e, struct cell_text *text, struct cell_kinds *kinds) {
    bool ratio = is_ratio(e->value);
    kinds->ratios |= ratio;
    kinds->percentages |= !ratio;
    if (ratio)
        ratio_text(1 + e->value, text->change, sizeof text->change);
    else
        percent_text(e->value * 100, text->change, sizeof text->change);
    if (!has_interval(e)) return;
    if (ratio) {
        ratio_interval(e, text->change_interval, sizeof text->change_interval);
    } else if (e->low > -1 || half_of(e) == 0) {
        half_text(half_of(e) * 100, "", text->change_interval, sizeof text->change_interval);
    } else {
        snprintf(text->change_interval, sizeof text->change_interval, "-100..%+.0f", e->high * 100);
        kinds->ranges = true;
    }
}

static void difference_text(const struct estimate *e, enum metric_unit unit, struct cell_text *text,
                            struct cell_kinds *kinds) {
    bool points = unit == UNIT_SHARE;
    double scale = points ? 100 : 1;
    enum metric_unit shown = points ? UNIT_NUMBER : unit;
    char number[NUMBER_TEXT_MAX];
    kinds->points |= points;
    kinds->differences |= !points;
    number_text(shown, e->value * scale, number, sizeof number);
    snprintf(text->change, sizeof text->change, "%s%s%s", e->value > 0 ? "+" : "", number, points ? " pp" : "");
    if (!has_interval(e)) return;
    if (points || unit == UNIT_NUMBER)
        number_plain(half_of(e) * scale, 2, number, sizeof number);
    else
        number_text(shown, half_of(e), number, sizeof number);
    snprintf(text->change_interval, sizeof text->change_interval, "+-%s", number);
}

void cell_text_make(const struct table_cell *cell, const struct metric_column *column, struct cell_text *text,
                    struct cell_kinds *kinds) {
    *text = (struct cell_text){.value = "-", .is_best = cell->is_best};
    if (isnan(cell->value.value)) return;
    number_text(column->unit, cell->value.value, text->value, sizeof text->value);
    interval_text(&cell->value, column, text->interval, sizeof text->interval, kinds);
    kinds->best |= cell->is_best;
    if (isnan(cell->change.value)) return;
    kinds->changes = true;
    kinds->change_intervals |= has_interval(&cell->change);
    if (cell->change.value == 0 && !(half_of(&cell->change) > 0))
        snprintf(text->change, sizeof text->change, "same");
    else if (cell->form == FORM_CHANGE)
        relative_text(&cell->change, text, kinds);
    else
        difference_text(&cell->change, column->unit, text, kinds);
}
