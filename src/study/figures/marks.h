/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the references of a plot in a gnuplot script: lines and bands as objects of a panel, functions as curves.
 *
 * A mark that names a series has its colour; any other is grey, and on bars all marks have one colour that no bar has.
 */
#ifndef HEDDLE_STUDY_FIGURES_MARKS_H
#define HEDDLE_STUDY_FIGURES_MARKS_H

#include "study/figures/layout.h"

#include <stdio.h>

/* Widens the range of the values of a panel ({least, greatest}) by those of its marks. */
void marks_extend(const struct plot_panel *panel, double range[2]);
/* Returns true if the panel has a line or a band at values. */
bool marks_have_values(const struct plot_panel *panel);

/* Prints the commands that set or unset the lines and bands of panel i. */
void marks_set(FILE *out, const struct plot *p, const struct layout *l, size_t i);
void marks_unset(FILE *out, const struct plot_panel *panel);

/* Returns the colour of a mark; the series are coloured by draw.c. */
const char *marks_colour(const struct plot *p, const struct plot_mark *m);

/* Returns entry i of the legend, NULL behind the last: marks with a label, one for equal labels of equal look. */
const struct plot_mark *marks_legend(const struct plot *p, size_t i);
/* Prints the look of a legend entry, "with lines ...". */
void marks_look(FILE *out, const struct plot *p, const struct plot_mark *m);

#endif
