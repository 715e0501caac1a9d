/* SPDX-License-Identifier: Apache-2.0 */
/* Expectations: claims about the results, as an experiment file states them.
 *
 * A claim measures a number of the --json object (`metric`) in the runs that `of` names, by itself (value) or compared
 * with the runs that differ from them as `against` says: change (of - against) / against, ratio of / against,
 * difference of - against. `than` names other settings at which the same figure is taken: what is claimed then is how
 * much the figure is above the one there. `each` makes one outcome for every value of its keys.
 *
 * Runs with the same seed form a pair. `measured` is the figure of the means over the seeds, `spread` the largest
 * figure of a seed less the smallest; study/claims/estimate.h has the standard error and the 95 % interval, study/claims/verdict.h
 * the verdict. With `every`, each seed by itself must lie in the range. The figure is null, and not measurable, when a
 * run is missing, failed or has unfinished flows, or the class is empty. Seeds whose runs have equal digests changed
 * nothing: there is no freedom, and no standard error.
 *
 * A figure of runs that had not settled (study/results/settled.h) depends on how long they ran. The mean completion time grows
 * as the number of open flows does (Little's law: open flows = rate of arrivals x mean completion time). A side (`of` or
 * `against`) is unsettled if most of its runs had not settled; its mean may grow once more by the factor by which its
 * open flows grew over the window. The verdict is "not decided" if multiplying the means of unsettled sides by these
 * factors, each or both, would change it. An expectation with `every` judges each run as it ended.
 *
 * `known` records a verdict other than "holds", everywhere or at one place, and the range measured: an outcome as
 * recorded is no news.
 */
#ifndef HEDDLE_STUDY_CLAIMS_EXPECT_H
#define HEDDLE_STUDY_CLAIMS_EXPECT_H

#include "study/claims/verdict.h"
#include "study/experiment/experiment.h"

struct known {
    json_t *where;       /* {} = everywhere */
    const char *profile; /* for its runs only, "full": for those without a profile; NULL: all */
    enum verdict verdict;
    bool has_range;
    double low, high; /* -+HUGE_VAL = open */
    const char *note;
};

struct expectation {
    size_t entry; /* its place in the list */
    const char *claim, *metric;
    enum claim_form form;
    double low, high;
    json_t *of, *against, *than; /* {KEY: value as in settings}; of the latter two {}: none */
    json_t *each;                /* {KEY: [values] or null = all} */
    bool every;                  /* each run must lie in the range */
    const char *roughly;         /* why the range is wider than the paper's number; NULL: it is not */
    const char *paper;           /* what the paper says; may be NULL */
    struct known *known;
    size_t n_known;
    const struct tree_node *at;
};

struct expectations {
    struct expectation *item;
    size_t n;
};

struct claim_outcome {
    const struct expectation *expectation;
    json_t *where;
    uint32_t n_seeds;
    double measured, spread;                            /* NaN = null */
    double standard_error, interval_low, interval_high; /* NaN = null: one seed, or no freedom */
    bool no_freedom;                                    /* several seeds, all runs the same */
    uint32_t n_unsettled;           /* runs that had not settled, of the side that has more of them */
    double growth_low, growth_high; /* range of `measured` if unsettled sides grow on; NaN: none is unsettled */
    bool older;                     /* not measured: stored results are older than the metric */
    bool met;                       /* low <= measured <= high */
    enum verdict verdict;
    bool as_recorded;
    const struct known *known; /* NULL: none applies */
};

/* Reads and checks the `expect` block. False after filling *d. */
bool expectations_read(const struct experiment *e, struct expectations *x, struct diag *d);
void expectations_free(struct expectations *x);

/* result[i] is the --json object of run i of the experiment, NULL if there is none. Returns the outcomes, in order. */
struct claim_outcome *expectations_evaluate(const struct expectations *x, const struct experiment *e,
                                            json_t *const *result, size_t *n);
void claim_outcomes_free(struct claim_outcome *o, size_t n);

/* Returns true if the outcome could be another one once runs that had not settled do. */
bool claim_outgrown(const struct claim_outcome *o);

/* The verdict that the file records of this outcome; "holds" or "roughly" where nothing is known. */
enum verdict claim_recorded(const struct claim_outcome *o);

/* The runs that one figure is made of; SIZE_MAX where it needs none. */
struct compared_runs {
    size_t of, against, than, than_against;
};
/* Those of run i as `of`. False if one of them is not in the experiment. */
bool compared_runs(const struct expectation *x, const struct experiment *e, size_t i, struct compared_runs *c);

/* One line of --json. */
json_t *claim_json(const struct claim_outcome *o);
const char *form_word(enum claim_form form);

#endif
