/* SPDX-License-Identifier: Apache-2.0 */
/* Which metrics are columns of a table of results: the table of columns.c.
 *
 * A row of it names a metric, the places that show it, and when it matters: only for results with queries or only
 * without, and not beside a column that tells more. A placeholder in a path stands for keys of these results that not
 * all results have, such as the sizes of queries (SIZE). Adjacent rows with the same placeholder alternate: "2KB
 * median, 2KB 99th, 8KB median, 8KB 99th".
 *
 * To show a metric without being asked, add a row; to show another part of a run, such as an entry of its workload, a
 * row with a placeholder for it (metrics.h).
 */
#ifndef HEDDLE_STUDY_METRICS_COLUMNS_H
#define HEDDLE_STUDY_METRICS_COLUMNS_H

#include "study/metrics/metrics.h"

/* Places that show some metrics by default. */
enum metric_place {
    METRIC_IN_TABLE = 1, /* the closing table of heddle run */
    METRIC_IN_TEXT = 2,  /* heddle report --text */
    METRIC_IN_PAGE = 4   /* the first tables and charts of the report page */
};

/* Returns the i-th metric that a place shows whatever the run; NULL if there are no more. */
const char *metric_shown(enum metric_place place, size_t i);

#define COLUMN_PATH_MAX 96
#define COLUMN_UNLESS_MAX 2

struct metric_column {
    char path[COLUMN_PATH_MAX];
    char head[METRIC_TEXT_MAX], label[METRIC_TEXT_MAX];
    enum metric_unit unit;
    enum metric_better better;
    bool is_rest;                          /* shows 1 minus the share */
    const char *unless[COLUMN_UNLESS_MAX]; /* left out beside one of these columns; NULL: none */
};

struct metric_columns {
    struct metric_column *of;
    size_t n;
};

/* Returns the columns of a place that matter for the results; result[i] may be NULL. metric_columns_free frees them.
 * Columns without a value are among them. */
struct metric_columns metric_columns_choose(enum metric_place place, const json_t *const *result, size_t n);
/* Returns one column for each path, in their order. */
struct metric_columns metric_columns_of(const char *const *path, size_t n);
void metric_columns_free(struct metric_columns *c);

/* Returns the number of a column in a result; NaN if it has none. */
double metric_column_value(const struct metric_column *c, const json_t *result);

#endif
