/* SPDX-License-Identifier: Apache-2.0 */
/* A partition: the nodes that one thread processes, slot by slot.
 *
 * Inside a slot every node with work is processed once, alone, in the total order (time, kind: topology < timer <
 * arrival, keyed hash, port, sequence; base/tie.h has the hash). A frame that it sends arrives in a later slot, so the
 * order of nodes does not matter. While one node is processed, the frames of the next are already being fetched into
 * the cache.
 *
 * The border nodes, which have a link to another rank, or in a run without ranks to another thread's partition, come first.
 * Within a slot length no node depends on another, so they can run ahead of the others; their frames then travel
 * meanwhile (sim/exchange.h).
 */
#ifndef HEDDLE_SIM_PARTITION_H
#define HEDDLE_SIM_PARTITION_H

#include "node/host.h"
#include "node/switch.h"
#include "sim/flight.h"

struct audit;
struct exchange;
struct observer;

struct sim_node {
    union {
        struct host *host;
        struct fabric_switch *sw;
    };
    uint32_t node;
    uint32_t first_port; /* global number of port 0 */
    bool is_host;
    bool ahead;         /* a switch of a large fabric that routes all frames of a slot first (switch.h) */
    bool plain;         /* a switch that takes one frame after the other, unobserved */
    int64_t timer_slot; /* the first slot for which its timers are marked; SLOT_NONE: for none */
};

/* The work of one node in one slot. Where prefetching pays its memory is prefetched while earlier nodes are processed, one
 * step per node: the node when it is found; then a switch's balancer and ports, or the places that name a host's flows and
 * where its frames go; then the connections; in huge fabrics, the scoreboards of these. Then it is processed. Its frames are
 * prefetched when it is found. In huge fabrics, where lists carry them, they are prefetched by their place in the slot
 * (flights_fetch), and copied to descriptors when their node is found, unless it routes ahead (sim/ahead.h). */
struct batch {
    struct sim_node *node;
    struct arrival *arrival; /* in flights.sorted */
    uint32_t n;
};

/* A fabric with more ports is large: they do not fit into the nearer caches. 240 B each, a quarter of 2 MiB (docs/notebook). */
#define PREFETCH_FROM_PORTS 2000
/* With more than these it is huge: its frames come from memory, and the lists of links carry them (sim/flight.h). Measured with
 * fat-trees of k = 16, 24 and 32. */
#define HUGE_FROM_PORTS 15000

/* Where frames go that leave a port. */
struct hop {
    span_ps delay; /* propagation, and the receiving host's delay up the stack */
    uint32_t node; /* the receiver: index in its partition's list of nodes */
    uint16_t port; /* its port */
    uint16_t partition;
};
_Static_assert(sizeof(struct hop) == 16, "four of a line");

struct partition {
    struct wheel wheel;
    struct flights flights;
    const struct hop *hop;        /* of the whole fabric, by global port */
    const struct port *port;      /* of the whole fabric, by global port */
    const struct port_view *view; /* of the whole fabric, by global port: for observers */
    struct sim_node *nodes;
    struct exchange *exchange;
    struct observer *observer; /* NULL: no captures, no timelines */
    struct packet_pool pool;
    struct host_shared shared;
    struct arrival *spare; /* [n_spare] second array, for sorting */
    uint32_t n_spare;
    uint64_t digest, hops, delivered, dropped, sent_again; /* delivered, dropped: without credits and pause frames */
    uint64_t pauses_ended;                                 /* obeyed or dropped */
    uint64_t tie_key;                                      /* key of the run (base/tie.h) */
    time_ps last;                                          /* sim/last_flow.h */
    uint32_t n_nodes, n_border;                            /* border nodes come first */
    uint16_t number;
    bool given_up;       /* whoever watches the run wants its end; told to all at the next meeting */
    bool prefetches;     /* the fabric is large */
    bool huge;           /* it is huge */
    void *context;       /* the world it belongs to */
    struct audit *audit; /* counted in debug builds only */
} __attribute__((aligned(CACHE_LINE)));
_Static_assert(sizeof(struct partition) % CACHE_LINE == 0, "two threads must not write the same line");

/* Processes all events before `limit`. */
void partition_run(struct partition *part, time_ps limit);

/* Processes all events before `limit` of border nodes alone. All events before limit minus the length of a slot have
 * been processed; partition_run with this limit follows. */
void partition_run_border(struct partition *part, time_ps limit);

/* Accepts a frame from another partition that arrives at `at`, and already belongs to this one's pool. x: all but its time. */
void partition_accept(struct partition *part, struct flight x, time_ps at);

/* Marks a node's timers, when the run starts. */
void partition_mark_timer(struct partition *part, struct sim_node *node);

/* Returns a lower bound of the time of the next event; TIME_NONE if there is none. */
time_ps partition_next(const struct partition *part);

#endif
