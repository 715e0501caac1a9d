/* SPDX-License-Identifier: Apache-2.0 */
/* Layout of a figure: title and legend in a strip on top, panels in rows below. */
#ifndef HEDDLE_STUDY_FIGURES_LAYOUT_H
#define HEDDLE_STUDY_FIGURES_LAYOUT_H

#include "study/figures/plot.h"

/* A box as shares of the figure, from the lower left corner. */
struct box {
    double left, right, bottom, top;
};

/* The unit in which an axis is drawn: that of the data, or where its numbers have five digits and more, a larger one.
 * The file's own units stay: those of y, ranges and references. The data of the figure keeps its unit. */
struct axis_unit {
    const char *name; /* "": none */
    double size;      /* of one in the unit of the data */
};

struct layout {
    int width, height; /* pixels, 96 a inch */
    double scale;      /* size of the font against 9 points, which margins and gaps follow */
    char *title;       /* one or two lines */
    double title_at;
    struct box legend;     /* top = bottom: no legend */
    size_t legend_columns; /* most entries side by side */
    struct box *panel;
    char **x_label, **y_label;           /* by panel; "" where a neighbour has the same label */
    double (*x_range)[2], (*y_range)[2]; /* by panel, in the unit of the data; NaN: open */
    struct axis_unit x_unit, *y_unit;    /* y: by panel */
    int x_base;                          /* base of a logarithmic axis; 0: linear */
    bool rotates;                        /* category names are too long to stand side by side */
};

void layout_make(const struct plot *p, const char *title, struct layout *l);
void layout_free(struct layout *l);

/* Returns the distance of tics on a linear x axis of numbers, so that their texts stand apart; 0: gnuplot chooses. It is in the
 * unit of the data. */
double layout_step(const struct plot *p, const struct layout *l, size_t panel);

/* Returns the width of a bar on x, and how far the bars of the series stand from the middle of their category;
 * PLOT_ALL_SERIES: of all bars of a category together. */
double layout_bar(const struct plot *p, size_t series, double *shift);

#endif
