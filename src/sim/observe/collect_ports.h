/* SPDX-License-Identifier: Apache-2.0 */
/* Totals of ports and buffers, over the nodes of this rank. Marks must be taken. */
#ifndef HEDDLE_SIM_OBSERVE_COLLECT_PORTS_H
#define HEDDLE_SIM_OBSERVE_COLLECT_PORTS_H

#include "sim/engine/world.h"

/* Fills the rows of ports. */
void collect_ports(const struct world *w, struct run_result *r);
/* Fills the rows of switches (r->buffer) from those of ports. */
void collect_buffers(const struct world *w, struct run_result *r);

#endif
