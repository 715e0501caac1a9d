/* SPDX-License-Identifier: Apache-2.0 */
/* A figure with its numbers: what of a store is drawn where.
 *
 * Lines, bars and tables: a point is the figure of the means over seeds, low and high its 95 % interval
 * (study/claims/estimate.h); what `against` compares is paired by seed. It has no value (NaN) when a run has none or left
 * flows unfinished, as with expectations. A run that `against` compares with itself is drawn in ratios (1), not in
 * changes, reductions and differences (0).
 *
 * cdf: the values behind the summary, those of all seeds together, as the share that is at most x. Which flows and
 * queries count is as in the result (measure.from, measure.starts), and their number must be its `n`. Of many values
 * some hundred places are kept, more of them in the tail.
 *
 * rank: the same values from the least to the largest, x = 1, 2, ...; seeds are averaged place by place. Of more than a
 * thousand values some are left out.
 *
 * time: samples of the run with the lowest seed, over `every` or else at most 1000 periods the mean.
 */
#ifndef HEDDLE_STUDY_FIGURES_PLOT_H
#define HEDDLE_STUDY_FIGURES_PLOT_H

#include "base/degrees.h"
#include "study/experiment/figure.h"
#include "study/store/store_reader.h"

struct plot_point {
    double x, y, low, high;                        /* low = high = y where there is but one */
    uint32_t n;                                    /* seeds, or values of a cdf */
    struct plot_seeds {                            /* written by plot_pair_add */
        double of, against;                        /* means over the seeds */
        double of_of, of_against, against_against; /* sums of products of the differences from the means */
    } seeds;
};

struct plot_curve {
    size_t series; /* place in plot.series */
    struct plot_point *point;
    size_t n;
    double *value; /* cdf and rank, before their points are made */
    size_t n_values;
    double frames[DEGREE_BINS]; /* reorder.frames: how many in each bin of degrees; all 0 = none */
};

struct plot_panel {
    char *title;          /* "" = none */
    const char *unit;     /* of what is drawn */
    const char *quantity; /* its label; NULL: several in one panel */
    struct plot_curve *curve;
    size_t n;
};

struct plot_words {
    char **text;
    size_t n;
};

struct plot {
    const struct figure *figure;
    struct plot_panel *panel;
    size_t n_panels, columns;
    struct plot_words series;     /* names of the curves, in the order of their colours; "" = there is but one */
    struct plot_words categories; /* x is the place among them; none: x is a number */
    char *x_unit;                 /* "" = none */
};

/* Has any panel a curve of this name? One that is only compared with keeps its place, and so the others their colours.
 */
bool plot_has_series(const struct plot *p, size_t series);

/* The runs of one experiment of the store. */
struct plot_input {
    const struct store_reader *store;
    size_t experiment;
};

/* False after filling *d: the store cannot be read, or not as the figure has it. */
bool plot_make(const struct figure *f, const struct plot_input *in, struct plot *p, struct diag *d);
/* No run has a number to draw. */
bool plot_is_empty(const struct plot *p);
void plot_free(struct plot *p);

/* The sweep of the stored runs; the keys belong to the store. */
void plot_axes(const struct plot_input *in, struct figure_axes *axes);

/* ---- between the files of a plot ---- */

/* The curve of a run and an item of y, made if it is new; `host` may be NULL. */
struct plot_curve *plot_curve_at(struct plot *p, const struct run_row *run, const struct figure_y *y, const char *host);
struct plot_point *plot_point_add(struct plot_curve *c, double x, double y);
/* How a number is compared, and what of it is drawn: factor * compared + offset. */
struct plot_scale {
    enum figure_as as;
    double factor, offset;
};
/* The number `of` compared with `against`, before it is scaled; NaN if it is divided by 0. */
double plot_compared(enum figure_as as, double of, double against);
/* One more seed at x: updates the figure of the means and its interval. */
void plot_pair_add(struct plot_curve *c, double x, double of, double against, const struct plot_scale *s);
/* The same of a number that is not compared. */
void plot_seed_add(struct plot_curve *c, double x, double y);

/* Makes the points of a cdf from all values; the curve starts at share 0. */
void plot_cdf_make(struct plot_curve *c);
/* Makes those of a rank from the values of one run, and forgets them. */
void plot_ranks_make(struct plot_curve *c);

/* Adds the values behind the summary y->metric of this run to the curve. */
bool plot_values_add(struct plot *p, const struct plot_input *in, const struct run_row *run, const struct figure_y *y,
                     struct diag *d);
/* Adds the samples y->metric of this run. */
bool plot_samples_add(struct plot *p, const struct plot_input *in, const struct run_row *run, const struct figure_y *y,
                      struct diag *d);

#endif
