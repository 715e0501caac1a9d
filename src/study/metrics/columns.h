/* SPDX-License-Identifier: Apache-2.0 */
/* Which metrics are columns of a table of results: the table of columns.c.
 *
 * A row of it names a metric and says for which results it matters: for those of an incast, of long flows, of queries,
 * where ports were paused or credits sent; and beside which other columns it tells nothing more. A placeholder in a path
 * stands for keys of these results that not all results have, such as the sizes of queries (SIZE). Adjacent rows with
 * the same placeholder alternate: "2KB median, 2KB 99th, 8KB median, 8KB 99th".
 *
 * To show a metric without being asked, add a row; phases, named entries of the workload and classes of measure.classes
 * have rows with a placeholder.
 */
#ifndef HEDDLE_STUDY_METRICS_COLUMNS_H
#define HEDDLE_STUDY_METRICS_COLUMNS_H

#include "study/metrics/metrics.h"

#include <stdio.h>

/* Returns the i-th metric that tables show for some results without queries; NULL if there are no more. */
const char *metric_shown(size_t i);

/* What a column shows that tables choose by themselves, or name among the columns that they leave out. */
struct column_doc {
    const char *path; /* may hold a placeholder */
    char head[METRIC_TEXT_MAX];
    enum metric_unit unit;
    enum metric_better better;
    const char *doc; /* Markdown, without the last full stop; NULL: none, which a test refuses */
};
/* Describes the i-th of these columns, each path once. Returns false if there are no more. */
bool metric_column_doc(size_t i, struct column_doc *doc);
/* Prints all of them as the table of docs/guide.md. */
void metric_columns_print_docs(FILE *out);

#define COLUMN_PATH_MAX 96
#define COLUMN_UNLESS_MAX 2

struct metric_column {
    char path[COLUMN_PATH_MAX];
    char head[METRIC_TEXT_MAX], label[METRIC_TEXT_MAX];
    enum metric_unit unit;
    enum metric_better better;
    bool is_signed;                        /* may be negative */
    bool is_rest;                          /* shows 1 minus the share */
    bool is_asked;                         /* someone named the metric */
    bool shows_zero;                       /* a column also where all values are 0 */
    const char *unless[COLUMN_UNLESS_MAX]; /* left out beside one of these columns; NULL: none */
};

struct metric_columns {
    struct metric_column *of;
    size_t n;
};

/* What columns are chosen by. */
struct columns_request {
    const json_t *const *result; /* [n], an element may be NULL */
    const char *const *config;   /* [n] effective configurations, an element may be NULL; NULL: none is known */
    size_t n;
    const char *const
        *asked; /* [n_asked] metrics that are columns whatever their values, such as those of expectations; before
                                 all others unless they have a place among them */
    size_t n_asked;
};

/* Returns the columns that matter for the results, without a value or not. metric_columns_free frees them. */
struct metric_columns metric_columns_choose(const struct columns_request *q);
/* Returns further metrics that a reader may look for next, the most telling first. metric_columns_free frees them. */
struct metric_columns metric_columns_further(void);
/* Returns one column for each path, in their order; all of them are asked for. */
struct metric_columns metric_columns_of(const char *const *path, size_t n);
/* Returns whether there is a column of this path. */
bool metric_columns_have(const struct metric_columns *c, const char *path);
void metric_columns_free(struct metric_columns *c);

/* Returns the number of a column in a result; NaN if it has none. */
double metric_column_value(const struct metric_column *c, const json_t *result);

#endif
