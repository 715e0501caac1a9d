/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 as text, by libmd: the names of configurations and contents. */
#ifndef HEDDLE_STUDY_EXPERIMENT_SHA256_H
#define HEDDLE_STUDY_EXPERIMENT_SHA256_H

#include <stdbool.h>
#include <stddef.h>

#define SHA256_TEXT 65 /* 64 hex digits and the end */

void sha256_text(const void *data, size_t size, char hex[SHA256_TEXT]);
/* Of a whole file. False with errno if it cannot be read. */
bool sha256_file(const char *path, char hex[SHA256_TEXT]);

#endif
