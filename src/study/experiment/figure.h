/* SPDX-License-Identifier: Apache-2.0 */
/* The `figure` block of an experiment: how its results are drawn, in the axes of the paper.
 *
 * Runs differ in swept keys. A figure gives each of these a part to play: `x`, `series` (a curve or bar each), `panels`
 * (a plot each), or a value (`of`); seeds are averaged. What is drawn is a list too (`y`), and its names take part like
 * the values of a key: `metric` (their labels) and `group`. So "x: metric" makes bars by size class, "panels: metric" a
 * plot for each. In a `time` figure `host` stands for the hosts.
 *
 * Kinds: lines and bars of numbers of the --json object; cdf of what a summary of it summarises (fct_us.mice), or rank:
 * the same values in the order of their size; time of samples; table: numbers, x as rows, for a CSV file alone.
 *
 * The block is checked when the experiment is read (figures_check), and read again from the store, where the sweep is
 * what its runs have. It is no part of a run's identity: changing it leaves stored runs valid.
 */
#ifndef HEDDLE_STUDY_EXPERIMENT_FIGURE_H
#define HEDDLE_STUDY_EXPERIMENT_FIGURE_H

#include "study/experiment/experiment.h"
#include "study/metrics/metrics.h"

#define FIGURE_KEYS_MAX 4

enum figure_kind { FIGURE_LINES, FIGURE_BARS, FIGURE_CDF, FIGURE_RANK, FIGURE_TIME, FIGURE_TABLE };
enum figure_as { AS_RATIO, AS_CHANGE, AS_REDUCTION, AS_DIFFERENCE, AS_VALUE };

/* The keys that play one part; none: n = 0. */
struct figure_part {
    const char *key[FIGURE_KEYS_MAX];
    size_t n;
};

struct figure_y {
    const char *metric, *label, *group; /* label: own_label if none is given; group: "" if none */
    char own_label[METRIC_TEXT_MAX];    /* what the table of metrics calls it */
    const char *per;                    /* the number of the same run that it is divided by; NULL = none */
    json_t *against;                    /* {} = with nothing */
    enum figure_as as;
    const char *unit; /* what it is drawn in; "" = a plain number */
    double scale, offset;
};

struct figure_reference {
    const char *function, *label; /* label: NULL = none */
};

struct figure {
    const char *name, *title; /* NULL = the experiment's */
    enum figure_kind kind;
    struct figure_part x, series, panels; /* x: at most one key */
    json_t *of;                           /* {KEY: [values]} */
    struct figure_y *y;
    size_t n_y;
    const char *x_label, *y_label, *x_unit; /* NULL = made */
    bool log_x, log_y;
    double x_range[2], y_range[2]; /* NaN = open */
    json_t *names;                 /* {KEY: {VALUE: TEXT}} */
    struct figure_reference *reference;
    size_t n_reference;
    int64_t every_ps; /* 0 = every sample */
    const struct tree_node *at;
};

struct figures {
    struct figure *item;
    size_t n;
    struct tree_node *tree; /* owned; the strings live here */
};

/* What is swept: the keys and their values. */
struct figure_axes {
    struct figure_axis {
        const char *key;
        json_t *values; /* array, each once */
    } axis[64];
    size_t n;
};

/* Reads and checks `block` (NULL or null: none) against the sweep. `is_strict`: a value that `of` or `against` names
 * must be swept. False after filling *d. */
bool figures_read(const struct tree_node *block, const struct figure_axes *axes, bool is_strict, struct figures *f,
                  struct diag *d);
void figures_free(struct figures *f);

/* The axes of an experiment; the values are owned by *axes. False after filling *d. */
bool figure_axes_of(const struct experiment *e, struct figure_axes *axes, struct diag *d);
void figure_axes_free(struct figure_axes *axes);

/* The block of an experiment: as figures_read, and every metric must be one. */
bool figures_check(const struct experiment *e, struct diag *d);

/* Kinds whose x is no swept key. */
bool figure_has_own_x(const struct figure *f);
/* Kinds that show the values behind a summary. */
bool figure_shows_values(const struct figure *f);

/* Does a part name this key? */
bool figure_part_has(const struct figure_part *p, const char *key);

/* ---- units (figure_units.c) ---- */

/* The unit that a metric of the result or of samples is in: "us" for fct_us.mice.p95; "" if it is a plain number. */
const char *metric_unit(const char *metric);
/* Its label: "FCT mice 95th"; into buf, which is returned. */
const char *metric_label(const char *metric, char buf[METRIC_TEXT_MAX]);
/* What a number in unit `from` is multiplied by to be in unit `to`; 0: they measure different things. */
double unit_factor(const char *from, const char *to);
/* The number of a value as settings say it ("10Gbps", 0.5) in `unit` (NULL: as written); false: it is a word. */
bool setting_number(const json_t *value, const char *unit, double *number);
/* The unit a value is written with: "Gbps"; "" if none. */
const char *setting_unit(const json_t *value);

#endif
