/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/report_text.h"

#include "base/memory.h"
#include "study/experiment/settings.h"
#include "study/print/claim_lines.h"
#include "study/print/fold.h"
#include "study/print/missing.h"
#include "study/print/table_lines.h"
#include "study/store/claim_words.h"
#include "study/store/older.h"
#include "study/store/store_table.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS_ASKED 32

struct printing {
    const struct store_reader *r;
    size_t experiment;
    int width;
    const struct table_wish *wish;
    FILE *out;
};

static bool is_listed(const struct printing *p, const struct run_row *run) {
    return run->experiment == p->experiment && run->number > 0;
}

/* ---- words ---- */

/* Prints `text` folded at the width. Lines after the first are indented. */
static void folded(const struct printing *p, const char *text, int indent) {
    fold_print(text, p->width, indent, 2, p->out);
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
    if (text[0])
        folded(p, "The same heddle run goes on from there. Rows below are means of the runs that are done.", 2);
    free(text);
    free(run);
}

/* ---- tables ---- */

/* Fills *asked with the metrics of the experiment's claims. */
static void claims_ask(const struct printing *p, struct table_asked *asked) {
    for (size_t i = 0; i < p->r->n_claims; i++) {
        if (p->r->claim[i].experiment == p->experiment) table_ask(asked, p->r->claim[i].metric);
    }
}

static struct table *table_of(const struct printing *p, const char *key, const struct table_wish *wish) {
    struct table_asked asked = {0};
    struct table_run *run = memory_get(p->r->n_runs + 1, sizeof *run);
    size_t n = 0;
    for (size_t i = 0; i < p->r->n_runs; i++) {
        const struct run_row *x = &p->r->run[i];
        bool is_done = x->status == RUN_DONE && x->result;
        if (is_listed(p, x)) run[n++] = (struct table_run){x->settings, is_done ? x->result : NULL, x->config};
    }
    claims_ask(p, &asked);
    const struct table_request q = {.key = key, .asked = asked.metric, .n_asked = asked.n, .wish = wish};
    struct table *t = table_make(run, n, &q);
    free(run);
    return t;
}

/* Fills *w with what the command line asks for, and with what the experiment does beside it. */
static void wish_join(const struct printing *p, struct table_wish *w) {
    struct table_wish own;
    *w = (struct table_wish){0};
    if (p->wish) table_wish_complete(w, p->wish);
    store_table_wish(p->r, p->experiment, &own);
    table_wish_complete(w, &own);
    table_wish_free(&own);
}

static void tables_print(const struct printing *p, const json_t *swept) {
    struct table_wish wish;
    wish_join(p, &wish);
    struct table *t = table_of(p, settings_row_key(swept), &wish);
    if (table_has_intervals(t)) fputc('\n', p->out);
    table_lines_print(t, p->width, p->out);
    table_free(t);
    table_wish_free(&wish);
}

/* Returns whether the baseline of the command line is a row of some experiment's table; false after filling *d. */
static bool baseline_check(struct printing p, struct diag *d) {
    bool is_found = !p.wish || !p.wish->baseline;
    for (p.experiment = 0; !is_found && p.experiment < p.r->n_experiments; p.experiment++) {
        json_t *swept = swept_values(&p);
        struct table *t = table_of(&p, settings_row_key(swept), p.wish);
        is_found = table_baseline_check(t, p.wish, d);
        table_free(t);
        json_decref(swept);
    }
    return is_found;
}

/* ---- claims ---- */

/* Returns whether runs are missing that the outcomes do not know of: they were evaluated when the experiment had other runs. */
static bool outcomes_are_older(const struct printing *p, const struct claim_words *w, size_t n) {
    bool is_left = false, knows = n == 0;
    for (size_t i = 0; i < p->r->n_runs; i++)
        is_left = is_left || (is_listed(p, &p->r->run[i]) && p->r->run[i].status == RUN_LEFT);
    for (size_t i = 0; i < n; i++) knows = knows || w[i].n_missing > 0;
    return is_left && !knows;
}

static void claims_print(const struct printing *p) {
    struct claim_words *w = memory_get(p->r->n_claims + 1, sizeof *w);
    size_t n = 0;
    for (size_t i = 0; i < p->r->n_claims; i++) {
        if (p->r->claim[i].experiment == p->experiment) claim_words_stored(p->r, &p->r->claim[i], &w[n++]);
    }
    if (outcomes_are_older(p, w, n)) {
        fputc('\n', p->out);
        folded(p, "The outcomes below are those of the last heddle run that came to its end; runs were added since.",
               0);
    }
    claim_lines_print(w, n, false, p->width, p->out);
    free(w);
}

/* Prints which metrics the stored results are too old to have, and the command that measures them. */
static void older_print(const struct printing *p) {
    const char **metric = memory_get(COLUMNS_ASKED + p->r->n_claims, sizeof *metric), *shown;
    char text[2048];
    size_t n = 0;
    for (size_t i = 0; i < p->r->n_claims; i++) {
        if (p->r->claim[i].experiment == p->experiment) metric[n++] = p->r->claim[i].metric;
    }
    for (size_t i = 0; i < COLUMNS_ASKED && (shown = metric_shown(i)); i++) metric[n++] = shown;
    struct older older = older_in_store(p->r, p->experiment, metric, n);
    older_text_of_store(&older, p->r, p->experiment, text, sizeof text);
    if (text[0]) fputc('\n', p->out);
    if (text[0]) folded(p, text, 0);
    free(metric);
}

static void experiment_print(const struct printing *p) {
    json_t *swept = swept_values(p);
    heading_print(p);
    swept_print(p, swept);
    runs_missing_print(p);
    tables_print(p, swept);
    claims_print(p);
    older_print(p);
    json_decref(swept);
}

bool report_text(const struct store_reader *r, const struct table_wish *wish, int width, FILE *out, struct diag *d) {
    struct printing p = {r, 0, width < LINES_WIDTH_MIN ? LINES_WIDTH_MIN : width, wish, out};
    if (!store_finished_check(r, d) || !baseline_check(p, d)) return false;
    for (p.experiment = 0; p.experiment < r->n_experiments; p.experiment++) {
        if (p.experiment) fputc('\n', out);
        experiment_print(&p);
    }
    return true;
}
