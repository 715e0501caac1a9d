/* SPDX-License-Identifier: Apache-2.0 */
/* A fabric: nodes, links, addresses, routes and the timeline of its failures, for the simulator and the live switch.
 *
 * Built once from a `struct fabric_spec`; immutable afterwards, so any number of threads may read it. See base/views.h
 * for the numbering of nodes and ports.
 *
 * Addresses: 10.0.0.0/8. A rack has a prefix of 32 - host_bits bits, and its host i the address prefix + i + 1
 * (host_bits is 8 unless a rack has more than 254 hosts). A host with several links has an address for each, in the rack of
 * that link; fabric_host_ip returns the first (fabric/nics.h). Switch s, by its place among the switches, has the address
 * 10.255.0.1 + s, for hosts to talk to it; no address is routed there. MAC of port p of node n: 02, p >> 8, then n in
 * 24 bits (big endian), then p & 255; a host uses the MAC of its port 0.
 * Names: host0.1.4 (pod, ToR, host), tor0.1, agg0.1, core1.0 (plane, index); leaf3, spine2, host3.4 (leaf, host) in
 * leaf-spine; star: the switch is leaf0, its hosts host0.N; dumbbell: leaf0, leaf1, host0.i left and host1.i right;
 * dual-tor: as leaf-spine, a host by the first of its two leaves; rails: host3.4 (server, GPU), scaleup3, tor0.4 (segment,
 * rail), spine2; file: as given, at most 63 bytes. A port is named by its neighbour (agg0.1; the second of parallel links agg0.1#1); a link by both
 * ends, either first (agg0.1-core1.0, leaf0-spine1#1). A pattern without # matches all parallel links.
 * Parking lot of N bottlenecks: leaf0 .. leafN in a row, two hosts on each. The long flow goes from host 0 (host0.0) to
 * the last, 2N+1 (hostN.1); bottleneck i, between leaf i and i+1, has the pair of host 2i+1 (hosti.1) and 2i+2.
 * Links between leaves (dumbbell, parking lot) have the uplinks' rate and delay.
 *
 * Routes: up-down shortest paths for each settled state. State 0 holds from time 0; it leaves out links that fail at 0
 * with no detection delay. Each time routing learns of a failure or repair (at + detect, repair_at + detect), another
 * state follows. A rack without an up-down path is ROUTE_NONE; without failures that is an error (only in kind file), unless
 * every two hosts have NICs with a path.
 *
 * A link may fail again only after its last repair is known. `place[].beyond` is the fabric as built: a switch applies
 * notices to a copy of it. fail_random draws among links that neither `failed` nor an earlier entry uses in the same
 * time; max_per_switch counts only the links of its own entry. All events of time 0 are listed, also those whose effect
 * state 0 has already.
 */
#ifndef HEDDLE_FABRIC_H
#define HEDDLE_FABRIC_H

#include "base/diag.h"
#include "base/param.h"
#include "base/views.h"

struct fabric;
struct fabric_spec;

/* Buffer sizes that hold every name of a node, a port and a link. */
#define FABRIC_NODE_NAME_MAX 64
#define FABRIC_PORT_NAME_MAX 72
#define FABRIC_LINK_NAME_MAX 144

/* Links between switches as experiment files name them; tor-agg and leaf-spine are the same tier of different kinds. */
#define FABRIC_LINK_TIERS(X) X(LINKS_TOR_AGG, "tor-agg") X(LINKS_AGG_CORE, "agg-core") X(LINKS_LEAF_SPINE, "leaf-spine")
enum fabric_link_tier { FABRIC_LINK_TIERS(PARAM_ENUM) };

/* Names of nodes: leaf3, spine2; tor0.1, agg0.1, core1.0; or the names that the builder stores (see above). */
enum fabric_naming { NAMES_LEAVES, NAMES_PODS, NAMES_OWN };

/* A kind of topology. To add one, write a .c file that builds its nodes and links (fabric_build.h) and ends in its
 * table, and add a row to FABRICS (kinds.h). */
struct fabric_ops {
    const char *name, *paper, *doc;
    const struct param *const *keys; /* keys with a field in struct fabric_spec ("fabric.hosts"); ends at NULL */
    const struct param *params;      /* its own keys: their values are spec->own[] in this order */
    size_t n_params;
    bool (*build)(struct fabric *f, const struct fabric_spec *spec, struct diag *d);
    enum fabric_naming naming;
    enum fabric_link_tier uplinks; /* name of its lowest links between switches: tor-agg or leaf-spine */
    bool either_uplinks;           /* experiment files may use either of these two names */
    bool planes;    /* all uplinks of a switch lead to one group, the cores of a plane or the spines (fabric/bound.c) */
    bool arbitrary; /* any two nodes may be linked: routes may be missing or differ between the two directions */
    bool multihomed; /* hosts may have several links */
};

/* Keys that several kinds have. The lists of rates and delays are for all kinds, for kinds with uplinks, and for kinds
 * with links above aggs. */
extern const struct param fabric_hosts, fabric_spines, fabric_rate, fabric_host_rate, fabric_uplink_rate,
    fabric_core_rate, fabric_delay, fabric_host_link_delay, fabric_uplink_delay, fabric_core_delay;
#define FABRIC_SPEEDS &fabric_rate, &fabric_host_rate, &fabric_delay, &fabric_host_link_delay
#define FABRIC_SPEEDS_UPLINKS                                                                                          \
    &fabric_rate, &fabric_host_rate, &fabric_uplink_rate, &fabric_delay, &fabric_host_link_delay, &fabric_uplink_delay
#define FABRIC_SPEEDS_CORES                                                                                            \
    &fabric_rate, &fabric_host_rate, &fabric_uplink_rate, &fabric_core_rate, &fabric_delay, &fabric_host_link_delay,   \
        &fabric_uplink_delay, &fabric_core_delay
#define FABRIC_COUNT_MAX 1000000 /* maximum of every key that is a count */

/* The keys of `links`, `failed` and `fail_random`, which every kind has (change_keys.c); ends at a row without a name. */
extern const struct param fabric_change_keys[];

/* A rate that an experiment file writes as none: what carries the frames of a live link is its only limit. */
#define FABRIC_RATE_NONE INT64_MAX

const struct fabric_ops *const *fabrics(size_t *n);
const struct fabric_ops *fabric_find(const char *name); /* NULL if unknown */

/* New values for links whose name matches: "A-B" with * and ?, either end first. */
struct link_override {
    const char *match;
    int64_t rate_bps;  /* 0 = unchanged */
    span_ps delay;     /* -1 = unchanged */
    int64_t loss_ppb;  /* -1 = unchanged */
    struct diag where; /* file, line, column of the entry, for errors */
};

struct link_failure {
    const char *link; /* "agg0.1-core1.0", either end first; parallel links: "leaf0-spine1#1"; NULL: `node`, `port` */
    uint32_t node;    /* an end of the link, and its port there */
    uint16_t port;
    time_ps at, repair_at; /* repair_at: TIME_NONE = never */
    span_ps detect;        /* delay until ports and routing know of the failure, and of the repair */
    int64_t rate_bps;      /* > 0: the link does not fail but has this rate from `at` to repair_at */
    int64_t loss_ppb;      /* > 0: the link does not fail but loses this share of frames from `at` to repair_at */
    struct diag where;
};

struct random_failures {
    uint8_t named;                  /* enum fabric_link_tier: the links as a file names them; fabric reads link_tier */
    uint8_t link_tier;              /* 1: tor-agg (leaf-spine), 2: agg-core */
    int32_t pod;                    /* -1 = any */
    uint32_t links, max_per_switch; /* max_per_switch 0 = no limit; it holds for both ends */
    time_ps at, repair_at;
    span_ps detect;
    struct diag where;
};

/* How frames find their way: up first and then down, or on any shortest path. */
#define FABRIC_ROUTINGS(X) X(ROUTING_UP_DOWN, "up-down") X(ROUTING_SHORTEST, "shortest")
enum fabric_routing { FABRIC_ROUTINGS(PARAM_ENUM) ROUTING_COUNT };

struct fabric_spec {
    const struct fabric_ops *kind;
    const int64_t *own;                      /* values of the kind's own keys (fabric_ops.params) */
    uint32_t pods, tors, aggs, cores, hosts; /* leaf-spine: tors = leaves, aggs = spines */
    uint32_t k, pairs, bottlenecks;
    const char *path;
    uint8_t format; /* of the file at `path` (fabric/formats.h) */
    enum fabric_routing routing;
    int64_t host_bps, uplink_bps,
        core_bps; /* of links from hosts up, from leaves (to aggs, or to other leaves), from aggs */
    span_ps host_delay, uplink_delay, core_delay;
    int64_t rate_bps; /* of a tier whose key is not given; for study, which fills the tiers */
    span_ps delay;
    const struct link_override *links;
    uint32_t n_links;
    const struct link_failure *failed;
    uint32_t n_failed;
    const struct random_failures *fail_random;
    uint32_t n_fail_random;
    uint64_t seed;                     /* seed of the run, for fail_random */
    uint64_t memory_bytes, port_bytes; /* memory limit, 0 = none; memory per port that counts against it */
    struct diag where;                 /* file and line of the fabric block, for errors */
};

struct fabric_node {
    uint8_t tier;
    uint32_t pod, index; /* pod or plane, number within it; hosts: pod of its leaf, number within the leaf */
    uint32_t
        leaf; /* hosts and leaves: rack; else NODE_NONE. Of a host with several links: the one it is numbered after */
};

/* An event of one node at one time. Sorted by (node, at, kind, port). */
enum fabric_event_kind {
    EVENT_LINK_DOWN, /* the link fails; both ends have this event */
    EVENT_LINK_UP,
    EVENT_PORT_DOWN, /* the failure is detected: port_view.up becomes false */
    EVENT_PORT_UP,
    EVENT_RATE,   /* value: rate from now on, in bits per second */
    EVENT_LOSS,   /* value: loss from now on, in parts per thousand million */
    EVENT_ROUTES, /* value: index of the route_state that this switch uses from now on */
    EVENT_NOTICE, /* value: alive << 32 | total of the switch behind uplink `port` (place_beyond) */
    EVENT_NICS,   /* at hosts: NICs or routes changed, and flows may use another pair from now on (fabric/nics.h) */
};
struct fabric_event {
    time_ps at;
    int64_t value;
    uint32_t node;
    uint16_t port;
    uint16_t kind;
};

struct fabric {
    const struct fabric_ops *kind;
    uint8_t tiers; /* switch tiers */
    uint8_t host_bits;
    uint32_t n_hosts, n_switches, n_nodes, n_leaves, n_pods, n_planes;
    struct fabric_node *node; /* [n_nodes] */
    struct place *place;      /* [n_switches], as built: before any failure */
    struct population population;
    struct path_view paths; /* first_port, port, route states, leaf_node, leaf_pod */
    struct fabric_event *event;
    size_t n_events;
    uint32_t *first_event;                     /* [n_nodes + 1]: events of node n are first_event[n] .. [n + 1] - 1 */
    uint32_t paths_inter_pod, paths_intra_pod; /* most equal-cost paths between two racks in state 0; 0: none */
    void *store;                               /* private to fabric/ (struct fabric_store) */
};

/* Builds a fabric, which the caller destroys. NULL after filling *d: impossible sizes, no path between two hosts,
 * unknown links, more failures than links. */
struct fabric *fabric_create(const struct fabric_spec *spec, struct diag *d);
void fabric_destroy(struct fabric *f);
uint64_t fabric_memory_bytes(const struct fabric *f);

/* Returns one line for a person about nodes whose tier a fabric file leaves out: its name and their roles, by name. NULL:
 * there are none. */
const char *fabric_roles(const struct fabric *f);

const char *fabric_node_name(const struct fabric *f, uint32_t node, char *buf, size_t size);
const char *fabric_port_name(const struct fabric *f, uint32_t node, uint16_t port, char *buf, size_t size);
uint32_t fabric_node_find(const struct fabric *f, const char *name); /* NODE_NONE if unknown */
/* Finds the host that a file writes as a name or, without quotes, as a number. A node of that name wins over a number.
 * Returns false after writing the error into `why`: there is no such host, the name is a switch's, or the text is the
 * name of one node and the number of another host. */
bool fabric_host_find(const struct fabric *f, const char *text, bool quoted, uint32_t *host, char *why, size_t size);
uint16_t fabric_port_find(const struct fabric *f, uint32_t node, const char *name);

/* Writes the name of the link at a port, its lower end first unless another link has that name: the same from both
 * ends. */
const char *fabric_port_link(const struct fabric *f, uint32_t node, uint16_t port, char *buf, size_t size);
uint32_t fabric_port_lower(const struct fabric *f, uint32_t node, uint16_t port); /* lower end of the link at a port */
/* Sets one end of the link "A-B", "A-B#1" (either end first). Returns false after writing the error into `why`: no link
 * has the name, or two have. */
bool fabric_link_end(const struct fabric *f, const char *link, uint32_t *node, uint16_t *port, char *why, size_t size);
/* Returns false after writing the error into `why` if the name is that of links between different nodes. A name that no
 * link has is clear, and so is a pattern with * or ? that is no name. */
bool fabric_link_is_clear(const struct fabric *f, const char *name, char *why, size_t size);

/* Returns the rack of an address; for one outside 10.0.0.0/8, a number above that of every rack. */
static inline uint32_t fabric_leaf_of_ip(uint8_t host_bits, uint32_t ip) { return (ip - (10u << 24)) >> host_bits; }
uint32_t fabric_host_ip(const struct fabric *f, uint32_t host);
uint32_t fabric_host_of_ip(const struct fabric *f, uint32_t ip);           /* NODE_NONE if none */
uint32_t fabric_switch_ip(const struct fabric *f, uint32_t node);          /* 0: racks take the addresses of switches */
uint32_t fabric_host_of_mac(const struct fabric *f, const uint8_t mac[6]); /* NODE_NONE if none */
void fabric_port_mac(uint32_t node, uint16_t port, uint8_t mac[6]);

/* Sets part[n_nodes] to the thread of each node, for `n` threads. A host goes with its leaf, pods stay whole, cores are
 * spread; ports are balanced. With fewer pods than threads, leaves are divided instead of pods, and aggs are spread.
 * Returns how many threads are used (<= n). */
uint32_t fabric_partition(const struct fabric *f, uint32_t n, uint16_t *part);

/* The figures of EXP-5 for this fabric: state of a ToR with per-path state, with pathlets and with Expeditus, for n
 * uplinks per leaf, m uplinks per agg, p pods and r racks per pod. */
struct fabric_scale {
    uint64_t per_path_state;                           /* n*m*p*r of EXP-5 (leaf-spine: n*r) */
    uint64_t concurrent_flows_pathlet;                 /* n*m flows to the same ToR */
    uint32_t switches_asked;                           /* switches of all paths: 2n + 2; in two tiers n + 2 */
    uint32_t expeditus_tor_state, expeditus_agg_state; /* 2n, 2m */
    uint64_t links;
};
void fabric_scale(const struct fabric *f, struct fabric_scale *s);

/* Smallest one-way delay and bottleneck between two hosts over shortest paths, for the slowdown bound. Rates are
 * nominal, and the best of all settled states counts, so that no transfer can be faster than the bound. */
struct fabric_bound {
    span_ps propagation;    /* propagation delay of the best path */
    span_ps first_frame_ps; /* store and forward of the first frame at every hop but the sender's own link */
    int64_t bottleneck_bps; /* largest bottleneck of a single path */
    int64_t spray_bps;      /* min(host rates, sum over disjoint paths usable in any state) */
    int64_t slowest_bps;    /* rate of the slowest link of any path, the hosts' own links included */
    uint32_t hops;          /* links of the best path */
};
/* Fills *b for a first frame of `wire_bytes`. */
void fabric_bound(const struct fabric *f, uint32_t src, uint32_t dst, uint32_t wire_bytes, struct fabric_bound *b);

/* Returns the least round trip of two hosts in an idle fabric, over their farthest NICs if they have several: propagation, and store and forward of a frame of `out`
 * wire bytes and of one of `back` at every link. Stacks of hosts are not part of it. */
span_ps fabric_round_trip(const struct fabric *f, uint32_t src, uint32_t dst, uint32_t out, uint32_t back);
/* Returns a time that no round trip of two hosts exceeds, without looking at pairs. */
span_ps fabric_round_trip_most(const struct fabric *f, uint32_t out, uint32_t back);

#endif
