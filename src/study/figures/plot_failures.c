/* SPDX-License-Identifier: Apache-2.0 */
/* Shades failures in figures over time: the spans that all runs of a panel have in common. */
#include "study/figures/plot_parts.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *kind, *label;
} words[] = {{"dead", "link down"}, {"slow", "link slowed"}, {"lossy", "link lossy"}};

static bool has_span(const json_t *list, const json_t *span) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (json_equal(json_array_get(list, i), span)) return true;
    }
    return false;
}

/* Returns the spans [kind, from us, until us or null] of a run's failures, each once; failures for the whole run are left out. */
static json_t *spans_of(const struct plot_input *in, const struct run_row *run) {
    json_t *list = in->failures(in->store, run), *spans = json_array();
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i), *from = json_array_get(row, 2), *to = json_array_get(row, 3);
        json_t *span = json_pack("[O, O, O]", json_array_get(row, 1), from, to);
        bool all_along = json_number_value(from) <= 0 && json_is_null(to);
        if (span && !all_along && !has_span(spans, span)) json_array_append(spans, span);
        json_decref(span);
    }
    json_decref(list);
    return spans;
}

/* Removes the spans that the other list lacks. */
static void spans_cut(json_t *spans, const json_t *other) {
    for (size_t i = json_array_size(spans); i-- > 0;) {
        if (!has_span(other, json_array_get(spans, i))) json_array_remove(spans, i);
    }
}

/* Returns true if the run has a curve in the panel; single hosts have no panel by their run. */
static bool is_in_panel(struct plot *p, const struct plot_panel *panel, const struct run_row *run) {
    const struct figure *f = p->figure;
    if (figure_part_has(&f->panels, "host")) return true;
    for (size_t k = 0; k < f->n_y; k++) {
        if (plot_panel_find(p, &(struct plot_spot){f, run, &f->y[k], NULL}) == panel) return true;
    }
    return false;
}

/* Returns the last x of a panel's curves; -HUGE_VAL: none. */
static double last_x(const struct plot_panel *panel) {
    double last = -HUGE_VAL;
    for (size_t k = 0; k < panel->n; k++) {
        const struct plot_curve *c = &panel->curve[k];
        if (c->n) last = fmax(last, c->point[c->n - 1].x);
    }
    return last;
}

static void span_mark(struct plot *p, struct plot_panel *panel, const json_t *span) {
    const json_t *to = json_array_get(span, 2);
    double factor = unit_factor("us", p->x_unit), from = json_number_value(json_array_get(span, 1)) * factor;
    size_t w = 0;
    while (w < 2 && strcmp(words[w].kind, json_string_value(json_array_get(span, 0))) != 0) w++;
    if (from >= last_x(panel)) return;
    struct figure_reference *r = memory_get(1, sizeof *r);
    *r = (struct figure_reference){.low = from,
                                   .high = json_is_null(to) ? NAN : json_number_value(to) * factor,
                                   .at = NAN,
                                   .on_x = true,
                                   .label = words[w].label};
    p->own = memory_grow(p->own, p->n_own + 1, sizeof *p->own);
    p->own[p->n_own++] = r;
    panel->mark = memory_grow(panel->mark, panel->n_marks + 1, sizeof *panel->mark);
    panel->mark[panel->n_marks++] = (struct plot_mark){.reference = r, .series = PLOT_ALL_SERIES, .x = {NAN, NAN}};
}

/* Marks what the runs of a panel have in common. `spans`: of each run of the store; NULL: it is not drawn. */
static void panel_mark(struct plot *p, const struct plot_input *in, struct plot_panel *panel, json_t *const *spans) {
    json_t *common = NULL;
    for (size_t i = 0; i < in->store->n_runs; i++) {
        if (!spans[i] || !is_in_panel(p, panel, &in->store->run[i])) continue;
        if (common)
            spans_cut(common, spans[i]);
        else
            common = json_copy(spans[i]);
    }
    for (size_t i = 0; i < json_array_size(common); i++) span_mark(p, panel, json_array_get(common, i));
    json_decref(common);
}

static bool is_wanted(const struct figure *f, const struct plot_input *in) {
    for (size_t i = 0; i < f->n_reference; i++) {
        if (f->reference[i].on_x) return false;
    }
    return f->kind == FIGURE_TIME && in->failures;
}

void plot_failures_make(struct plot *p, const struct plot_input *in) {
    if (!is_wanted(p->figure, in)) return;
    size_t n = in->store->n_runs;
    json_t **spans = memory_get(n + 1, sizeof(json_t *));
    for (size_t i = 0; i < n; i++) {
        const struct run_row *run = &in->store->run[i];
        if (plot_is_sampled(p, in, run)) spans[i] = spans_of(in, run);
    }
    for (size_t i = 0; i < p->n_panels; i++) panel_mark(p, in, &p->panel[i], spans);
    for (size_t i = 0; i < n; i++) json_decref(spans[i]);
    free(spans);
}
