/* SPDX-License-Identifier: Apache-2.0 */
/* Conservation link by link and node by node: counts of a debug build, beside the totals of every run.
 *
 *   a link:  frames put on it = frames that finished it + frames on it
 *   a node:  made + arrived = sent + dropped + consumed + waiting in its queues
 *
 * Both need a count per frame and hop, which release builds (NDEBUG) leave out: the counts are empty there (sim/engine/audit_counts.h). Checks that need
 * no such counts run at the end of every run in every build (audit_books), so that no wrong result is written:
 *
 *   a port's queues:    frames and bytes by class as counted = those in the queues
 *   an ingress queue:   bytes of the meter that pauses = bytes in the queue; never negative
 *   a partition's pool: frames handed out = on links, in queues and inside switches; extensions at most as many
 *   its connections:    all cells given back once the ends are closed
 *
 * Also sent = delivered + dropped + in flight over all nodes, and the same for credits and for pause frames
 * (sim/observe/collect.c). A run that fails one of these has no result: exit status 3.
 */
#ifndef HEDDLE_SIM_OBSERVE_AUDIT_H
#define HEDDLE_SIM_OBSERVE_AUDIT_H

#include "sim/engine/world.h"

void audit_init(struct audit_counts *a, uint32_t n_ports, uint32_t n_nodes);
void audit_fini(struct audit_counts *a);
/* Returns false after writing which link or node does not balance. Call it after the run, before anything is freed. */
bool audit_check(const struct world *w, char *text, size_t size);
/* Makes the checks that every build makes: returns false after writing which sum of frames does not balance. */
bool audit_books(const struct world *w, char *text, size_t size);
/* After all ends are closed: returns false after writing which transport kept cells. */
bool audit_ends(const struct world *w, char *text, size_t size);

#endif
