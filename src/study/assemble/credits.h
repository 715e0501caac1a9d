/* SPDX-License-Identifier: Apache-2.0 */
/* What credit transports ask of an experiment: ways that data can retrace (AM-11), and what then bounds queues (XP-9).
 */
#ifndef HEDDLE_STUDY_ASSEMBLE_CREDITS_H
#define HEDDLE_STUDY_ASSEMBLE_CREDITS_H

#include "fabric/credit_bound.h"
#include "study/assemble/assemble.h"

/* After fabric and nodes. Fails if credits are used where the racks of a pair have different choices for each other, or
 * where ECMP hashes each direction by itself and nobody records the path. */
bool credits_check(const struct assembly *a, const struct config *c, struct diag *d);

/* The bound of every port's data queue with these settings; NULL if no transport has credits. Of a sender that keeps
 * credits for one round trip, that of an idle fabric counts. */
struct credit_bound *credits_bound(const struct assembly *a);

#endif
