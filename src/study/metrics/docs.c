/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the tables of docs/results.md. */
#include "measure/run_counters.h"
#include "study/metrics/metrics.h"

static void keys_print(FILE *out) {
    size_t n;
    const struct metric *const *row = metrics(&n);
    fprintf(out, "| key | unit | better | meaning |\n|---|---|---|---|\n");
    for (size_t i = 0; i < n; i++)
        fprintf(out, "| `%s` | %s | %s | %s%s |\n", row[i]->path, metric_unit_name(row[i]->unit),
                metric_better_word(row[i]->better), row[i]->doc,
                metric_is_simulated(row[i]) ? ". Null on real frames" : "");
}

static void words_print(FILE *out) {
    size_t n;
    const struct metric_word *word = metric_words(&n);
    fprintf(out, "\n| word in a key | stands for |\n|---|---|\n");
    for (size_t i = 0; i < n; i++) fprintf(out, "| `%s` | %s |\n", word[i].name, word[i].doc);
}

static void counters_print(FILE *out) {
    fprintf(out, "\n## Counters of every run\n\n| counter | meaning |\n|---|---|\n");
    for (unsigned i = DROP_NONE + 1; i < DROP_COUNT; i++)
        fprintf(out, "| `%s` | %s |\n", drop_counters[i].name, drop_counters[i].doc);
    for (unsigned i = 0; i < RUN_COUNTERS; i++)
        fprintf(out, "| `%s` | %s |\n", run_counters[i].name, run_counters[i].doc);
}

void metrics_print_docs(FILE *out) {
    keys_print(out);
    words_print(out);
    counters_print(out);
}
