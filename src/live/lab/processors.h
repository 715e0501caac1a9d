/* SPDX-License-Identifier: Apache-2.0 */
/* Which processors a lab uses for what, where no link has a rate that software keeps.
 *
 * Each thread of the switches gets a processor to itself, and hosts receive on the others (receive packet steering).
 * Otherwise the thread that sends a frame carries out the receiver's TCP too, which is more than half of its time, and the
 * scheduler moves the thread about as its frames wake hosts (docs/notebook). Where there are no more processors than
 * threads, nothing is divided: threads run anywhere, and hosts receive on all processors.
 */
#ifndef HEDDLE_LIVE_LAB_PROCESSORS_H
#define HEDDLE_LIVE_LAB_PROCESSORS_H

#include "base/types.h"

#include <sched.h>

#define PROCESSORS_MASK_MAX (CPU_SETSIZE / 32 * 9 + 1)

/* `receive` is the mask of the processors that receive for hosts, in the form of rps_cpus: hexadecimal words of 32 bits
 * with commas between them, the word of the highest processors first. */
struct processors {
    uint32_t n;                      /* processors of the threads; 0: they run anywhere */
    uint32_t of_thread[CPU_SETSIZE]; /* [n] */
    char receive[PROCESSORS_MASK_MAX];
};

/* Divides the allowed processors. The highest ones, which serve fewest interrupts, belong to the threads. */
void processors_divide(const cpu_set_t *allowed, uint32_t threads, struct processors *p);

#endif
