/* SPDX-License-Identifier: Apache-2.0 */
/* `heddle export RESULTS.db... --csv DIR`: stores as plain tables, for pandas, R, a spreadsheet or gnuplot.
 *
 * Writes one file per table that has rows: experiments.csv, runs.csv, claims.csv, and the tables of docs/store.md
 * (flows.csv ...). runs.csv has a row for each run: its number, status and version, a column for each swept key
 * ("workload.0.load"), and every number of its --json object under its path ("fct_us.mice.p95"). metrics.csv gives
 * unit, direction, label and meaning of these columns. Rows of the other tables begin with `experiment` and `run`, the
 * number of the run. Runs that the experiment no longer contains are left out. With several stores each file has the
 * rows of all stores, and each row begins with the name of its store, in the column `store`. Columns are named as in
 * the store, with their unit in the name: start_ps, sent_bytes.
 *
 * Quotes as in RFC 4180, a header row, lines end in LF; an empty field is null. A file is written whole or not at all.
 * Rows are streamed: memory does not depend on their number.
 */
#ifndef HEDDLE_STUDY_PRINT_EXPORT_H
#define HEDDLE_STUDY_PRINT_EXPORT_H

#include "study/store/store_reader.h"

struct export_request {
    const char *dir; /* made if it is missing */
    bool force;      /* replaces existing files; without it nothing is written if one of them exists */
    void (*made)(const char *path, int64_t rows);
};

/* Writes the tables of `n` stores into one set of files. Returns false after filling *d: a store has no finished run,
 * or a file exists already or cannot be written. */
bool export_csv(const struct store_reader *const *store, size_t n, const struct export_request *q, struct diag *d);

#endif
