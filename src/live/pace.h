/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of a live loop, and how it waits: the part that all loops share.
 *
 *     time_ps now = pace_now(&epoch);                 CLOCK_MONOTONIC since the epoch
 *     pace_wait(fd, n, due - now);                    until a descriptor is readable, or a little before `due`
 *
 * A wait costs about as much as PACE_SPIN and ends 20 to 90 us late. So a loop looks again for that long before it
 * waits, and waits until that long before something is due.
 */
#ifndef HEDDLE_LIVE_PACE_H
#define HEDDLE_LIVE_PACE_H

#include "base/types.h"

#include <poll.h>
#include <time.h>

#define PACE_SPIN (20 * PS_PER_US)
#define PACE_WAIT_MAX (100 * PS_PER_MS) /* to see that the loop is to stop */

static inline time_ps pace_now(const struct timespec *epoch) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (t.tv_sec - epoch->tv_sec) * PS_PER_S + (t.tv_nsec - epoch->tv_nsec) * PS_PER_NS;
}

/* Returns how long to wait if something is due in `left`: at most PACE_WAIT_MAX; 0 or less: look again instead. */
static inline span_ps pace_span(span_ps left) { return min_i64(left, PACE_WAIT_MAX) - PACE_SPIN; }

/* Waits for `span` at most, or until one of the descriptors is readable. */
static inline void pace_wait(struct pollfd *fd, nfds_t n, span_ps span) {
    struct timespec t = {.tv_sec = span / PS_PER_S, .tv_nsec = span % PS_PER_S / PS_PER_NS};
    ppoll(fd, n, &t, NULL);
}

#endif
