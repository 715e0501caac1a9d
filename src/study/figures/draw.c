/* SPDX-License-Identifier: Apache-2.0 */
#include "study/figures/draw.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/experiment/sha256.h"
#include "study/figures/layout.h"
#include "study/figures/marks.h"
#include "study/print/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCRIPT_MARK "heddle report --figures wrote it"

/* ---- words of a script ---- */

/* Prints a quoted string that gnuplot takes literally. Characters with a meaning between double quotes are written as
 * numbers (single quotes would lose an apostrophe at the start); control characters become blanks. */
static void quoted(FILE *out, const char *text) {
    putc('"', out);
    for (; *text; text++) {
        if (strchr("\"\\`", *text))
            fprintf(out, "\\%03o", (unsigned char)*text);
        else
            putc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
    putc('"', out);
}

/* Prints a quoted label of a tic, which gnuplot reads as a format. */
static void quoted_tic(FILE *out, const char *text) {
    size_t n = 0;
    char *twice = memory_get(2 * strlen(text) + 1, 1);
    for (; *text; text++) {
        if (*text == '%') twice[n++] = '%';
        twice[n++] = *text;
    }
    quoted(out, twice);
    free(twice);
}

/* Prints a text of one or two lines. */
static void lines(FILE *out, const char *text) {
    for (const char *line = text;; fprintf(out, ".\"\\n\".")) {
        char part[256];
        size_t n = strcspn(line, "\n");
        snprintf(part, sizeof part, "%.*s", (int)n, line);
        quoted(out, part);
        if (!line[n]) break;
        line += n + 1;
    }
}

static void comment(FILE *out, const char *text) {
    fputs("# ", out);
    for (; *text; text++) putc((unsigned char)*text < ' ' ? ' ' : *text, out);
    putc('\n', out);
}

static void place(FILE *out, double value) { fprintf(out, "%.4f", value); }

/* Prints a function with a decimal point in every number: 1/2 is 0.5 in an experiment and 0 in gnuplot. */
static void function(FILE *out, const char *text) {
    while (*text) {
        size_t n = strspn(text, "0123456789.");
        fprintf(out, "%.*s%s", (int)n, text, n && !memchr(text, '.', n) ? ".0" : "");
        text += n;
        if (*text) putc(*text++, out);
    }
}

/* ---- looks ---- */

/* Colours of Okabe and Ito; dashes and points tell the curves apart in black and white. */
static const struct {
    const char *colour, *dash;
    int point;
} looks[] = {
    {"#222222", "1", 7},      {"#0072b2", "'-'", 5},  {"#d55e00", "'.-'", 9},  {"#009e73", "'_'", 13},
    {"#cc79a7", "'-..'", 11}, {"#56b4e9", "'. '", 6}, {"#e69f00", "'__.'", 4}, {"#7f7f00", "'--.'", 8},
};
#define N_LOOKS (sizeof looks / sizeof *looks)

const char *draw_series_colour(size_t series) { return looks[series % N_LOOKS].colour; }

/* The fill of bars, which have the colours of curves: 0 is solid, others are gnuplot's patterns. Two colours of like
 * lightness differ in print by a pattern. */
static const int fills[N_LOOKS] = {0, 0, 4, 0, 5, 0, 6, 7};

static void styles_print(FILE *out, const struct plot *p) {
    bool bars = p->figure->kind == FIGURE_BARS;
    for (size_t s = 0; s < p->series.n; s++) {
        size_t look = s % N_LOOKS;
        if (bars) {
            fprintf(out, "    set style line %zu lc rgb '%s' lw 1\n", s + 1, looks[look].colour);
        } else {
            fprintf(out, "    set style line %zu lc rgb '%s' dt %s pt %d ps 0.6 lw 1.8\n", s + 1, looks[look].colour,
                    looks[look].dash, looks[look].point);
        }
    }
    fprintf(out, "    set style line 100 lc rgb '#666666' dt 2 lw 1.2\n");
}

static void style_of_curve(FILE *out, const struct plot *p, size_t series) {
    if (p->figure->kind == FIGURE_BARS) {
        fprintf(out, "with boxes ls %zu fs ", series + 1);
        int fill = fills[series % N_LOOKS];
        fprintf(out, fill ? "pattern %d" : "solid 1.0", fill);
        fprintf(out, " border lc rgb '#222222'");
    } else if (p->figure->kind == FIGURE_LINES) {
        fprintf(out, "with linespoints ls %zu", series + 1);
    } else {
        bool steps = figure_shows_values(p->figure);
        const char *kind = p->figure->kind == FIGURE_CCDF ? "fsteps" : steps ? "steps" : "lines";
        fprintf(out, "with %s ls %zu", kind, series + 1);
    }
}

/* ---- data ---- */

static const char *category_of(const struct plot *p, double x) {
    return p->categories.n ? p->categories.text[(size_t)x] : NULL;
}

static void points_write(struct csv *c, const struct plot *p, const struct plot_panel *panel,
                         const struct plot_curve *curve, int64_t number) {
    for (size_t i = 0; i < curve->n; i++) {
        const struct plot_point *q = &curve->point[i];
        csv_integer(c, number);
        csv_number(c, q->x);
        csv_number(c, q->y);
        csv_number(c, q->low);
        csv_number(c, q->high);
        csv_integer(c, q->n);
        csv_text(c, panel->title);
        csv_text(c, p->series.text[curve->series]);
        csv_text(c, category_of(p, q->x));
        csv_text(c, panel->unit);
        csv_row_end(c);
    }
}

static void data_write(FILE *out, const struct plot *p) {
    static const char *const head[] = {"curve", "x",     "y",      "y_low",    "y_high",
                                       "n",     "panel", "series", "category", "unit"};
    struct csv c = {.out = out};
    int64_t number = 0;
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) csv_text(&c, head[i]);
    csv_row_end(&c);
    for (size_t i = 0; i < p->n_panels; i++) {
        for (size_t k = 0; k < p->panel[i].n; k++) points_write(&c, p, &p->panel[i], &p->panel[i].curve[k], number++);
    }
}

/* ---- a table ---- */

static double table_cell(const struct plot *p, size_t panel, size_t series, double x) {
    for (size_t k = 0; k < p->panel[panel].n; k++) {
        const struct plot_curve *c = &p->panel[panel].curve[k];
        for (size_t i = 0; c->series == series && i < c->n; i++) {
            if (c->point[i].x == x) return c->point[i].y;
        }
    }
    return NAN;
}

static void table_head(struct csv *c, const struct plot *p) {
    char text[600];
    if (p->figure->panels.n) csv_text(c, "panel");
    csv_text(c, p->figure->x_label ? p->figure->x_label : p->figure->x.key[0]);
    for (size_t s = 0; s < p->series.n; s++) {
        const char *name = p->series.text[s][0] ? p->series.text[s] : p->figure->y[0].label;
        const char *unit = p->panel[0].unit;
        snprintf(text, sizeof text, "%s%s%s%s", name, unit[0] ? " (" : "", unit, unit[0] ? ")" : "");
        csv_text(c, text);
    }
    csv_row_end(c);
}

static void table_write(FILE *out, const struct plot *p) {
    struct csv c = {.out = out};
    table_head(&c, p);
    for (size_t i = 0; i < p->n_panels; i++) {
        for (size_t x = 0; x < p->categories.n; x++) {
            if (p->figure->panels.n) csv_text(&c, p->panel[i].title);
            csv_text(&c, p->categories.text[x]);
            for (size_t s = 0; s < p->series.n; s++) csv_number(&c, table_cell(p, i, s, (double)x));
            csv_row_end(&c);
        }
    }
}

/* ---- one panel ---- */

static void axis_label(FILE *out, const char *axis, const char *label) {
    fprintf(out, "    set %slabel ", axis);
    lines(out, label);
    /* keeps the second line clear of the numbers */
    fprintf(out, "%s\n", strchr(label, '\n') ? " offset -1,0" : "");
}

static void categories_print(FILE *out, const struct plot *p, const struct layout *l) {
    fprintf(out, "    set xtics %s(", l->rotates ? "rotate by 30 right " : "");
    for (size_t i = 0; i < p->categories.n; i++) {
        fputs(i ? ", " : "", out);
        quoted_tic(out, p->categories.text[i]);
        fprintf(out, " %zu", i);
    }
    fprintf(out, ") nomirror\n");
}

static void range_print(FILE *out, const char *axis, double low, double high) {
    char from[32] = "*", to[32] = "*";
    if (isfinite(low)) number_print(low, from);
    if (isfinite(high)) number_print(high, to);
    fprintf(out, "    set %srange [%s:%s]\n", axis, from, to);
}

static void panel_place(FILE *out, const struct box *b) {
    fprintf(out, "    set lmargin at screen ");
    place(out, b->left);
    fprintf(out, "\n    set rmargin at screen ");
    place(out, b->right);
    fprintf(out, "\n    set tmargin at screen ");
    place(out, b->top);
    fprintf(out, "\n    set bmargin at screen ");
    place(out, b->bottom);
    fputc('\n', out);
}

/* Prints the x of a curve; bars of one category stand side by side. */
static void curve_x(FILE *out, const struct plot *p, const struct plot_curve *c, size_t number, double size) {
    double shift = 0;
    if (p->figure->kind == FIGURE_BARS) layout_bar(p, c->series, &shift);
    fprintf(out, "DATA skip 1 using ($1==%zu?$2", number);
    if (size != 1) fprintf(out, "/%.10g", size);
    if (shift != 0) fprintf(out, "%+.4f", shift);
    fprintf(out, ":NaN)");
}

/* Prints a column of the data, or the difference of two, in the unit of the axis. */
static void column(FILE *out, const char *what, double size) {
    if (size == 1)
        fprintf(out, strchr(what, '-') ? ":(%s)" : ":%s", strchr(what, '-') ? what : what + 1);
    else
        fprintf(out, strchr(what, '-') ? ":((%s)/%.10g)" : ":(%s/%.10g)", what, size);
}

/* Prints a column of the data that stays within the axis, in its unit: gnuplot cuts curves there, but not bands. */
static void column_above(FILE *out, const char *what, double low, double size) {
    char bounded[80];
    if (isnan(low)) {
        column(out, what, size);
        return;
    }
    snprintf(bounded, sizeof bounded, "(%s<%.17g?%.17g:%s)", what, low, low, what);
    fprintf(out, size == 1 ? ":%s" : ":(%s/%.10g)", bounded, size);
}

static bool has_spread(const struct plot_curve *c) {
    for (size_t i = 0; i < c->n; i++) {
        if (c->point[i].low < c->point[i].high) return true;
    }
    return false;
}

/* Prints the curves of a panel. The 95 % interval over seeds is a band under a curve, a whisker on a bar. */
static void panel_curves(FILE *out, const struct plot *p, const struct layout *l, size_t i, size_t first) {
    const struct plot_panel *panel = &p->panel[i];
    const double x_size = l->x_unit.size, size = l->y_unit[i].size;
    const char *next = "    plot ";
    bool has_bands = p->figure->kind != FIGURE_BARS && p->figure->band != BAND_NONE;
    for (size_t k = 0; has_bands && k < panel->n; k++) {
        const struct plot_curve *c = &panel->curve[k];
        if (!has_spread(c)) continue;
        fputs(next, out);
        curve_x(out, p, c, first + k, x_size);
        column_above(out, "$4", l->y_range[i][0], size);
        column(out, "$5", size);
        fprintf(out, " with filledcurves fc rgb '%s' fs transparent solid 0.18 noborder notitle",
                looks[c->series % N_LOOKS].colour);
        next = ", \\\n         ";
    }
    for (size_t k = 0; k < panel->n; k++) {
        const struct plot_curve *c = &panel->curve[k];
        fputs(next, out);
        curve_x(out, p, c, first + k, x_size);
        column(out, "$3", size);
        putc(' ', out);
        style_of_curve(out, p, c->series);
        fprintf(out, " notitle");
        next = ", \\\n         ";
        if (p->figure->kind != FIGURE_BARS || !has_spread(c)) continue;
        fputs(next, out);
        curve_x(out, p, c, first + k, x_size);
        column(out, "$4", size);
        fputs(":(0)", out);
        column(out, "$5-$4", size);
        fprintf(out, " with vectors heads size graph 0.012,90 lc rgb '#777777' lw 1.5 notitle");
    }
    for (size_t k = 0; k < panel->n_marks; k++) {
        if (!panel->mark[k].reference->function) continue;
        fputs(next, out);
        function(out, panel->mark[k].reference->function);
        putc(' ', out);
        marks_look(out, p, &panel->mark[k]);
        fprintf(out, " notitle");
        next = ", \\\n         ";
    }
    fputc('\n', out);
}

#define TICS_MAX 10

/* Collects the places on x that have points, in order. Returns 0 if there are too many. */
static size_t places_of(const struct plot *p, double at[TICS_MAX]) {
    size_t n = 0;
    for (size_t i = 0; i < p->n_panels; i++) {
        for (size_t k = 0; k < p->panel[i].n; k++) {
            for (size_t j = 0; j < p->panel[i].curve[k].n; j++) {
                double x = p->panel[i].curve[k].point[j].x;
                size_t place = 0;
                while (place < n && at[place] < x) place++;
                if (place < n && at[place] == x) continue;
                if (n == TICS_MAX) return 0;
                memmove(at + place + 1, at + place, (n++ - place) * sizeof *at);
                at[place] = x;
            }
        }
    }
    return n;
}

/* Collects 1, 2 and 5 of every decade in the range. Returns 0 if the decades are enough. */
static size_t steps_of(const double range[2], double at[TICS_MAX]) {
    static const double step[] = {1, 2, 5};
    size_t n = 0;
    if (!(range[0] > 0) || range[1] / range[0] > 300) return 0;
    int first = (int)floor(log10(range[0]));
    for (int i = 0; i < 12; i++) {
        int decade = first + i / 3;
        double x = pow(10, decade) * step[i % 3];
        if (x >= range[0] * 0.999 && x <= range[1] * 1.001 && n < TICS_MAX) at[n++] = x;
    }
    return n;
}

/* Prints the tics of a logarithmic axis. On a short axis, or with few points, tics stand at the points. */
static void log_tics_print(FILE *out, const struct plot *p, const double range[2]) {
    double at[TICS_MAX];
    size_t n = p->figure->kind == FIGURE_LINES ? places_of(p, at) : steps_of(range, at);
    for (size_t i = 0; i < n; i++) {
        double size = at[i] >= 1e6 ? 1e6 : at[i] >= 1e4 ? 1e3 : 1;
        const char *letter = size == 1e6 ? "M" : size == 1e3 ? "k" : "";
        fprintf(out, "%s'%g%s' %.10g", i ? ", " : "    set xtics (", at[i] / size, letter, at[i]);
    }
    if (n) fprintf(out, ") nomirror\n");
}

static void panel_print(FILE *out, const struct plot *p, const struct layout *l, size_t i, size_t first) {
    panel_place(out, &l->panel[i]);
    fprintf(out, "    set title ");
    quoted(out, p->panel[i].title);
    fprintf(out, " offset 0,-0.6\n");
    axis_label(out, "x", l->x_label[i]);
    axis_label(out, "y", l->y_label[i]);
    if (p->figure->share_y && p->n_panels > 1)
        fprintf(out, "    set format y '%s'\n",
                i % p->columns                         ? ""
                : p->figure->log_x || p->figure->log_y ? "%g"
                                                       : "% h");
    range_print(out, "x", l->x_range[i][0] / l->x_unit.size, l->x_range[i][1] / l->x_unit.size);
    range_print(out, "y", l->y_range[i][0] / l->y_unit[i].size, l->y_range[i][1] / l->y_unit[i].size);
    double step = l->x_base || p->categories.n ? 0 : layout_step(p, l, i);
    if (step > 0) fprintf(out, "    set xtics %.10g nomirror\n", step / l->x_unit.size);
    if (l->x_base == 10) log_tics_print(out, p, l->x_range[i]);
    marks_set(out, p, l, i);
    panel_curves(out, p, l, i, first);
    marks_unset(out, &p->panel[i]);
}

/* ---- legend and frame ---- */

/* Prints the legend in a strip of its own above the panels, so that it covers nothing. */
static void legend_print(FILE *out, const struct plot *p, const struct layout *l) {
    if (l->legend.top <= l->legend.bottom) return;
    panel_place(out, &l->legend);
    fprintf(out,
            "    unset border; unset tics; unset xlabel; unset ylabel; unset title; unset grid; unset logscale\n"
            "    set xrange [0:1]; set yrange [0:1]\n"
            "    set key center center horizontal maxcols %zu Left reverse samplen %s spacing 1.1 width 1\n    plot ",
            l->legend_columns, p->figure->kind == FIGURE_BARS ? "1.5" : "3");
    size_t n = 0;
    for (size_t s = 0; s < p->series.n; s++) {
        if (!p->series.text[s][0] || !plot_has_series(p, s)) continue;
        fputs(n++ ? ", \\\n         " : "", out);
        fprintf(out, "NaN ");
        style_of_curve(out, p, s);
        fprintf(out, " title ");
        quoted(out, p->series.text[s]);
    }
    const struct plot_mark *m;
    for (size_t i = 0; (m = marks_legend(p, i)); i++) {
        fputs(n++ ? ", \\\n         " : "", out);
        fprintf(out, "NaN ");
        marks_look(out, p, m);
        fprintf(out, " title ");
        quoted(out, m->reference->label);
    }
    fputc('\n', out);
}

static void frame_print(FILE *out, const struct plot *p, const struct layout *l) {
    const struct figure *f = p->figure;
    fprintf(out, "    set border 3 lc rgb '#444444'; unset key; set grid ytics lc rgb '#dddddd' lt 1 lw 0.7\n"
                 "    set xtics nomirror scale 0.6; set ytics nomirror scale 0.6 autofreq\n");
    if (l->x_base) fprintf(out, "    set logscale x %d\n", l->x_base);
    if (f->log_y) fprintf(out, "    set logscale y\n");
    if (f->log_x || f->log_y) fprintf(out, "    set format '%%g'\n");
    double shift;
    if (f->kind == FIGURE_BARS) fprintf(out, "    set boxwidth %.4f\n", layout_bar(p, 0, &shift));
    if (p->categories.n) categories_print(out, p, l);
}

/* The sizes of fonts are in points; a pixel of the SVG is 1/96 of an inch. The PNG has twice as many pixels. */
static void terminal_print(FILE *out, const struct plot *p, const struct layout *l, const char *name) {
    const char *font = p->figure->font ? p->figure->font : "Helvetica";
    double points = p->figure->font_pt;
    fprintf(out,
            "    if (kind eq 'svg') { set terminal svg noenhanced size %d,%d fixed font '%s,%g' "
            "background '#ffffff' }\n"
            "    if (kind eq 'pdf') { set terminal pdfcairo noenhanced size %.2fin,%.2fin font '%s,%g' }\n"
            "    if (kind eq 'png') { set terminal pngcairo noenhanced size %d,%d font '%s,%g' fontscale 2 linewidth 2 "
            "pointscale 2 }\n"
            "    set output '%s.'.kind\n"
            "    set multiplot\n",
            l->width, l->height, font, points * 4 / 3, l->width / 96.0, l->height / 96.0, font, points, 2 * l->width,
            2 * l->height, font, points, name);
}

static void script_write(FILE *out, const struct plot *p, const struct layout *l, const char *title, const char *name) {
    comment(out, title);
    fprintf(out,
            "# `gnuplot %s.gp` draws %s.svg, .pdf and .png from %s.csv. " SCRIPT_MARK
            "; restyle it as you like: a script "
            "that was changed is kept.\n",
            name, name, name);
    /* `reset` clears everything that the first picture set, also the separator. */
    fprintf(out,
            "DATA = '%s.csv'\ndo for [kind in 'svg pdf png'] {\n    reset\n    set encoding utf8\n"
            "    set datafile separator comma\n    set samples 400\n",
            name);
    styles_print(out, p);
    terminal_print(out, p, l, name);
    fprintf(out, "    set label 1 ");
    lines(out, l->title);
    fprintf(out, " at screen 0.5,%.4f center font ',%g'\n", l->title_at, p->figure->font_pt * 13 / 9);
    /* The first plot prints the title. */
    bool has_legend = l->legend.top > l->legend.bottom;
    legend_print(out, p, l);
    if (has_legend) fprintf(out, "    unset label 1\n");
    frame_print(out, p, l);
    for (size_t i = 0, first = 0; i < p->n_panels; first += p->panel[i++].n) {
        panel_print(out, p, l, i, first);
        if (i == 0 && !has_legend) fprintf(out, "    unset label 1\n");
    }
    fprintf(out, "    unset multiplot\n    unset output\n}\n");
}

/* ---- files ---- */

void draw_data(FILE *out, const struct plot *p) {
    if (p->figure->kind == FIGURE_TABLE)
        table_write(out, p);
    else
        data_write(out, p);
}

#define SEAL "# as heddle wrote it: "

bool draw_script(FILE *out, const struct plot *p, const char *title, const char *name) {
    char *text = NULL, hex[SHA256_TEXT];
    size_t size = 0;
    FILE *script = text_stream(&text, &size);
    struct layout l;
    layout_make(p, title, &l);
    script_write(script, p, &l, title, name);
    layout_free(&l);
    text_stream_end(script, &text);
    bool ok = fwrite(text, 1, size, out) == size;
    sha256_text(text, size, hex);
    free(text);
    return ok && fprintf(out, SEAL "%s\n", hex) > 0;
}

/* ---- ownership of a script ---- */

#define SCRIPT_MAX (1 << 22)

enum draw_script_state draw_script_state(FILE *in) {
    char *text = memory_get(SCRIPT_MAX + 1, 1), *seal = NULL, hex[SHA256_TEXT];
    size_t n = fread(text, 1, SCRIPT_MAX, in);
    enum draw_script_state state = SCRIPT_FOREIGN;
    if (memmem(text, n, SCRIPT_MARK, strlen(SCRIPT_MARK))) state = SCRIPT_RESTYLED;
    for (char *at = text; (at = strstr(at, SEAL)); at++) seal = at;
    if (state == SCRIPT_RESTYLED && seal) {
        sha256_text(text, (size_t)(seal - text), hex);
        const char *rest = seal + strlen(SEAL);
        if (strncmp(rest, hex, strlen(hex)) == 0 && strcmp(rest + strlen(hex), "\n") == 0) state = SCRIPT_OURS;
    }
    free(text);
    return state;
}
