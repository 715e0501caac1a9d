/* SPDX-License-Identifier: Apache-2.0 */
/* What crosses the walls between siblings: plain structs without code.
 *
 * fabric fills `place`, `population` and `path_view`; study hands them to workload, measure and node; a balancer sees
 * its own switch through `place` and `port_view`, and the routes through `path_view`.
 *
 * Numbering, everywhere: nodes are hosts 0 .. n_hosts-1 in leaf order, then the leaves (ToRs), then aggs (spines),
 * then cores. A leaf's number is its rack. Ports of a switch: first those downwards in the order of the neighbour's
 * number, then those upwards likewise (peer links between switches of one tier, as in a dumbbell, count as upwards), so
 * uplink i of every ToR of a pod leads to agg i, uplink j of an agg to core j of its plane. A host has port 0.
 * A port's global number is first_port[node] + port; it names its egress direction, and the arrival direction of
 * the neighbour's end is the neighbour's global port `peer`.
 */
#ifndef HEDDLE_BASE_VIEWS_H
#define HEDDLE_BASE_VIEWS_H

#include "base/types.h"

enum tier { TIER_HOST, TIER_LEAF, TIER_AGG, TIER_CORE, TIER_COUNT }; /* leaf = ToR; agg = spine in two tiers */

/* One end of a link. */
struct place_port {
    uint32_t node;      /* this end */
    uint32_t neighbour; /* the other end */
    uint32_t peer;      /* global port number of the other end */
    uint16_t port;      /* port number at this end */
    uint8_t link_tier;  /* 0 host-leaf, 1 leaf-agg, 2 agg-core, by its lower end; peer links: that tier */
    uint8_t neighbour_tier;
    int64_t rate_bps;  /* nominal */
    span_ps delay;     /* propagation */
    uint32_t loss_ppb; /* gray link: chance that a frame is lost on the wire */
};

/* How much of its own upward capacity the switch behind an uplink still has (Expeditus 3.3, link load multiplier). */
struct place_beyond {
    uint32_t alive, total; /* uplinks; total 0 = it has none */
};

/* A switch's own place. */
struct place {
    uint32_t node;
    uint8_t tier;                   /* TIER_LEAF .. TIER_CORE */
    uint8_t tiers;                  /* switch tiers of the fabric: 1, 2 or 3 */
    uint32_t pod, index;            /* pod (plane for a core), number within it */
    uint32_t leaf;                  /* own rack number; NODE_NONE above the leaf tier */
    uint16_t n_ports, first_uplink; /* ports [first_uplink, n_ports) lead upwards */
    const struct place_port *port;  /* n_ports of them */
    struct place_beyond *beyond;    /* one per port; changed by notices */
};

/* Who lives where and what each tier carries: for workload and measure. */
struct population {
    uint32_t n_hosts, n_leaves, n_pods;
    const uint32_t *host_leaf;  /* rack of each host */
    const uint32_t *leaf_pod;   /* pod of each rack */
    const int64_t *host_bps;    /* rate of each host's link */
    const int64_t *leaf_up_bps; /* one-way nominal upward capacity of each rack; peer links count */
    const int64_t *pod_up_bps;  /* one-way nominal upward capacity of each pod's aggs; 0 = none */
    bool has_tier[TIER_COUNT];  /* load_at: TIER_HOST, TIER_LEAF (tor-uplink), TIER_AGG (agg-uplink) exist */
};

/* A set of equal-cost next hops, ports in global index order. */
struct next_hops {
    uint16_t n;
    const uint16_t *port;
};

/* Where a switch sends a frame for each rack, in one settled state of the fabric. */
#define ROUTE_NONE 0xffffu
#define ROUTE_SET 0x8000u /* otherwise: the only port */
struct route_row {
    const uint16_t *to_leaf; /* [n_leaves]: port, or ROUTE_SET | index into set, or ROUTE_NONE; own rack: ROUTE_NONE */
    const struct next_hops *set;
    uint16_t n_sets;
};

/* All routes from `from` on; rows of switches that did not change are shared with the state before. */
struct route_state {
    time_ps from;
    const struct route_row *row; /* [n_switches], switch s = node n_hosts + s */
};

/* The whole fabric, for mechanisms with global knowledge (Clairvoyant) and for path walks. */
struct path_view {
    uint32_t n_hosts, n_switches, n_leaves;
    const uint32_t *leaf_node; /* node of each rack's switch */
    const uint32_t *leaf_pod;
    const uint32_t *first_port;      /* [n_nodes + 1] */
    const struct place_port *port;   /* [first_port[n_nodes]] */
    const struct route_state *state; /* in the order of time */
    uint32_t n_states;
};

/* The load of one direction of a link, by a discounting rate estimator (Expeditus 3.1, CONGA). It counts picoseconds of
 * busy link, so that full load is T_dre / alpha at every rate; mech/balance/dre.h has the arithmetic. */
struct load_meter {
    int64_t x_ps; /* the register X, at counted_to */
    time_ps counted_to;
    time_ps next_tick;
};

/* One egress port as admit, balance and measure may see it. Kept by node/port, one cache line and a half. */
struct port_view {
    /* one line: all that a metered port touches per frame */
    time_ps busy_until; /* the frames accepted so far have left by then; kept if metered, or for balancers that look at
                           backlogs; not with classes */
    struct load_meter egress, ingress;
    bool up;      /* false once the failure is detected */
    bool metered; /* egress and ingress are kept */
    /* the rest */
    int64_t rate_bps;
    const uint32_t *drain_bytes; /* per class, frame bytes queued with a class >= it; NULL on analytic ports */
} __attribute__((aligned(64)));

enum flow_flag {
    FLOW_ESTABLISHED = 1, /* rides on a connection that is open already: no handshake */
    FLOW_BACKGROUND = 2,  /* a run does not wait for it */
    FLOW_STAYS_OPEN = 4,  /* its connection is not closed after it: another flow rides on it */
    FLOW_ONCE = 8,        /* its workload offers no load that lasts, such as a shuffle: there is nothing to settle */
};

/* One flow as workload makes it and hosts carry it; its number is its place in the run's list. */
struct flow {
    time_ps start;     /* TIME_NONE: when its gate opens (struct gate) */
    uint64_t bytes;    /* UINT64_MAX: until `stop` */
    time_ps stop;      /* TIME_NONE */
    uint32_t src, dst; /* hosts */
    uint32_t index;    /* within its workload entry */
    uint16_t entry;
    uint16_t src_port, dst_port;
    uint8_t transport, priority;
    uint8_t flags; /* enum flow_flag */
    int64_t rate_bps;
    uint64_t burst_bytes;
};

static inline bool flow_is_awaited(const struct flow *f) { return !(f->flags & FLOW_BACKGROUND); }

/* Closed loops as data. A gate belongs to one host and opens when as many flows as it needs have come to their end
 * there: been received completely by that host, or sent and acknowledged by it. `delay` later its own flows start, all
 * of which that host sends. So a host acts on what itself has seen, and a result does not depend on threads. */
struct gate {
    uint32_t host;
    uint32_t needs;    /* at least 1 */
    uint32_t first, n; /* its flows: places in gated[] */
    span_ps delay;
};
#define GATE_NONE UINT32_MAX

/* The gates that the end of a flow feeds: at its receiver, and at its sender. */
struct flow_feed {
    uint32_t received, acked; /* GATE_NONE */
};

/* All loops of a run; n_gates 0: there are none, and feed is NULL. */
struct gates {
    const struct gate *gate;
    const uint32_t *gated;        /* flow numbers, gate after gate */
    const struct flow_feed *feed; /* [flows of the run] */
    uint32_t n_gates, n_gated;
};

/* A question and its answer: a flow to a server, and one back that the server's gate starts. */
struct query {
    uint32_t request, response; /* flows */
    uint32_t set;               /* queries of one set stand side by side; FLOW_NONE: of none */
};

/* What becomes of one flow, counted by its two ends. Two cache lines, one for each end, so that ends on different
 * threads do not share one. */
struct flow_tally {
    /* receiver */
    time_ps finished_at;     /* arrival of the last payload byte; TIME_NONE while open */
    int64_t received_bytes;  /* distinct payload bytes */
    time_ps last_at;         /* last arrival of new payload */
    uint32_t reordered_pkts; /* arrived with a lower sequence than one seen before, not retransmitted */
    uint32_t duplicate_pkts;
    uint32_t max_reorder_pkts; /* most packets held out of order */
    uint32_t marked_pkts;      /* data that arrived CE */
    uint64_t credits_sent;     /* with those its own limiter refused */
    uint64_t credits_refused;
    time_ps started_at; /* the sender writes it, once, before the receiver hears of the flow; TIME_NONE before */
    /* sender */
    time_ps first_data_at; /* its first payload left the transport: the end of the handshake; TIME_NONE before */
    time_ps acked_at;      /* last byte acknowledged */
    uint32_t sent_pkts;    /* data packets, retransmissions included */
    uint32_t retransmitted_pkts;
    uint32_t syn_timeouts, synack_timeouts, data_timeouts, spurious_timeouts;
    uint32_t fast_recoveries;
    uint32_t cwnd_bytes;     /* at the last change */
    uint32_t credits_used;   /* each by one data frame */
    uint32_t credits_wasted; /* expired, refused or cleared at the sender */
    uint64_t unfilled_bytes; /* of used credits: full frame less the frame that left (XP-24) */
};
_Static_assert(sizeof(struct flow_tally) == 128, "two lines");

/* Why a frame ended before its goal. */
enum drop_cause {
    DROP_NONE,
    DROP_BUFFER,    /* the port's queue was full */
    DROP_LINK_DOWN, /* on or for a dead link */
    DROP_LOSS,      /* gray link */
    DROP_NO_ROUTE,  /* no way to the destination */
    DROP_TTL,
    DROP_CREDIT,      /* the queue of credits was full, or the limiter of its sender refused it */
    DROP_UNSCHEDULED, /* sent without a credit, where frames were waiting */
    DROP_COUNT
};

#endif
