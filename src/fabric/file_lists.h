/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes and links as a file of a fabric gives them, whatever its format. A reader (fabric/formats.h) fills the lists
 * with the functions below, which check what it found; file.c builds the fabric from them.
 */
#ifndef HEDDLE_FABRIC_FILE_LISTS_H
#define HEDDLE_FABRIC_FILE_LISTS_H

#include "base/diag.h"
#include "base/views.h"
#include "fabric/fabric.h"

#define FILE_NAME_MAX (FABRIC_NODE_NAME_MAX - 1)
#define TIER_UNKNOWN (-1)
#define TIER_NAMES "host|leaf|agg|core"

struct file_node {
    char name[FILE_NAME_MAX + 1];
    int tier;      /* enum tier or TIER_UNKNOWN */
    bool inferred; /* the file gives no tier */
    int line, col;
};

struct file_link {
    uint32_t a, b;    /* indices of nodes */
    int64_t rate_bps; /* 0 = not given */
    span_ps delay;    /* -1 = not given */
    uint32_t loss_ppb;
    int line, col;
};

struct file_lists {
    struct file_node *node;
    uint32_t n_nodes, nodes_held;
    struct file_link *link;
    uint32_t n_links, links_held;
    uint32_t *by_name; /* indices of nodes, sorted by name */
};

/* Place of a value in a file, and where its error goes. */
struct file_place {
    const char *path;
    int line, col; /* from 1 */
    struct diag *d;
};

/* Fills the diag with an error at the place; returns false. */
bool place_fail(const struct file_place *at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* All functions that return bool return false after filling the diag. */

/* Appends a node without a tier. The name has `length` bytes and ends in NUL. Refuses what no name may be. */
bool lists_add_node(struct file_lists *l, const struct file_place *at, const char *name, size_t length);
/* Sets the tier of the node that was added last to the one that the text names. */
bool lists_set_tier(struct file_lists *l, const struct file_place *at, const char *text);
/* Sorts the nodes by name. Refuses names that two nodes have. Call it when all nodes are there, before any link. */
bool lists_name_nodes(struct file_lists *l, const struct file_place *file);

/* Finds the node at the end of a link. */
bool lists_find_node(const struct file_lists *l, const struct file_place *at, const char *name, uint32_t *node);
/* Returns a link without ends, rate and delay, at this place. */
struct file_link link_at(const struct file_place *at);
/* Set a property of a link from its text, such as 10Gbps, 1us, 0.1%. */
bool link_set_rate(struct file_link *link, const struct file_place *at, const char *text);
bool link_set_delay(struct file_link *link, const struct file_place *at, const char *text);
bool link_set_loss(struct file_link *link, const struct file_place *at, const char *text);
/* Appends a link. Refuses one between a node and itself. */
bool lists_add_link(struct file_lists *l, const struct file_link *link, const struct file_place *at);

void file_lists_free(struct file_lists *lists);

#endif
