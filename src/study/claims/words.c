/* SPDX-License-Identifier: Apache-2.0 */
#include "study/claims/words.h"

#include "study/metrics/numbers.h"

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

static double size_of(double x) { return isfinite(x) ? fabs(x) : 0; }

struct estimate claim_shown(const struct claim_words *w) {
    struct estimate e = {w->measured, w->standard_error, w->interval_low, w->interval_high, w->n_seeds, 1};
    struct metric_info info;
    bool relative = w->form == FORM_CHANGE || w->form == FORM_RATIO;
    bool is_signed = (metric_describe(w->metric, &info) && info.row->is_signed) || json_object_size(w->than) > 0;
    double scale = fmax(size_of(w->measured), fmax(size_of(w->low), size_of(w->high)));
    return estimate_shown(e, relative ? fmax(scale, 1) : scale, figure_least(w->form, is_signed));
}

/* Writes a change in percent, with more decimals where little is left: "-32.8%", "-99.9953%", "+21,200.0%". */
static void change_text(double change, char *buf, size_t size) {
    char number[NUMBER_TEXT_MAX];
    double percent = change * 100, left = fabs(1 + change) * 100;
    int places = 1;
    for (double digit = 0.1; left > 0 && left < digit / 2 && places < 6; digit /= 10) places++;
    if (fabs(percent) >= 10000)
        snprintf(buf, size, "%s%s%%", percent > 0 ? "+" : "", number_plain(percent, 5, number, sizeof number));
    else
        snprintf(buf, size, "%+.*f%%", places, percent);
}

void claim_number_text(const struct claim_words *w, double value, char *buf, size_t size) {
    if (!isfinite(value))
        snprintf(buf, size, "%s", isnan(value) ? "none" : "any");
    else if (w->form == FORM_CHANGE)
        change_text(value, buf, size);
    else
        number_plain(value, 4, buf, size);
}

void claim_measured_text(const struct claim_words *w, char *buf, size_t size) {
    char low[64], high[64], measured[64];
    bool has_reason = w->reason && w->reason[0];
    struct estimate e = claim_shown(w);
    claim_number_text(w, e.low, low, sizeof low);
    claim_number_text(w, e.high, high, sizeof high);
    claim_number_text(w, e.value, measured, sizeof measured);
    if (isnan(e.value))
        snprintf(buf, size, "nothing%s", w->older && !has_reason ? " (the results are older than the metric)" : "");
    else if (isnan(e.standard_error))
        snprintf(buf, size, "%s (%s)", measured, w->n_seeds == 1 ? "one seed" : "no interval");
    else
        snprintf(buf, size, "%s (95 %% interval %s to %s, %u seeds)", measured, low, high, w->n_seeds);
}

/* Writes a finite bound; no change at all has no sign. */
static void bound_text(const struct claim_words *w, double value, char *buf, size_t size) {
    if (w->form == FORM_CHANGE && value == 0)
        snprintf(buf, size, "0%%");
    else
        claim_number_text(w, value, buf, size);
}

void claim_range_text(const struct claim_words *w, char *buf, size_t size) {
    char low[64], high[64];
    bound_text(w, w->low, low, sizeof low);
    bound_text(w, w->high, high, sizeof high);
    if (isinf(w->low) && isinf(w->high))
        snprintf(buf, size, "anything");
    else if (isinf(w->low))
        snprintf(buf, size, "at most %s", high);
    else if (isinf(w->high))
        snprintf(buf, size, "at least %s", low);
    else
        snprintf(buf, size, "%s to %s", low, high);
}

/* ---- verdicts ---- */

void claim_outcome_text(const struct claim_words *w, bool shouts, char *buf, size_t size) {
    const char *word = verdict_word(w->verdict);
    outcome_text(word, w->reason, w->n_missing ? NULL : w->recorded, w->as_recorded, buf, size);
    if (!shouts || !w->is_news || w->n_missing || verdict_sign(w->verdict) == 0) return;
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
    static const char *const words[][2] = {[VERDICT_HOLDS] = {"hold", "holds"},
                                           [VERDICT_ROUGHLY] = {"hold roughly", "holds roughly"},
                                           [VERDICT_FAILS] = {"do not hold", "does not hold"},
                                           [VERDICT_UNDECIDED] = {"are not decided", "is not decided"},
                                           [VERDICT_UNMEASURED] = {"are not measurable", "is not measurable"}};
    size_t used = 0;
    for (size_t v = 0; v <= VERDICT_UNMEASURED && used < size; v++) {
        if (v == VERDICT_HOLDS || n->of[v])
            used += (size_t)snprintf(buf + used, size - used, "%s%zu %s", used ? ", " : "", n->of[v],
                                     words[v][n->of[v] == 1]);
    }
    if (n->recorded && used < size)
        used += (size_t)snprintf(buf + used, size - used, "; %zu other than recorded", n->news);
    if (n->missing && used < size) snprintf(buf + used, size - used, "; runs are missing for %zu", n->missing);
}
