/* The timeline of single flows (measure: {flow: [..]}): what happened to each of their frames, hop by hop.
 *
 * Recorded in a bounded list per thread, merged after the run, printed by `heddle flow` one line an entry:
 *
 *           12.345678 us  tor0.1 to agg0.1          enqueued   data 2920+1460  backlog 4554 B
 *
 * Names of nodes and ports come from the caller, since measure does not see the fabric.
 */
#ifndef HEDDLE_MEASURE_TIMELINE_H
#define HEDDLE_MEASURE_TIMELINE_H

#include "measure/result.h"

#define TIMELINE_LINE_MAX 256

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

struct timeline_names {
    const char *(*node)(const void *context, uint32_t node, char *buf, size_t size);
    const char *(*port)(const void *context, uint32_t node, uint32_t port, char *buf, size_t size); /* may be NULL */
    const void *context;
};

/* One line without newline; returns buf. TIMELINE_LINE_MAX bytes are enough for names of 64. */
const char *timeline_line(const struct timeline_entry *e, const struct timeline_names *names, char *buf, size_t size);
const char *timeline_kind_name(enum timeline_kind kind);

#endif
