/* SPDX-License-Identifier: Apache-2.0 */
/* A partition: the nodes that one thread processes, slot by slot.
 *
 * Inside a slot every node with work is processed once, alone, in the total order (time, kind: topology < timer <
 * arrival, keyed hash, port, sequence; base/tie.h has the hash). What it sends arrives in a later slot, so the order of
 * nodes does not matter, and while one node is being processed the frames of the next are already on their way into the
 * cache.
 */
#ifndef HEDDLE_SIM_PARTITION_H
#define HEDDLE_SIM_PARTITION_H

#include "node/host.h"
#include "node/switch.h"
#include "sim/link.h"
#include "sim/wheel.h"

struct audit;
struct exchange;
struct observer;

struct sim_node {
    union {
        struct host *host;
        struct fabric_switch *sw;
    };
    uint32_t node;
    uint32_t first_port;  /* global number of port 0 */
    uint32_t timer_input; /* ports' inputs follow it */
    bool is_host;
    int64_t timer_slot; /* a mark of the timer input stands there, or earlier; SLOT_NONE */
};

/* The work of one node in one slot. What it will touch is fetched while the nodes before it are processed, one step a
 * node: gathered, its frames come; then what its frames name; then the connections; then it is processed. */
#define BATCHES 4
struct batch {
    struct sim_node *node;
    struct arrival *arrival;
    uint32_t n, size;
};

struct partition {
    struct wheel wheel;
    struct link_in *in; /* [n_inputs] */
    struct link_out
        *out; /* sending ends of the whole fabric, by global port; those of other partitions' nodes are theirs */
    const struct port *port;      /* of the whole fabric, by global port */
    const struct port_view *view; /* of the whole fabric, by global port: for observers */
    const uint16_t *to_partition; /* by global port: partition of the receiver */
    struct link_out *inlet;       /* [n_inputs] receiving end's view of links from other partitions */
    struct sim_node *nodes;
    struct exchange *exchange;
    struct observer *observer; /* NULL: no observer */
    struct packet_pool pool;
    struct host_shared shared;
    struct batch batch[BATCHES];
    struct batch spare;                                    /* room for putting in order */
    uint64_t digest, hops, delivered, dropped, sent_again; /* delivered, dropped: credits and pause frames apart */
    uint64_t pauses_ended;                                 /* obeyed or dropped */
    uint64_t tie_key;                                      /* of the run (base/tie.h) */
    time_ps limit;                                         /* events before it are being processed */
    time_ps slot_end;                                      /* of the present slot, whole */
    uint32_t n_inputs, n_nodes;
    uint16_t number;
    bool prefetches;     /* the fabric's ports do not stay in the nearer caches */
    void *context;       /* the world it belongs to */
    struct audit *audit; /* counted in debug builds only */
};

/* Processes every event before `limit`. */
void partition_run(struct partition *part, time_ps limit);

/* Accepts a frame from another partition, already copied into this partition's pool. */
void partition_accept(struct partition *part, uint32_t input, time_ps at, uint32_t packet);

/* Marks a node's timers as due; for the start. */
void partition_mark_timer(struct partition *part, struct sim_node *node);

/* Returns a lower bound of the time of the next event; TIME_NONE if there is none. */
time_ps partition_next(const struct partition *part);

#endif
