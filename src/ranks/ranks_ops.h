/* SPDX-License-Identifier: Apache-2.0 */
/* What a message passing library does for the ranks of one command. ranks_mpi.c, a module of its own, is the only
 * implementation, and the only file that calls MPI; ranks.c loads it where a launcher has started several processes.
 *
 * All functions may be called by one thread only, the one that called `open`. A failure inside the library ends all
 * ranks with a message of the library's own.
 */
#ifndef HEDDLE_RANKS_RANKS_OPS_H
#define HEDDLE_RANKS_RANKS_OPS_H

#include "base/types.h"

#define RANKS_MODULE "heddle-mpi.so"
#define RANKS_SYMBOL "heddle_ranks_mpi"

struct ranks_ops {
    const char *version; /* of heddle; the module of another build is refused */
    /* Opens the library. *size: number of ranks that found each other; *on_machine: those on this machine. */
    bool (*open)(uint32_t *rank, uint32_t *size, uint32_t *on_machine);
    void (*close)(void); /* waits for all ranks */
    /* Collects `each` bytes of every rank at rank 0, in the order of ranks. All ranks must call it. */
    void (*gather)(const void *one, void *all, size_t each);
    void (*spread)(void *data, size_t size); /* copies rank 0's data to all ranks. All ranks must call it. */
    /* Returns whether a message with this tag has arrived; *from is its sender. */
    bool (*poll)(uint32_t tag, uint32_t *from);
    void (*send)(uint32_t to, uint32_t tag, const void *data, size_t size); /* at most 1 GiB */
    void (*receive)(uint32_t from, uint32_t tag, void *data, size_t size);

    /* Groups of ranks (ranks/group.h). `members` is what split returned; ranks count within the group. */
    void *(*split)(uint32_t group); /* all ranks call it; ranks that give the same number are a group */
    void (*post)(void *members, uint32_t to, uint32_t tag, const void *data, size_t size);
    void (*settle)(uint32_t tag);
    size_t (*await)(void *members, uint32_t tag);
    void (*take)(void *data, size_t size);
    void (*reduce)(void *members, int64_t *least, uint64_t *sum, size_t n);
    void (*reduce_begin)(void *members, int64_t least, const uint64_t *sum, size_t n);
    void (*reduce_end)(int64_t *least, uint64_t *sum, size_t n);
};

#endif
