/* SPDX-License-Identifier: Apache-2.0 */
/* A table of results: what the closing table of `heddle run`, `heddle report --text` and the summary of the page show.
 *
 *    columns   metrics that matter for the results (study/metrics/columns.h), or those asked for. Columns without a
 *              value in any row are left out, and so are columns of zeros that nobody asked for
 *    empty     columns that are asked for and have no value
 *    further   metrics with a value that a reader may look for next
 *    rows      the runs with one combination of settings, the seed aside. Their numbers count from 1, group by group
 *    groups    the rows that differ only in `key`, such as the scheme
 *    baseline  what a row is compared with: the first row of its group; or the row of the group that is asked for by
 *              its name; or one row of the table, by its number, for the rows of all groups
 *    cells     the mean over the seeds with its 95 % interval, the change against the baseline with its own, and
 *              whether it is the best of its group
 *    notes     sentences that explain the columns which the table has, and no others
 *
 * Seeds whose digests are all equal are one run: the row has no interval that means anything (is_free is false). A
 * value is the best if its interval has no point in common with that of any other row of its group. Any two rows are
 * compared by table_compare, paired by seed (study/claims/estimate.h). Intervals are as people read them
 * (estimate_shown).
 *
 * Renderers add no numbers: study/print/table_lines.h prints lines for a terminal or a text,
 * study/report/page_table.h gives the page its data.
 */
#ifndef HEDDLE_STUDY_TABLE_TABLE_H
#define HEDDLE_STUDY_TABLE_TABLE_H

#include "study/claims/estimate.h"
#include "study/experiment/table_wish.h"
#include "study/metrics/columns.h"
#include "study/results/caveats.h"

/* A run of the sweep; settings, result and configuration belong to the caller and outlive the table. */
struct table_run {
    const json_t *settings; /* swept keys and run.seed */
    const json_t *result;   /* NULL: none */
    const char *config;     /* effective configuration; NULL: not known */
};

#define TABLE_ASKED_MAX 4

/* Metrics that are columns because an expectation is about them, each once. */
struct table_asked {
    const char *metric[TABLE_ASKED_MAX];
    size_t n;
};
/* Adds a metric, unless it is there, or there are enough. */
void table_ask(struct table_asked *a, const char *metric);

struct table_request {
    const char *key;          /* swept key whose values are rows (settings_row_key); "": each group is one row */
    const char *const *asked; /* [n_asked] metrics that are columns because expectations are about them */
    size_t n_asked;
    const struct table_wish *wish; /* NULL: none */
};

struct table_cell {
    struct estimate value;  /* .value NaN: a run has no such number */
    struct estimate change; /* against the baseline; .value NaN: of the baseline itself, or one has no number */
    enum claim_form form; /* of the change: FORM_CHANGE; FORM_DIFFERENCE of shares, plain numbers and changes from 0 */
    bool is_best;
};

struct table_row {
    const json_t *name;         /* value of `key`; NULL: the runs do not have it */
    const json_t *first;        /* settings of the first run */
    size_t group, baseline;     /* indices into table.group, and table.row; `baseline` may be the row itself */
    uint32_t n, n_missing;      /* runs with a result, and those without or with a failed one */
    struct missing_flows flows; /* flows that the values lack */
    bool is_free;               /* digests differ between the runs */
    struct table_cell *cell;    /* [n_columns] */
    const json_t **seed;        /* [n] run.seed of each run; an element may be NULL */
    double *value;              /* [n][n_columns] */
};

struct table_group {
    json_t *settings; /* without `key` and run.seed */
    size_t first, n;  /* its rows stand side by side */
};

struct table {
    const char *key;
    struct metric_columns columns, further;
    struct metric_columns empty; /* columns that the wish names, and no row has a value of */
    struct table_row *row;       /* [n_rows], group by group, those of a group in the order of their first runs */
    size_t n_rows;
    struct table_group *group; /* [n_groups], in the order of their first runs */
    size_t n_groups;
    bool asks_baseline;  /* the reader asks for a baseline */
    bool lacks_baseline; /* the baseline that is asked for is no row of the table */
};

/* Returns the table of n runs; table_free frees it. */
struct table *table_make(const struct table_run *run, size_t n, const struct table_request *q);
void table_free(struct table *t);

/* Returns false after filling *d with the names of the rows if the wish names a baseline that is no row. */
bool table_baseline_check(const struct table *t, const struct table_wish *wish, struct diag *d);

/* Returns the change of a column from row `baseline` to row `row`, as a figure of the form that *form gets. It is
 * over the seeds that both rows have, in pairs, so a row that lacks runs is not compared with runs that it does not have; without
 * a common seed it is that of the means. It has no interval then, or if neither row is free. */
struct estimate table_compare(const struct table *t, size_t row, size_t baseline, size_t column, enum claim_form *form);

/* Returns whether a row has a value other than 0 in the column. */
bool table_uses(const struct table *t, size_t column);
/* Returns whether any row of the group has a run with a result. */
bool table_group_has_runs(const struct table *t, size_t group);
/* Returns whether any row of the table has an interval. */
bool table_has_intervals(const struct table *t);
/* Returns the largest number of runs of a row. */
uint32_t table_most_runs(const struct table *t);

/* Writes the name of a row: "ecmp"; with the settings of its group if there are several groups: "ecmp, load 0.5". */
void table_row_text(const struct table *t, size_t row, char *buf, size_t size);

/* Returns what the table is about, in a few words: "flow completion times", "query completion times", "goodput". */
const char *table_subject(const struct table *t);
/* Returns the notes: "Times are flow completion times; mice are under 100 KB." The caller frees them; "" if there is
 * nothing to explain. */
char *table_notes(const struct metric_columns *c);

#endif
