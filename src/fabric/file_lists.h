/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the text of a fabric file into lists of nodes and links and checks each item; file.c builds the fabric. */
#ifndef HEDDLE_FABRIC_FILE_LISTS_H
#define HEDDLE_FABRIC_FILE_LISTS_H

#include "base/diag.h"
#include "base/views.h"
#include "fabric/fabric.h"

#define FILE_NAME_MAX (FABRIC_NODE_NAME_MAX - 1)
#define TIER_UNKNOWN (-1)

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
    uint32_t n_nodes;
    struct file_link *link;
    uint32_t n_links;
    uint32_t *by_name; /* indices of nodes, sorted by name */
};

/* Fills *lists; false after filling *d. The caller frees the lists in both cases. */
bool file_read(const char *path, const char *text, size_t size, struct file_lists *lists, struct diag *d);
void file_lists_free(struct file_lists *lists);

#endif
