/* SPDX-License-Identifier: Apache-2.0 */
#include "study/claims/expect.h"

#include "base/memory.h"
#include "base/units.h"
#include "study/experiment/metric_check.h"
#include "study/experiment/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

struct reader {
    const struct experiment *e;
    const struct tree_node *at; /* the expectation */
    struct diag *d;
};

/* Reads a bound: a number, a percentage, or null for an open end. */
static bool bound_read(const struct reader *r, const struct tree_node *n, double open, double *value) {
    if (n->kind == TREE_SCALAR && tree_is_null(n)) {
        *value = open;
        return true;
    }
    char *end = NULL;
    *value = n->kind == TREE_SCALAR ? strtod(n->text, &end) : 0;
    bool any = end && end > n->text;
    if (any && strcmp(end, "%") == 0) {
        *value /= 100;
        end++;
    }
    if (any && *end == '\0' && isfinite(*value)) return true;
    return tree_fail(r->d, n, "a bound is a number, a percentage such as -20%%, or null");
}

static bool range_read(const struct reader *r, const struct tree_node *n, double *low, double *high) {
    if (n->kind != TREE_LIST || n->n != 2) return tree_fail(r->d, n, "write [low, high]; null leaves an end open");
    if (!bound_read(r, n->item[0], -HUGE_VAL, low) || !bound_read(r, n->item[1], HUGE_VAL, high)) return false;
    return *low <= *high || tree_fail(r->d, n, "the range is empty: low is above high; exchange them");
}

static const struct axis *axis_find(const struct experiment *e, const char *key) {
    for (size_t i = 0; i < e->n_axes; i++) {
        if (strcmp(e->axis[i].key, key) == 0) return &e->axis[i];
    }
    return NULL;
}

static bool key_is_setting(const struct reader *r, const struct tree_node *key) {
    if (axis_find(r->e, key->text) || strcmp(key->text, "run.seed") == 0) return true;
    const char *names[32];
    size_t n = 0;
    for (size_t i = 0; i < r->e->n_axes && n < 32; i++) names[n++] = r->e->axis[i].key;
    const char *nearest = diag_nearest(key->text, names, n);
    return tree_fail(r->d, key, "'%s' is not swept, so no runs differ in it; %s%s%s", key->text,
                     nearest ? "did you mean '" : "sweep it or leave it out", nearest ? nearest : "",
                     nearest ? "'?" : "");
}

/* Reads {KEY: value} into an object with values in the form of `settings`. */
static bool settings_read(const struct reader *r, const struct tree_node *n, json_t *out) {
    if (!n || tree_is_null(n)) return true;
    if (n->kind != TREE_MAP) return tree_fail(r->d, n, "write {KEY: value} with a swept key");
    for (size_t i = 0; i < n->n; i++) {
        if (!key_is_setting(r, n->key[i])) return false;
        json_t *value = setting_json(n->key[i]->text, n->item[i], r->d);
        if (!value) return false;
        json_object_set_new(out, n->key[i]->text, value);
    }
    return true;
}

static bool each_add(const struct reader *r, const struct tree_node *key, const struct tree_node *values, json_t *out) {
    if (!key_is_setting(r, key)) return false;
    json_t *list = values ? json_array() : json_null();
    json_object_set_new(out, key->text, list);
    for (size_t i = 0; values && i < (values->kind == TREE_LIST ? values->n : 1); i++) {
        json_t *value = setting_json(key->text, values->kind == TREE_LIST ? values->item[i] : values, r->d);
        if (!value) return false;
        json_array_append_new(list, value);
    }
    return true;
}

/* Reads KEY, [KEYS] or {KEY: [values]}. */
static bool each_read(const struct reader *r, const struct tree_node *n, json_t *out) {
    if (!n || tree_is_null(n)) return true;
    if (n->kind == TREE_SCALAR) return each_add(r, n, NULL, out);
    for (size_t i = 0; i < n->n; i++) {
        const struct tree_node *key = n->kind == TREE_MAP ? n->key[i] : n->item[i];
        if (key->kind != TREE_SCALAR) return tree_fail(r->d, key, "each: name a swept key");
        if (!each_add(r, key, n->kind == TREE_MAP ? n->item[i] : NULL, out)) return false;
    }
    return true;
}

/* Returns a text; NULL if there is none. */
static const char *text_of(const struct tree_node *at, const char *key) {
    const struct tree_node *n = tree_get(at, key);
    return n && n->kind == TREE_SCALAR && !tree_is_null(n) ? n->text : NULL;
}

static bool known_read(const struct reader *r, const struct tree_node *n, struct expectation *x) {
    size_t count = !n ? 0 : n->kind == TREE_LIST ? n->n : 1;
    x->known = memory_get(count + 1, sizeof *x->known);
    for (size_t i = 0; i < count; i++) {
        const struct tree_node *item = n->kind == TREE_LIST ? n->item[i] : n;
        struct known *k = &x->known[x->n_known++];
        const struct tree_node *holds = tree_get(item, "holds"), *measured = tree_get(item, "measured");
        k->where = json_object();
        k->at = item;
        if (!holds) return tree_fail(r->d, item, "known: say whether the claim holds; write holds: false or undecided");
        if (holds->kind != TREE_SCALAR || !verdict_recorded(holds->text, &k->verdict))
            return tree_fail(r->d, holds, "known: holds is true, roughly, false, undecided or unmeasured");
        k->profile = text_of(item, "profile");
        k->world = text_of(item, "world");
        k->note = text_of(item, "note");
        k->has_range = measured && !tree_is_null(measured);
        if (k->has_range && !range_read(r, measured, &k->low, &k->high)) return false;
        if (!settings_read(r, tree_get(item, "where"), k->where)) return false;
    }
    return true;
}

static bool form_read(const struct reader *r, struct expectation *x) {
    size_t found = 0;
    for (enum claim_form f = FORM_CHANGE; f <= FORM_DIFFERENCE; f++) {
        const struct tree_node *range = tree_get(r->at, form_word(f));
        if (!range) continue;
        found++;
        x->form = f;
        if (!range_read(r, range, &x->low, &x->high)) return false;
    }
    if (found != 1) return tree_fail(r->d, r->at, "give one of change, value, ratio and difference: [low, high]");
    bool compares = x->form != FORM_VALUE, has = json_object_size(x->against) > 0;
    if (!compares && json_object_size(x->than) > 0)
        return tree_fail(r->d, r->at, "value compares nothing; give `than` with change, ratio or difference");
    if (compares == has) return true;
    return tree_fail(r->d, r->at,
                     compares ? "%s needs against: {KEY: value}" : "%s compares nothing; leave `against` out",
                     form_word(x->form));
}

/* Fails if neither `of` nor `each` fixes an axis with several values: only seeds may be averaged. */
static bool open_axes_check(const struct reader *r, const struct expectation *x) {
    for (size_t i = 0; i < r->e->n_axes; i++) {
        const char *key = r->e->axis[i].key;
        bool fixed = json_object_get(x->of, key) || json_object_get(x->each, key) || r->e->axis[i].list->n == 1 ||
                     strcmp(key, "run.seed") == 0;
        if (!fixed) return tree_fail(r->d, r->at, "the claim leaves '%s' open; name it in of or each", key);
    }
    return true;
}

/* Fails if a claim of the file as written has no runs. --set and profiles may leave out runs, and so claims. */
static bool runs_exist_check(const struct reader *r, const struct expectation *x) {
    if (!r->e->as_written) return true;
    for (size_t i = 0; i < r->e->n_runs; i++) {
        if (!settings_match(r->e->run[i].settings, x->of)) continue;
        struct compared_runs c;
        if (compared_runs(x, r->e, i, &c)) return true;
    }
    return tree_fail(r->d, r->at, "no runs have the values that claim '%s' names; name values of the sweep", x->claim);
}

static bool expectation_read(const struct reader *r, struct expectation *x) {
    const struct tree_node *claim = tree_get(r->at, "claim"), *metric = tree_get(r->at, "metric");
    const struct tree_node *every = tree_get(r->at, "every");
    *x = (struct expectation){
        .entry = x->entry, .of = json_object(), .against = json_object(), .each = json_object(), .at = r->at};
    x->than = json_object();
    x->every = every && every->kind == TREE_SCALAR && strcmp(every->text, "true") == 0;
    x->roughly = text_of(r->at, "roughly");
    x->inferred = text_of(r->at, "inferred");
    x->paper = text_of(r->at, "paper");
    if (!claim || claim->kind != TREE_SCALAR)
        return tree_fail(r->d, r->at, "'claim' is missing; give the claim a name");
    if (!metric || metric->kind != TREE_SCALAR) {
        return tree_fail(r->d, r->at, "'metric' is missing; give a path of the result such as fct_us.mice.p95");
    }
    x->claim = claim->text;
    x->metric = metric->text;
    return metric_check(r->e, metric->text, metric, r->d) && settings_read(r, tree_get(r->at, "of"), x->of) &&
           settings_read(r, tree_get(r->at, "against"), x->against) &&
           settings_read(r, tree_get(r->at, "than"), x->than) && each_read(r, tree_get(r->at, "each"), x->each) &&
           form_read(r, x) && known_read(r, tree_get(r->at, "known"), x) && open_axes_check(r, x) &&
           runs_exist_check(r, x);
}

bool expectations_read(const struct experiment *e, struct expectations *x, struct diag *d) {
    *x = (struct expectations){0};
    const struct tree_node *list = tree_get(e->root, "expect");
    if (!list || tree_is_null(list)) return true;
    size_t n = list->kind == TREE_LIST ? list->n : 1;
    x->item = memory_get(n + 1, sizeof *x->item);
    for (size_t i = 0; i < n; i++) {
        struct reader r = {e, list->kind == TREE_LIST ? list->item[i] : list, d};
        x->n++;
        x->item[i].entry = i;
        if (expectation_read(&r, &x->item[i])) continue;
        expectations_free(x);
        return false;
    }
    return true;
}

void expectations_free(struct expectations *x) {
    for (size_t i = 0; i < x->n; i++) {
        json_decref(x->item[i].of);
        json_decref(x->item[i].against);
        json_decref(x->item[i].than);
        json_decref(x->item[i].each);
        for (size_t k = 0; k < x->item[i].n_known; k++) json_decref(x->item[i].known[k].where);
        free(x->item[i].known);
    }
    free(x->item);
    *x = (struct expectations){0};
}
