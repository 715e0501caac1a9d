/* SPDX-License-Identifier: Apache-2.0 */
/* Prints outcomes of claims as lines: below the table of `heddle run`, and of `heddle report --text`.
 *
 *    claims: 1 hold
 *      mice-sooner, expeditus against ecmp: holds; fct_us.mice.p95: -56.7% (95 % interval
 *        -65.3% to -48.2%, 3 seeds), claimed at most -20.0%
 */
#ifndef HEDDLE_STUDY_PRINT_CLAIM_LINES_H
#define HEDDLE_STUDY_PRINT_CLAIM_LINES_H

#include "study/claims/words.h"

#include <stdio.h>

/* Prints how many of n outcomes have which verdict, and each outcome; nothing if n is 0. `shouts`: news stand in capitals. */
void claim_lines_print(const struct claim_words *w, size_t n, bool shouts, int width, FILE *out);

#endif
