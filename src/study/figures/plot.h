/* SPDX-License-Identifier: Apache-2.0 */
/* A figure with its numbers, computed from a store.
 *
 * Lines, bars and tables: a point is the figure of the means over seeds; low and high are its 95 % interval
 * (study/claims/estimate.h). A comparison by `against` is paired by seed. A point has no value (NaN) if a run has none
 * or left flows unfinished, as with expectations. A run compared with itself is drawn as the ratio 1, but not as a
 * change, reduction or difference of 0.
 *
 * cdf: the values behind a summary, all seeds together, as the share of values up to x. Flows and queries are selected
 * as in the result (measure.from, measure.starts), and their number must be its `n`. ccdf: the same values as the share of
 * at least x, which ends at one of them all.
 *
 * A band shows the seeds: the 95 % interval of their mean, or their least and greatest. In a cdf or ccdf it is one of the
 * shares that the seeds have at x, and ends at 0 and 1; over time all seeds are averaged then.
 *
 * rank: the same values from least to largest, x = 1, 2, ...; seeds are averaged place by place.
 *
 * time: samples of the run with the lowest seed, of all seeds with a band, within x_range, averaged over `every`, or else over equal periods.
 * Failures that all runs of a panel have at the same times are shaded, unless the figure has references at times of its own.
 *
 * A curve of these three has at most `points` points, and one or two more at its ends. A cdf keeps values at equal
 * steps of the share, four fifths of them up to 0.99 and one fifth above; a ccdf keeps values at equal steps of the share and at
 * equal ratios of it, half of each; a rank keeps the first and the last place
 * and places at equal steps between; over time the periods become longer.
 */
#ifndef HEDDLE_STUDY_FIGURES_PLOT_H
#define HEDDLE_STUDY_FIGURES_PLOT_H

#include "base/degrees.h"
#include "study/claims/estimate.h"
#include "study/experiment/figure.h"
#include "study/series/values.h"
#include "study/store/store_reader.h"

struct plot_point {
    double x, y, low, high;     /* low = high = y for a single value */
    uint32_t n;                 /* number of seeds, or of values of a cdf */
    struct estimate_sums seeds; /* written by plot_pair_add */
    double least, greatest;     /* of the seeds, each drawn alone; written by plot_pair_add */
};

struct plot_curve {
    size_t series; /* index into plot.series */
    struct plot_point *point;
    size_t n;
    struct values values; /* of a cdf or rank, until its points are made */
    struct values *seed;  /* [n_seeds] values of each run, of a cdf or ccdf with a band */
    size_t n_seeds;
    size_t n_folded;            /* points over time that are means of seeds already (plot_samples_fold) */
    double frames[DEGREE_BINS]; /* reorder.frames: count of each bin of degrees; all 0: none */
};

#define PLOT_ALL_SERIES SIZE_MAX

/* A reference in one panel. */
struct plot_mark {
    const struct figure_reference *reference;
    size_t series; /* index into plot.series; PLOT_ALL_SERIES: it names none */
    double x[2];   /* least and greatest x, of numbers or categories; NaN: all */
};

struct plot_panel {
    char *title;          /* "": none */
    const char *unit;     /* unit of the drawn values */
    const char *quantity; /* label of the values; NULL: several in one panel */
    struct plot_curve *curve;
    size_t n;
    struct plot_mark *mark;
    size_t n_marks;
};

struct plot_words {
    char **text;
    size_t n;
};

struct plot {
    const struct figure *figure;
    struct plot_panel *panel;
    size_t n_panels, columns;
    struct plot_words series;      /* names of the curves, in the order of their colours; "": a single curve */
    struct plot_words categories;  /* names of x, which is then an index; none: x is a number */
    struct figure_reference **own; /* [n_own] references that no file has: failures */
    size_t n_own;
    char *x_unit; /* "": none */
};

/* Returns true if a panel has a curve of this name. A series that is only compared with keeps its place, so that the
 * other series keep their colours. */
bool plot_has_series(const struct plot *p, size_t series);

/* Returns the failures of a run as study/report/topology.h has them, null if they are not known. The room of figures sees no
 * fabric, so the caller brings this function. */
typedef json_t *run_failures_of(const struct store_reader *r, const struct run_row *run);

/* The runs of one experiment of the store. */
struct plot_input {
    const struct store_reader *store;
    size_t experiment;
    size_t points;             /* most points of a curve; 0: 320 of a cdf, 1000 of a rank or over time */
    run_failures_of *failures; /* NULL: failures are not shaded */
};

/* Computes the plot. Returns false after filling *d: the store cannot be read, or does not fit the figure. */
bool plot_make(const struct figure *f, const struct plot_input *in, struct plot *p, struct diag *d);
/* Returns true if no run has a number to draw. */
bool plot_is_empty(const struct plot *p);
void plot_free(struct plot *p);

/* Fills the sweep of the stored runs; the keys belong to the store. */
void plot_axes(const struct plot_input *in, struct figure_axes *axes);

/* ---- shared by the files of a plot ---- */

/* Returns the curve of a run and an item of y, and creates it if it is new. `host` may be NULL. */
struct plot_curve *plot_curve_at(struct plot *p, const struct run_row *run, const struct figure_y *y, const char *host);
struct plot_point *plot_point_add(struct plot_curve *c, double x, double y);
/* A comparison and its scale: factor * compared + offset is drawn. */
struct plot_scale {
    enum figure_as as;
    double factor, offset;
};
/* Adds a seed at x, and updates the figure of the means and its interval. */
void plot_pair_add(struct plot_curve *c, double x, double of, double against, const struct plot_scale *s);
/* Adds a seed without a comparison. */
void plot_seed_add(struct plot_curve *c, double x, double y);

/* Makes at most `points` points (0: 320) of a cdf from all values, after one at share 0. */
void plot_cdf_make(struct plot_curve *c, size_t points);
/* Makes at most that many points of a ccdf, the share of values of at least x, and one or two more. */
void plot_ccdf_make(struct plot_curve *c, size_t points);
/* Returns a new list for the values of one seed; it belongs to the curve. */
struct values *plot_seed_values(struct plot_curve *c);
/* Gives the points of a cdf or ccdf the band of the seeds' shares. */
void plot_shares_band(struct plot_curve *c, const struct figure *f);
/* Leaves of the seeds what the figure's band shows, after the last seed. */
void plot_bands_make(struct plot *p);
/* Averages the samples of one run, the points behind c->n_folded, with those of earlier runs at the same times. */
void plot_samples_fold(struct plot *p);
/* Adds the values of one run, at most `points` of them (0: 1000), to the points of a rank, and forgets the values. */
void plot_ranks_make(struct plot_curve *c, size_t points);

/* Adds the values behind the summary y->metric of this run to the curve. */
bool plot_values_add(struct plot *p, const struct plot_input *in, const struct run_row *run, const struct figure_y *y,
                     struct diag *d);
/* Adds the samples y->metric of this run. */
bool plot_samples_add(struct plot *p, const struct plot_input *in, const struct run_row *run, const struct figure_y *y,
                      struct diag *d);

#endif
