/* SPDX-License-Identifier: Apache-2.0 */
/* Where the settings of a block stand in a configuration.
 *
 * A configuration is a flat list, and most have some hundred settings, which are looked through. One with thousands of
 * workload entries or failed links would then take time with the square of its length. A longer list therefore has an
 * index: a hash table from each path, and from each block or list around it, to the settings from the first to the last in
 * it. Settings of a block follow each other, so these are few.
 */
#ifndef HEDDLE_STUDY_CONFIG_CONFIG_INDEX_H
#define HEDDLE_STUDY_CONFIG_CONFIG_INDEX_H

#include "study/config/config.h"

/* Returns the index of the settings, which config_index_free frees; NULL if they are few. It is valid until one is added. */
struct config_index *config_index_make(const struct config *c);
void config_index_free(struct config_index *x); /* NULL is allowed */

struct config_range {
    size_t first, end; /* of c->setting */
};
/* Returns a range that holds all settings whose path is `path`, or lies in it, or may match it: a pattern has `*` for names.
 * It may hold others too. */
struct config_range config_range(const struct config *c, const char *path);

#endif
