/* SPDX-License-Identifier: Apache-2.0 */
#include "study/claims/expect.h"

#include "base/memory.h"
#include "base/text.h"
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

/* Fails if `name`, written at `key`, is no swept key. */
static bool key_is_setting(const struct reader *r, const struct tree_node *key, const char *name) {
    if (axis_find(r->e, name) || strcmp(name, "run.seed") == 0) return true;
    const char *names[32];
    size_t n = 0;
    for (size_t i = 0; i < r->e->n_axes && n < 32; i++) names[n++] = r->e->axis[i].key;
    const char *nearest = diag_nearest(name, names, n);
    return tree_fail(r->d, key, "'%s' is not swept, so no runs differ in it; %s%s%s", name,
                     nearest ? "did you mean '" : "sweep it or leave it out", nearest ? nearest : "",
                     nearest ? "'?" : "");
}

/* Reads {KEY: value} into an object with values in the form of `settings`. */
static bool settings_read(const struct reader *r, const struct tree_node *n, json_t *out) {
    if (!n || tree_is_null(n)) return true;
    if (n->kind != TREE_MAP) return tree_fail(r->d, n, "write {KEY: value} with a swept key");
    for (size_t i = 0; i < n->n; i++) {
        if (!key_is_setting(r, n->key[i], n->key[i]->text)) return false;
        json_t *value = setting_json(n->key[i]->text, n->item[i], r->d);
        if (!value) return false;
        json_object_set_new(out, n->key[i]->text, value);
    }
    return true;
}

/* ---- each ---- */

/* Returns the swept key that a key of `each` is about: scheme for scheme and for against.scheme. */
static const char *axis_of(const char *key) { return strncmp(key, "against.", 8) == 0 ? key + 8 : key; }

/* Returns the values that a swept key has in the runs, each once, as a new reference. */
static json_t *values_of(const struct reader *r, const char *key) {
    json_t *values = json_array();
    for (size_t i = 0; i < r->e->n_runs; i++) {
        json_t *value = json_object_get(r->e->run[i].settings, axis_of(key));
        bool known = false;
        for (size_t k = 0; k < json_array_size(values) && !known; k++)
            known = setting_equal(json_array_get(values, k), value);
        if (!known) json_array_append(values, value);
    }
    return values;
}

/* Returns the values of a key of `each`, after writing them out if they are all. */
static json_t *each_values(const struct reader *r, json_t *each, const char *key) {
    if (json_is_null(json_object_get(each, key))) json_object_set_new(each, key, values_of(r, key));
    return json_object_get(each, key);
}

/* Adds a key of `each` with these values; with all values if there are none, or null. */
static bool each_add(const struct reader *r, const struct tree_node *key, const struct tree_node *values, json_t *out) {
    if (values && tree_is_null(values)) values = NULL;
    if (!key_is_setting(r, key, axis_of(key->text))) return false;
    if (values && values->kind == TREE_LIST && values->n == 0)
        return tree_fail(r->d, values, "each: no value of %s; name one, or write each: %s", key->text, key->text);
    json_t *list = values ? json_array() : json_null();
    json_object_set_new(out, key->text, list);
    for (size_t i = 0; values && i < (values->kind == TREE_LIST ? values->n : 1); i++) {
        json_t *value = setting_json(axis_of(key->text), values->kind == TREE_LIST ? values->item[i] : values, r->d);
        if (!value) return false;
        json_array_append_new(list, value);
    }
    return true;
}

/* Reads KEY, [KEYS] or {KEY: [values]}: `each` or `best`. */
static bool keys_read(const struct reader *r, const char *name, json_t *out) {
    const struct tree_node *n = tree_get(r->at, name);
    if (!n || tree_is_null(n)) return true;
    if (n->kind == TREE_SCALAR) return each_add(r, n, NULL, out);
    for (size_t i = 0; i < n->n; i++) {
        const struct tree_node *key = n->kind == TREE_MAP ? n->key[i] : n->item[i];
        if (key->kind != TREE_SCALAR) return tree_fail(r->d, key, "%s: name a swept key", name);
        if (!each_add(r, key, n->kind == TREE_MAP ? n->item[i] : NULL, out)) return false;
    }
    return true;
}

/* Takes one value from those of a key of `each`. */
static bool value_except(const struct reader *r, json_t *each, const char *key, const struct tree_node *n) {
    json_t *value = setting_json(axis_of(key), n, r->d), *values = each_values(r, each, key);
    if (!value) return false;
    size_t before = json_array_size(values);
    for (size_t i = before; i-- > 0;)
        if (setting_equal(json_array_get(values, i), value)) json_array_remove(values, i);
    json_decref(value);
    if (json_array_size(values) == 0 && r->e->as_written)
        return tree_fail(r->d, n, "except leaves no value of %s; take one out of it", key);
    if (json_array_size(values) < before || !r->e->as_written) return true;
    return tree_fail(r->d, n, "'%s' is no value that each has of %s; leave it out",
                     n->kind == TREE_SCALAR ? n->text : "this", key);
}

static bool values_except(const struct reader *r, json_t *each, const char *key, const struct tree_node *values) {
    for (size_t i = 0; values->kind == TREE_LIST && i < values->n; i++)
        if (!value_except(r, each, key, values->item[i])) return false;
    return values->kind == TREE_LIST || value_except(r, each, key, values);
}

/* Reads VALUE or [VALUES] of the only key of `each`, or {KEY: [VALUES]}. */
static bool except_read(const struct reader *r, json_t *each) {
    const struct tree_node *n = tree_get(r->at, "except");
    if (!n || tree_is_null(n)) return true;
    for (size_t i = 0; n->kind == TREE_MAP && i < n->n; i++) {
        const char *key = n->key[i]->text;
        if (!json_object_get(each, key))
            return tree_fail(r->d, n->key[i], "except names '%s', but each does not; name a key of each", key);
        if (!values_except(r, each, key, n->item[i])) return false;
    }
    if (n->kind == TREE_MAP) return true;
    if (json_object_size(each) != 1)
        return tree_fail(r->d, n, "each has %zu keys; write except: {KEY: [values]}", json_object_size(each));
    return values_except(r, each, json_object_iter_key(json_object_iter(each)), n);
}

/* ---- one claim for several ---- */

/* Returns the first {NAME} in a text as a copy of its name, which the caller frees, and where it begins; NULL: none. */
static char *blank_find(const char *text, const char **at) {
    const char *open = strchr(text, '{'), *end = open ? strchr(open, '}') : NULL;
    *at = open;
    return end ? text_copy_part(open + 1, (size_t)(end - open - 1)) : NULL;
}

/* Adds the names in braces of a text to `named`. Fails if one is no key of `each`. */
static bool blanks_read(const struct reader *r, const char *key, json_t *each, json_t *named) {
    const struct tree_node *n = tree_get(r->at, key);
    const char *at = n && n->kind == TREE_SCALAR ? n->text : "";
    char *name;
    bool ok = true;
    for (; ok && (name = blank_find(at, &at)); at++) {
        ok = json_object_get(each, name) ||
             tree_fail(r->d, n, "{%s} names no key of each; write one of them in the braces", name);
        if (ok) json_object_set_new(named, name, json_null());
        free(name);
    }
    return ok;
}

/* Returns the text of a key with its {NAME}s filled in, which the caller frees; NULL if there is none. */
static char *text_filled(const struct reader *r, const char *key, const json_t *values) {
    const struct tree_node *n = tree_get(r->at, key);
    if (!n || n->kind != TREE_SCALAR || tree_is_null(n)) return NULL;
    char *text = NULL, *name, value[256];
    size_t size = 0;
    FILE *out = text_stream(&text, &size);
    const char *rest = n->text, *at;
    while ((name = blank_find(rest, &at))) {
        setting_text(json_object_get(values, name), value, sizeof value);
        fprintf(out, "%.*s%s", (int)(at - rest), rest, value);
        rest = at + strlen(name) + 2;
        free(name);
    }
    fputs(rest, out);
    text_stream_end(out, &text);
    return text;
}

/* Returns a text; NULL if there is none. */
static const char *text_of(const struct tree_node *at, const char *key) {
    const struct tree_node *n = tree_get(at, key);
    return n && n->kind == TREE_SCALAR && !tree_is_null(n) ? n->text : NULL;
}

static bool is_true(const struct tree_node *at, const char *key) {
    const char *text = text_of(at, key);
    return text && strcmp(text, "true") == 0;
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
    for (enum claim_form f = FORM_CHANGE; f <= FORM_SHARE; f++) {
        const struct tree_node *range = tree_get(r->at, form_word(f));
        if (!range) continue;
        found++;
        x->form = f;
        if (!range_read(r, range, &x->low, &x->high)) return false;
    }
    if (found != 1)
        return tree_fail(r->d, r->at, "give one of change, value, ratio, difference and share: [low, high]");
    bool compares = x->form != FORM_VALUE, has = json_object_size(x->against) > 0;
    if (!compares && json_object_size(x->than) > 0)
        return tree_fail(r->d, r->at, "value compares nothing; give `than` with change, ratio, difference or share");
    if (x->form == FORM_SHARE && json_object_size(x->than) == 0)
        return tree_fail(r->d, r->at, "share needs than: {KEY: value}, whose difference from `against` is the whole");
    if (compares == has) return true;
    return tree_fail(r->d, r->at,
                     compares ? "%s needs against: {KEY: value}" : "%s compares nothing; leave `against` out",
                     form_word(x->form));
}

/* Reads `best` into x->best. Fails for a key that `each` or `of` has too, for `every`, and unless one end of the range is open. */
static bool best_read(const struct reader *r, struct expectation *x) {
    const struct tree_node *n = tree_get(r->at, "best");
    const char *key;
    json_t *values;
    x->best = json_object();
    if (!n || tree_is_null(n)) return true;
    if (!keys_read(r, "best", x->best)) return false;
    json_object_foreach(x->best, key, values) {
        if (axis_of(key) != key)
            return tree_fail(r->d, n, "best: write %s, a key of the runs themselves", axis_of(key));
        if (json_object_get(x->each, key) || json_object_get(x->of, key))
            return tree_fail(r->d, n, "best: %s is in each or of already; name it once", key);
    }
    if (x->every) return tree_fail(r->d, n, "best compares figures over seeds; leave every out");
    if (isfinite(x->low) != isfinite(x->high)) return true;
    return tree_fail(r->d, n, "best needs a range with one open end, which says what is better; write null for it");
}

/* Fails if neither `of` nor `each` nor `best` fixes an axis with several values: only seeds may be averaged. */
static bool open_axes_check(const struct reader *r, const struct expectation *x) {
    for (size_t i = 0; i < r->e->n_axes; i++) {
        const char *key = r->e->axis[i].key;
        bool fixed = json_object_get(x->of, key) || json_object_get(x->each, key) || json_object_get(x->best, key) ||
                     r->e->axis[i].list->n == 1 || strcmp(key, "run.seed") == 0;
        if (!fixed) return tree_fail(r->d, r->at, "the claim leaves '%s' open; name it in of, each or best", key);
    }
    return true;
}

static bool has_runs(const struct reader *r, const struct expectation *x) {
    for (size_t i = 0; i < r->e->n_runs; i++) {
        if (!settings_match(r->e->run[i].settings, x->of)) continue;
        struct compared_runs c;
        if (compared_runs(x, r->e, i, &c)) return true;
    }
    return false;
}

/* Gives the claim one value of each key in `values`: {KEY: value, against.KEY: value}. */
static void values_take(struct expectation *x, json_t *values) {
    const char *key;
    json_t *value;
    json_object_foreach(values, key, value) {
        if (axis_of(key) == key) {
            json_object_set_new(x->each, key, json_pack("[O]", value));
        } else {
            json_object_set(x->against, axis_of(key), value);
        }
    }
}

/* Reads the block as a claim with one value of each key in `values`; `each` has the other keys too. */
static bool expectation_read(const struct reader *r, const json_t *each, json_t *values, struct expectation *x) {
    *x = (struct expectation){
        .entry = x->entry, .of = json_object(), .against = json_object(), .each = json_object(), .at = r->at};
    x->than = json_object();
    x->every = is_true(r->at, "every");
    x->transient = is_true(r->at, "transient");
    x->claim = x->text[0] = text_filled(r, "claim", values);
    x->roughly = x->text[1] = text_filled(r, "roughly", values);
    x->paper = x->text[2] = text_filled(r, "paper", values);
    x->inferred = text_of(r->at, "inferred");
    x->metric = tree_get(r->at, "metric")->text;
    const char *key;
    json_t *list;
    json_object_foreach((json_t *)each, key, list) {
        if (axis_of(key) == key) json_object_set(x->each, key, list);
    }
    if (!settings_read(r, tree_get(r->at, "of"), x->of) || !settings_read(r, tree_get(r->at, "against"), x->against) ||
        !settings_read(r, tree_get(r->at, "than"), x->than))
        return false;
    values_take(x, values);
    return form_read(r, x) && best_read(r, x) && known_read(r, tree_get(r->at, "known"), x) && open_axes_check(r, x);
}

static bool names_read(const struct reader *r) {
    const struct tree_node *claim = tree_get(r->at, "claim"), *metric = tree_get(r->at, "metric");
    if (!claim || claim->kind != TREE_SCALAR)
        return tree_fail(r->d, r->at, "'claim' is missing; give the claim a name");
    if (!metric || metric->kind != TREE_SCALAR)
        return tree_fail(r->d, r->at, "'metric' is missing; give a path of the result such as fct_us.mice.p95");
    return metric_check(r->e, metric->text, metric, r->d);
}

/* Returns the keys of `each` whose values make claims of their own, as {KEY: null}: keys of the other side (against.KEY),
 * and keys that a text names in braces. NULL after filling the diag. */
static json_t *split_keys(const struct reader *r, json_t *each) {
    json_t *keys = json_object();
    const char *key;
    json_t *list;
    json_object_foreach(each, key, list) {
        if (axis_of(key) != key) json_object_set_new(keys, key, json_null());
    }
    if (blanks_read(r, "claim", each, keys) && blanks_read(r, "roughly", each, keys) &&
        blanks_read(r, "paper", each, keys))
        return keys;
    json_decref(keys);
    return NULL;
}

/* Sets `values` to combination `index` of the values of its keys, the last key fastest. False if there are fewer. A key has
 * no value if a profile or --set leaves only values that are in `except`. */
static bool combination(const struct reader *r, json_t *each, json_t *values, size_t index) {
    const char *keys[AXES_MAX * 2], *key;
    size_t n = 0;
    json_t *old;
    json_object_foreach(values, key, old) {
        if (n < AXES_MAX * 2) keys[n++] = key;
    }
    for (size_t i = n; i-- > 0;) {
        const json_t *list = each_values(r, each, keys[i]);
        size_t size = json_array_size(list);
        if (size == 0) return false;
        json_object_set(values, keys[i], json_array_get(list, index % size));
        index /= size;
    }
    return index == 0;
}

/* Adds the claims of one block. In the file as written some claim of the block must have runs. A claim that would compare
 * runs with themselves has none. --set and profiles may leave out runs, and so all claims of a block. */
static bool block_read(const struct reader *r, size_t entry, struct expectations *x) {
    json_t *each = json_object(), *values = NULL;
    bool ok = names_read(r) && keys_read(r, "each", each) && except_read(r, each) && (values = split_keys(r, each)),
         any = false;
    for (size_t i = 0; ok && combination(r, each, values, i); i++) {
        x->item = memory_grow(x->item, x->n + 1, sizeof *x->item);
        struct expectation *item = &x->item[x->n++];
        item->entry = entry;
        ok = expectation_read(r, each, values, item);
        any = any || (ok && has_runs(r, item));
    }
    json_decref(each);
    json_decref(values);
    if (!ok || any || !r->e->as_written) return ok;
    return tree_fail(r->d, r->at, "no runs have the values that claim '%s' names; name values of the sweep",
                     tree_get(r->at, "claim")->text);
}

bool expectations_read(const struct experiment *e, struct expectations *x, struct diag *d) {
    *x = (struct expectations){0};
    const struct tree_node *list = tree_get(e->root, "expect");
    if (!list || tree_is_null(list)) return true;
    size_t n = list->kind == TREE_LIST ? list->n : 1;
    for (size_t i = 0; i < n; i++) {
        struct reader r = {e, list->kind == TREE_LIST ? list->item[i] : list, d};
        if (block_read(&r, i, x)) continue;
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
        json_decref(x->item[i].best);
        for (size_t k = 0; k < x->item[i].n_known; k++) json_decref(x->item[i].known[k].where);
        for (size_t k = 0; k < 3; k++) free(x->item[i].text[k]);
        free(x->item[i].known);
    }
    free(x->item);
    *x = (struct expectations){0};
}
