/* SPDX-License-Identifier: Apache-2.0 */
/* A figure that is asked for on the command line: `heddle plot RESULTS.db METRIC by KEY` makes the `figure` block that a file
 * would hold, from the sweep that the stored runs have.
 *
 * The key may be given by its last part: `load` for workload.0.load. What is not said is chosen:
 *     kind     with a key lines, or bars where its values are words; without one the cdf of a summary (fct_us.mice), or
 *              samples over time (queue.max)
 *     series   all other swept keys with several values, the scheme, balancer or transport first; `host` for samples of hosts
 */
#ifndef HEDDLE_STUDY_FIGURES_ASK_H
#define HEDDLE_STUDY_FIGURES_ASK_H

#include "study/experiment/figure.h"
#include "study/store/store_reader.h"

struct figure_ask {
    const char *metric;
    const char *name;          /* of the files; NULL: METRIC-by-KEY */
    const char *key;           /* on x; NULL: none */
    const char *kind;          /* NULL: chosen */
    const char *const *series; /* keys; n_series 0: chosen */
    size_t n_series;
    const char *const *panels;
    size_t n_panels;
    const char *const *of; /* "KEY=VALUE": only these runs; values of one key add up */
    size_t n_of;
    const char *const *look; /* "KEY=VALUE" of the block: "log=y", "width=8.5cm" */
    size_t n_look;
};

/* Returns the block for the runs of one experiment, with these axes; NULL after filling *d. tree_free frees it. */
struct tree_node *figure_ask_block(const struct figure_ask *q, const struct store_reader *store, size_t experiment,
                                   const struct figure_axes *axes, struct diag *d);

#endif
