/* Expectations: claims about the results, as an experiment file states them.
 *
 * A claim measures a number of the --json object (`metric`) in the runs that `of` names, by itself (value) or compared
 * with the runs that differ from them as `against` says: change (of - against) / against, ratio of / against,
 * difference of - against. `each` makes one outcome for every value of its keys. Every pair of runs with the same seed
 * gives one number; `measured` is their mean and `spread` the largest less the smallest. The claim is met when low <=
 * measured <= high. It is null, and unmet, when a run is missing, failed or has unfinished flows, or the class is
 * empty.
 *
 * `known` records that a claim does not hold, or where: an outcome as recorded is no news.
 */
#ifndef HEDDLE_STUDY_EXPECT_H
#define HEDDLE_STUDY_EXPECT_H

#include "study/experiment.h"

enum claim_form { FORM_CHANGE, FORM_VALUE, FORM_RATIO, FORM_DIFFERENCE };

struct known {
    json_t *where; /* {} = everywhere */
    bool holds, has_range;
    double low, high; /* -+HUGE_VAL = open */
    const char *note;
};

struct expectation {
    const char *claim, *metric;
    enum claim_form form;
    double low, high;
    json_t *of, *against; /* {KEY: value as in settings} */
    json_t *each;         /* {KEY: [values] or null = all} */
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
    double measured, spread; /* NaN = null */
    bool met;
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

/* Is `path` a number of some run's result (classes may be swept)? Counters are known only after a run. `n` is where it
 * is named; false after filling *d. */
bool metric_check(const struct experiment *e, const char *path, const struct tree_node *n, struct diag *d);

/* One line of --json. */
json_t *claim_json(const struct claim_outcome *o);
const char *form_word(enum claim_form form);

#endif
