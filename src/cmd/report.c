/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/commands.h"

#include "base/text.h"
#include "cmd/out_name.h"
#include "study/figures/figures.h"
#include "study/print/report_text.h"
#include "study/report/page.h"
#include "study/store/store_reader.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

static int page(const char *const *store, size_t n, const char *out, bool force, bool variants) {
    const struct report_page_options o = {.version = HEDDLE_VERSION, .variants = variants, .force = force};
    struct diag d = {0};
    char *name = out ? text_copy(out) : page_name(store[0]);
    bool ok = report_page(store, n, name, &o, &d);
    if (ok) print_path(name);
    free(name);
    return ok ? 0 : exit_diag(&d);
}

/* ---- text ---- */

/* Returns the width of the terminal, or the value of COLUMNS. */
static int terminal_width(void) {
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    int asked = columns ? atoi(columns) : 0;
    if (asked > 0) return asked;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 100;
}

static int report_as_text(const char *const *store, size_t n, bool variants) {
    for (size_t i = 0; i < n; i++) {
        struct diag d = {0};
        struct store_reader *r = store_reader_open(store[i], &d);
        if (r && variants) store_reader_show_variants(r);
        bool ok = r && report_text(r, terminal_width(), stdout, &d);
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
};
#define T struct report_request

static int report(void *request) {
    const struct report_request *q = request;
    if (q->out && (q->text || q->figures))
        return exit_usage("--out names a page, and --%s writes none; write one of the two",
                          q->text ? "text" : "figures");
    if (q->points && !q->figures) return exit_usage("--points thins the curves of figures; name their --figures DIR");
    struct diag d = {0};
    if (!out_name_is_page(q->out, &d)) return exit_usage("%s", d.text);
    if (q->figures)
        return report_figures(q->store.item, q->store.n,
                              &(struct figures_request){.dir = q->figures,
                                                        .experiment_file = q->experiment,
                                                        .points = q->points,
                                                        .force = q->force,
                                                        .store = q->store.item,
                                                        .n_stores = q->store.n,
                                                        .made = print_path,
                                                        .left_out = print_note,
                                                        .kept = print_kept});
    if (q->text) return report_as_text(q->store.item, q->store.n, q->variants);
    return page(q->store.item, q->store.n, q->out, q->force, q->variants);
}

const struct command command_report = {
    .name = "report",
    .purpose = "show results as a page, as figures or as text",
    .about = "Writes one HTML page with the tables, the charts and the fabric of the results; it works from disk, "
             "without a server. --figures draws the figures of the experiments instead: SVG, PDF, the gnuplot script "
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
            FLAG(T, variants, "variants", 0, "shows runs with other --set values too"),
            FLAG(T, force, "force", 0,
                 "replaces files that heddle report did not write, and scripts that were changed"),
            {0}},
    .exits = EXITS_PLAIN,
    .examples = (const struct example_row[]){{"report first.db", "writes first.html"},
                                             {"report first.db second.db -o both.html", "two stores in one page"},
                                             {"report first.db --figures figures", "writes figures/*.svg and *.pdf"},
                                             {0}},
    .see = "run flows export",
    .request_size = sizeof(T),
    .run = report,
};
