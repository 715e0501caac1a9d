/* SPDX-License-Identifier: Apache-2.0 */
/* Texts and places of the runs of a plot. Private to study/figures/plot*.c. */
#ifndef HEDDLE_STUDY_FIGURES_PLOT_PARTS_H
#define HEDDLE_STUDY_FIGURES_PLOT_PARTS_H

#include "study/figures/plot.h"

#define PLOT_TEXT_MAX 512

/* Where a point belongs: a run, an item of y, a host. */
struct plot_spot {
    const struct figure *figure;
    const struct run_row *run;
    const struct figure_y *y;
    const char *host; /* NULL = none */
};

/* Writes the text of one setting; `is_named`: numbers with their key, "load 0.5". */
void plot_key_text(const struct plot_spot *at, const char *key, bool is_named, char *buf, size_t size);
/* Writes the texts of a part, the title of a panel or the name of a series. */
void plot_part_text(const struct plot_spot *at, const struct figure_part *part, char *buf, size_t size);

/* Returns true if `of`, {KEY: [values]}, holds the settings; "metric" and "group" are no settings and hold all. */
bool plot_of_matches(const json_t *of, const json_t *settings);
/* Returns true if the run is one of the figure's. */
bool plot_is_drawn(const struct plot *p, const struct plot_input *in, const struct run_row *r);
/* Returns true if the run would be compared with itself, which is not drawn. */
bool plot_is_own_baseline(const struct run_row *r, const struct figure_y *y);
/* Finds the position of a run on a numeric x axis. Returns false if it has only a word. */
bool plot_x_number(const struct plot *p, const struct plot_spot *at, double *x);

/* Returns true if the samples of a drawn run are: over time without a band, those of the lowest seed alone. */
bool plot_is_sampled(const struct plot *p, const struct plot_input *in, const struct run_row *r);

/* Returns the panel of a run; NULL if it has no curve. */
struct plot_panel *plot_panel_find(struct plot *p, const struct plot_spot *at);

/* Shades failures over time, after all curves. */
void plot_failures_make(struct plot *p, const struct plot_input *in);

/* Finds the places of the references, after all curves. */
void plot_marks_make(struct plot *p, const struct plot_input *in);

#endif
