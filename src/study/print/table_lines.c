/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/table_lines.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/experiment/settings.h"
#include "study/print/cell_text.h"
#include "study/print/fold.h"
#include "study/print/row_axes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INDENT 2
#define GAP 2            /* between columns */
#define HEAD_LINES 6     /* at most, of the head of a column */
#define FURTHER_LISTED 4 /* metrics that are named though they are no columns */
#define NAME_MAX 200
#define GROUPS_APART 4 /* more groups stand in one list of rows, named by their axes */

/* The widths of a column: of values and changes, of the mark of the best, of intervals. */
struct column_layout {
    int value, mark, interval, whole;
    char head[HEAD_LINES][METRIC_TEXT_MAX];
    int n_head; /* lines of the head */
};

struct layout {
    const struct table *t;
    int width, number, name; /* number: digits of the largest number of a row, 0: rows have none */
    struct cell_text *text;  /* [n_rows][n_columns] */
    struct cell_kinds kinds;
    struct column_layout *column; /* [n_columns] */
    bool has_intervals;           /* intervals stand beside the values, else changes */
    bool changes_below;           /* the change has a line below the value */
    bool is_list;                 /* all groups are one list of rows, named by `axes` */
    struct row_axes axes;
    size_t *shown, n_shown; /* columns that are printed, in their order */
};

static int larger(int a, int b) { return a > b ? a : b; }

static int length_of(const char *text) { return (int)strlen(text); }

static const struct cell_text *text_at(const struct layout *l, size_t row, size_t column) {
    return &l->text[row * l->t->columns.n + column];
}

/* ---- names ---- */

static void row_name(const struct table *t, size_t row, char buf[NAME_MAX]) {
    buf[0] = '\0';
    if (t->row[row].name) setting_text(t->row[row].name, buf, NAME_MAX);
}

/* Returns the width of a number and the blank behind it. */
static int number_width(const struct layout *l) { return l->number ? l->number + 1 : 0; }

/* Sets the width of the names' column: that of the longest name which fits into a third of the line. */
static void names_measure(struct layout *l) {
    char name[NAME_MAX];
    if (l->is_list) {
        l->name = l->axes.width;
        l->number = l->axes.number;
        return;
    }
    int most = l->width / 3 - INDENT, key = length_of(l->t->key);
    l->number = 0;
    for (size_t n = l->t->n_rows; l->t->n_rows > 1 && n; n /= 10) l->number++;
    l->name = key <= most ? key : 0;
    for (size_t i = 0; i < l->t->n_rows; i++) {
        row_name(l->t, i, name);
        int own = number_width(l) + length_of(name);
        if (own <= most) l->name = larger(l->name, own);
    }
    for (size_t i = 0; l->changes_below && i < l->t->n_rows; i++) {
        row_name(l->t, l->t->row[i].baseline, name);
        int own = number_width(l) + length_of("against ") + length_of(name);
        l->name = larger(l->name, own <= most ? own : number_width(l) + length_of("against ") + l->number);
    }
}

/* Writes "against ecmp", or "against 1" where that does not fit. */
static void against_text(const struct layout *l, size_t row, char buf[NAME_MAX + 16]) {
    char name[NAME_MAX];
    size_t baseline = l->t->row[row].baseline;
    row_name(l->t, baseline, name);
    snprintf(buf, NAME_MAX + 16, "against %s", name);
    bool is_other_group = l->t->row[baseline].group != l->t->row[row].group;
    if (is_other_group || number_width(l) + length_of(buf) > l->name)
        snprintf(buf, NAME_MAX + 16, "against %zu", baseline + 1);
}

/* ---- widths ---- */

static void texts_make(struct layout *l) {
    const struct table *t = l->t;
    l->text = memory_get(t->n_rows * t->columns.n + 1, sizeof *l->text);
    for (size_t i = 0; i < t->n_rows; i++) {
        for (size_t c = 0; c < t->columns.n; c++) {
            struct table_cell cell = t->row[i].cell[c];
            if (l->is_list && !t->asks_baseline) cell.change.value = NAN;
            cell_text_make(&cell, &t->columns.of[c], &l->text[i * t->columns.n + c], &l->kinds);
        }
    }
    l->has_intervals = l->kinds.intervals || l->kinds.change_intervals;
    l->changes_below = l->kinds.changes && l->has_intervals;
}

/* Breaks a head into lines of at most `width`, or of its longest word. */
static void head_break(struct column_layout *c, const char *head, int width) {
    c->n_head = 0;
    while (*head) {
        int n = (int)strcspn(head, " "), used = c->n_head ? length_of(c->head[c->n_head - 1]) : 0;
        bool begins = c->n_head == 0 || (used + 1 + n > width && c->n_head < HEAD_LINES);
        if (begins) c->head[c->n_head++][0] = '\0';
        char *line = c->head[c->n_head - 1];
        used = begins ? 0 : used;
        snprintf(line + used, METRIC_TEXT_MAX - (size_t)used, "%s%.*s", used ? " " : "", n, head);
        head += n + (head[n] == ' ');
    }
    for (int i = 0; i < c->n_head; i++) c->whole = larger(c->whole, length_of(c->head[i]));
}

static void column_measure(struct layout *l, size_t c) {
    struct column_layout *w = &l->column[c];
    for (size_t i = 0; i < l->t->n_rows; i++) {
        const struct cell_text *x = text_at(l, i, c);
        const char *beside = l->has_intervals ? x->interval : x->change;
        w->value = larger(w->value, length_of(x->value));
        if (l->changes_below) w->value = larger(w->value, length_of(x->change));
        w->interval = larger(w->interval, length_of(beside));
        if (l->changes_below) w->interval = larger(w->interval, length_of(x->change_interval));
        w->mark |= x->is_best;
    }
    w->whole = w->value + w->mark + (w->interval ? w->interval + 1 : 0);
    head_break(w, l->t->columns.of[c].head, w->whole);
}

/* Returns whether all rows have the same text in a column. The table then leaves the column out, and a line below it gives the text. */
static bool is_same_in_all(const struct layout *l, size_t c) {
    for (size_t i = 1; i < l->t->n_rows; i++) {
        const struct cell_text *x = text_at(l, i, c), *first = text_at(l, 0, c);
        if (strcmp(x->value, first->value) != 0 || strcmp(x->interval, first->interval) != 0) return false;
    }
    return true;
}

static void column_show(struct layout *l, size_t c) { l->shown[l->n_shown++] = c; }

/* Returns how wide the last block of the first `n` shown columns is. */
static int last_block_width(const struct layout *l, size_t n) {
    int used = INDENT + l->name;
    for (size_t i = 0; i < n; i++) {
        int own = GAP + l->column[l->shown[i]].whole;
        used = used > INDENT + l->name && used + own > l->width ? INDENT + l->name + own : used + own;
    }
    return used;
}

/* Chooses the columns of a list: all that someone asked for, and others as far as the last block has room for them. */
static void columns_of_list(struct layout *l) {
    const struct metric_columns *c = &l->t->columns;
    for (size_t i = 0; i < c->n; i++) {
        if (c->of[i].is_asked && !is_same_in_all(l, i)) column_show(l, i);
    }
    int used = last_block_width(l, l->n_shown);
    for (size_t i = 0; i < c->n; i++) {
        int own = GAP + l->column[i].whole;
        if (c->of[i].is_asked || is_same_in_all(l, i) || (l->n_shown && used + own > l->width)) continue;
        used += own;
        column_show(l, i);
    }
}

static bool is_shown(const struct layout *l, size_t c) {
    for (size_t i = 0; i < l->n_shown; i++) {
        if (l->shown[i] == c) return true;
    }
    return false;
}

static struct layout layout_make(const struct table *t, int width) {
    struct layout l = {.t = t, .width = width};
    l.column = memory_get(t->columns.n + 1, sizeof *l.column);
    l.shown = memory_get(t->columns.n + 1, sizeof *l.shown);
    l.is_list = t->n_groups > GROUPS_APART && row_axes_make(t, width / 2, &l.axes);
    texts_make(&l);
    names_measure(&l);
    for (size_t c = 0; c < t->columns.n; c++) column_measure(&l, c);
    if (l.is_list) columns_of_list(&l);
    for (size_t c = 0; c < t->columns.n && !l.is_list; c++) column_show(&l, c);
    return l;
}

static void layout_free(struct layout *l) {
    free(l->shown);
    free(l->column);
    free(l->text);
}

/* ---- lines ---- */

/* Shown columns that stand side by side. */
struct block {
    size_t from, to;
};

/* Returns the end of the block that begins with column `from`: at least one column behind it. */
static size_t block_end(const struct layout *l, size_t from) {
    int used = INDENT + l->name;
    size_t to = from;
    while (to < l->n_shown && (to == from || used + GAP + l->column[l->shown[to]].whole <= l->width))
        used += GAP + l->column[l->shown[to++]].whole;
    return to;
}

/* Prints a value, or a change, and what stands beside it. */
static void cell_print(const struct column_layout *w, const char *value, bool is_best, const char *beside, FILE *out) {
    int left = w->whole - w->value - w->mark - (w->interval ? w->interval + 1 : 0);
    fprintf(out, "%*s%*s", GAP + left, "", w->value, value);
    if (w->mark) fputc(is_best ? '*' : ' ', out);
    if (w->interval) fprintf(out, " %*s", w->interval, beside);
}

/* Writes what stands above the names in line `line` of `n` of a block's head. */
static void name_head(const struct layout *l, int line, int n, char buf[NAME_MAX]) {
    bool key_fits = length_of(l->t->key) <= l->name;
    int own = line - (n - l->axes.n_head);
    buf[0] = '\0';
    if (l->is_list && own >= 0)
        row_axes_head(&l->axes, own, buf, NAME_MAX);
    else if (!l->is_list && line + 1 == n && key_fits)
        snprintf(buf, NAME_MAX, "%s", l->t->key);
}

static void heads_print(const struct layout *l, struct block b, FILE *out) {
    int n = l->is_list ? l->axes.n_head : 0;
    for (size_t i = b.from; i < b.to; i++) n = larger(n, l->column[l->shown[i]].n_head);
    bool key_fits = l->is_list || length_of(l->t->key) <= l->name;
    if (!key_fits && b.from == 0) fprintf(out, "%*s%s\n", INDENT, "", l->t->key);
    for (int line = 0; line < n; line++) {
        char name[NAME_MAX];
        name_head(l, line, n, name);
        fprintf(out, "%*s%-*s", INDENT, "", l->name, name);
        for (size_t i = b.from; i < b.to; i++) {
            const struct column_layout *w = &l->column[l->shown[i]];
            int own = line - (n - w->n_head);
            fprintf(out, "%*s%*s", GAP, "", w->whole, own < 0 ? "" : w->head[own]);
        }
        fputc('\n', out);
    }
}

/* Prints the axes of a row; values of the row above are left out, but not in the first line of a block. */
static void axes_print(const struct layout *l, size_t row, FILE *out) {
    char text[NAME_MAX * 2];
    row_axes_text(&l->axes, row, row ? row - 1 : l->t->n_rows, text, sizeof text);
    fprintf(out, "%*s%-*s", INDENT, "", l->name, text);
}

/* Prints number and name of a row, padded; a name that does not fit has a line of its own in the first block. */
static void name_print(const struct layout *l, size_t row, bool is_first, FILE *out) {
    char name[NAME_MAX], whole[NAME_MAX + 32], number[24] = "";
    if (l->is_list) {
        axes_print(l, row, out);
        return;
    }
    row_name(l->t, row, name);
    if (l->number) snprintf(number, sizeof number, "%*zu ", l->number, row + 1);
    bool fits = number_width(l) + length_of(name) <= l->name;
    snprintf(whole, sizeof whole, "%s%s", number, name);
    if (!fits && is_first) fold_print(whole, l->width, INDENT, 2, out);
    fprintf(out, "%*s%-*s", INDENT, "", l->name, fits ? whole : is_first ? "" : number);
}

static void values_print(const struct layout *l, size_t row, struct block b, FILE *out) {
    name_print(l, row, b.from == 0, out);
    for (size_t i = b.from; i < b.to; i++) {
        const struct cell_text *x = text_at(l, row, l->shown[i]);
        cell_print(&l->column[l->shown[i]], x->value, x->is_best, l->has_intervals ? x->interval : x->change, out);
    }
    fputc('\n', out);
}

static void changes_print(const struct layout *l, size_t row, struct block b, FILE *out) {
    char against[NAME_MAX + 16];
    bool any = false;
    for (size_t i = b.from; i < b.to; i++) any = any || text_at(l, row, l->shown[i])->change[0];
    if (!any) return;
    against_text(l, row, against);
    fprintf(out, "%*s%-*s", INDENT + number_width(l), "", l->name - number_width(l), against);
    for (size_t i = b.from; i < b.to; i++) {
        const struct cell_text *x = text_at(l, row, l->shown[i]);
        cell_print(&l->column[l->shown[i]], x->change, false, x->change_interval, out);
    }
    fputc('\n', out);
}

/* Copies lines without the blanks at their ends. */
static void lines_copy(const char *text, FILE *out) {
    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        const char *last = end;
        while (last > text && last[-1] == ' ') last--;
        fprintf(out, "%.*s\n", (int)(last - text), text);
    }
}

/* Prints n rows from `first` on, block by block. */
static void blocks_print(const struct layout *l, size_t first, size_t n, FILE *out) {
    struct block b = {0, 0};
    do {
        b = (struct block){b.to, block_end(l, b.to)};
        if (b.from && l->is_list) fputc('\n', out);
        if (b.to > b.from) heads_print(l, b, out);
        for (size_t i = first; i < first + n; i++) {
            values_print(l, i, b, out);
            if (l->changes_below) changes_print(l, i, b, out);
        }
    } while (b.to < l->n_shown);
}

static void rows_print(const struct layout *l, size_t first, size_t n, FILE *out) {
    char *text = NULL;
    size_t size;
    FILE *lines = text_stream(&text, &size);
    blocks_print(l, first, n, lines);
    text_stream_end(lines, &text);
    lines_copy(text, out);
    free(text);
}

/* ---- what is missing ---- */

static void row_missing_print(const struct layout *l, size_t row, FILE *out) {
    const struct table_row *r = &l->t->row[row];
    char name[NAME_MAX], flows[80], runs[64] = "", line[NAME_MAX + 200];
    if (l->is_list)
        table_row_text(l->t, row, name, sizeof name);
    else
        row_name(l->t, row, name);
    missing_flows_text(r->flows, flows, sizeof flows);
    if (r->n_missing && r->n)
        snprintf(runs, sizeof runs, "%u of %u runs", r->n_missing, r->n + r->n_missing);
    else if (r->n_missing)
        snprintf(runs, sizeof runs, r->n_missing == 1 ? "its only run" : "all %u runs", r->n_missing);
    if (!flows[0] && !runs[0]) return;
    snprintf(line, sizeof line, "missing from %s: %s%s%s", name[0] ? name : "the means", runs,
             runs[0] && flows[0] ? "; " : "", flows);
    fold_print(line, l->width, INDENT, 2, out);
}

/* ---- notes ---- */

/* Returns the least number of runs of a row that has any. */
static uint32_t fewest_runs(const struct table *t) {
    uint32_t n = UINT32_MAX;
    for (size_t i = 0; i < t->n_rows; i++)
        if (t->row[i].n && t->row[i].n < n) n = t->row[i].n;
    return n;
}

static void means_print(const struct layout *l, FILE *out) {
    size_t i = 0;
    while (i < l->t->n_rows && !l->t->row[i].is_free) i++;
    if (i == l->t->n_rows) return;
    char line[200], seeds[48];
    uint32_t most = table_most_runs(l->t), fewest = fewest_runs(l->t);
    snprintf(seeds, sizeof seeds, fewest < most ? "%u to %u seeds" : "%u seeds", fewest, most);
    snprintf(line, sizeof line, "Means over %s, +- the half-width of the 95 %% interval%s.", seeds,
             l->kinds.best ? "; * the best, where intervals part" : "");
    fold_print(line, l->width, 0, 0, out);
}

/* Writes what the changes are against: "ecmp (row 1)", or the first row of each group. */
static void baseline_text(const struct table *t, char *buf, size_t size) {
    char name[NAME_MAX];
    size_t first = t->row[0].baseline;
    bool is_one = true, is_same = true;
    for (size_t i = 0; i < t->n_rows; i++) {
        is_one = is_one && t->row[i].baseline == first;
        is_same = is_same && t->row[first].name && json_equal(t->row[t->row[i].baseline].name, t->row[first].name);
    }
    row_name(t, first, name);
    if (is_one) table_row_text(t, first, name, sizeof name);
    snprintf(buf, size,
             is_one    ? "%s (row %zu)"
             : is_same ? "%s of the same group"
                       : "the first row of the group",
             name, first + 1);
}

static void changes_explain(const struct layout *l, FILE *out) {
    char baseline[NAME_MAX + 32];
    const struct cell_kinds *k = &l->kinds;
    const struct {
        bool is_shown;
        const char *what;
    } parts[] = {
        {k->percentages, k->change_intervals ? "percentages of its value, +- in points" : "percentages of its value"},
        {k->ratios, "1/N and Nx where a percentage tells little"},
        {k->points, "pp are percentage points"},
        {k->differences, "differences of plain numbers and from 0"}};
    size_t n = 0;
    if (!k->changes) return;
    baseline_text(l->t, baseline, sizeof baseline);
    bool lacks = fewest_runs(l->t) < table_most_runs(l->t);
    fprintf(out, " Changes are against %s%s", baseline,
            lacks                 ? ", over the seeds that both rows have"
            : k->change_intervals ? ", paired by seed"
                                  : "");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].is_shown) fprintf(out, "%s%s", n++ ? "; " : ": ", parts[i].what);
    }
    fputc('.', out);
}

static void empty_print(const struct table *t, FILE *out) {
    for (size_t i = 0; i < t->empty.n; i++)
        fprintf(out, "%s%s%s", i ? ", " : " No run has a value of ", t->empty.of[i].path,
                i + 1 == t->empty.n ? "." : "");
}

/* Prints the columns that a list leaves out, all of them. Returns their number. */
static size_t left_out_print(const struct layout *l, FILE *out) {
    size_t n = 0;
    for (size_t c = 0; c < l->t->columns.n; c++) {
        bool is_out = !is_shown(l, c) && !is_same_in_all(l, c);
        if (is_out) fprintf(out, "%s%s", n ? ", " : "", l->t->columns.of[c].path);
        n += is_out;
    }
    return n;
}

static void further_print(const struct layout *l, FILE *out) {
    const struct table *t = l->t;
    char *left_out = NULL;
    size_t size;
    FILE *into = text_stream(&left_out, &size);
    size_t n = l->is_list ? left_out_print(l, into) : 0;
    text_stream_end(into, &left_out);
    if (t->further.n + n) fprintf(out, " Not shown: %s", left_out);
    for (size_t i = 0; i < t->further.n && i < FURTHER_LISTED; i++)
        fprintf(out, "%s%s", i + n ? ", " : "", t->further.of[i].path);
    if (t->further.n + n) fprintf(out, "%s (--columns METRIC,...).", t->further.n > FURTHER_LISTED ? ", ..." : "");
    if (t->n_rows > 1 && l->is_list && !t->asks_baseline)
        fprintf(out, " --baseline ROW shows changes against a row: its number, or a value of %s.", t->key);
    else if (t->n_rows > 1 && t->further.n)
        fprintf(out, " --baseline ROW compares with another row.");
    free(left_out);
}

/* Returns the notes of the columns that have values in the print. The caller frees them. */
static char *notes_make(const struct layout *l) {
    struct metric_columns c = {.of = memory_get(l->t->columns.n + 1, sizeof *c.of)};
    for (size_t i = 0; i < l->t->columns.n; i++) {
        if (!l->is_list || is_shown(l, i) || is_same_in_all(l, i)) c.of[c.n++] = l->t->columns.of[i];
    }
    char *notes = table_notes(&c);
    free(c.of);
    return notes;
}

static void notes_print(const struct layout *l, FILE *out) {
    const struct table *t = l->t;
    if (table_most_runs(t) == 0) return;
    char *text = NULL, *notes = notes_make(l);
    size_t size;
    FILE *into = text_stream(&text, &size);
    fputs(notes, into);
    if (table_most_runs(t) == 1) fprintf(into, " One seed: no spread is known.");
    changes_explain(l, into);
    if (l->kinds.ranges) fprintf(into, " a..b: an interval that reaches a.");
    empty_print(t, into);
    further_print(l, into);
    text_stream_end(into, &text);
    if (text[strspn(text, " ")]) fputc('\n', out);
    if (text[strspn(text, " ")]) fold_print(text + strspn(text, " "), l->width, INDENT, 0, out);
    free(notes);
    free(text);
}

/* ---- the table ---- */

static void group_print(const struct layout *l, size_t group, FILE *out) {
    const struct table_group *g = &l->t->group[group];
    char title[512];
    settings_text(g->settings, title, sizeof title);
    fputc('\n', out);
    fold_print(title[0] ? title : table_subject(l->t), l->width, 0, 2, out);
    rows_print(l, g->first, g->n, out);
    for (size_t i = g->first; i < g->first + g->n; i++) row_missing_print(l, i, out);
}

/* Prints the columns that have one value in all rows. */
static void same_print(const struct layout *l, FILE *out) {
    for (size_t c = 0; c < l->t->columns.n; c++) {
        const struct metric_column *column = &l->t->columns.of[c];
        const struct cell_text *x = text_at(l, 0, c);
        char line[METRIC_TEXT_MAX + 2 * CELL_TEXT_MAX + 32];
        if (!is_same_in_all(l, c)) continue;
        snprintf(line, sizeof line, "%s: %s%s%s in all rows", column->head, x->value, x->interval[0] ? " " : "",
                 x->interval);
        fold_print(line, l->width, INDENT, 2, out);
    }
}

/* Prints that no run of a group is done. */
static void absent_print(const struct layout *l, size_t group, FILE *out) {
    char title[512], line[600];
    settings_text(l->t->group[group].settings, title, sizeof title);
    snprintf(line, sizeof line, "%s: no run is done", title);
    fputc('\n', out);
    fold_print(line, l->width, 0, 2, out);
}

static void list_print(const struct layout *l, FILE *out) {
    fputc('\n', out);
    row_axes_explain(&l->axes, l->width, out);
    rows_print(l, 0, l->t->n_rows, out);
    same_print(l, out);
    for (size_t i = 0; i < l->t->n_rows; i++) row_missing_print(l, i, out);
}

void table_lines_print(const struct table *t, int width, FILE *out) {
    struct layout l = layout_make(t, width < LINES_WIDTH_MIN ? LINES_WIDTH_MIN : width);
    bool any = table_most_runs(t) > 0;
    means_print(&l, out);
    if (l.is_list) list_print(&l, out);
    for (size_t g = 0; g < t->n_groups && !l.is_list; g++) {
        if (!any || table_group_has_runs(t, g))
            group_print(&l, g, out);
        else
            absent_print(&l, g, out);
    }
    notes_print(&l, out);
    layout_free(&l);
}
