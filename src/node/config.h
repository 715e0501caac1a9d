/* SPDX-License-Identifier: Apache-2.0 */
/* What an experiment says of switches and hosts, in the form node understands, and the keys that say it.
 *
 * To add a key of a port: a field in struct port_config, a row in `port_keys` (config.c), and its use in port.c.
 * One of a switch or a host likewise, with a row in `switch_keys` or `host_keys`.
 */
#ifndef HEDDLE_NODE_CONFIG_H
#define HEDDLE_NODE_CONFIG_H

#include "base/ethernet.h"
#include "mech/admit/admit.h"
#include "mech/balance/balance.h"
#include "mech/crossbar/crossbar.h"
#include "mech/flowctl/flowctl.h"
#include "mech/schedule/schedule.h"
#include "mech/transport/transport.h"
#include "wire/expeditus_tag.h"

/* The credit class of every port, NICs included (node/credit_class.h). */
struct credit_config {
    bool on;
    uint32_t queue;       /* credits that a class of credits holds (XP-7) */
    int64_t share_ppb;    /* of the link's rate, in wire bytes of credits (XP-4) */
    int64_t burst_bytes;  /* depth of the token bucket (AM-9) */
    uint32_t mark_window; /* N_cdt (SP-7); 0: credits are not marked */
    uint32_t spread;    /* a NIC draws each credit's wire bytes from 84 +- spread (AM-20); at most CREDIT_SPREAD_MAX */
    span_ps mark_stale; /* the estimate is dropped after that long without a credit; 0: never */
};

#define NIC_KINDS(X) X(NIC_PULL, "pull") X(NIC_FIFO, "fifo")
enum nic_kind { NIC_KINDS(PARAM_ENUM) };

/* The largest frame of data that a host sends: 0 in settings stands for a full frame of 1,460 payload bytes. */
static inline int64_t config_frame(uint32_t frame_bytes) {
    return frame_bytes > FULL_FRAME_BYTES ? frame_bytes : FULL_FRAME_BYTES;
}

/* Of every egress port of a switch. */
struct port_config {
    uint32_t classes; /* 1 .. MAX_CLASSES; class of a frame = min(dscp >> 3, classes - 1); 0: 1 */
    struct schedule_config schedule;
    int64_t unscheduled_bytes; /* data without a credit finds at most so much queued, or is dropped */
    bool push_out;             /* a full queue gives up the newest frame of a lower class (AM-3) */
};

struct switch_config {
    const struct balancer_ops *balance;
    const int64_t *balance_params;
    int64_t buffer_bytes; /* per egress port, frame bytes */
    bool buffer_scales;   /* buffer_bytes is that of ports of up to 10 Gbps; faster ones have more in proportion */
    struct admit_config admit;
    struct port_config port;
    struct credit_config credit;
    struct crossbar_config cioq; /* queues at both ends of a crossbar (node/cioq.h), or none */
    struct flowctl_config flow;  /* between neighbours */
    uint32_t frame_bytes;        /* largest frame that hosts send, without a tag; 0: 1518 */
    bool record_path;            /* a credit notes the choices that balancers make for it, its data retraces them */
};

/* The largest frame in a switch: a balancer may tag it. */
static inline int64_t switch_largest_frame(const struct switch_config *s) {
    bool tags = s->balance && (s->balance->sees_northbound || s->balance->sees_all);
    return config_frame(s->frame_bytes) + (tags ? (int64_t)expeditus_tag_bytes(TAG_MAX_ENTRIES) : 0);
}

/* Frame bytes that a port of this rate holds. */
static inline int64_t switch_buffer_at(const struct switch_config *s, int64_t rate_bps) {
    const int64_t base_bps = 10000000000LL;
    if (!s->buffer_scales || rate_bps <= base_bps) return s->buffer_bytes;
    return (int64_t)((int128)s->buffer_bytes * rate_bps / base_bps);
}

struct host_config {
    const struct transport_ops *transport[8];
    const int64_t *transport_params[8];
    uint32_t n_transports;
    enum nic_kind nic;
    int64_t nic_queue_bytes;   /* NIC_FIFO: frame bytes the NIC holds of a class before it stops taking */
    uint32_t nic_queue_frames; /* NIC_FIFO: so many frames of any size wait instead; 0: bytes count */
    uint32_t frame_bytes;      /* largest frame of data sent; 0: 1518 */
    struct credit_config credit;
    bool void_credits;          /* a host that is sent what has no credit sends void ones for it (XP-23) */
    struct flowctl_config flow; /* if on, the NIC obeys pause frames */
    uint32_t classes;           /* of the switches, by which pause frames name them */
    span_ps processing_delay;   /* per stack traversal, each way (CLAIMS AM-15) */
    span_ps jitter;             /* most that a frame waits before the NIC, drawn for each (AM-32); 0: none */
};

/* Keys of experiment files: "host.jitter" in struct host_config, "switch.classes" in struct switch_config. In the
 * order in which the configuration is printed: class_keys, those of the schedule, credit_keys, port_keys, those of the
 * crossbar and of flow control, switch_keys. Each list ends at a row without a name. */
extern const struct param host_keys[], class_keys[], credit_keys[], port_keys[], switch_keys[];

#endif
