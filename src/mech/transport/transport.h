/* SPDX-License-Identifier: Apache-2.0 */
/* Transports: the two ends of a flow, as state machines that do no input or output of their own.
 *
 * THE TWO ENDS
 *
 * A flow carries bytes one way, from its sender to its receiver. Both ends send frames: the sender data, the receiver
 * ACKs or credits. An end is a piece of memory (struct transport_end says how much) and a table of functions over it. It
 * has no clock, no socket and no memory of its own. The host (node/host) has all three: it gives the end every frame that
 * arrives for it, tells it the time, and asks it for frames. The same code therefore runs in the simulator, in a live
 * host and in a replay, and gives the same frames wherever it gets the same ones at the same times.
 *
 * HOW A HOST DRIVES AN END
 *
 *     open           once; the state is zeroed, the environment complete
 *     on_packet      for every frame that arrives
 *     on_timer       at or after the time that next_timer returned
 *     has_output     after each of these: whether there is a frame to send now
 *     poll_transmit  when the NIC is free for this connection: fills that frame. The host adds addresses, ports, identity,
 *                    TTL and class
 *     is_done        whether the end will send nothing more; then close
 *
 * DEADLINES
 *
 * An end keeps its deadlines itself and returns the earliest from `next_timer`. That time may be early, never late: an
 * end may move a deadline back without telling the host. When the old time comes, `on_timer` sees that nothing is due,
 * and `next_timer` returns the new one. A sender that restarts its retransmission timer with every ACK costs the host
 * nothing this way.
 *
 * CREDITS
 *
 * The receivers of ExpressPass and SprayPass send credits, which are paced by deadlines of their own (`next_credit`) and
 * polled by the NIC's limiter (`poll_credit`), not by the host's schedule of data.
 *
 * MEMORY
 *
 * No end allocates on the packet path, except extension cells of frames (env->pool) and cells of its scoreboard
 * (env->cells), and it gives the latter back itself. States are laid out so that the leading `hot` bytes are what most
 * frames touch.
 *
 * ROWS AND BASES
 *
 * A transport is a row: a name, the paper, a table of functions for each end, parameters and counters. Rows may share an
 * end, or single functions of it. What all transports of one kind (TCP, credits) have in common is their base: the
 * header, and the parameters and counters that come before a row's own.
 *
 * To add one: a .c file that ends in its row, and a line in TRANSPORTS (transports.h). Variants of TCP that differ only in congestion
 * control are rows too: they name the same ends and another `struct tcp_congestion` (tcp_congestion.h).
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
    /* one cache line: what most frames touch */
    uint64_t bytes;        /* payload to carry, at least 1; UINT64_MAX = until stopped */
    const int64_t *params; /* values in the order of the table's parameters */
    struct flow_tally *tally;
    uint64_t *counters;       /* in the order of the table's counters; one array per partition */
    uint64_t refused;         /* credits that the limiter refused: poll_credit adds them, the host takes them out */
    int64_t nic_bps;          /* current rate of this host's link; the host updates it before each poll_credit */
    struct packet_pool *pool; /* extension cells */
    uint32_t flow;            /* number of the flow */
    uint32_t isn;             /* initial sequence number of this end */
    /* fields that few frames touch */
    const struct transport_ops *row;
    struct cell_pool *cells; /* scoreboards (base/cells.h), cell size = table's cell_bytes(params) */
    uint64_t seed;           /* seed of the run, for random streams of this end */
    int64_t rate_bps;        /* UDP: payload rate, 0 = the NIC's; TCP ignores it */
    uint64_t burst_bytes;    /* UDP: send this much back to back, then wait; 0 = evenly paced */
    uint32_t peer_isn;       /* ISN of the other end, on an established flow; for answer_closed: 0 if not known */
    uint16_t paths[2];       /* number of uplinks that a frame between these hosts can take at a leaf, and at an agg */
    bool established;        /* the connection is open already; UDP and credit transports ignore it */
    bool stays_open;         /* the connection is not closed after this flow */
    /* The base round trip of the two hosts: what an idle fabric takes. The host sets both before `open` if twice that
     * may exceed min_rto, else before a deadline that is due. 0: not known. */
    uint32_t full_frame_ns; /* what a full frame of data takes longer than a minimum frame, rounded up */
    span_ps trip_ps;        /* minimum frames both ways: no answer can come sooner */
};
_Static_assert(offsetof(struct flow_env, row) == 64 && sizeof(struct flow_env) == 128, "two lines");

/* Returns the base round trip with a full frame out and a minimum frame back. */
static inline span_ps flow_base_trip(const struct flow_env *env) {
    return env->trip_ps + (span_ps)env->full_frame_ns * PS_PER_NS;
}

#define CREDIT_HOLD_TRIP TIME_NONE
#define TRANSPORT_RTO_AUTO (-1) /* value of a first timeout that follows from the pair of hosts */

/* What the transport needs of switches and NICs. */
struct port_needs {
    bool credit;          /* a class of credits in every port */
    bool credit_marking;  /* ports mark the credits that leave (SprayPass) */
    bool symmetric_paths; /* both directions of a flow take the same links (XP-8) */
};

/* Frames that a connection sends besides its data, without credits. */
struct transport_talk {
    uint32_t opening_pkts, opening_bytes; /* frames before the first data, and their wire bytes in total */
    uint32_t closing_pkts, closing_bytes; /* the same, after the last data */
    uint32_t ack_every, ack_bytes;        /* data frames that one ACK answers, and its wire bytes */
};

enum transport_side { SIDE_SENDER, SIDE_RECEIVER };

/* One end of a flow: its functions, and the memory of its state. */
struct transport_end {
    size_t bytes; /* state, zeroed by the host */
    size_t hot;   /* leading bytes of the state that most frames touch; 0: all */
    /* Offset in the state of the pointer to its scoreboard, which is NULL while it has none. 0: it never has one. */
    size_t cell_at;
    void (*open)(void *end, struct flow_env *env, time_ps now);
    void (*close)(void *end, struct flow_env *env); /* gives back its cells; NULL = nothing to do */
    void (*on_packet)(void *end, struct flow_env *env, time_ps now, const struct packet *p);
    void (*on_timer)(void *end, struct flow_env *env, time_ps now); /* NULL: next_timer is transport_no_timer */
    time_ps (*next_timer)(const void *end);
    /* Returns whether poll_transmit would yield a frame now. */
    bool (*has_output)(const void *end, const struct flow_env *env, time_ps now);
    /* Fills seq, ack, window, flags, payload_bytes, wire_bytes, ECN bits of tos, shape and ext of *p. Returns false if
     * there is nothing to send now. The host zeroes the rest of *p before (ext: EXT_NONE, path: PATH_NONE) and fills it
     * after. */
    bool (*poll_transmit)(void *end, struct flow_env *env, time_ps now, struct packet *p);
    /* Returns whether this end will send nothing more. The host then closes a receiver; later frames of the flow are
     * answered by `answer_closed` alone. */
    bool (*is_done)(const void *end, const struct flow_env *env);
    /* Writes one line on the state, for the report of stuck flows. */
    void (*describe)(const void *end, const struct flow_env *env, char *buf, size_t size);
    /* Brings the tally up to date with counts that the end keeps in its state, as `close` does; NULL = it always is. */
    void (*settle)(void *end, struct flow_env *env);

    /* Senders only. */

    /* Returns whether all payload has left, each byte at least once. */
    bool (*has_sent)(const void *end, const struct flow_env *env);

    /* Connections that carry one flow after the other (base/lines.h). What a flow has learned about the path is kept in
     * memory_bytes bytes: `remember` writes them when all has been sent, and `recall`, called after `open`, makes a later
     * flow begin with them and with a window of so many bytes. The window of the connection is one: a flow that has sent
     * all keeps what is in flight, and `yield` takes the rest from it, for `widen` to give to the flow that is being sent.
     * memory_bytes 0: every flow begins anew, and the others are NULL. */
    size_t memory_bytes;
    void (*remember)(const void *end, void *memory);
    void (*recall)(void *end, const struct flow_env *env, const void *memory, uint64_t window_bytes);
    uint64_t (*yield)(void *end);
    void (*widen)(void *end, uint64_t bytes);

    /* Fills the last frame of a sender that is done, which is no part of the flow (a FIN); returns false if there is
     * none. NULL = never any. `answer_closed` answers it at the receiver's host, and answers that answer at the
     * sender's host. */
    bool (*farewell)(const void *end, const struct flow_env *env, struct packet *p);
    uint64_t (*credits_held)(const void *end); /* credits neither used nor wasted yet; NULL = none */
    uint32_t (*cwnd_bytes)(const void *end);   /* for timelines; NULL = it has no window */

    /* Receivers only. next_credit returns when the next credit is due, TIME_NONE if never; that time changes only
     * inside the other functions. The NIC's credit limiter serves the connections with a due credit in random order
     * (AM-10) and calls poll_credit. It fills a credit as poll_transmit fills a frame, or returns false if the
     * deadline has moved and only time had to pass. Credits that fell due in between and were not polled for count as
     * refused by the limiter: they take numbers and count as sent and dropped. Both NULL: no credits. */
    time_ps (*next_credit)(const void *end);
    bool (*poll_credit)(void *end, struct flow_env *env, time_ps now, struct packet *p);
};

time_ps transport_no_timer(const void *end); /* always returns TIME_NONE */

/* The part of a row that transports of one kind share. */
struct transport_base {
    const struct param_list *params; /* parameters before a row's own; NULL: none */
    const struct counter *counters;
    size_t n_counters;
    bool counts_degrees;     /* counts data frames by their out-of-order degree (base/degrees.h) */
    uint16_t degree_counter; /* if so: index of the first of DEGREE_BINS counters */
    uint8_t proto;           /* PROTO_TCP, PROTO_UDP or PROTO_CREDIT */
    uint8_t header_bytes;    /* header of a data frame after Ethernet: 40 for TCP and credits, 28 for UDP */
    /* One-way trips of minimum frames before the first data leaves, for the bound of slowdown: 2 for TCP, credits. */
    uint16_t handshake_trips;
    bool keeps_connections; /* a flow on an open connection begins with its data */
    bool tolerates_reordering;
    uint16_t max_payload_param; /* index of the parameter for the payload bytes of a full frame */
    /* Indices of parameters; 0: the transport has none. */
    uint16_t early_bytes_param; /* payload sent before the handshake is complete */
    uint16_t min_rto_param;     /* least and most silence before a lost segment is sent again */
    uint16_t max_rto_param;
    uint16_t initial_rto_param; /* silence before the first measurement; TRANSPORT_RTO_AUTO: it follows from the pair */
    uint16_t syn_rto_param;     /* the same for the handshake alone; a negative value: as initial_rto_param */
    uint16_t handshake_sample_param;                      /* whether the handshake gives the first measurement */
    uint16_t window_param;                                /* limits the payload in flight */
    uint16_t fast_retransmit_param;                       /* whether segments that arrive late are taken for lost, */
    uint16_t dupack_param;                                /* and how many later segments must have arrived for that */
    int64_t (*window_bytes)(const int64_t *params);       /* most payload in flight; NULL = no limit */
    size_t (*cell_bytes)(const int64_t *params);          /* NULL = needs no cells */
    struct transport_talk (*talk)(const int64_t *params); /* NULL = it sends data alone */
    /* Answers a frame for an end that is done: fills the answer (as poll_transmit) and returns true, or returns false
     * for none. */
    bool (*answer_closed)(const struct flow_env *env, time_ps now, const struct packet *p, struct packet *answer);
};

struct transport_ops {
    const char *name, *paper, *doc;
    const struct transport_base *base;
    const struct transport_end *sender, *receiver;
    const struct tcp_congestion *congestion; /* TCP: rules that move the window */
    const struct credit_law *credit;         /* credits: how long they are kept, and their rate */
    const struct param_list *params;         /* the base's and its own; NULL: the base's alone */
    const struct param_default *defaults;    /* other default values for the base's parameters */
    size_t n_defaults;
    const struct counter *counters; /* the row's own, after the base's */
    size_t n_counters;
    struct port_needs needs;
    /* Keys with the value they have unless the experiment sets them, such as an admission and its threshold. The list
     * ends at key NULL; NULL: none. If several transports of a run need a threshold, the lowest value holds. */
    const struct need *needed;
    /* Buffer that keeps a bottleneck busy after a loss has cut the window of a flow, in thousandths of the bytes of its
     * base round trip; 0: losses do not steer its window. */
    uint16_t buffer_permille;
    uint8_t more_header_bytes; /* header bytes of a data frame beyond the base's */
    const char *kernel;   /* the congestion control of Linux that is the same; NULL: it has none (heddle lab run) */
    bool begins_with_syn; /* its connections open with SYN and SYN-ACK */
    bool takes_rate;      /* `rate_bps` of a flow bounds the rate of its application */
    bool takes_bursts;    /* and `burst_bytes` of it are handed over at once */
    bool stamps; /* its frames carry stamps, in extension cells: delay moves its window, which keeps queues short */
    bool chooses_paths;                          /* its frames carry the next hops that switches must take (SP-2) */
    size_t (*cell_bytes)(const int64_t *params); /* NULL = as the base */
    /* Returns how long a sender keeps a credit for which it has no data; CREDIT_HOLD_TRIP: a round trip. NULL = not at
     * all. */
    span_ps (*credit_hold)(const int64_t *params);
};

const struct transport_ops *const *transports(size_t *n);
const struct transport_ops *transport_find(const char *name);

/* All parameters of a row, with the row's own defaults, and all counters. */
size_t transport_n_params(const struct transport_ops *t);
struct param transport_param(const struct transport_ops *t, size_t i);
void transport_defaults(const struct transport_ops *t, int64_t *value); /* fills all its parameters */
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
