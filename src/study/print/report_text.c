/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/report_text.h"

#include "base/memory.h"
#include "study/claims/words.h"
#include "study/experiment/settings.h"
#include "study/print/missing.h"
#include "study/print/table_lines.h"
#include "study/store/claim_words.h"
#include "study/store/older.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS_ASKED 32

struct printing {
    const struct store_reader *r;
    size_t experiment;
    int width;
    FILE *out;
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
        if (is_listed(p, &p->r->run[i])) settings_axes_add(swept, p->r->run[i].settings);
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

static struct table *table_of(const struct printing *p, const char *key) {
    const struct table_request q = {.place = METRIC_IN_TEXT, .key = key};
    struct table_run *run = memory_get(p->r->n_runs + 1, sizeof *run);
    size_t n = 0;
    for (size_t i = 0; i < p->r->n_runs; i++) {
        const struct run_row *x = &p->r->run[i];
        if (is_listed(p, x) && x->status == RUN_DONE && x->result)
            run[n++] = (struct table_run){x->settings, x->result};
    }
    struct table *t = table_make(run, n, &q);
    free(run);
    return t;
}

/* Prints how many runs the means of a group leave out. */
static void missing_print(const struct printing *p, const struct table *t, size_t group) {
    for (size_t i = 0; i < t->n_rows; i++) {
        char name[128], missing[80], line[300];
        missing_flows_text(t->row[i].flows, missing, sizeof missing);
        if (t->row[i].group != group || !missing[0]) continue;
        setting_text(t->row[i].name, name, sizeof name);
        snprintf(line, sizeof line, "missing from %s: %s", name, missing);
        folded(p, line, 2);
    }
}

static void tables_print(const struct printing *p, const json_t *swept) {
    struct table *t = table_of(p, table_row_key(swept, false));
    const struct table_style s = table_style_text(t, p->width);
    for (size_t g = 0; g < t->n_groups; g++) {
        char title[512];
        settings_text(t->group[g].settings, title, sizeof title);
        fputc('\n', p->out);
        if (title[0]) folded(p, title, 0);
        table_group_print(t, g, &s, p->out);
        missing_print(p, t, g);
    }
    table_free(t);
}

/* ---- claims ---- */

static void claim_print(const struct printing *p, const struct claim_words *w) {
    char place[300], measured[160], range[80], compared[700], outcome[256], line[2048];
    settings_text(w->place, place, sizeof place);
    claim_measured_text(w, CLAIM_LONG, measured, sizeof measured);
    claim_outcome_text(w, false, outcome, sizeof outcome);
    claim_range_text(w, CLAIM_LONG, range, sizeof range);
    comparison_text(w->subject, w->against, compared, sizeof compared);
    snprintf(line, sizeof line, "%s%s%s%s%s%s: %s of %s, claimed %s: %s", w->claim, compared[0] ? ", " : "", compared,
             place[0] ? " (" : "", place, place[0] ? ")" : "", measured, w->metric, range, outcome);
    folded(p, line, 2);
}

static void claims_print(const struct printing *p) {
    struct claim_counts n = {0};
    struct claim_words w;
    char text[256] = "claims: ";
    for (size_t i = 0; i < p->r->n_claims; i++) {
        if (p->r->claim[i].experiment != p->experiment) continue;
        claim_words_stored(p->r, &p->r->claim[i], &w);
        claim_count(&n, &w);
    }
    if (n.all == 0) return;
    claim_counts_text(&n, text + strlen(text), sizeof text - strlen(text));
    fputc('\n', p->out);
    folded(p, text, 0);
    for (size_t i = 0; i < p->r->n_claims; i++) {
        if (p->r->claim[i].experiment != p->experiment) continue;
        claim_words_stored(p->r, &p->r->claim[i], &w);
        claim_print(p, &w);
    }
}

/* Prints which metrics the stored results are too old to have, and the command that measures them. */
static void older_print(const struct printing *p) {
    const char **metric = memory_get(COLUMNS_ASKED + p->r->n_claims, sizeof *metric), *shown;
    char text[2048];
    size_t n = 0;
    for (size_t i = 0; i < p->r->n_claims; i++) {
        if (p->r->claim[i].experiment == p->experiment) metric[n++] = p->r->claim[i].metric;
    }
    for (size_t i = 0; i < COLUMNS_ASKED && (shown = metric_shown(METRIC_IN_TEXT, i)); i++) metric[n++] = shown;
    struct older older = older_in_store(p->r, p->experiment, metric, n);
    older_text_of_store(&older, p->r, p->experiment, text, sizeof text);
    if (text[0]) fputc('\n', p->out);
    if (text[0]) folded(p, text, 0);
    free(metric);
}

bool report_text(const struct store_reader *r, int width, FILE *out, struct diag *d) {
    if (!store_finished_check(r, d)) return false;
    for (size_t i = 0; i < r->n_experiments; i++) {
        struct printing p = {r, i, width < 40 ? 40 : width, out};
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
