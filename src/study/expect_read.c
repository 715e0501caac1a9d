/* SPDX-License-Identifier: Apache-2.0 */
#include "study/expect.h"

#include "base/memory.h"
#include "base/units.h"
#include "study/json_out.h"
#include "study/metrics/metrics.h"
#include "study/query_classes.h"
#include "study/settings.h"
#include "study/size_classes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

struct reader {
    const struct experiment *e;
    const struct tree_node *at; /* the expectation */
    struct diag *d;
};

/* A bound: a number, a percentage, or null for an open end. */
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

/* {KEY: value}, into an object of values as the settings have them. */
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

/* KEY, [KEYS] or {KEY: [values]}. */
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

/* A text, NULL if there is none. */
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
        if (!holds) return tree_fail(r->d, item, "known: say whether the claim holds; write holds: false or undecided");
        if (holds->kind != TREE_SCALAR || !verdict_recorded(holds->text, &k->verdict))
            return tree_fail(r->d, holds, "known: holds is true, roughly, false, undecided or unmeasured");
        k->profile = text_of(item, "profile");
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

struct classes {
    struct size_classes sizes;
    struct query_classes queries;
};

static bool classes_same(const struct classes *a, const struct classes *b) {
    const struct query_classes *p = &a->queries, *q = &b->queries;
    return a->sizes.n_edges == b->sizes.n_edges && p->n_sizes == q->n_sizes && p->n_fanouts == q->n_fanouts &&
           memcmp(a->sizes.edge, b->sizes.edge, sizeof a->sizes.edge) == 0 &&
           memcmp(p->size, q->size, sizeof p->size) == 0 && memcmp(p->fanout, q->fanout, sizeof p->fanout) == 0;
}

/* What a result without flows would look like: every key, no value. */
static json_t *empty_result(const struct classes *classes) {
    struct outcome none = {.result.sizes = classes->sizes, .result.queries.classes = classes->queries};
    json_t *settings = json_object(), *result = metrics_object(0, settings, &none);
    json_decref(settings);
    return result;
}

/* Where a path ends that is no number: its last part that was looked up. */
struct path_end {
    const json_t *at;      /* the keys that are known there */
    size_t before, length; /* letters of the path before the part, and of the part */
    bool is_object;        /* the part is an object of a result: the path is too short */
};

static struct path_end path_end(const char *path, const json_t *result) {
    struct path_end end = {.at = result, .is_object = true};
    for (size_t next = 0; end.is_object && path[next];) {
        char part[METRIC_KEY_MAX];
        end.before = next;
        end.length = strcspn(path + next, ".");
        snprintf(part, sizeof part, "%.*s", (int)end.length, path + next);
        const json_t *child = json_object_get(end.at, part);
        end.is_object = json_is_object(child);
        if (end.is_object) end.at = child;
        next += end.length + (path[next + end.length] == '.');
    }
    return end;
}

/* The path with the nearest known key in place of the wrong part, if that is a number of a result; else "". */
static void path_suggest(const char *path, const json_t *result, const struct path_end *end, char *buf, size_t size) {
    const char *known[256], *key;
    char part[METRIC_KEY_MAX];
    json_t *value;
    size_t n = 0;
    double number;
    json_object_foreach((json_t *)end->at, key, value) {
        if (n < sizeof known / sizeof *known) known[n++] = key;
    }
    snprintf(part, sizeof part, "%.*s", (int)end->length, path + end->before);
    const char *nearest = end->is_object ? NULL : diag_nearest(part, known, n);
    snprintf(buf, size, "%.*s%s%s", (int)end->before, path, nearest ? nearest : "", path + end->before + end->length);
    if (!nearest || !json_metric(result, buf, &number)) buf[0] = '\0';
}

static bool metric_unknown(const char *path, const json_t *result, const struct tree_node *n, struct diag *d) {
    struct path_end end = path_end(path, result);
    char known[256] = "", nearest[256];
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)end.at, key, value) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", key);
    }
    path_suggest(path, result, &end, nearest, sizeof nearest);
    return tree_fail(d, n, "there is no number '%s' in a result; at '%.*s' known are: %s%s%s%s", path,
                     (int)(end.length < 63 ? end.length : 63), path + end.before, known,
                     nearest[0] ? "; did you mean '" : "", nearest, nearest[0] ? "'?" : "");
}

bool metric_check(const struct experiment *e, const char *path, const struct tree_node *n, struct diag *d) {
    struct classes classes, seen;
    memset(&classes, 0, sizeof classes);
    if (strncmp(path, "counters.", 9) == 0) return true;
    for (size_t i = 0; i < e->n_runs; i++) {
        const struct config *c = &e->run[i].config;
        if (!size_classes_read(c, &classes.sizes, d) || !query_classes_read(c, &classes.queries, d)) return false;
        if (i > 0 && classes_same(&classes, &seen)) continue;
        seen = classes;
        json_t *empty = empty_result(&classes);
        double value;
        bool known = json_metric(empty, path, &value);
        json_decref(empty);
        if (known) return true;
    }
    json_t *empty = empty_result(&classes);
    metric_unknown(path, empty, n, d);
    json_decref(empty);
    return false;
}

/* Axes that neither `of`, `against` nor `each` fixes would be mixed up: only seeds may be averaged. */
static bool open_axes_check(const struct reader *r, const struct expectation *x) {
    for (size_t i = 0; i < r->e->n_axes; i++) {
        const char *key = r->e->axis[i].key;
        bool fixed = json_object_get(x->of, key) || json_object_get(x->each, key) || r->e->axis[i].list->n == 1 ||
                     strcmp(key, "run.seed") == 0;
        if (!fixed) return tree_fail(r->d, r->at, "the claim leaves '%s' open; name it in of or each", key);
    }
    return true;
}

/* In the file as written every claim has its runs; --set and profiles may leave some out, and with them the claim. */
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
