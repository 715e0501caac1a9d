/* SPDX-License-Identifier: Apache-2.0 */
#include "study/figures/plot_parts.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/experiment/settings.h"
#include "study/results/json_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts of values ---- */

static void value_text(const json_t *value, char *buf, size_t size) {
    if (json_is_string(value)) {
        snprintf(buf, size, "%s", json_string_value(value));
    } else if (json_is_number(value)) {
        snprintf(buf, size, "%.10g", json_number_value(value));
    } else {
        snprintf(buf, size, "%s", json_is_true(value) ? "true" : "false");
    }
}

/* A setting stands with its key, "load 0.5", since a bare number has no meaning. */
void plot_key_text(const struct plot_spot *at, const char *key, bool is_named, char *buf, size_t size) {
    char value[256];
    const char *own = strcmp(key, "metric") == 0  ? at->y->label
                      : strcmp(key, "group") == 0 ? at->y->group
                      : strcmp(key, "host") == 0  ? at->host
                                                  : NULL;
    if (own) {
        snprintf(value, sizeof value, "%s", own);
    } else {
        value_text(json_object_get(at->run->settings, key), value, sizeof value);
    }
    const json_t *names = json_object_get(at->figure->names, key);
    const char *name = json_string_value(json_object_get(names, value));
    if (!name && own == at->y->own_label) name = json_string_value(json_object_get(names, at->y->metric));
    const char *dot = strrchr(key, '.'), *last = dot ? dot + 1 : key;
    bool is_bare = (value[0] >= '0' && value[0] <= '9') || strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
    if (is_named && is_bare && !own && !name) {
        snprintf(buf, size, "%.60s %.180s", last, value);
    } else {
        snprintf(buf, size, "%s", name ? name : value);
    }
}

void plot_part_text(const struct plot_spot *at, const struct figure_part *part, char *buf, size_t size) {
    buf[0] = '\0';
    for (size_t i = 0; i < part->n; i++) {
        size_t used = strlen(buf);
        char text[256];
        plot_key_text(at, part->key[i], true, text, sizeof text);
        snprintf(buf + used, size - used, "%s%s", used && text[0] ? ", " : "", text);
    }
}

/* ---- building ---- */

static size_t word_at(struct plot_words *w, const char *text) {
    for (size_t i = 0; i < w->n; i++) {
        if (strcmp(w->text[i], text) == 0) return i;
    }
    w->text = memory_grow(w->text, w->n + 1, sizeof *w->text);
    w->text[w->n] = text_copy(text);
    return w->n++;
}

static struct plot_panel *panel_at(struct plot *p, const struct plot_spot *at) {
    char title[512];
    plot_part_text(at, &p->figure->panels, title, sizeof title);
    for (size_t i = 0; i < p->n_panels; i++) {
        struct plot_panel *panel = &p->panel[i];
        if (strcmp(panel->title, title) != 0) continue;
        if (panel->quantity && strcmp(panel->quantity, at->y->label) != 0) panel->quantity = NULL;
        return panel;
    }
    p->panel = memory_grow(p->panel, p->n_panels + 1, sizeof *p->panel);
    p->panel[p->n_panels] =
        (struct plot_panel){.title = text_copy(title), .unit = at->y->unit, .quantity = at->y->label};
    return &p->panel[p->n_panels++];
}

static size_t series_of(struct plot *p, const struct plot_spot *at) {
    char name[512];
    plot_part_text(at, &p->figure->series, name, sizeof name);
    return word_at(&p->series, name);
}

bool plot_has_series(const struct plot *p, size_t series) {
    for (size_t i = 0; i < p->n_panels; i++) {
        for (size_t k = 0; k < p->panel[i].n; k++) {
            if (p->panel[i].curve[k].series == series) return true;
        }
    }
    return false;
}

struct plot_curve *plot_curve_at(struct plot *p, const struct run_row *run, const struct figure_y *y,
                                 const char *host) {
    struct plot_spot at = {p->figure, run, y, host};
    struct plot_panel *panel = panel_at(p, &at);
    size_t series = series_of(p, &at);
    for (size_t i = 0; i < panel->n; i++) {
        if (panel->curve[i].series == series) return &panel->curve[i];
    }
    panel->curve = memory_grow(panel->curve, panel->n + 1, sizeof *panel->curve);
    panel->curve[panel->n] = (struct plot_curve){.series = series};
    return &panel->curve[panel->n++];
}

/* ---- selection of runs ---- */

bool plot_of_matches(const json_t *of, const json_t *settings) {
    const char *key;
    json_t *values;
    json_object_foreach((json_t *)of, key, values) {
        bool found = strcmp(key, "metric") == 0 || strcmp(key, "group") == 0;
        for (size_t i = 0; i < json_array_size(values) && !found; i++)
            found = setting_equal(json_object_get(settings, key), json_array_get(values, i));
        if (!found) return false;
    }
    return true;
}

static bool is_usable(const struct plot_input *in, const struct run_row *r) {
    return r->experiment == in->experiment && r->number && r->status == RUN_DONE && r->result;
}

bool plot_is_drawn(const struct plot *p, const struct plot_input *in, const struct run_row *r) {
    return is_usable(in, r) && plot_of_matches(p->figure->of, r->settings);
}

void plot_axes(const struct plot_input *in, struct figure_axes *axes) {
    axes->n = 0;
    for (size_t i = 0; i < in->store->n_runs; i++) {
        const struct run_row *r = &in->store->run[i];
        const char *key;
        json_t *value;
        if (!is_usable(in, r)) continue;
        json_object_foreach(r->settings, key, value) {
            size_t a = 0;
            while (a < axes->n && strcmp(axes->axis[a].key, key) != 0) a++;
            if (a == 64) continue;
            if (a == axes->n) axes->axis[axes->n++] = (struct figure_axis){key, json_array()};
            bool seen = false;
            for (size_t k = 0; k < json_array_size(axes->axis[a].values) && !seen; k++)
                seen = json_equal(json_array_get(axes->axis[a].values, k), value);
            if (!seen) json_array_append(axes->axis[a].values, value);
        }
    }
}

/* ---- numbers ---- */

static double metric_of(const struct run_row *r, const char *metric) {
    double value, unfinished;
    if (!r || !json_metric(r->result, "flows.unfinished", &unfinished) || unfinished > 0) return NAN;
    return json_metric(r->result, metric, &value) ? value : NAN;
}

/* Returns the number of one run, before any comparison. */
static double number_of(const struct run_row *r, const struct figure_y *y) {
    double value = metric_of(r, y->metric), per = y->per ? metric_of(r, y->per) : 1;
    return per == 0 ? NAN : value / per;
}

static const struct run_row *compared_run(const struct plot_input *in, const struct run_row *r, const json_t *against) {
    json_t *wanted = json_copy(r->settings);
    json_object_update(wanted, (json_t *)against);
    const struct run_row *found = NULL;
    for (size_t i = 0; i < in->store->n_runs && !found; i++) {
        const struct run_row *other = &in->store->run[i];
        if (is_usable(in, other) && settings_match(other->settings, wanted)) found = other;
    }
    json_decref(wanted);
    return found;
}

/* Adds the point of a run. A comparison pairs it with the run that `against` names. */
static void drawn_add(struct plot_curve *c, double x, const struct plot_input *in, const struct run_row *r,
                      const struct figure_y *y) {
    bool keeps_unit = (y->as == AS_VALUE || y->as == AS_DIFFERENCE) && !y->per;
    double factor = unit_factor(keeps_unit ? metric_unit(y->metric) : "", y->unit);
    struct plot_scale s = {y->as, (factor > 0 ? factor : 1) * y->scale, y->offset};
    double against = y->as == AS_VALUE ? 0 : number_of(compared_run(in, r, y->against), y);
    plot_pair_add(c, x, number_of(r, y), against, &s);
}

bool plot_is_own_baseline(const struct run_row *r, const struct figure_y *y) {
    return y->as != AS_VALUE && y->as != AS_RATIO && settings_match(r->settings, y->against);
}

/* ---- x ---- */

bool plot_x_number(const struct plot *p, const struct plot_spot *at, double *x) {
    const char *key = p->figure->x.key[0];
    const json_t *value = json_object_get(at->run->settings, key);
    if (!value) return false;
    char text[256], *end;
    value_text(value, text, sizeof text);
    const char *name = json_string_value(json_object_get(json_object_get(p->figure->names, key), text));
    if (!name) return setting_number(value, p->x_unit[0] ? p->x_unit : NULL, x);
    *x = strtod(name, &end);
    return end > name && *end == '\0';
}

static void x_unit_choose(struct plot *p, const struct plot_input *in) {
    const char *unit = p->figure->x_unit;
    for (size_t i = 0; i < in->store->n_runs && !unit && p->figure->x.n; i++) {
        const struct run_row *r = &in->store->run[i];
        if (!plot_is_drawn(p, in, r)) continue;
        unit = setting_unit(json_object_get(r->settings, p->figure->x.key[0]));
    }
    p->x_unit = text_copy(unit ? unit : "");
}

/* Returns true if x has categories: always for bars and tables, for lines only if some x is no number. */
static bool x_is_categories(const struct plot *p, const struct plot_input *in) {
    if (p->figure->kind != FIGURE_LINES) return true;
    for (size_t i = 0; i < in->store->n_runs; i++) {
        struct plot_spot at = {p->figure, &in->store->run[i], &p->figure->y[0], NULL};
        double x;
        if (plot_is_drawn(p, in, at.run) && !plot_x_number(p, &at, &x)) return true;
    }
    return false;
}

static void number_add(struct plot *p, const struct plot_input *in, const struct plot_spot *at, bool by_category) {
    double x;
    if (by_category) {
        char text[256];
        plot_key_text(at, p->figure->x.key[0], false, text, sizeof text);
        x = (double)word_at(&p->categories, text);
    } else if (!plot_x_number(p, at, &x)) {
        return;
    }
    drawn_add(plot_curve_at(p, at->run, at->y, NULL), x, in, at->run, at->y);
}

static void numbers_add(struct plot *p, const struct plot_input *in) {
    const struct figure *f = p->figure;
    bool by_category = x_is_categories(p, in);
    for (size_t i = 0; i < in->store->n_runs; i++) {
        for (size_t k = 0; k < f->n_y; k++) {
            struct plot_spot at = {f, &in->store->run[i], &f->y[k], NULL};
            if (!plot_is_drawn(p, in, at.run)) continue;
            if (plot_is_own_baseline(at.run, at.y))
                series_of(p, &at);
            else
                number_add(p, in, &at, by_category);
        }
    }
}

/* ---- distributions and samples ---- */

static bool is_lowest_seed(const struct plot *p, const struct plot_input *in, const struct run_row *r) {
    double seed = json_number_value(json_object_get(r->settings, "run.seed"));
    json_t *same = json_copy(r->settings);
    json_object_del(same, "run.seed");
    bool lowest = true;
    for (size_t i = 0; i < in->store->n_runs && lowest; i++) {
        const struct run_row *other = &in->store->run[i];
        if (!plot_is_drawn(p, in, other) || !settings_match(other->settings, same)) continue;
        lowest = json_number_value(json_object_get(other->settings, "run.seed")) >= seed;
    }
    json_decref(same);
    return lowest;
}

bool plot_is_sampled(const struct plot *p, const struct plot_input *in, const struct run_row *r) {
    bool one_seed = p->figure->kind == FIGURE_TIME && p->figure->band == BAND_NONE;
    return plot_is_drawn(p, in, r) && (!one_seed || is_lowest_seed(p, in, r));
}

static bool rows_add(struct plot *p, const struct plot_input *in, struct diag *d) {
    const struct figure *f = p->figure;
    for (size_t i = 0; i < in->store->n_runs; i++) {
        const struct run_row *r = &in->store->run[i];
        if (!plot_is_sampled(p, in, r)) continue;
        for (size_t k = 0; k < f->n_y; k++) {
            bool ok = f->kind == FIGURE_TIME ? plot_samples_add(p, in, r, &f->y[k], d)
                                             : plot_values_add(p, in, r, &f->y[k], d);
            if (!ok) return false;
            if (f->kind == FIGURE_TIME && f->band != BAND_NONE) plot_samples_fold(p);
            if (f->kind == FIGURE_RANK) plot_ranks_make(plot_curve_at(p, r, &f->y[k], NULL), in->points);
        }
    }
    return true;
}

/* ---- the whole figure ---- */

/* Returns the number of columns. With two keys for panels the last key runs along the rows. */
static size_t columns_of(const struct plot *p, const struct plot_input *in) {
    const struct figure_part *part = &p->figure->panels;
    size_t n = p->n_panels;
    if (part->n < 2) return n <= 3 ? n : n == 4 ? 2 : 3;
    struct plot_words inner = {0};
    for (size_t i = 0; i < in->store->n_runs; i++) {
        for (size_t k = 0; k < p->figure->n_y; k++) {
            struct plot_spot at = {p->figure, &in->store->run[i], &p->figure->y[k], NULL};
            char text[256];
            if (!plot_is_drawn(p, in, at.run)) continue;
            plot_key_text(&at, part->key[part->n - 1], false, text, sizeof text);
            word_at(&inner, text);
        }
    }
    size_t columns = inner.n && inner.n <= 4 && n % inner.n == 0 ? inner.n : 3;
    for (size_t i = 0; i < inner.n; i++) free(inner.text[i]);
    free(inner.text);
    return columns;
}

bool plot_is_empty(const struct plot *p) {
    for (size_t i = 0; i < p->n_panels; i++) {
        for (size_t k = 0; k < p->panel[i].n; k++) {
            for (size_t q = 0; q < p->panel[i].curve[k].n; q++) {
                if (!isnan(p->panel[i].curve[k].point[q].y)) return false;
            }
        }
    }
    return true;
}

bool plot_make(const struct figure *f, const struct plot_input *in, struct plot *p, struct diag *d) {
    bool ok = true;
    *p = (struct plot){.figure = f};
    if (figure_has_own_x(f)) {
        p->x_unit = text_copy(figure_shows_shares(f)   ? f->y[0].unit
                              : f->kind == FIGURE_RANK ? ""
                              : f->x_unit              ? f->x_unit
                                                       : "ms");
        ok = rows_add(p, in, d);
    } else {
        x_unit_choose(p, in);
        numbers_add(p, in);
    }
    for (size_t i = 0; figure_shows_shares(f) && i < p->n_panels; i++) {
        for (size_t k = 0; k < p->panel[i].n; k++) {
            struct plot_curve *c = &p->panel[i].curve[k];
            f->kind == FIGURE_CDF ? plot_cdf_make(c, in->points) : plot_ccdf_make(c, in->points);
        }
    }
    plot_bands_make(p);
    p->columns = p->n_panels ? columns_of(p, in) : 1;
    plot_marks_make(p, in);
    if (ok) plot_failures_make(p, in);
    if (!ok) plot_free(p);
    return ok;
}

static void words_free(struct plot_words *w) {
    for (size_t i = 0; i < w->n; i++) free(w->text[i]);
    free(w->text);
}

void plot_free(struct plot *p) {
    for (size_t i = 0; i < p->n_panels; i++) {
        struct plot_panel *panel = &p->panel[i];
        for (size_t k = 0; k < panel->n; k++) {
            free(panel->curve[k].point);
            values_free(&panel->curve[k].values);
            for (size_t s = 0; s < panel->curve[k].n_seeds; s++) values_free(&panel->curve[k].seed[s]);
            free(panel->curve[k].seed);
        }
        free(panel->curve);
        free(panel->mark);
        free(panel->title);
    }
    free(p->panel);
    words_free(&p->series);
    words_free(&p->categories);
    free(p->x_unit);
    for (size_t i = 0; i < p->n_own; i++) free(p->own[i]);
    free(p->own);
    *p = (struct plot){0};
}
