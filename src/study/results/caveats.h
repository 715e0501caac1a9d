/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings that belong to the numbers of results: flows that are missing from them, flows that had not started, and runs
 * that had not settled. Runs that failed have a reason of their own. The warnings are made from --json objects, so that
 * stored results get the same warnings as new ones. */
#ifndef HEDDLE_STUDY_RESULTS_CAVEATS_H
#define HEDDLE_STUDY_RESULTS_CAVEATS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Flows of a run that count for its times: all (`of`), and those missing because they had not finished; and flows of any kind
 * that had not started. */
struct missing_flows {
    uint64_t missing, of, not_started;
};
/* Returns the flows of a result; 0 of 0 if it lacks the keys (an older store). */
struct missing_flows missing_flows_of(const json_t *result);
/* Adds the flows of another result. */
void missing_flows_add(struct missing_flows *m, const json_t *result);

/* Writes "17 of 43 flows had not finished, 2 had not started", either part of it, or "" if none is missing. Returns buf. */
const char *missing_flows_text(struct missing_flows m, char *buf, size_t size);

/* Prints at most one warning of each kind over all n results; result[i] may be NULL. */
void caveats_warn(json_t *const *result, size_t n, const char *file, FILE *out);

#endif
