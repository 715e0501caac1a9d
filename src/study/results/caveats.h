/* SPDX-License-Identifier: Apache-2.0 */
/* What a reader of results must know beside their numbers: flows that are missing from them, and runs that had not
 * settled. Read from the --json objects, so that runs from a store are told of like runs of today. */
#ifndef HEDDLE_STUDY_RESULTS_CAVEATS_H
#define HEDDLE_STUDY_RESULTS_CAVEATS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Flows that count for a run's times, and those of them that are missing because they had not finished. */
struct missing_flows {
    uint64_t missing, of;
};
/* All 0 for a result without those keys (an older store's). */
struct missing_flows missing_flows_of(const json_t *result);

/* "17 of 43 flows had not finished" into buf, which is returned; "" if none is missing. */
const char *missing_flows_text(struct missing_flows m, char *buf, size_t size);

/* At most one warning of each kind over all n results (NULL: none), whatever their number. */
void caveats_warn(json_t *const *result, size_t n, const char *file, FILE *out);

#endif
