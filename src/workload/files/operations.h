/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules as data: operations of ranks, and what each waits for. Private to workload; for readers of GOAL and Chakra.
 *
 *     operations_init(&o, path);
 *     uint32_t a = operations_add(&o, &(struct operation){.kind = OPERATION_SEND, .rank = 0, .peer = 1, .size = 4096});
 *     operations_edge(&o, a, b, false);               b waits until a is complete; true: until it has begun
 *     ok = operations_make(g, &o, host, "goal");      flows and gates of the entry, and its job
 *     operations_fini(&o);
 *
 * Operations of one rank and cpu are carried out one at a time, in the order in which they can begin; a computation takes
 * its time there, a send and a receive none. A send is complete when its message is acknowledged, a receive when it has
 * begun and its message is there. The k-th send from one rank to another with a tag belongs to the k-th receive there, in
 * the order in which they were added. Sizes are not compared: the sender's counts. Messages of one cpu to one rank use one
 * connection, which is open from the start.
 */
#ifndef HEDDLE_WORKLOAD_OPERATIONS_H
#define HEDDLE_WORKLOAD_OPERATIONS_H

#include "workload/generate.h"

enum operation_kind { OPERATION_CALC, OPERATION_SEND, OPERATION_RECV };

struct operation {
    enum operation_kind kind;
    uint32_t rank, peer;
    uint32_t tag, cpu;
    uint64_t size;    /* bytes; of a computation: picoseconds */
    uint32_t line;    /* in the file; 0: see `number` */
    uint64_t number;  /* of the node in its file, for errors */
    uint32_t partner; /* the other end of a message; set by operations_make, as all below */
    uint32_t flow;
    uint32_t begin, end; /* gates; FLOW_NONE: none is needed */
};

struct operation_edge {
    uint32_t before, after;
    bool on_begin;
};

struct operations {
    const char *path; /* for errors */
    struct operation *at;
    struct operation_edge *edge;
    uint32_t n, n_edges, room, edges_room;
    uint32_t n_ranks;
    uint32_t *first, *by_before; /* edges by the operation before: edge[by_before[first[i]]], ... */
};

void operations_init(struct operations *o, const char *path);
void operations_fini(struct operations *o);
uint32_t operations_add(struct operations *o, const struct operation *op);
/* Both operations are of one rank. */
void operations_edge(struct operations *o, uint32_t before, uint32_t after, bool on_begin);
/* Fills *d with the place of an operation; returns false. */
bool operation_fail(const struct operations *o, const struct operation *op, struct diag *d, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Returns the hosts of the ranks, for operations_make: those named in `rank`, or so many by the entry's placement if there is
 * none. NULL after filling g->d: unknown hosts, or more or fewer than ranks. */
uint32_t *operations_hosts(const struct generator *g, const struct operations *o, const char *const *rank,
                           uint32_t n_names);

/* Makes flows, gates and the job `name` of them. host[n_ranks]: of each rank; the job owns it from then on. Returns false after
 * filling g->d: a message without its other end, or operations that wait for each other in a circle; host is freed. */
bool operations_make(struct generator *g, struct operations *o, uint32_t *host, const char *name);

#endif
