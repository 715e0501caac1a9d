/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads: which host sends how many bytes to which other host, and when. For the simulator and the live switch.
 *
 * Open-loop workloads are generated before the run as one list of flows sorted by (start, source, index). They do not
 * depend on the scheme: the same seed gives the same flows for every balancer and transport. Loads are explicit: the
 * arrival rate lambda makes the expected payload bytes per second that cross the named tier in one direction equal to
 * load x the tier's nominal one-way capacity. Failures do not count; with `among`, only its pods or racks do.
 *
 * Closed loops are data as well (struct gate): all flows are known before the run, but a response or a follow-up flow
 * starts when its gate opens. So the seed alone decides sizes, hosts and order; the network decides when flows start.
 */
#ifndef HEDDLE_WORKLOAD_H
#define HEDDLE_WORKLOAD_H

#include "base/diag.h"
#include "base/param.h"
#include "base/views.h"
#include "workload/sizes.h"

/* Which hosts are clients, and which are servers; for a job, where its ranks are. */
#define PLACEMENTS(X)                                                                                                  \
    X(PLACEMENT_ALL, "all")             /* every host is both */                                                       \
    X(PLACEMENT_ALTERNATE, "alternate") /* in each rack the first host is a client, the second a server ... (AM-7) */  \
    X(PLACEMENT_RACKS, "racks")         /* clients in the first half of the racks, servers in the second */            \
    X(PLACEMENT_PACKED, "packed")       /* ranks on the first hosts, rack by rack */                                   \
    X(PLACEMENT_ROUND_ROBIN, "round-robin") /* ranks on one host of each rack after the other */                       \
    X(PLACEMENT_RANDOM, "random")           /* ranks on random hosts */
#define PLACEMENT_OF_RANKS PLACEMENT_PACKED /* the first that places ranks */
enum placement { PLACEMENTS(PARAM_ENUM) };

/* One phase of a schedule; after the last phase the first begins again. */
struct rate_phase {
    span_ps span;
    int64_t per_1000_s; /* arrivals of each client per 1000 s: queries, or sets of them */
};

#define PAIRS(X) X(PAIRS_ANY, "any") X(PAIRS_INTER_RACK, "inter-rack") X(PAIRS_INTER_POD, "inter-pod")
enum pairs { PAIRS(PARAM_ENUM) };

struct workload_spec {
    const struct workload_ops *kind;
    const int64_t *own;  /* values of the kind's own keys (workload_ops.params) */
    const void *fields;  /* the kind's own struct (workload_ops.fields_size, fields.h) */
    struct diag where;   /* file and line of the entry, for errors */
    const char *name;    /* in results; NULL: it has none */
    uint32_t entry;      /* index of the entry in the list; part of the keys of its random streams */
    struct sizes *sizes; /* flow sizes, for kinds that have the key; owned by the caller */
    int64_t max_bytes;   /* largest flow size, for the caller who makes `sizes`; 0 = no limit */
    uint32_t wire_full_bytes, payload_full_bytes; /* a full frame of the transport: wire bytes (1538), payload */
    enum pairs pairs;
    const uint32_t *among; /* numbers of the pods (three tiers) or racks that take part; NULL = all */
    uint32_t n_among;
    uint64_t
        flows; /* poisson: most flows; 0 = until `stop` or the run's end. long: number of flows, the k-th from src + k
                        to dst + k; 0 = one */
    time_ps until;   /* run.until: latest start of queries, background flows, and poisson flows without `flows` */
    span_ps gap;     /* stride, bijection, random, permutation: mean of the exponential gaps between the starts of the
                        senders, which start in random order (EXP-F13); 0 = all at once. incast: time between rounds */
    uint32_t rounds; /* incast; 0 = 1 */
    span_ps within;  /* shuffle, long, incast, background: each start is delayed by a random time, uniform in
                       [0, within); 0 = not at all */
    /* start: first start (poisson: its time 0; trace: added to every start). stop: end of long flows; no query,
     * background or poisson flow starts from then on (TIME_NONE = the run's end) */
    time_ps start, stop;
    uint32_t src, dst; /* long: one pair; NODE_NONE = pairs by `pairs`, as in permutation */
    /* trace: finds the host that a field names; false after writing the error into `why`. quoted: the field is a name, no
     * number */
    bool (*host_find)(void *host_context, const char *text, bool quoted, uint32_t *host, char *why, size_t size);
    void *host_context;
    int64_t rate_bps;     /* udp: payload rate per flow; 0 = line rate */
    uint64_t burst_bytes; /* udp */
    int32_t transport;    /* index into the run's transports; 0 = the host's own */
    uint8_t priority;     /* class 0..7 */
    const char *nic;      /* the NIC to which flows are pinned, for the caller, who knows the fabric; NULL: none */

    /* query, web-sequential, web-partition; in an incast with request_bytes every sender answers one query a round */
    const struct rate_phase *schedule;
    uint32_t n_phases;
    uint64_t queries;         /* number of queries or sets; 0 = until `stop` or the run's end */
    uint64_t request_bytes;   /* size of a request; incast: 0 = senders start without a request */
    const uint64_t *response; /* response sizes, drawn with equal probability */
    uint32_t n_responses;
    bool persistent;                 /* all connections are open at the start; otherwise each query opens one */
    enum placement placement;        /* background: clients send, to servers; collective: PLACEMENT_OF_RANKS or later */
    const uint32_t *client, *server; /* hosts; NULL: by `placement` */
    uint32_t n_clients, n_servers;
    const uint8_t *priorities; /* drawn for each set or query with equal probability; NULL: `priority` */
    uint32_t n_priorities;
    uint64_t total_bytes; /* incast: bytes of a round, split evenly over the senders, instead of sizes; 0 = none */
    uint32_t handshake_wire_bytes, ack_wire_bytes; /* for query_rate: opening and closing a connection; one ACK */
    uint32_t ack_every; /* data frames per ACK; the last frame of a flow is acknowledged at once; 0: 1 */
};

struct generator;

/* How the load of a kind is computed, for `heddle check` and warnings of overload. */
enum workload_load {
    LOAD_ONCE,    /* not at all: it offers no lasting load */
    LOAD_RATE,    /* by workload_rate */
    LOAD_FLOWS,   /* from its list of flows */
    LOAD_QUERIES, /* by query_rate */
};

/* A kind of workload. To add one, write a .c file that makes its flows (generate.h) and ends in its table, and add a
 * row to WORKLOADS (kinds.h). */
struct workload_ops {
    const char *name, *paper, *doc;
    const struct param *const *keys; /* keys with a field in struct workload_spec ("workload.#.sizes"); ends at NULL */
    const struct param *params;      /* its own keys: their values are spec->own[] in this order */
    size_t n_params;
    size_t fields_size; /* bytes of its own struct, for keys with PARAM_OWN_IN; 0 = it has none */
    /* Appends its flows to the list (generate.h). False after filling g->d. */
    bool (*generate)(struct generator *g);
    /* Returns how many flows it will make: exactly where the entry says how many, else an estimate; 0 if the entry is
     * wrong. */
    uint64_t (*foresee)(const struct workload_spec *spec, const struct population *p);
    /* Returns why the entry would never end without run.until, and sets *key to the key that would end it; returns NULL
     * if the entry ends. A kind whose entries always end has no such function (NULL). */
    const char *(*endless)(const struct workload_spec *spec, const char **key);
    /* LOAD_QUERIES: returns the mean number of queries per arrival, times 1000. */
    int64_t (*queries_each_milli)(const struct workload_spec *spec);
    enum workload_load load;
    bool sizes_optional; /* without sizes, its flows send until they are stopped */
    bool stops;          /* `stop` ends flows that are still sending */
    bool makes_jobs;     /* each entry is a job (struct workload_job) */
};

const struct workload_ops *const *workloads(size_t *n);
const struct workload_ops *workload_find(const char *name); /* NULL if unknown */

/* Keys that several kinds have (keys.c), and the keys of every kind, which its row does not list; ends at NULL. */
extern const struct param workload_sizes, workload_max_size, workload_pairs, workload_among, workload_flows,
    workload_gap, workload_placement, workload_clients, workload_servers, workload_within, workload_start,
    workload_stop;
extern const struct param *const workload_entry_keys[];

/* Returns true if the entry starts several rounds by the clock: none waits for the one before. */
static inline bool workload_has_timed_rounds(const struct workload_spec *s) {
    return s->rounds > 1 && s->request_bytes == 0;
}

#define WORKLOAD_SIZES &workload_sizes, &workload_max_size
#define WORKLOAD_COUNT_MAX 1000000 /* maximum of most keys that are a count */
#define WORKLOAD_TIME_MAX (1000 * PS_PER_S)

struct flow_list {
    struct flow *flow; /* sorted by (start, src, entry, index); a flow's number is its index */
    uint32_t n;
    struct gates gates;        /* closed loops; the list owns their memory */
    struct flow_lines lines;   /* connections with several messages; the list owns their memory */
    const struct query *query; /* in the order in which entries made them, so queries of a set are adjacent */
    uint32_t n_queries;
    const struct workload_job *job; /* in the order of entries; the list owns them and their ranks */
    uint32_t n_jobs;
};

/* Makes the flows of all n entries. False after filling *d: a load on a tier that does not exist or that no pair
 * crosses, bad trace lines (file and line), fewer than two hosts, unknown pods. *list is empty then. */
bool workload_generate(const struct workload_spec *spec, size_t n, const struct population *p, uint64_t seed,
                       struct flow_list *list, struct diag *d);
void flow_list_free(struct flow_list *list);

/* Returns how many flows an entry will make, without making them (workload_ops.foresee). */
uint64_t workload_flows_foreseen(const struct workload_spec *spec, const struct population *p);

/* Rate and load of a poisson entry, for `heddle check`. */
struct workload_rate {
    int64_t flows_per_s_milli; /* lambda x 1000, all hosts together */
    int64_t mean_bytes;
    enum tier at;          /* the tier that the load is counted at */
    int64_t crossing_ppb;  /* share of flows that cross the named tier */
    int64_t wire_load_ppb; /* load in wire bytes */
};
/* Rate and load of the queries of an entry. Loads are relative to the uplinks of all racks, or to the links of hosts if
 * there are no uplinks. The paper load is DeTail's: response bytes over the capacity, whether they cross it or not
 * (DT-SIM). The wire load counts what does cross: requests, responses, their ACKs (ack_every) and handshakes (AM-6).
 * `peak` is the busiest phase of the schedule. */
struct query_rate {
    int64_t per_1000_s, peak_per_1000_s; /* queries, all clients together */
    int64_t response_bytes, wire_bytes;  /* means per query */
    int64_t paper_load_ppb, paper_peak_ppb, wire_load_ppb, wire_peak_ppb;
    bool at_uplinks; /* false: the loads are those of the links of hosts */
};
/* Both fill *r; false after filling *d: the entry is wrong. */
bool query_rate(const struct workload_spec *spec, const struct population *p, struct query_rate *r, struct diag *d);

bool workload_rate(const struct workload_spec *spec, const struct population *p, struct workload_rate *r,
                   struct diag *d);

#endif
