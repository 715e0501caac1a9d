/* SPDX-License-Identifier: Apache-2.0 */
/* The ways of a frame through a node, and the choice among them. Begin to read here.
 *
 * Each node has one way for the whole run. ways_choose gives it when the world is built; nothing asks again in a slot.
 *
 *   way             file        nodes                                               the frames of a slot
 *   host            host.c      hosts                                               are consumed, one after the other
 *   nics            nics.c      hosts with several NICs                             likewise, each by the NIC of its end
 *   plain           plain.c     switches, unless a row below applies                one after the other through the switch
 *   deferred        deferred.c  ports with queues that only joining frames look at  likewise; services without events
 *   crossbar        crossbar.c  queues at both ends of a crossbar                   the switch runs the slot by itself
 *   ahead           ahead.c     large fabrics, routes that depend on no port        all are routed, then queued, then sent
 *   ahead, carried  ahead.c     the same in huge fabrics                            likewise, without descriptors
 *   observed        observed.c  all, in a partition with an observer                as plain, each shown to the observer
 *
 * All ways of a switch give the same result, bit by bit; tests/sim/ways/ compares them.
 */
#ifndef HEDDLE_SIM_WAYS_WAYS_H
#define HEDDLE_SIM_WAYS_WAYS_H

#include "sim/engine/partition.h"

/* Returns the way of a node. The partition has its scale and its observer. */
enum way way_of(const struct partition *part, const struct sim_node *n);

/* Gives the partition the ways, each of its nodes one of them, and its switches the mode that this way needs. */
void ways_choose(struct partition *part);

/* The ways (sim/engine/way.h: way_fn). */
time_ps way_host(struct partition *part, const struct batch *b, time_ps start, time_ps end);
time_ps way_host_observed(struct partition *part, const struct batch *b, time_ps start, time_ps end);
time_ps way_nics(struct partition *part, const struct batch *b, time_ps start, time_ps end);
time_ps way_nics_observed(struct partition *part, const struct batch *b, time_ps start, time_ps end);
time_ps way_plain(struct partition *part, const struct batch *b, time_ps start, time_ps end);
time_ps way_observed(struct partition *part, const struct batch *b, time_ps start, time_ps end);
time_ps way_deferred(struct partition *part, const struct batch *b, time_ps start, time_ps end);
time_ps way_crossbar(struct partition *part, const struct batch *b, time_ps start, time_ps end);
time_ps way_ahead(struct partition *part, const struct batch *b, time_ps start, time_ps end);
time_ps way_ahead_carried(struct partition *part, const struct batch *b, time_ps start, time_ps end);

#endif
