/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the runs of two results stores.
 *
 * Runs are paired by identity (study/experiment/experiment.h): two runs of one identity should have the same result, on any
 * machine and with any number of threads. A pair differs if only one of the runs is done, or if a metric differs. Metrics
 * of time and memory differ from machine to machine and are not compared (metric.varies); neither is a metric that one of
 * the two stores is too old to have.
 *
 *    only in old.db: first 4 (scheme dctcp, run.seed 2)
 *    differs: first 1 (scheme ecmp, run.seed 1): 37 metrics, the digest among them
 *      fct_us.all.mean: 149.573, 151.2 (+1.09 %)
 *      ...
 *    16 runs the same, 1 different, 1 only in old.db, 0 only in new.db
 *
 * As JSON each line is an object; those of runs have "state", the last one has the numbers:
 *
 *    {"state":"only","in":"old.db","experiment":"first","run":4,"settings":{...},"namesake":{"run":4,"keys":{PATH:[a, b]}}}
 *    {"state":"differs","experiment":"first","run":1,"settings":{...},"status":["done","done"],"same_digest":false,
 *     "metrics":{"fct_us.all.mean":[149.573, 151.2], ...}}
 *    {"stores":["old.db","new.db"],"same":16,"different":1,"only":[1, 0]}
 *
 * A value that one store lacks is null there.
 *
 * A run without a partner may have one of the same experiment and settings in the other store. Then the keys that differ in
 * their configurations are listed too, for the first such pair.
 */
#ifndef HEDDLE_STUDY_PRINT_DIFF_H
#define HEDDLE_STUDY_PRINT_DIFF_H

#include "study/store/store_reader.h"

#include <stdio.h>

struct diff_request {
    bool all;   /* lists all metrics that differ, not the first few of a run */
    bool quiet; /* writes the last line alone */
    bool json;  /* writes a JSON object a line, with all metrics that differ */
};

/* Numbers of identities. */
struct diff_totals {
    size_t same, different, only[2];
};

/* Writes the comparison of two stores to `out` and fills *t. */
void stores_diff(const struct store_reader *const store[2], const struct diff_request *q, struct diff_totals *t,
                 FILE *out);

static inline bool diff_is_none(const struct diff_totals *t) { return t->different + t->only[0] + t->only[1] == 0; }

#endif
