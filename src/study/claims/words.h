/* SPDX-License-Identifier: Apache-2.0 */
/* An outcome of a claim as people read it, whether it was just evaluated or comes from a store: one form for the
 * closing table of `heddle run`, for `heddle report --text` and for the page. */
#ifndef HEDDLE_STUDY_CLAIMS_WORDS_H
#define HEDDLE_STUDY_CLAIMS_WORDS_H

#include "study/claims/reason.h"

struct claim_words {
    const char *claim, *metric;
    enum claim_form form;
    const json_t *subject, *against, *than, *place; /* settings; NULL: none */
    double measured;                                /* NaN: nothing */
    double standard_error, interval_low, interval_high;
    double low, high; /* claimed; infinite: open */
    uint32_t n_seeds, n_missing;
    bool no_freedom; /* several seeds, but one run */
    bool older;      /* nothing is measured because the results are older than the metric */
    enum verdict verdict;
    const char *reason;   /* NULL or "": none */
    const char *recorded; /* word of the recorded verdict; NULL: nothing is recorded */
    bool as_recorded;
    bool is_news; /* the verdict differs from what was expected */
};

/* Fills *w from an outcome, whose texts it keeps; the reason is written into `reason`. */
void claim_words_of(const struct claim_outcome *o, struct claim_words *w, char reason[REASON_MAX]);

/* ---- figures ---- */

/* Returns the measured figure as people read it: its interval without rounding alone, and not where the figure cannot be. */
struct estimate claim_shown(const struct claim_words *w);
/* Writes a value: changes are in percent, an infinite one is "any", NaN "none". */
void claim_number_text(const struct claim_words *w, double value, char *buf, size_t size);
/* Writes the measured value with its interval: "-32.8% (95 % interval -35.5% to -30.1%, 20 seeds)". */
void claim_measured_text(const struct claim_words *w, char *buf, size_t size);
/* Writes the claimed range: "-50.0% to -20.0%", "at least +3.0%", "at most 0%", "anything". */
void claim_range_text(const struct claim_words *w, char *buf, size_t size);

/* ---- verdicts ---- */

/* Writes "not decided (one seed), as recorded"; `shouts`: news that hold, or do not, stand in capitals. */
void claim_outcome_text(const struct claim_words *w, bool shouts, char *buf, size_t size);

/* Returns whether a verdict says that the claim is met (1), that it is not (-1), or neither (0). */
int verdict_sign(enum verdict v);

/* Numbers of outcomes. */
struct claim_counts {
    size_t all, of[VERDICT_UNMEASURED + 1];
    size_t recorded,
        news; /* claims with a recorded verdict, and those of them that came out differently with all their runs */
    size_t missing; /* claims that lack runs */
};
void claim_count(struct claim_counts *n, const struct claim_words *w);
/* Writes "2 hold, 1 holds roughly, 1 is not decided; 1 other than recorded; runs are missing for 1". */
void claim_counts_text(const struct claim_counts *n, char *buf, size_t size);

#endif
