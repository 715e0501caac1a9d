/* SPDX-License-Identifier: Apache-2.0 */
/* What one run hands to the process that stores it: the result, its flows, and the names of nodes and ports.
 *
 * Runs are processes; an outcome crosses as bytes through a file in memory. Both ends are the same program forked, so
 * plain structs cross as they are, behind a header that both check.
 */
#ifndef HEDDLE_STUDY_RESULTS_OUTCOME_H
#define HEDDLE_STUDY_RESULTS_OUTCOME_H

#include "measure/result.h"
#include "study/assemble/assemble.h"

#include <stdio.h>

struct outcome_port {
    uint32_t node, neighbour, link_tier;
    uint32_t parallel; /* which of the links between these two */
};

struct outcome {
    struct run_result result;
    struct flow *flow;   /* [result.n_flows] */
    struct query *query; /* [n_queries] */
    uint32_t n_queries;
    char *names;       /* of nodes, each ended by 0 */
    const char **node; /* [n_nodes] into names */
    uint32_t n_nodes, n_hosts;
    struct outcome_port *port; /* by global number */
    uint32_t *first_port;      /* [n_nodes]: global number of each node's port 0 */
    uint32_t n_ports;
};

/* False when it could not be written (errno says why). */
bool outcome_write(FILE *out, const struct assembly *a, const struct run_result *r);
/* False if what is there is no whole outcome. */
bool outcome_read(FILE *in, struct outcome *o);
void outcome_free(struct outcome *o);

#define OUTCOME_EGRESS 160
/* "leaf0>spine1": a port by where it leads, by its global number; into buf, which is returned. */
const char *outcome_egress(const struct outcome *o, uint32_t port, char buf[OUTCOME_EGRESS]);

#endif
