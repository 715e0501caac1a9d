/* SPDX-License-Identifier: Apache-2.0 */
/* Totals of flow control: which classes were stopped, for how long, and how long frames were blocked meanwhile.
 *
 * Conservation of pause frames: sent = obeyed + dropped + in flight, the last counted by walking links and ports.
 */
#ifndef HEDDLE_SIM_COLLECT_PAUSES_H
#define HEDDLE_SIM_COLLECT_PAUSES_H

#include "sim/build.h"

/* Fills r->pauses. Returns false if the frames do not balance; *text says how. Call it after collect_ports. */
bool collect_pauses(const struct world *w, struct run_result *r, char *text, size_t size);

#endif
