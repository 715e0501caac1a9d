/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline of single flows (measure: {flow: [..]}): the events of each of their frames, hop by hop.
 *
 * Recorded in a bounded list per thread, merged after the run, stored by study, and printed by `heddle flow`, one line
 * per entry.
 */
#ifndef HEDDLE_MEASURE_TIMELINE_H
#define HEDDLE_MEASURE_TIMELINE_H

#include "measure/result.h"

struct timeline {
    struct timeline_entry *entry;
    size_t n, room, max; /* max: most entries kept, the first ones */
    uint64_t left_out;   /* later entries */
};

void timeline_init(struct timeline *t, size_t max); /* 0 = one million */
void timeline_fini(struct timeline *t);
void timeline_add(struct timeline *t, const struct timeline_entry *e);
/* Moves the first `max` entries of n lists with the same bound to r->timeline, sorted by (at, node); entries of one
 * node keep the order in which they were added. So the result does not depend on the number of lists. Returns how many
 * entries were left out. The lists are left empty. */
uint64_t timeline_merge(struct timeline *t, size_t n, struct run_result *r);

/* Return the name as stored and printed: "enqueued", "data". */
const char *timeline_kind_name(enum timeline_kind kind);
const char *timeline_frame_name(enum timeline_frame frame);

#endif
