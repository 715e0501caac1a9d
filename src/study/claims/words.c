/* SPDX-License-Identifier: Apache-2.0 */
#include "study/claims/words.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void claim_words_of(const struct claim_outcome *o, struct claim_words *w, char reason[REASON_MAX]) {
    const struct expectation *x = o->expectation;
    *w = (struct claim_words){.claim = x->claim,
                              .metric = x->metric,
                              .form = x->form,
                              .subject = x->of,
                              .against = x->against,
                              .than = x->than,
                              .place = o->where,
                              .measured = o->measured,
                              .standard_error = o->standard_error,
                              .interval_low = o->interval_low,
                              .interval_high = o->interval_high,
                              .low = x->low,
                              .high = x->high,
                              .n_seeds = o->n_seeds,
                              .n_missing = o->n_missing,
                              .no_freedom = o->no_freedom,
                              .older = o->older,
                              .verdict = o->verdict,
                              .reason = claim_reason(o, reason),
                              .recorded = claim_recorded_word(o),
                              .as_recorded = o->as_recorded,
                              .is_news = o->is_news};
}

/* ---- figures ---- */

void claim_number_text(const struct claim_words *w, enum claim_style s, double value, char *buf, size_t size) {
    if (!isfinite(value))
        snprintf(buf, size, "%s", isnan(value) ? "none" : "any");
    else if (w->form == FORM_CHANGE)
        snprintf(buf, size, s == CLAIM_SHORT ? "%+.1f %%" : "%+.1f%%", value * 100);
    else
        snprintf(buf, size, "%.4g", value);
}

/* Writes " +-2.7 (20)": the half-width of the interval, without its unit, and the number of seeds. */
static void half_width_text(const struct claim_words *w, char *buf, size_t size) {
    char half[32];
    claim_number_text(w, CLAIM_SHORT, w->interval_high - w->measured, half, sizeof half);
    half[strcspn(half, " ")] = '\0';
    snprintf(buf, size, " +-%s (%u)", half + (half[0] == '+'), w->n_seeds);
}

static void measured_short(const struct claim_words *w, char *buf, size_t size) {
    claim_number_text(w, CLAIM_SHORT, w->measured, buf, size);
    size_t used = strlen(buf);
    if (w->older) snprintf(buf, size, "older results");
    if (isnan(w->measured)) return;
    if (isnan(w->standard_error))
        snprintf(buf + used, size - used, w->no_freedom ? " no freedom (%u)" : " one seed", w->n_seeds);
    else
        half_width_text(w, buf + used, size - used);
}

static void measured_long(const struct claim_words *w, char *buf, size_t size) {
    char low[32], high[32], measured[32];
    bool has_reason = w->reason && w->reason[0];
    claim_number_text(w, CLAIM_LONG, w->measured, measured, sizeof measured);
    claim_number_text(w, CLAIM_LONG, w->interval_low, low, sizeof low);
    claim_number_text(w, CLAIM_LONG, w->interval_high, high, sizeof high);
    if (isnan(w->measured))
        snprintf(buf, size, "nothing%s", w->older && !has_reason ? " (the results are older than the metric)" : "");
    else if (isnan(w->standard_error))
        snprintf(buf, size, "%s (%s)", measured, w->n_seeds == 1 ? "one seed" : "no interval");
    else
        snprintf(buf, size, "%s (95 %% interval %s to %s, %u seeds)", measured, low, high, w->n_seeds);
}

void claim_measured_text(const struct claim_words *w, enum claim_style s, char *buf, size_t size) {
    if (s == CLAIM_SHORT)
        measured_short(w, buf, size);
    else
        measured_long(w, buf, size);
}

void claim_range_text(const struct claim_words *w, enum claim_style s, char *buf, size_t size) {
    char low[32], high[32];
    claim_number_text(w, s, w->low, low, sizeof low);
    claim_number_text(w, s, w->high, high, sizeof high);
    snprintf(buf, size, "%s %s %s", low, s == CLAIM_SHORT ? ".." : "to", high);
}

/* ---- verdicts ---- */

void claim_outcome_text(const struct claim_words *w, bool shouts, char *buf, size_t size) {
    const char *word = verdict_word(w->verdict);
    outcome_text(word, w->reason, w->n_missing ? NULL : w->recorded, w->as_recorded, buf, size);
    if (!shouts || !w->is_news || w->n_missing) return;
    for (size_t i = 0; i < strlen(word) && buf[i]; i++) buf[i] = (char)toupper((unsigned char)buf[i]);
}

int verdict_sign(enum verdict v) {
    return v == VERDICT_HOLDS || v == VERDICT_ROUGHLY ? 1 : v == VERDICT_FAILS ? -1 : 0;
}

void claim_count(struct claim_counts *n, const struct claim_words *w) {
    n->all++;
    n->of[w->verdict]++;
    n->missing += w->n_missing > 0;
    n->recorded += w->recorded != NULL;
    n->news += w->recorded && !w->as_recorded && w->n_missing == 0;
}

void claim_counts_text(const struct claim_counts *n, char *buf, size_t size) {
    static const char *const words[] = {[VERDICT_HOLDS] = "hold",
                                        [VERDICT_ROUGHLY] = "hold roughly",
                                        [VERDICT_FAILS] = "do not hold",
                                        [VERDICT_UNDECIDED] = "are not decided",
                                        [VERDICT_UNMEASURED] = "are not measurable"};
    size_t used = 0;
    for (size_t v = 0; v <= VERDICT_UNMEASURED && used < size; v++) {
        if (v == VERDICT_HOLDS || n->of[v])
            used += (size_t)snprintf(buf + used, size - used, "%s%zu %s", used ? ", " : "", n->of[v], words[v]);
    }
    if (n->recorded && used < size)
        used += (size_t)snprintf(buf + used, size - used, "; %zu other than recorded", n->news);
    if (n->missing && used < size) snprintf(buf + used, size - used, "; runs are missing for %zu", n->missing);
}
