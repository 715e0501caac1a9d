/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline of single flows (measure: {flow: [..]}): what happened to each of their frames, hop by hop.
 *
 * Recorded in a bounded list per thread, merged after the run, stored by study and printed by `heddle flow`, a line an
 * entry.
 */
#ifndef HEDDLE_MEASURE_TIMELINE_H
#define HEDDLE_MEASURE_TIMELINE_H

#include "measure/result.h"

struct timeline {
    struct timeline_entry *entry;
    size_t n, room, max; /* the first `max` are kept */
    uint64_t left_out;   /* came after these */
};

void timeline_init(struct timeline *t, size_t max); /* 0 = one million */
void timeline_fini(struct timeline *t);
void timeline_add(struct timeline *t, const struct timeline_entry *e);
/* The first `max` entries of n lists with the same bound into r->timeline, sorted by (at, node), those of a node in the
 * order of adding: the same whatever number of lists they came from. Returns how many were left out. The lists are left
 * empty. */
uint64_t timeline_merge(struct timeline *t, size_t n, struct run_result *r);

/* "enqueued": as stored and printed. */
const char *timeline_kind_name(enum timeline_kind kind);
const char *timeline_frame_name(enum timeline_frame frame);

#endif
