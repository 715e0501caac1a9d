/* SPDX-License-Identifier: Apache-2.0 */
#include "study/store/claim_words.h"

#include "study/store/older.h"

#include <math.h>
#include <string.h>

void claim_words_stored(const struct store_reader *r, const struct claim_row *c, struct claim_words *w) {
    *w = (struct claim_words){.claim = c->claim,
                              .metric = c->metric,
                              .form = strcmp(c->form, form_word(FORM_CHANGE)) == 0 ? FORM_CHANGE : FORM_VALUE,
                              .subject = c->subject,
                              .against = c->against,
                              .than = c->than,
                              .place = c->place,
                              .measured = c->measured,
                              .standard_error = c->standard_error,
                              .interval_low = c->interval_low,
                              .interval_high = c->interval_high,
                              .low = isnan(c->low) ? -INFINITY : c->low,
                              .high = isnan(c->high) ? INFINITY : c->high,
                              .n_seeds = c->n_seeds,
                              .n_missing = c->n_missing,
                              .older = claim_is_older(r, c),
                              .reason = c->reason,
                              .recorded = c->recorded,
                              .as_recorded = c->as_recorded};
    verdict_read(c->verdict, &w->verdict);
}
