/* SPDX-License-Identifier: Apache-2.0 */
/* Conservation of credits: sent = used + wasted + void + dropped + in flight (DESIGN section 4).
 *
 * The tallies of flows hold the credits sent, used, wasted, and refused by their sender's limiter; ports hold the
 * drops. Credits in flight are counted by walking links and queues; credits that a sender holds count as in flight.
 */
#ifndef HEDDLE_SIM_OBSERVE_COLLECT_CREDITS_H
#define HEDDLE_SIM_OBSERVE_COLLECT_CREDITS_H

#include "sim/engine/world.h"

/* Returns the credits on the links and in the queues of a partition. */
uint64_t credits_under_way(const struct partition *part);
/* Returns the pause frames on the links of a partition. */
uint64_t pauses_on_links(const struct partition *part);
/* Adds what the nodes of this rank have counted so far, all but in_flight. The ends of flows have been settled. */
void credits_count(const struct world *w, struct credit_totals *t);
/* Fills r->credits, over the nodes of this rank. */
void collect_credits(const struct world *w, struct run_result *r);
/* Returns false if the sums do not balance; *text says how. */
bool credits_balance(const struct run_result *r, char *text, size_t size);

#endif
