/* SPDX-License-Identifier: Apache-2.0 */
/* Errors in a user's files and commands: one line for a person, with place and remedy.
 *
 * Readers of files and builders of fabrics return false (or NULL) after filling a `struct diag`; only `cmd` prints it.
 * The packet path has no diag: it returns verdicts.
 */
#ifndef HEDDLE_BASE_DIAG_H
#define HEDDLE_BASE_DIAG_H

#include "base/types.h"

struct diag {
    char file[256]; /* "": the error is in no file */
    int line, col;  /* 1-based; 0 = unknown */
    char text[512]; /* "what is wrong; the remedy" */
};

/* Fills *d and returns false, so that `return diag_fail(...)` reads as one thought. */
bool diag_fail(struct diag *d, const char *file, int line, int col, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* Does the same for an error of a whole file, and for one that is in no file, as of a command line. */
bool diag_fail_in(struct diag *d, const char *file, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
bool diag_say(struct diag *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Writes "FILE:LINE:COL: error: TEXT" into buf, without the parts that are unknown; returns buf. */
const char *diag_line(const struct diag *d, char *buf, size_t size);
/* Writes "FILE:LINE:COL: warning: TEXT" likewise. */
const char *diag_warning(const struct diag *d, char *buf, size_t size);

/* Returns the one of n `known` names that is nearest to `word` in edit distance, or NULL if none is near. */
const char *diag_nearest(const char *word, const char *const *known, size_t n);
/* Writes "alpha, beta, ... (3 more)": as many of the names as fit, and how many do not. Returns buf. */
const char *diag_names(const char *const *name, size_t n, char *buf, size_t size);

#endif
