/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "study/experiment/sampled.h"
#include "study/figures/plot.h"

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
    int64_t from_ps, to_ps; /* the samples that are read: x_range and some beside it, or all */
    int64_t period_ps;      /* 0: every sample is a point */
    double x_factor, y_factor;
    int64_t at_ps;
    double sum, squares, most;
    size_t n;
    struct diag *d;
};

/* Adds a sample. A period is drawn at its middle; samples of one period are averaged as they arrive, in the order of
 * time. */
static void point_add(const struct drawing *g, struct plot_curve *c, int64_t at_ps, double value) {
    int64_t p = g->period_ps, period = p ? (at_ps - 1) / p : 0;
    double at = p ? ((double)period + 0.5) * (double)p : (double)at_ps;
    double x = at / 1e6 * g->x_factor, y = value * g->what->scale * g->y_factor * g->y->scale + g->y->offset;
    struct plot_point *last = c->n ? &c->point[c->n - 1] : NULL;
    if (!last || last->x != x) {
        plot_point_add(c, x, y);
        return;
    }
    last->y = (last->y * last->n + y) / (last->n + 1);
    last->low = last->high = last->y;
    last->n++;
}

/* ---- over all ports ---- */

static void instant_draw(struct drawing *g) {
    if (g->n == 0) return;
    double mean = g->sum / (double)g->n;
    double jain = g->squares > 0 ? g->sum * g->sum / ((double)g->n * g->squares) : NAN;
    double value = g->what->over == SAMPLED_MEAN ? mean : g->what->over == SAMPLED_MAX ? g->most : jain;
    if (!isnan(value)) point_add(g, plot_curve_at(g->plot, g->run, g->y, NULL), g->at_ps, value);
}

static void instant_add(struct drawing *g, int64_t at_ps, double value) {
    if (at_ps != g->at_ps) {
        instant_draw(g);
        g->at_ps = at_ps;
        g->sum = g->squares = g->most = 0;
        g->n = 0;
    }
    if (g->what->over == SAMPLED_JAIN && value <= 0) return; /* nothing was sent to the host then */
    g->sum += value;
    g->squares += value * value;
    g->most = value > g->most ? value : g->most;
    g->n++;
}

/* ---- reading ---- */

static bool fails(const struct drawing *g) {
    return diag_fail(g->d, g->in->store->path, 0, 0, "results store: %s", sqlite3_errmsg(g->in->store->db));
}

static sqlite3_stmt *ask(const struct drawing *g, const char *sql) {
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(g->in->store->db, sql, -1, &q, NULL) != SQLITE_OK) {
        fails(g);
        return NULL;
    }
    sqlite3_bind_int64(q, 1, g->run->id);
    sqlite3_bind_text(q, 2, g->what->kind, -1, SQLITE_STATIC);
    sqlite3_bind_int64(q, 3, g->from_ps);
    sqlite3_bind_int64(q, 4, g->to_ps);
    return q;
}

static void range_choose(struct drawing *g) {
    const double *range = g->plot->figure->x_range;
    g->from_ps = isnan(range[0]) ? 0 : (int64_t)(range[0] / g->x_factor * 1e6);
    g->to_ps = isnan(range[1]) ? INT64_MAX : (int64_t)(range[1] / g->x_factor * 1e6);
}

/* Returns the period for n samples over a length of time: `every`, longer if that makes more points than were asked for;
 * or none while there are few samples, or else a multiple of their distance, so that all periods have as many. */
static int64_t period_of(const struct drawing *g, int64_t n, int64_t length_ps) {
    int64_t every = g->plot->figure->every_ps, most = g->in->points ? (int64_t)g->in->points : MOST_POINTS;
    if (every && g->in->points) return every * ((length_ps / every - 1) / most + 1);
    return every ? every : n > most ? length_ps / (n - 1) * ((n - 1) / most + 1) : 0;
}

/* Widens the range to whole periods and one more on each side, so that curves reach the frame. A period ends with its
 * last sample. */
static void range_widen(struct drawing *g, int64_t period_ps) {
    if (!period_ps) return;
    g->from_ps = g->from_ps > 2 * period_ps ? ((g->from_ps - 1) / period_ps - 1) * period_ps + 1 : 0;
    if (g->to_ps < INT64_MAX - 2 * period_ps) g->to_ps = ((g->to_ps - 1) / period_ps + 2) * period_ps;
}

/* Sets the range and the period. */
static bool period_choose(struct drawing *g) {
    range_choose(g);
    sqlite3_stmt *q =
        ask(g, "SELECT count(DISTINCT at_ps), max(at_ps) - min(at_ps) FROM samples WHERE run=?1 AND kind=?2"
               " AND at_ps BETWEEN ?3 AND ?4");
    if (!q) return false;
    bool ok = sqlite3_step(q) == SQLITE_ROW || fails(g);
    int64_t n = ok ? sqlite3_column_int64(q, 0) : 0, span = ok && n ? sqlite3_column_int64(q, 1) : 0;
    sqlite3_finalize(q);
    g->period_ps = period_of(g, n, span);
    range_widen(g, g->period_ps ? g->period_ps : n > 1 ? span / (n - 1) : 0);
    return ok;
}

static bool samples_read(struct drawing *g) {
    sqlite3_stmt *q = ask(g, "SELECT s.at_ps, s.value, n.name FROM samples s"
                             " LEFT JOIN ports p ON p.run=s.run AND p.port=s.port"
                             " LEFT JOIN nodes n ON n.run=s.run AND n.node=p.node"
                             " WHERE s.run=?1 AND s.kind=?2 AND s.at_ps BETWEEN ?3 AND ?4 ORDER BY s.at_ps, s.port");
    if (!q) return false;
    int code;
    while ((code = sqlite3_step(q)) == SQLITE_ROW) {
        int64_t at_ps = sqlite3_column_int64(q, 0);
        double value = sqlite3_column_double(q, 1);
        const char *host = (const char *)sqlite3_column_text(q, 2);
        if (g->what->over != SAMPLED_EACH)
            instant_add(g, at_ps, value);
        else
            point_add(g, plot_curve_at(g->plot, g->run, g->y, host ? host : "?"), at_ps, value);
    }
    bool ok = code == SQLITE_DONE || fails(g);
    sqlite3_finalize(q);
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
    if (!(g.x_factor > 0)) return diag_fail(d, in->store->path, 0, 0, "x_unit: '%s' is no unit of time", p->x_unit);
    if (!period_choose(&g) || !samples_read(&g)) return false;
    if (g.what->over == SAMPLED_EACH) {
        silent_hosts_remove(p);
        series_compact(p);
    }
    return true;
}
