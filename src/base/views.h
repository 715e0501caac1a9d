/* SPDX-License-Identifier: Apache-2.0 */
/* Plain structs that folders share which must not include each other (scripts/layers).
 *
 * fabric fills `place`, `population` and `path_view`; study hands them to workload, measure and node. A balancer sees
 * its own switch through `place` and `port_view`, and the routes through `path_view`.
 *
 * Numbering, everywhere: nodes are hosts 0 .. n_hosts-1 in leaf order, then the leaves (ToRs), then aggs (spines),
 * then cores. A leaf's number is its rack. A switch numbers its downlinks first, then its uplinks, each in the order of
 * the neighbour's number. Peer links between switches of one tier, as in a dumbbell, count as uplinks. So uplink i of
 * every ToR of a pod leads to agg i, and uplink j of an agg to core j of its plane. A host has a port for each of its
 * links, its NICs (fabric/nics.h); most hosts have one, port 0. A host's own rack is that of the leaf after which it is
 * numbered.
 * A port's global number is first_port[node] + port. It names the port's egress direction; the opposite direction of
 * the link is the egress of the neighbour's port, whose global number is `peer`.
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
    uint8_t link_tier;  /* tier of the lower end: 0 host-leaf, 1 leaf-agg, 2 agg-core; peer links: tier of both ends */
    uint8_t neighbour_tier;
    int64_t rate_bps;  /* nominal */
    span_ps delay;     /* propagation delay */
    uint32_t loss_ppb; /* gray link: probability that a frame is lost on the wire */
};

/* Uplinks that the switch behind an uplink still has, out of all it has (Expeditus 3.3, link load multiplier). */
struct place_beyond {
    uint32_t alive, total; /* uplinks; total 0: that switch has none */
};

/* A switch's own place. */
struct place {
    uint32_t node;
    uint8_t tier;                   /* TIER_LEAF .. TIER_CORE */
    uint8_t tiers;                  /* switch tiers of the fabric: 1, 2 or 3 */
    uint32_t pod, index;            /* pod (of a core: plane), number within it */
    uint32_t leaf;                  /* own rack number; NODE_NONE above the leaf tier */
    uint16_t n_ports, first_uplink; /* ports [first_uplink, n_ports) lead upwards */
    const struct place_port *port;  /* [n_ports] */
    struct place_beyond *beyond;    /* [n_ports]; a switch copies it and changes its copy on a notice of a failure */
};

/* The rack and pod of every host, and the capacity of each tier: for workload and measure. Leaves with uplinks that have a
 * host in common (dual ToR) are one rack, whose number is that of the first of them; the numbers of the others are of
 * racks without hosts and uplinks. A link of scale-up leads to a leaf without uplinks. */
struct population {
    uint32_t n_hosts, n_leaves, n_pods;
    const uint32_t *host_leaf;  /* rack of each host */
    const uint32_t *leaf_pod;   /* pod of each rack */
    const int64_t *host_bps;    /* rate of each host's links; those of scale-up do not count beside others */
    const int64_t *nics_bps;    /* rate of all links of each host */
    const int64_t *leaf_up_bps; /* nominal one-way capacity of each rack's uplinks, peer links included */
    const int64_t *pod_up_bps;  /* nominal one-way capacity of the uplinks of each pod's aggs; 0: none */
    bool has_tier[TIER_COUNT];  /* load_at can name it: TIER_HOST, TIER_LEAF (tor-uplink), TIER_AGG (agg-uplink) */
};

/* Returns the highest tier whose uplinks frames between two hosts cross: that of hosts, of racks, or of pods (TIER_AGG). */
static inline enum tier population_crossed(const struct population *p, uint32_t src, uint32_t dst) {
    uint32_t from = p->host_leaf[src], to = p->host_leaf[dst];
    return from == to ? TIER_HOST : p->leaf_pod[from] == p->leaf_pod[to] ? TIER_LEAF : TIER_AGG;
}

/* A set of equal-cost next hops, ports in global index order. */
struct next_hops {
    uint16_t n;
    const uint16_t *port;
};

/* The next hops of a switch for each destination rack, in one state of the fabric. */
#define ROUTE_NONE 0xffffu
#define ROUTE_SET 0x8000u /* the entry is the index of a set; without this bit it is the only port */
struct route_row {
    const uint16_t *to_leaf; /* [n_leaves]: port, ROUTE_SET | index into `set`, or ROUTE_NONE; own rack: ROUTE_NONE */
    const struct next_hops *set;
    uint16_t n_sets;
};

/* All routes from the instant `from` on. Switches whose routes did not change share their row with the state before. */
struct route_state {
    time_ps from;
    const struct route_row *row; /* [n_switches], switch s = node n_hosts + s */
};

/* The whole fabric, for mechanisms with global knowledge (Clairvoyant) and for path walks. */
struct path_view {
    uint32_t n_hosts, n_leaves;
    const uint32_t *leaf_node; /* node of each rack's switch */
    const uint32_t *leaf_pod;
    const uint32_t *first_port;      /* [n_nodes + 1] */
    const struct place_port *port;   /* [first_port[n_nodes]] */
    const struct route_state *state; /* [n_states], in the order of time */
    uint32_t n_states;
};

/* The load of one direction of a link, by a discounting rate estimator (Expeditus 3.1, CONGA). It counts picoseconds in
 * which the link was busy, so that full load is T_dre / alpha at every rate; mech/balance/dre.h has the arithmetic. */
struct load_meter {
    int64_t x_ps; /* the register X at the instant counted_to */
    time_ps counted_to;
    time_ps next_tick;
};

/* One egress port as admit, balance and measure may see it. node/port keeps it. One cache line and a half. */
struct port_view {
    /* the first cache line: all that a metered port touches per frame */
    time_ps busy_until; /* instant at which all frames accepted so far have left; kept if the port is metered or its
                           balancer looks at backlogs, but not with classes */
    struct load_meter egress, ingress;
    bool up;      /* false once a failure of the link is detected */
    bool metered; /* egress and ingress are kept */
    /* the second */
    int64_t rate_bps;
    const uint32_t *drain_bytes; /* per class, frame bytes queued in it and in higher ones; NULL on analytic ports */
} __attribute__((aligned(64)));

enum flow_flag {
    FLOW_ESTABLISHED = 1, /* uses a connection that is already open: no handshake */
    FLOW_BACKGROUND = 2,  /* a run does not wait for its end */
    FLOW_STAYS_OPEN = 4,  /* its connection stays open after it, for another flow */
    FLOW_IN_LINE = 16,    /* its connection carries one message after the other (struct flow_lines) */
    FLOW_ONCE = 8,        /* its workload offers no lasting load (a shuffle), so whether it is settled is no question */
};

/* One flow as workload makes it and hosts carry it. Its number is its index in the run's list. */
struct flow {
    time_ps start;     /* TIME_NONE: it starts when its gate opens (struct gate) */
    uint64_t bytes;    /* flow size; UINT64_MAX: it sends until `stop` */
    time_ps stop;      /* TIME_NONE: it ends with its last byte */
    uint32_t src, dst; /* hosts */
    uint32_t index;    /* within its workload entry */
    uint16_t entry;
    uint16_t src_port, dst_port;
    uint8_t transport, priority;
    uint8_t flags;            /* enum flow_flag */
    uint8_t channel;          /* of a message of a job, modulo 256; 0 for other flows */
    uint8_t src_nic, dst_nic; /* the NIC of its sender and receiver to which it is pinned, from 1; 0: none */
    int64_t rate_bps;
    uint64_t burst_bytes;
};

static inline bool flow_is_awaited(const struct flow *f) { return !(f->flags & FLOW_BACKGROUND); }

/* Closed loops as data. A gate belongs to one host. It waits until `needs` flows have ended at that host: the host has
 * received them completely, or has sent them and they are acknowledged; other gates of the host may count as well. Then it
 * begins: at once, or when its processor is free, which carries out one gate at a time in the order in which they could
 * begin. It takes `delay`. At its end its own flows start; the same host sends them all. So a host acts only on what it
 * has seen itself, and a result does not depend on threads. base/gates.h carries this out. */
struct gate {
    uint32_t host;
    uint32_t needs;    /* flows and gates that must end first; 0: it begins when the run does */
    uint32_t first, n; /* its flows: gated[first .. first + n - 1] */
    span_ps delay;
    uint32_t processor;            /* its number from 1 among those of the run; 0: it waits for none */
    uint32_t next;                 /* gates that count it: follow[next ..], */
    uint32_t n_on_begin, n_on_end; /* first gates that count its begin, then gates that count its end */
};

/* The gates that count the end of a flow, as places in gates.fed: its receiver's gates stand from `received` up to
 * `acked`, its sender's from `acked` up to `received` of the next flow. A gate that stands there twice counts twice. */
struct flow_feed {
    uint32_t received, acked;
};

/* All closed loops of a run. If there are none, n_gates is 0 and feed is NULL. */
struct gates {
    const struct gate *gate;
    const uint32_t *gated;        /* flow numbers, gate after gate */
    const struct flow_feed *feed; /* [flows of the run + 1] */
    const uint32_t *fed;          /* gate numbers, flow after flow */
    const uint32_t *follow;       /* gate numbers, gate after gate; NULL: no gate counts another */
    uint32_t n_gates, n_gated, n_fed, n_follow, n_processors;
};

/* Some of the numbers in gates.fed. */
struct fed_gates {
    const uint32_t *gate;
    uint32_t n;
};

/* Return the gates that count the end of a flow at its receiver, and the gates that count it at its sender. */
static inline struct fed_gates gates_of_received(const struct gates *g, uint32_t flow) {
    const struct flow_feed *feed = &g->feed[flow];
    return (struct fed_gates){g->fed + feed->received, feed->acked - feed->received};
}
static inline struct fed_gates gates_of_acked(const struct gates *g, uint32_t flow) {
    const struct flow_feed *feed = &g->feed[flow];
    return (struct fed_gates){g->fed + feed->acked, feed[1].received - feed->acked};
}

/* Connections that carry one message after the other, and their messages (base/lines.h). */
struct flow_lines {
    const uint32_t
        *of; /* [flows of the run] the line of each flow; FLOW_NONE: it is in none. NULL: there are no lines */
    uint32_t n_lines;
};

static inline uint32_t lines_of(const struct flow_lines *l, uint32_t flow) { return l->of ? l->of[flow] : FLOW_NONE; }

#define JOB_PHASES_MAX 8

/* A request and its response: a flow to a server, and one back that the server's gate starts. */
struct query {
    uint32_t request, response; /* flow numbers */
    uint32_t set;               /* number of its set, whose queries have adjacent indices; FLOW_NONE: no set */
};

/* A job: hosts that carry out one operation together, its ranks, one iteration after the other. Its messages are the flows of
 * one entry of the workload, in the order of struct flow.index: iteration after iteration. Its gates have adjacent numbers,
 * iteration after iteration as well. */
struct workload_job {
    uint32_t entry;       /* of the workload */
    const uint32_t *rank; /* [n_ranks] host of each rank */
    uint32_t n_ranks, iterations;
    uint32_t flows_each;        /* flows of an iteration: flow.index / flows_each is its iteration */
    const uint32_t *first_gate; /* [iterations + 1] first gate of each iteration, and the one after the last */
    time_ps start;
    const char *op;        /* "all-reduce" */
    uint64_t bytes;        /* of a rank's buffer */
    uint32_t bus, bus_per; /* bus bandwidth = bytes / time x bus / bus_per; bus_per 0: the job has no bandwidth */
    bool computes;         /* an iteration lasts from its first gate to its last one, not only over its messages */
    const char *phase[JOB_PHASES_MAX]; /* names of its phases, in the order in which they begin; NULL: no more */
    const uint8_t *phase_of;           /* [flows_each] of each message of an iteration; NULL: it has no phases */
    const uint8_t *phase_of_gate;      /* [first_gate[iterations] - first_gate[0]] of each of its gates; NULL */
};

/* What happened to one flow, counted by its two ends. Each end has a cache line of its own, because the ends may run on
 * different threads. */
struct flow_tally {
    /* receiver */
    time_ps finished_at;     /* arrival of the last payload byte; TIME_NONE while open */
    int64_t received_bytes;  /* distinct payload bytes */
    uint32_t reordered_pkts; /* packets that arrived after one sent later; retransmissions do not count */
    uint32_t duplicate_pkts;
    uint32_t max_reorder_pkts; /* most packets held out of order at one time */
    uint32_t marked_pkts;      /* data packets that arrived with the CE mark */
    uint64_t credits_sent;     /* credits, including the ones refused by the receiver's own limiter */
    uint64_t credits_refused;
    uint16_t synack_timeouts, synack_spurious; /* UINT16_MAX at most */
    time_ps started_at; /* start; TIME_NONE until its gate opens: the sender then writes it, once, before any frame */
    /* sender */
    time_ps first_data_at; /* first payload left the transport, so any handshake is over; TIME_NONE before */
    time_ps acked_at;      /* instant at which its last byte was acknowledged */
    uint32_t sent_pkts;    /* data packets, retransmissions included */
    uint32_t retransmitted_pkts;
    uint32_t syn_timeouts, data_timeouts, spurious_timeouts;
    uint32_t fast_recoveries;
    uint32_t cwnd_bytes;     /* congestion window after its last change */
    uint32_t credits_used;   /* credits that admitted a data frame */
    uint32_t credits_wasted; /* credits that expired, were refused or cleared at the sender */
    uint64_t unfilled_bytes; /* sum over used credits of a full frame less the frame that left (XP-24) */
};
_Static_assert(sizeof(struct flow_tally) == 128, "two lines");

/* Why a frame did not reach its destination. */
enum drop_cause {
    DROP_NONE,
    DROP_BUFFER,    /* the port's queue was full */
    DROP_LINK_DOWN, /* on the wire of a failed link, or sent to one */
    DROP_LOSS,      /* random loss of a gray link */
    DROP_NO_ROUTE,  /* no route to the destination */
    DROP_TTL,
    DROP_CREDIT,      /* the credit queue was full, or the limiter of the credit's sender refused it */
    DROP_UNSCHEDULED, /* unscheduled data, at a port where frames were waiting */
    DROP_NIC,         /* the queue of the sender's own NIC was full (host.nic_full: drop) */
    DROP_STORM,       /* its class is paused without end (switch.pfc_watchdog) */
    DROP_COUNT
};

#endif
