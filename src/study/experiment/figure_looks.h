/* SPDX-License-Identifier: Apache-2.0 */
/* The looks of a figure: what it shows of its seeds, its size, its font, and whether its panels share an axis. Part of
 * study/experiment/figure.c. */
#ifndef HEDDLE_STUDY_EXPERIMENT_FIGURE_LOOKS_H
#define HEDDLE_STUDY_EXPERIMENT_FIGURE_LOOKS_H

#include "study/experiment/figure.h"

/* Reads band, share_y, width, height, font and font_size from the block `at`; f->kind is known. False after filling *d. */
bool figure_looks_read(const struct tree_node *at, struct figure *f, struct diag *d);
/* Fails for looks that the figure, read but for them, cannot have. */
bool figure_looks_check(const struct figure *f, struct diag *d);

#endif
