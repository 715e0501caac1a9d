/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings about what happened in runs: pause storms, rings of paused ports, rounds that overlapped, queues beyond their bounds.
 * Runs of one experiment mostly deserve the same, so each kind is printed once, after all runs: with the figures of the first run
 * that deserves it, and the number of the others. */
#ifndef HEDDLE_STUDY_RUN_RUN_WARNINGS_H
#define HEDDLE_STUDY_RUN_RUN_WARNINGS_H

#include "study/results/outcome.h"

#include <stdio.h>

#define RUN_WARNING_KINDS 4

struct run_warnings {
    struct run_warning {
        char *lines; /* of the run with the lowest number; NULL: no run deserves it */
        uint32_t run, n_runs;
    } kind[RUN_WARNING_KINDS];
};

/* Takes in the outcome of a run; outcomes may come in any order. */
void run_warnings_add(struct run_warnings *w, const struct outcome *o, const char *file, uint32_t run);
/* Prints a warning of each kind that some run deserves, then frees what *w has. */
void run_warnings_print(struct run_warnings *w, const char *file, FILE *out);

#endif
