/* SPDX-License-Identifier: Apache-2.0 */
#include "fabric/choices.h"

#include "fabric/nics.h"

/* Returns the number of next hops of switch s for the rack in state 0, and sets *port to them; 0 unless they lead
 * upwards. */
static uint16_t choices_up(const struct fabric *f, uint32_t s, uint32_t leaf, const uint16_t **port) {
    uint16_t n = fabric_hops(f, 0, s, leaf, port);
    return n > 0 && (*port)[0] >= f->place[s].first_uplink ? n : 0;
}

void fabric_path_choices(const struct fabric *f, uint32_t src_nic, uint32_t dst_nic, uint16_t choices[2]) {
    uint32_t from = fabric_nic_leaf(f, src_nic), to = fabric_nic_leaf(f, dst_nic);
    const uint16_t *up = NULL, *further;
    choices[0] = choices[1] = 1;
    uint16_t n = choices_up(f, from, to, &up);
    if (n > 1) choices[0] = n;
    for (uint16_t i = 0; i < n; i++) {
        uint32_t agg = f->place[from].port[up[i]].neighbour - f->n_hosts;
        uint16_t m = f->place[agg].tier == TIER_AGG ? choices_up(f, agg, to, &further) : 0;
        if (m > choices[1]) choices[1] = m;
    }
}
