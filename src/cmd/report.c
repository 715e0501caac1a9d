/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/commands.h"

#include "base/memory.h"
#include "base/text.h"
#include "cmd/out_name.h"
#include "cmd/table_request.h"
#include "study/experiment/metric_check.h"
#include "study/figures/figures.h"
#include "study/print/report_text.h"
#include "study/report/page.h"
#include "study/report/topology.h"
#include "study/store/store_reader.h"

#include <stdlib.h>
#include <string.h>

/* ---- figures ---- */

static void print_path(const char *path) { printf("%s\n", path); }

static void print_note(const struct diag *why) { fprintf(stderr, "%s: left out: %s\n", why->file, why->text); }

static void print_kept(const char *dir, const char *name) {
    fprintf(stderr, "%s/%s.gp: kept, because it was changed; --force writes it anew\n", dir, name);
}

static int report_figures(const char *const *store, size_t n, struct figures_request *q) {
    bool ok = true;
    struct diag d = {0};
    for (size_t i = 0; ok && i < n; i++) {
        struct store_reader *r = store_reader_open(store[i], &d);
        ok = r && figures_draw(r, q, &d);
        store_reader_close(r);
    }
    figures_request_end(q);
    return ok ? 0 : exit_diag(&d);
}

/* ---- the page ---- */

/* Returns RESULTS.html for RESULTS.db. The caller frees it. */
static char *page_name(const char *store) {
    size_t length = strlen(store);
    char *name;
    if (length > 3 && strcmp(store + length - 3, ".db") == 0) length -= 3;
    name = text_format("%.*s.html", (int)length, store);
    return name;
}

/* ---- tables ---- */

/* Returns whether each column is a number of some result in the store. False after filling *d. */
static bool columns_known(const struct store_reader *r, const struct table_wish *wish, struct diag *d) {
    const struct tree_node where = {.file = "--columns"};
    const json_t **result = memory_get(r->n_runs + 1, sizeof *result);
    bool ok = true;
    for (size_t i = 0; i < r->n_runs; i++) result[i] = r->run[i].result;
    for (size_t i = 0; ok && i < wish->n_columns; i++)
        ok = metric_check_results(result, r->n_runs, wish->column[i], &where, d);
    free(result);
    return ok;
}

/* ---- text ---- */

static int report_as_text(const char *const *store, size_t n, bool variants, const struct table_wish *wish) {
    for (size_t i = 0; i < n; i++) {
        struct diag d = {0};
        struct store_reader *r = store_reader_open(store[i], &d);
        if (r && variants) store_reader_show_variants(r);
        bool ok = r && columns_known(r, wish, &d) && report_text(r, wish, terminal_width(), stdout, &d);
        store_reader_close(r);
        if (!ok) return exit_diag(&d);
    }
    return 0;
}

/* ---- dispatch ---- */

struct report_request {
    struct word_list store;
    const char *out, *figures, *experiment;
    uint32_t points;
    bool text, variants, force;
    struct table_words table;
};
#define T struct report_request

/* Returns whether some store has the columns. False after filling *d. */
static bool columns_check(const char *const *store, size_t n, const struct table_wish *wish, struct diag *d) {
    bool ok = wish->n_columns == 0;
    for (size_t i = 0; i < n && !ok; i++) {
        struct store_reader *r = store_reader_open(store[i], d);
        ok = r && columns_known(r, wish, d);
        store_reader_close(r);
    }
    return ok;
}

static int page(const struct report_request *q, const struct table_wish *wish) {
    const struct report_page_options o = {
        .version = HEDDLE_VERSION, .variants = q->variants, .force = q->force, .wish = wish};
    struct diag d = {0};
    char *name = q->out ? text_copy(q->out) : page_name(q->store.item[0]);
    bool ok =
        columns_check(q->store.item, q->store.n, wish, &d) && report_page(q->store.item, q->store.n, name, &o, &d);
    if (ok) print_path(name);
    free(name);
    return ok ? 0 : exit_diag(&d);
}

static int report(void *request) {
    const struct report_request *q = request;
    if (q->out && (q->text || q->figures))
        return exit_usage("--out names a page, and --%s writes none; write one of the two",
                          q->text ? "text" : "figures");
    if (q->points && !q->figures) return exit_usage("--points thins the curves of figures; name their --figures DIR");
    if (q->figures && (q->table.columns.n || q->table.baseline))
        return exit_usage("--columns and --baseline are of tables, and --figures draws figures; write one of the two");
    struct diag d = {0};
    if (table_words_help(&q->table)) return 0;
    if (!out_name_is_page(q->out, &d)) return exit_usage("%s", d.text);
    if (q->figures)
        return report_figures(q->store.item, q->store.n,
                              &(struct figures_request){.dir = q->figures,
                                                        .experiment_file = q->experiment,
                                                        .points = q->points,
                                                        .failures = run_failures_json,
                                                        .force = q->force,
                                                        .store = q->store.item,
                                                        .n_stores = q->store.n,
                                                        .made = print_path,
                                                        .left_out = print_note,
                                                        .kept = print_kept});
    struct table_wish wish;
    table_words_take(&q->table, &wish);
    int status = q->text ? report_as_text(q->store.item, q->store.n, q->variants, &wish) : page(q, &wish);
    table_wish_free(&wish);
    return status;
}

const struct command command_report = {
    .name = "report",
    .purpose = "show results as a page, as figures or as text",
    .about =
        "Writes one HTML page with the tables, the charts and the fabric of the results; it works from disk, "
        "without a server. --figures draws the figures of the experiments instead: SVG, PDF, PNG, the gnuplot script "
        "and the data. --text prints a summary for the terminal, as wide as COLUMNS says.",
    .arguments = (const struct argument[]){ARGUMENT(T, store, "RESULTS.db", VALUE_STORE, "a results store"), {0}},
    .options =
        (const struct option_row[]){
            WORD(T, out, "out", 'o', "OUT.html", VALUE_PAGE,
                 "the page; without it, the name of the first store with .html instead of .db"),
            WORD(T, figures, "figures", 0, "DIR", VALUE_FOLDER, "draws the figures into this folder; made if missing"),
            WORD(T, experiment, "experiment", 0, "FILE.yaml", VALUE_EXPERIMENT,
                 "takes the figure block from this file instead of the one that was run"),
            NUMBER(T, points, "points", 0, "N", 10, 100000, 0,
                   "most points of a curve over time, of a distribution or of a rank; without it 1000, 320 and 1000"),
            FLAG(T, text, "text", 0, "prints a summary for the terminal"),
            TABLE_OPTIONS(T),
            FLAG(T, variants, "variants", 0, "shows runs with other --set values too"),
            FLAG(T, force, "force", 0,
                 "replaces files that heddle report did not write, and scripts that were changed"),
            {0}},
    .exits = EXITS_PLAIN,
    .examples =
        (const struct example_row[]){{"report first.db", "writes first.html"},
                                     {"report first.db second.db -o both.html", "two stores in one page"},
                                     {"report first.db --text --baseline expeditus", "all rows against expeditus"},
                                     {"report first.db --figures figures", "writes figures/*.svg and *.pdf"},
                                     {0}},
    .see = "run flows export",
    .request_size = sizeof(T),
    .run = report,
};
