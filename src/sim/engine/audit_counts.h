/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of frames by link and node, in debug builds, from which sim/observe/audit.h checks conservation. In release builds
 * (NDEBUG) AUDIT_COUNT is empty.
 */
#ifndef HEDDLE_SIM_ENGINE_AUDIT_COUNTS_H
#define HEDDLE_SIM_ENGINE_AUDIT_COUNTS_H

#include "base/types.h"

struct audit_counts {
    uint64_t *sent;     /* by global port of the sender */
    uint64_t *arrived;  /* by global port of the receiver */
    uint64_t *consumed; /* by node */
};

/* Adds one to the entry `at` of a list of the partition's counts. */
#ifdef NDEBUG
#define AUDIT_COUNT(part, list, at) ((void)0)
#else
#define AUDIT_COUNT(part, list, at) ((part)->audit ? (void)(part)->audit->list[at]++ : (void)0)
#endif

#endif
