/* SPDX-License-Identifier: Apache-2.0 */
/* Totals of ports and buffers, over the nodes of this rank. Marks must be taken. */
#ifndef HEDDLE_SIM_OBSERVE_COLLECT_PORTS_H
#define HEDDLE_SIM_OBSERVE_COLLECT_PORTS_H

#include "sim/engine/world.h"
#include "sim/observe/marks.h"

/* Fills the rows of ports. */
void collect_ports(const struct world *w, struct run_result *r);
/* Fills the rows of switches (r->buffer) from those of ports. */
void collect_buffers(const struct world *w, struct run_result *r);

/* Sets the averages of a port over `time`, in which it counted what *span says. */
void port_total_average(struct port_total *t, const struct port_span *span, int64_t rate_bps, span_ps time);
/* Set the utilisation of links by tier; return that of the links that measure.watch names. port[n_ports] by global number. */
void links_average(const struct world_config *config, const struct port_total *port, size_t n_ports,
                   struct link_use use[TIER_COUNT]);
struct link_use watched_average(const struct world_config *config, const struct port_total *port);
/* Adds the ports to the queues of their places, which are zero; returns the queues of all ports of switches. */
struct queue_use queues_by_place(const struct fabric *f, const struct port_total *port, size_t n_ports,
                                 struct queue_use place[QUEUE_PLACES]);

#endif
