/* SPDX-License-Identifier: Apache-2.0 */
/* The exchange between ranks: one run partitioned over several processes (decisions/0020).
 *
 * Partitions are numbered over all ranks; those of one rank are adjacent. Threads of a rank exchange frames as those of
 * a single process do. Frames for other ranks are copied into lists by sender and receiver. One thread of the rank
 *
 *     sends each rank that is owed any frames one message, with all frames for it: as soon as the nodes that have a link to
 *     another rank have been run, so that it travels while the other nodes are run; at the latest at the end of the window;
 *     takes part in one small reduction: the least next event, sums of the notices, the number of messages for each rank. It
 *     begins when the messages have left, with the next event as it was when the window before ended; where all need the
 *     sums, at epochs, when the threads of the rank have ended the window;
 *     receives as many messages as the reduction announced; the partitions of the rank copy their frames out of these.
 *
 * A window in which nothing crosses costs the reduction alone, and it also tells all ranks how far they may skip.
 */
#ifndef HEDDLE_SIM_PARALLEL_EXCHANGE_RANKS_H
#define HEDDLE_SIM_PARALLEL_EXCHANGE_RANKS_H

#include "measure/result.h"
#include "sim/parallel/exchange.h"

struct ranks_group;

/* Creates the exchange of a rank (exchange_fini frees it) that has the partitions from first[rank] to before first[rank + 1]. */
void exchange_ranks_init(struct exchange *x, const struct ranks_group *group, const uint32_t *first);

/* Returns what this rank has sent to others so far. */
const struct rank_traffic *exchange_ranks_traffic(const struct exchange *x);
/* Bytes of a frame, and of a message beside its frames, if a rank has one thread and no frame has an extension. */
#define EXCHANGE_FRAME_BYTES sizeof(struct packet)
#define EXCHANGE_MESSAGE_BYTES 64

#endif
