/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/table.h"

#include "base/memory.h"
#include "study/claims/reason.h"
#include "study/experiment/settings.h"
#include "study/experiment/sweep.h"
#include "study/metrics/metrics.h"
#include "study/print/missing.h"
#include "study/results/caveats.h"
#include "study/results/json_out.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

#define METRIC_LENGTH_MAX 96
#define SIZES_SHOWN 4
#define COLUMNS_MAX 16

struct column {
    char metric[METRIC_LENGTH_MAX];
    char head[METRIC_TEXT_MAX];
    enum metric_unit unit;
    enum metric_better better;
    bool is_rest; /* this share is 1 minus the others */
};

/* Columns of one experiment. Query times replace flow times where there are queries. */
struct columns {
    struct column of[COLUMNS_MAX];
    size_t n;
    bool of_queries;
};

#define CELL_WIDTH 17
#define INTERVAL_WIDTH 9 /* "* +-12.3%" */
#define NAME_WIDTH 16

static void time_print(char *buf, size_t size, double us) {
    if (us >= 1e6)
        snprintf(buf, size, "%.2f s", us / 1e6);
    else if (us >= 1e4)
        snprintf(buf, size, "%.1f ms", us / 1e3);
    else
        snprintf(buf, size, us >= 1e3 ? "%.2f ms" : "%.1f us", us >= 1e3 ? us / 1e3 : us);
}

static void rate_print(char *buf, size_t size, double mbps) {
    snprintf(buf, size, mbps >= 1000 ? "%.2f Gbps" : "%.1f Mbps", mbps >= 1000 ? mbps / 1000 : mbps);
}

static void number_print(char *buf, size_t size, const struct column *c, double value) {
    switch (c->unit) {
    case UNIT_US: time_print(buf, size, value); break;
    case UNIT_MBPS: rate_print(buf, size, value); break;
    case UNIT_GBPS: rate_print(buf, size, value * 1000); break;
    case UNIT_SHARE: snprintf(buf, size, "%.2f %%", value * 100); break;
    case UNIT_NUMBER: snprintf(buf, size, "%.3f", value); break;
    default: snprintf(buf, size, "%.4g", value);
    }
}

/* Prints a cell: "412.3 us +-3.1%  -19 %": the value, the half-width of its 95 % interval relative to it, and the
 * change against the baseline. */
static void cell_print(char *buf, size_t size, const struct column *c, const struct estimate *e, double baseline,
                       bool is_baseline, bool best) {
    if (isnan(e->value)) {
        snprintf(buf, size, "-");
        return;
    }
    number_print(buf, size, c, e->value);
    size_t used = strlen(buf);
    if (best) used += (size_t)snprintf(buf + used, size - used, "*");
    if (!isnan(e->standard_error) && e->value > 0)
        used += (size_t)snprintf(buf + used, size - used, " +-%.1f%%", (e->high / e->value - 1) * 100);
    if (!is_baseline && baseline > 0 && c->unit != UNIT_SHARE && c->unit != UNIT_NUMBER)
        snprintf(buf + used, size - used, " %+5.0f %%", (e->value / baseline - 1) * 100);
}

static struct column *column_add(struct columns *c, const char *metric) {
    struct metric_info info;
    if (c->n == COLUMNS_MAX) return NULL;
    struct column *to = &c->of[c->n++];
    metric_describe(metric, &info);
    *to = (struct column){.unit = info.unit, .better = info.better};
    snprintf(to->metric, sizeof to->metric, "%s", metric);
    snprintf(to->head, sizeof to->head, "%s", info.head);
    return to;
}

/* Adds the share of queries with any timeout: 1 minus the share without. */
static void timeouts_add(struct columns *c) {
    struct column *to = column_add(c, "queries.timeouts.share.0");
    if (!to) return;
    to->is_rest = true;
    to->better = METRIC_LESS;
    snprintf(to->head, sizeof to->head, "with timeouts");
}

/* Adds median and 99th percentile of each size of response, and the share of queries with a timeout. */
static void query_columns_add(struct columns *c, const json_t *queries) {
    const char *size;
    json_t *value;
    size_t n_sizes = 0;
    c->of_queries = true;
    json_object_foreach((json_t *)queries, size, value) {
        char metric[METRIC_LENGTH_MAX];
        bool is_size = *size >= '0' && *size <= '9';
        if (!is_size || n_sizes == SIZES_SHOWN) continue;
        n_sizes++;
        for (int p99 = 0; p99 < 2; p99++) {
            snprintf(metric, sizeof metric, "queries.%.60s.%s", size, p99 ? "p99" : "p50");
            column_add(c, metric);
        }
    }
    if (n_sizes == 0) {
        column_add(c, "queries.all.p50");
        column_add(c, "queries.all.p99");
    }
    timeouts_add(c);
}

static void columns_choose(struct columns *c, const struct experiment *e, json_t *const *result) {
    *c = (struct columns){0};
    for (size_t i = 0; i < e->n_runs; i++) {
        const json_t *queries = result[i] ? json_object_get(result[i], "queries") : NULL;
        if (json_integer_value(json_object_get(queries, "started")) == 0) continue;
        query_columns_add(c, queries);
        return;
    }
    const char *metric;
    for (size_t i = 0; (metric = metric_shown(METRIC_IN_TABLE, i)); i++) column_add(c, metric);
}

static double column_value(const struct column *c, const json_t *result) {
    double value;
    if (!json_metric(result, c->metric, &value)) return NAN;
    return c->is_rest ? 1 - value : value;
}

/* ---- groups of runs ---- */

/* Returns the settings without the row's key and the seed. */
static json_t *group_of(const struct experiment *e, size_t run, const char *row) {
    json_t *group = json_copy(e->run[run].settings);
    json_object_del(group, row);
    json_object_del(group, "run.seed");
    return group;
}

struct row {
    json_t *group, *name;
    double *value[COLUMNS_MAX];            /* [n] of each column */
    struct estimate estimate[COLUMNS_MAX]; /* estimates over the seeds */
    const char *digest;                    /* digest of the first run */
    bool free;                             /* digests differ between runs, so there is an interval */
    uint32_t n, n_missing;
    struct missing_flows flows;
};

static bool is_whole(const json_t *result) { return result && !json_object_get(result, "failure"); }

static void row_add(struct row *r, const struct columns *columns, const json_t *result) {
    if (!is_whole(result)) {
        r->n_missing++;
        return;
    }
    missing_flows_add(&r->flows, result);
    const char *digest = json_string_value(json_object_get(json_object_get(result, "engine"), "digest"));
    r->free = r->free || (r->n > 0 && !(digest && r->digest && strcmp(digest, r->digest) == 0));
    if (r->n == 0) r->digest = digest;
    for (size_t c = 0; c < columns->n; c++) {
        r->value[c] = memory_grow(r->value[c], r->n + 1, sizeof *r->value[c]);
        r->value[c][r->n] = column_value(&columns->of[c], result);
    }
    r->n++;
}

/* Estimates the values of a row. Runs with equal digests count as one run and have no interval. */
static void row_estimate(struct row *r, const struct columns *columns) {
    for (size_t c = 0; c < columns->n; c++) {
        r->estimate[c] = estimate_mean(r->value[c], r->n);
        if (!r->free) r->estimate[c].standard_error = r->estimate[c].low = r->estimate[c].high = NAN;
    }
}

static struct row *rows_collect(const struct experiment *e, const struct columns *columns, json_t *const *result,
                                const char *key, size_t *n) {
    struct row *row = memory_get(e->n_runs, sizeof *row);
    *n = 0;
    for (size_t i = 0; i < e->n_runs; i++) {
        json_t *group = group_of(e, i, key), *value = json_object_get(e->run[i].settings, key);
        size_t at = 0;
        while (at < *n && !(json_equal(row[at].group, group) && json_equal(row[at].name, value))) at++;
        if (at == *n) row[(*n)++] = (struct row){.group = json_incref(group), .name = json_incref(value)};
        row_add(&row[at], columns, result[i]);
        json_decref(group);
    }
    for (size_t i = 0; i < *n; i++) row_estimate(&row[i], columns);
    return row;
}

/* ---- printing ---- */

static bool is_wanted(const struct columns *columns, const char *metric, const bool wanted[COLUMNS_MAX]) {
    for (size_t c = 0; c < columns->n; c++) {
        if (strcmp(columns->of[c].metric, metric) == 0) return wanted[c];
    }
    return false;
}

static void leave_out(const struct columns *columns, const char *metric, bool wanted[COLUMNS_MAX]) {
    for (size_t c = 0; c < columns->n; c++) wanted[c] = wanted[c] && strcmp(columns->of[c].metric, metric) != 0;
}

static void columns_wanted(const struct columns *columns, const struct row *row, size_t n, bool wanted[COLUMNS_MAX]) {
    for (size_t c = 0; c < columns->n; c++) {
        wanted[c] = false;
        for (size_t i = 0; i < n; i++) wanted[c] = wanted[c] || !isnan(row[i].estimate[c].value);
    }
    if (columns->of_queries) return;
    /* Where there are mice, completion times are more telling than goodput; hosts' goodput counts flows that
     * measure.from leaves out. */
    if (is_wanted(columns, "fct_us.mice.mean", wanted)) leave_out(columns, "goodput_mbps.all.mean", wanted);
    if (is_wanted(columns, "fct_us.all.mean", wanted) || is_wanted(columns, "goodput_mbps.all.mean", wanted)) {
        leave_out(columns, "goodput_gbps.mean", wanted);
        leave_out(columns, "goodput_gbps.jain", wanted);
    }
}

/* The rows of one combination of the other swept values. */
struct group {
    const struct row *row; /* all rows of the table */
    size_t n, first;
    bool has_intervals;
};

static bool in_group(const struct group *g, size_t i) { return json_equal(g->row[i].group, g->row[g->first].group); }

/* Returns true if this value is the best of its group and its interval overlaps no other. */
static bool is_best(const struct columns *columns, const struct group *g, size_t at, size_t c) {
    const struct estimate *e = &g->row[at].estimate[c];
    int better = columns->of[c].better;
    size_t others = 0;
    if (better == METRIC_NEITHER) return false;
    for (size_t i = g->first; i < g->n; i++) {
        const struct estimate *other = &g->row[i].estimate[c];
        if (i == at || !in_group(g, i)) continue;
        others++;
        if (!estimates_part(e, other) || better * other->value > better * e->value) return false;
    }
    return others > 0;
}

static int cell_width(const struct group *g) { return CELL_WIDTH + (g->has_intervals ? INTERVAL_WIDTH : 0); }

static void head_print(const struct columns *columns, const struct group *g, const char *key,
                       const bool wanted[COLUMNS_MAX], FILE *out) {
    fprintf(out, "  %-*s", NAME_WIDTH, key);
    for (size_t c = 0; c < columns->n; c++) {
        if (wanted[c]) fprintf(out, " %*s", cell_width(g), columns->of[c].head);
    }
    fprintf(out, "\n");
}

static void row_print(const struct columns *columns, const struct group *g, size_t at, const bool wanted[COLUMNS_MAX],
                      FILE *out) {
    const struct row *r = &g->row[at], *first = &g->row[g->first];
    char name[128];
    setting_text(r->name, name, sizeof name);
    fprintf(out, "  %-*s", NAME_WIDTH, name);
    for (size_t c = 0; c < columns->n; c++) {
        char cell[64];
        if (!wanted[c]) continue;
        cell_print(cell, sizeof cell, &columns->of[c], &r->estimate[c], first->estimate[c].value, r == first,
                   is_best(columns, g, at, c));
        fprintf(out, " %*s", cell_width(g), cell);
    }
    if (r->n_missing) fprintf(out, "  (%u of %u runs missing)", r->n_missing, r->n + r->n_missing);
    char missing[80];
    missing_flows_text(r->flows, missing, sizeof missing);
    if (missing[0]) fprintf(out, "  (%s)", missing);
    fprintf(out, "\n");
}

static void group_print(const struct columns *columns, const struct row *row, size_t n, size_t first, const char *key,
                        FILE *out) {
    bool wanted[COLUMNS_MAX];
    char title[512];
    struct group g = {row, n, first, false};
    for (size_t i = first; i < n; i++) g.has_intervals = g.has_intervals || (in_group(&g, i) && row[i].free);
    columns_wanted(columns, row, n, wanted);
    settings_text(row[first].group, title, sizeof title);
    fprintf(out, "\n%s\n",
            title[0]                                        ? title
            : columns->of_queries                           ? "query completion times"
            : is_wanted(columns, "fct_us.all.mean", wanted) ? "flow completion times"
                                                            : "goodput");
    head_print(columns, &g, key, wanted, out);
    for (size_t i = first; i < n; i++) {
        if (in_group(&g, i)) row_print(columns, &g, i, wanted, out);
    }
}

static bool group_is_new(const struct row *row, size_t i) {
    for (size_t k = 0; k < i; k++) {
        if (json_equal(row[k].group, row[i].group)) return false;
    }
    return true;
}

/* Returns whether the group would be a table without numbers beside one with numbers: what is missing is told below. */
static bool group_is_empty(const struct row *row, size_t n, size_t first) {
    bool any = false, any_here = false;
    for (size_t i = 0; i < n; i++) {
        any = any || row[i].n > 0;
        any_here = any_here || (row[i].n > 0 && json_equal(row[i].group, row[first].group));
    }
    return any && !any_here;
}

/* Prints what the cells mean. */
static void legend_print(const struct experiment *e, const struct columns *columns, const struct row *row, size_t n,
                         FILE *out) {
    unsigned runs = 0;
    for (size_t i = 0; i < n; i++) runs = row[i].n > runs ? row[i].n : runs;
    if (runs == 0) return;
    fprintf(out, columns->of_queries
                     ? "\n  Times are query completion times."
                     : "\n  Times are flow completion times; mice are under 100 KB, elephants over 1 MB.");
    if (runs == 1) fprintf(out, " One seed: no spread is known.");
    if (e->n_axes > 0 && n > 1) fprintf(out, " The last percentage is against the first row.");
    fprintf(out, "\n");
}

/* Prints a bound or a value of a claim; changes are in percent. */
static void claim_number(char *buf, size_t size, const struct expectation *x, double value) {
    if (!isfinite(value)) {
        snprintf(buf, size, "%s", isnan(value) ? "none" : "any");
    } else if (x->form == FORM_CHANGE) {
        snprintf(buf, size, "%+.1f %%", value * 100);
    } else {
        snprintf(buf, size, "%.4g", value);
    }
}

/* Prints the measured value: "-32.8 % +- 2.7 (20)", with the half-width of the 95 % interval and the number of
 * seeds. */
static void measured_print(const struct claim_outcome *o, char *buf, size_t size) {
    char half[32];
    claim_number(buf, size, o->expectation, o->measured);
    size_t used = strlen(buf);
    if (o->older) snprintf(buf, size, "older results");
    if (isnan(o->measured)) return;
    if (isnan(o->standard_error)) {
        snprintf(buf + used, size - used, o->no_freedom ? " no freedom (%u)" : " one seed", o->n_seeds);
        return;
    }
    claim_number(half, sizeof half, o->expectation, o->interval_high - o->measured);
    half[strcspn(half, " ")] = '\0';
    snprintf(buf + used, size - used, " +-%s (%u)", half + (half[0] == '+'), o->n_seeds);
}

/* Prints the outcome: "holds", "DOES NOT HOLD", "not decided (one seed), as recorded". The verdict stands in capitals if
 * it is news. */
static void outcome_print(const struct claim_outcome *o, char *buf, size_t size) {
    const char *word = verdict_word(o->verdict);
    char reason[REASON_MAX];
    outcome_text(word, claim_reason(o, reason), o->n_missing ? NULL : claim_recorded_word(o), o->as_recorded, buf,
                 size);
    if (!o->is_news || o->n_missing) return;
    for (size_t i = 0; i < strlen(word) && buf[i]; i++) buf[i] = (char)toupper((unsigned char)buf[i]);
}

/* Prints the subject: "fct_us.mice.p95: expeditus against ecmp, workload.0.load 0.5". */
static void subject_print(const struct claim_outcome *o, char *buf, size_t size) {
    const struct expectation *x = o->expectation;
    char compared[640], place[256], than[256];
    comparison_text(x->of, x->against, compared, sizeof compared);
    settings_text(o->where, place, sizeof place);
    settings_text(x->than, than, sizeof than);
    snprintf(buf, size, "%s%s%s%s%s%s%s", x->metric, compared[0] || place[0] ? ": " : "", compared,
             compared[0] && place[0] ? ", " : "", place, than[0] ? " less the same at " : "", than);
}

#define SUBJECT_WIDTH_MAX 80

static int subject_width(const struct claim_outcome *claim, size_t n) {
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
        char text[1280];
        subject_print(&claim[i], text, sizeof text);
        most = strlen(text) > most ? strlen(text) : most;
    }
    return most < SUBJECT_WIDTH_MAX ? (int)most : SUBJECT_WIDTH_MAX;
}

static void claims_print(const struct claim_outcome *claim, size_t n, FILE *out) {
    if (n == 0) return;
    int width = subject_width(claim, n);
    fprintf(out, "\n  %-14s %-*s %-26s %-22s %s\n", "claim", width, "of what", "measured", "claimed", "outcome");
    for (size_t i = 0; i < n; i++) {
        const struct expectation *x = claim[i].expectation;
        char subject[1280], measured[96], low[32], high[32], range[80], outcome[256];
        subject_print(&claim[i], subject, sizeof subject);
        measured_print(&claim[i], measured, sizeof measured);
        claim_number(low, sizeof low, x, x->low);
        claim_number(high, sizeof high, x, x->high);
        snprintf(range, sizeof range, "%s .. %s", low, high);
        outcome_print(&claim[i], outcome, sizeof outcome);
        fprintf(out, "  %-14s %-*s %-26s %-22s %s\n", x->claim, width, subject, measured, range, outcome);
    }
}

static void missing_print(const struct experiment *e, json_t *const *result, FILE *out) {
    struct sweep_run *run = memory_get(e->n_runs, sizeof *run);
    for (size_t i = 0; i < e->n_runs; i++) run[i] = (struct sweep_run){e->run[i].settings, is_whole(result[i])};
    char *text = missing_text(run, e->n_runs);
    if (text[0]) fprintf(out, "\n%s", text);
    free(text);
    free(run);
}

static void intervals_explain(const struct row *row, size_t n, FILE *out) {
    size_t i = 0;
    while (i < n && !row[i].free) i++;
    if (i == n) return;
    fprintf(out, "Means over %u seeds, +- the half-width of the 95 %% interval; * the best, where intervals part.\n",
            row[i].n);
}

void table_print(const struct experiment *e, json_t *const *result, const struct claim_outcome *claim, size_t n_claims,
                 const char *store_path, FILE *out) {
    const char *key = sweep_row_key(e);
    size_t n;
    struct columns columns;
    columns_choose(&columns, e, result);
    struct row *row = rows_collect(e, &columns, result, key, &n);
    fprintf(out, "%s\n", e->title);
    intervals_explain(row, n, out);
    for (size_t i = 0; i < n; i++) {
        if (group_is_new(row, i) && !group_is_empty(row, n, i)) group_print(&columns, row, n, i, key, out);
    }
    claims_print(claim, n_claims, out);
    legend_print(e, &columns, row, n, out);
    missing_print(e, result, out);
    fprintf(out, "\nresults: %s\nnext: heddle report %s   (the page; --text for more figures here)\n", store_path,
            store_path);
    for (size_t i = 0; i < n; i++) {
        json_decref(row[i].group);
        json_decref(row[i].name);
        for (size_t c = 0; c < columns.n; c++) free(row[i].value[c]);
    }
    free(row);
}
