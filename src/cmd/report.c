#include "cmd/commands.h"
#include "cmd/options.h"

#include "study/figures/figures.h"
#include "study/store_reader.h"

/* ---- figures ---- */

static void print_path(const char *path) { printf("%s\n", path); }

static void print_note(const struct diag *why) {
    char line[1024];
    fprintf(stderr, "%s\n", diag_line(why, line, sizeof line));
}

static int report_figures(const char *const *store, size_t n, const char *dir, const char *experiment_file) {
    const struct figures_request q = {dir, experiment_file, print_path, print_note};
    for (size_t i = 0; i < n; i++) {
        struct diag d = {0};
        struct store_reader *r = store_reader_open(store[i], &d);
        bool ok = r && figures_draw(r, &q, &d);
        store_reader_close(r);
        if (!ok) return exit_diag(&d);
    }
    return 0;
}

/* ---- which ---- */

#define MAX_STORES 256

int command_report(int argc, char **argv) {
    const char *figures = NULL, *experiment_file = NULL;
    const struct option_row rows[] = {{"--figures", OPTION_TEXT, &figures, 0, 0},
                                      {"--experiment", OPTION_TEXT, &experiment_file, 0, 0}};
    const char *store[MAX_STORES];
    size_t n;
    if (!options_read(argc, argv, rows, sizeof rows / sizeof *rows, store, MAX_STORES, &n)) return 2;
    if (n == 0) return exit_usage("which results? write heddle report RESULTS.db");
    if (figures) return report_figures(store, n, figures, experiment_file);
    return exit_usage("what of it? write heddle report RESULTS.db --figures DIR");
}
