/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a run: the numbers that study stores, prints and compares.
 *
 * Plain data, owned by the caller. The simulator or the live switch fills it at the end of the run.
 */
#ifndef HEDDLE_MEASURE_RESULT_H
#define HEDDLE_MEASURE_RESULT_H

#include "base/degrees.h"
#include "base/tallies.h"
#include "base/views.h"

enum flow_class { CLASS_ALL, CLASS_MICE, CLASS_MEDIUM, CLASS_ELEPHANT, FLOW_CLASSES };
#define MICE_BELOW_BYTES 100000 /* EXP-TB */
#define ELEPHANT_ABOVE_BYTES 1000000

static inline enum flow_class flow_class_of(uint64_t bytes) {
    return bytes < MICE_BELOW_BYTES ? CLASS_MICE : bytes > ELEPHANT_ABOVE_BYTES ? CLASS_ELEPHANT : CLASS_MEDIUM;
}

/* Size classes of an experiment, divided by n_edges ascending sizes; no edges: no classes. A flow whose size is an edge
 * is in the class that begins there. */
#define SIZE_EDGES_MAX 7
#define SIZE_CLASSES_MAX (SIZE_EDGES_MAX + 1)
struct size_classes {
    uint32_t n_edges;
    uint64_t edge[SIZE_EDGES_MAX];
};

/* Flow sizes of a class: from <= bytes < to. */
struct size_range {
    uint64_t from, to;
};
struct size_range flow_class_range(enum flow_class class);
struct size_range size_class_range(const struct size_classes *c, uint32_t i);
extern const char *const flow_class_names[FLOW_CLASSES + 1]; /* "all", "mice", ...; ends at NULL */

static inline uint32_t size_classes_count(const struct size_classes *c) { return c->n_edges ? c->n_edges + 1 : 0; }

/* Summary of n values; n = 0: all fields are 0 and mean "null". Fixed point: FCT in picoseconds, slowdown in parts per
 * million. */
struct summary {
    uint64_t n;
    int64_t mean, p50, p95, p99, p999, max, min;
};

struct packet_totals {
    uint64_t sent, delivered, dropped, marked, reordered, retransmitted, in_flight;
    uint64_t dropped_by[DROP_COUNT];
};

struct credit_totals {
    uint64_t sent, used, wasted, voided, dropped, in_flight; /* voided: void credits that arrived (XP-23) */
};

struct named_count {
    const char *name;
    uint64_t value;
};

#define JAIN_NONE (-1) /* no index */

/* Totals of one port. */
struct port_total {
    uint32_t port;                             /* global number */
    uint64_t sent_bytes;                       /* wire bytes sent by the end of the run */
    uint64_t credit_bytes;                     /* wire bytes of credits among them */
    int64_t mean_queue_bytes, max_queue_bytes; /* frame bytes; the mean over `averaged` */
    int64_t utilisation_ppb, data_ppb;         /* over `averaged`: of all bytes, and without credits */
    uint64_t dropped;
    /* Within `averaged`: by its neighbour, sum over classes; time idle while only paused frames waited. */
    span_ps paused, blocked;
};

/* Utilisation of links over `averaged`. The minimum takes each link's busier direction. n = 0: no links. */
struct link_use {
    uint32_t n;                                        /* directions; for watched links, links */
    int64_t mean_ppb, max_ppb, min_ppb;                /* all bytes */
    int64_t data_mean_ppb, data_max_ppb, data_min_ppb; /* without credits */
};

/* Queues of ports by tier and direction. */
enum queue_place { QUEUE_NIC, QUEUE_TOR_UP, QUEUE_TOR_DOWN, QUEUE_AGG_UP, QUEUE_AGG_DOWN, QUEUE_CORE, QUEUE_PLACES };
struct queue_use {
    uint32_t n_ports;
    int64_t mean_bytes, max_bytes; /* mean of the ports' time-weighted means; maximum over ports */
    uint64_t bound_bytes;          /* largest bound that credits give one of the ports (XP-9), wire bytes; 0: none */
};

/* Bytes in one switch: its ingress queues, its crossbar and its egress queues. */
struct buffer_total {
    int64_t mean_bytes; /* time-weighted, over `averaged` */
    int64_t max_bytes;  /* at one time */
};

/* Queues of switch ports compared with the bounds that credits give them (study/assemble/credits.h). */
struct queue_bound {
    uint32_t n_ports, n_over; /* ports with a bound; ports that exceeded it */
    uint32_t port;            /* port with the largest ratio of queue to bound */
    int64_t max_bytes;        /* its largest queue, frame bytes */
    uint64_t bound_bytes;     /* its bound, in frame bytes too */
};

/* Rounds of an incast that began while flows of earlier rounds were open (study/results/rounds.h); n_over 0: none
 * did. */
struct round_overlap {
    uint32_t entry;   /* of the workload */
    uint32_t rounds;  /* of the entry */
    uint32_t n_over;  /* rounds that overlapped an earlier one */
    uint32_t n_open;  /* most flows that were open at one time */
    uint32_t senders; /* flows of a round */
};

/* Jain's index over the flows that were open during a whole interval, for one length of intervals. */
#define FAIRNESS_MAX 6
struct fairness_total {
    span_ps interval;   /* 0: not measured */
    uint64_t intervals; /* intervals with an index */
    uint64_t sum_ppm;
    int64_t min_ppm;
};

/* A join of flows, and the time until all flows had their fair share (measure/convergence.h). */
struct join_episode {
    time_ps at; /* the last join */
    span_ps first_ps, third_ps,
        settled_ps;     /* time from then to convergence: first, three in a row, for good; TIME_NONE: never */
    uint32_t flows;     /* open flows */
    uint32_t intervals; /* intervals compared with the fair share */
    uint32_t in_a_row;  /* fair ones up to the last interval */
};

enum sample_kind {
    SAMPLE_QUEUE,   /* frame bytes in the queue */
    SAMPLE_LINK,    /* utilisation in ppb since the last sample */
    SAMPLE_GOODPUT, /* payload that a host (the port's node) received over the period, in bits per second */
    SAMPLE_PAUSE    /* mean number of paused classes of an egress port or NIC over the period, in ppb */
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
    bool is_light; /* its uplinks carried less than measure.imbalance_min_load; always false in a result */
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
/* Kind of the entry's frame. */
enum timeline_frame {
    TIMELINE_DATA, /* data; with size 0, a SYN */
    TIMELINE_ACK,
    TIMELINE_OF_SWITCH, /* a frame that a switch made for the flow (Exp-response) */
    TIMELINE_REQUEST,   /* this and the following: control frames of credit transports */
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
    uint32_t seq_offset; /* payload bytes before this frame, or acknowledged (low 32 bits); UDP and credits: packets */
    uint32_t size;       /* payload bytes of the frame; for TIMELINE_CWND, the window */
    int64_t backlog_bytes;
    int64_t credit; /* number of the credit, or of the credit that the data used; TIMELINE_NO_CREDIT */
    uint8_t frame;  /* enum timeline_frame */
};

/* Pauses of one class of a port or NIC by its neighbour. */
struct pause_total {
    uint32_t port; /* global number of the paused egress port */
    uint32_t class;
    uint64_t stops, storms; /* pauses, refreshes not counted; pauses of switch.pause_storm or longer */
    span_ps paused, longest;
    time_ps longest_from;
};

/* A lane (one class of an egress port) of a ring, in which each lane is paused because of the next: a cyclic buffer
 * dependency. The rows of one ring are adjacent. */
struct pause_ring_lane {
    uint32_t ring, port, class;
    time_ps since;       /* start of the pause of this lane */
    time_ps first, last; /* first and last time at which the ring was seen */
};

/* Flow control, over all ports and NICs. */
struct pause_totals {
    uint64_t sent;                               /* pause frames, releases included */
    uint64_t stops;                              /* lanes that these frames paused; refreshes do not count */
    uint64_t watchdog_found, watchdog_ended;     /* storms that the switches' watchdogs found, and that were over */
    span_ps paused;                              /* time paused, sum over links and classes */
    span_ps paused_by[8];                        /* time paused by class, sum over links */
    span_ps blocked;                             /* sum over switch ports of port_total.blocked */
    int64_t ingress_mean_sum, ingress_max_bytes; /* ingress queues: sum of the time-weighted means, maximum of any */
    uint32_t n_ingress;
    uint64_t storms;
    span_ps longest; /* longest pause of one class of one port */
    uint32_t rings;
};

struct memory_totals {
    uint64_t total_bytes, fabric_bytes, packets_bytes, rings_bytes, hosts_bytes, switches_bytes, flows_bytes;
    uint64_t bytes_per_host, bytes_per_port, bytes_per_flow, bytes_per_packet;
};

/* What the ranks of a run sent each other, and how long they computed. */
struct rank_traffic {
    uint64_t windows;                 /* that they ended together; 0: one rank carried out the run */
    uint64_t messages, frames, bytes; /* between ranks; bytes are those of the messages */
    uint64_t ahead;                   /* of the messages: left while their rank still ran nodes */
    /* Processor time of the first thread of each rank outside the meetings: of all ranks, and of the one with the most. */
    uint64_t computing_ns, busiest_ns;
};

struct engine_totals {
    int64_t sim_ps, wall_ns;
    uint64_t packet_hops;
    uint64_t rss_bytes;
    uint64_t digest;
    uint32_t threads;       /* threads that ran it */
    uint64_t window_frames; /* frames that a window was estimated to hold, if fewer threads than asked ran it; else 0 */
    struct rank_traffic traffic;
};

/* Response sizes of queries, and numbers of queries in a set, as the experiment gives them; both ascending. */
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
#define QUERY_DEADLINE (10 * PS_PER_MS) /* deadline of a worker; SET_DEADLINE is that of a page (DT-28) */
#define SET_DEADLINE (200 * PS_PER_MS)
struct query_totals {
    uint64_t started, finished;
    struct query_classes classes;
    struct query_times times, priority[QUERY_PRIORITIES];
    struct summary fifth[QUERY_FIFTHS]; /* each fifth of the queries, in the order of their starts (AM-6) */
    uint64_t over;                      /* finished queries that took longer than QUERY_DEADLINE */
    struct summary sets, fanout[FANOUTS_MAX];
    uint64_t sets_over; /* finished sets that took longer than SET_DEADLINE */
    /* finished queries by their number of timeouts: all, and those at or above the 99th percentile */
    uint64_t timeouts[QUERY_TIMEOUTS], timeouts_p99[QUERY_TIMEOUTS];
};

/* FCT is divided at the instant when the first payload leaves the sender's transport. The handshake comes before it
 * (TCP: SYN and SYN-ACK; credits: request and first credit; and the wait for the host's own NIC and for
 * earlier messages of its connection), the data after it. */
struct flow_times {
    struct summary fct_ps, slowdown_ppm, handshake_ps, data_ps;
    uint64_t unfinished; /* selected flows that started and did not finish; the summaries do not contain them */
};

/* The times of the flows of a part of a run, by class. */
struct flow_part {
    struct flow_times times[FLOW_CLASSES], size_times[SIZE_CLASSES_MAX];
};

/* The mean number of open flows in equal parts of a period, in thousandths (measure/open_flows.h). */
#define OPEN_PARTS 20
#define OPEN_POINTS 100
struct open_flows {
    uint64_t arrivals;                /* selected flows of workloads with a lasting load */
    time_ps from, to;                 /* window of arrivals: their first and last start */
    int64_t part_milli[OPEN_PARTS];   /* parts of the window */
    time_ps end;                      /* end of the run */
    int64_t point_milli[OPEN_POINTS]; /* parts of the run, from 0 to its end */
};

/* Goodput of the flows of a class (measure/goodput.h). */
struct goodput {
    struct summary bps;
    int64_t jain_ppm; /* Jain's index if all flows have the same size, or all have no end; else JAIN_NONE */
};

/* The time over which averages run: from measure.from to the end of the last flow, or to measure.until or run.until if
 * that comes first. `to` is no later than `from` if the run ended before measure.from. */
struct averaged {
    time_ps from, to;
};

/* Counts of the frames and timeouts within a phase. Ranks add theirs up, word by word. */
enum phase_timeouts { PHASE_TIMEOUTS_SYN, PHASE_TIMEOUTS_SYNACK, PHASE_TIMEOUTS_DATA, PHASE_TIMEOUTS };
struct phase_counts {
    struct packet_totals packets; /* without reordered and in_flight, which are not known before the end of a run */
    uint64_t timeouts[PHASE_TIMEOUTS];
    struct credit_totals credits;      /* without in_flight */
    uint64_t pauses_sent, pause_stops; /* as in struct pause_totals */
};

/* A phase of the run (measure.phases): the flows and queries that start in it, what was counted in it, and averages and
 * maxima over its time. */
#define PHASES_MAX 8
#define PART_NAME_MAX 32
struct phase_total {
    char name[PART_NAME_MAX];
    time_ps from, to; /* `to` is no later than the end of the averages, and than `from` if that came before the phase */
    struct flow_part flows;
    struct query_totals queries;
    struct phase_counts counts;
    struct link_use link[TIER_COUNT], watched;
    int64_t queue_mean_bytes, queue_max_bytes; /* all switch data queues */
    struct queue_use queue[QUEUE_PLACES];
    struct buffer_total buffer; /* mean over the switches, and the most in any */
    span_ps paused, blocked;    /* as in struct pause_totals */
    struct summary host_goodput_bps;
    int64_t host_goodput_jain_ppm;                /* JAIN_NONE: fewer than two hosts, or all 0 */
    struct fairness_total fairness[FAIRNESS_MAX]; /* of the intervals that lie in the phase */
    struct summary imbalance_ppm[TIER_COUNT];     /* the same */
};

/* Counts of the transports per flow, in thousandths. */
struct flow_counts {
    struct summary reorder_milli;                /* most packets held out of order */
    struct summary wasted_milli, unfilled_milli; /* credits, and bytes; per finished flow with credits */
};

/* The flows and queries that count and start in one half of the window of arrivals. */
struct half_total {
    struct flow_part flows;
    struct flow_counts counts;
    struct query_times queries;
};

/* An entry of the workload that has a name: its flows that count. */
struct entry_total {
    char name[PART_NAME_MAX];
    struct flow_part flows;
};

/* One iteration of a job (measure/jobs.h). */
struct job_iteration {
    time_ps start, end; /* TIME_NONE: it did not start, did not end */
    span_ps ideal;
    span_ps exposed;    /* mean over the ranks of the time in which a rank did not compute */
    uint32_t last_rank; /* received the last byte, or computed last */
};

/* A step of the critical path of an iteration: a message, or a computation of a rank, which lasts from src to src. */
struct job_step {
    uint32_t job, iteration; /* numbers in job[] and of the iteration */
    uint32_t step;           /* number in the path, from 0 */
    uint32_t flow;           /* FLOW_NONE: a computation */
    uint32_t src, dst;       /* hosts */
    uint64_t bytes;
    time_ps start, end;
    span_ps ideal; /* what it takes at least */
    char phase[PART_NAME_MAX];
};

/* A time in which a rank computes, or receives messages, in the slowest iteration of its job (measure/job_spans.h). */
struct job_span {
    uint32_t job, rank, host;
    bool computes;
    time_ps start, end;
    char phase[PART_NAME_MAX];
};

/* A job, over its iterations that ended. */
struct job_total {
    char name[PART_NAME_MAX], op[PART_NAME_MAX];
    uint32_t ranks, iterations;
    uint64_t bytes;
    uint32_t bus, bus_per;       /* bus bandwidth = bytes / time x bus / bus_per; bus_per 0: none */
    struct summary jct_ps;       /* of an iteration */
    struct summary slowdown_ppm; /* over its ideal */
    span_ps ideal_ps;            /* the longest of its iterations' */
    bool computes;               /* exposed_ps has a meaning */
    span_ps exposed_ps;          /* mean over iterations that ended (struct job_iteration) */
    uint32_t slowest_rank;       /* the last one in most iterations; UINT32_MAX: none ended */
};

struct run_result {
    bool is_live; /* on real frames: what only a simulator can see is 0 here and null in the object (study/metrics) */
    struct averaged averaged;
    uint64_t flows_started, flows_finished, flows_unfinished, flow_bytes;
    uint64_t flows_not_started; /* flows that would have started after the end */
    struct size_classes sizes;  /* measure.classes */
    /* of the flows that measure.from and measure.starts select, and of all flows */
    struct flow_times times[FLOW_CLASSES], all_times[FLOW_CLASSES];
    struct flow_times size_times[SIZE_CLASSES_MAX], all_size_times[SIZE_CLASSES_MAX];
    struct phase_total *phase;
    size_t n_phases;
    struct entry_total *entry; /* those with a name, in their order */
    size_t n_entries;
    struct half_total half[2]; /* of the window of arrivals; nothing unless open flows climb over it */
    struct goodput goodput[FLOW_CLASSES];
    struct open_flows open;
    struct query_totals queries;
    struct job_total *job; /* in the order of their entries */
    size_t n_jobs;
    struct job_iteration *job_iteration; /* job after job */
    size_t n_job_iterations;
    struct job_step
        *job_step; /* critical path of the slowest iteration of each job (measure/critical_path.h), job after job */
    size_t n_job_steps;
    struct job_span *job_span; /* of the same iterations, job after job */
    size_t n_job_spans;
    struct packet_totals packets;
    struct credit_totals credits;
    int64_t queue_mean_bytes, queue_max_bytes; /* all switch data queues */
    struct buffer_total *buffer;               /* [n_buffers] of each switch, in the order of nodes */
    size_t n_buffers;                          /* 0 on real frames */
    struct pause_totals pauses;
    struct summary imbalance_ppm[TIER_COUNT]; /* by tier of the switch */
    uint64_t imbalance_of[TIER_COUNT];        /* all intervals in which anything was sent, by tier of the switch */
    struct link_use link[TIER_COUNT];         /* by link tier, both directions */
    struct link_use watched;                  /* the links that measure.watch names */
    struct queue_use queue[QUEUE_PLACES];
    struct queue_bound queue_bound; /* n_ports = 0: some data needs no credits, so there is no bound */
    struct round_overlap rounds;
    uint64_t degree_frames[DEGREE_BINS]; /* data frames of credit transports by out-of-order degree */
    struct flow_counts counts;           /* of the selected flows */
    struct summary host_goodput_bps;     /* per receiving host, over `averaged` */
    int64_t host_goodput_jain_ppm;       /* Jain's index of these; JAIN_NONE: fewer than two hosts, or all 0 */
    struct summary flow_variation_ppm;   /* variation of each flow's goodput (measure/variation.h) */
    struct fairness_total fairness[FAIRNESS_MAX];
    struct summary converged_ps, converged_first_ps, converged_third_ps; /* TIME_NONE: never */
    struct join_episode *join;
    size_t n_joins;
    struct named_count *counter;
    size_t n_counters;
    struct port_total *port;
    size_t n_ports;
    struct pause_total *pause; /* sorted by port, then class; only classes that were paused */
    size_t n_pauses;
    struct pause_ring_lane *ring;
    size_t n_ring_lanes;
    struct sample *sample;
    size_t n_samples;
    bool samples_thinned; /* the bound was reached, so periods were dropped (measure/samples.h) */
    struct imbalance_sample *imbalance;
    size_t n_imbalance;
    struct timeline_entry *timeline;
    size_t n_timeline;
    struct flow_tally *tally;        /* [n_flows], in the order of the flow list; NULL: */
    struct tally_block *tally_block; /* they are packed: [tallies_blocks(n_flows)], or there are none */
    int64_t *bound_ps;               /* [n_flows] lower bound of each flow's FCT */
    uint32_t n_flows;
    struct memory_totals memory;
    struct engine_totals engine;
    char failure[1024]; /* reason why the run failed (stuck flows, broken conservation), or "" */
};

/* The arrays of a result: ROW(array, number of its elements). An array that was not measured is NULL, whatever its
 * number. The names of the counters are texts of their own. */
#define RUN_RESULT_ARRAYS(ROW)                                                                                         \
    ROW(counter, n_counters)                                                                                           \
    ROW(phase, n_phases)                                                                                               \
    ROW(entry, n_entries)                                                                                              \
    ROW(job, n_jobs)                                                                                                   \
    ROW(job_iteration, n_job_iterations)                                                                               \
    ROW(job_step, n_job_steps)                                                                                         \
    ROW(job_span, n_job_spans)                                                                                         \
    ROW(port, n_ports)                                                                                                 \
    ROW(buffer, n_buffers)                                                                                             \
    ROW(pause, n_pauses)                                                                                               \
    ROW(ring, n_ring_lanes)                                                                                            \
    ROW(sample, n_samples)                                                                                             \
    ROW(imbalance, n_imbalance)                                                                                        \
    ROW(join, n_joins)                                                                                                 \
    ROW(timeline, n_timeline)                                                                                          \
    ROW(tally, n_flows)                                                                                                \
    ROW(bound_ps, n_flows)

/* Returns the tallies of a result, whose flows are `flow`. */
static inline struct tallies result_tallies(const struct run_result *r, const struct flow *flow) {
    return (struct tallies){.all = r->tally, .block = r->tally_block, .flow = flow, .n = r->n_flows};
}
static inline bool result_has_tallies(const struct run_result *r) { return r->tally || r->tally_block; }

/* Frees the arrays and clears the result; the names of counters belong to the caller. */
void run_result_free(struct run_result *r);

#endif
