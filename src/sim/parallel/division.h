/* SPDX-License-Identifier: Apache-2.0 */
/* The division of a fabric among ranks and their threads, and the windows that follow from it.
 *
 * Each rank has adjacent parts, a part for each of its threads. A window is the time in which no frame can reach another
 * part: the shortest propagation and serialization over all links between parts.
 */
#ifndef HEDDLE_SIM_PARALLEL_DIVISION_H
#define HEDDLE_SIM_PARALLEL_DIVISION_H

#include "sim/engine/config.h"

struct division {
    uint32_t ranks;
    uint32_t parts;  /* of all ranks; fewer than ranks x threads if the fabric has fewer racks */
    uint16_t *part;  /* [n_nodes] */
    bool *border;    /* [n_nodes] it has a link to a node of another rank; of one rank: of another part */
    uint32_t *first; /* [ranks + 1] first part of each rank */
    span_ps slot;    /* the shortest time over all links, or up to a third less */
    span_ps window;  /* whole slots: at most the shortest time over links between parts; TIME_NONE: there are none */
};

/* Divides the fabric. threads: of each rank. */
void division_make(struct division *v, const struct world_config *config, uint32_t ranks, uint32_t threads);
void division_free(struct division *v);

/* Returns the rank that has the node. */
uint32_t division_rank(const struct division *v, uint32_t node);

#endif
