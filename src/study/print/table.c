/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/table.h"

#include "base/memory.h"
#include "study/experiment/sweep.h"
#include "study/print/claim_lines.h"
#include "study/print/fold.h"
#include "study/print/missing.h"
#include "study/print/table_lines.h"

#include <stdlib.h>
#include <string.h>

/* ---- claims ---- */

static void claims_print(const struct claim_outcome *claim, size_t n, int width, FILE *out) {
    struct claim_words *w = memory_get(n + 1, sizeof *w);
    char(*reason)[REASON_MAX] = memory_get(n + 1, sizeof *reason);
    for (size_t i = 0; i < n; i++) claim_words_of(&claim[i], &w[i], reason[i]);
    claim_lines_print(w, n, true, width, out);
    free(reason);
    free(w);
}

/* ---- results ---- */

static struct table *table_of(const struct experiment *e, json_t *const *result, const struct table_asked *asked,
                              const struct table_wish *wish) {
    const struct table_request q = {.key = sweep_row_key(e), .asked = asked->metric, .n_asked = asked->n, .wish = wish};
    struct table_run *run = memory_get(e->n_runs, sizeof *run);
    for (size_t i = 0; i < e->n_runs; i++) run[i] = (struct table_run){e->run[i].settings, result[i], e->run[i].text};
    struct table *t = table_make(run, e->n_runs, &q);
    free(run);
    return t;
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

/* Fills *w with what the command line asks for, and with what the experiment does beside it. */
static void wish_join(const struct experiment *e, const struct table_wish *asked, struct table_wish *w) {
    struct table_wish own = {0};
    struct diag ignored; /* the block was checked when the experiment was read */
    *w = (struct table_wish){0};
    if (asked) table_wish_complete(w, asked);
    if (table_wish_read(tree_get(e->root, "table"), &own, &ignored)) table_wish_complete(w, &own);
    table_wish_free(&own);
}

void table_print(const struct experiment *e, json_t *const *result, const struct claim_outcome *claim, size_t n_claims,
                 const char *store_path, const struct table_print_options *o, FILE *out) {
    int width = o->width ? o->width : LINES_WIDTH;
    struct table_wish wish;
    struct table_asked asked = {0};
    wish_join(e, o->wish, &wish);
    for (size_t i = 0; i < n_claims; i++) table_ask(&asked, claim[i].expectation->metric);
    struct table *t = table_of(e, result, &asked, &wish);
    fold_print(e->title, width, 0, 2, out);
    table_lines_print(t, width, out);
    claims_print(claim, n_claims, width, out);
    missing_print(e, result, out);
    fprintf(out, "\nresults: %s\nnext: heddle report %s   (writes the page)\n", store_path, store_path);
    table_free(t);
    table_wish_free(&wish);
}
