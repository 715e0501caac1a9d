/* `heddle report RESULTS.db --figures DIR`: the figures of all experiments of a store, as files.
 *
 * What is drawn says the experiment's `figure` block: of `experiment_file` if one is given, else the one that the store
 * keeps (heddle run puts it there), else that of the file the experiment was read from. So a store needs nothing
 * beside it, and a block that was changed needs no run.
 */
#ifndef HEDDLE_STUDY_FIGURES_FIGURES_H
#define HEDDLE_STUDY_FIGURES_FIGURES_H

#include "study/store_reader.h"

struct figures_request {
    const char *dir;                          /* made if it is missing */
    const char *experiment_file;              /* NULL = none */
    void (*made)(const char *path);           /* told of every file */
    void (*left_out)(const struct diag *why); /* told of an experiment without a figure */
};

/* False after filling *d: gnuplot is missing, nothing to draw, a figure could not be drawn or written. */
bool figures_draw(const struct store_reader *store, const struct figures_request *q, struct diag *d);

#endif
