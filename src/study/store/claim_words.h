/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a stored outcome (study/claims/words.h). */
#ifndef HEDDLE_STUDY_STORE_CLAIM_WORDS_H
#define HEDDLE_STUDY_STORE_CLAIM_WORDS_H

#include "study/claims/words.h"
#include "study/store/store_reader.h"

/* Fills *w from a row of the store, whose texts it keeps. */
void claim_words_stored(const struct store_reader *r, const struct claim_row *c, struct claim_words *w);

#endif
