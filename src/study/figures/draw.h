/* A plot as files: NAME.csv, NAME.gp, and what gnuplot makes of them, NAME.svg and NAME.pdf.
 *
 * The CSV file has a row for each point (panel, series, x, y, least and largest over seeds, their number); the .gp
 * script reads it and nothing else, so that (cd DIR && gnuplot NAME.gp) makes the figure again. Texts of the experiment
 * stand in the script as quoted strings only. A table is a CSV file alone, x as rows, series as columns.
 *
 * Files are written beside their place and renamed, so that each is whole or as it was.
 */
#ifndef HEDDLE_STUDY_FIGURES_DRAW_H
#define HEDDLE_STUDY_FIGURES_DRAW_H

#include "study/figures/plot.h"

/* Writes DIR/NAME.csv and, if it is no table, DIR/NAME.gp. */
bool draw_files(const struct plot *p, const char *title, const char *dir, const char *name, struct diag *d);
/* Runs gnuplot on DIR/NAME.gp. False if it is not installed, fails, or leaves no picture. */
bool draw_pictures(const char *dir, const char *name, struct diag *d);

/* Is gnuplot there? */
bool draw_possible(struct diag *d);

#endif
