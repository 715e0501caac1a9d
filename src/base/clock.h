/* SPDX-License-Identifier: Apache-2.0 */
/* The monotonic clock of the machine, for what the program tells about its own time. No result depends on it. */
#ifndef HEDDLE_BASE_CLOCK_H
#define HEDDLE_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Returns nanoseconds since some fixed moment. */
static inline int64_t clock_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Returns nanoseconds of processor time that this thread has had. */
static inline int64_t clock_thread_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Returns the nanoseconds of clock_ns in seconds. */
static inline double clock_s(void) { return (double)clock_ns() / 1e9; }

#endif
