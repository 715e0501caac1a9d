/* SPDX-License-Identifier: Apache-2.0 */
/* The outcome of one run, for the process that stores it: the result, its flows, and the names of nodes and ports.
 *
 * Runs are processes of their own; an outcome passes as bytes through a file in memory. Both processes are the same
 * program, forked, so plain structs are written as they are, behind a header that the reader checks.
 *
 * A run of millions of flows has 200 bytes for each in its process, in that file and in the other process. So that they are
 * there once only, the writer may give back the memory of what is written, and the reader the part of the file that is read.
 */
#ifndef HEDDLE_STUDY_RESULTS_OUTCOME_H
#define HEDDLE_STUDY_RESULTS_OUTCOME_H

#include "measure/result.h"
#include "study/assemble/assemble.h"

#include <stdio.h>

struct outcome_port {
    uint32_t node, neighbour, link_tier;
    uint32_t parallel; /* number of the link among those between these two nodes */
};

struct outcome {
    struct run_result result;
    struct flow *flow;   /* [result.n_flows] */
    struct query *query; /* [n_queries] */
    uint32_t n_queries;
    char *names;       /* names of nodes, each ended by 0 */
    const char **node; /* [n_nodes] into names */
    uint32_t n_nodes, n_hosts;
    struct outcome_port *port; /* [n_ports] by global number */
    uint32_t *first_port;      /* [n_nodes]: global number of each node's port 0 */
    uint32_t n_ports;
};

/* Writes an outcome; false with errno set if that fails. */
bool outcome_write(FILE *out, const struct assembly *a, const struct run_result *r);
/* The same, for a process that ends now: what large arrays of *a and *r hold is lost. */
bool outcome_hand_over(FILE *out, const struct assembly *a, const struct run_result *r);
/* Reads an outcome; false if there is no complete one. outcome_free frees what *o holds, also after false. */
bool outcome_read(FILE *in, struct outcome *o);
/* The same, of a file in memory that nobody reads again: it loses what has been read. */
bool outcome_take_over(FILE *in, struct outcome *o);
void outcome_free(struct outcome *o);

#define OUTCOME_EGRESS 160
/* Writes the name of a port, by its global number: "leaf0>spine1", the egress of leaf0 to spine1. Returns buf. */
const char *outcome_egress(const struct outcome *o, uint32_t port, char buf[OUTCOME_EGRESS]);

#endif
