/* SPDX-License-Identifier: Apache-2.0 */
/* What several seeds say about a figure: the value, its standard error and a 95 % confidence interval.
 *
 * Changes and ratios are those of means over the runs, (mean of - mean against) / mean against, as the papers compute
 * them, and not means of per-seed ratios. Runs of one seed form a pair, so that what both share (the arrivals) cancels.
 *
 * The standard error comes from the delta method: each seed has an influence, the first-order effect of its pair on the
 * figure, and the standard error is the influences' standard deviation (n - 1) over sqrt(n). With a[i], b[i] of seed i,
 * A and B their means and r = A / B:
 *     value       a[i] - A
 *     difference  (a[i] - b[i]) - (A - B)
 *     ratio       (a[i] - r b[i]) / B
 *     change      as ratio
 * The difference of two figures over the same seeds (`than`) has the difference of their influences. The interval is
 * Student's t with n - 1 degrees of freedom.
 */
#ifndef HEDDLE_STUDY_CLAIMS_ESTIMATE_H
#define HEDDLE_STUDY_CLAIMS_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

enum claim_form { FORM_CHANGE, FORM_VALUE, FORM_RATIO, FORM_DIFFERENCE };

/* The figure of one pair of numbers; `against` is not read of a value. NaN where a change or ratio is against 0. */
double figure_of(enum claim_form form, double of, double against);

/* The figure of the means of of[n] and against[n] (may be NULL for a value). Fills influence[n]. NaN, with influences
 * of NaN, if a number is NaN or the mean of against is 0 in a change or ratio. n is at least 1. */
double figure_of_means(enum claim_form form, const double *of, const double *against, size_t n, double *influence);

struct estimate {
    double value;          /* NaN: not measurable */
    double standard_error; /* NaN: one seed */
    double low, high;      /* the 95 % confidence interval; NaN: one seed */
    size_t n;
};

/* `value` with what the influences of n seeds say about its error. */
struct estimate estimate_of(double value, const double *influence, size_t n);
/* The mean of x[n]. */
struct estimate estimate_mean(const double *x, size_t n);

/* The two-sided 95 % quantile of Student's t: 12.706 for 1 degree of freedom, 1.960 for many. */
double student_t95(size_t degrees);

/* Do the intervals of both have no point in common? False if either has no interval. */
bool estimates_part(const struct estimate *a, const struct estimate *b);

#endif
