/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of flows by size that an experiment names: measure.classes.
 *
 * [100KB, 10MB] makes under_100KB, 100KB_to_10MB and from_10MB. A size is written with the largest unit of 1000 that
 * divides it, and never with a point: names are parts of a metric's path.
 */
#ifndef HEDDLE_STUDY_CONFIG_SIZE_CLASSES_H
#define HEDDLE_STUDY_CONFIG_SIZE_CLASSES_H

#include "measure/result.h"
#include "study/config/config.h"

#define SIZE_CLASS_NAME_MAX 64
#define SIZE_NAME_MAX 24

/* False after filling *d: too many, or not ascending. */
bool size_classes_read(const struct config *c, struct size_classes *sizes, struct diag *d);
/* A single size, written so: 8KB. Returns buf. */
const char *size_name(uint64_t bytes, char buf[SIZE_NAME_MAX]);
/* Returns buf. */
const char *size_class_name(const struct size_classes *sizes, uint32_t class, char buf[SIZE_CLASS_NAME_MAX]);

#endif
