#include "cmd/commands.h"
#include "cmd/options.h"

#include "study/figures/figures.h"
#include "study/report/page.h"
#include "study/report_text.h"
#include "study/store_reader.h"

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

/* RESULTS.html for RESULTS.db. The caller frees it. */
static char *page_name(const char *store) {
    size_t length = strlen(store);
    char *name;
    if (length > 3 && strcmp(store + length - 3, ".db") == 0) length -= 3;
    if (asprintf(&name, "%.*s.html", (int)length, store) < 0) abort();
    return name;
}

static int page(const char *const *store, size_t n, const char *out, bool force, bool variants) {
    const struct report_page_options o = {.version = HEDDLE_VERSION, .variants = variants, .force = force};
    struct diag d = {0};
    char *name = out ? strdup(out) : page_name(store[0]);
    bool ok = report_page(store, n, name, &o, &d);
    if (ok) print_path(name);
    free(name);
    return ok ? 0 : exit_diag(&d);
}

/* ---- text ---- */

/* Of the terminal, or what COLUMNS says. */
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

/* ---- which ---- */

#define MAX_STORES 256

int command_report(int argc, char **argv) {
    const char *figures = NULL, *experiment_file = NULL, *out = NULL;
    bool text = false, force = false, variants = false;
    const struct option_row rows[] = {{"-o", OPTION_TEXT, &out, 0, 0},
                                      {"--figures", OPTION_TEXT, &figures, 0, 0},
                                      {"--experiment", OPTION_TEXT, &experiment_file, 0, 0},
                                      {"--text", OPTION_FLAG, &text, 0, 0},
                                      {"--variants", OPTION_FLAG, &variants, 0, 0},
                                      {"--force", OPTION_FLAG, &force, 0, 0}};
    const char *store[MAX_STORES];
    size_t n;
    if (!options_read(argc, argv, rows, sizeof rows / sizeof *rows, store, MAX_STORES, &n)) return 2;
    if (n == 0) return exit_usage("which results? write heddle report RESULTS.db [MORE.db ...] [-o OUT.html]");
    if (figures)
        return report_figures(store, n,
                              &(struct figures_request){.dir = figures,
                                                        .experiment_file = experiment_file,
                                                        .force = force,
                                                        .store = store,
                                                        .n_stores = n,
                                                        .made = print_path,
                                                        .left_out = print_note,
                                                        .kept = print_kept});
    if (text) return report_as_text(store, n, variants);
    return page(store, n, out, force, variants);
}
