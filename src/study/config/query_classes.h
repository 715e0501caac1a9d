/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of an experiment's queries, by response size and by number of queries in a set.
 *
 * Every size in `responses` and every number in `fanout` of any workload entry makes a class, in ascending order:
 * queries.8KB, queries.sets.20. Names write sizes as size_classes.h does.
 */
#ifndef HEDDLE_STUDY_CONFIG_QUERY_CLASSES_H
#define HEDDLE_STUDY_CONFIG_QUERY_CLASSES_H

#include "measure/result.h"
#include "study/config/config.h"

/* Fills *q; false after filling *d if there are too many different sizes or numbers. */
bool query_classes_read(const struct config *c, struct query_classes *q, struct diag *d);

#endif
