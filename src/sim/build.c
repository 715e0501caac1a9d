/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/build.h"

#include "base/memory.h"
#include "base/tie.h"
#include "node/flow_work.h"
#include "ranks/group.h"
#include "sim/engine/scale.h"
#include "sim/observe/audit.h"
#include "sim/observe/last_flow.h"
#include "sim/observe/marks.h"
#include "sim/observe/observer.h"
#include "sim/observe/patience.h"
#include "sim/observe/rates.h"
#include "sim/observe/sampling.h"
#include "sim/observe/watchdog.h"
#include "sim/parallel/division.h"
#include "sim/parallel/exchange_ranks.h"
#include "sim/starts.h"
#include "sim/ways/ways.h"

#include <stdlib.h>
#include <string.h>

/* ---- partitions ---- */

static void build_partitions(struct world *w) {
    const struct ranks_group *group = w->config->group;
    w->division = memory_get(1, sizeof *w->division);
    w->exchange = memory_get_lines(1, sizeof *w->exchange);
    division_make(w->division, w->config, group ? group->size : 1, w->config->threads ? w->config->threads : 1);
    w->n_partitions = w->division->parts;
    w->part_of = w->division->part;
    w->slot = w->division->slot;
    w->lookahead = w->division->window == TIME_NONE ? w->slot : w->division->window;
    w->partition = memory_get_lines(w->n_partitions, sizeof *w->partition);
    if (group)
        exchange_ranks_init(w->exchange, group, w->division->first);
    else
        exchange_init(w->exchange, w->n_partitions);
    w->first = w->exchange->first;
    w->here = w->exchange->here;
}

/* ---- nodes of a partition ---- */

/* Numbers the nodes of all partitions, those of other ranks too: those of the border first. Returns the number of each node
 * in its partition, [n_nodes]; free() returns it. */
static uint32_t *nodes_number(struct world *w) {
    const struct fabric *f = w->config->fabric;
    uint32_t *number = memory_get(f->n_nodes, sizeof *number);
    for (uint32_t node = 0; node < f->n_nodes; node++)
        if (w->division->border[node]) number[node] = w->partition[w->part_of[node]].n_nodes++;
    for (uint32_t i = 0; i < w->n_partitions; i++) w->partition[i].n_border = w->partition[i].n_nodes;
    for (uint32_t node = 0; node < f->n_nodes; node++)
        if (!w->division->border[node]) number[node] = w->partition[w->part_of[node]].n_nodes++;
    return number;
}

/* Places the nodes of this rank. A partition of another rank has none here. */
static void nodes_place(struct world *w, const uint32_t *number) {
    const struct fabric *f = w->config->fabric;
    for (uint32_t i = 0; i < w->n_partitions; i++) {
        struct partition *part = &w->partition[i];
        if (world_has_partition(w, i))
            part->nodes = memory_get(part->n_nodes, sizeof *part->nodes);
        else
            part->n_nodes = part->n_border = 0;
    }
    for (uint32_t node = 0; node < f->n_nodes; node++) {
        if (!world_has_node(w, node)) continue;
        struct sim_node *n = &w->partition[w->part_of[node]].nodes[number[node]];
        *n = (struct sim_node){.node = node,
                               .first_port = f->paths.first_port[node],
                               .is_host = world_is_host(w, node),
                               .timer_slot = SLOT_NONE};
        if (n->is_host)
            n->host = world_host(w, node);
        else
            n->sw = &w->sw[node - f->n_hosts];
    }
}

/* Says for the ports that send from or to this rank where their frames go. */
static void build_hops(struct world *w, const uint32_t *number) {
    const struct fabric *f = w->config->fabric;
    for (uint32_t g = 0; g < w->n_ports; g++) {
        const struct place_port *p = &f->paths.port[g];
        if (!world_has_node(w, p->node) && !world_has_node(w, p->neighbour)) continue;
        span_ps stack = world_is_host(w, p->neighbour) ? w->config->hosts.processing_delay : 0;
        w->hop[g] = (struct hop){.delay = p->delay + stack,
                                 .node = number[p->neighbour],
                                 .port = (uint16_t)(p->peer - f->paths.first_port[p->neighbour]),
                                 .partition = w->part_of[p->neighbour]};
    }
}

/* Returns whether a flow has a start time of its own; other flows wait for a gate. */
static bool is_listed(const struct flow *f) { return f->start != TIME_NONE; }

/* Counts the work of all flows, if anyone asks for progress. */
static void count_work(struct world *w) {
    const struct flow_list *flows = w->config->flows;
    uint64_t bytes = 0;
    for (uint32_t i = 0; w->config->progress && i < flows->n; i++) {
        uint64_t work = flow_work(w->config->fabric, &flows->flow[i]);
        w->work += work;
        if (work) bytes += flows->flow[i].bytes;
    }
    if (bytes) w->work_links_q8 = w->work / bytes;
}

static void build_flows(struct world *w) {
    const struct flow_list *flows = w->config->flows;
    uint32_t hosts = w->config->fabric->n_hosts;
    uint64_t key = tie_key(w->config->seed);
    uint32_t *next = memory_get(hosts + 1, sizeof *next);
    w->flows_by_host = memory_get(flows->n, sizeof *w->flows_by_host);
    for (uint32_t i = 0; i < flows->n; i++) next[flows->flow[i].src + 1] += is_listed(&flows->flow[i]);
    for (uint32_t h = 0; h < hosts; h++) next[h + 1] += next[h];
    for (uint32_t h = 0; h < hosts; h++)
        if (world_has_node(w, h)) world_host(w, h)->next_flow = w->flows_by_host + next[h];
    for (uint32_t i = 0; i < flows->n; i++)
        if (is_listed(&flows->flow[i])) w->flows_by_host[next[flows->flow[i].src]++] = i;
    for (uint32_t h = 0; h < hosts; h++) {
        if (!world_has_node(w, h)) continue;
        uint32_t *end = w->flows_by_host + next[h];
        uint32_t n = (uint32_t)(end - world_host(w, h)->next_flow);
        world_host(w, h)->end_flow = end;
        starts_order(end - n, n, flows->flow, key);
    }
    free(next);
    w->cut = memory_get(flows->n, sizeof *w->cut);
    for (uint32_t i = 0; i < flows->n; i++)
        if (flows->flow[i].stop != TIME_NONE && flows->flow[i].bytes != UINT64_MAX) w->cut[w->n_cut++] = i;
    w->sender = memory_get(flows->n, sizeof(struct connection *));
    w->receiver = memory_get(flows->n, sizeof(struct connection *));
    if (fabric_is_multihomed(w->config->fabric)) w->chain = memory_get(2 * (size_t)flows->n, sizeof *w->chain);
    tallies_init(&w->tallies, flows->flow, flows->n, packs_tallies(w->config));
    tally_work_init(&w->tally_work, &w->tallies);
    for (uint32_t i = 0; i < flows->n; i++) w->n_awaited += flow_is_awaited(&flows->flow[i]);
    w->gates = flows->gates;
    w->gates.gated = w->gated = starts_of_gates(&flows->gates, key);
    gate_state_init(&w->gate_state, &w->gates);
    line_state_init(&w->line_state, &flows->lines, flows->n, host_line_memory_bytes(&w->config->hosts));
}

/* Lets the gates of this partition's hosts begin that need nothing. */
static void begin_gates(struct world *w, struct partition *part) {
    for (uint32_t g = 0; g < w->gates.n_gates; g++) {
        uint32_t host = w->gates.gate[g].host;
        if (w->gates.gate[g].needs == 0 && w->part_of[host] == part->number) host_begin_gate(world_host(w, host), g);
    }
}

static void build_nic(struct world *w, struct partition *part, uint32_t node, uint16_t number) {
    const struct fabric *f = w->config->fabric;
    const struct host_config *config = &w->config->hosts;
    uint32_t g = f->paths.first_port[node] + number;
    struct host *h = &w->host[g];
    struct port_setup nic = {.rate_bps = f->paths.port[g].rate_bps,
                             .delay = f->paths.port[g].delay,
                             .loss_ppb = f->paths.port[g].loss_ppb,
                             .global = g,
                             .seed = w->config->seed,
                             .dead_from = TIME_NONE};
    host_nic_setup(config, &nic);
    h->nic = number;
    h->nics = (uint16_t)fabric_host_nics(f, node);
    h->port = &w->port[g];
    h->view = &w->view[g];
    h->extra = &w->extra[g];
    h->event = f->event + f->first_event[node];
    h->event_end = f->event + f->first_event[node + 1];
    for (const struct fabric_event *e = h->event_end; e-- > h->event;)
        if (e->kind == EVENT_LINK_DOWN && e->port == number) nic.dead_from = e->at;
    host_init(h, node, &part->shared, &nic);
}

static void build_host(struct world *w, struct partition *part, uint32_t node) {
    uint32_t nics = fabric_host_nics(w->config->fabric, node);
    for (uint32_t i = 0; i < nics; i++) build_nic(w, part, node, (uint16_t)i);
}

static void build_switch(struct world *w, struct partition *part, uint32_t node) {
    const struct fabric *f = w->config->fabric;
    uint32_t g = f->paths.first_port[node];
    struct switch_setup setup = {.fabric = f,
                                 .config = &w->config->switches,
                                 .pool = &part->pool,
                                 .board = w->board_load ? &w->board : NULL,
                                 .view = &w->view[g],
                                 .port = &w->port[g],
                                 .extra = &w->extra[g],
                                 .seed = w->config->seed};
    switch_init(&w->sw[node - f->n_hosts], node, &setup);
}

static void build_nodes(struct world *w, struct partition *part) {
    const struct world_config *c = w->config;
    if (part->number == w->first)
        packet_pool_init(&part->pool);
    else
        packet_pool_share(&part->pool, &w->partition[w->first].pool);
    part->context = w;
    part->audit = w->audit.sent ? &w->audit : NULL;
    part->hop = w->hop;
    part->view = w->view;
    part->port = w->port;
    part->scale = (uint8_t)scale_of(c);
    part->exchange = w->exchange;
    part->cross = exchange_send;
    part->tie_key = tie_key(w->config->seed);
    part->shared = (struct host_shared){.config = &w->config->hosts,
                                        .flow = w->config->flows->flow,
                                        .tally = w->tallies.all,
                                        .tallies = &w->tally_work,
                                        .sender = w->sender,
                                        .receiver = w->receiver,
                                        .pool = &part->pool,
                                        .seed = w->config->seed,
                                        .fabric = w->config->fabric,
                                        .work_links_q8 = w->work_links_q8,
                                        .gates = w->gates.n_gates ? &w->gate_state : NULL,
                                        .lines = w->config->flows->lines.n_lines ? &w->line_state : NULL,
                                        .chain = w->chain};
    host_shared_init(&part->shared);
    wheel_init(&part->wheel, part->n_nodes, w->slot);
    flights_init(&part->flights, part->n_nodes, part->n_border, part->scale == SCALE_HUGE);
    for (uint32_t i = 0; i < part->n_nodes; i++) {
        struct sim_node *n = &part->nodes[i];
        if (n->is_host)
            build_host(w, part, n->node);
        else
            build_switch(w, part, n->node);
    }
    begin_gates(w, part);
    for (uint32_t i = 0; i < part->n_nodes; i++) partition_mark_next(part, &part->nodes[i]);
}

/* Creates what observes the whole world; last_flow_init follows when its partitions are built. */
static void build_observers(struct world *w) {
    sampling_init(w);
    marks_init(w);
    watchdog_init(w);
    patience_init(w);
    rates_init(w);
}

bool world_build(struct world *w, const struct world_config *config, struct diag *d) {
    const struct fabric *f = config->fabric;
    memset(w, 0, sizeof *w);
    w->config = config;
    w->n_ports = f->paths.first_port[f->n_nodes];
    bool dense = !config->group; /* a rank writes its own part of these arrays alone */
    w->host = memory_map(fabric_n_nics(f), sizeof *w->host, dense);
    w->sw = memory_map(f->n_switches, sizeof *w->sw, dense);
    w->port = memory_map(w->n_ports, sizeof *w->port, dense);
    w->view = memory_map(w->n_ports, sizeof *w->view, dense);
    w->extra = memory_map(w->n_ports, sizeof *w->extra, dense);
    w->hop = memory_map(w->n_ports, sizeof *w->hop, dense);
    if (config->switches.balance->needs_board) {
        w->board_load = memory_get(w->n_ports, sizeof *w->board_load);
        w->board.load_ps = w->board_load;
    }
#ifndef NDEBUG
    audit_init(&w->audit, w->n_ports, f->n_nodes);
#endif
    build_partitions(w);
    count_work(w);
    build_flows(w);
    build_observers(w);
    for (uint32_t i = 0; i < w->n_partitions; i++) w->partition[i].number = (uint16_t)i;
    uint32_t *number = nodes_number(w);
    nodes_place(w, number);
    build_hops(w, number);
    free(number);
    for (uint32_t i = w->first; i < w->first + w->here; i++) build_nodes(w, &w->partition[i]);
    for (uint32_t i = w->first; i < w->first + w->here; i++) {
        if (!observer_create(config, &w->partition[i], d)) return false;
        ways_choose(&w->partition[i]);
    }
    last_flow_init(w);
    return true;
}

/* Frees what build_nodes and nodes_place made. */
static void nodes_destroy(struct partition *part) {
    for (uint32_t i = 0; i < part->n_nodes; i++) {
        if (part->nodes[i].is_host)
            for (uint32_t k = part->nodes[i].host->nics; k-- > 0;) host_fini(&part->nodes[i].host[k]);
        else
            switch_fini(part->nodes[i].sw);
    }
    host_shared_fini(&part->shared);
    flights_fini(&part->flights);
    wheel_fini(&part->wheel);
    packet_pool_fini(&part->pool);
    free(part->nodes);
    free(part->spare);
}

static void observers_destroy(struct world *w) {
    sampling_fini(w);
    marks_fini(w);
    watchdog_fini(w);
    rates_fini(w);
    last_flow_fini(w);
    free(w->patience);
}

static void maps_destroy(struct world *w) {
    const struct fabric *f = w->config->fabric;
    bool dense = !w->config->group;
    memory_unmap(w->host, fabric_n_nics(f), sizeof *w->host, dense);
    memory_unmap(w->sw, f->n_switches, sizeof *w->sw, dense);
    memory_unmap(w->port, w->n_ports, sizeof *w->port, dense);
    memory_unmap(w->view, w->n_ports, sizeof *w->view, dense);
    memory_unmap(w->extra, w->n_ports, sizeof *w->extra, dense);
    memory_unmap(w->hop, w->n_ports, sizeof *w->hop, dense);
}

void world_destroy(struct world *w) {
    for (uint32_t i = w->first; i < w->first + w->here; i++) nodes_destroy(&w->partition[i]);
    observers_destroy(w);
    maps_destroy(w);
    gate_state_fini(&w->gate_state);
    line_state_fini(&w->line_state);
    tally_work_fini(&w->tally_work);
    tallies_fini(&w->tallies);
    exchange_fini(w->exchange);
    audit_fini(&w->audit);
    division_free(w->division);
    void *lists[] = {w->partition,  w->flows_by_host, w->cut,      w->sender,   w->receiver,
                     w->board_load, w->gated,         w->division, w->exchange, w->chain};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) free(lists[i]);
}
