/* SPDX-License-Identifier: Apache-2.0 */
#include "study/figures/layout.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/figures/marks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Margins and gaps in pixels, for a font of 9 points. */
#define LEFT 76
#define LEFT_LETTERS 5 /* letters of a tic for which there is room in LEFT */
#define FOLDED 16      /* the second line of a label */
#define RIGHT 14
#define BOTTOM 52
#define BOTTOM_ROTATED 46 /* below names that stand askew, with the label of the axis */
#define ABOVE 24          /* a panel's title */
#define TITLE 28
#define LEGEND_ROW 20
#define TITLE_ROW 28
#define LETTER 7
#define LEGEND_MARK 96
#define TIC_GAP 18
#define TICS_MOST 11
#define GAP 6 /* under the legend */

static int scaled(const struct layout *l, int px) { return (int)lround(px * l->scale); }

static int panel_width(size_t columns) { return columns == 1 ? 540 : columns == 2 ? 390 : 310; }
static int panel_height(size_t columns) { return columns == 1 ? 330 : columns == 2 ? 280 : 250; }

/* Counts letters, not bytes, for text widths. */
static size_t letters(const char *text) {
    size_t n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

/* ---- extent of the data ---- */

struct extent {
    double low, high;
};

static void extent_add(struct extent *e, double value) {
    if (!isfinite(value)) return;
    e->low = value < e->low ? value : e->low;
    e->high = value > e->high ? value : e->high;
}

/* Returns the range of x. The panels of a distribution have a range each; all other figures share one. */
static struct extent x_extent(const struct plot *p, size_t panel) {
    struct extent e = {HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < p->n_panels; i++) {
        if (figure_shows_shares(p->figure) && i != panel) continue;
        for (size_t k = 0; k < p->panel[i].n; k++) {
            for (size_t j = 0; j < p->panel[i].curve[k].n; j++) extent_add(&e, p->panel[i].curve[k].point[j].x);
        }
    }
    return e;
}

static struct extent y_extent(const struct plot_panel *panel) {
    struct extent e = {HUGE_VAL, -HUGE_VAL};
    for (size_t k = 0; k < panel->n; k++) {
        for (size_t j = 0; j < panel->curve[k].n; j++) {
            extent_add(&e, panel->curve[k].point[j].low);
            extent_add(&e, panel->curve[k].point[j].high);
        }
    }
    return e;
}

static struct extent extent_with_marks(struct extent e, const struct plot_panel *panel) {
    double range[2] = {e.low, e.high};
    marks_extend(panel, range);
    return (struct extent){range[0], range[1]};
}

static bool are_powers_of_two(const struct plot *p) {
    int exponent;
    for (size_t k = 0; k < p->panel[0].n; k++) {
        for (size_t j = 0; j < p->panel[0].curve[k].n; j++) {
            if (frexp(p->panel[0].curve[k].point[j].x, &exponent) != 0.5) return false;
        }
    }
    return true;
}

/* ---- axes ---- */

static void x_axis(const struct plot *p, struct layout *l, size_t panel) {
    const struct figure *f = p->figure;
    struct extent e = x_extent(p, panel);
    if (figure_shows_shares(f)) e = extent_with_marks(e, &p->panel[panel]);
    double *range = l->x_range[panel];
    l->x_base = !f->log_x ? 0 : f->kind == FIGURE_LINES && are_powers_of_two(p) ? 2 : 10;
    double room = e.low < e.high ? (e.high - e.low) * 0.04 : e.low != 0 ? fabs(e.low) / 2 : 1;
    if (p->categories.n) {
        range[0] = f->kind == FIGURE_BARS ? -0.6 : -0.3;
        range[1] = (double)p->categories.n - 1 - range[0];
    } else if (f->log_x) {
        range[0] = e.low > 0 ? e.low / 1.15 : NAN;
        range[1] = e.high * 1.15;
    } else if (f->kind == FIGURE_RANK) {
        range[0] = 0;
        range[1] = e.high + 1;
    } else if (f->kind == FIGURE_LINES) {
        range[0] = e.low - room;
        range[1] = e.high + room;
    } else {
        range[0] = e.low >= 0 ? 0 : e.low;
        range[1] = e.high > range[0] ? e.high : range[0] + 1;
    }
    for (int i = 0; i < 2; i++) range[i] = isnan(f->x_range[i]) ? range[i] : f->x_range[i];
}

/* Returns true if a point or a mark lies below zero; intervals may, and a hundredth of the highest point is rounding. */
static bool goes_below_zero(const struct plot_panel *panel, double high) {
    double marks[2] = {0, 0};
    marks_extend(panel, marks);
    for (size_t k = 0; k < panel->n; k++) {
        for (size_t j = 0; j < panel->curve[k].n; j++) {
            if (panel->curve[k].point[j].y < -0.01 * high) return true;
        }
    }
    return marks[0] < 0;
}

/* Sets both ends, since lines and bands do not widen an axis whose ends gnuplot chooses. */
static void y_axis_close(bool is_log, struct extent e, double range[2]) {
    double room = (e.high - e.low) * 0.06;
    if (!(e.low < e.high) || (is_log && e.low <= 0)) return;
    if (isnan(range[0])) range[0] = is_log ? e.low / 1.2 : e.low - room;
    if (isnan(range[1])) range[1] = is_log ? e.high * 1.2 : e.high + room;
}

/* Returns the extent on a logarithmic axis: from the least point above 0, since an interval may reach below. */
static struct extent extent_above_zero(const struct plot_panel *panel, struct extent e) {
    if (e.low > 0) return e;
    e.low = e.high;
    for (size_t k = 0; k < panel->n; k++) {
        for (size_t j = 0; j < panel->curve[k].n; j++) {
            double y = panel->curve[k].point[j].y;
            if (y > 0 && y < e.low) e.low = y;
        }
    }
    return e;
}

/* Chooses the range of y: from zero where values cannot be negative, with room above the highest point. */
static void y_axis(const struct plot *p, size_t i, double range[2]) {
    const struct figure *f = p->figure;
    struct extent e = y_extent(&p->panel[i]);
    range[0] = range[1] = NAN;
    if (!figure_shows_shares(f)) e = extent_with_marks(e, &p->panel[i]);
    if (figure_shows_shares(f)) {
        /* Where nearly all values are the least one, the axis shows the rest. */
        range[0] = f->log_y ? NAN : e.low > 0.9 && e.low < 1 ? 1 - (1 - e.low) * 1.1 : 0;
        range[1] = 1;
    } else if (!f->log_y && (e.low >= 0 || !goes_below_zero(&p->panel[i], e.high))) {
        range[0] = 0;
        range[1] = e.high > 0 ? e.high * 1.06 : 1;
    } else if (!f->log_y && e.high <= 0) {
        range[1] = 0;
    }
    bool cut = f->log_y && e.low <= 0 && !figure_shows_shares(f);
    if (cut) e = extent_above_zero(&p->panel[i], e);
    if (!figure_shows_shares(f) && (cut || marks_have_values(&p->panel[i]))) y_axis_close(f->log_y, e, range);
    for (int k = 0; k < 2; k++) range[k] = isnan(f->y_range[k]) ? range[k] : f->y_range[k];
}

/* Returns true if all points of a figure of lines lie at whole numbers of x: a tic between them would mean nothing. */
static bool x_is_whole(const struct plot *p) {
    for (size_t i = 0; i < p->n_panels; i++) {
        for (size_t k = 0; k < p->panel[i].n; k++) {
            for (size_t j = 0; j < p->panel[i].curve[k].n; j++) {
                double x = p->panel[i].curve[k].point[j].x;
                if (x != floor(x)) return false;
            }
        }
    }
    return p->figure->kind == FIGURE_LINES;
}

double layout_step(const struct plot *p, const struct layout *l, size_t panel) {
    static const double of_decade[] = {1, 2, 5};
    const double *range = l->x_range[panel];
    double pixels = (l->panel[panel].right - l->panel[panel].left) * l->width, length = range[1] - range[0];
    if (!(length > 0) || !isfinite(length)) return 0;
    for (int i = 3 * ((int)floor(log10(length)) - 2);; i++) {
        double step = of_decade[((i % 3) + 3) % 3] * pow(10, floor(i / 3.0)), n = floor(length / step) + 1;
        char longest[32];
        int letters_of = snprintf(longest, sizeof longest, "%g", floor(range[1] / step) * step / l->x_unit.size);
        if (step < 1 && x_is_whole(p)) continue;
        if (n <= TICS_MOST && n * scaled(l, letters_of * LETTER + TIC_GAP) <= pixels) return step;
    }
}

/* ---- units ---- */

#define LONG 10000 /* a number of so many digits gets a larger unit */

/* Returns the unit for numbers up to `most` in `unit`. */
static struct axis_unit unit_for(const char *unit, double most) {
    static const char *const ladder[] = {"us", "ms", "s", NULL, "B", "KB", "MB", "GB", "TB", NULL};
    struct axis_unit u = {unit, 1};
    for (size_t i = 0; i + 1 < sizeof ladder / sizeof *ladder; i++) {
        if (!ladder[i] || !ladder[i + 1] || strcmp(ladder[i], u.name) != 0 || most < LONG * u.size) continue;
        u = (struct axis_unit){ladder[i + 1], u.size * 1000};
    }
    return u;
}

/* Returns true if the axis may have another unit than the data: the file gives no unit, scale, offset, range or reference for
 * it, and it is not logarithmic. */
static bool units_are_free(const struct figure *f) {
    const double *range = figure_shows_shares(f) ? f->x_range : f->y_range;
    bool is_log = figure_shows_shares(f) ? f->log_x : f->log_y;
    for (size_t i = 0; i < f->n_y; i++) {
        const struct figure_y *y = &f->y[i];
        if (!y->unit_is_free || y->scale != 1 || y->offset != 0) return false;
    }
    for (size_t i = 0; i < f->n_reference; i++) {
        if (!f->reference[i].on_x) return false;
    }
    return isnan(range[0]) && isnan(range[1]) && !is_log;
}

/* Returns the largest value of all panels with this unit. */
static double most_of(const struct plot *p, const char *unit) {
    double most = 0;
    for (size_t i = 0; i < p->n_panels; i++) {
        if (strcmp(p->panel[i].unit, unit) != 0) continue;
        most = fmax(most, figure_shows_shares(p->figure) ? x_extent(p, i).high : y_extent(&p->panel[i]).high);
    }
    return most;
}

static void units_make(const struct plot *p, struct layout *l) {
    bool is_free = units_are_free(p->figure), by_x = figure_shows_shares(p->figure);
    l->x_unit = (struct axis_unit){p->x_unit, 1};
    if (by_x && is_free) l->x_unit = unit_for(p->x_unit, most_of(p, p->x_unit));
    for (size_t i = 0; i < p->n_panels; i++) {
        const char *unit = p->panel[i].unit;
        l->y_unit[i] = is_free && !by_x ? unit_for(unit, most_of(p, unit)) : (struct axis_unit){unit, 1};
    }
}

/* ---- labels ---- */

static const char *unit_sign(const char *unit) { return strcmp(unit, "us") == 0 ? "\302\265s" : unit; }

static char *with_unit(const char *label, const char *unit) {
    char *text;
    const char *sign = unit_sign(unit);
    bool both = label[0] && sign[0];
    text = text_format("%s%s%s%s", label, both ? " (" : "", sign, both ? ")" : "");
    return text;
}

static char *x_label(const struct plot *p, const struct layout *l) {
    const struct figure *f = p->figure;
    const char *label = f->x_label;
    if (!label && figure_shows_shares(f)) label = f->n_y == 1 ? f->y[0].label : "";
    if (!label && f->kind == FIGURE_TIME) label = "time";
    if (!label && f->kind == FIGURE_RANK) label = "in the order of size";
    if (!label && f->x.n) {
        const char *dot = strrchr(f->x.key[0], '.');
        label = strcmp(f->x.key[0], "metric") == 0 ? "" : dot ? dot + 1 : f->x.key[0];
    }
    bool by_word = p->categories.n > 0;
    bool said = by_word || (f->x_label && strcmp(p->x_unit, "/s") == 0);
    return with_unit(label ? label : "", said ? "" : l->x_unit.name);
}

/* Returns true if `text` has this word. */
static bool has_word(const char *text, const char *word, size_t n) {
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, " ");
        if (length == n && strncmp(at, word, n) == 0) return true;
        at += length + (at[length] == ' ');
    }
    return false;
}

/* Returns the words that the metrics of all items have in common, "FCT" of their means and maxima: the label of an axis that
 * they share. "": none, or they are compared. */
static char *shared_words(const struct figure *f) {
    char first[METRIC_TEXT_MAX], other[METRIC_TEXT_MAX], words[METRIC_TEXT_MAX] = "";
    metric_label(f->y[0].metric, first);
    for (const char *at = first; *at;) {
        size_t n = strcspn(at, " "), used = strlen(words);
        bool all = true;
        for (size_t i = 0; i < f->n_y; i++) {
            if (f->y[i].as != AS_VALUE || f->y[i].per) return text_copy("");
            all = all && has_word(metric_label(f->y[i].metric, other), at, n);
        }
        if (all) snprintf(words + used, sizeof words - used, "%s%.*s", used ? " " : "", (int)n, at);
        at += n + (at[n] == ' ');
    }
    return text_copy(words);
}

/* Folds a label that is longer than its axis, at the blank nearest to its middle. */
static void label_fold(const struct layout *l, char *text, int pixels) {
    long length = (long)strlen(text), best = -1;
    if ((int)letters(text) * scaled(l, LETTER) <= pixels) return;
    for (long i = 0; i < length; i++) {
        if (text[i] == ' ' && (best < 0 || labs(2 * i - length) < labs(2 * best - length))) best = i;
    }
    if (best >= 0) text[best] = '\n';
}

static char *y_label(const struct plot *p, const struct layout *l, size_t i, int height) {
    const struct figure *f = p->figure;
    const struct plot_panel *panel = &p->panel[i];
    const char *share = f->kind == FIGURE_CCDF ? "share of at least x" : "cumulative share";
    if (figure_shows_shares(f)) return text_copy(f->y_label ? f->y_label : share);
    bool said_above = figure_part_has(&f->panels, "metric");
    char *shared = panel->quantity || said_above ? text_copy("") : shared_words(f);
    const char *label = f->y_label ? f->y_label : panel->quantity && !said_above ? panel->quantity : shared;
    char *text = with_unit(label, l->y_unit[i].name);
    free(shared);
    label_fold(l, text, height - scaled(l, BOTTOM + ABOVE));
    return text;
}

/* Makes the axis labels. A label that the panel to the left has too is left empty, and so are x labels above the lowest
 * row. */
static void labels_make(const struct plot *p, struct layout *l, int height) {
    for (size_t i = 0; i < p->n_panels; i++) {
        bool is_lowest = i + p->columns >= p->n_panels;
        l->x_label[i] = is_lowest ? x_label(p, l) : text_copy("");
        l->y_label[i] = y_label(p, l, i, height);
    }
    for (size_t i = p->n_panels; i-- > 0;) {
        if (i % p->columns == 0 || strcmp(l->y_label[i], l->y_label[i - 1]) != 0) continue;
        free(l->y_label[i]);
        l->y_label[i] = text_copy("");
    }
}

/* ---- sizes ---- */

/* The entries of a legend and the letters of the longest. */
struct entries {
    size_t n, longest;
};

static void entry_add(struct entries *e, const char *text) {
    size_t length = letters(text);
    e->n++;
    e->longest = length > e->longest ? length : e->longest;
}

/* Returns the rows that the legend needs, 0: there is no legend, and sets its columns. */
static size_t legend_rows(const struct plot *p, const struct layout *l, size_t *columns) {
    struct entries e = {0};
    const struct plot_mark *m;
    for (size_t s = 0; s < p->series.n; s++) {
        if (p->series.text[s][0] && plot_has_series(p, s)) entry_add(&e, p->series.text[s]);
    }
    for (size_t i = 0; (m = marks_legend(p, i)); i++) entry_add(&e, m->reference->label);
    size_t fit = (size_t)l->width / (e.longest * (size_t)scaled(l, LETTER) + (size_t)scaled(l, LEGEND_MARK));
    *columns = fit ? fit : 1;
    return e.n == 0 ? 0 : (e.n - 1) / *columns + 1;
}

/* ---- bars ---- */

/* Counts the bars among the first `series` names. */
static size_t bars_before(const struct plot *p, size_t series) {
    size_t n = 0;
    for (size_t s = 0; s < series; s++) n += plot_has_series(p, s);
    return n;
}

double layout_bar(const struct plot *p, size_t series, double *shift) {
    double bars = (double)bars_before(p, p->series.n);
    *shift = 0;
    if (series == PLOT_ALL_SERIES) return 0.8;
    *shift = ((double)bars_before(p, series) - (bars - 1) / 2) * 0.8 / bars;
    return 0.72 / bars;
}

/* Returns true if two names side by side are longer than the places of their categories, which are equally wide. */
static bool categories_are_long(const struct plot *p, const struct layout *l, int width) {
    size_t longest = 0;
    for (size_t i = 0; i < p->categories.n; i++) {
        size_t own = letters(p->categories.text[i]), before = i ? letters(p->categories.text[i - 1]) : own;
        longest = own + before > longest ? own + before : longest;
    }
    int half = (int)longest * scaled(l, LETTER) / 2 + 2 * scaled(l, LETTER);
    return half * (int)p->categories.n > width - scaled(l, LEFT + RIGHT);
}

/* Returns the room below a panel. A name that stands askew takes half its length. */
static int bottom_of(const struct plot *p, const struct layout *l) {
    size_t longest = 0;
    if (!l->rotates) return scaled(l, BOTTOM);
    for (size_t i = 0; i < p->categories.n; i++) {
        size_t n = letters(p->categories.text[i]);
        longest = n > longest ? n : longest;
    }
    return scaled(l, BOTTOM_ROTATED) + (int)longest * scaled(l, LETTER) / 2;
}

static bool labels_are_folded(const struct plot *p, const struct layout *l) {
    for (size_t i = 0; i < p->n_panels; i++) {
        if (strchr(l->y_label[i], '\n')) return true;
    }
    return false;
}

/* Returns the letters of the longest tic that gnuplot may choose for numbers in this range. */
static int tic_letters(const double range[2], bool is_log) {
    char text[32];
    int most = 0;
    double length = range[1] - range[0], power = is_log ? 0 : pow(10, floor(log10(length)));
    double step = length / power < 2 ? 0.2 * power : length / power < 5 ? 0.5 * power : power;
    if (!(length > 0) || !isfinite(length) || (is_log && range[0] <= 0)) return 0;
    double at = is_log ? pow(10, floor(log10(range[0]))) : ceil(range[0] / step) * step;
    for (int i = 0; i < 400 && at <= range[1] + step * 1e-6; i++, at = is_log ? at * 10 : at + step) {
        int n = snprintf(text, sizeof text, "%g", fabs(at) < step * 1e-6 ? 0 : at);
        most = n > most ? n : most;
    }
    return most;
}

/* Returns the letters of the longest tic of a column of panels. */
static int column_letters(const struct plot *p, const struct layout *l, size_t column) {
    int most = 0;
    for (size_t i = 0; i < p->n_panels; i++) {
        const double size = l->y_unit[i].size, range[2] = {l->y_range[i][0] / size, l->y_range[i][1] / size};
        int n = i % p->columns == column ? tic_letters(range, p->figure->log_y) : 0;
        most = n > most ? n : most;
    }
    return most;
}

static bool has_titles(const struct plot *p) { return p->n_panels > 1 || p->panel[0].title[0]; }

/* Returns the left margin of a column. Where the panels share their y axis, only the first has numbers. */
static int left_of(const struct plot *p, const struct layout *l, size_t column) {
    if (p->figure->share_y && column) return scaled(l, RIGHT);
    int more = column_letters(p, l, column) - LEFT_LETTERS;
    return scaled(l, LEFT + (labels_are_folded(p, l) ? FOLDED : 0) + (more > 0 ? more * LETTER : 0));
}

/* Places the panels. They are equally wide: `inner` is what the margins leave. */
static void panels_place(const struct plot *p, struct layout *l, int height, int bottom) {
    int above = scaled(l, has_titles(p) ? ABOVE : GAP), right = scaled(l, RIGHT), margins = 0;
    for (size_t i = 0; i < p->columns; i++) margins += left_of(p, l, i) + right;
    double inner = (double)(l->width - margins) / (double)p->columns;
    for (size_t i = 0; i < p->n_panels; i++) {
        size_t column = i % p->columns;
        int row = (int)(i / p->columns), rows = (int)((p->n_panels - 1) / p->columns), low = (rows - row) * height;
        double left = (double)column * inner;
        for (size_t k = 0; k <= column; k++) left += left_of(p, l, k) + (k < column ? right : 0);
        l->panel[i] = (struct box){left / l->width, (left + inner) / l->width, (double)(low + bottom) / l->height,
                                   (double)(low + height - above) / l->height};
    }
}

/* Gives all panels the range of y that holds those of each. */
static void y_share(const struct plot *p, struct layout *l) {
    for (int k = 0; p->figure->share_y && k < 2; k++) {
        double end = l->y_range[0][k];
        bool is_open = isnan(end);
        for (size_t i = 1; i < p->n_panels; i++) {
            is_open |= isnan(l->y_range[i][k]);
            end = k ? fmax(end, l->y_range[i][k]) : fmin(end, l->y_range[i][k]);
        }
        for (size_t i = 0; i < p->n_panels; i++) l->y_range[i][k] = is_open ? NAN : end;
    }
}

/* Closes the ends that gnuplot would choose for each panel by itself, where the panels share them. */
static void y_close_shared(const struct plot *p, struct layout *l) {
    struct extent e = {HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < p->n_panels; i++) {
        struct extent of = y_extent(&p->panel[i]);
        extent_add(&e, of.low > 0 || !p->figure->log_y ? of.low : NAN);
        extent_add(&e, of.high);
    }
    for (size_t i = 0; p->figure->share_y && i < p->n_panels; i++) y_axis_close(p->figure->log_y, e, l->y_range[i]);
}

/* Returns the height of a row of panels: by the number of panels, or as the figure says. `head`: height
 * of title and legend. */
static int panels_size(const struct plot *p, const struct layout *l, int head) {
    const struct figure *f = p->figure;
    int rows = (int)((p->n_panels - 1) / p->columns + 1), height = panel_height(p->columns);
    int width = panel_width(p->columns) * (int)p->columns;
    if (f->height_px > 0) return (int)((f->height_px - head) / rows);
    height = (int)lround((double)height * l->width / width);
    return height + bottom_of(p, l) - scaled(l, BOTTOM);
}

static bool is_blank(const char *text) { return text[strspn(text, " ")] == '\0'; }

static void ranges_make(const struct plot *p, struct layout *l) {
    for (size_t i = 0; i < p->n_panels; i++) {
        x_axis(p, l, i);
        y_axis(p, i, l->y_range[i]);
    }
    y_share(p, l);
    y_close_shared(p, l);
}

/* Returns the height of the title in pixels. */
static int title_make(struct layout *l, const char *title) {
    l->title = text_copy(is_blank(title) ? "" : title);
    label_fold(l, l->title, l->width * 7 / 8);
    if (!l->title[0]) return scaled(l, GAP);
    return scaled(l, TITLE) + (strchr(l->title, '\n') ? scaled(l, TITLE_ROW) : 0);
}

void layout_make(const struct plot *p, const char *title, struct layout *l) {
    const struct figure *f = p->figure;
    *l = (struct layout){.scale = f->font_pt / 9};
    l->panel = memory_get(p->n_panels, sizeof *l->panel);
    l->x_range = memory_get(p->n_panels, sizeof *l->x_range);
    l->y_range = memory_get(p->n_panels, sizeof *l->y_range);
    l->y_unit = memory_get(p->n_panels, sizeof *l->y_unit);
    l->x_label = memory_get(p->n_panels + 1, sizeof *l->x_label);
    l->y_label = memory_get(p->n_panels + 1, sizeof *l->y_label);
    size_t rows = (p->n_panels - 1) / p->columns + 1;
    l->width = f->width_px > 0 ? (int)lround(f->width_px) : panel_width(p->columns) * (int)p->columns;
    l->rotates = categories_are_long(p, l, l->width / (int)p->columns);
    int legend = (int)legend_rows(p, l, &l->legend_columns) * scaled(l, LEGEND_ROW), gap = legend ? scaled(l, GAP) : 0;
    int head = title_make(l, title), height = panels_size(p, l, head + legend + gap);
    l->height = head + legend + gap + height * (int)rows;
    l->title_at = 1 - head * 0.5 / l->height;
    l->legend = (struct box){0.01, 0.99, 1 - (double)(head + legend) / l->height, 1 - (double)head / l->height};
    ranges_make(p, l);
    units_make(p, l);
    labels_make(p, l, height);
    panels_place(p, l, height, bottom_of(p, l));
}

void layout_free(struct layout *l) {
    for (size_t i = 0; l->x_label && l->x_label[i]; i++) {
        free(l->x_label[i]);
        free(l->y_label[i]);
    }
    free(l->x_label);
    free(l->y_label);
    free(l->title);
    free(l->x_range);
    free(l->y_range);
    free(l->y_unit);
    free(l->panel);
}
