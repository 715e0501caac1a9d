/* SPDX-License-Identifier: Apache-2.0 */
#include "study/figures/ask.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/config/config_check.h"
#include "study/experiment/metric_check.h"
#include "study/experiment/sampled.h"
#include "study/results/json_out.h"

#include <stdlib.h>
#include <string.h>

struct asking {
    const struct figure_ask *q;
    const struct figure_axes *axes;
    const json_t *result; /* of some run */
    struct tree_node *block;
    const struct figure_axis *x; /* NULL: none */
    struct diag *d;
};

/* ---- the block ---- */

/* Returns a word of the block, which errors place at `from`: "by", "--of". */
static struct tree_node *word_make(const char *text, const char *from) {
    struct tree_node place = {.kind = TREE_SCALAR, .file = tree_intern(from)};
    struct tree_node *word = tree_copy(&place);
    word->text = text_copy(text);
    return word;
}

static void put(struct tree_node *map, const char *key, struct tree_node *value) {
    struct tree_node *name = word_make(key, value->file);
    tree_put(map, map->n, name, value);
    tree_free(name);
    tree_free(value);
}

static void put_word(struct tree_node *map, const char *key, const char *text, const char *from) {
    put(map, key, word_make(text, from));
}

static struct tree_node *empty(enum tree_kind kind, const char *from) {
    struct tree_node place = {.kind = kind, .file = tree_intern(from)};
    return tree_copy(&place);
}

/* ---- keys ---- */

static const char *last_part(const char *key) {
    const char *dot = strrchr(key, '.');
    return dot ? dot + 1 : key;
}

/* Returns the axis of a key, or of the only key that ends so; NULL if there is none. */
static const struct figure_axis *axis_find(const struct asking *a, const char *key) {
    const struct figure_axis *found = NULL;
    for (size_t i = 0; i < a->axes->n; i++)
        if (strcmp(a->axes->axis[i].key, key) == 0) return &a->axes->axis[i];
    for (size_t i = 0; i < a->axes->n; i++) {
        if (strcmp(last_part(a->axes->axis[i].key), key) != 0) continue;
        if (found) return NULL;
        found = &a->axes->axis[i];
    }
    return found;
}

/* Returns the whole key; the words metric, group and host, and keys that are none, as they are. */
static const char *key_whole(const struct asking *a, const char *key) {
    const struct figure_axis *axis = axis_find(a, key);
    return axis ? axis->key : key;
}

static void keys_put(const struct asking *a, const char *part, const char *const *key, size_t n, const char *from) {
    struct tree_node *list = empty(TREE_LIST, from);
    for (size_t i = 0; i < n; i++) tree_append(list, word_make(key_whole(a, key[i]), from));
    put(a->block, part, list);
}

static bool is_among(const struct asking *a, const char *const *key, size_t n, const char *wanted) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(key_whole(a, key[i]), wanted) == 0) return true;
    return false;
}

/* Returns true if --of leaves one value of the key. */
static bool is_fixed(const struct asking *a, const char *key) {
    const struct tree_node *values = tree_get(tree_get(a->block, "of"), key);
    return values && values->n == 1;
}

static bool is_open(const struct asking *a, const struct figure_axis *axis) {
    const char *key = axis->key;
    return json_array_size(axis->values) > 1 && strcmp(key, "run.seed") != 0 && axis != a->x && !is_fixed(a, key) &&
           !is_among(a, a->q->panels, a->q->n_panels, key);
}

/* Puts the keys in series that nothing else places, those of designs first. */
static void series_choose(const struct asking *a) {
    static const char *const preferred[] = {"scheme", "switch.balance", "host.transport"};
    const char *key[AXES_MAX + 1];
    size_t n = 0;
    for (size_t p = 0; p < 3; p++)
        for (size_t i = 0; i < a->axes->n; i++)
            if (strcmp(a->axes->axis[i].key, preferred[p]) == 0 && is_open(a, &a->axes->axis[i]))
                key[n++] = preferred[p];
    for (size_t i = 0; i < a->axes->n; i++)
        if (is_open(a, &a->axes->axis[i]) && !is_among(a, key, n, a->axes->axis[i].key))
            key[n++] = a->axes->axis[i].key;
    const struct sampled *sampled = sampled_find(a->q->metric);
    if (sampled && sampled->over == SAMPLED_EACH) key[n++] = "host";
    if (n) keys_put(a, "series", key, n, "--series");
}

/* ---- parts of the request ---- */

static bool pair_split(const char *pair, const char *option, char **key, struct tree_node **value, struct diag *d) {
    const char *equals = strchr(pair, '=');
    if (!equals || equals == pair || !equals[1]) {
        diag_say(d, "%s %s: write %s KEY=VALUE", option, pair, option);
        return false;
    }
    *value = tree_parse(equals + 1, strlen(equals + 1), tree_intern(option), d);
    if (!*value) return false;
    *key = text_copy_part(pair, (size_t)(equals - pair));
    return true;
}

/* Reads --of into {KEY: [values]}. */
static bool of_read(const struct asking *a) {
    struct tree_node *of = empty(TREE_MAP, "--of"), *value = NULL;
    char *key = NULL;
    bool ok = true;
    for (size_t i = 0; ok && i < a->q->n_of; i++) {
        if (!(ok = pair_split(a->q->of[i], "--of", &key, &value, a->d))) break;
        const char *whole = key_whole(a, key);
        if (!tree_get(of, whole)) put(of, whole, empty(TREE_LIST, "--of"));
        tree_append(tree_get(of, whole), value);
        free(key);
    }
    put(a->block, "of", of);
    return ok;
}

static bool looks_read(const struct asking *a) {
    struct tree_node *value = NULL;
    char *key = NULL;
    for (size_t i = 0; i < a->q->n_look; i++) {
        if (!pair_split(a->q->look[i], "--set", &key, &value, a->d)) return false;
        bool is_of_y = strcmp(key, "unit") == 0 || strcmp(key, "label") == 0 || strcmp(key, "scale") == 0;
        put(is_of_y ? tree_get(a->block, "y") : a->block, key, value);
        free(key);
    }
    return true;
}

/* Fails for a metric that no result has. `kind` shows values behind a summary, which has an n. */
static bool metric_read(const struct asking *a, bool is_summary) {
    struct tree_node *at = word_make(a->q->metric, "METRIC");
    char path[256];
    snprintf(path, sizeof path, "%s%s", a->q->metric, is_summary ? ".n" : "");
    bool ok = metric_check_in(a->result, path, at, a->d);
    tree_free(at);
    return ok;
}

/* ---- kind ---- */

static bool is_numeric(const struct figure_axis *axis) {
    double number;
    for (size_t i = 0; i < json_array_size(axis->values); i++)
        if (!setting_number(json_array_get(axis->values, i), NULL, &number)) return false;
    return true;
}

static const char *kind_choose(const struct asking *a) {
    if (a->q->kind) return a->q->kind;
    if (a->x) return is_numeric(a->x) ? "lines" : "bars";
    return sampled_find(a->q->metric) ? "time" : "cdf";
}

/* Fails for a key that is not swept; names the nearest, or all. */
static bool unswept_fail(const struct asking *a, const char *known) {
    const char *names[2 * AXES_MAX], *key = a->q->key;
    size_t n = 0;
    for (size_t i = 0; i < a->axes->n; i++) {
        names[n++] = a->axes->axis[i].key;
        names[n++] = last_part(a->axes->axis[i].key);
    }
    const char *nearest = diag_nearest(key, names, n);
    return diag_say(a->d, "'%s' is not swept, so no runs differ in it; %s%s%s", key,
                    nearest ? "did you mean '" : "swept are: ", nearest ? nearest : known, nearest ? "'?" : "");
}

/* Fails for a key that is not swept, and for a number without a key to draw it by. */
static bool x_find(struct asking *a, bool has_own_x) {
    double number;
    char known[400] = "";
    for (size_t i = 0; i < a->axes->n; i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", a->axes->axis[i].key);
    }
    if (a->q->key) a->x = axis_find(a, a->q->key);
    if (a->q->key && !a->x && !has_own_x) return unswept_fail(a, known);
    bool is_number = json_metric(a->result, a->q->metric, &number);
    if (!a->q->key && !a->q->kind && is_number)
        return diag_say(a->d, "%s is one number of a run; write %s by KEY, swept are: %s", a->q->metric, a->q->metric,
                        known);
    return true;
}

static bool has_own_x(const struct figure_ask *q) {
    static const char *const own[] = {"cdf", "ccdf", "rank", "time"};
    for (size_t i = 0; q->kind && i < sizeof own / sizeof *own; i++)
        if (strcmp(q->kind, own[i]) == 0) return true;
    return false;
}

static bool block_fill(struct asking *a) {
    if (!x_find(a, has_own_x(a->q))) return false;
    const char *kind = kind_choose(a);
    bool is_time = strcmp(kind, "time") == 0, is_summary = !is_time && (has_own_x(a->q) || strcmp(kind, "cdf") == 0);
    if (!is_time && !metric_read(a, is_summary)) return false;
    struct tree_node *y = empty(TREE_MAP, "METRIC");
    put_word(y, "metric", a->q->metric, "METRIC");
    put_word(a->block, "kind", kind, "--kind");
    put(a->block, "y", y);
    if (a->q->key) put_word(a->block, "x", key_whole(a, a->q->key), "by");
    if (!of_read(a) || !looks_read(a)) return false;
    if (a->q->n_panels) keys_put(a, "panels", a->q->panels, a->q->n_panels, "--panels");
    if (a->q->n_series)
        keys_put(a, "series", a->q->series, a->q->n_series, "--series");
    else
        series_choose(a);
    return true;
}

/* Returns the result of some finished run of the experiment; NULL if there is none. */
static const json_t *some_result(const struct store_reader *store, size_t experiment) {
    for (size_t i = 0; i < store->n_runs; i++) {
        const struct run_row *r = &store->run[i];
        if (r->experiment == experiment && r->number && r->status == RUN_DONE && r->result) return r->result;
    }
    return NULL;
}

struct tree_node *figure_ask_block(const struct figure_ask *q, const struct store_reader *store, size_t experiment,
                                   const struct figure_axes *axes, struct diag *d) {
    struct asking a = {
        .q = q, .axes = axes, .result = some_result(store, experiment), .block = empty(TREE_MAP, "--set"), .d = d};
    const struct config_input in = {.root = a.block};
    if (block_fill(&a) && block_check(&in, a.block, "figure.#", "figure", d)) return a.block;
    tree_free(a.block);
    return NULL;
}
