/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/table_lines.h"

#include "base/memory.h"
#include "study/experiment/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct table_style table_style_run = {.name = 16,
                                            .cell = 17,
                                            .interval = 9, /* "* +-12.3%" */
                                            .numbers = NUMBER_LONG,
                                            .change = " %+5.0f %%",
                                            .whole_names = true,
                                            .details = true};

#define NAME_MAX_WIDTH 22

struct table_style table_style_text(const struct table *t, int width) {
    size_t name = strlen(t->key);
    for (size_t i = 0; i < t->n_rows; i++) {
        char text[128];
        setting_text(t->row[i].name, text, sizeof text);
        name = strlen(text) > name ? strlen(text) : name;
    }
    return (struct table_style){.width = width,
                                .name = name > NAME_MAX_WIDTH ? NAME_MAX_WIDTH : (int)name,
                                .cell = 18,
                                .numbers = NUMBER_SHORT,
                                .change = " %+.0f%%",
                                .only_used = true};
}

/* ---- cells ---- */

static bool shows_change(const struct table *t, const struct table_style *s, size_t row, size_t column) {
    const struct table_cell *cell = &t->row[row].cell[column];
    enum metric_unit unit = t->columns.of[column].unit;
    return !isnan(cell->change) && !(s->details && (unit == UNIT_SHARE || unit == UNIT_NUMBER));
}

bool table_shows_change(const struct table *t, const struct table_style *s) {
    for (size_t i = 0; i < t->n_rows; i++) {
        for (size_t c = 0; c < t->columns.n; c++) {
            if (shows_change(t, s, i, c)) return true;
        }
    }
    return false;
}

/* Writes a cell: "412.3 us* +-3.1%   -19 %": the value, the mark of the best, the half-width of its 95 % interval
 * relative to it, and the change against the baseline. */
static void cell_text(const struct table *t, const struct table_style *s, size_t row, size_t column, char *buf,
                      size_t size) {
    const struct table_cell *cell = &t->row[row].cell[column];
    const struct estimate *e = &cell->value;
    snprintf(buf, size, "-");
    if (isnan(e->value)) return;
    number_text(s->numbers, t->columns.of[column].unit, e->value, buf, size);
    size_t used = strlen(buf);
    if (s->details && cell->is_best) used += (size_t)snprintf(buf + used, size - used, "*");
    if (s->details && !isnan(e->standard_error) && e->value > 0)
        used += (size_t)snprintf(buf + used, size - used, " +-%.1f%%", (e->high / e->value - 1) * 100);
    if (shows_change(t, s, row, column)) snprintf(buf + used, size - used, s->change, cell->change * 100);
}

/* ---- rows ---- */

/* The columns of a group that are printed side by side. */
struct side {
    const size_t *column;
    size_t n;
    int cell; /* width */
};

static void name_print(const struct table_style *s, const char *name, FILE *out) {
    fprintf(out, "  %-*.*s", s->name, s->whole_names ? -1 : s->name, name);
}

static void head_print(const struct table *t, const struct table_style *s, const struct side *side, FILE *out) {
    name_print(s, t->key, out);
    for (size_t k = 0; k < side->n; k++) fprintf(out, " %*s", side->cell, t->columns.of[side->column[k]].head);
    fputc('\n', out);
}

static void missing_print(const struct table_row *r, FILE *out) {
    char missing[80];
    if (r->n_missing) fprintf(out, "  (%u of %u runs missing)", r->n_missing, r->n + r->n_missing);
    missing_flows_text(r->flows, missing, sizeof missing);
    if (missing[0]) fprintf(out, "  (%s)", missing);
}

static void row_print(const struct table *t, const struct table_style *s, const struct side *side, size_t row,
                      FILE *out) {
    char text[128];
    setting_text(t->row[row].name, text, sizeof text);
    name_print(s, text, out);
    for (size_t k = 0; k < side->n; k++) {
        cell_text(t, s, row, side->column[k], text, sizeof text);
        fprintf(out, " %*s", side->cell, text);
    }
    if (s->details) missing_print(&t->row[row], out);
    fputc('\n', out);
}

void table_group_print(const struct table *t, size_t group, const struct table_style *s, FILE *out) {
    size_t *column = memory_get(t->columns.n + 1, sizeof *column), n = 0;
    for (size_t c = 0; c < t->columns.n; c++) {
        if (!s->only_used || table_group_uses(t, group, c)) column[n++] = c;
    }
    int cell = s->cell + (t->group[group].has_intervals ? s->interval : 0);
    int fit = s->width ? (s->width - 2 - s->name) / (cell + 1) : (int)n;
    if (fit < 1) fit = 1;
    for (size_t from = 0; from < n || from == 0; from += (size_t)fit) {
        struct side side = {column + from, n - from < (size_t)fit ? n - from : (size_t)fit, cell};
        if (n == 0 && s->width) break;
        head_print(t, s, &side, out);
        for (size_t i = 0; i < t->n_rows; i++) {
            if (t->row[i].group == group) row_print(t, s, &side, i, out);
        }
    }
    free(column);
}
