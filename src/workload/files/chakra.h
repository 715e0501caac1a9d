/* SPDX-License-Identifier: Apache-2.0 */
/* Execution traces of Chakra, of all ranks. Private to workload.
 *
 * A file for each rank, NAME.0.et, NAME.1.et, ..., plain or compressed by gzip: a varint length and a message, again and
 * again; first metadata, then nodes (chakra.proto). Nodes are computations (their duration; 0 is 1 ns), accesses to memory
 * (likewise), sends, receives, and collectives of all ranks. A node waits for its data_deps, which may refer forward; its
 * ctrl_deps are not followed, as ASTRA-sim's feeder does not follow them. Attributes may have any integer type.
 *
 * A rank has one computation at a time on its GPU, one on its CPU (is_cpu_op) and one access to memory. Communications do not
 * wait for each other unless a node says so. A collective is carried out as ASTRA-sim's ring: an all-reduce in 2 (n - 1) steps of a
 * share, a reduce-scatter and an all-gather in n - 1 (comm_size of an all-gather is the share of one rank), and an all-to-all
 * directly, a share to each. The k-th collective of one rank is the k-th of all others.
 *
 * What cannot be carried out is refused: collectives of some ranks (pg_name), broadcasts and barriers, and work whose
 * duration is not in the trace (num_ops, tensor_size).
 */
#ifndef HEDDLE_WORKLOAD_CHAKRA_H
#define HEDDLE_WORKLOAD_CHAKRA_H

#include "workload/files/operations.h"

#define CHAKRA_RANKS_MAX 65536

/* The bytes of a file. */
struct chakra_file {
    char *bytes;
    size_t size;
};

/* Returns the bytes of a file, decompressed if they are compressed by gzip; the caller frees them. NULL after filling *d. */
char *chakra_inflate(const char *bytes, size_t size, const char *path, size_t *n, struct diag *d);

/* Fills *o, which the caller has begun and frees, from the traces of n ranks. Returns false after filling *d. */
bool chakra_read(struct operations *o, const struct chakra_file *file, uint32_t n, struct diag *d);

#endif
