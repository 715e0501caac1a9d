/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the places of references: panels, the series, and the range of x beside whose runs they are drawn. */
#include "study/figures/plot_parts.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

struct plot_panel *plot_panel_find(struct plot *p, const struct plot_spot *at) {
    char title[PLOT_TEXT_MAX];
    plot_part_text(at, &p->figure->panels, title, sizeof title);
    for (size_t i = 0; i < p->n_panels; i++) {
        if (strcmp(p->panel[i].title, title) == 0) return &p->panel[i];
    }
    return NULL;
}

static bool names_all(const struct figure_reference *r, const struct figure_part *part) {
    size_t n = 0;
    for (size_t i = 0; i < part->n; i++) n += json_object_get(r->of, part->key[i]) != NULL;
    return part->n && n == part->n;
}

/* Returns the series that the reference names, PLOT_ALL_SERIES if none. */
static size_t series_find(const struct plot *p, const struct plot_spot *at, const struct figure_reference *r) {
    char name[PLOT_TEXT_MAX];
    if (!names_all(r, &p->figure->series)) return PLOT_ALL_SERIES;
    plot_part_text(at, &p->figure->series, name, sizeof name);
    for (size_t i = 0; i < p->series.n; i++) {
        if (strcmp(p->series.text[i], name) == 0) return i;
    }
    return PLOT_ALL_SERIES;
}

/* Returns the x of the run if the reference names the key of x, or a series of bars; NaN: all of x. */
static double x_find(const struct plot *p, const struct plot_spot *at, const struct figure_reference *r) {
    char text[PLOT_TEXT_MAX];
    double x;
    bool on_bars = p->figure->kind == FIGURE_BARS && !r->function && names_all(r, &p->figure->series);
    if (!on_bars && !names_all(r, &p->figure->x)) return NAN;
    if (!p->categories.n) return plot_x_number(p, at, &x) ? x : NAN;
    plot_key_text(at, p->figure->x.key[0], false, text, sizeof text);
    for (size_t i = 0; i < p->categories.n; i++) {
        if (strcmp(p->categories.text[i], text) == 0) return (double)i;
    }
    return NAN;
}

/* Adds a mark. Marks at several numbers of x become one over their range; each category has its own. */
static void mark_add(struct plot *p, struct plot_panel *panel, const struct figure_reference *r, size_t series,
                     double x) {
    for (size_t i = 0; i < panel->n_marks; i++) {
        struct plot_mark *m = &panel->mark[i];
        if (m->reference != r || m->series != series) continue;
        if (p->categories.n && m->x[0] != x && !isnan(x)) continue;
        m->x[0] = fmin(m->x[0], x);
        m->x[1] = fmax(m->x[1], x);
        return;
    }
    panel->mark = memory_grow(panel->mark, panel->n_marks + 1, sizeof *panel->mark);
    panel->mark[panel->n_marks++] = (struct plot_mark){.reference = r, .series = series, .x = {x, x}};
}

/* A reference without `of` belongs to every panel. */
static void marks_of_all(struct plot *p, const struct figure_reference *r) {
    for (size_t i = 0; i < p->n_panels; i++) mark_add(p, &p->panel[i], r, PLOT_ALL_SERIES, NAN);
}

static void marks_of_runs(struct plot *p, const struct plot_input *in, const struct figure_reference *r) {
    const struct figure *f = p->figure;
    for (size_t i = 0; i < in->store->n_runs; i++) {
        for (size_t k = 0; k < f->n_y; k++) {
            const struct plot_spot at = {f, &in->store->run[i], &f->y[k], NULL};
            if (!plot_is_drawn(p, in, at.run) || plot_is_own_baseline(at.run, at.y)) continue;
            if (!figure_reference_names(r, at.y) || !plot_of_matches(r->of, at.run->settings)) continue;
            struct plot_panel *panel = plot_panel_find(p, &at);
            if (panel) mark_add(p, panel, r, series_find(p, &at, r), x_find(p, &at, r));
        }
    }
}

void plot_marks_make(struct plot *p, const struct plot_input *in) {
    for (size_t i = 0; i < p->figure->n_reference; i++) {
        const struct figure_reference *r = &p->figure->reference[i];
        if (r->on_x && p->figure->kind == FIGURE_LINES && p->categories.n) continue; /* words have no numbers */
        if (json_object_size(r->of) == 0)
            marks_of_all(p, r);
        else
            marks_of_runs(p, in, r);
    }
}
