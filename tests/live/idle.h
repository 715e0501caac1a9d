/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the threads of a test wait while they have nothing to do. */
#ifndef HEDDLE_TESTS_LIVE_IDLE_H
#define HEDDLE_TESTS_LIVE_IDLE_H

#include <sys/resource.h>
#include <unistd.h>

#include "unit.h"

/* Returns how often the other threads have given up the processor of their own accord: a loop that polls never does. */
static inline long idle_waits(void) {
    struct rusage all, mine;
    getrusage(RUSAGE_SELF, &all);
    getrusage(RUSAGE_THREAD, &mine);
    return all.ru_nvcsw - mine.ru_nvcsw;
}

/* Fails unless the other threads begin to wait within some seconds. */
static inline void assert_others_wait(void) {
    long before = idle_waits();
    for (int i = 0; i < 400 && idle_waits() < before + 1; i++) usleep(10000);
    assert_true(idle_waits() >= before + 1);
}

#endif
