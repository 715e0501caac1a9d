/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/report_text.h"

#include "base/memory.h"
#include "study/claims/reason.h"
#include "study/experiment/settings.h"
#include "study/metrics/metrics.h"
#include "study/print/missing.h"
#include "study/results/caveats.h"
#include "study/results/json_out.h"
#include "study/store/older.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_WIDTH 22
#define CELL_WIDTH 18

#define COLUMNS_MAX 32

/* The shown metrics, in their order. */
struct columns {
    const char *metric[COLUMNS_MAX];
    struct metric_info info[COLUMNS_MAX];
    size_t n;
};

struct printing {
    const struct store_reader *r;
    size_t experiment;
    int width;
    FILE *out;
    struct columns columns;
};

static bool is_listed(const struct printing *p, const struct run_row *run) {
    return run->experiment == p->experiment && run->number > 0;
}

/* ---- words ---- */

/* Prints `text` folded at the width. Lines after the first are indented. */
static void folded(const struct printing *p, const char *text, int indent) {
    int column = indent;
    fprintf(p->out, "%*s", indent, "");
    while (*text) {
        int n = (int)strcspn(text, " ");
        if (column > indent && column + 1 + n > p->width) {
            fprintf(p->out, "\n%*s", indent + 2, "");
            column = indent + 2;
        } else if (column > indent) {
            fputc(' ', p->out);
            column++;
        }
        fprintf(p->out, "%.*s", n, text);
        column += n;
        text += n;
        while (*text == ' ') text++;
    }
    fputc('\n', p->out);
}

/* ---- sweeps ---- */

static json_t *swept_values(const struct printing *p) {
    json_t *swept = json_object();
    for (size_t i = 0; i < p->r->n_runs; i++) {
        const char *key;
        json_t *value;
        if (!is_listed(p, &p->r->run[i])) continue;
        json_object_foreach(p->r->run[i].settings, key, value) {
            json_t *list = json_object_get(swept, key);
            if (!list) json_object_set_new(swept, key, list = json_array());
            bool seen = false;
            for (size_t k = 0; k < json_array_size(list) && !seen; k++)
                seen = json_equal(json_array_get(list, k), value);
            if (!seen) json_array_append(list, value);
        }
    }
    return swept;
}

static void swept_print(const struct printing *p, const json_t *swept) {
    const char *key;
    json_t *list;
    json_object_foreach((json_t *)swept, key, list) {
        char line[1024];
        snprintf(line, sizeof line, "%s:", key);
        for (size_t i = 0; i < json_array_size(list); i++) {
            char text[128];
            size_t used = strlen(line);
            setting_text(json_array_get(list, i), text, sizeof text);
            snprintf(line + used, sizeof line - used, "%s %s", i ? "," : "", text);
        }
        folded(p, line, 2);
    }
}

static void heading_print(const struct printing *p) {
    const struct experiment_row *e = &p->r->experiment[p->experiment];
    size_t n[3] = {0};
    for (size_t i = 0; i < p->r->n_runs; i++) {
        if (is_listed(p, &p->r->run[i])) n[p->r->run[i].status]++;
    }
    folded(p, e->title[0] ? e->title : e->name, 0);
    fprintf(p->out, "  %s: %zu runs done", e->name, n[RUN_DONE]);
    if (n[RUN_FAILED]) fprintf(p->out, ", %zu failed", n[RUN_FAILED]);
    if (n[RUN_LEFT]) fprintf(p->out, ", %zu not finished", n[RUN_LEFT]);
    fprintf(p->out, "\n");
}

/* Prints which runs are not done, as far as the store knows them. */
static void runs_missing_print(const struct printing *p) {
    struct sweep_run *run = memory_get(p->r->n_runs + 1, sizeof *run);
    size_t n = 0;
    for (size_t i = 0; i < p->r->n_runs; i++) {
        const struct run_row *r = &p->r->run[i];
        if (is_listed(p, r)) run[n++] = (struct sweep_run){r->settings, r->status == RUN_DONE};
    }
    char *text = missing_text(run, n);
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        folded(p, line + strspn(line, " "), 2 + (int)strspn(line, " "));
    }
    free(text);
    free(run);
}

/* ---- tables ---- */

static void columns_choose(struct columns *c) {
    const char *metric;
    for (c->n = 0; c->n < COLUMNS_MAX && (metric = metric_shown(METRIC_IN_TEXT, c->n)); c->n++) {
        c->metric[c->n] = metric;
        metric_describe(metric, &c->info[c->n]);
    }
}

struct row {
    json_t *group, *value;
    double sum[COLUMNS_MAX];
    unsigned n;
    struct missing_flows flows;
};

static void scaled(char *buf, size_t size, double value, const char *const unit[3], double first, double step) {
    int i = 0;
    for (value /= first; i < 2 && fabs(value) >= step; i++) value /= step;
    snprintf(buf, size, "%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value, unit[i]);
}

static void number_text(char *buf, size_t size, enum metric_unit unit, double value) {
    static const char *const times[] = {"us", "ms", "s"}, *const rates[] = {"Mbps", "Gbps", "Tbps"},
                             *const sizes[] = {"B", "KB", "MB"};
    switch (unit) {
    case UNIT_US: scaled(buf, size, value, times, 1, 1000); break;
    case UNIT_MBPS: scaled(buf, size, value, rates, 1, 1000); break;
    case UNIT_GBPS: scaled(buf, size, value * 1000, rates, 1, 1000); break;
    case UNIT_BYTES: scaled(buf, size, value, sizes, 1, 1000); break;
    default: snprintf(buf, size, "%.4g", value);
    }
}

static const char *row_key(const json_t *swept) {
    static const char *const preferred[] = {"scheme", "switch.balance", "host.transport"};
    const char *key;
    json_t *list;
    for (size_t i = 0; i < 3; i++) {
        if (json_array_size(json_object_get(swept, preferred[i])) > 1) return preferred[i];
    }
    json_object_foreach((json_t *)swept, key, list) {
        if (strcmp(key, "run.seed") != 0 && json_array_size(list) > 1) return key;
    }
    return "run.seed";
}

static void row_add(const struct printing *p, struct row *rows, size_t *n, const struct run_row *run, const char *key) {
    json_t *group = json_copy(run->settings), *value = json_object_get(run->settings, key);
    size_t at = 0;
    json_object_del(group, key);
    json_object_del(group, "run.seed");
    while (at < *n && !(json_equal(rows[at].group, group) && json_equal(rows[at].value, value))) at++;
    if (at == *n) rows[(*n)++] = (struct row){.group = json_incref(group), .value = value};
    json_decref(group);
    rows[at].n++;
    missing_flows_add(&rows[at].flows, run->result);
    for (size_t c = 0; c < p->columns.n; c++) {
        double number;
        rows[at].sum[c] += json_metric(run->result, p->columns.metric[c], &number) ? number : NAN;
    }
}

static struct row *rows_collect(const struct printing *p, const char *key, size_t *n) {
    struct row *rows = memory_get(p->r->n_runs + 1, sizeof *rows);
    *n = 0;
    for (size_t i = 0; i < p->r->n_runs; i++) {
        const struct run_row *run = &p->r->run[i];
        if (is_listed(p, run) && run->status == RUN_DONE && run->result) row_add(p, rows, n, run, key);
    }
    return rows;
}

/* Returns true if a row of the group has a value other than 0 in this column. */
static bool is_column(const struct row *rows, size_t n, const json_t *group, size_t c) {
    for (size_t i = 0; i < n; i++) {
        if (json_equal(rows[i].group, group) && !isnan(rows[i].sum[c]) && rows[i].sum[c] != 0) return true;
    }
    return false;
}

static void cell_text(char *buf, size_t size, const struct row *row, const struct row *first, size_t c,
                      enum metric_unit unit) {
    double value = row->sum[c] / row->n, base = first->sum[c] / first->n;
    snprintf(buf, size, "-");
    if (isnan(value)) return;
    number_text(buf, size, unit, value);
    size_t used = strlen(buf);
    if (row != first && base > 0) snprintf(buf + used, size - used, " %+.0f%%", (value / base - 1) * 100);
}

static int name_width(const struct row *rows, size_t n, const char *key) {
    size_t most = strlen(key);
    for (size_t i = 0; i < n; i++) {
        char text[128];
        setting_text(rows[i].value, text, sizeof text);
        most = strlen(text) > most ? strlen(text) : most;
    }
    return most > NAME_MAX_WIDTH ? NAME_MAX_WIDTH : (int)most;
}

/* Prints as many columns as fit, then the next ones below. */
static void group_print(const struct printing *p, const struct row *rows, size_t n, size_t first, const char *key) {
    size_t shown[COLUMNS_MAX], n_shown = 0;
    char text[512];
    int width = name_width(rows, n, key), fit = (p->width - 2 - width) / (CELL_WIDTH + 1);
    for (size_t c = 0; c < p->columns.n; c++) {
        if (is_column(rows, n, rows[first].group, c)) shown[n_shown++] = c;
    }
    settings_text(rows[first].group, text, sizeof text);
    fputc('\n', p->out);
    if (text[0]) folded(p, text, 0);
    if (fit < 1) fit = 1;
    for (size_t from = 0; from < n_shown; from += (size_t)fit) {
        size_t to = from + (size_t)fit < n_shown ? from + (size_t)fit : n_shown;
        fprintf(p->out, "  %-*.*s", width, width, key);
        for (size_t k = from; k < to; k++) fprintf(p->out, " %*s", CELL_WIDTH, p->columns.info[shown[k]].head);
        fputc('\n', p->out);
        for (size_t i = first; i < n; i++) {
            if (!json_equal(rows[i].group, rows[first].group)) continue;
            setting_text(rows[i].value, text, sizeof text);
            fprintf(p->out, "  %-*.*s", width, width, text);
            for (size_t k = from; k < to; k++) {
                char cell[64];
                cell_text(cell, sizeof cell, &rows[i], &rows[first], shown[k], p->columns.info[shown[k]].unit);
                fprintf(p->out, " %*s", CELL_WIDTH, cell);
            }
            fputc('\n', p->out);
        }
    }
}

/* Prints how many runs the means above leave out. */
static void missing_print(const struct printing *p, const struct row *rows, size_t n, size_t first) {
    for (size_t i = first; i < n; i++) {
        char name[128], missing[80], line[300];
        missing_flows_text(rows[i].flows, missing, sizeof missing);
        if (!json_equal(rows[i].group, rows[first].group) || !missing[0]) continue;
        setting_text(rows[i].value, name, sizeof name);
        snprintf(line, sizeof line, "missing from %s: %s", name, missing);
        folded(p, line, 2);
    }
}

static void tables_print(const struct printing *p, const json_t *swept) {
    const char *key = row_key(swept);
    size_t n;
    struct row *rows = rows_collect(p, key, &n);
    for (size_t i = 0; i < n; i++) {
        bool is_new = true;
        for (size_t k = 0; k < i && is_new; k++) is_new = !json_equal(rows[k].group, rows[i].group);
        if (!is_new) continue;
        group_print(p, rows, n, i, key);
        missing_print(p, rows, n, i);
    }
    for (size_t i = 0; i < n; i++) json_decref(rows[i].group);
    free(rows);
}

/* ---- claims ---- */

static void bound_text(char *buf, size_t size, const struct claim_row *c, double value) {
    if (isnan(value))
        snprintf(buf, size, "any");
    else if (strcmp(c->form, "change") == 0)
        snprintf(buf, size, "%+.1f%%", value * 100);
    else
        snprintf(buf, size, "%.4g", value);
}

/* Prints the measured value: "-32.8% (95 % interval -35.5% to -30.1%, 20 seeds)". */
static void measured_text(const struct printing *p, const struct claim_row *c, char *buf, size_t size) {
    char low[32], high[32], measured[32];
    bound_text(measured, sizeof measured, c, c->measured);
    bound_text(low, sizeof low, c, c->interval_low);
    bound_text(high, sizeof high, c, c->interval_high);
    if (isnan(c->measured))
        snprintf(buf, size, "nothing%s",
                 !c->reason && claim_is_older(p->r, c) ? " (the results are older than the metric)" : "");
    else if (isnan(c->standard_error))
        snprintf(buf, size, "%s (%s)", measured, c->n_seeds == 1 ? "one seed" : "no interval");
    else
        snprintf(buf, size, "%s (95 %% interval %s to %s, %u seeds)", measured, low, high, c->n_seeds);
}

static void claim_print(const struct printing *p, const struct claim_row *c) {
    char place[300], measured[160], low[32], high[32], compared[700], outcome[256], line[2048];
    settings_text(c->place, place, sizeof place);
    measured_text(p, c, measured, sizeof measured);
    outcome_text(c->verdict, c->reason, c->n_missing ? NULL : c->recorded, c->as_recorded, outcome, sizeof outcome);
    bound_text(low, sizeof low, c, c->low);
    bound_text(high, sizeof high, c, c->high);
    comparison_text(c->subject, c->against, compared, sizeof compared);
    snprintf(line, sizeof line, "%s%s%s%s%s%s: %s of %s, claimed %s to %s: %s", c->claim, compared[0] ? ", " : "",
             compared, place[0] ? " (" : "", place, place[0] ? ")" : "", measured, c->metric, low, high, outcome);
    folded(p, line, 2);
}

static void claims_print(const struct printing *p) {
    static const char *const words[] = {"holds", "roughly", "does not hold", "not decided", "not measurable"};
    size_t n[sizeof words / sizeof *words] = {0}, all = 0, recorded = 0, news = 0, missing = 0;
    for (size_t i = 0; i < p->r->n_claims; i++) {
        const struct claim_row *c = &p->r->claim[i];
        if (c->experiment != p->experiment) continue;
        all++;
        missing += c->n_missing > 0;
        recorded += c->recorded != NULL;
        news += c->recorded && !c->as_recorded && c->n_missing == 0;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) n[k] += strcmp(c->verdict, words[k]) == 0;
    }
    if (all == 0) return;
    char line[256];
    int used = snprintf(line, sizeof line, "claims: %zu hold", n[0]);
    if (n[1]) used += snprintf(line + used, sizeof line - (size_t)used, ", %zu hold roughly", n[1]);
    if (n[2]) used += snprintf(line + used, sizeof line - (size_t)used, ", %zu do not hold", n[2]);
    if (n[3]) used += snprintf(line + used, sizeof line - (size_t)used, ", %zu are not decided", n[3]);
    if (n[4]) used += snprintf(line + used, sizeof line - (size_t)used, ", %zu are not measurable", n[4]);
    if (recorded) used += snprintf(line + used, sizeof line - (size_t)used, "; %zu other than recorded", news);
    if (missing) snprintf(line + used, sizeof line - (size_t)used, "; runs are missing for %zu", missing);
    fputc('\n', p->out);
    folded(p, line, 0);
    for (size_t i = 0; i < p->r->n_claims; i++) {
        if (p->r->claim[i].experiment == p->experiment) claim_print(p, &p->r->claim[i]);
    }
}

/* Prints which metrics the stored results are too old to have, and the command that measures them. */
static void older_print(const struct printing *p) {
    const char **metric = memory_get(COLUMNS_MAX + p->r->n_claims, sizeof *metric);
    char text[2048];
    size_t n = 0;
    for (size_t i = 0; i < p->r->n_claims; i++) {
        if (p->r->claim[i].experiment == p->experiment) metric[n++] = p->r->claim[i].metric;
    }
    for (size_t i = 0; i < p->columns.n; i++) metric[n++] = p->columns.metric[i];
    struct older older = older_in_store(p->r, p->experiment, metric, n);
    older_text_of_store(&older, p->r, p->experiment, text, sizeof text);
    if (text[0]) fputc('\n', p->out);
    if (text[0]) folded(p, text, 0);
    free(metric);
}

bool report_text(const struct store_reader *r, int width, FILE *out, struct diag *d) {
    if (!store_finished_check(r, d)) return false;
    for (size_t i = 0; i < r->n_experiments; i++) {
        struct printing p = {r, i, width < 40 ? 40 : width, out, {.n = 0}};
        columns_choose(&p.columns);
        if (i) fputc('\n', out);
        json_t *swept = swept_values(&p);
        heading_print(&p);
        swept_print(&p, swept);
        runs_missing_print(&p);
        tables_print(&p, swept);
        claims_print(&p);
        older_print(&p);
        json_decref(swept);
    }
    return true;
}
