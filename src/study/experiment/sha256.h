/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 as text, by libmd: identities of configurations and file contents. */
#ifndef HEDDLE_STUDY_EXPERIMENT_SHA256_H
#define HEDDLE_STUDY_EXPERIMENT_SHA256_H

#include <stdbool.h>
#include <stddef.h>

#define SHA256_TEXT 65 /* 64 hex digits and the final 0 */

void sha256_text(const void *data, size_t size, char hex[SHA256_TEXT]);
/* Hashes a whole file. Returns false with errno set if it cannot be read, and *why says the reason (input_open). */
bool sha256_file(const char *path, char hex[SHA256_TEXT], const char **why);

#endif
