/* SPDX-License-Identifier: Apache-2.0 */
/* Reduces the values of a curve to points: shares of values up to x, or values in the order of size. */
#include "study/figures/plot.h"

/* ---- shares ---- */

#define CDF_POINTS 320

static void cdf_point(struct plot_curve *c, size_t i) {
    double share = (double)(i + 1) / (double)c->values.n;
    if (c->n && c->point[c->n - 1].y >= share) return;
    plot_point_add(c, c->values.at[i], share)->n = (uint32_t)c->values.n;
}

/* Makes points of bins; a bin is drawn at its largest degree. */
static void degrees_make(struct plot_curve *c) {
    double all = 0, so_far = 0;
    for (uint32_t i = 0; i < DEGREE_BINS; i++) all += c->frames[i];
    for (uint32_t i = 0; i < DEGREE_BINS && so_far < all; i++) {
        so_far += c->frames[i];
        plot_point_add(c, degree_most(i), so_far / all);
    }
}

void plot_cdf_make(struct plot_curve *c, size_t points) {
    size_t n = c->values.n, last = n - n / 100;
    if (n == 0) {
        degrees_make(c);
        return;
    }
    values_sort(&c->values);
    plot_point_add(c, c->values.at[0], 0)->n = (uint32_t)n;
    size_t in_tail = (points ? points : CDF_POINTS) / 5, in_body = (points ? points : CDF_POINTS) - in_tail;
    size_t body = n / in_body + 1, tail = (n - last) / (in_tail ? in_tail : 1) + 1;
    for (size_t i = 0; i < last; i += body) cdf_point(c, i);
    for (size_t i = last; i < n; i += tail) cdf_point(c, i);
    cdf_point(c, n - 1);
}

/* ---- ranks ---- */

#define RANK_POINTS 1000

/* Averages the k-th least value of one run with the k-th least of the other runs. */
void plot_ranks_make(struct plot_curve *c, size_t points) {
    size_t n = c->values.n, step = n ? (n - 1) / (points ? points : RANK_POINTS) + 1 : 1;
    values_sort(&c->values);
    for (size_t i = 0; i < n; i += step) plot_seed_add(c, (double)(i + 1), c->values.at[i]);
    if (n && (n - 1) % step) plot_seed_add(c, (double)n, c->values.at[n - 1]);
    values_clear(&c->values);
}
