/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlines further ahead, sorted into buckets of equal time but not within them. What keeps the next ones in order
 * (node/deadlines.h) takes a bucket when it has none left.
 *
 *     from        from + 1 width    ...            from + 64 widths
 *     | bucket        | bucket          | ...  bucket | beyond
 *
 * A deadline that goes into a bucket is written once, and not touched until its bucket's time has come; in a heap of
 * thousands each that comes or goes moves a handful of others, all of connections that no cache holds. When the first
 * of those beyond comes into reach, all are spread anew, over as much time as they then take.
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

/* Where a deadline stands is kept in its connection; in a bucket that is its number and its place there. */
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
    time_ps from;                               /* of the first bucket */
    time_ps beyond_first;                       /* none of those beyond is earlier */
    uint64_t filled;                            /* bit i: bucket i is not empty */
    uint32_t n;                                 /* in all */
    uint32_t shift;                             /* a bucket's time is 2^shift ps */
    uint32_t first;                             /* bucket, the others follow in a ring */
    uint32_t place_at;                          /* offset of the place in a connection */
    struct bucket bucket[CALENDAR_BUCKETS + 1]; /* the last: those beyond */
};

/* Owned by the caller. */
struct calendar *calendar_create(uint32_t place_at);
void calendar_destroy(struct calendar *c);
uint64_t calendar_bytes(const struct calendar *c);

/* Not earlier than `from`. */
void calendar_add(struct calendar *c, struct deadline d);
/* The one that stands at `place`. */
void calendar_remove(struct calendar *c, uint32_t place);
/* Takes these, which may be earlier than `from`, too, and spreads all anew. */
void calendar_spread(struct calendar *c, const struct deadline *d, uint32_t n);
/* The earliest bucket, which its caller empties with calendar_taken; `from` is when the next begins. There is one. */
struct bucket *calendar_take(struct calendar *c);
void calendar_taken(struct calendar *c, struct bucket *b);

#endif
