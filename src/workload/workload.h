/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads: which host sends how many bytes to which other, and when. For both worlds.
 *
 * Open-loop workloads are generated before the run as one list of flows sorted by (start, source, index). They know no
 * scheme: the same seed gives the same flows whatever balances or transports them. Loads are explicit:
 * lambda is such that the expected payload bytes per second that cross the named tier in one direction equal load x
 * that tier's nominal one-way capacity, failures ignored, `among` counting only those pods or racks.
 *
 * Closed loops are data as well (struct gate): all flows are known before the run, but those that answer or follow
 * others start when their gate opens. So what is asked, of whom and in which order depends on the seed alone; when, on
 * the network.
 */
#ifndef HEDDLE_WORKLOAD_H
#define HEDDLE_WORKLOAD_H

#include "base/diag.h"
#include "base/param.h"
#include "base/views.h"
#include "workload/sizes.h"

/* Which hosts ask, and which answer. */
#define PLACEMENTS(X)                                                                                                  \
    X(PLACEMENT_ALL, "all")             /* all do both */                                                              \
    X(PLACEMENT_ALTERNATE, "alternate") /* in each rack by turns: the first host asks, the second answers (AM-7) */    \
    X(PLACEMENT_RACKS, "racks")         /* the first half of the racks asks, the other answers */
enum placement { PLACEMENTS(PARAM_ENUM) };

/* A part of the schedule, which begins anew after its last one. */
struct rate_phase {
    span_ps span;
    int64_t per_1000_s; /* of each client; sets where queries come in sets */
};

#define PAIRS(X) X(PAIRS_ANY, "any") X(PAIRS_INTER_RACK, "inter-rack") X(PAIRS_INTER_POD, "inter-pod")
enum pairs { PAIRS(PARAM_ENUM) };
#define LOAD_BYTES(X) X(LOAD_PAYLOAD, "payload") X(LOAD_WIRE, "wire")
enum load_bytes { LOAD_BYTES(PARAM_ENUM) };

struct workload_spec {
    const struct workload_ops *kind;
    const int64_t *own;  /* of the kind's own keys */
    struct diag where;   /* file and line of the entry, for errors */
    uint32_t entry;      /* its number in the list: part of the random streams' keys */
    struct sizes *sizes; /* every kind but trace; owned by the caller */
    int64_t load_ppb;    /* poisson */
    enum tier load_at;   /* TIER_HOST, TIER_LEAF (tor-uplink), TIER_AGG (agg-uplink): LOAD_TIERS */
    enum load_bytes load_bytes;
    uint32_t wire_full_bytes, payload_full_bytes; /* 1538 and the transport's payload per frame: for load_bytes wire */
    enum pairs pairs;
    const uint32_t *among; /* pods (three tiers) or racks; NULL = all */
    uint32_t n_among;
    uint64_t flows;  /* poisson: how many; 0 = until the run's end. long: that many, the k-th from src + k to dst + k;
                        0 = one */
    time_ps until;   /* poisson without flows: no start later */
    span_ps gap;     /* stride, bijection, random, permutation: mean of exponential gaps of one global sequence over the
                        senders in random order (EXP-F13); 0 = all at once. incast: time between rounds */
    uint32_t offset; /* stride; 0 = hosts of a pod (of a rack in two tiers) */
    uint32_t senders, receiver,
        rounds;     /* incast; senders 0 = all others, else that many chosen at random; receiver RECEIVER_EACH with
                       request_bytes: all hosts, one after the other; rounds 0 = 1 */
    uint32_t tasks; /* shuffle: per host; 0 = 1. tasks x tasks flows from each host to each other */
    span_ps within; /* shuffle, long: each flow starts at random, uniformly in [start, start + within); 0 = at once */
    time_ps start, stop; /* first start (poisson: its time 0; trace: added to every start); long: stop (TIME_NONE = the
                            run's end) */
    uint32_t src, dst;   /* long: one pair; NODE_NONE = by `pairs` as permutation */
    const char *path;    /* trace */
    uint32_t (*host_by_name)(void *host_context,
                             const char *name); /* trace: NODE_NONE if unknown; NULL: numbers only */
    void *host_context;
    int64_t rate_bps;     /* udp: payload rate per flow; 0 = line rate */
    uint64_t burst_bytes; /* udp */
    int32_t transport;    /* index into the run's transports; 0 = the host's own */
    uint8_t priority;     /* class 0..7 */

    /* query, web-sequential, web-partition; of an incast with request_bytes every sender answers one query */
    const struct rate_phase *schedule;
    uint32_t n_phases;
    uint64_t queries;         /* how many, or sets; 0 = until `stop` or the run's end */
    uint64_t request_bytes;   /* incast: 0 = senders begin by themselves */
    const uint64_t *response; /* sizes, drawn with equal chance */
    uint32_t n_responses;
    const uint32_t *fanout; /* web-partition: queries of a set, drawn with equal chance */
    uint32_t n_fanouts;
    uint32_t length;                 /* web-sequential: queries of a set */
    bool persistent;                 /* connections are open already; otherwise each query opens one */
    enum placement placement;        /* background: who sends, and to whom */
    const uint32_t *client, *server; /* hosts; NULL: as placed */
    uint32_t n_clients, n_servers;
    const uint8_t *priorities; /* drawn for each set or query with equal chance; NULL: `priority` */
    uint32_t n_priorities;
    uint64_t total_bytes; /* incast: split evenly over the senders, instead of sizes; 0 = none */
    uint32_t handshake_wire_bytes, ack_wire_bytes; /* of opening and closing a connection, of an ACK: for query_rate */
    uint32_t ack_every; /* data frames that one ACK answers, the last of a flow at once; 0: 1 */
};

#define RECEIVER_EACH HOST_CHOICE(0)

struct generator;

/* What its flows add up to, for `heddle check` and warnings of overload. */
enum workload_load {
    LOAD_ONCE,    /* nothing that lasts */
    LOAD_RATE,    /* workload_rate */
    LOAD_FLOWS,   /* what its list of flows amounts to */
    LOAD_QUERIES, /* query_rate */
};

/* A kind of workload. To add one: a .c file that makes its flows (generate.h) and ends in its table, and a row in
 * WORKLOADS below. */
struct workload_ops {
    const char *name, *paper, *doc;
    const struct param *const *keys; /* "workload.#.sizes": in struct workload_spec; ends at NULL */
    const struct param *params;      /* its own keys: their values are spec->own[] in this order */
    size_t n_params;
    /* Appends its flows to the list (generate.h). */
    bool (*generate)(struct generator *g);
    /* How many flows it will make: exact where the entry says how many, else the expected number; 0 if it is wrong. */
    uint64_t (*foresee)(const struct workload_spec *spec, const struct population *p);
    /* Why the entry would never end without run.until, and which key would end it; NULL: it ends. NULL: it always does.
     */
    const char *(*endless)(const struct workload_spec *spec, const char **key);
    /* LOAD_QUERIES: queries of an arrival on average, times 1000. */
    int64_t (*queries_each_milli)(const struct workload_spec *spec);
    enum workload_load load;
    bool sizes_optional; /* flows may go on until they are stopped */
    bool stops;          /* `stop` ends its flows */
};

#define WORKLOADS(ROW)                                                                                                 \
    ROW(poisson)                                                                                                       \
    ROW(permutation)                                                                                                   \
    ROW(stride)                                                                                                        \
    ROW(bijection)                                                                                                     \
    ROW(random)                                                                                                        \
    ROW(incast)                                                                                                        \
    ROW(long)                                                                                                          \
    ROW(trace)                                                                                                         \
    ROW(shuffle)                                                                                                       \
    ROW(query)                                                                                                         \
    ROW(web_sequential)                                                                                                \
    ROW(web_partition)                                                                                                 \
    ROW(background)

#define WORKLOAD_DECLARE(id) extern const struct workload_ops workload_##id;
WORKLOADS(WORKLOAD_DECLARE)

const struct workload_ops *const *workloads(size_t *n);
const struct workload_ops *workload_find(const char *name); /* NULL if unknown */

/* Keys of several kinds (keys.c), and those of all, which need no row to name them; the list ends at NULL. */
extern const struct param workload_sizes, workload_max_size, workload_pairs, workload_among, workload_flows,
    workload_gap, workload_placement, workload_clients, workload_servers, workload_within, workload_start,
    workload_stop;
extern const struct param *const workload_entry_keys[];
#define WORKLOAD_SIZES &workload_sizes, &workload_max_size
#define WORKLOAD_COUNT_MAX 1000000 /* of most things that a key counts */
#define WORKLOAD_TIME_MAX (1000 * PS_PER_S)

struct flow_list {
    struct flow *flow; /* sorted by (start, src, entry, index); a flow's number is its place */
    uint32_t n;
    struct gates gates;        /* closed loops; their memory is the list's */
    const struct query *query; /* of sets first to last, in the order in which entries made them */
    uint32_t n_queries;
};

/* False after filling *d: a load on a tier that does not exist or that no pair crosses, bad trace lines (file and
 * line), fewer than two hosts, unknown pods. *list is empty then. */
bool workload_generate(const struct workload_spec *spec, size_t n, const struct population *p, uint64_t seed,
                       struct flow_list *list, struct diag *d);
void flow_list_free(struct flow_list *list);

/* How many flows an entry will make, without making them (struct workload_ops). */
uint64_t workload_flows_foreseen(const struct workload_spec *spec, const struct population *p);

/* What a poisson entry amounts to, for `heddle check`. */
struct workload_rate {
    int64_t flows_per_s_milli; /* lambda x 1000, all hosts together */
    int64_t mean_bytes;
    int64_t crossing_ppb;  /* share of flows that cross the named tier */
    int64_t wire_load_ppb; /* the load counted in wire bytes */
};
/* What the queries of an entry amount to: from the rates of its clients, the mean response and, on the wire, requests,
 * handshakes, data and an ACK per segment. Loads are over the uplinks of all racks where there are such, else over the
 * links of hosts: as DeTail counts it, response bytes over the capacity, whether they cross it or not (DT-SIM), and
 * all wire bytes that do cross (AM-6). `peak`: in the busiest phase. */
struct query_rate {
    int64_t per_1000_s, peak_per_1000_s; /* queries, all clients together */
    int64_t response_bytes, wire_bytes;  /* of a query, on average */
    int64_t paper_load_ppb, paper_peak_ppb, wire_load_ppb, wire_peak_ppb;
    bool at_uplinks;
};
bool query_rate(const struct workload_spec *spec, const struct population *p, struct query_rate *r, struct diag *d);

bool workload_rate(const struct workload_spec *spec, const struct population *p, struct workload_rate *r,
                   struct diag *d);

#endif
