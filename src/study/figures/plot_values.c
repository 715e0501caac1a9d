/* SPDX-License-Identifier: Apache-2.0 */
/* Reduces the values of a curve to points: shares of values up to x, or values in the order of size. */
#include "study/figures/plot.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

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

/* Returns how many of the sorted values are less than x; `or_equal`: up to x. */
static size_t values_below(const struct values *v, double x, bool or_equal) {
    size_t low = 0, high = v->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (v->at[mid] < x || (or_equal && v->at[mid] == x))
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void ccdf_point(struct plot_curve *c, size_t i) {
    double x = c->values.at[i];
    if (c->n && c->point[c->n - 1].x == x) return;
    size_t least = values_below(&c->values, x, false);
    plot_point_add(c, x, (double)(c->values.n - least) / (double)c->values.n)->n = (uint32_t)c->values.n;
}

void plot_ccdf_make(struct plot_curve *c, size_t points) {
    size_t n = c->values.n;
    double half = (double)(points ? points : CDF_POINTS) / 2, ratio = exp(-log((double)n + 1) / half);
    if (n == 0) return;
    values_sort(&c->values);
    double left = (double)n;
    while (left >= 1) {
        ccdf_point(c, n - (size_t)left);
        left = fmax(fmin(left * ratio, left - 1), left - (double)n / half);
    }
    ccdf_point(c, n - 1);
}

/* ---- seeds ---- */

struct values *plot_seed_values(struct plot_curve *c) {
    c->seed = memory_grow(c->seed, c->n_seeds + 1, sizeof *c->seed);
    c->seed[c->n_seeds] = (struct values){0};
    return &c->seed[c->n_seeds++];
}

/* Returns the share of a seed's values at x. */
static double seed_share(const struct values *v, double x, bool is_tail) {
    if (!is_tail) return (double)values_below(v, x, true) / (double)v->n;
    return (double)(v->n - values_below(v, x, false)) / (double)v->n;
}

/* Keeps the band of a point within 0 and 1, and above 0 where a logarithmic axis has no 0. */
static void share_band(struct plot_point *q, const struct plot_point *seeds, const struct figure *f) {
    double floor_of = f->log_y ? 0.5 / q->n : 0;
    q->low = fmax(f->band == BAND_RANGE ? seeds->least : seeds->low, floor_of);
    q->high = fmin(f->band == BAND_RANGE ? seeds->greatest : seeds->high, 1);
}

void plot_shares_band(struct plot_curve *c, const struct figure *f) {
    for (size_t s = 0; s < c->n_seeds; s++) values_sort(&c->seed[s]);
    for (size_t i = 0; i < c->n; i++) {
        struct plot_curve at_x = {0};
        bool is_start = f->kind == FIGURE_CDF && i == 0 && c->point[i].y == 0;
        for (size_t s = 0; !is_start && s < c->n_seeds; s++)
            if (c->seed[s].n) plot_seed_add(&at_x, 0, seed_share(&c->seed[s], c->point[i].x, f->kind == FIGURE_CCDF));
        if (at_x.n) share_band(&c->point[i], &at_x.point[0], f);
        free(at_x.point);
    }
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
