/* SPDX-License-Identifier: Apache-2.0 */
/* How many cores a process has for its threads. */
#ifndef HEDDLE_BASE_CORES_H
#define HEDDLE_BASE_CORES_H

#include "base/diag.h"

#define CORES_VARIABLE "HEDDLE_CORES" /* of the environment: says how many cores a process shall count on */
#define CORES_MOST 65536

/* Returns the number of cores that this process may use (sched_getaffinity); 0: not known. */
uint32_t cores_allowed(void);

/* Fills *cores with the number that one of `sharing` processes on this machine counts on: what HEDDLE_CORES says, or the
 * cores that it may use. If it may use all of the machine, then so may the others, and each gets its share, one at least. 0:
 * not known. Returns false after filling *d if HEDDLE_CORES is no number from 1 to CORES_MOST. */
bool cores_count(uint32_t sharing, uint32_t *cores, struct diag *d);

#endif
