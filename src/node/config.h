/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration of switches and hosts, and the keys of experiment files that fill it.
 *
 * To add a key of a port, add a field to struct port_config, a row to `port_keys` (config.c), and its use to port.c. A
 * key of a switch or host likewise, with a row in `switch_keys` or `host_keys`.
 */
#ifndef HEDDLE_NODE_CONFIG_H
#define HEDDLE_NODE_CONFIG_H

#include "base/ethernet.h"
#include "fabric/nics.h"
#include "mech/admit/admit.h"
#include "mech/balance/balance.h"
#include "mech/crossbar/crossbar.h"
#include "mech/flowctl/flowctl.h"
#include "mech/schedule/schedule.h"
#include "mech/transport/transport.h"
#include "wire/expeditus_tag.h"

/* What a full queue of credits drops (AM-36). tail: the newcomer, as the authors' code and SprayPass do. random: one of
 * the queued credits or the newcomer, each with equal probability: the paper names uniform random dropping as the property that
 * its feedback relies on, and not the means. */
#define CREDIT_DROPS(X) X(CREDIT_DROP_TAIL, "tail") X(CREDIT_DROP_RANDOM, "random")
enum credit_drop { CREDIT_DROPS(PARAM_ENUM) };

/* The credit class of every port, NICs included (node/credit_class.h). */
struct credit_config {
    bool on;
    uint32_t queue;        /* credits of 84 bytes that one queue of the credit class holds (XP-7, AM-39) */
    enum credit_drop drop; /* what a full queue drops */
    int64_t share_ppb;     /* credits' share of the link's rate, in wire bytes (XP-4) */
    int64_t burst_bytes;   /* depth of the token bucket (AM-9) */
    uint32_t mark_window;  /* N_cdt (SP-7); 0: credits are not marked */
    uint32_t spread;    /* a NIC draws each credit's wire bytes from 84 +- spread (AM-20); at most CREDIT_SPREAD_MAX */
    span_ps mark_stale; /* time without a credit after which the estimate is dropped; 0: never */
};

#define NIC_KINDS(X) X(NIC_PULL, "pull") X(NIC_FIFO, "fifo")
enum nic_kind { NIC_KINDS(PARAM_ENUM) };
#define NIC_FULLS(X) X(NIC_FULL_BLOCK, "block") X(NIC_FULL_DROP, "drop")
enum nic_full { NIC_FULLS(PARAM_ENUM) };

/* Returns the largest data frame that a host sends; 0 stands for a full frame of 1,460 payload bytes. */
static inline int64_t config_frame(uint32_t frame_bytes) {
    return frame_bytes > FULL_FRAME_BYTES ? frame_bytes : FULL_FRAME_BYTES;
}

/* Configuration of every egress port of a switch. */
struct port_config {
    uint32_t classes; /* 1 .. MAX_CLASSES; class of a frame = min(dscp >> 3, classes - 1); 0: 1 */
    struct schedule_config schedule;
    int64_t unscheduled_bytes; /* most queued bytes at which data without a credit is admitted */
    bool push_out;             /* a frame that finds a full queue pushes out the newest of a lower class (AM-3) */
};

struct switch_config {
    const struct balancer_ops *balance;
    const int64_t *balance_params;
    int64_t buffer_bytes; /* buffer per egress port, frame bytes */
    bool buffer_scales;   /* buffer_bytes is for ports up to 10 Gbps; faster ports have more in proportion */
    struct admit_config admit;
    struct port_config port;
    struct credit_config credit;
    struct crossbar_config cioq; /* queues at both ends of a crossbar (node/cioq.h), or none */
    struct flowctl_config flow;  /* flow control between neighbours */
    uint32_t frame_bytes;        /* largest frame that hosts send, without a tag; 0: 1518 */
    bool record_path;            /* credits record the choices that balancers make for them, and data retraces them */
};

/* Returns the largest frame in a switch, with a balancer's tag. */
static inline int64_t switch_largest_frame(const struct switch_config *s) {
    bool tags = s->balance && (s->balance->sees_northbound || s->balance->sees_all);
    return config_frame(s->frame_bytes) + (tags ? (int64_t)expeditus_tag_bytes(TAG_MAX_ENTRIES) : 0);
}

/* Returns whether the ports of a switch have a queue for each class. */
static inline bool switch_has_classes(const struct switch_config *s) {
    return s->port.classes > 1 || s->credit.on || crossbar_has_queues(&s->cioq);
}

/* Returns the buffer of a port of this rate, in frame bytes. */
static inline int64_t switch_buffer_at(const struct switch_config *s, int64_t rate_bps) {
    const int64_t base_bps = 10000000000LL;
    if (!s->buffer_scales || rate_bps <= base_bps) return s->buffer_bytes;
    return (int64_t)((int128)s->buffer_bytes * rate_bps / base_bps);
}

struct host_config {
    const struct transport_ops *transport[8];
    const int64_t *transport_params[8];
    uint32_t n_transports;
    enum fabric_bonding bonding; /* which of its NICs a flow uses, where hosts have several (fabric/nics.h) */
    enum nic_kind nic;
    int64_t nic_queue_bytes;   /* NIC_FIFO: frame bytes of a class that the NIC holds before it takes no more */
    uint32_t nic_queue_frames; /* NIC_FIFO: frames that it holds instead, of any size; 0: nic_queue_bytes counts */
    enum nic_full nic_full;    /* NIC_FIFO: what becomes of a frame that finds its queue full; no drops with credits,
                                  with flow control, or for flows that send as fast as the NIC */
    uint32_t frame_bytes;      /* largest data frame sent; 0: 1518 */
    struct credit_config credit;
    bool void_credits;          /* a host answers frames that come without a credit with void credits (XP-23) */
    struct flowctl_config flow; /* if on, the NIC obeys pause frames */
    uint32_t classes;           /* number of classes of the switches, which pause frames name */
    span_ps processing_delay;   /* per stack traversal, each way (AM-15) */
    span_ps jitter;             /* largest random delay of a frame before the NIC (AM-32); 0: none */
};

/* Keys of experiment files: "host.jitter" in struct host_config, "switch.classes" in struct switch_config. The
 * configuration is printed in this order: class_keys, keys of the schedule, credit_keys, port_keys, keys of the
 * crossbar and of flow control, switch_keys. Each list ends at a row without a name. */
extern const struct param host_keys[], class_keys[], credit_keys[], port_keys[], switch_keys[];

#endif
