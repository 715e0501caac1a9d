/* SPDX-License-Identifier: Apache-2.0 */
/* What credit transports ask of an experiment: ways that data can retrace (AM-11), and what then bounds queues (XP-9).
 */
#ifndef HEDDLE_STUDY_CREDITS_H
#define HEDDLE_STUDY_CREDITS_H

#include "fabric/credit_bound.h"
#include "study/assemble.h"
#include "study/outcome.h"

#include <stdio.h>

/* After fabric and nodes. Fails if credits are used where the racks of a pair have different choices for each other, or
 * where ECMP hashes each direction by itself and nobody records the path. */
bool credits_check(const struct assembly *a, const struct config *c, struct diag *d);

/* The bound of every port's data queue with these settings; NULL if no transport has credits. Of a sender that keeps
 * credits for one round trip, that of an idle fabric counts. */
struct credit_bound *credits_bound(const struct assembly *a);

/* After a run: what queues held against that bound, into r->queue[] and r->queue_bound. Nothing where a transport of
 * the run has no credits, whose data nothing bounds. */
void credits_compare(const struct assembly *a, struct run_result *r);
/* One line if a queue held more. */
void credits_warn(const struct outcome *o, const char *file, uint32_t run, FILE *out);

#endif
