/* SPDX-License-Identifier: Apache-2.0 */
/* Flows of a run, packed: a block holds the columns of up to 4,096 rows of the table `flows`.
 *
 * A row of `flows` takes 70 to 75 bytes, of which 25 say how long each of its values is. Rows of one run are much alike: a column of
 * a block is therefore kept as its least value and the distances from it, each of as many bytes as the largest one needs. A value
 * that follows from others is kept as its distance from what they say: the end of a flow from start + FCT, the bytes
 * received from its size, its first data from its start. What is the same for all flows of a block takes 10 bytes of the block.
 *
 * A block, all numbers little-endian:
 *
 *     1 byte     1, the version of this form
 *     for each column of store_columns(STORE_FLOWS), in that order:
 *       1 byte     0: no value is NULL; 1: all are, and the column ends here; 2: some are
 *       1 byte     w, 0 to 8
 *       8 bytes    the least distance
 *       (n + 7) / 8 bytes, if some are NULL: bit i % 8 of byte i / 8 says that the value of row i is NULL
 *       n * w bytes: of each row what its distance exceeds the least one by; 0 of a row whose value is NULL
 *
 * The distance of a value is the value less its guess, modulo 2^64. The guess of `flow` is the place of the row in the block, that of
 * `finished_ps` is start_ps + fct_ps, of `received_bytes` it is bytes, of `first_data_ps` start_ps, of all others 0; a NULL counts
 * as 0 in a guess. Values are not negative, and no guess is 2^63 or more.
 */
#ifndef HEDDLE_STUDY_STORE_FLOW_BLOCK_H
#define HEDDLE_STUDY_STORE_FLOW_BLOCK_H

#include "base/types.h"

#define FLOW_COLUMNS 22
#define FLOW_BLOCK 4096 /* rows of a block at most */

/* The columns that a guess names, as places in store_columns(STORE_FLOWS). */
enum {
    FLOW_AT_FLOW = 0,
    FLOW_AT_START = 4,
    FLOW_AT_BYTES = 5,
    FLOW_AT_FINISHED = 6,
    FLOW_AT_FCT = 7,
    FLOW_AT_RECEIVED = 9,
    FLOW_AT_FIRST_DATA = 20
};

struct flow_block {
    uint32_t n;                              /* rows */
    int64_t value[FLOW_COLUMNS][FLOW_BLOCK]; /* STORE_NULL: none */
};

/* Bytes of a block at most. */
#define FLOW_BLOCK_BYTES_MOST (1 + FLOW_COLUMNS * (10 + (size_t)FLOW_BLOCK / 8 + 8 * (size_t)FLOW_BLOCK))

/* Packs the block's rows into bytes[FLOW_BLOCK_BYTES_MOST]. Returns how many bytes it took. */
size_t flow_block_pack(const struct flow_block *b, uint8_t *bytes);
/* Fills n rows of the block. Returns false if the bytes are no block of so many rows. */
bool flow_block_unpack(struct flow_block *b, uint32_t n, const uint8_t *bytes, size_t size);

#endif
