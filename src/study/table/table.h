/* SPDX-License-Identifier: Apache-2.0 */
/* A table of results: what the closing table of `heddle run`, `heddle report --text` and the summary of the page show.
 *
 *    columns   metrics that matter for the results (study/metrics/columns.h), or those asked for; columns without a
 *              value in any row are left out
 *    rows      the runs with one combination of settings, the seed aside
 *    groups    the rows that differ only in `key`, such as the scheme; each group has its own baseline, by default
 *              its first row
 *    cells     the mean over the seeds with its 95 % interval (study/claims/estimate.h), the change against the
 *              baseline, and whether it is the best of its group
 *    notes     sentences that explain the columns which the table has, and no others
 *
 * Seeds whose digests are all equal are one run: the row has no interval that means anything (is_free is false). A
 * value is the best if its interval has no point in common with that of any other row of its group. Two rows of one
 * group are compared by table_compare, paired by seed.
 *
 * Renderers add no numbers: study/print/table_lines.h prints lines for a terminal or a text,
 * study/report/page_table.h gives the page its data.
 */
#ifndef HEDDLE_STUDY_TABLE_TABLE_H
#define HEDDLE_STUDY_TABLE_TABLE_H

#include "study/claims/estimate.h"
#include "study/metrics/columns.h"
#include "study/results/caveats.h"

/* A run of the sweep; settings and result belong to the caller and outlive the table. */
struct table_run {
    const json_t *settings; /* swept keys and run.seed */
    const json_t *result;   /* NULL: none */
};

struct table_request {
    enum metric_place place;
    const char *key;           /* swept key whose values are rows; may be "run.seed"; "": each group is one row */
    const char *const *column; /* paths [n_columns]; NULL: the columns that matter for the results */
    size_t n_columns;
    const json_t *
        baseline; /* value of `key` that the others are compared with; NULL, or not in a group: the group's first row */
};

struct table_cell {
    struct estimate value; /* .value NaN: a run has no such number */
    double change; /* relative to the baseline: -0.2 is 20 % less; NaN: of the baseline itself, or it is not above 0 */
    bool is_best;
};

struct table_row {
    const json_t *name;         /* value of `key`; NULL: the runs do not have it */
    const json_t *first;        /* settings of the first run */
    size_t group;               /* index into table.group */
    uint32_t n, n_missing;      /* runs with a result, and those without or with a failed one */
    struct missing_flows flows; /* flows that the values lack */
    bool is_free;               /* digests differ between the runs */
    struct table_cell *cell;    /* [n_columns] */
    const json_t **seed;        /* [n] run.seed of each run; an element may be NULL */
    double *value;              /* [n][n_columns] */
};

struct table_group {
    json_t *settings;       /* without `key` and run.seed */
    size_t first, baseline; /* rows */
    bool has_intervals;
};

struct table {
    const char *key;
    struct metric_columns columns;
    struct table_row *row; /* [n_rows], in the order of their first runs; those of a group need not be adjacent */
    size_t n_rows;
    struct table_group *group; /* [n_groups], in the order of their first rows */
    size_t n_groups;
};

/* Returns the key whose values are the rows of a table of runs with these axes, {KEY: [values]}: scheme, balancer,
 * transport or store, else the first key with several values; "run.seed" if there is none. `words`: before the first
 * such key one whose values are no numbers. */
const char *table_row_key(const json_t *axes, bool words);

/* Returns the table of n runs; table_free frees it. */
struct table *table_make(const struct table_run *run, size_t n, const struct table_request *q);
void table_free(struct table *t);

/* Returns the change of a column from row `baseline` to row `row` of one group. Its interval pairs the seeds; it has
 * none if the rows have different seeds, or if neither is free. */
struct estimate table_compare(const struct table *t, size_t row, size_t baseline, size_t column);

/* Returns whether a row of the group has a value other than 0 in the column. */
bool table_group_uses(const struct table *t, size_t group, size_t column);
/* Returns whether any row of the group has a run with a result. */
bool table_group_has_runs(const struct table *t, size_t group);
/* Returns the largest number of runs of a row. */
uint32_t table_most_runs(const struct table *t);

/* Returns what the table is about, in a few words: "flow completion times", "query completion times", "goodput". */
const char *table_subject(const struct table *t);
/* Returns the notes: "Times are flow completion times; mice are under 100 KB." The caller frees them; "" if there is
 * nothing to explain. */
char *table_notes(const struct metric_columns *c);

#endif
