/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/columns_help.h"

#include "study/metrics/columns.h"
#include "study/print/fold.h"

#include <string.h>

#define MEANING_MAX 2000

/* Copies a text of Markdown without the marks of code. */
static void plain_text(const char *from, char buf[MEANING_MAX]) {
    size_t n = 0;
    for (; *from && n + 1 < MEANING_MAX; from++)
        if (*from != '`') buf[n++] = *from;
    buf[n] = '\0';
}

static void column_print(const struct column_doc *c, int width, FILE *out) {
    char meaning[MEANING_MAX], line[MEANING_MAX + 200];
    const char *better = metric_better_word(c->better);
    plain_text(c->doc ? c->doc : "", meaning);
    snprintf(line, sizeof line, "%s: %s", c->head, c->path);
    fold_print(line, width, 2, 4, out);
    snprintf(line, sizeof line, "%s%s%s; %s", metric_unit_name(c->unit), better[0] ? ", better is " : "", better,
             meaning);
    fold_print(line, width, 6, 0, out);
}

void columns_help_print(int width, FILE *out) {
    struct column_doc c;
    fold_print("Columns that tables choose by the results, and the metrics they show. A word in capitals stands for "
               "names of the results, "
               "such as the sizes of queries. --columns METRIC,... takes these and any other number of a result; "
               "heddle docs results "
               "explains all.",
               width, 0, 0, out);
    fputc('\n', out);
    for (size_t i = 0; metric_column_doc(i, &c); i++) column_print(&c, width, out);
}
