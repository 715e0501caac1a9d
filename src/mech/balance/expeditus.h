/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of Expeditus; expeditus.c describes the protocol and its deviations:
 *
 *   expeditus.c            the protocol: routes, requests, responses, the table
 *   expeditus_handshake.c  the ToR's part of the protocol if the response rides on the SYN-ACK (carry: handshake)
 *   expeditus_loads.c      loads of uplinks, and what aggs tell their ToRs of the links to the cores (core_loads)
 *   expeditus_tags.c       tags put on frames and taken off them, Exp-responses
 *
 * The state belongs to one switch; its `report` array lies behind it, one entry a port.
 */
#ifndef HEDDLE_MECH_EXPEDITUS_H
#define HEDDLE_MECH_EXPEDITUS_H

#include "mech/balance/balance.h"
#include "mech/balance/dre.h"
#include "mech/balance/fib.h"
#include "mech/balance/hash.h"
#include "mech/balance/least.h"
#include "mech/balance/path_table.h"

enum {
    PARAM_DRE_PERIOD,
    PARAM_DRE_ALPHA,
    PARAM_PST_TIMEOUT,
    PARAM_AGE,
    PARAM_MULTIPLIERS,
    PARAM_CONTROL_PRIORITY,
    PARAM_CORE_LOADS,
    PARAM_CORE_LOADS_PERIOD,
    PARAM_REQUEST_PATH,
    PARAM_CARRY,
};

enum {
    PST_HITS,
    PST_MISSES,
    PST_COLLISIONS,
    PST_DEAD_PATHS,
    ECMP_WHILE_SELECTING,
    SELECTIONS_BEGUN,
    SELECTIONS_COMPLETED,
    SELECTIONS_LOST,
    REQUESTS_SEEN,
    RESPONSES_SENT,
    ORPHAN_RESPONSES,
    AGG_ENTRIES,
    CORE_REPORTS_SENT,
    CORE_REPORTS_HEARD,
};

enum { STAGE_REQUEST = 0, STAGE_RESPONSE = 1 }; /* SF of the tag (EXP-20) */

enum request_path { REQUEST_HASH, REQUEST_LEAST_LOADED };
enum carry { CARRY_RESPONSE, CARRY_HANDSHAKE };

#define TAG_CLASS_TOP 7u

/* Loads of the links between an agg and its cores. At an agg: the report it last sent to the ToR behind a port. At a
 * ToR: the last report of the agg behind a port. A zeroed entry means that the links are idle. */
struct core_report {
    time_ps at;
    uint8_t egress, ingress; /* levels of the least loaded link */
};

struct expeditus {
    struct path_table table;
    struct port_view *port;
    uint64_t *counters;
    uint64_t salt;
    uint16_t first_uplink, n_uplinks;
    bool is_tor;
    bool multipliers, control_priority, core_loads, request_least_loaded;
    bool handshake; /* carry: handshake */
    struct dre_params dre;
    struct fib fib;
    struct random_stream ties;
    const struct place *place;
    struct packet_pool *pool;
    span_ps report_period;
    span_ps report_life;  /* a ToR treats links as idle if the report is older */
    time_ps next_round;   /* agg: when the next round of reports begins */
    uint16_t report_turn; /* agg: the first downlink that this round has not checked yet */
    uint8_t host_bits;
    struct core_report round;    /* agg: the report of this round */
    struct core_report report[]; /* [place->n_ports]; absent without core_loads */
};

/* Returns whether the packet's racks lie in different pods, so that its paths cross a core. */
bool expeditus_is_inter_pod(const struct expeditus *s, const struct balance_query *q);

/* Return the level of an uplink in the direction of the flow's data, and in the opposite one. For a flow of credits,
 * data flow opposite to its control packets. `scaled`: by the link load multiplier (EXP-38). */
uint8_t expeditus_onward(const struct expeditus *s, const struct packet *p, uint16_t port, time_ps now, bool scaled);
uint8_t expeditus_homeward(const struct expeditus *s, const struct packet *p, uint16_t port, time_ps now, bool scaled);

/* Return both levels at a ToR, for the first stage of an inter-pod flow: the larger of the uplink's level and the level of
 * the best core link behind it, as last reported by its agg (core_loads). */
uint8_t expeditus_onward_far(const struct expeditus *s, const struct packet *p, uint16_t port, time_ps now);
uint8_t expeditus_homeward_far(const struct expeditus *s, const struct packet *p, uint16_t port, time_ps now);

/* Agg, on a northbound frame: puts a report into *out if one is due to a ToR. At most one per frame. */
void expeditus_report(struct expeditus *s, time_ps now, struct balance_out *out);
/* ToR: stores report p that arrived on uplink `port`. */
void expeditus_hear(struct expeditus *s, uint16_t port, time_ps now, const struct packet *p);

/* ---- expeditus.c ---- */

/* Returns whether the port is up and among the next hops of the query. */
bool expeditus_offers(const struct expeditus *s, const struct balance_query *q, uint16_t port);
/* Enters the flow with this hash as one that is selecting; returns the port of its Exp-request. */
uint16_t expeditus_begin(struct expeditus *s, const struct balance_query *q, uint64_t hash);
/* Tags p with the levels of the uplinks that are offered (EXP-23). */
void expeditus_request(struct expeditus *s, const struct balance_query *q, struct packet *p);
/* First stage: returns the uplink whose first and last hop are least loaded (EXP-25); ties = 0: none. */
struct least expeditus_choose_agg(struct expeditus *s, const struct balance_query *q, const struct packet *p);
/* Returns the uplink towards the rack that p comes from with the least maximum of its level and the tag's entry: the
 * second stage at an agg (EXP-29), or the only stage at a source ToR (carry: handshake). ties = 0: none. */
struct least expeditus_choose_back(struct expeditus *s, const struct balance_query *q, const struct packet *p);
/* Returns the port downwards. There is one next hop, unless links are parallel. */
uint16_t expeditus_down(const struct expeditus *s, const struct balance_query *q, const struct packet *p);
/* Enters port as the settled path of the flow with this key. */
void expeditus_settle(struct expeditus *s, uint32_t key, uint16_t port, time_ps now);

/* ---- expeditus_handshake.c: a ToR, with carry: handshake ---- */

/* Handles a frame without a tag that goes up; tags a SYN or SYN-ACK. Returns its port. */
uint16_t expeditus_handshake_up(struct expeditus *s, const struct balance_query *q, struct packet *p);
/* Handles a tagged frame that goes down, and removes its tag. Returns its port. */
uint16_t expeditus_handshake_down(struct expeditus *s, const struct balance_query *q, struct packet *p);

/* ---- expeditus_tags.c ---- */

struct expeditus_tag *expeditus_tag(const struct expeditus *s, const struct packet *p);
/* Tags p: stage 0, and room for `entries` loads, which the caller fills. */
struct expeditus_tag *expeditus_add_tag(const struct expeditus *s, struct packet *p, uint8_t entries);
void expeditus_strip_tag(const struct expeditus *s, struct packet *p);
/* Fills a response with the levels of this switch's uplinks from the side where data arrive: at an agg those of the
 * third hop (EXP-28). */
void expeditus_add_ingress(const struct expeditus *s, time_ps now, struct packet *p);
/* Returns a new frame, the Exp-response to request p: its headers with the addresses swapped, no payload (EXP-26). */
uint32_t expeditus_answer(const struct expeditus *s, const struct packet *p);
/* Moves a control packet into the top class (control_priority). */
void expeditus_promote(const struct expeditus *s, struct packet *p);

#endif
