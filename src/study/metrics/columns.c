/* SPDX-License-Identifier: Apache-2.0 */
#include "study/metrics/columns.h"

#include "base/memory.h"
#include "study/results/json_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

/* For which results a row matters. */
enum matters { ALWAYS, WITH_QUERIES, WITHOUT_QUERIES };

struct row {
    const char *path;
    unsigned places;
    enum matters matters;
    const char *unless[COLUMN_UNLESS_MAX];
    const char *rest; /* head of the column that shows 1 minus this share; NULL: it shows the share */
};

#define TABLE METRIC_IN_TABLE
#define TEXT METRIC_IN_TEXT
#define PAGE METRIC_IN_PAGE

/* In the order of columns and charts. Where there are mice, completion times tell more than goodput; the goodput of
 * hosts counts flows that measure.from leaves out. */
static const struct row rows[] = {
    {"queries.SIZE.p50", TABLE, WITH_QUERIES, {0}, NULL},
    {"queries.SIZE.p99", TABLE, WITH_QUERIES, {0}, NULL},
    {"queries.timeouts.share.0", TABLE, WITH_QUERIES, {0}, "with timeouts"},
    {"fct_us.mice.mean", TABLE, WITHOUT_QUERIES, {0}, NULL},
    {"fct_us.mice.mean", TEXT | PAGE, ALWAYS, {0}, NULL},
    {"fct_us.mice.p95", TABLE, WITHOUT_QUERIES, {0}, NULL},
    {"fct_us.mice.p99", TEXT | PAGE, ALWAYS, {0}, NULL},
    {"fct_us.elephant.mean", TABLE, WITHOUT_QUERIES, {0}, NULL},
    {"fct_us.elephant.mean", TEXT | PAGE, ALWAYS, {0}, NULL},
    {"fct_us.elephant.p95", TABLE, WITHOUT_QUERIES, {0}, NULL},
    {"fct_us.all.mean", TABLE, WITHOUT_QUERIES, {0}, NULL},
    {"fct_us.all.mean", TEXT | PAGE, ALWAYS, {0}, NULL},
    {"fct_us.all.p99", TEXT | PAGE, ALWAYS, {0}, NULL},
    {"slowdown.all.p50", PAGE, ALWAYS, {0}, NULL},
    {"slowdown.all.p99", PAGE, ALWAYS, {0}, NULL},
    {"queries.all.p50", TEXT | PAGE, ALWAYS, {0}, NULL},
    {"queries.all.p99", TEXT | PAGE, ALWAYS, {0}, NULL},
    {"queries.sets.all.p99", PAGE, ALWAYS, {0}, NULL},
    {"queries.timeouts.of_p99.0", PAGE, ALWAYS, {0}, NULL},
    {"goodput_mbps.all.mean", TABLE, WITHOUT_QUERIES, {"fct_us.mice.mean"}, NULL},
    {"goodput_mbps.all.mean", TEXT, ALWAYS, {0}, NULL},
    {"goodput_mbps.all.jain", TABLE, WITHOUT_QUERIES, {0}, NULL},
    {"goodput_mbps.all.jain", TEXT, ALWAYS, {0}, NULL},
    {"goodput_gbps.mean", TABLE, WITHOUT_QUERIES, {"fct_us.all.mean", "goodput_mbps.all.mean"}, NULL},
    {"goodput_gbps.mean", TEXT | PAGE, ALWAYS, {0}, NULL},
    {"goodput_gbps.jain", TABLE, WITHOUT_QUERIES, {"fct_us.all.mean", "goodput_mbps.all.mean"}, NULL},
    {"goodput_gbps.min", PAGE, ALWAYS, {0}, NULL},
    {"goodput_mbps.all.mean", PAGE, ALWAYS, {0}, NULL},
    {"goodput_mbps.all.jain", PAGE, ALWAYS, {0}, NULL},
    {"fairness.jain_mean", TEXT | PAGE, ALWAYS, {0}, NULL},
    {"convergence_us.last", PAGE, ALWAYS, {0}, NULL},
    {"queues_bytes.max", TEXT, ALWAYS, {0}, NULL},
    {"buffers_bytes.max", TEXT, ALWAYS, {0}, NULL},
    {"packets.dropped", TEXT | PAGE, ALWAYS, {0}, NULL},
    {"packets.retransmitted", PAGE, ALWAYS, {0}, NULL},
    {"queues_bytes.max", PAGE, ALWAYS, {0}, NULL},
    {"queues_bytes.mean", PAGE, ALWAYS, {0}, NULL},
    {"buffers_bytes.max", PAGE, ALWAYS, {0}, NULL},
    {"pauses.paused_us", PAGE, ALWAYS, {0}, NULL},
    {"reorder.p99", PAGE, ALWAYS, {0}, NULL},
    {"imbalance.tor.mean", PAGE, ALWAYS, {0}, NULL},
    {"imbalance.agg.mean", PAGE, ALWAYS, {0}, NULL},
    {"credits.wasted", PAGE, ALWAYS, {0}, NULL},
    {"links.uplink.max", PAGE, ALWAYS, {0}, NULL},
    {"links.core.max", PAGE, ALWAYS, {0}, NULL},
};
#define N_ROWS (sizeof rows / sizeof *rows)

#define KEYS_SHOWN 4 /* most keys in place of a placeholder */

/* ---- placeholders ---- */

/* Returns the placeholder of a path but STAT; NULL if there is none. *at: its offset in the path. */
static const struct metric_word *placeholder_of(const char *path, size_t *at) {
    for (*at = 0; path[*at];) {
        size_t length = strcspn(path + *at, ".");
        const struct metric_word *word = metric_word_find(path + *at, length);
        if (word) return word;
        *at += length + (path[*at + length] == '.');
    }
    return NULL;
}

static bool has_same_placeholder(const struct row *a, const struct row *b) {
    size_t at_a, at_b;
    const struct metric_word *word = placeholder_of(a->path, &at_a);
    return word && word == placeholder_of(b->path, &at_b) && at_a == at_b && strncmp(a->path, b->path, at_a) == 0;
}

/* Fills key[] with the result's own keys in place of the row's placeholder: keys of this run, such as 8KB. Without
 * any it is the first key that all results have. Returns their number. */
static size_t keys_find(const struct row *row, const json_t *result, const char *key[KEYS_SHOWN]) {
    size_t at, n = 0;
    const struct metric_word *word = placeholder_of(row->path, &at);
    char before[COLUMN_PATH_MAX];
    snprintf(before, sizeof before, "%.*s", (int)(at ? at - 1 : 0), row->path);
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)json_at(result, before), name, value) {
        if (n < KEYS_SHOWN && word->is_more && word->is_more(name)) key[n++] = name;
    }
    if (n == 0 && word->key) key[n++] = word->key[0];
    return n;
}

/* ---- columns ---- */

static void column_add(struct metric_columns *c, const char *path, const struct row *row) {
    const char *rest = row ? row->rest : NULL;
    struct metric_info info;
    metric_describe(path, &info);
    c->of = memory_grow(c->of, c->n + 1, sizeof *c->of);
    struct metric_column *to = &c->of[c->n++];
    *to = (struct metric_column){.unit = info.unit, .better = info.better, .is_rest = rest != NULL};
    snprintf(to->path, sizeof to->path, "%s", path);
    snprintf(to->head, sizeof to->head, "%s", rest ? rest : info.head);
    snprintf(to->label, sizeof to->label, "%s", info.label);
    if (to->is_rest) to->better = (enum metric_better) - to->better;
    for (size_t i = 0; row && i < COLUMN_UNLESS_MAX; i++) to->unless[i] = row->unless[i];
}

static void column_of_key_add(struct metric_columns *c, const struct row *row, const char *key) {
    char path[COLUMN_PATH_MAX];
    size_t at;
    const struct metric_word *word = placeholder_of(row->path, &at);
    snprintf(path, sizeof path, "%.*s%.60s%s", (int)at, row->path, key, row->path + at + strlen(word->name));
    column_add(c, path, row);
}

/* Adds `n` adjacent rows with the same placeholder, key by key. */
static void family_add(struct metric_columns *c, const struct row *family, size_t n, const json_t *result) {
    const char *key[KEYS_SHOWN];
    size_t n_keys = keys_find(family, result, key);
    for (size_t k = 0; k < n_keys; k++) {
        for (size_t i = 0; i < n; i++) column_of_key_add(c, &family[i], key[k]);
    }
}

static bool has_queries(const json_t *result) {
    return json_integer_value(json_object_get(json_object_get(result, "queries"), "started")) > 0;
}

/* Returns the result whose keys stand in place of placeholders: the first with queries, else the first; NULL if there
 * is none. */
static const json_t *like_find(const json_t *const *result, size_t n) {
    const json_t *first = NULL;
    for (size_t i = 0; i < n; i++) {
        if (has_queries(result[i])) return result[i];
        if (!first) first = result[i];
    }
    return first;
}

static bool row_matters(const struct row *row, enum metric_place place, bool queries) {
    return (row->places & place) && (row->matters == ALWAYS || (row->matters == WITH_QUERIES) == queries);
}

struct metric_columns metric_columns_choose(enum metric_place place, const json_t *const *result, size_t n) {
    struct metric_columns c = {0};
    const json_t *like = like_find(result, n);
    bool queries = has_queries(like);
    size_t at;
    for (size_t i = 0; i < N_ROWS; i++) {
        size_t family = 1;
        if (!row_matters(&rows[i], place, queries)) continue;
        if (!placeholder_of(rows[i].path, &at)) {
            column_add(&c, rows[i].path, &rows[i]);
            continue;
        }
        while (i + family < N_ROWS && has_same_placeholder(&rows[i], &rows[i + family])) family++;
        family_add(&c, &rows[i], family, like);
        i += family - 1;
    }
    return c;
}

struct metric_columns metric_columns_of(const char *const *path, size_t n) {
    struct metric_columns c = {0};
    for (size_t i = 0; i < n; i++) column_add(&c, path[i], NULL);
    return c;
}

void metric_columns_free(struct metric_columns *c) {
    free(c->of);
    *c = (struct metric_columns){0};
}

double metric_column_value(const struct metric_column *c, const json_t *result) {
    double value;
    if (!json_metric(result, c->path, &value)) return NAN;
    return c->is_rest ? 1 - value : value;
}

const char *metric_shown(enum metric_place place, size_t i) {
    for (size_t k = 0; k < N_ROWS; k++) {
        if ((rows[k].places & place) && rows[k].matters != WITH_QUERIES && i-- == 0) return rows[k].path;
    }
    return NULL;
}
