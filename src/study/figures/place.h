/* SPDX-License-Identifier: Apache-2.0 */
/* The files of one figure in the user's folder: NAME.csv, NAME.gp, NAME.svg, NAME.pdf, put there together.
 *
 * They are made in a folder of their own inside it, and moved when gnuplot has drawn: what was there is there until
 * then. Nothing is moved if one of the four places holds a file that is not ours (base/output_file.h):
 *   NAME.csv   ours if it has the same header row
 *   NAME.gp    ours if it is as heddle wrote it. One that was changed since is kept: the data become new, and the
 *              changed script draws them
 *   NAME.svg, NAME.pdf   ours if gnuplot drew them and a script of heddle lies beside them
 */
#ifndef HEDDLE_STUDY_FIGURES_PLACE_H
#define HEDDLE_STUDY_FIGURES_PLACE_H

#include "study/figures/plot.h"

struct figure_place {
    const char *dir, *name;   /* the folder is made if it is missing */
    const char *const *input; /* files that must not be replaced */
    size_t n_input;
    bool force; /* whatever is there is replaced */
    bool kept;  /* answer: the script was changed by its user and is kept */
};

/* Draws the plot and puts its files into their place. False after filling *d: the folder is as it was. */
bool figure_place_draw(struct figure_place *f, const struct plot *p, const char *title, struct diag *d);

#endif
