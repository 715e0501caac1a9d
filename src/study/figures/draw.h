/* SPDX-License-Identifier: Apache-2.0 */
/* A plot as files: NAME.csv, NAME.gp, and what gnuplot makes of them, NAME.svg and NAME.pdf.
 *
 * The CSV file has a row for each point (panel, series, x, y, least and largest over seeds, their number); the .gp
 * script reads it and nothing else, so that (cd DIR && gnuplot NAME.gp) makes the figure again. Texts of the experiment
 * stand in the script as quoted strings only. A table is a CSV file alone, x as rows, series as columns.
 *
 * A script ends in a seal, the hash of what stands above it: one that a user changed is recognised and kept.
 */
#ifndef HEDDLE_STUDY_FIGURES_DRAW_H
#define HEDDLE_STUDY_FIGURES_DRAW_H

#include "study/figures/plot.h"

#include <stdio.h>

/* Writes NAME.csv: points, or the table. */
void draw_data(FILE *out, const struct plot *p);
/* Writes NAME.gp. False if it could not be written. */
bool draw_script(FILE *out, const struct plot *p, const char *title, const char *name);

enum draw_script_state { SCRIPT_FOREIGN, SCRIPT_OURS, SCRIPT_RESTYLED };
/* Whose script is it: nobody's we know, as heddle wrote it, or heddle's and changed since. */
enum draw_script_state draw_script_state(FILE *in);

/* Runs gnuplot on NAME.gp in `dir`, which errors call `shown`. False if it is not installed, fails, or leaves no
 * picture. */
bool draw_pictures(const char *dir, const char *name, const char *shown, struct diag *d);

/* Is gnuplot there? */
bool draw_possible(struct diag *d);

#endif
