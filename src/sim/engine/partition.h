/* SPDX-License-Identifier: Apache-2.0 */
/* A partition: the part of a fabric that one thread simulates.
 *
 * WHAT IT IS
 *
 * A run on one thread has one partition, with all nodes. A run on several threads, or on several processes (ranks), has one
 * for each thread; sim/parallel/division.h cuts the fabric. A partition owns its nodes, the memory of their frames (pool),
 * the calendar of its slots (wheel) and the frames on links that end at its nodes (flights). What it shares with others is
 * only read: the tables by global port number. So no lock is taken while a slot is run.
 *
 * HOW IT RUNS
 *
 * Time advances in slots that are shorter than any link takes to deliver a frame. What a node does in a slot can therefore
 * reach no other node in the same slot, and the nodes of a slot may be run in any order (sim/engine/slots.h). A frame that
 * leaves a port goes one of three ways, by its receiver (struct hop):
 *
 *     in this partition                 into flights, to the slot of its arrival
 *     in another one of this process    to an outbox, 24 bytes that name the frame (sim/parallel/exchange.h)
 *     on another rank                   copied to a message (sim/parallel/exchange_ranks.h)
 *
 * WHO MEETS WHOM, AND WHEN
 *
 * Partitions run on their own for a window: the least time that a frame takes from one of them to another. Between windows
 * they exchange frames. Nodes with a link to another partition are border nodes, and come first in `nodes`. In the last
 * slot length of a window no node depends on what another does, so the border is run first
 * (partition_run_border), its frames go on their way, and the other nodes are run while those travel.
 */
#ifndef HEDDLE_SIM_ENGINE_PARTITION_H
#define HEDDLE_SIM_ENGINE_PARTITION_H

#include "node/host.h"
#include "node/switch.h"
#include "sim/engine/audit_counts.h"
#include "sim/engine/flight.h"
#include "sim/engine/observer.h"
#include "sim/engine/scale.h"
#include "sim/engine/way.h"

struct exchange;

struct sim_node {
    union {
        struct host *host;
        struct fabric_switch *sw;
    };
    uint32_t node;
    uint32_t first_port; /* global number of port 0 */
    bool is_host;
    uint8_t way;        /* enum way */
    int64_t timer_slot; /* the first slot for which its timers are marked; SLOT_NONE: for none */
};

/* Where frames go that leave a port. */
struct hop {
    span_ps delay; /* propagation, and the receiving host's delay up the stack */
    uint32_t node; /* the receiver: index in its partition's list of nodes */
    uint16_t port; /* its port */
    uint16_t partition;
};
_Static_assert(sizeof(struct hop) == 16, "four of a line");

/* Sends a frame to another partition, where it arrives at `at`. global: the port that it leaves. */
typedef void (*cross_fn)(struct partition *part, uint32_t global, time_ps at, uint32_t packet);

struct partition {
    struct wheel wheel;
    struct flights flights;
    const struct hop *hop;        /* of the whole fabric, by global port */
    const struct port *port;      /* of the whole fabric, by global port */
    const struct port_view *view; /* of the whole fabric, by global port: for observers */
    struct sim_node *nodes;
    struct exchange *exchange; /* with the other partitions (sim/parallel/exchange.h) */
    cross_fn cross;            /* sends a frame to another partition */
    struct observer *observer; /* NULL: no captures, no timelines */
    struct packet_pool pool;
    struct host_shared shared;
    struct arrival *spare; /* [n_spare] second array, for sorting */
    uint32_t n_spare;
    uint64_t digest, hops, delivered, dropped; /* delivered, dropped: without credits and pause frames */
    uint64_t pauses_ended;                     /* obeyed or dropped */
    uint64_t tie_key;                          /* key of the run (base/tie.h) */
    time_ps last;                              /* sim/observe/last_flow.h */
    uint32_t n_nodes, n_border;                /* border nodes come first */
    uint16_t number;
    bool given_up;              /* whoever watches the run wants its end; told to all at the next meeting */
    uint8_t scale;              /* enum scale */
    way_fn run[WAYS];           /* the ways of its nodes (sim/ways/ways.h) */
    void *context;              /* the world it belongs to */
    struct audit_counts *audit; /* NULL: not counted */
} __attribute__((aligned(CACHE_LINE)));
_Static_assert(sizeof(struct partition) % CACHE_LINE == 0, "two threads must not write the same line");

/* Accepts a frame from another partition that arrives at `at`, and already belongs to this one's pool. x: all but its time. */
void partition_accept(struct partition *part, struct flight x, time_ps at);

/* Marks that a node has a timer at `at`; it is the node's next. */
void partition_mark_timer(struct partition *part, struct sim_node *node, time_ps at);
/* Marks the next timer of a node, if it has one. */
void partition_mark_next(struct partition *part, struct sim_node *node);

/* Returns a lower bound of the time of the next event; TIME_NONE if there is none. */
time_ps partition_next(const struct partition *part);

#endif
