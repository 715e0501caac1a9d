/* What a run leaves behind: the numbers that study stores, prints and compares.
 *
 * Filled by the world (sim or live) after its last epoch; owned by the caller; plain data.
 */
#ifndef HEDDLE_MEASURE_RESULT_H
#define HEDDLE_MEASURE_RESULT_H

#include "base/views.h"

enum flow_class { CLASS_ALL, CLASS_MICE, CLASS_MEDIUM, CLASS_ELEPHANT, FLOW_CLASSES };
#define MICE_BELOW_BYTES 100000 /* EXP-TB */
#define ELEPHANT_ABOVE_BYTES 1000000

static inline enum flow_class flow_class_of(uint64_t bytes) {
    return bytes < MICE_BELOW_BYTES ? CLASS_MICE : bytes > ELEPHANT_ABOVE_BYTES ? CLASS_ELEPHANT : CLASS_MEDIUM;
}

/* n = 0: all others are 0 and mean "null". Fixed point: FCT in picoseconds, slowdown in parts per million. */
struct summary {
    uint64_t n;
    int64_t mean, p50, p95, p99, max;
};

struct packet_totals {
    uint64_t sent, delivered, dropped, marked, reordered, retransmitted, in_flight;
    uint64_t dropped_by[DROP_COUNT];
};

struct credit_totals {
    uint64_t sent, used, wasted, dropped, in_flight;
};

struct named_count {
    const char *name;
    uint64_t value;
};

/* One port's totals. */
struct port_total {
    uint32_t port;                             /* global number */
    uint64_t sent_bytes;                       /* wire bytes put on the link by the end of the run */
    int64_t mean_queue_bytes, max_queue_bytes; /* frame bytes */
    int64_t utilisation_ppb;
    uint64_t dropped;
};

enum sample_kind { SAMPLE_QUEUE, SAMPLE_LINK }; /* frame bytes in the queue; utilisation in ppb since the last sample */

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
#define TIMELINE_OF_SWITCH 2 /* a frame that a switch made for the flow (Exp-response) */

struct timeline_entry {
    time_ps at;
    uint32_t flow, node, port;
    uint32_t kind;
    uint32_t seq_offset; /* payload bytes before this frame (low 32 bits), or ack */
    uint32_t size;       /* payload bytes of the frame; CWND: the window */
    int64_t backlog_bytes;
    uint8_t is_ack; /* 0 data, 1 an acknowledgement, TIMELINE_OF_SWITCH */
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
};

struct run_result {
    uint64_t flows_started, flows_finished, flows_unfinished, flow_bytes;
    struct summary fct_ps[FLOW_CLASSES];
    struct summary slowdown_ppm[FLOW_CLASSES];
    struct packet_totals packets;
    struct credit_totals credits;
    int64_t queue_mean_bytes, queue_max_bytes; /* all switch data queues */
    uint64_t pauses_sent;
    span_ps paused;
    struct summary imbalance_ppm[TIER_COUNT];                    /* by tier of the switch */
    int64_t link_mean_ppb[TIER_COUNT], link_max_ppb[TIER_COUNT]; /* utilisation by link tier, both directions */
    struct named_count *counter;
    size_t n_counters;
    struct port_total *port;
    size_t n_ports;
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
