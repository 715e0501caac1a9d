/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "study/experiment/sampled.h"
#include "study/figures/plot.h"
#include "study/series/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_POINTS 1000

/* The samples of all ports at one time, and the mean of the times within one period. */
struct drawing {
    struct plot *plot;
    const struct plot_input *in;
    const struct run_row *run;
    const struct figure_y *y;
    const struct sampled *what;
    struct sample_window window; /* x_range and some time beside it, or all */
    int64_t period_ps;           /* 0: every sample is a point */
    double x_factor, y_factor;
    int64_t at_ps;
    struct over_ports ports; /* their samples at at_ps */
    struct diag *d;
};

/* Adds a sample. A period is drawn at its middle; samples of one period are averaged as they arrive, in the order of
 * time. */
static void point_add(const struct drawing *g, struct plot_curve *c, int64_t at_ps, double value) {
    int64_t p = g->period_ps, period = p ? (at_ps - 1) / p : 0;
    double at = p ? ((double)period + 0.5) * (double)p : (double)at_ps;
    double x = at / 1e6 * g->x_factor, y = value * g->what->scale * g->y_factor * g->y->scale + g->y->offset;
    struct plot_point *last = c->n ? &c->point[c->n - 1] : NULL;
    if (!last || last->x != x || c->n == c->n_folded) {
        plot_point_add(c, x, y);
        return;
    }
    last->y = (last->y * last->n + y) / (last->n + 1);
    last->low = last->high = last->y;
    last->n++;
}

/* ---- over all ports ---- */

static void instant_draw(struct drawing *g) {
    const struct over_ports *o = &g->ports;
    if (o->n == 0) return;
    double value = g->what->over == SAMPLED_MEAN  ? over_ports_mean(o)
                   : g->what->over == SAMPLED_MAX ? o->most
                                                  : over_ports_jain(o);
    if (!isnan(value)) point_add(g, plot_curve_at(g->plot, g->run, g->y, NULL), g->at_ps, value);
}

static void instant_add(struct drawing *g, int64_t at_ps, double value) {
    if (at_ps != g->at_ps) {
        instant_draw(g);
        g->at_ps = at_ps;
        g->ports = (struct over_ports){0};
    }
    if (g->what->over == SAMPLED_JAIN && value <= 0) return; /* nothing was sent to the host then */
    over_ports_add(&g->ports, value);
}

/* ---- reading ---- */

static void range_choose(struct drawing *g) {
    const double *range = g->plot->figure->x_range;
    g->window.from_ps = isnan(range[0]) ? 0 : (int64_t)(range[0] / g->x_factor * 1e6);
    g->window.to_ps = isnan(range[1]) ? INT64_MAX : (int64_t)(range[1] / g->x_factor * 1e6);
}

/* Returns the period for n samples over a length of time: `every`, longer if that makes more points than were asked
 * for; or none while there are few samples, or else a multiple of their distance, so that all periods have as many. */
static int64_t period_of(const struct drawing *g, int64_t n, int64_t length_ps) {
    int64_t every = g->plot->figure->every_ps, most = g->in->points ? (int64_t)g->in->points : MOST_POINTS;
    if (every && g->in->points) return every * ((length_ps / every - 1) / most + 1);
    return every ? every : n > most ? length_ps / (n - 1) * ((n - 1) / most + 1) : 0;
}

/* Widens the range to whole periods and one more on each side, so that curves reach the frame. A period ends with its
 * last sample. */
static void range_widen(struct drawing *g, int64_t period_ps) {
    if (!period_ps) return;
    g->window.from_ps =
        g->window.from_ps > 2 * period_ps ? ((g->window.from_ps - 1) / period_ps - 1) * period_ps + 1 : 0;
    if (g->window.to_ps < INT64_MAX - 2 * period_ps)
        g->window.to_ps = ((g->window.to_ps - 1) / period_ps + 2) * period_ps;
}

/* Sets the range and the period. */
static bool period_choose(struct drawing *g) {
    int64_t n, span;
    range_choose(g);
    if (!run_samples_extent(g->in->store, g->run, &g->window, &n, &span, g->d)) return false;
    g->period_ps = period_of(g, n, span);
    range_widen(g, g->period_ps ? g->period_ps : n > 1 ? span / (n - 1) : 0);
    return true;
}

static void sample_take(void *to, int64_t at_ps, const char *node, double value) {
    struct drawing *g = to;
    if (g->what->over != SAMPLED_EACH)
        instant_add(g, at_ps, value);
    else
        point_add(g, plot_curve_at(g->plot, g->run, g->y, node ? node : "?"), at_ps, value);
}

static bool samples_read(struct drawing *g) {
    bool ok = run_samples_each(g->in->store, g->run, &g->window, sample_take, g, g->d);
    if (g->what->over != SAMPLED_EACH) instant_draw(g);
    return ok;
}

/* Removes hosts that received no byte: they are no receivers. */
static void silent_hosts_remove(struct plot *p) {
    for (size_t i = 0; i < p->n_panels; i++) {
        struct plot_panel *panel = &p->panel[i];
        for (size_t k = 0; k < panel->n;) {
            struct plot_curve *c = &panel->curve[k];
            bool silent = true;
            for (size_t j = 0; j < c->n && silent; j++) silent = c->point[j].y == 0;
            if (!silent) {
                k++;
                continue;
            }
            free(c->point);
            memmove(c, c + 1, (panel->n - k - 1) * sizeof *c);
            panel->n--;
        }
    }
}

/* Removes the names of removed curves, which frees their colours. */
static void series_compact(struct plot *p) {
    for (size_t s = 0; s < p->series.n;) {
        bool used = false;
        for (size_t i = 0; i < p->n_panels; i++) {
            for (size_t k = 0; k < p->panel[i].n; k++) used = used || p->panel[i].curve[k].series == s;
        }
        if (used) {
            s++;
            continue;
        }
        free(p->series.text[s]);
        memmove(&p->series.text[s], &p->series.text[s + 1], (p->series.n - s - 1) * sizeof *p->series.text);
        p->series.n--;
        for (size_t i = 0; i < p->n_panels; i++) {
            for (size_t k = 0; k < p->panel[i].n; k++) p->panel[i].curve[k].series -= p->panel[i].curve[k].series > s;
        }
    }
}

static int by_x(const void *a, const void *b) {
    double x = ((const struct plot_point *)a)->x, y = ((const struct plot_point *)b)->x;
    return (x > y) - (x < y);
}

void plot_samples_fold(struct plot *p) {
    for (size_t i = 0; i < p->n_panels; i++) {
        for (size_t k = 0; k < p->panel[i].n; k++) {
            struct plot_curve *c = &p->panel[i].curve[k];
            size_t n = c->n - c->n_folded;
            struct plot_point *of_run = memory_get(n, sizeof *of_run);
            memcpy(of_run, c->point + c->n_folded, n * sizeof *of_run);
            c->n = c->n_folded;
            for (size_t j = 0; j < n; j++) plot_seed_add(c, of_run[j].x, of_run[j].y);
            free(of_run);
            qsort(c->point, c->n, sizeof *c->point, by_x);
            c->n_folded = c->n;
        }
    }
}

bool plot_samples_add(struct plot *p, const struct plot_input *in, const struct run_row *run, const struct figure_y *y,
                      struct diag *d) {
    double factor = unit_factor(metric_unit(y->metric), y->unit);
    struct drawing g = {.plot = p,
                        .in = in,
                        .run = run,
                        .y = y,
                        .what = sampled_find(y->metric),
                        .x_factor = unit_factor("us", p->x_unit),
                        .y_factor = factor > 0 ? factor : 1,
                        .at_ps = -1,
                        .d = d};
    g.window.kind = g.what->kind;
    if (!(g.x_factor > 0)) return diag_fail_in(d, in->store->path, "x_unit: '%s' is no unit of time", p->x_unit);
    if (!period_choose(&g) || !samples_read(&g)) return false;
    if (g.what->over == SAMPLED_EACH) {
        silent_hosts_remove(p);
        series_compact(p);
    }
    return true;
}
