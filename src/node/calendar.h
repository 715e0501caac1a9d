/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlines of the far future, in buckets of equal width and unsorted within a bucket. When the heap of near deadlines
 * (node/deadlines.h) is empty, it takes the earliest bucket.
 *
 *     from        from + 1 width    ...            from + 64 widths
 *     | bucket        | bucket          | ...  bucket | beyond
 *
 * A deadline in a bucket is written once and not touched until its bucket is taken. In a heap of thousands each
 * insertion or removal would move several others, whose connections are in no cache. If all buckets are empty, or the
 * bucket to be taken ends after the first deadline beyond, all deadlines are spread over buckets of a new width.
 */
#ifndef HEDDLE_NODE_CALENDAR_H
#define HEDDLE_NODE_CALENDAR_H

#include "base/types.h"

#include <stddef.h>

struct connection;

struct deadline {
    time_ps at;
    struct connection *of;
};

/* A connection holds the place of its deadline. In the calendar that is PLACE_IN_CALENDAR, the number of the bucket and
 * the index in it. */
#define PLACE_NONE UINT32_MAX
#define PLACE_IN_CALENDAR 0x80000000u

static inline uint32_t *deadline_place(struct connection *c, uint32_t place_at) {
    return (uint32_t *)((char *)c + place_at);
}

#define CALENDAR_BUCKETS 64

struct bucket {
    struct deadline *entry;
    uint32_t n, size;
};

struct calendar {
    time_ps from;                               /* start of the first bucket */
    time_ps horizon;                            /* for its owner (node/deadlines.h) */
    time_ps beyond_first;                       /* lower bound of the deadlines beyond the buckets */
    uint64_t filled;                            /* bit i: bucket i is not empty */
    uint32_t n;                                 /* deadlines in all buckets and beyond */
    uint32_t shift;                             /* the width of a bucket is 2^shift ps */
    uint32_t first;                             /* first bucket in time; the others follow in a ring */
    uint32_t place_at;                          /* offset of the place in a connection */
    struct bucket bucket[CALENDAR_BUCKETS + 1]; /* the last one has the deadlines beyond */
};

/* Returns an empty calendar, which the caller owns. */
struct calendar *calendar_create(uint32_t place_at);
void calendar_destroy(struct calendar *c);
uint64_t calendar_bytes(const struct calendar *c);

/* Adds a deadline, which must not be earlier than `from`. */
void calendar_add(struct calendar *c, struct deadline d);
/* Removes the deadline at `place`. */
void calendar_remove(struct calendar *c, uint32_t place);
/* Adds n deadlines, which may be earlier than `from`, and spreads all deadlines over new buckets. */
void calendar_spread(struct calendar *c, const struct deadline *d, uint32_t n);
/* Returns the earliest bucket with deadlines and moves `from` to its end; the caller then calls calendar_taken, which
 * empties it. The calendar must not be empty. */
struct bucket *calendar_take(struct calendar *c);
void calendar_taken(struct calendar *c, struct bucket *b);

#endif
