/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a simulated world, and how they are built from a configuration. */
#ifndef HEDDLE_SIM_BUILD_H
#define HEDDLE_SIM_BUILD_H

#include "measure/imbalance.h"
#include "measure/samples.h"
#include "sim/engine/partition.h"
#include "sim/observe/audit.h"
#include "sim/observe/last_flow.h"
#include "sim/observe/marks.h"
#include "sim/observe/patience.h"
#include "sim/observe/rates.h"
#include "sim/observe/watchdog.h"
#include "sim/parallel/division.h"
#include "sim/parallel/exchange.h"
#include "sim/world.h"

/* Pause frames that ended, and those in queues or on links at the end. */
struct pause_frames {
    uint64_t ended, under_way;
};

struct world {
    const struct world_config *config;
    uint32_t n_partitions; /* of all ranks */
    uint32_t first, here;  /* the partitions of this rank */
    struct partition *partition;
    struct division division;
    const uint16_t *part_of;  /* [n_nodes] */
    struct host *host;        /* [n_hosts] */
    struct fabric_switch *sw; /* [n_switches] */
    struct port *port;        /* [n_ports] by global number */
    struct port_view *view;
    struct port_extra *extra;
    struct hop *hop; /* [n_ports] */
    uint32_t n_ports;
    uint32_t *flows_by_host; /* flow numbers, host after host */
    uint32_t *cut, n_cut;    /* flows of finite size that have a stop */
    uint32_t n_awaited;      /* number of flows that the run waits for */
    struct gates gates;      /* the configuration's, with the flows of each gate in the order of their ranks: */
    uint32_t *gated;         /* [n_gated] */
    uint32_t *gate_needs;    /* [n_gates] */
    struct connection **sender, **receiver;
    struct flow_tally *tally;
    struct exchange exchange;
    span_ps lookahead;   /* length of a window (sim/parallel/division.h); equal to slot if there is one partition */
    span_ps slot;        /* smallest over all links */
    int64_t *board_load; /* Clairvoyant's board */
    struct load_board board;
    struct audit_counts audit; /* debug builds */

    /* epochs */
    uint64_t *sent_before;                        /* [n_ports] bytes at the last imbalance epoch */
    uint64_t *sent_sampled;                       /* [n_ports] bytes at the last link sample */
    struct samples *queue_samples, *link_samples; /* [n_partitions] */
    span_ps *paused_sampled;                      /* [n_ports] at the last sample of pauses; NULL: no samples */
    struct samples *pause_samples;                /* [n_partitions] */
    struct imbalance_log *imbalance;              /* [n_partitions] */
    struct rates rates;
    struct last_flow *last_flow; /* [n_partitions] */
    uint64_t *lacks;             /* [n_hosts] for last_flow_look: 0 between its calls */
    struct mark begin, end;      /* of averages over time; the world at measure.from and at the end of the last flow */
    struct watchdog watchdog;
    struct pause_frames pause_frames; /* counted at the end */
    uint64_t last_bytes;
    time_ps last_progress;
    struct patience patience;
    time_ps now;
    int64_t started_ns, reported_ns;
    bool stop, abandoned, stuck;
};

bool world_build(struct world *w, const struct world_config *config, struct diag *d);
void world_destroy(struct world *w);

static inline bool world_has_partition(const struct world *w, uint32_t number) { return number - w->first < w->here; }
/* Returns whether this rank has the node. Hosts, switches and ports of other ranks are all zeros: their pages are never
 * written, and not read either, since some kernels have no common page of zeros. So they take no memory. */
static inline bool world_has_node(const struct world *w, uint32_t node) {
    return world_has_partition(w, w->part_of[node]);
}
static inline bool world_has_port(const struct world *w, uint32_t port) {
    return world_has_node(w, w->config->fabric->paths.port[port].node);
}
static inline bool world_leads(const struct world *w) { return w->first == 0; }

static inline bool world_is_host(const struct world *w, uint32_t node) { return node < w->config->fabric->n_hosts; }

#endif
