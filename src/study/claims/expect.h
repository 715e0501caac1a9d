/* SPDX-License-Identifier: Apache-2.0 */
/* Expectations: claims about the results, as an experiment file states them.
 *
 * A claim measures a number of the --json object (`metric`) in the runs that `of` names. The number stands alone
 * (value), or is compared with the runs that differ from `of` by the settings in `against`: change (of - against) /
 * against, ratio of / against, difference of - against. `than` names other settings with the same figure: the claim is
 * then about the figure less the figure there; as a share, about the difference here over the difference there: "most of what
 * DeTail gains over the baseline comes from flow control" is of: flow control, against: the baseline, than: DeTail, and the share
 * (of - against) / (than - against) is over a half. A run is never compared with itself.
 *
 * `each` makes one outcome for every value of its keys, but for those in `except`. Two of its forms make one claim for each
 * value, so that a row stands for several: a key `against.KEY` is a key of `against`; and where a text names a key of `each`,
 * as {KEY}, each claim has its value there.
 *
 * `best` names keys too, and makes one outcome for all their values: a paper's "up to 2x" is a claim about the best load, so
 * the claim holds if it holds at one of them, and does not if it does at none. Its range is open at one end, which says what is
 * better. The outcome has the figure of the best value among those with its verdict; who takes the best of several figures
 * takes a lucky one, so its standard error and interval are widened for their number (study/claims/estimate.h).
 *
 * Runs with the same seed form a pair. `measured` is the figure of the means over the seeds, `spread` the largest
 * figure of a seed less the smallest. study/claims/estimate.h has the standard error and the 95 % interval,
 * study/claims/verdict.h the verdict. With `every`, each seed by itself must lie in the range. The figure is null, and
 * not measurable, if a run failed or has unfinished flows, or if the class is empty. While a run has no result yet, the
 * figure is null, the verdict is "not decided", and the outcome is not as recorded: a part of the seeds gives no verdict.
 * If the runs of all seeds have equal digests, the seed changed nothing: there is no freedom, and no standard error.
 *
 * A figure of runs that had not settled (study/results/settled.h) depends on how long they ran. A side (`of` or `against`,
 * also at `than`) is unsettled if most of its runs had not settled. Its mean may grow once more by the factor by which the
 * metric grew from the first to the second half of the window of arrivals; a metric without a trend of its own may grow as
 * the number of open flows did (result_growth). Runs with the same seed have the same arrivals, so unsettled sides grow
 * together: the figure may go to that of their means multiplied by these factors, and further either way by a quarter of what
 * each of several sides would move it alone. The verdict is "not decided" if that would change it. An expectation with `every` judges each run as it ended, and one with
 * `transient` is about a transient itself (what happens after a failure, before it is repaired): it is judged on its seeds.
 *
 * The record beside the file (study/claims/record.h) says what came out. A file without a record may have `known` instead: a
 * verdict other than "holds", everywhere or at one place, and the range measured. An outcome as recorded is not reported as
 * new.
 */
#ifndef HEDDLE_STUDY_CLAIMS_EXPECT_H
#define HEDDLE_STUDY_CLAIMS_EXPECT_H

#include "study/claims/verdict.h"
#include "study/experiment/experiment.h"

/* An item of `known`. */
struct known {
    json_t *where;       /* {KEY: value}: place it is for; {} = everywhere */
    const char *profile; /* profile whose runs it is for; "full": runs without a profile; NULL: all runs */
    const char *world;   /* "live": runs on real frames only; "simulated": the others; NULL: both */
    enum verdict verdict;
    bool has_range;   /* a measured range is recorded */
    double low, high; /* that range; -+HUGE_VAL = open */
    const char *note;
    const struct tree_node *at; /* the item in the experiment's tree */
};

struct expectation {
    size_t entry; /* index in the file's list; several claims may be of one entry */
    const char *claim, *metric;
    enum claim_form form;
    double low, high;            /* claimed range; -+HUGE_VAL = open */
    json_t *of, *against, *than; /* {KEY: value as in settings}; against, than: {} = none */
    json_t *each;                /* {KEY: [values]}, or {KEY: null} for all values */
    json_t *best;                /* {KEY: [values]} or {KEY: null}: one outcome for all values; {} = none */
    bool every;                  /* each run must lie in the range */
    bool transient;              /* the figure is one of a transient: that runs had not settled is no matter */
    const char *roughly;         /* why the range is wider than the paper's number; NULL: it is not */
    const char *inferred;        /* which choice was inferred from the claim; NULL: none */
    const char *paper;           /* what the paper says; may be NULL */
    struct known *known;
    size_t n_known;
    const struct tree_node *at; /* its block in the experiment's tree */
    char *text[3];              /* owned: claim, roughly, paper */
};

struct expectations {
    struct expectation *item;
    size_t n;
};

/* What a figure lacks, the gravest last. */
enum claim_lack {
    LACK_NOTHING, /* every number is there */
    LACK_VALUE,   /* a run has no value of the metric: an empty class */
    LACK_RENEWAL, /* a stored result is older than the metric */
    LACK_FLOWS,   /* a run has unfinished flows */
    LACK_RUN      /* a run failed */
};

struct claim_outcome {
    const struct expectation *expectation;
    json_t *where;   /* {KEY: value}: place of `each`; {} if there is no `each` */
    json_t *best;    /* {KEY: value}: of the values of `best` that with this figure; {} if there is no `best` */
    uint32_t n_best; /* of how many places it is one: 1 without `best` */
    double widening; /* of the standard error, for their number */
    uint32_t n_seeds;
    uint32_t n_runs, n_missing;                         /* runs that it needs, and those of them without a result */
    double measured, spread;                            /* NaN = null */
    double standard_error, interval_low, interval_high; /* NaN = null: one seed, or no freedom */
    bool no_freedom;                                    /* several seeds, but equal digests */
    uint32_t n_unsettled;           /* runs that had not settled, on the side with the most of them */
    double growth_low, growth_high; /* range of `measured` if unsettled sides grow on; NaN: no side is unsettled */
    bool older;                     /* not measured, because a stored result is older than the metric */
    enum claim_lack lack;           /* of the runs that have a result */
    bool met;                       /* low <= measured <= high */
    enum verdict verdict;
    bool is_recorded;          /* `known` or the record has a verdict for it */
    enum verdict recorded;     /* that verdict; "holds" or "roughly", as the claim has it, if there is none */
    bool as_recorded;          /* the verdict and the figure are the recorded ones */
    bool is_news;              /* not as recorded; false where nothing is compared */
    const struct known *known; /* the item that applies; NULL: none */
};

/* Reads and checks the `expect` block. False after filling *d. expectations_free frees what *x holds. */
bool expectations_read(const struct experiment *e, struct expectations *x, struct diag *d);
void expectations_free(struct expectations *x);

/* Returns the outcomes in the order of the expectations; claim_outcomes_free frees them. result[i] is the --json object
 * of run i of the experiment, NULL if there is none. */
struct claim_outcome *expectations_evaluate(const struct expectations *x, const struct experiment *e,
                                            json_t *const *result, size_t *n);
void claim_outcomes_free(struct claim_outcome *o, size_t n);

/* Sets open[i] for each run i that an expectation needs whose verdict further seeds may bring (study/claims/open.h). */
void expectations_open(const struct expectations *x, const struct experiment *e, json_t *const *result, bool *open);

/* Returns true if the verdict could change if the runs that had not settled went on. */
bool claim_outgrown(const struct claim_outcome *o);

/* Returns the recorded verdict as a word; NULL if nothing is recorded. */
const char *claim_recorded_word(const struct claim_outcome *o);

/* Indices of the runs that one figure is made of; SIZE_MAX: not needed. */
struct compared_runs {
    size_t of, against, than, than_against;
};
/* Fills *c for run i as `of`. False if a run is not in the experiment, or if run i would be compared with itself. */
bool compared_runs(const struct expectation *x, const struct experiment *e, size_t i, struct compared_runs *c);

/* Returns the outcome as one line of --json, a new reference. */
json_t *claim_json(const struct claim_outcome *o);
/* Returns what the claim says, as the record has it: claim, metric, form, of, against, than, best, low, high, every, roughly and inferred.
 * Keys without a value are left out. A new reference. */
json_t *claim_statement(const struct expectation *x);
const char *form_word(enum claim_form form);

#endif
