/* SPDX-License-Identifier: Apache-2.0 */
/* The ranks of one command: processes on one machine or several that Open MPI has started together.
 *
 * Rank 0 leads: it alone prints and writes the store. A process that was started alone is a single rank without any
 * library behind it. decisions/0020 says who uses ranks for what.
 *
 * The library is loaded at run time, from a module beside the program or in its library folder. So a single process
 * neither starts slower nor needs Open MPI installed.
 */
#ifndef HEDDLE_RANKS_RANKS_H
#define HEDDLE_RANKS_RANKS_H

#include "base/diag.h"

#define RANKS_LEADER 0

struct ranks_ops;

struct ranks {
    uint32_t rank, size;         /* 0 and 1: a single process */
    uint32_t on_machine;         /* ranks on this machine, this one included */
    const struct ranks_ops *ops; /* NULL: a single process */
};

/* Finds the other ranks. Returns false after filling *d if several processes were started that cannot find each other:
 * every process must then end with exit code 2, and the one with r->rank 0 alone says why. */
bool ranks_join(struct ranks *r, struct diag *d);
/* Returns whether the ranks can be divided into groups of `each` for each run; *d says why not. */
bool ranks_divide(const struct ranks *r, uint32_t each, struct diag *d);
/* Waits for all ranks and closes the library. */
void ranks_leave(struct ranks *r);

static inline bool ranks_are_many(const struct ranks *r) { return r && r->size > 1; }
static inline bool ranks_leads(const struct ranks *r) { return !r || r->rank == RANKS_LEADER; }

/* Collects `each` bytes of every rank at the leader, into all[size][each]. All ranks must call it. */
void ranks_gather(const struct ranks *r, const void *one, void *all, size_t each);
/* Copies the leader's data to all ranks. All ranks must call it. */
void ranks_spread(const struct ranks *r, void *data, size_t size);

/* Notes are small messages of one size, agreed by sender and receiver; a note may announce bytes, which follow. */
bool ranks_poll(const struct ranks *r, uint32_t *from);
void ranks_send(const struct ranks *r, uint32_t to, const void *note, size_t size);
void ranks_receive(const struct ranks *r, uint32_t from, void *note, size_t size);
void ranks_send_bytes(const struct ranks *r, uint32_t to, const void *data, size_t size);
void ranks_receive_bytes(const struct ranks *r, uint32_t from, void *data, size_t size);

#endif
