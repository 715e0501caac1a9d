/* SPDX-License-Identifier: Apache-2.0 */
/* Counters that every run has, whatever its mechanisms: drops by cause, and what flows count.
 *
 * They stand beside the counters of the mechanisms in use under `counters` of the results; docs/results.md is written
 * from these rows. A new cause of drops is a value of enum drop_cause (base/views.h) and a row of drop_counters; a new
 * counter is a value of enum run_counter, its row, and the line that counts it (sim/collect.c).
 */
#ifndef HEDDLE_MEASURE_RUN_COUNTERS_H
#define HEDDLE_MEASURE_RUN_COUNTERS_H

#include "base/param.h"
#include "base/views.h"

/* By enum drop_cause; DROP_NONE has no row. */
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
    RUN_TIMELINE_LEFT_OUT, /* the last: not every run has it */
    RUN_COUNTERS
};
extern const struct counter run_counters[RUN_COUNTERS];

#endif
