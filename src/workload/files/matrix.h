/* SPDX-License-Identifier: Apache-2.0 */
/* Connection matrices of htsim (.cm): flows, and triggers that start them. Private to workload.
 *
 *   Nodes 4                                the head: hosts 0 to 3, and how many lines of each kind follow
 *   Connections 2
 *   Triggers 1
 *   0->1 id 1 start 0 size 100000 recv_done_trigger 7
 *   1->2 id 2 trigger 7 size 100000
 *   trigger id 7 oneshot
 *
 * A connection also has `msg [N]` (a message of the connection with this id, in the order of lines), `send_done_trigger`
 * and `prio` (0 to 7). It is open from the start, as in htsim. A trigger is `oneshot` (the end of one flow starts flows),
 * `barrier count N` (the ends of N flows do) or `multishot` (with one flow at either side: each end starts the next flow).
 *
 * matrix_read.c reads the text; matrix.c makes the flows and gates of it. A host acts on what it has seen itself: a trigger
 * counts the end of a flow at its receiver (recv_done) or, when it is acknowledged, at its sender (send_done), and starts
 * flows of that host. All else is refused: triggers across hosts, barriers of several hosts, and failures, which are keys
 * of the fabric.
 */
#ifndef HEDDLE_WORKLOAD_MATRIX_H
#define HEDDLE_WORKLOAD_MATRIX_H

#include "workload/fields.h"
#include "workload/generate.h"

enum trigger_kind { TRIGGER_NONE, TRIGGER_ONESHOT, TRIGGER_MULTISHOT, TRIGGER_BARRIER };

struct matrix_trigger {
    uint64_t id, count; /* count: of a barrier */
    enum trigger_kind kind;
    int line;
    uint32_t n_targets, n_ends; /* flows that it starts, and ends that it counts */
    uint32_t host;              /* of its targets */
    uint32_t gate;
};

struct matrix_flow {
    uint32_t src, dst;
    uint64_t id;      /* 0: none */
    uint64_t trigger; /* that starts it; 0: `start` does. Later: index of the trigger + 1; likewise the next two */
    uint64_t done[2]; /* triggers that its end activates, at its sender and at its receiver; 0: none */
    time_ps start;    /* without spec->start */
    uint64_t bytes;
    uint8_t priority;
    bool is_message; /* of the connection with this id */
    int line;
};

struct matrix {
    const char *path;
    uint64_t nodes;
    struct matrix_flow *flow;
    struct matrix_trigger *trigger; /* sorted by id */
    uint32_t n_flows, n_triggers;
};

/* Reads the text. The caller frees *m by matrix_free in any case. Returns false after filling *d. */
bool matrix_read(struct matrix *m, const char *path, const char *text, size_t size, enum time_unit unit,
                 struct diag *d);
void matrix_free(struct matrix *m);

/* Makes the flows of an entry from the text of its file; `file` is its name in errors. */
bool matrix_make(struct generator *g, const char *text, size_t size, const char *file, enum time_unit unit,
                 enum send_done_at send_done);

#endif
