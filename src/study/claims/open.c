/* SPDX-License-Identifier: Apache-2.0 */
#include "study/claims/open.h"

#include "base/memory.h"
#include "study/experiment/sweep.h"
#include "study/metrics/columns.h"
#include "study/results/json_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows of the table ---- */

/* A run and the row that it belongs to. */
struct member {
    char *group, *name; /* settings without the row's key and the seed; the value of the row's key */
    size_t run;
};

struct row {
    const struct member *member;
    size_t n; /* members */
    struct estimate estimate;
    bool is_fixed; /* several seeds gave the same run */
};

static int by_row(const void *pa, const void *pb) {
    const struct member *a = pa, *b = pb;
    int order = strcmp(a->group, b->group);
    if (order == 0) order = strcmp(a->name, b->name);
    return order ? order : a->run < b->run ? -1 : a->run > b->run;
}

static struct member *members_sorted(const struct experiment *e) {
    struct member *m = memory_get(e->n_runs, sizeof *m);
    const char *key = sweep_row_key(e);
    for (size_t i = 0; i < e->n_runs; i++) {
        json_t *group = json_copy(e->run[i].settings), *name = json_array();
        json_array_append(name, json_object_get(group, key));
        json_object_del(group, key);
        json_object_del(group, "run.seed");
        m[i] = (struct member){json_text(group), json_text(name), i};
        json_decref(group);
        json_decref(name);
    }
    qsort(m, e->n_runs, sizeof *m, by_row);
    return m;
}

static const char *digest_of(const json_t *result) {
    const char *digest = json_string_value(json_object_get(json_object_get(result, "engine"), "digest"));
    return digest ? digest : "";
}

/* Estimates a metric over the results of a row. */
static void row_estimate(struct row *r, json_t *const *result, const char *metric) {
    double *value = memory_get(r->n, sizeof *value), number;
    const char *digest = NULL;
    size_t n = 0;
    bool differs = false;
    for (size_t i = 0; i < r->n; i++) {
        const json_t *of = result[r->member[i].run];
        if (!of || json_object_get(of, "failure") || !json_metric(of, metric, &number)) continue;
        differs = differs || (digest && strcmp(digest, digest_of(of)) != 0);
        digest = digest_of(of);
        value[n++] = number;
    }
    r->estimate = estimate_mean(value, n);
    r->is_fixed = n > 1 && !differs;
    free(value);
}

/* Estimates the rows of a group by the first metric of the table that any of them has. */
static void group_estimate(struct row *row, size_t n, json_t *const *result) {
    const char *metric;
    bool any = false;
    for (size_t k = 0; !any && (metric = metric_shown(k)); k++) {
        for (size_t i = 0; i < n; i++) {
            row_estimate(&row[i], result, metric);
            any = any || !isnan(row[i].estimate.value);
        }
    }
}

static bool row_is_open(const struct row *row, size_t n, size_t at) {
    const struct row *r = &row[at];
    if (r->is_fixed || isnan(r->estimate.value)) return false;
    for (size_t i = 0; i < n; i++) {
        bool is_other = i != at && !isnan(row[i].estimate.value);
        if (is_other && !estimates_part(&r->estimate, &row[i].estimate)) return true;
    }
    return false;
}

/* Marks the open rows among the members of one group. */
static void group_open(const struct member *m, size_t n, json_t *const *result, bool *open) {
    struct row *row = memory_get(n, sizeof *row);
    size_t n_rows = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || strcmp(m[i].name, m[i - 1].name) != 0) row[n_rows++] = (struct row){.member = &m[i]};
        row[n_rows - 1].n++;
    }
    group_estimate(row, n_rows, result);
    for (size_t i = 0; i < n_rows; i++)
        for (size_t k = 0; row_is_open(row, n_rows, i) && k < row[i].n; k++) open[row[i].member[k].run] = true;
    free(row);
}

static void rows_open(const struct experiment *e, json_t *const *result, bool *open) {
    struct member *m = members_sorted(e);
    for (size_t i = 0, end; i < e->n_runs; i = end) {
        for (end = i + 1; end < e->n_runs && strcmp(m[end].group, m[i].group) == 0;) end++;
        group_open(&m[i], end - i, result, open);
    }
    for (size_t i = 0; i < e->n_runs; i++) {
        free(m[i].group);
        free(m[i].name);
    }
    free(m);
}

void claims_open(const struct expectations *x, const struct experiment *e, json_t *const *result, bool *open) {
    expectations_open(x, e, result, open);
    rows_open(e, result, open);
}
