/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a run: what each rank has collected becomes the result of the run. */
#ifndef HEDDLE_SIM_CONCLUDE_H
#define HEDDLE_SIM_CONCLUDE_H

#include "sim/engine/world.h"

/* Fills *r; with a group, the *r of its leader. Returns false if the run does not count; r->failure says why. */
bool world_conclude(struct world *w, struct run_result *r);

#endif
