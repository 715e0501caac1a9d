/* What an experiment says of switches and hosts, in the form node understands. */
#ifndef HEDDLE_NODE_SETTINGS_H
#define HEDDLE_NODE_SETTINGS_H

#include "mech/admit/admit.h"
#include "mech/balance/balance.h"
#include "mech/flowctl/flowctl.h"
#include "mech/schedule/schedule.h"
#include "mech/transport/transport.h"
#include "wire/expeditus_tag.h"

/* The credit class of every port, NICs included (node/credit_class.h). */
struct credit_settings {
    bool on;
    uint32_t queue;       /* credits that a class of credits holds (XP-7) */
    int64_t share_ppb;    /* of the link's rate, in wire bytes of credits (XP-4) */
    int64_t burst_bytes;  /* depth of the token bucket (AM-9) */
    uint32_t mark_window; /* N_cdt (SP-7); 0: credits are not marked */
    uint32_t spread;    /* a NIC draws each credit's wire bytes from 84 +- spread (AM-20); at most CREDIT_SPREAD_MAX */
    span_ps mark_stale; /* the estimate is dropped after that long without a credit; 0: never */
};

/* Flow control between neighbours (mech/flowctl). */
struct flowctl_settings {
    const struct flowctl_ops *ops; /* NULL or one that does not pause: none */
    struct flowctl_params params;  /* rate and propagation are each link's own */
    span_ps reaction;              /* 0: by the link's rate */
    span_ps transceiver;           /* of each end of a link (DT-10) */
    int64_t high_bytes, low_bytes; /* 0: computed */
    span_ps storm;                 /* a class paused that long without a break is a pause storm; 0: nothing is */
};

static inline bool flowctl_is_on(const struct flowctl_settings *s) { return s->ops && s->ops->pauses; }

/* What it comes to at a link of that rate and propagation. */
static inline struct flowctl_params flowctl_params_at(const struct flowctl_settings *s, int64_t rate_bps,
                                                      span_ps delay) {
    struct flowctl_params p = s->params;
    p.rate_bps = rate_bps;
    p.propagation = delay + 2 * s->transceiver;
    p.reaction = s->reaction ? s->reaction : flowctl_reaction(rate_bps);
    return p;
}

static inline struct flowctl_thresholds flowctl_thresholds_at(const struct flowctl_settings *s,
                                                              const struct flowctl_params *p) {
    struct flowctl_thresholds t = flowctl_thresholds_of(p);
    if (s->high_bytes) t.high_bytes = s->high_bytes;
    if (s->low_bytes) t.low_bytes = s->low_bytes;
    return t;
}

static inline span_ps flowctl_reaction_at(const struct flowctl_settings *s, int64_t rate_bps) {
    return s->reaction ? s->reaction : flowctl_reaction(rate_bps);
}

/* Switches with queues at both ends of a crossbar (node/cioq.h). */
struct cioq_settings {
    bool on;
    bool hold;             /* a full egress queue keeps frames in the ingress queue instead of dropping them (DT-6) */
    uint32_t iterations;   /* of iSlip */
    uint32_t speedup;      /* of the crossbar over the links (DT-2) */
    int64_t ingress_bytes; /* queue of each input port, frame bytes */
    int64_t reserve_bytes; /* of the egress queue, for each class: lower ones cannot use it (AM-3) */
    span_ps forward_delay; /* of the forwarding engine (DT-22) */
    struct flowctl_settings flow;
};

enum nic_kind { NIC_PULL, NIC_FIFO };

/* The largest frame of data that a host sends: 0 in settings stands for a full frame of 1,460 payload bytes. */
#define FULL_FRAME_BYTES 1518
static inline int64_t settings_frame(uint32_t frame_bytes) {
    return frame_bytes > FULL_FRAME_BYTES ? frame_bytes : FULL_FRAME_BYTES;
}

struct switch_settings {
    const struct balancer_ops *balance;
    const int64_t *balance_params;
    int64_t buffer_bytes; /* per egress port, frame bytes */
    bool buffer_scales;   /* buffer_bytes is that of ports of up to 10 Gbps; faster ones have more in proportion */
    int64_t ecn_bytes;    /* admit: ecn; marking threshold, frame bytes; 0 = droptail */
    int64_t phantom_bytes_per_10g, phantom_drain_ppb; /* phantom queues that mark (HULL); 0: none */
    int64_t ecn_bytes_per_10g;                        /* the same, scaled by each port's rate; 0 = none */
    enum schedule_kind schedule;
    uint32_t classes; /* 1 .. MAX_CLASSES; class of a frame = min(dscp >> 3, classes - 1) */
    int64_t drr_quantum_bytes[MAX_CLASSES];
    int64_t class_reserve_bytes; /* of buffer_bytes, kept for each class from the others */
    struct credit_settings credit;
    int64_t unscheduled_bytes; /* data without a credit finds at most so much queued, or is dropped */
    bool push_out;             /* a full queue gives up the newest frame of a lower class (AM-3) */
    struct cioq_settings cioq;
    uint32_t frame_bytes; /* largest frame that hosts send, without a tag; 0: 1518 */
    bool record_path;     /* a credit notes the choices that balancers make for it, its data retraces them */
};

/* The largest frame in a switch: a balancer may tag it. */
static inline int64_t switch_largest_frame(const struct switch_settings *s) {
    bool tags = s->balance && (s->balance->sees_northbound || s->balance->sees_all);
    return settings_frame(s->frame_bytes) + (tags ? (int64_t)expeditus_tag_bytes(TAG_MAX_ENTRIES) : 0);
}

/* Frame bytes that a port of this rate holds. */
static inline int64_t switch_buffer_at(const struct switch_settings *s, int64_t rate_bps) {
    const int64_t base_bps = 10000000000LL;
    if (!s->buffer_scales || rate_bps <= base_bps) return s->buffer_bytes;
    return (int64_t)((__int128)s->buffer_bytes * rate_bps / base_bps);
}

struct host_settings {
    const struct transport_ops *transport[8];
    const int64_t *transport_params[8];
    uint32_t n_transports;
    enum nic_kind nic;
    int64_t nic_queue_bytes;   /* NIC_FIFO: frame bytes the NIC holds of a class before it stops taking */
    uint32_t nic_queue_frames; /* NIC_FIFO: so many frames of any size wait instead; 0: bytes count */
    uint32_t frame_bytes;      /* largest frame of data sent; 0: 1518 */
    struct credit_settings credit;
    bool void_credits;            /* a host that is sent what has no credit sends void ones for it (XP-23) */
    struct flowctl_settings flow; /* if on, the NIC obeys pause frames */
    uint32_t classes;             /* of the switches, by which pause frames name them */
    span_ps processing_delay;     /* per stack traversal, each way (CLAIMS AM-15) */
    span_ps jitter;               /* most that a frame waits before the NIC, drawn for each (AM-32); 0: none */
};

#endif
