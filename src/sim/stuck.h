/* Why nothing moves any more: which flows are open, in what state, and which queues hold their frames. */
#ifndef HEDDLE_SIM_STUCK_H
#define HEDDLE_SIM_STUCK_H

#include "sim/build.h"

/* One paragraph on the first few stuck flows into buf. */
void stuck_describe(const struct world *w, char *buf, size_t size);

#endif
