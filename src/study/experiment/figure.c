/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/figure.h"

#include "base/memory.h"
#include "base/units.h"
#include "study/experiment/figure_looks.h"
#include "study/experiment/metric_check.h"
#include "study/experiment/sampled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const struct figure_axes *axes;
    bool is_strict;
    const struct tree_node *at; /* block being read: the figure, or an item of its y or reference */
    struct diag *d;
};

bool figure_part_has(const struct figure_part *p, const char *key) {
    for (size_t i = 0; i < p->n; i++) {
        if (strcmp(p->key[i], key) == 0) return true;
    }
    return false;
}

/* ---- words ---- */

/* Returns the text of a key; NULL if it is left out or none. */
static const char *word(const struct reader *r, const char *key) {
    const struct tree_node *n = tree_get(r->at, key);
    return n && n->kind == TREE_SCALAR && !tree_is_null(n) && strcmp(n->text, "none") != 0 ? n->text : NULL;
}

static bool is_given(const struct reader *r, const char *key) {
    const struct tree_node *n = tree_get(r->at, key);
    return n && !tree_is_null(n);
}

static size_t choice(const struct reader *r, const char *key, const char *choices) {
    const char *text = word(r, key);
    int64_t i = text ? choice_index(choices, text) : 0;
    return i < 0 ? 0 : (size_t)i;
}

static bool number_read(const struct reader *r, const struct tree_node *n, double *value) {
    char *end = NULL;
    if (n && n->kind == TREE_SCALAR) *value = strtod(n->text, &end);
    return (end && end > n->text && *end == '\0' && isfinite(*value)) || tree_fail(r->d, n, "write a number");
}

static bool optional_number(const struct reader *r, const char *key, double *value) {
    const struct tree_node *n = tree_get(r->at, key);
    return !n || tree_is_null(n) || number_read(r, n, value);
}

static bool range_read(const struct reader *r, const char *key, double range[2]) {
    const struct tree_node *n = tree_get(r->at, key);
    range[0] = range[1] = NAN;
    if (!n || tree_is_null(n)) return true;
    if (n->kind != TREE_LIST || n->n != 2) return tree_fail(r->d, n, "write [low, high]; null leaves an end open");
    for (size_t i = 0; i < 2; i++) {
        if (!tree_is_null(n->item[i]) && !number_read(r, n->item[i], &range[i])) return false;
    }
    return !(range[0] >= range[1]) || tree_fail(r->d, n, "the range is empty: low is not under high");
}

/* ---- x, series, panels ---- */

static const struct figure_axis *axis_find(const struct reader *r, const char *key) {
    for (size_t i = 0; i < r->axes->n; i++) {
        if (strcmp(r->axes->axis[i].key, key) == 0) return &r->axes->axis[i];
    }
    return NULL;
}

static bool key_check(const struct reader *r, const struct tree_node *key, bool own_words) {
    static const char *const own[] = {"metric", "group", "host"};
    const char *names[64 + 3];
    size_t n = 0;
    if (key->kind != TREE_SCALAR) return tree_fail(r->d, key, "write a swept key");
    for (size_t i = 0; own_words && i < 3; i++) {
        if (strcmp(key->text, own[i]) == 0) return true;
        names[n++] = own[i];
    }
    if (axis_find(r, key->text)) return true;
    for (size_t i = 0; i < r->axes->n; i++) names[n++] = r->axes->axis[i].key;
    const char *nearest = diag_nearest(key->text, names, n);
    return tree_fail(r->d, key, "'%s' is not swept, so no runs differ in it; %s%s%s", key->text,
                     nearest ? "did you mean '" : "sweep it or name another", nearest ? nearest : "",
                     nearest ? "'?" : "");
}

static bool part_read(const struct reader *r, const char *name, size_t most, struct figure_part *p) {
    const struct tree_node *n = tree_get(r->at, name);
    p->n = 0;
    if (!n || tree_is_null(n)) return true;
    size_t count = n->kind == TREE_LIST ? n->n : 1;
    if (count > most) return tree_fail(r->d, n, "%s takes at most %zu key%s", name, most, most == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++) {
        const struct tree_node *key = n->kind == TREE_LIST ? n->item[i] : n;
        if (!key_check(r, key, true)) return false;
        p->key[p->n++] = key->text;
    }
    return true;
}

/* ---- values of keys ---- */

static bool has_value(const json_t *values, const json_t *value) {
    for (size_t i = 0; i < json_array_size(values); i++) {
        if (json_equal(json_array_get(values, i), value)) return true;
    }
    return false;
}

/* Returns one value of a swept key in the form of `settings`, as a new reference; NULL after filling *d. */
static json_t *value_read(const struct reader *r, const char *key, const struct tree_node *n) {
    json_t *value = setting_json(key, n, r->d);
    if (!value || !r->is_strict || has_value(axis_find(r, key)->values, value)) return value;
    json_decref(value);
    tree_fail(r->d, n, "'%s' is no value that %s is swept over", n->kind == TREE_SCALAR ? n->text : "this", key);
    return NULL;
}

/* Reads {KEY: value or [values]} into {KEY: [values]}. */
static bool of_read(const struct reader *r, json_t *of) {
    const struct tree_node *n = tree_get(r->at, "of");
    if (!n || tree_is_null(n)) return true;
    if (n->kind != TREE_MAP) return tree_fail(r->d, n, "write {KEY: value} with a swept key");
    for (size_t i = 0; i < n->n; i++) {
        const struct tree_node *v = n->item[i];
        if (!key_check(r, n->key[i], false)) return false;
        json_t *values = json_array();
        json_object_set_new(of, n->key[i]->text, values);
        for (size_t k = 0; k < (v->kind == TREE_LIST ? v->n : 1); k++) {
            json_t *value = value_read(r, n->key[i]->text, v->kind == TREE_LIST ? v->item[k] : v);
            if (!value) return false;
            json_array_append_new(values, value);
        }
    }
    return true;
}

static bool against_read(const struct reader *r, json_t *against) {
    const struct tree_node *n = tree_get(r->at, "against");
    if (!n || tree_is_null(n)) return true;
    if (n->kind != TREE_MAP) return tree_fail(r->d, n, "write {KEY: value} with a swept key");
    for (size_t i = 0; i < n->n; i++) {
        if (!key_check(r, n->key[i], false)) return false;
        json_t *value = value_read(r, n->key[i]->text, n->item[i]);
        if (!value) return false;
        json_object_set_new(against, n->key[i]->text, value);
    }
    return true;
}

static bool names_read(const struct reader *r, json_t *names) {
    const struct tree_node *n = tree_get(r->at, "names");
    if (!n || tree_is_null(n)) return true;
    if (n->kind != TREE_MAP) return tree_fail(r->d, n, "write {KEY: {VALUE: TEXT}}");
    for (size_t i = 0; i < n->n; i++) {
        const struct tree_node *of_key = n->item[i];
        if (!key_check(r, n->key[i], true)) return false;
        if (of_key->kind != TREE_MAP) return tree_fail(r->d, of_key, "write {VALUE: TEXT}");
        json_t *texts = json_object();
        json_object_set_new(names, n->key[i]->text, texts);
        for (size_t k = 0; k < of_key->n; k++) {
            if (of_key->item[k]->kind != TREE_SCALAR) return tree_fail(r->d, of_key->item[k], "write one word");
            json_object_set_new(texts, of_key->key[k]->text, json_string(of_key->item[k]->text));
        }
    }
    return true;
}

/* ---- what is drawn ---- */

/* Returns the unit of the number before `unit` changes it. */
static const char *own_unit(const struct figure_y *y) {
    return (y->as == AS_VALUE || y->as == AS_DIFFERENCE) && !y->per ? metric_unit(y->metric) : "";
}

static const char *default_unit(const struct figure_y *y) {
    return y->as == AS_CHANGE || y->as == AS_REDUCTION ? "%" : own_unit(y);
}

static bool unit_read(const struct reader *r, struct figure_y *y) {
    const char *from = own_unit(y);
    y->unit = word(r, "unit");
    y->unit_is_free = !y->unit;
    if (!y->unit) y->unit = default_unit(y);
    /* An unknown unit, such as RTT, and any unit with `per` are accepted: `scale` converts to them. */
    if (y->per || unit_factor(from, y->unit) > 0 || unit_factor(y->unit, y->unit) == 0) return true;
    return tree_fail(r->d, tree_get(r->at, "unit"), "%s is in %s, which cannot be told in %s", y->metric,
                     *from ? from : "plain numbers", y->unit);
}

static bool y_read(struct reader r, const struct tree_node *at, struct figure_y *y) {
    r.at = at;
    *y = (struct figure_y){.against = json_object(), .scale = 1};
    y->metric = word(&r, "metric");
    if (!y->metric) return tree_fail(r.d, at, "'metric' is missing; give a path of the result such as fct_us.mice.p95");
    y->label = word(&r, "label");
    y->group = word(&r, "group");
    y->per = word(&r, "per");
    if (!y->label) y->label = metric_label(y->metric, y->own_label);
    if (!y->group) y->group = "";
    if (!against_read(&r, y->against)) return false;
    bool compares = json_object_size(y->against) > 0;
    y->as = compares ? (enum figure_as)choice(&r, "as", PARAM_CHOICES(FIGURE_COMPARISONS)) : AS_VALUE;
    if (!compares && word(&r, "as")) return tree_fail(r.d, at, "`as` compares nothing; give against: {KEY: value}");
    return unit_read(&r, y) && optional_number(&r, "scale", &y->scale) && optional_number(&r, "offset", &y->offset);
}

static bool ys_read(const struct reader *r, struct figure *f) {
    const struct tree_node *list = tree_get(r->at, "y");
    if (!list || tree_is_null(list) || (list->kind == TREE_LIST && list->n == 0))
        return tree_fail(r->d, r->at, "'y' is missing; say what is drawn: y: [{metric: fct_us.mice.p95}]");
    size_t n = list->kind == TREE_LIST ? list->n : 1;
    f->y = memory_get(n, sizeof *f->y);
    for (size_t i = 0; i < n; i++) {
        f->n_y++;
        if (!y_read(*r, list->kind == TREE_LIST ? list->item[i] : list, &f->y[i])) return false;
    }
    return true;
}

/* ---- references ---- */

/* Checks a word of `of` that stands for items of y. Returns it as a new reference; NULL after filling *d. */
static json_t *own_value_read(const struct reader *r, const struct figure *f, const char *key,
                              const struct tree_node *n) {
    for (size_t i = 0; n->kind == TREE_SCALAR && i < f->n_y; i++) {
        const struct figure_y *y = &f->y[i];
        bool is_metric = strcmp(key, "metric") == 0;
        bool fits = is_metric ? strcmp(n->text, y->label) == 0 || strcmp(n->text, y->metric) == 0
                              : strcmp(n->text, y->group) == 0;
        if (fits) return json_string(n->text);
    }
    tree_fail(r->d, n, "no item of y has the %s '%s'; write one as y has it",
              strcmp(key, "metric") == 0 ? "label or metric" : "group", n->kind == TREE_SCALAR ? n->text : "this");
    return NULL;
}

static bool is_own_word(const struct tree_node *key) {
    return key->kind == TREE_SCALAR && (strcmp(key->text, "metric") == 0 || strcmp(key->text, "group") == 0);
}

/* Reads one key of a reference's `of` into {KEY: [values]}. */
static bool reference_key_read(const struct reader *r, const struct figure *f, const struct tree_node *key,
                               const struct tree_node *v, json_t *of) {
    bool own = is_own_word(key);
    if (!own && !key_check(r, key, false)) return false;
    json_t *values = json_array();
    json_object_set_new(of, key->text, values);
    for (size_t k = 0; k < (v->kind == TREE_LIST ? v->n : 1); k++) {
        const struct tree_node *n = v->kind == TREE_LIST ? v->item[k] : v;
        json_t *value = own ? own_value_read(r, f, key->text, n) : value_read(r, key->text, n);
        if (!value) return false;
        json_array_append_new(values, value);
    }
    return true;
}

static bool reference_of_read(const struct reader *r, const struct figure *f, struct figure_reference *g) {
    const struct tree_node *n = tree_get(r->at, "of");
    if (!n || tree_is_null(n)) return true;
    if (n->kind != TREE_MAP) return tree_fail(r->d, n, "write {KEY: value} with a swept key, metric or group");
    if (figure_part_has(&f->panels, "host"))
        return tree_fail(r->d, n, "the panels of single hosts share a reference; leave `of` out");
    for (size_t i = 0; i < n->n; i++) {
        if (!reference_key_read(r, f, n->key[i], n->item[i], g->of)) return false;
        if (g->function && figure_part_has(&f->x, n->key[i]->text))
            return tree_fail(r->d, n->key[i], "a function is drawn along all of x; leave '%s' out", n->key[i]->text);
    }
    return true;
}

/* Returns true if the reference lies at numbers of x: in a cdf always, over time and over numbers with "at: x". */
static bool reference_is_on_x(const struct figure *f, const struct figure_reference *g) {
    return figure_shows_shares(f) || g->on_x;
}

/* Reads the share of a cdf at which a line or band is drawn; "x" has been read. */
static bool reference_at_read(const struct reader *r, const struct figure *f, struct figure_reference *g) {
    const struct tree_node *n = tree_get(r->at, "at");
    if (!n || tree_is_null(n)) return true;
    if (g->function) return tree_fail(r->d, n, "a function is drawn along all of x; leave `at` out");
    if (g->on_x) return true;
    if (f->kind == FIGURE_TIME)
        return tree_fail(r->d, n, "over time a reference lies at x or, without `at`, at y; write at: x");
    if (!figure_shows_shares(f))
        return tree_fail(r->d, n, "only a cdf has shares; name values of x in `of`, or write at: x");
    if (!number_read(r, n, &g->at)) return false;
    return (g->at > 0 && g->at <= 1) || tree_fail(r->d, n, "a share is over 0 and at most 1");
}

/* Reads `value` or `band`. */
static bool reference_numbers_read(const struct reader *r, const struct figure *f, struct figure_reference *g) {
    const struct tree_node *value = tree_get(r->at, "value"), *band = tree_get(r->at, "band");
    double range[2];
    if (value && !tree_is_null(value)) {
        if (!number_read(r, value, &g->low)) return false;
        g->high = g->low;
        band = value;
    } else {
        if (!range_read(r, "band", range)) return false;
        g->low = range[0];
        g->high = range[1];
        if (isnan(g->low) && isnan(g->high))
            return tree_fail(r->d, band, "a band has at least one end; write a number");
    }
    bool is_log = reference_is_on_x(f, g) ? f->log_x : f->log_y;
    return !is_log || !(g->low <= 0 || g->high <= 0) ||
           tree_fail(r->d, band, "a logarithmic axis has no place for 0 and less");
}

/* Reads one reference. A function goes into a gnuplot program, so only numbers, x and arithmetic are allowed. */
static bool reference_read(const struct reader *r, const struct figure *f, struct figure_reference *g) {
    g->function = word(r, "function");
    g->label = word(r, "label");
    const char *at = word(r, "at");
    g->on_x = (f->kind == FIGURE_TIME || f->kind == FIGURE_LINES) && at && strcmp(at, "x") == 0;
    int forms = (g->function != NULL) + is_given(r, "value") + is_given(r, "band");
    if (forms != 1)
        return tree_fail(r->d, r->at,
                         "a reference has one of 'function', 'value' and 'band', this one has %s; a line: {value: 40}",
                         forms ? "several" : "none");
    if (f->kind == FIGURE_TABLE) return tree_fail(r->d, r->at, "a table shows no reference; leave it out");
    if (g->function && g->function[strspn(g->function, "0123456789.x+-*/() ")])
        return tree_fail(r->d, tree_get(r->at, "function"), "a function is made of numbers, x and + - * / ( )");
    return (g->function || reference_numbers_read(r, f, g)) && reference_at_read(r, f, g) && reference_of_read(r, f, g);
}

static bool references_read(const struct reader *r, struct figure *f) {
    const struct tree_node *list = tree_get(r->at, "reference");
    size_t n = !list || tree_is_null(list) ? 0 : list->kind == TREE_LIST ? list->n : 1;
    f->reference = memory_get(n + 1, sizeof *f->reference);
    for (size_t i = 0; i < n; i++) {
        struct figure_reference *g = &f->reference[f->n_reference++];
        struct reader item = *r;
        item.at = list->kind == TREE_LIST ? list->item[i] : list;
        *g = (struct figure_reference){.low = NAN, .high = NAN, .at = NAN, .of = json_object()};
        if (!reference_read(&item, f, g)) return false;
    }
    return true;
}

static bool names_item(const json_t *texts, const char *one, const char *other) {
    for (size_t i = 0; i < json_array_size(texts); i++) {
        const char *text = json_string_value(json_array_get(texts, i));
        if (strcmp(text, one) == 0 || strcmp(text, other) == 0) return true;
    }
    return false;
}

bool figure_reference_names(const struct figure_reference *r, const struct figure_y *y) {
    const json_t *metric = json_object_get(r->of, "metric"), *group = json_object_get(r->of, "group");
    return (!metric || names_item(metric, y->label, y->metric)) && (!group || names_item(group, y->group, y->group));
}

static bool every_read(const struct reader *r, struct figure *f) {
    const char *text = word(r, "every");
    char why[384];
    if (!text || units_parse(PARAM_TIME, text, &f->every_ps, why, sizeof why)) return true;
    return tree_fail(r->d, tree_get(r->at, "every"), "every: %s", why);
}

/* ---- consistency ---- */

/* Fails if the name is not fit for file names. */
static bool name_check(const struct reader *r, const struct figure *f) {
    if (!f->name) return true;
    bool plain = f->name[0] != '.' && f->name[0] != '-' && strlen(f->name) < 100;
    for (const char *c = f->name; plain && *c; c++)
        plain = (*c >= '0' && *c <= '9') || ((*c | 32) >= 'a' && (*c | 32) <= 'z') || strchr("._-", *c);
    return plain || tree_fail(r->d, tree_get(r->at, "name"), "a figure's name is made of letters, digits, . _ and -");
}

bool figure_shows_shares(const struct figure *f) { return f->kind == FIGURE_CDF || f->kind == FIGURE_CCDF; }

bool figure_shows_values(const struct figure *f) { return figure_shows_shares(f) || f->kind == FIGURE_RANK; }

bool figure_has_own_x(const struct figure *f) { return figure_shows_values(f) || f->kind == FIGURE_TIME; }

static bool parts_check(const struct reader *r, const struct figure *f) {
    bool has_x = !figure_has_own_x(f);
    if (has_x && f->x.n == 0)
        return tree_fail(r->d, r->at, "'x' is missing; name a swept key, or metric for the items of y");
    if (!has_x && f->x.n)
        return tree_fail(r->d, tree_get(r->at, "x"), "a figure of this kind has an x of its own; leave x out");
    const char *host[] = {"x", "series", "panels"};
    const struct figure_part *part[] = {&f->x, &f->series, &f->panels};
    for (size_t i = 0; i < 3; i++) {
        if (f->kind != FIGURE_TIME && figure_part_has(part[i], "host"))
            return tree_fail(r->d, tree_get(r->at, host[i]), "only figures of kind time know single hosts");
    }
    return true;
}

static bool plays_part(const struct figure *f, const char *key) {
    return figure_part_has(&f->x, key) || figure_part_has(&f->series, key) || figure_part_has(&f->panels, key);
}

/* Fails if a swept key has several values and no place in the figure: only seeds may be averaged. */
static bool open_axes_check(const struct reader *r, const struct figure *f) {
    for (size_t i = 0; i < r->axes->n; i++) {
        const struct figure_axis *a = &r->axes->axis[i];
        if (json_array_size(a->values) < 2 || strcmp(a->key, "run.seed") == 0 || plays_part(f, a->key)) continue;
        if (json_array_size(json_object_get(f->of, a->key)) == 1) continue;
        return tree_fail(r->d, r->at, "the figure leaves '%s' open; name it in x, series, panels or of", a->key);
    }
    if (f->n_y > 1 && !plays_part(f, "metric") && !plays_part(f, "group"))
        return tree_fail(r->d, r->at, "y has %zu items; name metric in x, series or panels", f->n_y);
    return true;
}

static bool time_check(const struct reader *r, const struct figure *f) {
    for (size_t i = 0; f->kind == FIGURE_TIME && i < f->n_y; i++) {
        const struct sampled *sampled = sampled_find(f->y[i].metric);
        char known[256];
        if (!sampled)
            return tree_fail(r->d, r->at, "'%s' is not sampled; known are %s", f->y[i].metric,
                             sampled_names(known, sizeof known));
        if (sampled->over == SAMPLED_EACH && !plays_part(f, "host"))
            return tree_fail(r->d, r->at, "%s has a curve for each host: series: host", sampled->metric);
    }
    return true;
}

/* ---- reading ---- */

static bool figure_read(const struct reader *r, struct figure *f) {
    const char *log = word(r, "log");
    *f = (struct figure){
        .name = word(r, "name"), .title = word(r, "title"), .of = json_object(), .names = json_object(), .at = r->at};
    if (r->at->kind != TREE_MAP) return tree_fail(r->d, r->at, "a figure is a block of keys: x, y, series, ...");
    f->kind = (enum figure_kind)choice(r, "kind", PARAM_CHOICES(FIGURE_KINDS));
    f->x_label = word(r, "x_label");
    f->y_label = word(r, "y_label");
    f->x_unit = word(r, "x_unit");
    f->log_x = log && strchr(log, 'x');
    f->log_y = log ? strchr(log, 'y') != NULL : f->kind == FIGURE_CCDF && !is_given(r, "log");
    return name_check(r, f) && part_read(r, "x", 1, &f->x) && part_read(r, "series", FIGURE_KEYS_MAX, &f->series) &&
           part_read(r, "panels", FIGURE_KEYS_MAX, &f->panels) && of_read(r, f->of) && names_read(r, f->names) &&
           ys_read(r, f) && references_read(r, f) && every_read(r, f) && figure_looks_read(r->at, f, r->d) &&
           range_read(r, "x_range", f->x_range) && range_read(r, "y_range", f->y_range) && parts_check(r, f) &&
           time_check(r, f) && figure_looks_check(f, r->d) && open_axes_check(r, f);
}

bool figures_read(const struct tree_node *block, const struct figure_axes *axes, bool is_strict, struct figures *f,
                  struct diag *d) {
    *f = (struct figures){0};
    if (!block || tree_is_null(block)) return true;
    f->tree = tree_copy(block);
    size_t n = block->kind == TREE_LIST ? block->n : 1;
    f->item = memory_get(n + 1, sizeof *f->item);
    for (size_t i = 0; i < n; i++) {
        struct reader r = {axes, is_strict, block->kind == TREE_LIST ? f->tree->item[i] : f->tree, d};
        f->n++;
        if (figure_read(&r, &f->item[i])) continue;
        figures_free(f);
        return false;
    }
    return true;
}

void figures_free(struct figures *f) {
    for (size_t i = 0; i < f->n; i++) {
        struct figure *g = &f->item[i];
        for (size_t k = 0; k < g->n_y; k++) json_decref(g->y[k].against);
        for (size_t k = 0; k < g->n_reference; k++) json_decref(g->reference[k].of);
        free(g->y);
        free(g->reference);
        json_decref(g->of);
        json_decref(g->names);
    }
    free(f->item);
    tree_free(f->tree);
    *f = (struct figures){0};
}

/* ---- of an experiment ---- */

void figure_axes_free(struct figure_axes *axes) {
    for (size_t i = 0; i < axes->n; i++) json_decref(axes->axis[i].values);
    axes->n = 0;
}

bool figure_axes_of(const struct experiment *e, struct figure_axes *axes, struct diag *d) {
    axes->n = 0;
    for (size_t i = 0; i < e->n_axes; i++) {
        struct figure_axis *a = &axes->axis[axes->n++];
        *a = (struct figure_axis){e->axis[i].key, json_array()};
        for (size_t k = 0; k < e->axis[i].list->n; k++) {
            json_t *value = axis_setting(&e->axis[i], k, d);
            if (!value) return false;
            json_array_append_new(a->values, value);
        }
    }
    return true;
}

/* Fails if a metric is no number of a result. A cdf or rank shows the values of a summary, which has an `n`. */
static bool metrics_check(const struct experiment *e, const struct figure *f, struct diag *d) {
    for (size_t i = 0; f->kind != FIGURE_TIME && i < f->n_y; i++) {
        const struct tree_node *list = tree_get(f->at, "y");
        const struct tree_node *item = list->kind == TREE_LIST ? list->item[i] : list;
        const struct tree_node *at = tree_get(item, "metric");
        char path[256];
        snprintf(path, sizeof path, "%s%s", f->y[i].metric, figure_shows_values(f) ? ".n" : "");
        if (!metric_check(e, path, at, d)) return false;
        if (f->y[i].per && !metric_check(e, f->y[i].per, tree_get(item, "per"), d)) return false;
    }
    return true;
}

bool figures_check(const struct experiment *e, struct diag *d) {
    const struct tree_node *block = tree_get(e->root, "figure");
    struct figure_axes axes = {0};
    struct figures f = {0};
    if (!block) return true;
    bool ok = figure_axes_of(e, &axes, d) && figures_read(block, &axes, e->as_written, &f, d);
    for (size_t i = 0; ok && i < f.n; i++) ok = metrics_check(e, &f.item[i], d);
    figures_free(&f);
    figure_axes_free(&axes);
    return ok;
}
