/* SPDX-License-Identifier: Apache-2.0 */
/* The `figure` block of an experiment: how its results are drawn, in the axes of the paper.
 *
 * Runs differ in swept keys. A figure puts each swept key on `x`, in `series` (one curve or bar per value) or in
 * `panels` (one plot per value), or fixes its value (`of`); it averages over seeds. `y` lists the numbers to draw. Two
 * more words may stand in place of a swept key: `metric`, for the labels of the items of `y`, and `group`, for their
 * groups. So "x: metric" makes bars by size class, and "panels: metric" one plot for each. In a `time` figure `host`
 * stands for the hosts.
 *
 * Kinds: `lines` and `bars` draw numbers of the --json object. `cdf` draws the values behind a summary (fct_us.mice) as the
 * share of values up to x; `ccdf` as the share of at least x, on a logarithmic axis, which shows the tail; `rank` draws the same values sorted. `time` draws samples. `table` writes numbers, x as rows, to a CSV file only.
 *
 * `reference` holds what the figure is compared with: a function of x, a value (a line) or a band. Its `of` says beside
 * which runs it is drawn: a key of the panels names panels, that of x places on x, all keys of the series one series.
 *
 * The block is checked when the experiment is read (figures_check). It is read again from the store, with the sweep
 * that the stored runs have. It is no part of a run's identity: changing it leaves stored runs valid.
 */
#ifndef HEDDLE_STUDY_EXPERIMENT_FIGURE_H
#define HEDDLE_STUDY_EXPERIMENT_FIGURE_H

#include "study/config/figure_choices.h"
#include "study/experiment/experiment.h"
#include "study/metrics/metrics.h"

#define FIGURE_KEYS_MAX 4

/* The keys on x, in series or in panels; n = 0: none. */
struct figure_part {
    const char *key[FIGURE_KEYS_MAX];
    size_t n;
};

struct figure_y {
    const char *metric, *label, *group; /* label: own_label if not given; group: "" if none */
    char own_label[METRIC_TEXT_MAX];    /* label of the table of metrics */
    const char *per;                    /* metric of the same run that it is divided by; NULL = none */
    json_t *against;                    /* {KEY: value}: the runs it is compared with; {} = none */
    enum figure_as as;
    const char *unit;     /* unit of the values; "" = a plain number */
    bool unit_is_free;    /* the file gives no unit: the axis may have a larger one (figures/layout.h) */
    double scale, offset; /* the number times scale, plus offset, is drawn */
};

/* A number to compare with, such as a paper's: a curve, a line or a band, in the units of the axes. A line or band lies
 * at numbers of y; in a cdf, whose values are on x, at numbers of x; over time at either. */
struct figure_reference {
    const char *function; /* of x; NULL = a line or band */
    double low, high;     /* equal: a line; NaN = open */
    double at;            /* share of a cdf at which it is drawn; NaN = all */
    bool on_x;            /* over time and over numbers: it lies at these on x, not at values of y */
    json_t *of;           /* {KEY: [values]}: runs beside which it is drawn; "metric" and "group" name items of y */
    const char *label;    /* NULL = none */
};

struct figure {
    const char *name, *title; /* NULL = the experiment's */
    enum figure_kind kind;
    struct figure_part x, series, panels; /* x: at most one key */
    json_t *of;                           /* {KEY: [values]} */
    struct figure_y *y;
    size_t n_y;
    const char *x_label, *y_label, *x_unit; /* NULL = chosen when drawn */
    bool log_x, log_y;
    double x_range[2], y_range[2]; /* NaN = open */
    enum figure_band band;         /* what is shown of the seeds; never BAND_AUTO */
    bool share_y;                  /* the panels have one y axis */
    double width_px, height_px;    /* of the figure, 96 a inch; 0: chosen when drawn */
    const char *font;              /* NULL = Helvetica */
    double font_pt;                /* size of the font in points */
    json_t *names;                 /* {KEY: {VALUE: TEXT}}: other texts for values */
    struct figure_reference *reference;
    size_t n_reference;
    int64_t every_ps;           /* time whose samples make one point; 0 = every sample is one */
    const struct tree_node *at; /* its block, in the tree of struct figures */
};

struct figures {
    struct figure *item;
    size_t n;
    struct tree_node *tree; /* owned; holds the strings of all items */
};

/* The swept keys and their values. */
struct figure_axes {
    struct figure_axis {
        const char *key;
        json_t *values; /* array, each once */
    } axis[AXES_MAX];
    size_t n;
};

/* Reads `block` (NULL or null: no figures) and checks it against the sweep. If `is_strict`, values in `of` and
 * `against` must be swept. False after filling *d. figures_free frees what *f holds. */
bool figures_read(const struct tree_node *block, const struct figure_axes *axes, bool is_strict, struct figures *f,
                  struct diag *d);
void figures_free(struct figures *f);

/* Fills *axes, which owns the values, with the axes of an experiment. False after filling *d. */
bool figure_axes_of(const struct experiment *e, struct figure_axes *axes, struct diag *d);
void figure_axes_free(struct figure_axes *axes);

/* Checks the block of an experiment: as figures_read, and every metric must be one. False after filling *d. */
bool figures_check(const struct experiment *e, struct diag *d);

/* True for kinds whose x is no swept key. */
bool figure_has_own_x(const struct figure *f);
/* True for kinds whose y is a share of the values: cdf and ccdf. */
bool figure_shows_shares(const struct figure *f);
/* True for kinds that show the values behind a summary. */
bool figure_shows_values(const struct figure *f);

/* True if an item of y is one that `of` of a reference names. */
bool figure_reference_names(const struct figure_reference *r, const struct figure_y *y);

/* True if the part names this key. */
bool figure_part_has(const struct figure_part *p, const char *key);

/* ---- units (figure_units.c) ---- */

/* Returns the unit of a metric of results or samples: "us" for fct_us.mice.p95; "" for a plain number. */
const char *metric_unit(const char *metric);
/* Writes its label, "FCT mice 95th". Returns buf. */
const char *metric_label(const char *metric, char buf[METRIC_TEXT_MAX]);
/* Returns the factor from unit `from` to unit `to`; 0 if they measure different things or one is unknown. */
double unit_factor(const char *from, const char *to);
/* Sets *number to a value of `settings` ("10Gbps", 0.5) in `unit` (NULL: as written); false if the value is a word. */
bool setting_number(const json_t *value, const char *unit, double *number);
/* Returns the unit that a value is written with: "Gbps"; "" if none. */
const char *setting_unit(const json_t *value);

#endif
