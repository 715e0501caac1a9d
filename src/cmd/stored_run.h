/* SPDX-License-Identifier: Apache-2.0 */
/* A run of a store and the names of its nodes, for commands that print what happened in it. */
#ifndef HEDDLE_CMD_STORED_RUN_H
#define HEDDLE_CMD_STORED_RUN_H

#include "study/store/store_reader.h"

#define NODE_TEXT 32 /* "node " and any number */

struct node_names {
    const char **name;
    size_t n;
};

/* Returns the run of this number in the experiment that ran last; NULL: there is none. */
const struct run_row *stored_run_find(const struct store_reader *r, uint32_t number);
/* Reads the names of a run's nodes; the caller frees them by node_names_free, also after false. */
bool node_names_read(const struct store_reader *r, const struct run_row *run, struct node_names *names, struct diag *d);
void node_names_free(struct node_names *names);
/* Returns a node's name; "node 7", in buf, if it has none; "?" for STORE_NULL. */
const char *node_name(const struct node_names *names, int64_t node, char buf[NODE_TEXT]);

#endif
