/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated world: a fabric, its hosts and switches, and the run of one experiment in it.
 *
 * study fills a `struct world_config` and calls `world_run`; nothing here reads a file (but for capture files that it
 * writes).
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

/* A link that is watched: the egress of `port`, or of it and its peer whichever is busier. */
struct watched_link {
    uint32_t port; /* global number */
    bool both;
};

struct measure_config {
    time_ps from; /* flows that start earlier are left out of FCT and slowdown; links and host goodput count from it */
    int64_t starts_from_ppb, starts_to_ppb; /* keep the flows of that part of the arrivals; 0 and PPB = all */
    struct size_classes sizes;              /* of FCT and slowdown, besides the built-in ones */
    struct query_classes query_classes;     /* of completion times */
    span_ps queues, links;                  /* period of samples; 0 = none */
    span_ps pauses;                         /* of those of stopped classes, under flow control */
    span_ps imbalance;                      /* period; 0 = 10 ms */
    int64_t imbalance_min_ppb;              /* intervals count whose uplinks carried that share of what they can */
    span_ps goodput;                        /* period of samples of hosts' goodput; 0 = none */
    span_ps jain[FAIRNESS_MAX];             /* intervals */
    uint32_t n_jain;
    span_ps converge;          /* interval of convergence; 0 = none */
    int64_t converge_band_ppb; /* of the fair share */
    const struct watched_link *watch;
    uint32_t n_watch;
    const uint32_t *flow; /* timelines */
    uint32_t n_flow;
    const uint32_t *pcap_node; /* captures: one pcapng per node */
    uint32_t n_pcap;
    const char *pcap_dir;
    uint32_t snap_bytes;  /* 0 = 128 */
    uint64_t max_samples; /* 0 = 1,000,000 */
};

/* Called at epochs, at most a few times a second of wall time, from the calling thread. Returns false to abandon the
 * run. */
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
    struct host_config hosts; /* hosts.transport[0] is the host's own; others by flow->transport */
    span_ps board_epoch;      /* Clairvoyant's board; 1 us */
    uint64_t seed;
    time_ps until; /* TIME_NONE: until every flow has finished */
    uint32_t threads;
    struct measure_config measure;
    progress_fn progress;
    void *progress_context;
};

enum world_outcome { WORLD_DONE, WORLD_FAILED, WORLD_ABANDONED };

/* Runs to the end and fills *r. WORLD_FAILED: r->failure says why; the rest of *r is still filled. */
enum world_outcome world_run(const struct world_config *config, struct run_result *r);

/* Summarises the flows and queries of a run that somebody else carried out, from r->tally[flows->n]; the run ended at
 * `end`. */
void world_summarise(const struct world_config *config, time_ps end, struct run_result *r);

/* Bytes that world_run will have in use at most, its fabric and flows included, foreseen from the configuration. What
 * queues and connections grow to is an estimate. */
uint64_t world_memory_foreseen(const struct world_config *config);
/* Bytes of it for each flow of the list. */
uint64_t world_flow_bytes(void);
/* Bytes of it for each port, the fabric's own included: before there is a fabric. */
uint64_t world_port_bytes(void);

/* Lower bound of a flow's FCT (DESIGN section 3, slowdown). */
int64_t world_flow_bound(const struct world_config *config, const struct flow *flow);

/* Full frames that the hosts that send can put on their links between two barriers of that many threads: what a window
 * holds, by rates and delays alone. 0: the fabric cannot be cut. */
uint64_t world_window_frames(const struct world_config *config, uint32_t threads);

/* How many threads will pay for this fabric and load, by what a window holds. */
uint32_t world_useful_threads(const struct world_config *config);

#endif
