/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of a simulated world: its fabric, nodes and flows, and what is measured in it.
 *
 * study fills it and calls world_run (sim/world.h). It does not change during a run, and nothing in it is freed by sim.
 */
#ifndef HEDDLE_SIM_ENGINE_CONFIG_H
#define HEDDLE_SIM_ENGINE_CONFIG_H

#include "base/diag.h"
#include "fabric/fabric.h"
#include "measure/result.h"
#include "measure/selection.h"
#include "mech/balance/balance.h"
#include "mech/transport/transport.h"
#include "node/config.h"
#include "workload/workload.h"

#define MAX_TRANSPORTS 8
#define MAX_THREADS 64

/* A link that is watched: the egress of `port`, or with `both` the busier of it and its peer. */
struct watched_link {
    uint32_t port; /* global number */
    bool both;
};

struct ranks_group;

/* A part of the run's time with a name (measure.phases): [from, to). */
struct measured_phase {
    const char *name;
    time_ps from, to;
};

struct measure_config {
    struct selection arrivals; /* flows and queries that count; averages over time run from its `from` to its `until` */
    const struct measured_phase *phase;
    uint32_t n_phases;
    const char *const *entry_name; /* [n_entries] of the workload's entries; NULL: it has none. May be NULL */
    uint32_t n_entries;
    struct size_classes sizes;          /* classes of FCT and slowdown, besides the built-in ones */
    struct query_classes query_classes; /* classes of completion times */
    span_ps queues, links;              /* period of samples; 0 = none */
    span_ps pauses;                     /* period of samples of stopped classes, under flow control */
    span_ps imbalance;                  /* period; 0 = 10 ms */
    int64_t imbalance_min_ppb;          /* an interval counts if its uplinks carried this share of capacity */
    span_ps goodput;                    /* period of samples of hosts' goodput; 0 = none */
    span_ps jain[FAIRNESS_MAX];         /* intervals of fairness */
    uint32_t n_jain;
    span_ps converge;          /* interval of convergence; 0 = none */
    int64_t converge_band_ppb; /* allowed deviation from the fair share, as a share of it */
    const struct watched_link *watch;
    uint32_t n_watch;
    const uint32_t *flow; /* flows with timelines */
    uint32_t n_flow;
    const uint32_t *pcap_node; /* captures: one pcapng per node */
    uint32_t n_pcap;
    const char *pcap_dir;
    uint32_t snap_bytes;  /* 0 = 128 */
    uint64_t max_samples; /* 0 = 1,000,000 */
};

/* Progress of a run. The function is called at epochs, at most ten times a second of wall time, from the calling
 * thread. It returns false to abandon the run. */
struct progress {
    time_ps now;
    uint64_t flows_done, flows_total, packet_hops;
    int64_t wall_ns;
    int64_t done_ppb; /* share of the run that is done: of its time, or of the work foreseen for it; 0: unknown */
};
typedef bool (*progress_fn)(const struct progress *p, void *context);

struct world_config {
    const struct fabric *fabric;
    const struct flow_list *flows;
    struct switch_config switches;
    struct host_config hosts; /* hosts.transport[0] is the hosts' own; others by flow->transport */
    span_ps board_epoch;      /* period of the board of a balancer that needs one (switch.clairvoyant.epoch) */
    uint64_t seed;
    time_ps until;                    /* end of the run; TIME_NONE: when every flow has finished */
    uint32_t threads;                 /* of each rank */
    uint32_t packed_flows;            /* for tests: tallies of so many flows of jobs are packed; 0: PACKED_FLOWS */
    uint32_t large_ports, huge_ports; /* for tests: with more ports a fabric is large, huge; 0: sim/engine/scale.h */
    const struct ranks_group *group;  /* ranks that carry out the run together; NULL: this process alone */
    struct measure_config measure;
    progress_fn progress;
    void *progress_context;
    bool progress_often; /* for tests: at every epoch */
};

#endif
