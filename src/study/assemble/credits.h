/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that data can retrace the paths of its credits (AM-11), and computes the queue bound that follows (XP-9). */
#ifndef HEDDLE_STUDY_ASSEMBLE_CREDITS_H
#define HEDDLE_STUDY_ASSEMBLE_CREDITS_H

#include "fabric/credit_bound.h"
#include "study/assemble/assemble.h"

/* Call after assemble_nodes. Fails if a credit transport needs symmetric paths, and two racks have different choices
 * for each other, or the balancer chooses for each direction on its own and no path is recorded. */
bool credits_check(const struct assembly *a, const struct config *c, struct diag *d);

/* Returns the bound of every port's data queue; NULL if no transport has credits. A sender that keeps credits for one
 * round trip counts with that of an idle fabric. The caller frees it with credit_bound_destroy. */
struct credit_bound *credits_bound(const struct assembly *a);

#endif
