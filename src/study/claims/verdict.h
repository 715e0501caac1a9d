/* SPDX-License-Identifier: Apache-2.0 */
/* What an estimate says about a claimed range (CLAIMS AM-27, AM-31).
 *
 * A claim holds when the value lies in the range, roughly when the range is wider than the paper's own number, and does
 * not hold when the value lies outside. None of these is said while the standard error is more than a third of the
 * distance from the value to the nearest bound: then, and with one seed only, the claim is not decided.
 */
#ifndef HEDDLE_STUDY_CLAIMS_VERDICT_H
#define HEDDLE_STUDY_CLAIMS_VERDICT_H

#include "study/claims/estimate.h"

enum verdict { VERDICT_HOLDS, VERDICT_ROUGHLY, VERDICT_FAILS, VERDICT_UNDECIDED, VERDICT_UNMEASURED };

/* The verdict about low <= value <= high; an infinite bound is no bound. `roughly`: the range is wider than the
 * paper's number. */
enum verdict verdict_of(const struct estimate *e, double low, double high, bool roughly);
/* The verdict about a claim that every one of the runs must meet: it needs no standard error. */
enum verdict verdict_of_every(bool measured, bool all_met, bool roughly);

/* "holds", "roughly", "does not hold", "not decided", "not measurable": in --json, stores and tables. */
const char *verdict_word(enum verdict v);
/* From the word of an experiment file: true, roughly, false, undecided, unmeasured. False if it is none of them. */
bool verdict_recorded(const char *text, enum verdict *v);
/* Is the outcome the recorded one? A range that was met is both `true` and `roughly`. */
bool verdict_is_as(enum verdict outcome, enum verdict recorded);

#endif
