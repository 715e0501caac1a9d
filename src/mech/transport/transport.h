/* SPDX-License-Identifier: Apache-2.0 */
/* Transports: the two ends of a flow as sans-IO state machines.
 *
 * A flow carries bytes one way, from its sender to its receiver; a connection has an end on either host. Each end is
 * fed frames and asked for frames; it keeps its own deadlines and says the earliest. `next_timer` may be early, never
 * late, so moving a deadline later touches nothing: when it comes, `on_timer` sees that it is not due and says the new
 * one.
 *
 * A row has a table of functions for each end, so variants share an end or single functions of it; and a base, what all
 * of its kin have in common (TCP, credits): the header, parameters and counters that come before a row's own.
 *
 * The host (node/host) owns the memory, the clock, the NIC and the choice whose turn it is; it fills addresses,
 * ports' order, identity, ttl and class of what `poll_transmit` returns. No end allocates on the packet path
 * except frames' extension cells (env->pool) and scoreboard cells (env->cells) that it gives back itself.
 *
 * To add one: a .c file that ends in its table, and a row in TRANSPORTS below. Variants of TCP that differ only in
 * congestion control are rows too: they name the same ends and another `struct tcp_congestion` (tcp_congestion.h).
 */
#ifndef HEDDLE_MECH_TRANSPORT_H
#define HEDDLE_MECH_TRANSPORT_H

#include "base/diag.h"
#include "base/param.h"
#include "base/random.h"
#include "base/views.h"
#include "wire/packet.h"
#include "wire/packet_pool.h"

struct transport_ops;

/* The environment of one end of a flow: its flow, parameters, counters and clocks. It lives as long as the end. */
struct flow_env {
    /* one line: what most frames touch */
    uint64_t bytes;        /* payload to carry, at least 1; UINT64_MAX = until stopped */
    const int64_t *params; /* values in the order of the table's params */
    struct flow_tally *tally;
    uint64_t *counters; /* in the order of the table's counters; one array per partition */
    uint64_t refused;   /* credits that the limiter refused, as poll_credit found; the host takes them out */
    int64_t nic_bps;    /* rate of this host's link; as it is now whenever poll_credit is called */
    uint64_t seed;      /* of the run, for random streams of this end */
    uint32_t flow;      /* its number */
    uint32_t isn;       /* initial sequence number of this end */
    /* the rest */
    const struct transport_ops *row;
    struct packet_pool *pool; /* extension cells */
    struct cell_pool *cells;  /* scoreboards (base/cells.h), cell size = table's cell_bytes(params) */
    int64_t rate_bps;         /* UDP: payload rate, 0 = the NIC's; TCP ignores it */
    uint64_t burst_bytes;     /* UDP: send this much back to back, then wait; 0 = evenly paced */
    uint32_t peer_isn;        /* that of the other end: of an established flow; answer_closed: if known, else 0 (see
                                 tcp_answer_closed) */
    uint16_t paths[2]; /* choices of uplink a frame between these hosts has at a leaf, and at an agg; 1 = no choice */
    bool established;  /* on a connection that is open already; UDP and credit transports need not care */
    bool stays_open;   /* and it is not closed after this flow */
};

#define CREDIT_HOLD_TRIP TIME_NONE

/* What the transport needs of switches and NICs. */
struct port_needs {
    bool credit;          /* a class of credits in every port */
    bool credit_marking;  /* which marks the credits that leave (SprayPass) */
    bool symmetric_paths; /* both directions of a flow take the same links (XP-8) */
};

/* Frames that a connection sends besides its data, without credits. */
struct transport_talk {
    uint32_t opening_pkts, opening_bytes; /* frames, and wire bytes of all, before the first data */
    uint32_t closing_pkts, closing_bytes; /* after the last */
    uint32_t ack_every, ack_bytes;        /* data frames that one ACK answers, and its wire bytes */
};

enum transport_side { SIDE_SENDER, SIDE_RECEIVER };

/* One end of a flow: its functions, and the memory of its state. */
struct transport_end {
    size_t bytes; /* state, zeroed by the host */
    size_t hot;   /* bytes of its beginning that most frames touch; 0: all */
    void (*open)(void *end, struct flow_env *env, time_ps now);
    void (*close)(void *end, struct flow_env *env); /* gives back cells; NULL = nothing */
    void (*on_packet)(void *end, struct flow_env *env, time_ps now, const struct packet *p);
    void (*on_timer)(void *end, struct flow_env *env, time_ps now); /* NULL: next_timer is transport_no_timer */
    time_ps (*next_timer)(const void *end);
    /* True if a frame would come out of poll_transmit now. */
    bool (*has_output)(const void *end, const struct flow_env *env, time_ps now);
    /* Fills seq, ack, window, flags, payload_bytes, wire_bytes, ECN bits of tos, shape and ext of *p. False: nothing to
     * send now. The rest of *p is zero (ext: EXT_NONE, path: PATH_NONE) before and filled by the host after. */
    bool (*poll_transmit)(void *end, struct flow_env *env, time_ps now, struct packet *p);
    /* Nothing more will come from this end; a receiver that is done is closed and later frames of the flow are answered
     * by `answer_closed` alone. */
    bool (*is_done)(const void *end, const struct flow_env *env);
    /* One line on the state for the report of stuck flows. */
    void (*describe)(const void *end, const struct flow_env *env, char *buf, size_t size);

    /* Senders only. */

    /* One that is done: its last frame, beside its flow (a FIN); false: none. NULL = never any. The answers to it and
     * to its answer come from `answer_closed`, that of the sender too: for TCP frames with FIN. */
    bool (*farewell)(const void *end, const struct flow_env *env, struct packet *p);
    uint64_t (*credits_held)(const void *end); /* neither used nor wasted; NULL = none */
    uint32_t (*cwnd_bytes)(const void *end);   /* for timelines; NULL = has none */

    /* Receivers only. Credits (both NULL: this transport has none). When the next credit is due, TIME_NONE if never; it
     * changes only inside the other functions. The NIC's credit limiter serves the connections that are due in random
     * order (CLAIMS AM-10) and calls poll_credit: it fills a credit as poll_transmit fills a frame, or returns false if
     * only time had to pass (the deadline has moved). Credits that came due since and were not asked for were refused
     * by the limiter: they take numbers and count as sent and dropped. */
    time_ps (*next_credit)(const void *end);
    bool (*poll_credit)(void *end, struct flow_env *env, time_ps now, struct packet *p);
    void (*settle)(void *end, struct flow_env *env); /* the tally gets what it has not been told; NULL = all is */
};

time_ps transport_no_timer(const void *end); /* TIME_NONE */

/* The part of a row that transports of one kind share. */
struct transport_base {
    const struct param_list *params; /* before a row's own; NULL: none */
    const struct counter *counters;
    size_t n_counters;
    bool counts_degrees;     /* counts data frames by their out-of-order degree (base/degrees.h) */
    uint16_t degree_counter; /* then: index of the first of DEGREE_BINS counters */
    uint8_t proto;           /* PROTO_TCP or PROTO_UDP */
    uint8_t header_bytes;    /* of a data frame after Ethernet: 40 for TCP, 28 for UDP */
    uint16_t
        handshake_trips;    /* one-way trips of minimum frames before the first data leaves (slowdown's bound): TCP 2 */
    bool keeps_connections; /* a flow on a connection that is open begins with its data */
    bool tolerates_reordering;
    uint16_t max_payload_param; /* index of the parameter that gives payload bytes of a full frame */
    /* Indices of parameters; 0: it has none. */
    uint16_t early_bytes_param; /* payload sent before the handshake is over */
    uint16_t min_rto_param;     /* least and most time of silence before a lost segment is sent again */
    uint16_t max_rto_param;
    uint16_t fast_retransmit_param;              /* whether what comes late is taken for lost: true or false, */
    uint16_t dupack_param;                       /* and how many later segments must have come */
    size_t (*cell_bytes)(const int64_t *params); /* NULL = needs no cells */
    struct transport_talk (*talk)(const int64_t *params); /* NULL = data alone */
    /* A frame for an end that is done: fills the answer (as poll_transmit) and returns true, or false for none. */
    bool (*answer_closed)(const struct flow_env *env, time_ps now, const struct packet *p, struct packet *answer);
};

struct transport_ops {
    const char *name, *paper, *doc;
    const struct transport_base *base;
    const struct transport_end *sender, *receiver;
    const struct tcp_congestion *congestion; /* TCP: how its window moves */
    const struct credit_law *credit;         /* credits: how they are kept, and at which rate they come */
    const struct param_list *params;         /* the base's and its own; NULL: the base's alone */
    const struct param_default *defaults;    /* of the base's, where another value is the default */
    size_t n_defaults;
    const struct counter *counters; /* its own, after the base's */
    size_t n_counters;
    struct port_needs needs;
    /* Keys that are so unless the experiment says otherwise, such as an admission and its threshold; ends at key NULL;
     * NULL: none. Of thresholds that several transports of a run need the lowest holds. */
    const struct need *needed;
    uint8_t more_header_bytes; /* of a data frame, beside the base's */
    const char *kernel;        /* the congestion control of Linux that is the same; NULL: it has none (heddle lab run) */
    bool takes_rate;           /* `rate_bps` of a flow bounds what its application gives */
    bool takes_bursts;         /* and `burst_bytes` of it come at once */
    bool chooses_paths;        /* its frames carry the choice of next hops that switches are to make (SP-2) */
    size_t (*cell_bytes)(const int64_t *params); /* NULL = as the base */
    /* How long a sender keeps a credit for which it has no data; CREDIT_HOLD_TRIP: a round trip. NULL = not at all. */
    span_ps (*credit_hold)(const int64_t *params);
};

#define TRANSPORTS(ROW)                                                                                                \
    ROW(newreno)                                                                                                       \
    ROW(cubic)                                                                                                         \
    ROW(dctcp)                                                                                                         \
    ROW(dx)                                                                                                            \
    ROW(hull)                                                                                                          \
    ROW(expresspass)                                                                                                   \
    ROW(spraypass)                                                                                                     \
    ROW(udp)

#define TRANSPORT_DECLARE(id) extern const struct transport_ops transport_##id;
TRANSPORTS(TRANSPORT_DECLARE)

const struct transport_ops *const *transports(size_t *n);
const struct transport_ops *transport_find(const char *name);

/* All parameters of a row, with its own defaults, and all counters. */
size_t transport_n_params(const struct transport_ops *t);
struct param transport_param(const struct transport_ops *t, size_t i);
void transport_defaults(const struct transport_ops *t, int64_t *value); /* of all its parameters */
size_t transport_n_counters(const struct transport_ops *t);
const struct counter *transport_counter(const struct transport_ops *t, size_t i);

static inline const struct transport_end *transport_end_of(const struct transport_ops *t, enum transport_side side) {
    return side == SIDE_SENDER ? t->sender : t->receiver;
}
static inline uint32_t transport_header_bytes(const struct transport_ops *t) {
    return t->base->header_bytes + t->more_header_bytes;
}
/* Returns the bytes of a cell for the scoreboards of this transport; 64 if it needs none. */
size_t transport_cell_bytes(const struct transport_ops *t, const int64_t *params);

#endif
