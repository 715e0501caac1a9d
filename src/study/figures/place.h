/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the files of one figure into the user's folder together: NAME.csv, NAME.gp, NAME.svg, NAME.pdf.
 *
 * The files are made in a temporary folder inside `dir` and moved when gnuplot has drawn, so that earlier files stay
 * until then. Nothing is moved if one of the four paths holds a file of other origin (base/output_file.h). A file
 * counts as ours:
 *  NAME.csv   if it has the same header row
 *  NAME.gp    if its seal is valid. A script that was changed since is kept: the data are replaced, and the changed
 *             script draws them
 *  NAME.svg, NAME.pdf   if gnuplot drew them and a script of heddle lies beside them
 */
#ifndef HEDDLE_STUDY_FIGURES_PLACE_H
#define HEDDLE_STUDY_FIGURES_PLACE_H

#include "study/figures/plot.h"

struct figure_place {
    const char *dir, *name;   /* the folder is created if it is missing */
    const char *const *input; /* input files; figures must not replace them */
    size_t n_input;
    bool force; /* replaces files of other origin too */
    bool kept;  /* result: the script was changed by its user and is kept */
};

/* Draws the plot and moves its files into place. Returns false after filling *d; the folder is then unchanged. */
bool figure_place_draw(struct figure_place *f, const struct plot *p, const char *title, struct diag *d);

#endif
