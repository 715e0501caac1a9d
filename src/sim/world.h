/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated world: a fabric, its hosts and switches, and the run of one experiment in it.
 *
 * study fills a `struct world_config` and calls `world_run`. Nothing here reads a file; only captures are written.
 */
#ifndef HEDDLE_SIM_WORLD_H
#define HEDDLE_SIM_WORLD_H

#include "base/diag.h"
#include "fabric/fabric.h"
#include "measure/result.h"
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

struct measure_config {
    time_ps from; /* flows that start earlier do not count in FCT and slowdown; links and host goodput count from it */
    int64_t starts_from_ppb, starts_to_ppb; /* only flows of that part of the arrivals count; 0 and PPB = all */
    struct size_classes sizes;              /* classes of FCT and slowdown, besides the built-in ones */
    struct query_classes query_classes;     /* classes of completion times */
    span_ps queues, links;                  /* period of samples; 0 = none */
    span_ps pauses;                         /* period of samples of stopped classes, under flow control */
    span_ps imbalance;                      /* period; 0 = 10 ms */
    int64_t imbalance_min_ppb;              /* an interval counts if its uplinks carried this share of capacity */
    span_ps goodput;                        /* period of samples of hosts' goodput; 0 = none */
    span_ps jain[FAIRNESS_MAX];             /* intervals of fairness */
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
};
typedef bool (*progress_fn)(const struct progress *p, void *context);

struct world_config {
    const struct fabric *fabric;
    const struct flow_list *flows;
    struct switch_config switches;
    struct host_config hosts; /* hosts.transport[0] is the hosts' own; others by flow->transport */
    span_ps board_epoch;      /* period of the board of a balancer that needs one (switch.clairvoyant.epoch) */
    uint64_t seed;
    time_ps until;    /* end of the run; TIME_NONE: when every flow has finished */
    uint32_t threads; /* of each rank */
    uint32_t large_ports,
        huge_ports;                  /* for tests: with more ports a fabric is large, huge; 0: sim/engine/partition.h */
    const struct ranks_group *group; /* ranks that carry out the run together; NULL: this process alone */
    struct measure_config measure;
    progress_fn progress;
    void *progress_context;
};

/* Returns why so many ranks of so many threads cannot carry out this run together; NULL if they can. */
const char *world_refuses_ranks(const struct world_config *config, uint32_t ranks, uint32_t threads);

enum world_outcome { WORLD_DONE, WORLD_FAILED, WORLD_ABANDONED };

/* Runs to the end. With a group all its ranks call it; only its leader gets the whole result. On WORLD_FAILED r->failure
 * says why; the rest of *r is still filled. */
enum world_outcome world_run(const struct world_config *config, struct run_result *r);

/* Summarises the flows and queries of a run that was carried out elsewhere, from r->tally[flows->n]; the run ended at
 * `end`, and r->averaged is set. */
void world_summarise(const struct world_config *config, time_ps end, struct run_result *r);
/* Summarises links and queues, from r->port[] of all ports by global number. */
void world_summarise_ports(const struct world_config *config, struct run_result *r);

/* Returns whether the fabric is huge: its frames come from memory, so lists carry them (sim/engine/partition.h, sim/engine/flight.h). */
bool world_is_huge(const struct world_config *config);

/* Returns the most bytes that world_run will use on any of `ranks` ranks, its fabric and flows included, estimated from
 * the configuration. A rank has the whole fabric and all flows, and its part of the nodes. The growth of queues and
 * connections is a rough estimate. ranks: 1 for a single process. */
uint64_t world_memory_foreseen(const struct world_config *config, uint32_t ranks);
/* Returns the part of these bytes for each flow of the list. */
uint64_t world_flow_bytes(void);
/* Returns the part of these bytes for each port, with its part of the fabric. Needs no fabric yet. */
uint64_t world_port_bytes(void);

/* Returns a lower bound of a flow's FCT (DESIGN section 3, slowdown). */
int64_t world_flow_bound(const struct world_config *config, const struct flow *flow);

/* Returns the full frames that all sending hosts together can put on their links in a window of so many ranks
 * of so many threads, by rates and delays alone. 0: the fabric cannot be cut. */
uint64_t world_window_frames(const struct world_config *config, uint32_t ranks, uint32_t threads);

/* Returns how many threads of each rank pay for this fabric and load, by world_window_frames. */
uint32_t world_useful_threads(const struct world_config *config, uint32_t ranks);

#endif
