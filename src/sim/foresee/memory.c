/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/foresee/memory.h"

#include "base/memory.h"
#include "measure/samples.h"
#include "node/cioq.h"
#include "node/host_nics.h"
#include "node/port.h"
#include "sim/engine/partition.h"
#include "sim/engine/scale.h"
#include "sim/foresee/crowd.h"

#include <stdlib.h>

#define SORTED_BYTES 16 /* of a flow while results are merged, beyond memory already given back by then */
#define PACKED_BYTES 60 /* of a packed tally, and what results take in place of its array: measured (bench/memory) */
#define OPEN_BLOCKS 4   /* of each host: blocks of tallies with an open flow; measured */
#define MPI_BYTES (12u << 20) /* of Open MPI 4.1: two and four ranks of a small fabric against one process */

uint64_t world_flow_bytes(void) {
    return sizeof(struct flow) + sizeof(struct flow_tally) + 2 * sizeof(void *) + sizeof(int64_t) +
           2 * sizeof(uint32_t) + SORTED_BYTES;
}

/* Returns the bytes of all tallies. */
static uint64_t tallies_foreseen(const struct world_config *c, uint32_t ranks) {
    uint64_t n = c->flows->n, all = n * sizeof(struct flow_tally);
    if (ranks > 1 || !packs_tallies(c)) return all;
    uint64_t open = (uint64_t)c->fabric->n_hosts * OPEN_BLOCKS * TALLY_BLOCK * sizeof(struct flow_tally);
    uint64_t packed = n * PACKED_BYTES + open;
    return packed < all ? packed : all;
}

/* Returns the bytes of a port, and of the frame that arrives from it in the present slot. */
static uint64_t port_bytes(void) {
    return sizeof(struct port) + sizeof(struct port_view) + sizeof(struct port_extra) + sizeof(struct hop) +
           sizeof(struct port_total) + sizeof(struct arrival) + sizeof(struct place_beyond) + 4 * sizeof(time_ps) + 16;
}

uint64_t world_port_bytes(void) { return port_bytes() + sizeof(struct place_port); }

/* Returns the bytes of the samples of one period from `series` series, counted twice: as taken and as merged. */
static uint64_t samples_bytes(const struct world_config *c, span_ps period, uint64_t series, span_ps lasts) {
    if (period == 0) return 0;
    uint64_t max = c->measure.max_samples ? c->measure.max_samples : SAMPLES_DEFAULT_MAX;
    uint128 n = (uint128)(lasts / period + 1) * series;
    return (uint64_t)(n < max ? n : max) * 2 * sizeof(struct sample);
}

/* Returns the longest min_rto: flows that time out once end that much later. */
static span_ps timeout_of(const struct world_config *c) {
    span_ps most = 0;
    for (uint32_t i = 0; i < c->hosts.n_transports; i++) {
        uint16_t param = c->hosts.transport[i]->base->min_rto_param;
        if (param) most = max_i64(most, c->hosts.transport_params[i][param]);
    }
    return most;
}

static uint64_t all_samples_bytes(const struct world_config *c, span_ps lasts) {
    const struct measure_config *m = &c->measure;
    uint64_t ports = c->fabric->paths.first_port[c->fabric->n_nodes];
    return samples_bytes(c, m->queues, ports, lasts) + samples_bytes(c, m->links, ports, lasts) +
           samples_bytes(c, m->pauses, ports, lasts) + samples_bytes(c, m->goodput, c->fabric->n_hosts, lasts);
}

static uint64_t loops_bytes(const struct flow_list *l) {
    return l->gates.n_gates * (sizeof(struct gate) + 4) +
           (l->gates.n_gated + l->gates.n_fed + l->gates.n_follow + 2 * l->gates.n_gates) * 4ull +
           (l->gates.n_gates ? l->n * sizeof(struct flow_feed) : 0) + l->n_queries * 3 * sizeof(struct query);
}

static uint64_t lines_bytes(const struct world_config *c) {
    const struct flow_lines *l = &c->flows->lines;
    if (l->n_lines == 0) return 0;
    return c->flows->n * 2ull * sizeof(uint32_t) +
           l->n_lines * (sizeof(struct flow_line) + host_line_memory_bytes(&c->hosts));
}

/* Returns the bytes that name the open ends of hosts with several NICs. */
static uint64_t chains_bytes(const struct world_config *c) {
    return fabric_is_multihomed(c->fabric) ? c->flows->n * 2ull * sizeof(struct end_link) : 0;
}

/* Returns the bytes of the queues of all ports: those of classes, and those at both ends of a crossbar. */
static uint64_t queues_bytes(const struct world_config *c) {
    const struct fabric *f = c->fabric;
    uint64_t bytes = c->hosts.credit.on ? fabric_n_nics(f) * sizeof(struct port_classes) : 0;
    if (!switch_has_classes(&c->switches)) return bytes;
    for (uint32_t node = f->n_hosts; node < f->n_nodes; node++) {
        uint32_t ports = f->paths.first_port[node + 1] - f->paths.first_port[node];
        bytes += ports * (sizeof(struct port_classes) + sizeof(time_ps) + sizeof(uint32_t));
        if (crossbar_has_queues(&c->switches.cioq)) bytes += cioq_bytes_at(ports);
    }
    return bytes;
}

/* Returns the bytes of all nodes, without flows. */
static uint64_t nodes_bytes(const struct world_config *c) {
    const struct fabric *f = c->fabric;
    uint64_t ports = f->paths.first_port[f->n_nodes];
    uint64_t per_node = sizeof(struct sim_node) + sizeof(uint32_t) + WHEEL_SLOTS * 3 / 8;
    return ports * (port_bytes() - sizeof(struct port_total)) + f->n_nodes * per_node +
           fabric_n_nics(f) * sizeof(struct host) + f->n_switches * sizeof(struct fabric_switch) + queues_bytes(c);
}

/* Directions of flows that leave each rack, and each pod, upwards. */
struct departures {
    uint64_t *of_leaf, *of_pod;
    uint32_t *aggs; /* switches among which those of a pod are spread; a two-tier fabric has none */
};

static struct departures departures_count(const struct world_config *c) {
    const struct fabric *f = c->fabric;
    const struct nic_binding b = {f, &c->hosts, &c->flows->lines, c->seed};
    struct departures d = {.of_leaf = memory_get(f->n_leaves, sizeof *d.of_leaf),
                           .of_pod = memory_get(f->n_pods, sizeof *d.of_pod),
                           .aggs = memory_get(f->n_pods, sizeof *d.aggs)};
    for (uint32_t i = 0; i < c->flows->n; i++) {
        struct nic_ends ends = nic_binding_of(&b, &c->flows->flow[i], i, 0);
        uint32_t from = fabric_nic_leaf(f, ends.src), to = fabric_nic_leaf(f, ends.dst);
        uint32_t from_pod = f->paths.leaf_pod[from], to_pod = f->paths.leaf_pod[to];
        if (from != to) d.of_leaf[from]++, d.of_leaf[to]++;
        if (from_pod != to_pod) d.of_pod[from_pod]++, d.of_pod[to_pod]++;
    }
    for (uint32_t s = 0; s < f->n_switches; s++)
        if (f->place[s].tier == TIER_AGG && f->tiers == 3) d.aggs[f->place[s].pod]++;
    return d;
}

/* Returns the bytes of all balancers, with the tables that they will have. */
static uint64_t balancers_bytes(const struct world_config *c, span_ps lasts) {
    const struct fabric *f = c->fabric;
    const struct balancer_ops *ops = c->switches.balance;
    struct departures d = departures_count(c);
    uint64_t bytes = 0;
    for (uint32_t s = 0; s < f->n_switches; s++) {
        const struct place *place = &f->place[s];
        struct balance_env env = {.place = place, .paths = &f->paths, .params = c->switches.balance_params};
        struct balance_crowd crowd = {.lasts = lasts};
        if (place->tier == TIER_LEAF) crowd.flows = d.of_leaf[place->leaf];
        if (place->tier == TIER_AGG && f->tiers == 3) crowd.flows = d.of_pod[place->pod] / d.aggs[place->pod];
        bytes += ops->state_size(&env) + ops->n_counters * sizeof(uint64_t);
        if (ops->memory_foreseen) bytes += ops->memory_foreseen(&env, &crowd);
    }
    free(d.of_leaf), free(d.of_pod), free(d.aggs);
    return bytes;
}

uint64_t memory_foreseen(const struct world_config *c, uint32_t ranks, uint64_t observed) {
    const struct fabric *f = c->fabric;
    struct crowd crowd = crowd_of(c);
    uint64_t ports = f->paths.first_port[f->n_nodes], totals = ports * sizeof(struct port_total);
    uint64_t kept = balancers_bytes(c, crowd.lasts);
    uint64_t bytes = fabric_memory_bytes(f) + (nodes_bytes(c) + crowd.open_bytes + kept + observed) / ranks + totals +
                     c->flows->n * (world_flow_bytes() - sizeof(struct flow_tally)) + tallies_foreseen(c, ranks) +
                     loops_bytes(c->flows) + lines_bytes(c) + chains_bytes(c) +
                     all_samples_bytes(c, min_i64(crowd.lasts + timeout_of(c), c->until)) +
                     POOL_BLOCK * sizeof(struct packet) + FLIGHTS_BYTES(scale_of(c) == SCALE_HUGE);
    /* The leader receives the totals of one other rank at a time; Open MPI has memory of its own. */
    return ranks > 1 ? bytes + totals + c->flows->n * sizeof(struct flow_tally) + MPI_BYTES : bytes;
}
