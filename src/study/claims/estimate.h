/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates of a figure from several seeds: the value, its standard error and a 95 % confidence interval.
 *
 * Changes and ratios compare means over the runs, (mean of - mean against) / mean against, as the papers compute them.
 * They are not means of per-seed ratios. Runs of one seed form a pair, so that common effects (the arrivals) cancel.
 *
 * The standard error comes from the delta method. Each seed has an influence: the first-order effect of its pair on the
 * figure. The standard error is the influences' standard deviation (n - 1) over sqrt(n). With a[i], b[i] the numbers of
 * seed i, A and B their means and r = A / B, the influences are:
 *     value       a[i] - A
 *     difference  (a[i] - b[i]) - (A - B)
 *     ratio       (a[i] - r b[i]) / B
 *     change      as ratio
 * The influences of a difference of two figures over the same seeds (`than`) are the differences of the influences. A share is the
 * difference here over that at `than`; with D and E those of the means, d[i] and e[i] those of seed i and r = D / E it has
 *     share       (d[i] - r e[i]) / E = (influence of D - r influence of E) / E
 * The interval is Student's t with n - 1 degrees of freedom. An estimate that was chosen as the best of k places looks better than it is;
 * its interval is that of probability 1 - 0.05 / k (Bonferroni), so that all k intervals together hold in 95 % of the cases.
 */
#ifndef HEDDLE_STUDY_CLAIMS_ESTIMATE_H
#define HEDDLE_STUDY_CLAIMS_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

enum claim_form { FORM_CHANGE, FORM_VALUE, FORM_RATIO, FORM_DIFFERENCE, FORM_SHARE };

/* Returns the figure of one pair of numbers; FORM_VALUE ignores `against`. NaN for a change or ratio against 0. That of a share is
 * the difference; figure_than makes the share of two. */
double figure_of(enum claim_form form, double of, double against);

/* Returns the figure of the means of of[n] and against[n] (NULL is allowed for FORM_VALUE), and fills influence[n].
 * NaN, with influences of NaN, if a number is NaN, or in a change or ratio if the mean of `against` is 0. n >= 1. */
double figure_of_means(enum claim_form form, const double *of, const double *against, size_t n, double *influence);

/* Returns the figure compared with the same one at `than`: less it, or a share of it (NaN if that is 0). */
double figure_than(enum claim_form form, double figure, double than);
/* Compares figures of means in the same way; influence[n] becomes that of the returned figure. */
double figure_than_of_means(enum claim_form form, double figure, double than, double *influence,
                            const double *than_influence, size_t n);

struct estimate {
    double value;          /* NaN: not measurable */
    double standard_error; /* NaN: one seed */
    double low, high;      /* the 95 % confidence interval; NaN: one seed */
    size_t n;              /* seeds */
    double widening; /* a verdict takes the standard error times this: 1, and more for the best of several places */
};

/* Returns the estimate of a figure `value` with the influences of n seeds. */
struct estimate estimate_of(double value, const double *influence, size_t n);
/* Returns the estimate of the mean of x[n]; NaN for n = 0. */
struct estimate estimate_mean(const double *x, size_t n);

/* Running sums over the pairs of seeds, for a figure that gets them one by one: means, and sums of products of
 * deviations from them (Welford). All 0: no seed yet. */
struct estimate_sums {
    size_t n;
    double of, against;
    double of_of, of_against, against_against;
};
/* Adds the numbers of a seed; `against` is 0 for FORM_VALUE. */
void estimate_sums_add(struct estimate_sums *s, double of, double against);
/* Returns the estimate that figure_of_means and estimate_of give for these seeds, up to rounding. */
struct estimate estimate_of_sums(enum claim_form form, const struct estimate_sums *s);

/* Widens the interval of an estimate that is one of `places`, 1 or more. */
void estimate_widen(struct estimate *e, size_t places);

/* Returns the t that Student's t with `degrees` of freedom exceeds, to either side, with the probability `outside` in all: 4.303
 * for 5 % and 2 degrees. 0 < outside < 1; NaN for 0 degrees. */
double student_t(double outside, size_t degrees);
/* Returns the two-sided 95 % quantile of Student's t: 12.706 for 1 degree of freedom, 1.960 for many. */
double student_t95(size_t degrees);

/* Returns the estimate as people read it. A half-width, and a value, that are rounding alone become 0: those below 1e-9 of `scale`, the
 * size of the numbers behind the figure. No bound of the interval lies below `least`, the least that the figure can be. */
struct estimate estimate_shown(struct estimate e, double scale, double least);
/* Returns the least that a figure of a quantity can be whose own least is 0, or which is signed: 0, -1 for a change, -HUGE_VAL. */
double figure_least(enum claim_form form, bool is_signed);

/* Returns whether the two intervals have no point in common. False if either has no interval. */
bool estimates_part(const struct estimate *a, const struct estimate *b);

#endif
