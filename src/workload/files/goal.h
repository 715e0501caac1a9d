/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules in GOAL, of LogGOPSim and ATLAHS, as text and as binary. Private to workload.
 *
 *   num_ranks 2
 *   rank 0 {
 *   a: calc 1000                      nanoseconds
 *   b: send 4096b to 1 tag 3          also: cpu 1, nic 0; in this order
 *   b requires a                      b starts when a is complete; irequires: when a has started
 *   }
 *   rank 1 {
 *   c: recv 4096b from 0 tag 3
 *   }
 *
 * Ranks stand in their order, and labels above the statements that name them. Tag and cpu are 0 if they are not given. A
 * statement may begin with a comment, // or between slashes and stars. A message of 0 bytes has 1, as in ATLAHS. operations.h
 * says how a schedule is carried out: every send is complete when its message is acknowledged, whatever its size, and sends
 * and receives take no time of a cpu (overheads are not part of GOAL). What we do not have is refused: receives from any
 * rank or with any tag, a second NIC, sends of a rank to itself.
 */
#ifndef HEDDLE_WORKLOAD_GOAL_H
#define HEDDLE_WORKLOAD_GOAL_H

#include "workload/files/operations.h"

#define GOAL_CPUS 256
#define GOAL_RANKS_MAX (1u << 20)

/* Fill *o, which the caller has begun and frees. Return false after filling *d. */
bool goal_text_read(struct operations *o, const char *text, size_t size, struct diag *d);
bool goal_binary_read(struct operations *o, const char *bytes, size_t size, struct diag *d);
/* Returns whether these are the first bytes of a binary schedule. */
bool goal_is_binary(const char *bytes, size_t size);

#endif
