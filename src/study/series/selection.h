/* SPDX-License-Identifier: Apache-2.0 */
/* Which flows and queries of a stored run count in its results: measure.from, measure.starts and measure.classes of
 * its own configuration. */
#ifndef HEDDLE_STUDY_SERIES_SELECTION_H
#define HEDDLE_STUDY_SERIES_SELECTION_H

#include "measure/result.h"
#include "measure/selection.h"
#include "study/store/store_reader.h"

struct run_selection {
    struct selection arrivals;
    struct size_classes sizes;
};

/* Returns the selection. A run whose configuration this program cannot read counts all flows. */
struct run_selection run_selection(const struct run_row *run);

/* A class of flows: the flows of a range of sizes. A flow without an end is in no class. */
struct run_class {
    struct size_range sizes;
};

/* Sets *class from its name: "mice", or a class of measure.classes such as "10KB_to_1MB". False if the run has no such
 * class. */
bool run_class_find(const struct run_selection *s, const char *name, struct run_class *class);
/* Returns whether the flow is in the class. */
bool run_class_has(const struct run_class *class, const struct flow_row *x);

/* ---- rows in the order of the table, each with whether it counts ---- */

/* The arrivals of a table of flows or queries. */
struct arrivals {
    const struct selection *selection;
    uint32_t *place; /* [n]; NULL: the selection needs no places */
    uint32_t n, n_started;
    uint32_t at; /* of the next row */
};

/* Reads when the rows of a table start, if the selection depends on it. `table` has a column start_ps. False after
 * filling *d; arrivals_end frees what it holds, also after false. */
bool arrivals_begin(struct arrivals *a, const struct store_reader *r, const struct run_row *run, enum store_table table,
                    const struct selection *s, struct diag *d);
/* Returns whether the next row, which started at start_ps (STORE_NULL: never), counts. */
bool arrivals_next(struct arrivals *a, int64_t start_ps);
void arrivals_end(struct arrivals *a);

#endif
