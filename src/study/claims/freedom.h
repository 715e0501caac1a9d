/* SPDX-License-Identifier: Apache-2.0 */
/* Tells whether the seed changed anything (AM-33).
 *
 * Runs that differ only in run.seed and have equal digests are one and the same run, however many seeds there are:
 * nothing was drawn and no two frames tied. Their spread is not zero; it does not exist ("no freedom").
 */
#ifndef HEDDLE_STUDY_CLAIMS_FREEDOM_H
#define HEDDLE_STUDY_CLAIMS_FREEDOM_H

#include "study/experiment/experiment.h"

#include <stdio.h>

struct freedom {
    size_t groups;  /* sets of runs that differ only in the seed, with results of at least two seeds */
    size_t without; /* groups in which all digests are equal */
    size_t first;   /* index of the first run of the first such group */
};

/* Returns the groups of the runs that have results; result[i] is NULL for a run without one. */
struct freedom freedom_of(const struct experiment *e, json_t *const *result);

/* Returns true if run `run` has a group of at least two results, and all of them have its digest. */
bool freedom_is_missing(const struct experiment *e, json_t *const *result, size_t run);

/* Prints a line "FILE: warning: ..." with the reason if there are groups without freedom. */
void freedom_warn(const struct experiment *e, json_t *const *result, FILE *out);

#endif
