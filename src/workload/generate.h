/* SPDX-License-Identifier: Apache-2.0 */
/* Shared parts of the flow generators. Private to workload.
 *
 * Each kind appends its flows to a list; workload_generate sorts the whole list. Every draw comes from a stream keyed
 * by the entry and, for a host's own draws, by the host. So another entry or another host does not change the draws of
 * the existing ones.
 */
#ifndef HEDDLE_WORKLOAD_GENERATE_H
#define HEDDLE_WORKLOAD_GENERATE_H

#include "workload/workload.h"

#define FIRST_DST_PORT 5001 /* destination port of entry 0; entry i has FIRST_DST_PORT + i */
#define FIRST_SRC_PORT 1024
#define N_SRC_PORTS (65536 - FIRST_SRC_PORT)

/* The hosts that take part, in groups; no member sends to a member of its own group. */
struct members {
    uint32_t *host;  /* sorted by (group, host) */
    uint32_t *group; /* per member: number of its group, which is a host, rack or pod number */
    uint32_t *first; /* per member: index in host[] of the first member of its group */
    uint32_t *count; /* per member: number of members of its group */
    uint32_t n;
};

/* The end of a flow at its receiver, or (acked) at its sender, and a gate that counts it. */
struct feeding {
    uint32_t flow, gate;
    bool acked;
};

/* A flow that starts at the end of a gate. */
struct starting {
    uint32_t gate, flow;
};

/* A gate, and another one of the same host that counts its begin or its end. */
struct following {
    uint32_t gate, next;
    bool on_begin;
};

/* Closed loops while they are made. They name a flow by its index in the list before it is sorted. */
struct loops {
    struct gate *gate;
    struct starting *starting;
    struct feeding *feeding;
    struct following *following;
    struct query *query;
    struct workload_job *job;
    uint32_t n_gates, n_startings, n_feedings, n_followings, n_queries, n_sets, n_jobs, n_processors;
    uint32_t gates_room, startings_room, feedings_room, followings_room, queries_room, jobs_room;
};

struct generator {
    const struct workload_spec *spec;
    const struct population *p;
    uint64_t seed;
    struct flow_list *list;
    uint32_t room;       /* flows for which list->flow has memory */
    uint32_t made;       /* flows that this entry has made so far */
    uint32_t *next_port; /* per host: its next source port, less FIRST_SRC_PORT; NULL before the entry's first flow */
    struct diag *d;
    struct loops loops;
};

/* Fills *m with the hosts that take part, grouped as `pairs` says. False after filling *d: fewer than two hosts,
 * unknown pods, a single group. */
bool members_init(struct members *m, const struct workload_spec *spec, const struct population *p, enum pairs pairs,
                  struct diag *d);
void members_fini(struct members *m);
/* Returns the pairs of bijection and random: inter-pod where pods have uplinks, else inter-rack. */
enum pairs pairs_apart(const struct population *p);
/* Returns one flag for each pod (for each rack in two tiers): whether it takes part. The caller frees it. NULL after
 * filling *d. */
bool *among_flags(const struct workload_spec *spec, const struct population *p, uint32_t *n, struct diag *d);
/* Returns the index of a random member outside the group of member i. */
uint32_t member_draw(const struct members *m, uint32_t i, struct random_stream *r);

/* Starts a stream of this entry: for one host, or with NODE_NONE for the entry as a whole. */
void generator_stream(const struct generator *g, struct random_stream *r, enum random_purpose purpose, uint32_t host);
/* Appends a flow with the entry's keys and the sender's next source port; false when the list is full. */
bool generator_add(struct generator *g, time_ps start, uint32_t src, uint32_t dst, uint64_t bytes);
bool generator_fail(const struct generator *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- closed loops (loops.c) ---- */

/* Adds a gate at this host that starts n flows: `first` and every `step`-th flow after it. Returns its number. */
uint32_t generator_gate(struct generator *g, uint32_t host, uint32_t needs, span_ps delay, uint32_t first, uint32_t n,
                        uint32_t step);
/* Makes a gate start one more flow, after the flows that it starts already. */
void generator_start(struct generator *g, uint32_t gate, uint32_t flow);
/* Make a gate count the end of a flow at its receiver, or at its sender; the gate's host is that one. A flow may feed
 * any number of gates. */
void generator_feed_received(struct generator *g, uint32_t flow, uint32_t gate);
void generator_feed_acked(struct generator *g, uint32_t flow, uint32_t gate);

/* Makes a gate count the begin of another one of its host, or its end. The caller adds one to gate.needs for each that it
 * is to wait for when it makes the gate. */
void generator_follow(struct generator *g, uint32_t gate, uint32_t next, bool on_begin);
/* Returns the number of a new processor, and makes gates wait for it (struct gate): all are of one host. */
uint32_t generator_processor(struct generator *g);
void generator_gate_on(struct generator *g, uint32_t gate, uint32_t processor);

/* A query to be made. */
struct query_plan {
    time_ps start; /* of the request; TIME_NONE: a gate starts it */
    uint32_t client, server;
    uint64_t bytes; /* response size */
    uint8_t priority;
    uint32_t set; /* FLOW_NONE: no set */
};
/* Appends the two flows of a query and the server's gate that starts the response; fills *made. False as
 * generator_add. */
bool generator_query(struct generator *g, const struct query_plan *q, struct query *made);
uint32_t generator_set(struct generator *g); /* returns the number of a new set */
/* Makes a flow one of a connection that is open from the start, stays open, and carries one flow after the other: the
 * number-th of those from its source to its destination, each with ports of its own. */
void generator_connection(const struct generator *g, uint32_t flow, uint32_t number);
/* Adds a job; the list owns what its pointers lead to from then on. */
void generator_job(struct generator *g, const struct workload_job *job);
void jobs_free(struct workload_job *job, uint32_t n);

/* Hands the loops over to the list, whose flows are sorted by now: flow i had index order[i] before. */
void loops_finish(struct generator *g, const uint32_t *order);
void loops_fini(struct loops *l);
/* Numbers the connections of the sorted list that carry several flows, one after the other (lines.c). */
void lines_finish(struct flow_list *list);

/* Clients and servers of an entry. roles_init returns false after filling *d: a client has no server. */
struct roles {
    uint32_t *client, *server;
    uint32_t n_clients, n_servers;
};
bool roles_init(struct roles *r, const struct workload_spec *spec, const struct population *p, struct diag *d);
void roles_fini(struct roles *r);
/* Returns a random server other than this client. */
uint32_t role_draw_server(const struct roles *r, uint32_t client, struct random_stream *random);

/* A Poisson process whose rate changes with the phases of a schedule (schedule.c). */
struct schedule {
    const struct rate_phase *phase;
    uint32_t n;
    span_ps period;
    uint128 expected; /* arrivals in a period, in the units of schedule_next; the largest number: more than any draw */
};
/* False after filling *d: no phases, no rate above 0, an empty phase, or phases of more than 26 days. */
bool schedule_init(struct schedule *s, const struct workload_spec *spec, struct diag *d);
/* Draws the arrival after `at`; both count from the start of the schedule. TIME_NONE: after more than 26 days. */
time_ps schedule_next(const struct schedule *s, time_ps at, struct random_stream *r);

/* Returns the time in which an entry starts flows: from its start to the run's end, or to `stop` if that is earlier and
 * `stops` is set. 0 if there is no such time or no end. */
typedef uint128 flow_count;
static inline flow_count open_time(const struct workload_spec *spec, bool stops) {
    time_ps end = stops && spec->stop < spec->until ? spec->stop : spec->until;
    return end == TIME_NONE || end <= spec->start ? 0 : (flow_count)(end - spec->start);
}
static inline uint64_t count_limited(flow_count n) { return n > UINT64_MAX ? UINT64_MAX : (uint64_t)n; }
/* For workload_ops.foresee: returns one flow per host. */
uint64_t foresee_one_each(const struct workload_spec *spec, const struct population *p);

/* Makes the flows of a trace from its text; `file` is its name in errors. */
bool trace_parse(struct generator *g, const char *text, size_t length, const char *file);
/* The same for a flow file of the HPCC simulator (trace_hpcc.c). */
bool trace_hpcc_parse(struct generator *g, const char *text, size_t length, const char *file);
/* Returns the number of flows that such a file says it has; 0: it does not. */
uint64_t trace_hpcc_foresee(const char *path);

#endif
