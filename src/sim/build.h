/* SPDX-License-Identifier: Apache-2.0 */
/* Builds a world from its configuration: partitions, nodes, links, flows, observers, and the way of each node. */
#ifndef HEDDLE_SIM_BUILD_H
#define HEDDLE_SIM_BUILD_H

#include "sim/engine/world.h"

/* Returns false after filling *d if a file cannot be written; world_destroy follows all the same. */
bool world_build(struct world *w, const struct world_config *config, struct diag *d);
void world_destroy(struct world *w);

#endif
