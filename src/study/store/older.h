/* SPDX-License-Identifier: Apache-2.0 */
/* Stored results that are older than a metric that a command asks for.
 *
 * A store keeps its results when the program learns to measure more. An older result has no number for the new metric,
 * and only a new run can give one. Each result carries the version of the table of metrics that wrote it
 * (study/metrics/metrics.h). With that version a command tells a result that is too old from a metric without a value.
 * `heddle run --renew` repeats the runs whose results lack any metric.
 */
#ifndef HEDDLE_STUDY_STORE_OLDER_H
#define HEDDLE_STUDY_STORE_OLDER_H

#include "study/claims/expect.h"
#include "study/store/store_reader.h"

#include <stdio.h>

struct older {
    size_t runs, of;    /* number of results that lack a metric, and of all results */
    const char *metric; /* the first metric that is lacking; NULL: none is */
    size_t n_metrics;   /* number of lacking metrics */
};

/* Looks for `n_metrics` metrics in `n` results. A NULL result counts as none. */
struct older older_find(json_t *const *result, size_t n, const char *const *metric, size_t n_metrics);

/* The command line that asked for an experiment. */
struct again {
    const char *file, *profile; /* profile: NULL = none */
    const json_t *set;          /* texts of --set in their order; NULL: not known */
    const char *store;
};

/* Writes the warning into `buf`: "4 of 6 runs in x.db were stored before fct_us.mice.min was measured; to run them
 * again: heddle run x.yaml -o x.db --renew". Writes "" if no result lacks a metric. Returns `buf`. */
const char *older_text(const struct older *o, const struct again *a, char *buf, size_t size);

/* Prints a line "FILE: warning: ..." if results lack metrics of the expectations or of the closing table. Returns true
 * if an expectation lacks its metric. result[i] belongs to run i; NULL: the run has no result. */
bool older_warn(const struct experiment *e, json_t *const *result, const struct claim_outcome *outcome, size_t n,
                const char *store, FILE *out);

/* Looks for the metrics in the finished runs of a stored experiment. */
struct older older_in_store(const struct store_reader *r, size_t experiment, const char *const *metric,
                            size_t n_metrics);
/* Writes the warning of older_text with the command that last ran the experiment. Returns `buf`. */
const char *older_text_of_store(const struct older *o, const struct store_reader *r, size_t experiment, char *buf,
                                size_t size);
/* Returns true if the claim has no measured value because results are older than its metric. */
bool claim_is_older(const struct store_reader *r, const struct claim_row *claim);

/* Returns true if the result of a run lacks a metric that every new result has. */
bool result_is_older(const json_t *result);

#endif
