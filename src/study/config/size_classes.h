/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of flows by flow size, which an experiment names in measure.classes.
 *
 * [100KB, 10MB] makes under_100KB, 100KB_to_10MB and from_10MB. A name writes a size in the largest unit that divides it,
 * so never with a point: names are parts of a metric's path. Multiples of 1000 have units of 1000 (8000 B: 8KB), all other
 * sizes units of 1024 (8192 B: 8KiB; 1500 B: 1500B). Each name stands for one size, and each size has one name.
 */
#ifndef HEDDLE_STUDY_CONFIG_SIZE_CLASSES_H
#define HEDDLE_STUDY_CONFIG_SIZE_CLASSES_H

#include "measure/result.h"
#include "study/config/config.h"

#define SIZE_CLASS_NAME_MAX 64
#define SIZE_NAME_MAX 24

/* Fills *sizes; false after filling *d if there are too many sizes or they do not ascend. */
bool size_classes_read(const struct config *c, struct size_classes *sizes, struct diag *d);
/* Writes a size as a name does: 8KB, 8KiB. Returns buf. */
const char *size_name(uint64_t bytes, char buf[SIZE_NAME_MAX]);
/* Writes the name of class `class`, at most n_edges. Returns buf. */
const char *size_class_name(const struct size_classes *sizes, uint32_t class, char buf[SIZE_CLASS_NAME_MAX]);

#endif
