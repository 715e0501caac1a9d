/* SPDX-License-Identifier: Apache-2.0 */
/* Stored results that are older than a metric that is asked of them.
 *
 * A store keeps its results when the program learns to measure more. Such a result has no number for the new metric,
 * which says nothing about the run: it must be run again. Results carry the version of the table of metrics that wrote
 * them (study/metrics/metrics.h), so this is told from a number that is null. `heddle run --renew` runs again the runs
 * whose results lack any metric.
 */
#ifndef HEDDLE_STUDY_STORE_OLDER_H
#define HEDDLE_STUDY_STORE_OLDER_H

#include "study/claims/expect.h"
#include "study/store/store_reader.h"

#include <stdio.h>

struct older {
    size_t runs, of;    /* results that lack a metric, of all results */
    const char *metric; /* the first that is lacking; NULL: none is */
    size_t n_metrics;   /* that are lacking */
};

/* Looks for `n_metrics` metrics in `n` results; a result that is NULL counts as none. */
struct older older_find(json_t *const *result, size_t n, const char *const *metric, size_t n_metrics);

/* How an experiment was asked for. */
struct again {
    const char *file, *profile; /* profile: NULL = none */
    const json_t *set;          /* what --set said, in its order; NULL: not known */
    const char *store;
};

/* Writes into buf, which is returned: "4 of 6 runs in x.db were stored before fct_us.mice.min was measured; to run them
 * again: heddle run x.yaml -o x.db --renew". "" if nothing is lacking. */
const char *older_text(const struct older *o, const struct again *a, char *buf, size_t size);

/* Prints a line "FILE: warning: ..." if the results lack what the expectations or the closing table ask. Returns true
 * if an expectation lacks it. result[i] is that of run i, NULL if there is none. */
bool older_warn(const struct experiment *e, json_t *const *result, const struct claim_outcome *outcome, size_t n,
                const char *store, FILE *out);

/* The same for the finished runs of an experiment in a store. */
struct older older_in_store(const struct store_reader *r, size_t experiment, const char *const *metric,
                            size_t n_metrics);
/* Writes what older_text does, with the command by which the experiment was run last; into buf, which is returned. */
const char *older_text_of_store(const struct older *o, const struct store_reader *r, size_t experiment, char *buf,
                                size_t size);
/* Is nothing measured for this claim because stored results are older than its metric? */
bool claim_is_older(const struct store_reader *r, const struct claim_row *claim);

/* Does the result of a run lack any metric that every result has now? */
bool result_is_older(const json_t *result);

#endif
