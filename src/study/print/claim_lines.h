/* SPDX-License-Identifier: Apache-2.0 */
/* Prints outcomes of claims as lines: below the table of `heddle run`, and of `heddle report --text`.
 *
 *    claims: 1 hold
 *      mice-sooner, expeditus against ecmp: holds; fct_us.mice.p95: -56.7% (95 % interval
 *        -65.3% to -48.2%, 3 seeds), claimed at most -20.0%
 *
 * Four and more places of one claim with the same outcome share a line, with the least and the largest figure:
 *
 *      DT-F3.1, host.min_rto 10ms, at all 10 places (host.window 3, 10; fabric.hosts 8, 16, 24, 32, 48): holds;
 *        packets.retransmitted: 0, claimed 0 to 0
 *
 * A place where a claim does not hold has a line of its own, unless the claim holds nowhere.
 */
#ifndef HEDDLE_STUDY_PRINT_CLAIM_LINES_H
#define HEDDLE_STUDY_PRINT_CLAIM_LINES_H

#include "study/claims/words.h"

#include <stdio.h>

/* Prints how many of n outcomes have which verdict, and each outcome; nothing if n is 0. `shouts`: news stand in capitals. */
void claim_lines_print(const struct claim_words *w, size_t n, bool shouts, int width, FILE *out);

#endif
