/* SPDX-License-Identifier: Apache-2.0 */
/* What the generators of flows share. Private to workload.
 *
 * Each kind appends its flows to a list; workload_generate sorts the whole. Every draw comes from a stream keyed by the
 * entry and, where a host draws for itself, by the host, so that an entry or a host added changes nothing of the
 * others.
 */
#ifndef HEDDLE_WORKLOAD_GENERATE_H
#define HEDDLE_WORKLOAD_GENERATE_H

#include "workload/workload.h"

#define FIRST_DST_PORT 5001 /* of entry 0; each entry has its own */
#define FIRST_SRC_PORT 1024
#define N_SRC_PORTS (65536 - FIRST_SRC_PORT)

/* The hosts that take part, and what divides them into groups that exclude themselves as destinations. */
struct members {
    uint32_t *host;  /* sorted by (group, host) */
    uint32_t *group; /* of each: its host, rack or pod number */
    uint32_t *first; /* of each: where its group begins in host[] */
    uint32_t *count; /* of each: members of its group */
    uint32_t n;
};

/* Loops as they grow; flows by their place in the list before it is sorted. */
struct loops {
    struct gate *gate;
    uint32_t *gated;
    struct flow_feed *feed;
    struct query *query;
    uint32_t n_gates, n_gated, n_feed, n_queries, n_sets;
    uint32_t gates_room, gated_room, feed_room, queries_room;
};

struct generator {
    const struct workload_spec *spec;
    const struct population *p;
    uint64_t seed;
    struct flow_list *list;
    uint32_t room;
    uint32_t made;       /* by this entry so far */
    uint32_t *next_port; /* per host: flows it has begun; NULL before the first */
    struct diag *d;
    struct loops loops;
};

/* `pairs` as it divides this fabric's hosts. False after filling g->d: fewer than two, unknown pods, one group alone.
 */
bool members_init(struct members *m, const struct workload_spec *spec, const struct population *p, enum pairs pairs,
                  struct diag *d);
void members_fini(struct members *m);
/* The group within which bijection and random stay apart: pods where there are several tiers of switches, else racks.
 */
enum pairs pairs_apart(const struct population *p);
/* Which pods (racks in two tiers) take part, one flag each; the caller frees it. NULL after filling *d. */
bool *among_flags(const struct workload_spec *spec, const struct population *p, uint32_t *n, struct diag *d);
/* A random member outside the group of member i. */
uint32_t member_draw(const struct members *m, uint32_t i, struct random_stream *r);

/* A stream of this entry: of one host, or NODE_NONE for the entry as a whole. */
void generator_stream(const struct generator *g, struct random_stream *r, enum random_purpose purpose, uint32_t host);
/* Appends a flow with the entry's settings and the sender's next source port; false when the list is full. */
bool generator_add(struct generator *g, time_ps start, uint32_t src, uint32_t dst, uint64_t bytes);
bool generator_fail(const struct generator *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- loops (loops.c) ---- */

/* A gate at this host for n flows: `first` and each `step`-th after it. Returns its number. */
uint32_t generator_gate(struct generator *g, uint32_t host, uint32_t needs, span_ps delay, uint32_t first, uint32_t n,
                        uint32_t step);
/* The gates that a flow feeds when it has been received, or acknowledged. */
void generator_feed_received(struct generator *g, uint32_t flow, uint32_t gate);
void generator_feed_acked(struct generator *g, uint32_t flow, uint32_t gate);

/* A query: its two flows, and the gate of the server between them. */
struct query_plan {
    time_ps start; /* TIME_NONE: by a gate */
    uint32_t client, server;
    uint64_t bytes; /* of the response */
    uint8_t priority;
    uint32_t set; /* FLOW_NONE */
};
bool generator_query(struct generator *g, const struct query_plan *q, struct query *made);
uint32_t generator_set(struct generator *g); /* a new one */

/* Hands the loops over to the list, whose flows have been sorted: order[i] was the place of flow i. */
void loops_finish(struct generator *g, const uint32_t *order);
void loops_fini(struct loops *l);

/* Who asks and who answers. False after filling g->d: nobody is left. */
struct roles {
    uint32_t *client, *server;
    uint32_t n_clients, n_servers;
};
bool roles_init(struct roles *r, const struct workload_spec *spec, const struct population *p, struct diag *d);
void roles_fini(struct roles *r);
/* A random server other than this client. */
uint32_t role_draw_server(const struct roles *r, uint32_t client, struct random_stream *random);

/* Arrivals at the rates of a schedule (schedule.c): a Poisson process whose rate changes with the phases. */
struct schedule {
    const struct rate_phase *phase;
    uint32_t n;
    span_ps period;
};
/* False after filling *d: without phases, or without a rate above 0. */
bool schedule_init(struct schedule *s, const struct workload_spec *spec, struct diag *d);
/* The arrival after `at`, counted from the schedule's beginning; TIME_NONE: later than time goes. */
time_ps schedule_next(const struct schedule *s, time_ps at, struct random_stream *r);

/* Time in which an entry starts flows, until the run's end, or `stop` if it comes first and counts; 0 if it is over
 * before it begins. */
typedef uint128 flow_count;
static inline flow_count open_time(const struct workload_spec *spec, bool stops) {
    time_ps end = stops && spec->stop < spec->until ? spec->stop : spec->until;
    return end == TIME_NONE || end <= spec->start ? 0 : (flow_count)(end - spec->start);
}
static inline uint64_t count_limited(flow_count n) { return n > UINT64_MAX ? UINT64_MAX : (uint64_t)n; }
/* One flow from each host. */
uint64_t foresee_one_each(const struct workload_spec *spec, const struct population *p);

/* The trace's text instead of its file. */
bool trace_parse(struct generator *g, const char *text, size_t length, const char *file);

#endif
