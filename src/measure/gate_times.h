/* SPDX-License-Identifier: Apache-2.0 */
/* When the gates of a run began and ended (struct gate, base/views.h), worked out afterwards from the ends and starts of its
 * flows: a run keeps no times of gates, and these follow from what it keeps.
 */
#ifndef HEDDLE_MEASURE_GATE_TIMES_H
#define HEDDLE_MEASURE_GATE_TIMES_H

#include "base/tallies.h"

/* TIME_NONE: it did not. A gate that others count, or with a delay, ends `delay` after it began. */
struct gate_times {
    time_ps *begun, *ended; /* [n_gates] */
};

/* Fills *t from the tallies of all flows; the caller frees it by gate_times_free. */
void gate_times_init(struct gate_times *t, const struct gates *gates, struct tallies tally, uint32_t n_flows);
void gate_times_free(struct gate_times *t);

#endif
