/* SPDX-License-Identifier: Apache-2.0 */
/* heddle check --ranks-per-run: how the ranks of one run divide the fabric, and what they are expected to send. */
#ifndef HEDDLE_CMD_CHECK_RANKS_H
#define HEDDLE_CMD_CHECK_RANKS_H

#include "study/assemble/assemble.h"

#include <jansson.h>

/* Print for `ranks` ranks of at most `threads` threads, or of as many as pay if fewer. The ranks must be possible. */
void check_ranks_print(const struct assembly *a, uint32_t ranks, uint32_t threads);
json_t *check_ranks_json(const struct assembly *a, uint32_t ranks, uint32_t threads);

#endif
