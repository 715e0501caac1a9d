/* SPDX-License-Identifier: Apache-2.0 */
/* Where the parts of a figure stand: title and legend in a strip of their own on top, panels in rows below. */
#ifndef HEDDLE_STUDY_FIGURES_LAYOUT_H
#define HEDDLE_STUDY_FIGURES_LAYOUT_H

#include "study/figures/plot.h"

/* In parts of the whole, from the lower left corner. */
struct box {
    double left, right, bottom, top;
};

struct layout {
    int width, height; /* pixels */
    char *title;       /* of one or two lines */
    double title_at;
    struct box legend; /* top = bottom: there is none */
    struct box *panel;
    char **x_label, **y_label;           /* of each panel; "" where its neighbour says it */
    double (*x_range)[2], (*y_range)[2]; /* of each; NaN: open */
    int x_base;                          /* of the logarithm; 0: linear */
    bool rotates;                        /* categories are too long to stand side by side */
};

void layout_make(const struct plot *p, const char *title, struct layout *l);
void layout_free(struct layout *l);

#endif
