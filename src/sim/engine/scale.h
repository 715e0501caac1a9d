/* SPDX-License-Identifier: Apache-2.0 */
/* The scale of a fabric, by its ports: it decides what is prefetched, and where frames lie while they are on a link.
 *
 *   small   ports and hosts stay in the nearer caches: a frame is prefetched while the node before is run, nothing else
 *   large   they do not. 240 B a port, a quarter of 2 MiB (docs/notebook): nodes, ports and connections are prefetched too,
 *           and switches route ahead where they can (sim/ways/ahead.c)
 *   huge    frames come from memory as well: the lists of links carry them (sim/engine/flight.h)
 *
 * docs/decisions/0023-huge-fabrics.md says why. The results are the same at every scale.
 */
#ifndef HEDDLE_SIM_ENGINE_SCALE_H
#define HEDDLE_SIM_ENGINE_SCALE_H

#include "sim/engine/config.h"

enum scale { SCALE_SMALL, SCALE_LARGE, SCALE_HUGE };

/* With more ports a fabric is large, or huge. Measured with fat-trees of k = 16, 24 and 32. */
#define LARGE_FROM_PORTS 2000
#define HUGE_FROM_PORTS 15000

static inline enum scale scale_of(const struct world_config *c) {
    uint32_t ports = c->fabric->paths.first_port[c->fabric->n_nodes];
    if (ports > (c->huge_ports ? c->huge_ports : HUGE_FROM_PORTS)) return SCALE_HUGE;
    return ports > (c->large_ports ? c->large_ports : LARGE_FROM_PORTS) ? SCALE_LARGE : SCALE_SMALL;
}

/* Flows of jobs whose tallies are packed when they have ended; the tallies of fewer are an array. */
#define PACKED_FLOWS 65536

/* Returns whether tallies are packed (base/tallies.h): those of a large job, of whose flows few are open at a time. Ranks add up
 * arrays of tallies; and credits that arrive after the end of their flow count in its tally, which must be open then. */
static inline bool packs_tallies(const struct world_config *c) {
    uint32_t least = c->packed_flows ? c->packed_flows : PACKED_FLOWS;
    return c->flows->n_jobs > 0 && c->flows->n >= least && !c->group && !c->hosts.credit.on;
}

#endif
