/* SPDX-License-Identifier: Apache-2.0 */
/* The formats in which the flows of a run are written for other programs: a row and a writer each (write_NAME.c).
 *
 * To add one, write a .c file that ends in its table, and add a row to WORKLOAD_FORMATS; `heddle convert` takes it from
 * there. A kind of workload reads what was written: flows, and in cm and goal what each waits for. A writer refuses what
 * its format cannot hold.
 */
#ifndef HEDDLE_WORKLOAD_FORMATS_H
#define HEDDLE_WORKLOAD_FORMATS_H

#include "workload/workload.h"

#include <stdio.h>

#define WORKLOAD_FORMATS(ROW) ROW(hpcc_flows, "hpcc-flows") ROW(cm, "cm") ROW(goal, "goal")

struct workload_format {
    const char *doc;
    const char *entry; /* how an experiment reads it: "kind: trace, format: hpcc" */
    /* Writes the flows between the hosts of a fabric. Returns false after filling *d, without a file, if the format cannot
     * hold them. */
    bool (*write)(const struct flow_list *list, const struct population *p, FILE *out, struct diag *d);
};

#define WORKLOAD_FORMAT_DECLARE(id, name) extern const struct workload_format workload_format_##id;
WORKLOAD_FORMATS(WORKLOAD_FORMAT_DECLARE)
#undef WORKLOAD_FORMAT_DECLARE

/* Returns the format of this name; NULL: there is none. */
const struct workload_format *workload_format_find(const char *name);

/* ---- for writers ---- */

/* Returns false after filling *d if a flow has no end, or is sent at a rate of its own. `format` begins the error. */
bool format_flows_end(const struct flow_list *list, const char *format, struct diag *d);

#endif
