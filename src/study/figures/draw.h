/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a plot as files: NAME.csv and NAME.gp; gnuplot makes NAME.svg, NAME.pdf and NAME.png from them.
 *
 * The CSV file has a row for each point (panel, series, x, y, least and largest over seeds, number of seeds). References
 * stand in the .gp script alone, since they are no results. The script reads no other file, so (cd DIR && gnuplot NAME.gp) makes the figure again. Texts of the experiment appear in
 * the script only as quoted strings. A table is a CSV file alone, with x as rows and series as columns.
 *
 * A script ends in a seal, the hash of the text above it. By the seal heddle recognises a script that a user changed,
 * and keeps it.
 */
#ifndef HEDDLE_STUDY_FIGURES_DRAW_H
#define HEDDLE_STUDY_FIGURES_DRAW_H

#include "study/figures/plot.h"

#include <stdio.h>

/* Returns the colour of a series, "#0072b2", in all figures but bars. */
const char *draw_series_colour(size_t series);

/* Writes NAME.csv: the points, or the table. */
void draw_data(FILE *out, const struct plot *p);
/* Writes NAME.gp. Returns false if it could not be written. */
bool draw_script(FILE *out, const struct plot *p, const char *title, const char *name);

enum draw_script_state { SCRIPT_FOREIGN, SCRIPT_OURS, SCRIPT_RESTYLED };
/* Tells the owner of a script: unknown, heddle, or heddle with later changes. */
enum draw_script_state draw_script_state(FILE *in);

/* Runs gnuplot on NAME.gp in `dir`; errors show the folder as `shown`. Returns false if gnuplot is not installed,
 * fails, or leaves no picture. */
bool draw_pictures(const char *dir, const char *name, const char *shown, struct diag *d);

/* Returns true if gnuplot is installed. Fills *d otherwise. */
bool draw_possible(struct diag *d);

#endif
