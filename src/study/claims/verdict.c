/* SPDX-License-Identifier: Apache-2.0 */
#include "study/claims/verdict.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *word, *recorded;
} verdicts[] = {
    [VERDICT_HOLDS] = {"holds", "true"},
    [VERDICT_ROUGHLY] = {"roughly", "roughly"},
    [VERDICT_FAILS] = {"does not hold", "false"},
    [VERDICT_UNDECIDED] = {"not decided", "undecided"},
    [VERDICT_UNMEASURED] = {"not measurable", "unmeasured"},
};

static enum verdict met_word(bool met, bool roughly) {
    return !met ? VERDICT_FAILS : roughly ? VERDICT_ROUGHLY : VERDICT_HOLDS;
}

enum verdict verdict_of(const struct estimate *e, double low, double high, bool roughly) {
    if (isnan(e->value)) return VERDICT_UNMEASURED;
    if (isnan(e->standard_error)) return VERDICT_UNDECIDED;
    double distance = fmin(fabs(e->value - low), fabs(e->value - high));
    if (e->standard_error * e->widening > distance / 3) return VERDICT_UNDECIDED;
    return met_word(e->value >= low && e->value <= high, roughly);
}

enum verdict verdict_of_every(bool measured, bool all_met, bool roughly) {
    return measured ? met_word(all_met, roughly) : VERDICT_UNMEASURED;
}

const char *verdict_word(enum verdict v) { return verdicts[v].word; }

bool verdict_read(const char *word, enum verdict *v) {
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        *v = (enum verdict)i;
        if (strcmp(verdicts[i].word, word) == 0) return true;
    }
    return false;
}

bool verdict_recorded(const char *text, enum verdict *v) {
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        *v = (enum verdict)i;
        if (strcmp(verdicts[i].recorded, text) == 0) return true;
    }
    return false;
}

bool verdict_is_as(enum verdict outcome, enum verdict recorded) {
    bool met = outcome == VERDICT_HOLDS || outcome == VERDICT_ROUGHLY;
    return outcome == recorded || (met && (recorded == VERDICT_HOLDS || recorded == VERDICT_ROUGHLY));
}
