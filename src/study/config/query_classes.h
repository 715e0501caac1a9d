/* SPDX-License-Identifier: Apache-2.0 */
/* The sizes and sets of an experiment's queries, by which their completion times are told apart.
 *
 * Every size among `responses` and every number among `fanout` of any workload entry makes a class, in ascending order:
 * queries.8KB, queries.sets.20. Sizes are written as in measure.classes.
 */
#ifndef HEDDLE_STUDY_CONFIG_QUERY_CLASSES_H
#define HEDDLE_STUDY_CONFIG_QUERY_CLASSES_H

#include "measure/result.h"
#include "study/config/config.h"

/* False after filling *d: too many different ones. */
bool query_classes_read(const struct config *c, struct query_classes *q, struct diag *d);

#endif
