/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries of a result from its rows, for runs of a world and for runs that were carried out elsewhere. */
#ifndef HEDDLE_SIM_OBSERVE_SUMMARISE_H
#define HEDDLE_SIM_OBSERVE_SUMMARISE_H

#include "sim/engine/config.h"

/* Summarises flows, queries, entries and phases (their flows and queries), from r->tally[flows->n]; the run ended at `end`, and r->averaged is set. */
void world_summarise(const struct world_config *config, time_ps end, struct run_result *r);
/* Summarises links and queues, from r->port[] of all ports by global number. */
void world_summarise_ports(const struct world_config *config, struct run_result *r);

#endif
