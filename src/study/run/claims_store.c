/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/claims_store.h"

#include "base/memory.h"
#include "study/claims/reason.h"
#include "study/results/json_out.h"

#include <math.h>
#include <stdlib.h>

bool claims_store(struct store *s, int64_t experiment, const struct claim_outcome *o, size_t n, struct diag *d) {
    struct stored_claim *c = memory_get(n + 1, sizeof *c);
    char(*reason)[REASON_MAX] = memory_get(n + 1, sizeof *reason);
    for (size_t i = 0; i < n; i++) {
        const struct expectation *x = o[i].expectation;
        c[i] = (struct stored_claim){.claim = x->claim,
                                     .metric = x->metric,
                                     .form = form_word(x->form),
                                     .note = o[i].known ? o[i].known->note : NULL,
                                     .place = json_text(o[i].where),
                                     .subject = json_text(x->of),
                                     .against = json_object_size(x->against) ? json_text(x->against) : NULL,
                                     .than = json_object_size(x->than) ? json_text(x->than) : NULL,
                                     .roughly = x->roughly,
                                     .paper = x->paper,
                                     .verdict = verdict_word(o[i].verdict),
                                     .recorded = claim_recorded_word(&o[i]),
                                     .reason = claim_reason(&o[i], reason[i])[0] ? reason[i] : NULL,
                                     .as_recorded = o[i].as_recorded,
                                     .every = x->every,
                                     .standard_error = o[i].standard_error,
                                     .interval_low = o[i].interval_low,
                                     .interval_high = o[i].interval_high,
                                     .n_seeds = o[i].n_seeds,
                                     .n_missing = o[i].n_missing,
                                     .measured = o[i].measured,
                                     .spread = o[i].no_freedom ? NAN : o[i].spread,
                                     .low = x->low,
                                     .high = x->high,
                                     .met = o[i].met,
                                     .expected = verdict_is_as(o[i].recorded, VERDICT_HOLDS)};
    }
    bool ok = store_claims(s, experiment, c, n, d);
    for (size_t i = 0; i < n; i++) {
        free(c[i].place);
        free(c[i].subject);
        free(c[i].against);
        free(c[i].than);
    }
    free(c);
    free(reason);
    return ok;
}
