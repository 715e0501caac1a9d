/* SPDX-License-Identifier: Apache-2.0 */
/* Totals of flow control: which ports were paused, for how long, and which frames waited meanwhile.
 *
 * Pause frames: sent = obeyed + dropped + under way, the last found by walking links and ports.
 */
#ifndef HEDDLE_SIM_COLLECT_PAUSES_H
#define HEDDLE_SIM_COLLECT_PAUSES_H

#include "sim/build.h"

/* Fills r->pauses; false: the books do not balance, *text says how. After collect_ports. */
bool collect_pauses(const struct world *w, struct run_result *r, char *text, size_t size);

#endif
