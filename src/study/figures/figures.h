/* SPDX-License-Identifier: Apache-2.0 */
/* `heddle report RESULTS.db --figures DIR`: draws the figures of all experiments of a store into files.
 *
 * The experiment's `figure` block says what to draw. The block comes from `experiment_file` if one is given, else from
 * the store (heddle run puts it there), else from the file that the experiment was read from. A store therefore needs
 * no file beside it, and a changed block needs no new run. `heddle plot` brings a block of its own, for all experiments.
 */
#ifndef HEDDLE_STUDY_FIGURES_FIGURES_H
#define HEDDLE_STUDY_FIGURES_FIGURES_H

#include "study/figures/ask.h"
#include "study/figures/plot.h"
#include "study/store/store_reader.h"

struct figures_request {
    const char *dir;              /* created if it is missing */
    const char *experiment_file;  /* NULL = none */
    const struct figure_ask *ask; /* the one figure to draw (figures/ask.h); NULL: those of the experiments */
    size_t points;                /* most points of a curve (figures/plot.h); 0: the default */
    run_failures_of *failures;    /* of a run, for figures over time; NULL: they are not shaded */
    bool force;                   /* replaces files of other origin too (figures/place.h) */
    const char *const *store;     /* all stores that are read; figures must not replace them */
    size_t n_stores;
    void (*made)(const char *path);                  /* called for every file written */
    void (*left_out)(const struct diag *why);        /* called for an experiment without a figure */
    void (*kept)(const char *dir, const char *name); /* called for a script that its user changed */
    char **name;                                     /* figures drawn so far, of all stores; begins as NULL, 0 */
    size_t n_names;
};

/* Draws all figures. Returns false after filling *d: gnuplot is missing, there is nothing to draw, two figures share a
 * name, or a figure could not be drawn or written. */
bool figures_draw(const struct store_reader *store, struct figures_request *q, struct diag *d);
/* Frees the names. */
void figures_request_end(struct figures_request *q);

#endif
