/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the tables of docs/results.md. */
#include "base/text.h"
#include "measure/run_counters.h"
#include "study/config/markdown.h"
#include "study/metrics/columns.h"
#include "study/metrics/metrics.h"
#include "study/metrics/phase_forms.h"

#include <stdlib.h>
#include <string.h>

/* Prints a row of a table of two columns, the first of them code. */
static void named_row(struct markdown_table *t, const char *name, const char *doc) {
    char *code = text_format("`%s`", name);
    markdown_row(t, (const char *const[]){code, doc});
    free(code);
}

static void key_row(struct markdown_table *t, const struct metric *m) {
    char *path = text_format("`%s`", m->path);
    char *doc = text_format("%s%s", m->doc, metric_is_simulated(m) ? ". Null on real frames" : "");
    markdown_row(t, (const char *const[]){path, metric_unit_name(m->unit), metric_better_word(m->better), doc});
    free(path);
    free(doc);
}

static void keys_print(FILE *out) {
    static const char *const heads[] = {"key", "unit", "better", "meaning"};
    size_t n;
    const struct metric *const *row = metrics(&n);
    struct markdown_table t;
    markdown_begin(&t, out, heads, 4);
    for (size_t i = 0; i < n; i++) key_row(&t, row[i]);
    markdown_end(&t);
}

static void words_print(FILE *out) {
    static const char *const heads[] = {"word in a key", "stands for"};
    size_t n;
    const struct metric_word *word = metric_words(&n);
    struct markdown_table t;
    fprintf(out, "\n");
    markdown_begin(&t, out, heads, 2);
    for (size_t i = 0; i < n; i++) named_row(&t, word[i].name, word[i].doc);
    markdown_end(&t);
}

static void counters_print(FILE *out) {
    static const char *const heads[] = {"counter", "meaning"};
    struct markdown_table t;
    fprintf(out, "\n## Counters of every run\n\n");
    markdown_begin(&t, out, heads, 2);
    for (unsigned i = DROP_NONE + 1; i < DROP_COUNT; i++) named_row(&t, drop_counters[i].name, drop_counters[i].doc);
    for (unsigned i = 0; i < RUN_COUNTERS; i++) named_row(&t, run_counters[i].name, run_counters[i].doc);
    markdown_end(&t);
}

/* ---- columns of tables ---- */

void metric_columns_print_docs(FILE *out) {
    static const char *const heads[] = {"column", "metric", "unit", "better", "meaning"};
    struct markdown_table t;
    struct column_doc c;
    markdown_begin(&t, out, heads, 5);
    for (size_t i = 0; metric_column_doc(i, &c); i++) {
        char *path = text_format("`%s`", c.path);
        char *meaning = text_format("%.*s", (int)markdown_cut(c.doc), c.doc); /* docs/results.md has the rest */
        markdown_row(
            &t, (const char *const[]){c.head, path, metric_unit_name(c.unit), metric_better_word(c.better), meaning});
        free(meaning);
        free(path);
    }
    markdown_end(&t);
}

void metrics_print_docs(FILE *out) {
    keys_print(out);
    words_print(out);
    phase_forms_print(out);
    counters_print(out);
}
