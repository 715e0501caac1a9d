/* SPDX-License-Identifier: Apache-2.0 */
/* A host, sans-IO: its flows, their transports, and the NIC. A host with several NICs is several of these (node/host_nics.h).
 *
 *   flow starts -> connection -> ready -> NIC pulls a frame -> (frame, departure)
 *   frame arrives -> connection -> transport -> ready -> ...
 *
 * Events. A flow starts or stops, a transport's deadline is due, the NIC becomes idle, or a frame arrives. The driver
 * calls host_timer at host_next_timer and host_receive for each frame, and carries out `out`. One host belongs to one
 * thread. Deadlines are in a heap; a deadline that has moved later is put back when its old time comes.
 * Flows. A flow starts at its time, or when a gate of this host opens (struct gate, base/views.h). The end of a flow at
 * this host, received or acknowledged, counts for every gate that struct flow_feed names.
 * The NIC, host.nic: pull. When idle it takes one frame from the connections of the highest class that have something
 * to send, in round robin; it has a wake-up only while more is waiting. nic: fifo takes frames at once, and holds up to
 * nic_queue_bytes of them, or nic_queue_frames, in order (AM-14). Where the switches have classes or flow
 * control, nic: fifo has a queue per class, with strict priority. A full queue stops the transports; nothing is
 * dropped. Frames without a connection (a farewell, the answer of a finished flow) join a full queue too: they are few
 * and small. With nic_full: drop (AM-44, as ns-3's devices do) no transport is stopped: every frame that does not fit
 * into its queue, whatever it is, is dropped (DROP_NIC) at the instant at which it is made. Credits leave before data
 * whenever their limiter allows (node/credit_nic.h); with nic: fifo they wait
 * behind queued frames. Under flow control the NIC obeys pause frames: a pause stops the transports of its class, or
 * its queue. With host.jitter each frame reaches the NIC after a random delay, in order (node/jitter.h).
 */
#ifndef HEDDLE_NODE_HOST_H
#define HEDDLE_NODE_HOST_H

#include "base/cells.h"
#include "base/gates.h"
#include "base/heap.h"
#include "base/lines.h"
#include "base/random.h"
#include "base/tallies.h"
#include "mech/transport/transport.h"
#include "node/config.h"
#include "node/credit_nic.h"
#include "node/deadlines.h"
#include "node/jitter.h"
#include "node/port.h"
#include "node/switch.h"

/* In packet.flow: the frame goes from the flow's receiver to its sender. */
#define FLOW_REVERSE 0x80000000u
#define FLOW_MASK 0x7fffffffu

/* One end of a flow. The transport's state follows it in the same cell. */
struct connection {
    const struct transport_end *ops;
    struct connection *ready_next, *ready_before; /* in the ready list; ready_before is unset for the first */
    time_ps timer_at;                             /* its deadline in the heap; TIME_NONE */
    time_ps stop_at;                              /* long flows: time at which the sender ends; TIME_NONE */
    time_ps credit_at;                            /* time of its next credit */
    uint32_t heap_place;                          /* UINT32_MAX: not in the heap */
    uint32_t credit_place;                        /* its place among the later or the due credits (node/credit_nic.h) */
    uint32_t flow;
    uint8_t side; /* enum transport_side */
    uint8_t priority;
    bool ready;               /* it is in the ready list */
    uint8_t kind : 3;         /* index of the transport */
    uint8_t credit_stand : 2; /* enum credit_stand */
    bool counted : 1;         /* its end has been counted */
    bool in_line : 1;         /* it is one of several messages of a connection (base/lines.h), */
    bool has_sent : 1;        /* and its last byte has left */
    struct packet header;     /* template of its frames */
    struct flow_env env;
    /* the transport's state, on a line of its own */
    _Alignas(CACHE_LINE) char end[];
};
_Static_assert(offsetof(struct connection, header) == CACHE_LINE, "one line");

struct ready_list {
    struct connection *head, *tail;
};

/* The neighbours of an open end among those of its host; FLOW_NONE: none. An end is 2 x flow + side. */
struct end_link {
    uint32_t next, before;
};

/* Shared by the hosts of one partition. */
struct host_shared {
    const struct host_config *config;
    const struct flow *flow;                /* all flows of the run */
    struct flow_tally *tally;               /* [n_flows]; NULL: in blocks (base/tallies.h), */
    struct tally_work *tallies;             /* which these are */
    struct connection **sender, **receiver; /* [n_flows] open ends; entries of a host are its own */
    struct packet_pool *pool;
    struct cell_pool ends[2 * 8];                       /* [transport * 2 + side] */
    struct cell_pool cells[8];                          /* [transport] scoreboards */
    uint64_t *counters[8];                              /* [transport] */
    uint64_t flows_started, flows_done, bytes_received; /* of this partition */
    uint64_t work_done;                                 /* of this partition, as node/flow_work.h counts it */
    uint64_t work_links_q8;                             /* mean links of the run's bytes; 0: nobody asks for progress */
    uint32_t open_ends;                                 /* of this partition */
    bool prefetches;                                    /* there are more open ends than a cache holds */
    uint16_t prefetch_sender, prefetch_receiver;        /* bytes of an end that most frames touch */
    bool sender_tallies;                                /* there are senders that write tallies before they settle */
    bool far_pairs; /* twice the base round trip of some pair may exceed a transport's min_rto */
    uint64_t seed;
    const struct fabric *fabric;
    struct gate_state *gates; /* NULL: none */
    struct line_state *lines; /* NULL: none */
    struct end_link *chain;   /* [2 * n_flows] the open ends of each host; NULL: every host has one NIC */
};

struct host {
    /* three cache lines: the fields that every frame and timer touches */
    struct port_view *view; /* the NIC */
    struct port *port;
    struct host_shared *shared;
    struct deadlines deadlines;
    time_ps nic_wake;
    span_ps nic_ahead; /* time before its link is idle at which the NIC may take a frame */
    time_ps start_at;  /* start of the next flow here, listed or gated, or of what a gate does; TIME_NONE */
    const struct fabric_event *event, *event_end;
    uint64_t created; /* frames without credits: made here */
    uint32_t node;
    uint16_t nic, nics;         /* its number among the NICs of its host, and their number (node/host_nics.h) */
    uint32_t serial;            /* of its next frame; the NICs of a host take turns */
    uint8_t ready_classes;      /* bit k: ready[k] is not empty */
    bool queues;                /* nic: fifo with a queue per class, or with a size in frames */
    bool void_credits;          /* answers data that came without a credit with a void credit (XP-23) */
    bool drops;                 /* nic_full: drop */
    struct credit_nic *credits; /* NULL: no transport has credits */
    struct jitter *jitter;      /* delays before the NIC; NULL: none */
    struct pause_state *pause;  /* pauses that the switch asked for; NULL without flow control */
    struct port_extra *extra;
    const uint32_t *next_flow, *end_flow; /* flows with a fixed start that start here, in order */
    struct ready_list ready[MAX_CLASSES];
    /* the rest */
    uint32_t queued_frames[MAX_CLASSES]; /* frames in each of the NIC's queues */
    uint64_t credits_created;            /* credits put on the link */
    uint64_t voids_sent, voids_received;
    uint64_t unclaimed; /* frames without credits that were delivered after their flow had ended here */
    struct heap gated;  /* what gates have due (base/gates.h) */
    uint32_t ip;
    uint32_t first_end; /* NIC 0: of the open ends of the host (host_shared.chain); FLOW_NONE: none */
} __attribute__((aligned(CACHE_LINE)));
#define HOST_HOT (3 * CACHE_LINE)
_Static_assert(offsetof(struct host, ready[1]) <= HOST_HOT, "three lines");

#define HOST_MAX_OUT 64
struct host_out {
    uint32_t n;
    struct emission e[HOST_MAX_OUT];
};

/* Returns the initial sequence number of one end. */
static inline uint32_t host_isn(uint64_t seed, uint32_t flow, enum transport_side side) {
    return (uint32_t)random_key(seed, RANDOM_HOST, (uint64_t)flow << 1 | side);
}

/* Returns the bytes that the transports keep of a connection with several messages (base/lines.h). */
size_t host_line_memory_bytes(const struct host_config *config);
void host_shared_init(struct host_shared *shared);
void host_shared_fini(struct host_shared *shared);
/* Fills the parts of *nic that follow from the NIC's queues: buffer, classes, schedule, pauses. The caller sets the
 * rest. */
void host_nic_setup(const struct host_config *config, struct port_setup *nic);
/* Initialises a host whose next_flow, end_flow, nic, nics (0 stands for 1), view, port and extra are set. */
void host_init(struct host *h, uint32_t node, struct host_shared *shared, const struct port_setup *nic);
void host_fini(struct host *h);

/* Prefetches the cache lines of a connection that most frames touch, all at once. With thousands of flows a host meets
 * a cold connection on every frame, and these misses dominate its cost. The second line of `env` is rarely used and
 * left out. */
PREFETCHING connection_prefetch(const struct connection *c, size_t end_bytes) {
    for (size_t at = 0; at < 3ul * CACHE_LINE; at += CACHE_LINE) __builtin_prefetch((const char *)c + at, 1);
    for (size_t at = 0; at < end_bytes; at += CACHE_LINE) __builtin_prefetch(c->end + at, 1);
}
static inline struct connection **host_place_of(const struct host_shared *s, const struct packet *p) {
    uint32_t flow = p->flow & FLOW_MASK;
    return p->flow & FLOW_REVERSE ? &s->sender[flow] : &s->receiver[flow];
}
/* Prefetches what each frame and each timer of a host reads beside the host itself, whose lines must be near: its NIC. */
PREFETCHING host_prefetch_parts(const struct host *h) { __builtin_prefetch(h->port, 1); }
/* Prefetches the pointer to the connection of this frame, and its extension. */
PREFETCHING host_prefetch_names(const struct host_shared *s, const struct packet *p) {
    if (p->ext != EXT_NONE) __builtin_prefetch(packet_ext_at(s->pool, p->ext));
    if (p->flow == FLOW_NONE) return; /* a pause frame */
    __builtin_prefetch(host_place_of(s, p));
}
/* Prefetches the connection itself, and the line of its flow in the tally. */
PREFETCHING host_prefetch_end(const struct host_shared *s, const struct packet *p) {
    if (p->flow == FLOW_NONE) return;
    bool sends = p->flow & FLOW_REVERSE;
    const struct connection *c = *host_place_of(s, p);
    if (c) connection_prefetch(c, sends ? s->prefetch_sender : s->prefetch_receiver);
    if (sends && !s->sender_tallies) return;
    uint32_t flow = p->flow & FLOW_MASK;
    const struct flow_tally *t = s->tally ? &s->tally[flow] : tallies_near(s->tallies->of, flow);
    if (t) __builtin_prefetch((const char *)t + (sends ? 64 : 0), 1);
}
/* Leading bytes of a scoreboard that are prefetched: all of it for a window of 2,000 segments, less if the flow is shorter. Its
 * header is followed by a bit for each segment. */
#define CELL_NEAR (6ul * CACHE_LINE)
#define CELL_SEGMENT 1024 /* or more bytes, as a rule */
static inline size_t cell_near(uint64_t flow_bytes) {
    return (size_t)min_i64(CELL_NEAR, CACHE_LINE + (int64_t)(flow_bytes / CELL_SEGMENT / 8));
}
/* Prefetches the scoreboard of a connection, whose lines must be near, if it has one. */
PREFETCHING connection_prefetch_cell(const struct connection *c) {
    if (!c->ops->cell_at) return;
    const char *cell = *(const char *const *)(c->end + c->ops->cell_at);
    size_t near = cell ? cell_near(c->env.bytes) : 0;
    for (size_t at = 0; at < near; at += CACHE_LINE) __builtin_prefetch(cell + at, 1);
}
/* Prefetches the scoreboard of the frame's connection. */
PREFETCHING host_prefetch_cell(const struct host_shared *s, const struct packet *p) {
    if (p->flow == FLOW_NONE) return;
    const struct connection *c = *host_place_of(s, p);
    if (c) connection_prefetch_cell(c);
}
/* Returns the connection that sends next; NULL: none. */
static inline const struct connection *host_sends_next(const struct host *h) {
    return h->ready_classes ? h->ready[31 - __builtin_clz(h->ready_classes)].head : NULL;
}
/* Prefetches the connection that sends next. */
PREFETCHING host_prefetch_ready(const struct host *h) {
    const struct connection *c = host_sends_next(h);
    if (c) connection_prefetch(c, h->shared->prefetch_sender);
}
/* Prefetches the scoreboard of the connection that sends next. */
PREFETCHING host_prefetch_ready_cell(const struct host *h) {
    const struct connection *c = host_sends_next(h);
    if (c) connection_prefetch_cell(c);
}

/* Returns the tally of a flow whose ends are not both gone. */
static inline struct flow_tally *host_tally(const struct host_shared *s, uint32_t flow) {
    return s->tally ? &s->tally[flow] : tallies_at(s->tallies, flow);
}
/* Returns whether the receiver of a flow has all of it. */
static inline bool host_has_received(const struct host_shared *s, uint32_t flow) {
    time_ps at = s->tally ? s->tally[flow].finished_at : tally_finished_at(*s->tallies->of, flow);
    return at != TIME_NONE;
}

/* Handles a frame that has arrived and passed the host's stack. The driver frees the frame afterwards. */
void host_receive(struct host *h, time_ps now, const struct packet *p, struct host_out *out);
/* Handles the event that is due first. */
void host_timer(struct host *h, time_ps now, struct host_out *out);
static inline time_ps host_next_timer(const struct host *h) {
    time_ps at = min_i64(h->nic_wake, h->start_at);
    at = min_i64(at, h->deadlines.next);
    if (h->event < h->event_end) at = min_i64(at, h->event->at);
    return at;
}

/* Returns the number of frames that host.jitter delays before the NIC. */
static inline uint32_t host_delayed(const struct host *h) { return h->jitter ? h->jitter->n : 0; }

/* Brings the tally of an open end's flow up to date; NULL: does nothing. */
static inline void host_settle(struct connection *c) {
    if (c && c->ops->settle) c->ops->settle(c->end, &c->env);
}
/* Lets a gate of this host that needs nothing begin when the run does. */
void host_begin_gate(struct host *h, uint32_t gate);

/* Frees an end of a flow at the end of the run; no frame tells the peer. */
void host_close(struct host *h, struct connection *c);

#endif
