/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files in an experiment file. */
#ifndef HEDDLE_STUDY_CONFIG_FILE_NAMES_H
#define HEDDLE_STUDY_CONFIG_FILE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Writes "base_dir/name" into buf, or `name` alone if it is absolute or base_dir is empty. Returns buf. */
const char *path_from(const char *base_dir, const char *name, char *buf, size_t size);

#endif
