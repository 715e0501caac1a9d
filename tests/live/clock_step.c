/* SPDX-License-Identifier: Apache-2.0 */
/* Steps the clocks of one process and its children: LD_PRELOAD=clock_step.so CLOCK_STEP=FILE.
 *
 * FILE holds two native 64-bit integers, which every call reads: the seconds by which the time of day is ahead, and
 * those by which the monotonic clock is ahead. Setting the clock of a machine steps only the first. A test steps the
 * second to check that a process reads its time from here.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { OF_DAY, MONOTONIC, STEPS };

static const volatile int64_t *steps;

__attribute__((constructor)) static void steps_map(void) {
    const char *path = getenv("CLOCK_STEP");
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *at = fd >= 0 ? mmap(NULL, STEPS * sizeof *steps, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (fd >= 0) close(fd);
    if (at != MAP_FAILED) steps = at;
}

static time_t step_of(clockid_t clock) {
    if (!steps) return 0;
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI) return steps[OF_DAY];
    if (clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE) return steps[MONOTONIC];
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec *t) {
    int result = (int)syscall(SYS_clock_gettime, clock, t);
    if (result == 0) t->tv_sec += step_of(clock);
    return result;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *t = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *t) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (t) *t = now.tv_sec;
    return now.tv_sec;
}
