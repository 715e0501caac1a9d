/* SPDX-License-Identifier: Apache-2.0 */
/* `heddle report RESULTS.db --figures DIR`: the figures of all experiments of a store, as files.
 *
 * What is drawn says the experiment's `figure` block: of `experiment_file` if one is given, else the one that the store
 * keeps (heddle run puts it there), else that of the file the experiment was read from. So a store needs nothing
 * beside it, and a block that was changed needs no run.
 */
#ifndef HEDDLE_STUDY_FIGURES_FIGURES_H
#define HEDDLE_STUDY_FIGURES_FIGURES_H

#include "study/store/store_reader.h"

struct figures_request {
    const char *dir;             /* made if it is missing */
    const char *experiment_file; /* NULL = none */
    bool force;                  /* files that are not ours are replaced (figures/place.h) */
    const char *const *store;    /* all that are read: none of them is replaced */
    size_t n_stores;
    void (*made)(const char *path);                  /* told of every file */
    void (*left_out)(const struct diag *why);        /* told of an experiment without a figure */
    void (*kept)(const char *dir, const char *name); /* told of a script that its user changed */
    char **name;                                     /* figures drawn so far, of all stores; begins as NULL, 0 */
    size_t n_names;
};

/* False after filling *d: gnuplot is missing, nothing to draw, two figures of one name, a figure could not be drawn or
 * written. */
bool figures_draw(const struct store_reader *store, struct figures_request *q, struct diag *d);
/* Frees the names. */
void figures_request_end(struct figures_request *q);

#endif
