#include "cmd/commands.h"
#include "cmd/options.h"

#include "study/export.h"

#include <inttypes.h>

static void print_made(const char *path, int64_t rows) { printf("%s: %" PRId64 " rows\n", path, rows); }

int command_export(int argc, char **argv) {
    struct export_request q = {.made = print_made};
    bool variants = false;
    const struct option_row rows[] = {{"--csv", OPTION_TEXT, &q.dir, 0, 0},
                                      {"--variants", OPTION_FLAG, &variants, 0, 0},
                                      {"--force", OPTION_FLAG, &q.force, 0, 0}};
    const char *store;
    size_t n;
    struct diag d = {0};
    if (!options_read(argc, argv, rows, sizeof rows / sizeof *rows, &store, 1, &n)) return 2;
    if (n == 0 || !q.dir) return exit_usage("what, and where to? write heddle export RESULTS.db --csv DIR");
    struct store_reader *r = store_reader_open(store, &d);
    if (r && variants) store_reader_show_variants(r);
    bool ok = r && export_csv(r, &q, &d);
    store_reader_close(r);
    return ok ? 0 : exit_diag(&d);
}
