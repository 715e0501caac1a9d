/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes, ports and flows of a world, which all partitions of a process share, and the state of its run.
 *
 * sim/build.h makes it. Rooms above the engine keep what is theirs behind a pointer here: the engine does not look inside, and
 * each module of those rooms reads its own alone.
 */
#ifndef HEDDLE_SIM_ENGINE_WORLD_H
#define HEDDLE_SIM_ENGINE_WORLD_H

#include "sim/engine/config.h"
#include "sim/engine/partition.h"

#include "node/host_nics.h"

struct division;
struct last_flows;
struct marks;
struct patience;
struct rates;
struct sampling;
struct watchdog;

struct world {
    const struct world_config *config;
    uint32_t n_partitions; /* of all ranks */
    uint32_t first, here;  /* the partitions of this rank */
    struct partition *partition;
    const uint16_t *part_of;  /* [n_nodes] */
    struct host *host;        /* [fabric_n_nics] */
    struct fabric_switch *sw; /* [n_switches] */
    struct port *port;        /* [n_ports] by global number */
    struct port_view *view;
    struct port_extra *extra;
    struct hop *hop; /* [n_ports] */
    uint32_t n_ports;
    uint32_t *flows_by_host; /* flow numbers, host after host */
    uint32_t *cut, n_cut;    /* flows of finite size that have a stop */
    uint32_t n_awaited;      /* number of flows that the run waits for */
    uint64_t work;           /* of these flows (node/flow_work.h); 0 if nobody asks for progress */
    uint64_t work_links_q8;  /* mean links of a byte of theirs */
    struct gates gates;      /* the configuration's, with the flows of each gate in the order of their ranks: */
    uint32_t *gated;         /* [n_gated] */
    struct gate_state gate_state;
    struct line_state line_state; /* of connections with several messages */
    struct connection **sender, **receiver;
    struct end_link *chain; /* of hosts with several NICs; NULL: there are none */
    struct tallies tallies;
    struct tally_work tally_work; /* of blocks */
    span_ps lookahead;   /* length of a window (sim/parallel/division.h); equal to slot if there is one partition */
    span_ps slot;        /* smallest over all links */
    int64_t *board_load; /* Clairvoyant's board */
    struct load_board board;
    struct audit_counts audit; /* debug builds */

    /* of sim/parallel */
    struct division *division;
    struct exchange *exchange;

    /* of sim/observe */
    struct sampling *sampling;
    struct rates *rates;
    struct last_flows *last_flows;
    struct marks *marks;
    struct watchdog *watchdog;
    struct patience *patience;

    /* the run */
    time_ps now; /* the last epoch */
    uint64_t last_bytes;
    time_ps last_progress; /* last epoch by which a flow byte had arrived */
    int64_t started_ns, reported_ns;
    bool stop, abandoned, stuck;
};

static inline bool world_has_partition(const struct world *w, uint32_t number) { return number - w->first < w->here; }
/* Returns whether this rank has the node. Hosts, switches and ports of other ranks are all zeros: their pages are never
 * written, and not read either, since some kernels have no common page of zeros. So they take no memory. */
static inline bool world_has_node(const struct world *w, uint32_t node) {
    return world_has_partition(w, w->part_of[node]);
}
static inline bool world_has_port(const struct world *w, uint32_t port) {
    return world_has_node(w, w->config->fabric->paths.port[port].node);
}
/* Returns NIC 0 of a host. */
static inline struct host *world_host(const struct world *w, uint32_t host) {
    return &w->host[w->config->fabric->paths.first_port[host]];
}
static inline bool world_leads(const struct world *w) { return w->first == 0; }

static inline bool world_is_host(const struct world *w, uint32_t node) { return node < w->config->fabric->n_hosts; }

#endif
