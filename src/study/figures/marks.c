/* SPDX-License-Identifier: Apache-2.0 */
#include "study/figures/marks.h"

#include "study/figures/draw.h"

#include <math.h>
#include <string.h>

#define GREY "#666666"
#define ON_BARS "#c00000"
/* Half the width of a mark at one place, as a share of its axis. */
#define HALF 0.015

const char *marks_colour(const struct plot *p, const struct plot_mark *m) {
    if (p->figure->kind == FIGURE_BARS) return ON_BARS;
    return m->series == PLOT_ALL_SERIES ? GREY : draw_series_colour(m->series);
}

/* ---- values ---- */

static bool is_object(const struct plot_mark *m) { return !m->reference->function; }

/* Returns true if the mark lies at values: not at times on x. */
static bool has_values(const struct plot_mark *m) { return is_object(m) && !m->reference->on_x; }

bool marks_have_values(const struct plot_panel *panel) {
    for (size_t i = 0; i < panel->n_marks; i++) {
        if (has_values(&panel->mark[i])) return true;
    }
    return false;
}

void marks_extend(const struct plot_panel *panel, double range[2]) {
    for (size_t i = 0; i < panel->n_marks; i++) {
        const struct figure_reference *r = panel->mark[i].reference;
        const double end[2] = {r->low, r->high};
        for (int k = 0; k < 2 && has_values(&panel->mark[i]); k++) {
            if (isnan(end[k])) continue;
            range[0] = fmin(range[0], end[k]);
            range[1] = fmax(range[1], end[k]);
        }
    }
}

/* ---- places ---- */

/* The place of a line or band on one axis; NaN: the frame. */
struct side {
    double from, to;
};

/* Returns the room that a mark from `low` to `high` takes on an axis of this range. */
static struct side widened(double low, double high, const double range[2], bool is_log) {
    if (isnan(low) || isnan(range[0]) || isnan(range[1])) return (struct side){low, high};
    if (is_log) {
        double factor = pow(range[1] / range[0], HALF);
        return (struct side){low / factor, high * factor};
    }
    double half = (range[1] - range[0]) * HALF;
    return (struct side){low - half, high + half};
}

/* Returns the place on x: the bars of its category or of its series there, its range of numbers, or all. */
static struct side x_side(const struct plot *p, const struct layout *l, size_t panel, const struct plot_mark *m) {
    double shift = 0;
    if (!p->categories.n || isnan(m->x[0])) return widened(m->x[0], m->x[1], l->x_range[panel], l->x_base != 0);
    double width = p->figure->kind == FIGURE_BARS ? layout_bar(p, m->series, &shift) : 4 * HALF;
    return (struct side){m->x[0] + shift - width / 2, m->x[0] + shift + width / 2};
}

/* Returns true if the numbers of the mark are numbers of x. */
static bool is_on_x(const struct plot *p, const struct plot_mark *m) {
    return figure_shows_shares(p->figure) || m->reference->on_x;
}

/* Returns the place on the axis that its numbers are not of: x, the share of a cdf, or all of y. */
static struct side across(const struct plot *p, const struct layout *l, size_t panel, const struct plot_mark *m) {
    if (m->reference->on_x) return (struct side){NAN, NAN};
    if (!figure_shows_shares(p->figure)) return x_side(p, l, panel, m);
    return widened(m->reference->at, m->reference->at, l->y_range[panel], p->figure->log_y);
}

static bool is_short(const struct plot_mark *m) { return !isnan(m->x[0]) || !isnan(m->reference->at); }

/* ---- objects ---- */

static void coordinate(FILE *out, double at, int edge) {
    if (isnan(at))
        fprintf(out, "graph %d", edge);
    else
        fprintf(out, "first %.10g", at);
}

/* Prints a corner: `along` lies on the axis of the mark's numbers. */
static void corner(FILE *out, bool on_x, double along, double across, int edge) {
    coordinate(out, on_x ? along : across, edge);
    fputs(", ", out);
    coordinate(out, on_x ? across : along, edge);
}

/* Prints a line at a value; nothing if the axis does not reach it. */
static void line_set(FILE *out, const struct plot *p, const struct plot_mark *m, double value, struct side across,
                     const double range[2]) {
    bool on_x = is_on_x(p, m);
    if (isnan(value) || value < range[0] || value > range[1]) return;
    fprintf(out, "    set arrow from ");
    corner(out, on_x, value, across.from, 0);
    fprintf(out, " to ");
    corner(out, on_x, value, across.to, 1);
    bool is_value = m->reference->low == m->reference->high;
    fprintf(out, " nohead %s lc rgb '%s' %s\n", p->figure->kind == FIGURE_BARS ? "front" : "back", marks_colour(p, m),
            is_value && is_short(m) ? "dt 1 lw 2.5" : "dt 2 lw 1.4");
}

static void band_set(FILE *out, const struct plot *p, const struct plot_mark *m, struct side across) {
    bool on_x = is_on_x(p, m);
    fprintf(out, "    set object rectangle from ");
    corner(out, on_x, m->reference->low, across.from, 0);
    fprintf(out, " to ");
    corner(out, on_x, m->reference->high, across.to, 1);
    fprintf(out, " %s fc rgb '%s' fs transparent solid 0.15 noborder\n",
            p->figure->kind == FIGURE_BARS ? "front" : "behind", marks_colour(p, m));
}

void marks_set(FILE *out, const struct plot *p, const struct layout *l, size_t i) {
    for (size_t k = 0; k < p->panel[i].n_marks; k++) {
        const struct plot_mark *m = &p->panel[i].mark[k];
        if (!is_object(m) || (m->series != PLOT_ALL_SERIES && !plot_has_series(p, m->series))) continue;
        const double *range = is_on_x(p, m) ? l->x_range[i] : l->y_range[i];
        struct side side = across(p, l, i, m);
        line_set(out, p, m, m->reference->low, side, range);
        if (m->reference->low == m->reference->high) continue;
        line_set(out, p, m, m->reference->high, side, range);
        band_set(out, p, m, side);
    }
}

void marks_unset(FILE *out, const struct plot_panel *panel) {
    for (size_t i = 0; i < panel->n_marks; i++) {
        if (!is_object(&panel->mark[i])) continue;
        fprintf(out, "    unset object; unset arrow\n");
        return;
    }
}

/* ---- legend ---- */

static bool look_alike(const struct plot *p, const struct plot_mark *a, const struct plot_mark *b) {
    const struct figure_reference *r = a->reference, *s = b->reference;
    bool same_form = !r->function == !s->function && (r->low == r->high) == (s->low == s->high);
    return s->label && strcmp(r->label, s->label) == 0 && same_form &&
           strcmp(marks_colour(p, a), marks_colour(p, b)) == 0;
}

/* Returns mark number k of all panels; NULL behind the last. */
static const struct plot_mark *mark_at(const struct plot *p, size_t k) {
    for (size_t i = 0; i < p->n_panels; i++) {
        if (k < p->panel[i].n_marks) return &p->panel[i].mark[k];
        k -= p->panel[i].n_marks;
    }
    return NULL;
}

static bool is_first_of_its_look(const struct plot *p, size_t k) {
    const struct plot_mark *m = mark_at(p, k);
    if (!m->reference->label) return false;
    for (size_t i = 0; i < k; i++) {
        if (look_alike(p, m, mark_at(p, i))) return false;
    }
    return true;
}

const struct plot_mark *marks_legend(const struct plot *p, size_t i) {
    for (size_t k = 0; mark_at(p, k); k++) {
        if (is_first_of_its_look(p, k) && i-- == 0) return mark_at(p, k);
    }
    return NULL;
}

void marks_look(FILE *out, const struct plot *p, const struct plot_mark *m) {
    const struct figure_reference *r = m->reference;
    const char *colour = marks_colour(p, m);
    if (r->function && m->series == PLOT_ALL_SERIES)
        fprintf(out, "with lines ls 100");
    else if (r->function || r->low == r->high)
        fprintf(out, "with lines lc rgb '%s' %s", colour, !r->function && is_short(m) ? "dt 1 lw 2.5" : "dt 2 lw 1.4");
    else
        fprintf(out, "with boxes lc rgb '%s' fs transparent solid 0.15 border lc rgb '%s'", colour, colour);
}
