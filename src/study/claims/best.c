/* SPDX-License-Identifier: Apache-2.0 */
#include "study/claims/best.h"

#include <math.h>

static bool is_good(const struct claim_outcome *o) {
    return o->verdict == VERDICT_HOLDS || o->verdict == VERDICT_ROUGHLY;
}

/* The open end of the range says what is better: with a highest bound alone, less. */
static bool is_better(const struct claim_outcome *a, const struct claim_outcome *b) {
    if (isnan(a->measured) || isnan(b->measured)) return isnan(b->measured) && !isnan(a->measured);
    return isfinite(a->expectation->high) ? a->measured < b->measured : a->measured > b->measured;
}

static size_t count(const struct claim_outcome *o, size_t n, enum verdict verdict) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++) found += o[i].verdict == verdict;
    return found;
}

/* Returns the outcome with the best figure, of the good ones if there are any. */
static const struct claim_outcome *best_of(const struct claim_outcome *o, size_t n) {
    const struct claim_outcome *best = &o[0];
    for (size_t i = 1; i < n; i++) {
        bool same = is_good(&o[i]) == is_good(best);
        if (same ? is_better(&o[i], best) : is_good(&o[i])) best = &o[i];
    }
    return best;
}

struct claim_outcome best_outcome(const struct claim_outcome *o, size_t n) {
    if (n == 0) return (struct claim_outcome){.n_seeds = 0};
    struct claim_outcome best = *best_of(o, n);
    best.n_runs = best.n_missing = 0;
    for (size_t i = 0; i < n; i++) {
        best.n_runs += o[i].n_runs;
        best.n_missing += o[i].n_missing;
    }
    if (is_good(&best)) return best;
    size_t fails = count(o, n, VERDICT_FAILS), unmeasured = count(o, n, VERDICT_UNMEASURED);
    best.verdict = fails == n ? VERDICT_FAILS : unmeasured == n ? VERDICT_UNMEASURED : VERDICT_UNDECIDED;
    return best;
}
