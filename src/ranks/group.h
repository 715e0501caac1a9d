/* SPDX-License-Identifier: Apache-2.0 */
/* A group of ranks that carry out one run together (decisions/0020). Its first rank leads it.
 *
 * One thread of each rank calls these functions, always the same one.
 */
#ifndef HEDDLE_RANKS_GROUP_H
#define HEDDLE_RANKS_GROUP_H

#include "ranks/ranks.h"

struct ranks_group {
    const struct ranks *ranks;
    uint32_t rank, size; /* within the group */
    uint32_t first;      /* rank 0 of the group, among all ranks */
    void *members;       /* the library's */
};

/* Divides all ranks into groups of `size` adjacent ones. All ranks must call it; their number is a multiple of it. */
void ranks_group_join(struct ranks_group *g, const struct ranks *r, uint32_t size);

/* Starts to send a message; the data must stay until ranks_group_settle. tag: 0 or 1, of the window. */
void ranks_group_post(const struct ranks_group *g, uint32_t to, uint32_t tag, const void *data, size_t size);
/* Waits until all posted messages with this tag have left. */
void ranks_group_settle(const struct ranks_group *g, uint32_t tag);
/* Waits for a message from any rank of the group; returns its size. */
size_t ranks_group_await(const struct ranks_group *g, uint32_t tag);
/* Receives the message that was awaited. */
void ranks_group_take(const struct ranks_group *g, void *data, size_t size);
/* Sets *least to the least, and each sum to the sum, of what all ranks of the group give. All must call it. */
void ranks_group_reduce(const struct ranks_group *g, int64_t *least, uint64_t *sum, size_t n);
/* Reduce in two steps: `begin` gives this rank's numbers and does not wait; `end` waits for all ranks and sets the outcome. Only one
 * reduction may be under way. */
void ranks_group_reduce_begin(const struct ranks_group *g, int64_t least, const uint64_t *sum, size_t n);
void ranks_group_reduce_end(const struct ranks_group *g, int64_t *least, uint64_t *sum, size_t n);

/* Sends bytes to a rank of the group, or receives as many as were sent. */
void ranks_group_send(const struct ranks_group *g, uint32_t to, const void *data, size_t size);
void ranks_group_receive(const struct ranks_group *g, uint32_t from, void *data, size_t size);

#endif
