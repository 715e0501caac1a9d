/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/ways/ways.h"

enum way way_of(const struct partition *part, const struct sim_node *n) {
    bool observed = part->observer != NULL;
    if (n->is_host && n->host->nics > 1) return observed ? WAY_NICS_OBSERVED : WAY_NICS;
    if (n->is_host) return observed ? WAY_HOST_OBSERVED : WAY_HOST;
    if (observed) return WAY_OBSERVED;
    if (n->sw->cioq) return WAY_CROSSBAR;
    if (switch_may_defer(n->sw)) return WAY_DEFERRED;
    if (part->scale == SCALE_SMALL || !n->sw->routes_alone) return WAY_PLAIN;
    return part->flights.carries ? WAY_AHEAD_CARRIED : WAY_AHEAD;
}

static const way_fn run_of[WAYS] = {
    [WAY_HOST] = way_host,         [WAY_HOST_OBSERVED] = way_host_observed,
    [WAY_NICS] = way_nics,         [WAY_NICS_OBSERVED] = way_nics_observed,
    [WAY_PLAIN] = way_plain,       [WAY_OBSERVED] = way_observed,
    [WAY_DEFERRED] = way_deferred, [WAY_CROSSBAR] = way_crossbar,
    [WAY_AHEAD] = way_ahead,       [WAY_AHEAD_CARRIED] = way_ahead_carried,
};

void ways_choose(struct partition *part) {
    for (int way = 0; way < WAYS; way++) part->run[way] = run_of[way];
    for (uint32_t i = 0; i < part->n_nodes; i++) {
        struct sim_node *n = &part->nodes[i];
        n->way = (uint8_t)way_of(part, n);
        if (!n->is_host) n->sw->defers = n->way == WAY_DEFERRED;
    }
}
