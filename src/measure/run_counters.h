/* SPDX-License-Identifier: Apache-2.0 */
/* Counters that every run has, whatever its mechanisms: drops by cause, and sums of the counters of flows.
 *
 * The results have them under `counters`, beside the counters of the mechanisms in use; docs/results.md is generated
 * from these rows. A new cause of drops needs a value of enum drop_cause (base/views.h) and a row of drop_counters. A
 * new counter needs a value of enum run_counter, a row, and a line that counts it (sim/observe/collect.c).
 */
#ifndef HEDDLE_MEASURE_RUN_COUNTERS_H
#define HEDDLE_MEASURE_RUN_COUNTERS_H

#include "base/param.h"
#include "base/views.h"

/* Indexed by enum drop_cause; DROP_NONE has no row. */
extern const struct counter drop_counters[DROP_COUNT];

enum run_counter {
    RUN_TIMEOUTS_SYN,
    RUN_TIMEOUTS_SYNACK,
    RUN_TIMEOUTS_DATA,
    RUN_TIMEOUTS_SPURIOUS,
    RUN_FAST_RECOVERIES,
    RUN_DUPLICATES_RECEIVED,
    RUN_CE_RECEIVED,
    RUN_FRAMES_AFTER_END,
    RUN_TIMELINE_LEFT_OUT, /* must be last: only runs that left entries out have it */
    RUN_COUNTERS
};
extern const struct counter run_counters[RUN_COUNTERS];

#endif
