/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/table.h"

#include "base/memory.h"
#include "study/claims/words.h"
#include "study/experiment/settings.h"
#include "study/experiment/sweep.h"
#include "study/print/missing.h"
#include "study/print/table_lines.h"

#include <stdlib.h>
#include <string.h>

/* ---- claims ---- */

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

static void claim_print(const struct claim_outcome *o, int width, FILE *out) {
    struct claim_words w;
    char reason[REASON_MAX], subject[1280], measured[96], range[80], outcome[256];
    claim_words_of(o, &w, reason);
    subject_print(o, subject, sizeof subject);
    claim_measured_text(&w, CLAIM_SHORT, measured, sizeof measured);
    claim_range_text(&w, CLAIM_SHORT, range, sizeof range);
    claim_outcome_text(&w, true, outcome, sizeof outcome);
    fprintf(out, "  %-14s %-*s %-26s %-22s %s\n", w.claim, width, subject, measured, range, outcome);
}

static void claims_print(const struct claim_outcome *claim, size_t n, FILE *out) {
    if (n == 0) return;
    int width = subject_width(claim, n);
    fprintf(out, "\n  %-14s %-*s %-26s %-22s %s\n", "claim", width, "of what", "measured", "claimed", "outcome");
    for (size_t i = 0; i < n; i++) claim_print(&claim[i], width, out);
}

/* ---- results ---- */

static struct table *table_of(const struct experiment *e, json_t *const *result) {
    const struct table_request q = {.place = METRIC_IN_TABLE, .key = sweep_row_key(e)};
    struct table_run *run = memory_get(e->n_runs, sizeof *run);
    for (size_t i = 0; i < e->n_runs; i++) run[i] = (struct table_run){e->run[i].settings, result[i]};
    struct table *t = table_make(run, e->n_runs, &q);
    free(run);
    return t;
}

static void intervals_explain(const struct table *t, FILE *out) {
    size_t i = 0;
    while (i < t->n_rows && !t->row[i].is_free) i++;
    if (i == t->n_rows) return;
    fprintf(out, "Means over %u seeds, +- the half-width of the 95 %% interval; * the best, where intervals part.\n",
            t->row[i].n);
}

/* Prints the groups but those without a run, unless none has any: what is missing is told below. */
static void groups_print(const struct table *t, FILE *out) {
    bool any = table_most_runs(t) > 0;
    for (size_t g = 0; g < t->n_groups; g++) {
        char title[512];
        if (any && !table_group_has_runs(t, g)) continue;
        settings_text(t->group[g].settings, title, sizeof title);
        fprintf(out, "\n%s\n", title[0] ? title : table_subject(t));
        table_group_print(t, g, &table_style_run, out);
    }
}

/* Prints a sentence in the paragraph below the table; *n counts them. */
static void sentence_print(const char *text, size_t *n, FILE *out) {
    if (text[0]) fprintf(out, "%s%s", (*n)++ ? " " : "\n  ", text);
}

/* Prints what the columns and the cells mean. */
static void notes_print(const struct table *t, FILE *out) {
    size_t n = 0;
    if (table_most_runs(t) == 0) return;
    char *notes = table_notes(&t->columns);
    sentence_print(notes, &n, out);
    if (table_most_runs(t) == 1) sentence_print("One seed: no spread is known.", &n, out);
    if (table_shows_change(t, &table_style_run))
        sentence_print("The last percentage is against the first row.", &n, out);
    if (n) fprintf(out, "\n");
    free(notes);
}

static void missing_print(const struct experiment *e, json_t *const *result, FILE *out) {
    struct sweep_run *run = memory_get(e->n_runs, sizeof *run);
    for (size_t i = 0; i < e->n_runs; i++)
        run[i] = (struct sweep_run){e->run[i].settings, result[i] && !json_object_get(result[i], "failure")};
    char *text = missing_text(run, e->n_runs);
    if (text[0]) fprintf(out, "\n%s", text);
    free(text);
    free(run);
}

void table_print(const struct experiment *e, json_t *const *result, const struct claim_outcome *claim, size_t n_claims,
                 const char *store_path, FILE *out) {
    struct table *t = table_of(e, result);
    fprintf(out, "%s\n", e->title);
    intervals_explain(t, out);
    groups_print(t, out);
    claims_print(claim, n_claims, out);
    notes_print(t, out);
    missing_print(e, result, out);
    fprintf(out, "\nresults: %s\nnext: heddle report %s   (the page; --text for more figures here)\n", store_path,
            store_path);
    table_free(t);
}
