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
#include "base/views.h"
#include "workload/sizes.h"

enum workload_kind {
    WORKLOAD_POISSON,        /* sizes, load, load_at, load_bytes, pairs, among, flows or until */
    WORKLOAD_PERMUTATION,    /* a seeded derangement within `pairs` */
    WORKLOAD_STRIDE,         /* host i to i + offset mod N */
    WORKLOAD_BIJECTION,      /* random destination in another pod (rack in two tiers), one sender per receiver */
    WORKLOAD_RANDOM,         /* random destination in another pod (rack), receivers may repeat */
    WORKLOAD_INCAST,         /* senders to one receiver, rounds, gap */
    WORKLOAD_LONG,           /* flows with start and stop */
    WORKLOAD_TRACE,          /* CSV: start, source, destination, bytes */
    WORKLOAD_SHUFFLE,        /* every task of a host sends to every task of every other host: tasks, within (XP-F8) */
    WORKLOAD_QUERY,          /* a request to a random server and its response (DT-F5 to DT-F10) */
    WORKLOAD_WEB_SEQUENTIAL, /* sets of queries one after the other (DT-F11) */
    WORKLOAD_WEB_PARTITION,  /* sets of queries at once, to servers all different (DT-F12) */
    WORKLOAD_BACKGROUND,     /* always one flow from each host, the next when it is acknowledged (DT-F11) */
};

/* Which hosts ask, and which answer. */
enum placement {
    PLACEMENT_ALL,       /* all do both */
    PLACEMENT_ALTERNATE, /* in each rack by turns: the first host asks, the second answers (AM-7) */
    PLACEMENT_RACKS,     /* the first half of the racks asks, the other answers */
};

/* A part of the schedule, which begins anew after its last one. */
struct rate_phase {
    span_ps span;
    int64_t per_1000_s; /* of each client; sets where queries come in sets */
};

enum pairs { PAIRS_ANY, PAIRS_INTER_RACK, PAIRS_INTER_POD };
enum load_bytes { LOAD_PAYLOAD, LOAD_WIRE };

struct workload_spec {
    enum workload_kind kind;
    struct diag where;   /* file and line of the entry, for errors */
    uint32_t entry;      /* its number in the list: part of the random streams' keys */
    struct sizes *sizes; /* every kind but trace; owned by the caller */
    int64_t load_ppb;    /* poisson */
    enum tier load_at;   /* TIER_HOST, TIER_LEAF (tor-uplink), TIER_AGG (agg-uplink) */
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
        rounds;     /* incast; senders 0 = all others, else that many chosen at random; rounds 0 = 1 */
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
    bool every_receiver;  /* incast with request_bytes: all hosts receive, one after the other */
    uint32_t handshake_wire_bytes, ack_wire_bytes; /* of opening and closing a connection, of an ACK: for query_rate */
    uint32_t ack_every; /* data frames that one ACK answers, the last of a flow at once; 0: 1 */
};

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

/* How many flows an entry will make, without making them: exact where it says how many, else the expected number; 0 if
 * the entry is wrong, which workload_generate tells. */
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
