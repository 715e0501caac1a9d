/* SPDX-License-Identifier: Apache-2.0 */
/* What a run leaves behind: the numbers that study stores, prints and compares.
 *
 * Filled by the world (sim or live) after its last epoch; owned by the caller; plain data.
 */
#ifndef HEDDLE_MEASURE_RESULT_H
#define HEDDLE_MEASURE_RESULT_H

#include "base/degrees.h"
#include "base/views.h"

enum flow_class { CLASS_ALL, CLASS_MICE, CLASS_MEDIUM, CLASS_ELEPHANT, FLOW_CLASSES };
#define MICE_BELOW_BYTES 100000 /* EXP-TB */
#define ELEPHANT_ABOVE_BYTES 1000000

static inline enum flow_class flow_class_of(uint64_t bytes) {
    return bytes < MICE_BELOW_BYTES ? CLASS_MICE : bytes > ELEPHANT_ABOVE_BYTES ? CLASS_ELEPHANT : CLASS_MEDIUM;
}

/* Classes of an experiment's own: n_edges ascending sizes part them, none if there are no edges. A flow of exactly an
 * edge's size is in the class that begins there. */
#define SIZE_EDGES_MAX 7
#define SIZE_CLASSES_MAX (SIZE_EDGES_MAX + 1)
struct size_classes {
    uint32_t n_edges;
    uint64_t edge[SIZE_EDGES_MAX];
};

/* Sizes of the flows of a class: from <= bytes < to. */
struct size_range {
    uint64_t from, to;
};
struct size_range flow_class_range(enum flow_class class);
struct size_range size_class_range(const struct size_classes *c, uint32_t i);
extern const char *const flow_class_names[FLOW_CLASSES + 1]; /* "all", "mice", ...; ends at NULL */

static inline uint32_t size_classes_count(const struct size_classes *c) { return c->n_edges ? c->n_edges + 1 : 0; }

/* n = 0: all others are 0 and mean "null". Fixed point: FCT in picoseconds, slowdown in parts per million. */
struct summary {
    uint64_t n;
    int64_t mean, p50, p95, p99, max, min;
};

struct packet_totals {
    uint64_t sent, delivered, dropped, marked, reordered, retransmitted, in_flight;
    uint64_t dropped_by[DROP_COUNT];
};

struct credit_totals {
    uint64_t sent, used, wasted, voided, dropped, in_flight; /* voided: void ones that arrived (XP-23) */
};

struct named_count {
    const char *name;
    uint64_t value;
};

#define JAIN_NONE (-1) /* no index */

/* One port's totals. */
struct port_total {
    uint32_t port;                             /* global number */
    uint64_t sent_bytes;                       /* wire bytes put on the link by the end of the run */
    uint64_t credit_bytes;                     /* of these, credits */
    int64_t mean_queue_bytes, max_queue_bytes; /* frame bytes */
    int64_t utilisation_ppb, data_ppb;         /* since measure.from: of all bytes, and without credits */
    uint64_t dropped;
    span_ps paused, blocked; /* by its neighbour, sum over classes; idle with frames that pauses alone kept */
};

/* How links were used since measure.from. A link's least counts in its busier direction. n = 0: there are none. */
struct link_use {
    uint32_t n;                                        /* directions; named links: links */
    int64_t mean_ppb, max_ppb, min_ppb;                /* all bytes */
    int64_t data_mean_ppb, data_max_ppb, data_min_ppb; /* without credits */
};

/* Queues of ports that are alike. */
enum queue_place { QUEUE_NIC, QUEUE_TOR_UP, QUEUE_TOR_DOWN, QUEUE_AGG_UP, QUEUE_AGG_DOWN, QUEUE_CORE, QUEUE_PLACES };
struct queue_use {
    uint32_t n_ports;
    int64_t mean_bytes, max_bytes; /* mean of the ports' time-weighted means; largest of any */
    uint64_t bound_bytes;          /* by which credits bound any of them (XP-9), wire bytes; 0: nothing does */
};

/* The ports of switches against the bound that credits give each (study/assemble/credits.h). */
struct queue_bound {
    uint32_t n_ports, n_over; /* that have a bound; that held more */
    uint32_t port;            /* the one that came nearest to its bound, or the most over it */
    int64_t max_bytes;        /* it held, frame bytes */
    uint64_t bound_bytes;     /* its bound, frame bytes as max_bytes */
};

/* Jain's index over the flows that were open during a whole interval, for one length of intervals. */
#define FAIRNESS_MAX 6
struct fairness_total {
    span_ps interval;   /* 0: not measured */
    uint64_t intervals; /* that had an index */
    uint64_t sum_ppm;
    int64_t min_ppm;
};

/* Flows that joined others, and how long it took until all had their share (measure/convergence.h). */
struct join_episode {
    time_ps at;                   /* the last join */
    span_ps first_ps, settled_ps; /* from then on; TIME_NONE: never */
    uint32_t flows;               /* open */
    uint32_t intervals;           /* judged */
};

enum sample_kind {
    SAMPLE_QUEUE,   /* frame bytes in the queue */
    SAMPLE_LINK,    /* utilisation in ppb since the last sample */
    SAMPLE_GOODPUT, /* of a host, named by its port: payload bits per second received over the period */
    SAMPLE_PAUSE    /* of an egress or NIC: classes that stood stopped, on average over the period, in ppb */
};

struct sample {
    time_ps at;
    uint32_t port; /* global number */
    uint32_t kind;
    int64_t value;
};

/* Throughput imbalance of one switch over one interval: (max - min) / mean over its uplinks (EXP-F16), ppm. */
struct imbalance_sample {
    time_ps at;
    uint32_t node;
    bool is_light; /* its uplinks carried less than measure.imbalance_min_load; in logs only, a result has none */
    int64_t value_ppm;
};

/* One line of a flow's timeline (measure: {flow: [..]}). */
enum timeline_kind {
    TIMELINE_SENT,
    TIMELINE_ENQUEUED,
    TIMELINE_DEQUEUED,
    TIMELINE_DROPPED,
    TIMELINE_MARKED,
    TIMELINE_DELIVERED,
    TIMELINE_CWND,
    TIMELINE_TIMEOUT,
    TIMELINE_FINISHED
};
/* Whose entry it is. */
enum timeline_frame {
    TIMELINE_DATA, /* with a size of 0: a SYN */
    TIMELINE_ACK,
    TIMELINE_OF_SWITCH, /* a frame that a switch made for the flow (Exp-response) */
    TIMELINE_REQUEST,   /* of credit transports, as their data */
    TIMELINE_CREDIT,
    TIMELINE_STOP,
    TIMELINE_DONE,
    TIMELINE_N_FRAMES
};
#define TIMELINE_NO_CREDIT (-1)

struct timeline_entry {
    time_ps at;
    uint32_t flow, node, port;
    uint32_t kind;
    uint32_t seq_offset; /* payload bytes before this frame (low 32 bits), or ack; UDP and credits: packets */
    uint32_t size;       /* payload bytes of the frame; CWND: the window */
    int64_t backlog_bytes;
    int64_t credit; /* its number, or that of the credit that the data used; TIMELINE_NO_CREDIT */
    uint8_t frame;  /* enum timeline_frame */
};

/* One class of a port or NIC that its neighbour stopped. */
struct pause_total {
    uint32_t port; /* global number of the egress that was stopped */
    uint32_t class;
    uint64_t stops, storms; /* storms: stops without a break of switch.pause_storm and more */
    span_ps paused, longest;
    time_ps longest_from;
};

/* Lanes in a ring, each stopped because of the next: a cyclic buffer dependency. Rows of one ring follow each other. */
struct pause_ring_lane {
    uint32_t ring, port, class;
    time_ps since;       /* this lane is stopped */
    time_ps first, last; /* when the ring was seen */
};

/* Flow control, over all ports and NICs. */
struct pause_totals {
    uint64_t sent;        /* pause frames, releases included */
    uint64_t stops;       /* lanes they stopped; renewals do not count */
    span_ps paused;       /* sum over links and classes */
    span_ps paused_by[8]; /* by class, sum over links */
    span_ps blocked;      /* sum over switch ports: frames waited, the link was idle, pauses alone kept them */
    int64_t ingress_mean_sum, ingress_max_bytes; /* ingress queues: sum of the time-weighted means, maximum of any */
    uint32_t n_ingress;
    uint64_t storms;
    span_ps longest; /* stop of one class of one port without a break */
    uint32_t rings;
};

struct memory_totals {
    uint64_t total_bytes, fabric_bytes, packets_bytes, rings_bytes, hosts_bytes, switches_bytes, flows_bytes;
    uint64_t bytes_per_host, bytes_per_port, bytes_per_flow, bytes_per_packet;
};

struct engine_totals {
    int64_t sim_ps, wall_ns;
    uint64_t packet_hops;
    uint64_t rss_bytes;
    uint64_t digest;
    uint32_t threads;       /* that ran it */
    uint64_t window_frames; /* what a window held as foreseen, if fewer threads than asked for; else 0 */
};

/* Queries by the size of their response, and sets by how many they are: what the experiment asks, ascending. */
#define QUERY_SIZES_MAX 16
#define FANOUTS_MAX 8
struct query_classes {
    uint32_t n_sizes, n_fanouts;
    uint64_t size[QUERY_SIZES_MAX];
    uint32_t fanout[FANOUTS_MAX];
};

struct query_times {
    struct summary all, size[QUERY_SIZES_MAX];
};

#define QUERY_PRIORITIES 8
#define QUERY_FIFTHS 5
#define QUERY_TIMEOUTS 4                /* 0, 1, 2, 3 and more */
#define QUERY_DEADLINE (10 * PS_PER_MS) /* of a worker, and of a page (DT-28) */
#define SET_DEADLINE (200 * PS_PER_MS)
struct query_totals {
    uint64_t started, finished;
    struct query_classes classes;
    struct query_times times, priority[QUERY_PRIORITIES];
    struct summary fifth[QUERY_FIFTHS]; /* by the order of starts (AM-6) */
    uint64_t over;                      /* took longer than the deadline */
    struct summary sets, fanout[FANOUTS_MAX];
    uint64_t sets_over;
    uint64_t timeouts[QUERY_TIMEOUTS], timeouts_p99[QUERY_TIMEOUTS]; /* of those at or above the 99th percentile */
};

/* FCT is parted where the first payload leaves the sender's transport: before it the handshake (TCP: SYN and SYN-ACK;
 * credits: request and first credit; and the wait for the host's own NIC), after it the data. */
struct flow_times {
    struct summary fct_ps, slowdown_ppm, handshake_ps, data_ps;
    uint64_t unfinished; /* flows that count, had started and not finished at the end: missing from the summaries */
};

/* The mean number of open flows in equal parts of a stretch of time, in thousandths (measure/open_flows.h). */
#define OPEN_PARTS 20
#define OPEN_POINTS 100
struct open_flows {
    uint64_t arrivals;                /* flows that count; the first starts at `from`, the last at `to` */
    time_ps from, to;                 /* the window of arrivals */
    int64_t part_milli[OPEN_PARTS];   /* over the window */
    time_ps end;                      /* of the run */
    int64_t point_milli[OPEN_POINTS]; /* over the run, from 0 to its end */
};

/* What the flows of a class got (measure/goodput.h). */
struct goodput {
    struct summary bps;
    int64_t jain_ppm; /* Jain's index of flows that are all equally large, or all endless; JAIN_NONE: they are not */
};

struct run_result {
    uint64_t flows_started, flows_finished, flows_unfinished, flow_bytes;
    struct size_classes sizes; /* measure.classes */
    /* of the flows that measure.from and measure.starts leave, and of all */
    struct flow_times times[FLOW_CLASSES], all_times[FLOW_CLASSES];
    struct flow_times size_times[SIZE_CLASSES_MAX], all_size_times[SIZE_CLASSES_MAX];
    struct goodput goodput[FLOW_CLASSES];
    struct open_flows open;
    struct query_totals queries;
    struct packet_totals packets;
    struct credit_totals credits;
    int64_t queue_mean_bytes, queue_max_bytes; /* all switch data queues */
    struct pause_totals pauses;
    struct summary imbalance_ppm[TIER_COUNT]; /* by tier of the switch */
    uint64_t imbalance_of[TIER_COUNT];        /* intervals in which anything was sent: with those that do not count */
    struct link_use link[TIER_COUNT];         /* by link tier, both directions */
    struct link_use watched;                  /* the links that measure.watch names */
    struct queue_use queue[QUEUE_PLACES];
    struct queue_bound queue_bound;              /* n_ports = 0: not all data answers credits */
    uint64_t degree_frames[DEGREE_BINS];         /* data frames of credit transports by out-of-order degree */
    struct summary reorder_milli;                /* most packets held out of order, by flow, x 1000 */
    struct summary wasted_milli, unfilled_milli; /* finished flows with credits: credits, bytes, x 1000 */
    struct summary host_goodput_bps;             /* by receiving host, from measure.from to the end */
    int64_t host_goodput_jain_ppm;               /* its fairness; JAIN_NONE: fewer than two hosts, or nothing */
    struct summary flow_variation_ppm;           /* of goodput over intervals, by flow (measure/variation.h) */
    struct fairness_total fairness[FAIRNESS_MAX];
    struct summary converged_ps, converged_first_ps; /* TIME_NONE: never */
    struct join_episode *join;
    size_t n_joins;
    struct named_count *counter;
    size_t n_counters;
    struct port_total *port;
    size_t n_ports;
    struct pause_total *pause; /* by port, then class; those never stopped have none */
    size_t n_pauses;
    struct pause_ring_lane *ring;
    size_t n_ring_lanes;
    struct sample *sample;
    size_t n_samples;
    bool samples_thinned; /* the bound was reached: every second was dropped, perhaps several times */
    struct imbalance_sample *imbalance;
    size_t n_imbalance;
    struct timeline_entry *timeline;
    size_t n_timeline;
    struct flow_tally *tally; /* [n_flows], in the order of the flow list */
    int64_t *bound_ps;        /* [n_flows] lower bound of each flow's FCT */
    uint32_t n_flows;
    struct memory_totals memory;
    struct engine_totals engine;
    char failure[1024]; /* "" or why the run failed (stuck flows, broken conservation) */
};

void run_result_free(struct run_result *r);

#endif
