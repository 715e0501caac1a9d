/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of an estimate about a claimed range (AM-27, AM-31).
 *
 * A claim holds if the value lies in the range, or holds roughly if that range is wider than the paper's own number. It
 * does not hold if the value lies outside. It is not decided if there is only one seed, or if the standard error is
 * more than a third of the distance from the value to the nearest bound. The best of several places has its standard error widened
 * (study/claims/estimate.h).
 */
#ifndef HEDDLE_STUDY_CLAIMS_VERDICT_H
#define HEDDLE_STUDY_CLAIMS_VERDICT_H

#include "study/claims/estimate.h"

enum verdict { VERDICT_HOLDS, VERDICT_ROUGHLY, VERDICT_FAILS, VERDICT_UNDECIDED, VERDICT_UNMEASURED };

/* Returns the verdict about low <= value <= high; an infinite bound is no bound. `roughly`: the range is wider than the
 * paper's number. */
enum verdict verdict_of(const struct estimate *e, double low, double high, bool roughly);
/* Returns the verdict about a claim that every run must meet; it needs no standard error. */
enum verdict verdict_of_every(bool measured, bool all_met, bool roughly);

/* Returns "holds", "roughly", "does not hold", "not decided" or "not measurable", as in --json, stores and tables. */
const char *verdict_word(enum verdict v);
/* Sets *v from such a word, as in records. False for other words. */
bool verdict_read(const char *word, enum verdict *v);
/* Sets *v from the word of an experiment file: true, roughly, false, undecided, unmeasured. False for other words. */
bool verdict_recorded(const char *text, enum verdict *v);
/* Returns whether the outcome is the recorded one. `true` and `roughly` count as equal: the value is in the range. */
bool verdict_is_as(enum verdict outcome, enum verdict recorded);

#endif
