/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of a live loop, and its waits: shared by all loops.
 *
 *    time_ps now = pace_now(&epoch);                 CLOCK_MONOTONIC since the epoch
 *    pace_wait(fd, n, pace_span(due - now, spin));   until a descriptor is readable, or a little before `due`
 *
 * A wait costs about as much as PACE_SPIN and ends 20 to 90 us late. So a loop with fast links polls for that long before
 * it waits, and ends a wait that long before the next due time. On links of less than PACE_SPIN_BPS a full frame takes
 * longer than a wait is late: a loop without faster links does not spin, and leaves the processor to the hosts.
 */
#ifndef HEDDLE_LIVE_PACE_H
#define HEDDLE_LIVE_PACE_H

#include "base/types.h"

#include <poll.h>
#include <time.h>

#define PACE_SPIN (20 * PS_PER_US)
#define PACE_SPIN_BPS 200000000LL
#define PACE_WAIT_MAX (100 * PS_PER_MS) /* so that the loop sees the stop flag */

static inline time_ps pace_now(const struct timespec *epoch) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (t.tv_sec - epoch->tv_sec) * PS_PER_S + (t.tv_nsec - epoch->tv_nsec) * PS_PER_NS;
}

/* Returns how long to wait for an event due in `left`: at most PACE_WAIT_MAX; 0 or less: poll again instead. */
static inline span_ps pace_span(span_ps left, span_ps spin) { return min_i64(left, PACE_WAIT_MAX) - spin; }

/* Returns how long a loop spins whose fastest link has this rate. */
static inline span_ps pace_spin(int64_t fastest_bps) { return fastest_bps < PACE_SPIN_BPS ? 0 : PACE_SPIN; }

/* Waits for `span` at most, or until a descriptor is readable. */
static inline void pace_wait(struct pollfd *fd, nfds_t n, span_ps span) {
    struct timespec t = {.tv_sec = span / PS_PER_S, .tv_nsec = span % PS_PER_S / PS_PER_NS};
    ppoll(fd, n, &t, NULL);
}

#endif
