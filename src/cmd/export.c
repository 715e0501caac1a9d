/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/commands.h"

#include "base/memory.h"
#include "study/print/export.h"

#include <inttypes.h>
#include <stdlib.h>

static void print_made(const char *path, int64_t rows) { printf("%s: %" PRId64 " rows\n", path, rows); }

struct export_command {
    struct word_list store;
    struct export_request export;
    bool variants;
};
#define T struct export_command

static int export_run(void *request) {
    struct export_command *q = request;
    struct diag d = {0};
    q->export.made = print_made;
    size_t opened = 0;
    struct store_reader **r = memory_get(q->store.n, sizeof *r);
    for (; opened < q->store.n && (r[opened] = store_reader_open(q->store.item[opened], &d)); opened++)
        if (q->variants) store_reader_show_variants(r[opened]);
    bool ok = opened == q->store.n && export_csv((const struct store_reader *const *)r, opened, &q->export, &d);
    while (opened) store_reader_close(r[--opened]);
    free(r);
    return ok ? 0 : exit_diag(&d);
}

const struct command command_export = {
    .name = "export",
    .purpose = "write the tables of results stores as CSV files",
    .about =
        "Writes a CSV file for each table that has rows: experiments, runs, claims, flows, samples and others. "
        "runs.csv "
        "has a column for each swept key and for each number of the results. With several stores each file has the "
        "rows of all, and the column store says whose they are.",
    .arguments = (const struct argument[]){ARGUMENT(T, store, "RESULTS.db", VALUE_STORE, "a results store"), {0}},
    .options = (const struct option_row[]){WORD_REQUIRED(T, export.dir, "csv", 0, "DIR", VALUE_FOLDER,
                                                         "the folder of the files; made if missing"),
                                           FLAG(T, variants, "variants", 0, "takes runs with other --set values too"),
                                           FLAG(T, export.force, "force", 0, "replaces files that are there"),
                                           {0}},
    .exits = EXITS_PLAIN,
    .examples =
        (const struct example_row[]){{"export first.db --csv tables", "writes tables/flows.csv and others"},
                                     {"export first.db second.db --csv both", "one table of the runs of two stores"},
                                     {0}},
    .see = "flows report run",
    .request_size = sizeof(T),
    .run = export_run,
};
