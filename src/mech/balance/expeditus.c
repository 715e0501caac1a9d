/* SPDX-License-Identifier: Apache-2.0 */
/* Expeditus: two-stage congestion-aware path selection by the switches alone.
 *
 * Paper: Wang et al., "Expeditus: Distributed Congestion-aware Load Balancing in Clos Data Center Networks", sections
 * 3.1 to 3.4; EXP-n are the numbered mechanisms of docs/mechanisms.md. A new flow's first packet carries the loads of its
 * ToR's uplinks to the destination ToR (Exp-request). That ToR picks the agg whose first and last hop are least loaded
 * and answers through it (Exp-response). The agg there adds the loads of its core links downwards. The agg of the same
 * number at the source picks the core. The source ToR learns the agg from the port at which the answer arrives.
 *
 * Where the paper is silent or contradicts itself:
 *
 *   - A settled entry is valid (Algorithm 1, line 22 prints 0; X-1). Requests never follow the table of an agg.
 *   - A selection that does not finish within the timeout is given up, so an idle flow gets a new chance.
 *   - Ties are broken at random. Loads are scaled by the multiplier before they are quantised (EXP-25, EXP-38).
 *   - Ports that are down, or that routing does not offer for the destination, read 7 and are no candidates (EXP-36).
 *     An entry that names such a port starts a new selection at a ToR and is ignored at an agg.
 *   - A flow of credits chooses the path for its data, which return on the credits' path. So its control packets carry
 *     loads of the other direction, and only credits select (CMB-1; the switch records the path,
 *     switch.record_path).
 *   - An Exp-response starts with a TTL of 64. Its TCP flags are the request's; it never leaves the switches.
 *   - carry: handshake moves the response onto the SYN-ACK, as the authors' simulator does (expeditus_handshake.c).
 *   - control_priority puts requests and responses into class 7 (the upper three bits of the DSCP). The lower three
 *     bits then hold the class of the request, which gets it back when its tag is removed. Their own former value is
 *     lost. All switches must agree on this parameter.
 *
 * Two changes of ours, off by default, are in docs/expeditus-extensions.md: core_loads (expeditus_loads.c) and
 * request_path.
 *
 * Ports: uplink i leads to agg i at every ToR of a pod, uplink j to core j at every agg of a plane (EXP-2), so a tag's
 * entry i is uplink i. In two tiers, and inside a pod, only the first stage is needed (EXP-39).
 *
 * Cost of a packet that finds its path: a hash, a cache line of the table, a cache line of the port.
 */
#include "mech/balance/expeditus.h"

/* ---- northbound, ToR: Algorithm 1, lines 2 to 10 ---- */

bool expeditus_offers(const struct expeditus *s, const struct balance_query *q, uint16_t port) {
    if (!s->port[port].up) return false;
    if (__builtin_expect(q->n_choices == s->n_uplinks, 1)) return port >= s->first_uplink; /* all uplinks are offered */
    for (uint16_t i = 0; i < q->n_choices; i++)
        if (q->choice[i] == port) return true;
    return false;
}

/* Returns the port of an Exp-request: by the hash of its flow, or the uplink with the lowest register
 * (request_path). */
static uint16_t expeditus_request_port(struct expeditus *s, const struct balance_query *q, uint64_t hash) {
    struct least best = {0};
    for (uint16_t i = 0; s->request_least_loaded && i < q->n_choices; i++) {
        struct port_view *v = &s->port[q->choice[i]];
        if (v->up) least_offer(&best, dre_egress(v, &s->dre, q->now), q->choice[i], &s->ties);
    }
    return best.ties ? (uint16_t)best.choice : q->choice[hash_pick(hash, q->n_choices)];
}

/* Frames that follow during the selection take the same port: the entry keeps it, or their hash picks it again. */
uint16_t expeditus_begin(struct expeditus *s, const struct balance_query *q, uint64_t hash) {
    uint16_t request_port = expeditus_request_port(s, q, hash);
    s->counters[SELECTIONS_BEGUN]++;
    struct path_entry *e = path_table_put(&s->table, hash_flow_key(hash), q->now);
    e->port = request_port;
    e->flags = PATH_EXISTS;
    return request_port;
}

void expeditus_request(struct expeditus *s, const struct balance_query *q, struct packet *p) {
    struct expeditus_tag *tag = expeditus_add_tag(s, p, (uint8_t)s->n_uplinks);
    for (uint16_t i = 0; i < s->n_uplinks; i++) tag->load[i] = DRE_MAX;
    bool far = expeditus_is_inter_pod(s, q);
    for (uint16_t i = 0; i < q->n_choices; i++)
        tag->load[q->choice[i] - s->first_uplink] = far ? expeditus_onward_far(s, p, q->choice[i], q->now)
                                                        : expeditus_onward(s, p, q->choice[i], q->now, false);
}

/* Makes p the Exp-request of its flow; returns the port by which it leaves. */
static uint16_t expeditus_select(struct expeditus *s, const struct balance_query *q, struct packet *p, uint64_t hash) {
    uint16_t port = expeditus_begin(s, q, hash);
    expeditus_request(s, q, p);
    return port;
}

static uint16_t expeditus_from_tor(struct expeditus *s, const struct balance_query *q, struct packet *p) {
    uint64_t hash = hash_flow(p, s->salt);
    uint32_t key = hash_flow_key(hash);
    struct path_entry *e;
    enum path_verdict verdict = path_table_lookup(&s->table, key, q->now, &e);
    if (__builtin_expect(verdict == PATH_FORWARD, 1)) {
        s->counters[PST_COLLISIONS] += path_entry_is_shared(e, key);
        if (__builtin_expect(expeditus_offers(s, q, e->port), 1)) {
            s->counters[PST_HITS]++;
            return e->port;
        }
        s->counters[PST_DEAD_PATHS]++;
        return expeditus_select(s, q, p, hash);
    }
    if (verdict == PATH_WAIT) {
        s->counters[PST_COLLISIONS] += path_entry_is_shared(e, key);
        s->counters[ECMP_WHILE_SELECTING]++;
        return s->request_least_loaded && expeditus_offers(s, q, e->port) ? e->port
                                                                          : q->choice[hash_pick(hash, q->n_choices)];
    }
    s->counters[PST_MISSES]++;
    return expeditus_select(s, q, p, hash);
}

/* ---- southbound, ToR: Algorithm 1, lines 11 to 23 ---- */

uint16_t expeditus_down(const struct expeditus *s, const struct balance_query *q, const struct packet *p) {
    if (q->n_choices == 1) return q->choice[0];
    return q->choice[hash_pick(hash_flow(p, s->salt), q->n_choices)];
}

struct least expeditus_choose_agg(struct expeditus *s, const struct balance_query *q, const struct packet *p) {
    const struct expeditus_tag *tag = expeditus_tag(s, p);
    struct least best = {0};
    const uint16_t *hop;
    uint16_t n = fib_hops(&s->fib, s->place->node, q->src_leaf, q->now, &hop);
    bool far = expeditus_is_inter_pod(s, q);
    for (uint16_t i = 0; i < n; i++) {
        uint32_t uplink = (uint32_t)hop[i] - s->first_uplink;
        if (uplink >= tag->entries || !s->port[hop[i]].up) continue;
        uint8_t load =
            far ? expeditus_homeward_far(s, p, hop[i], q->now) : expeditus_homeward(s, p, hop[i], q->now, false);
        least_offer(&best, max_i64(load, tag->load[uplink]), hop[i], &s->ties);
    }
    return best;
}

static uint16_t expeditus_on_request(struct expeditus *s, const struct balance_query *q, struct packet *p,
                                     struct balance_out *out) {
    s->counters[REQUESTS_SEEN]++;
    struct least best = expeditus_choose_agg(s, q, p);
    if (best.ties) {
        s->counters[RESPONSES_SENT]++;
        out->emit = expeditus_answer(s, p);
        out->emit_port = (uint16_t)best.choice;
    }
    expeditus_strip_tag(s, p);
    return expeditus_down(s, q, p);
}

/* Handles an Exp-response at the source ToR: the agg of the path is the one that the answer came from (EXP-30). */
static uint16_t expeditus_on_response(struct expeditus *s, const struct balance_query *q, const struct packet *p) {
    struct path_entry *e;
    uint32_t key = hash_flow_key(hash_flow_answered(p, s->salt));
    if (path_table_lookup(&s->table, key, q->now, &e) == PATH_NEW || q->in_port < s->first_uplink) {
        s->counters[ORPHAN_RESPONSES]++;
        return BALANCE_CONSUME;
    }
    s->counters[SELECTIONS_COMPLETED] += !(e->flags & PATH_PSS);
    e->port = q->in_port;
    e->flags = PATH_SETTLED;
    return BALANCE_CONSUME;
}

/* ---- agg: Algorithm 2 ---- */

static uint16_t expeditus_from_agg(struct expeditus *s, const struct balance_query *q, struct packet *p,
                                   struct balance_out *out) {
    uint64_t hash = hash_flow(p, s->salt);
    bool tagged = p->shape & SHAPE_EXPEDITUS;
    if (s->core_loads) expeditus_report(s, q->now, out);
    if (tagged && expeditus_tag(s, p)->stage == STAGE_RESPONSE) expeditus_add_ingress(s, q->now, p);
    if (!tagged || expeditus_tag(s, p)->stage == STAGE_RESPONSE) {
        struct path_entry *e;
        uint32_t key = hash_flow_key(hash);
        if (path_table_lookup(&s->table, key, q->now, &e) == PATH_FORWARD && expeditus_offers(s, q, e->port)) {
            s->counters[PST_COLLISIONS] += path_entry_is_shared(e, key);
            s->counters[PST_HITS]++;
            return e->port;
        }
        return q->choice[hash_pick(hash, q->n_choices)];
    }
    return expeditus_request_port(s, q, hash);
}

struct least expeditus_choose_back(struct expeditus *s, const struct balance_query *q, const struct packet *p) {
    const struct expeditus_tag *tag = expeditus_tag(s, p);
    struct least best = {0};
    const uint16_t *hop;
    uint16_t n = fib_hops(&s->fib, s->place->node, q->src_leaf, q->now, &hop);
    for (uint16_t i = 0; i < n; i++) {
        uint32_t uplink = (uint32_t)hop[i] - s->first_uplink;
        if (uplink >= tag->entries || !s->port[hop[i]].up) continue;
        uint8_t load = expeditus_onward(s, p, hop[i], q->now, false);
        least_offer(&best, max_i64(load, tag->load[uplink]), hop[i], &s->ties);
    }
    return best;
}

void expeditus_settle(struct expeditus *s, uint32_t key, uint16_t port, time_ps now) {
    struct path_entry *e = path_table_put(&s->table, key, now);
    e->port = port;
    e->flags = PATH_SETTLED;
}

/* Second stage: enters the core whose second and third hop are least loaded. A repeated SYN-ACK does not move its flow
 * (carry: handshake). */
static void expeditus_choose_core(struct expeditus *s, const struct balance_query *q, const struct packet *p) {
    struct path_entry *e;
    uint64_t hash = s->handshake ? hash_flow_reversed(p, s->salt) : hash_flow_answered(p, s->salt);
    uint32_t key = hash_flow_key(hash);
    if (s->handshake && path_table_lookup(&s->table, key, q->now, &e) == PATH_FORWARD && s->port[e->port].up) return;
    struct least best = expeditus_choose_back(s, q, p);
    if (!best.ties) return;
    s->counters[AGG_ENTRIES]++;
    expeditus_settle(s, key, (uint16_t)best.choice, q->now);
}

/* ---- the table ---- */

/* In two tiers and inside a pod a response on a SYN-ACK has entries at once, but there is no core to choose. */
static bool expeditus_has_second_stage(const struct expeditus *s, const struct balance_query *q) {
    return s->place->tier == TIER_AGG && (!s->handshake || expeditus_is_inter_pod(s, q));
}

static uint16_t expeditus_tagged_down(struct expeditus *s, const struct balance_query *q, struct packet *p,
                                      struct balance_out *out) {
    const struct expeditus_tag *tag = expeditus_tag(s, p);
    if (s->is_tor && s->handshake) return expeditus_handshake_down(s, q, p);
    if (s->is_tor)
        return tag->stage == STAGE_REQUEST ? expeditus_on_request(s, q, p, out) : expeditus_on_response(s, q, p);
    if (tag->stage == STAGE_RESPONSE && tag->entries && expeditus_has_second_stage(s, q))
        expeditus_choose_core(s, q, p);
    return expeditus_down(s, q, p);
}

static uint16_t expeditus_route(void *state, const struct balance_query *q, struct packet *p, struct balance_out *out) {
    struct expeditus *s = state;
    bool tagged = p->shape & SHAPE_EXPEDITUS;
    if (q->northbound) {
        bool selects = p->proto != PROTO_CREDIT || p->shape & SHAPE_CREDIT;
        if (s->is_tor && !tagged && s->handshake) return expeditus_handshake_up(s, q, p);
        if (s->is_tor && !tagged && selects) return expeditus_from_tor(s, q, p);
        if (!s->is_tor) return expeditus_from_agg(s, q, p, out);
        return q->choice[hash_pick(hash_flow(p, s->salt), q->n_choices)]; /* transit: ToRs may be neighbours */
    }
    if (p->shape & SHAPE_CORE_LOADS && s->is_tor && q->in_port >= s->first_uplink) {
        if (s->core_loads) expeditus_hear(s, q->in_port, q->now, p);
        return BALANCE_CONSUME;
    }
    return tagged ? expeditus_tagged_down(s, q, p, out) : expeditus_down(s, q, p);
}

static bool expeditus_fits(uint8_t tiers, uint16_t max_uplinks, const int64_t *params, struct diag *d) {
    (void)tiers;
    (void)params;
    if (max_uplinks <= TAG_MAX_ENTRIES) return true;
    return diag_say(d, "expeditus: a switch has %u uplinks, its tag holds %d; use fewer, or balance: ecmp",
                    (unsigned)max_uplinks, TAG_MAX_ENTRIES);
}

static size_t expeditus_state_size(const struct balance_env *env) {
    size_t reports = env->params[PARAM_CORE_LOADS] ? env->place->n_ports : 0;
    return sizeof(struct expeditus) + reports * sizeof(struct core_report);
}

static void expeditus_init(void *state, const struct balance_env *env) {
    struct expeditus *s = state;
    const struct place *place = env->place;
    s->place = place;
    s->port = env->port;
    s->pool = env->pool;
    s->counters = env->counters;
    s->first_uplink = place->first_uplink;
    s->n_uplinks = (uint16_t)(place->n_ports - place->first_uplink);
    s->is_tor = place->tier == TIER_LEAF;
    s->multipliers = env->params[PARAM_MULTIPLIERS];
    s->control_priority = env->params[PARAM_CONTROL_PRIORITY];
    s->core_loads = env->params[PARAM_CORE_LOADS];
    s->request_least_loaded = env->params[PARAM_REQUEST_PATH] == REQUEST_LEAST_LOADED;
    s->handshake = env->params[PARAM_CARRY] == CARRY_HANDSHAKE;
    s->host_bits = env->host_bits;
    s->dre = dre_params_make(env->params[PARAM_DRE_PERIOD], env->params[PARAM_DRE_ALPHA]);
    s->report_period = env->params[PARAM_CORE_LOADS_PERIOD];
    s->report_life = 2 * (s->dre.full_ps + s->report_period);
    s->fib.paths = env->paths;
    s->salt = hash_salt_switch(env->seed, place->node);
    random_init(&s->ties, env->seed, RANDOM_BALANCE, place->node);
    path_table_init(&s->table, env->params[PARAM_PST_TIMEOUT], (enum path_age)env->params[PARAM_AGE], env->flat_tables,
                    &s->counters[SELECTIONS_LOST]);
}

static void expeditus_fini(void *state) { path_table_fini(&((struct expeditus *)state)->table); }

static uint64_t expeditus_memory(const void *state) {
    return path_table_bytes(&((const struct expeditus *)state)->table);
}

static uint64_t expeditus_foreseen(const struct balance_env *env, const struct balance_crowd *crowd) {
    return path_table_foreseen(env->params[PARAM_PST_TIMEOUT], crowd);
}

/* Writes the tables "paths", and "loads" of the uplinks as selections read them: levels, and the reports of the aggs
 * behind. */
static void expeditus_tables(const void *state, time_ps now, const struct balance_rows *rows) {
    const struct expeditus *s = state;
    const struct packet data = {.proto = PROTO_TCP};
    path_table_rows(&s->table, now, rows);
    for (uint16_t i = 0; i < s->n_uplinks; i++) {
        uint16_t port = (uint16_t)(s->first_uplink + i);
        const struct balance_cell cell[] = {{"port", port},
                                            {"egress", expeditus_onward(s, &data, port, now, false)},
                                            {"ingress", expeditus_homeward(s, &data, port, now, false)},
                                            {"core_egress", s->core_loads ? s->report[port].egress : 0},
                                            {"core_ingress", s->core_loads ? s->report[port].ingress : 0}};
        rows->row(rows->to, "loads", cell, sizeof cell / sizeof *cell);
    }
}

/* Condition under which some flow selects a path, and why none does otherwise. */
#define SELECTS "carry=response @syn"
#define SELECTS_NOT "no flow selects a path: carry is handshake, and no transport in use has a SYN"

static const struct param expeditus_params[] = {
    [PARAM_DRE_PERIOD] = {"dre_period", PARAM_TIME, 20 * PS_PER_US, PS_PER_US, 100 * PS_PER_MS, NULL,
                          "interval at which the load registers decay", "Expeditus 3.1 (T_dre)"},
    [PARAM_DRE_ALPHA] = {"dre_alpha", PARAM_FRACTION, PPB / 10, PPB / 100, PPB, NULL,
                         "share by which they decay each interval", "Expeditus 3.1"},
    [PARAM_PST_TIMEOUT] = {"pst_timeout", PARAM_TIME, 100 * PS_PER_MS, 10 * PS_PER_US, 3600 * PS_PER_S, NULL,
                           "a flow idle for so long is given a new path; 500us makes flowlets", "Expeditus 3.2, 3.4"},
    [PARAM_AGE] = {"age", PARAM_CHOICE, PATH_AGE_EXACT, PATH_AGE_EXACT, PATH_AGE_ONE_BIT, "exact|one-bit",
                   "one-bit: one bit an entry and one timer, expires between one and two timeouts", "Expeditus 3.2"},
    [PARAM_MULTIPLIERS] = {"multipliers", PARAM_BOOL, 1, 0, 1, NULL,
                           "scale uplink loads by the capacity that failures took from the agg behind", "Expeditus 3.3",
                           .needs = SELECTS, .lacks = SELECTS_NOT},
    [PARAM_CONTROL_PRIORITY] = {"control_priority", PARAM_BOOL, 0, 0, 1, NULL,
                                "send requests and responses in the top class", "Expeditus 3.4",
                                .needs = "switch.classes>1", .lacks = "ports have one class (switch.classes)",
                                .needs_too = SELECTS, .lacks_too = SELECTS_NOT},
    [PARAM_CORE_LOADS] = {"core_loads", PARAM_BOOL, 0, 0, 1, NULL,
                          "aggs report the load of their best core link to their ToRs, whose first stage for inter-pod "
                          "flows includes it; docs/expeditus-extensions.md",
                          "ours", .needs = "fabric.core_rate fabric.path", .lacks = "the fabric has no cores"},
    [PARAM_CORE_LOADS_PERIOD] = {"core_loads_period", PARAM_TIME, 20 * PS_PER_US, PS_PER_US, 100 * PS_PER_MS, NULL,
                                 "least interval between reports of an agg to a ToR", "ours", .needs = "core_loads",
                                 .lacks = "aggs report nothing (core_loads)"},
    [PARAM_REQUEST_PATH] = {"request_path", PARAM_CHOICE, REQUEST_HASH, REQUEST_HASH, REQUEST_LEAST_LOADED,
                            "hash|least-loaded",
                            "uplink of a request: by its flow's hash, or the uplink with the lowest load there; "
                            "docs/expeditus-extensions.md",
                            "ours", .needs = SELECTS, .lacks = SELECTS_NOT},
    [PARAM_CARRY] = {"carry", PARAM_CHOICE, CARRY_RESPONSE, CARRY_RESPONSE, CARRY_HANDSHAKE, "response|handshake",
                     "what carries the answer of the destination ToR: a packet of its own, or the SYN-ACK. handshake: "
                     "flows that begin without a SYN, and the opposite direction of a connection, select no path",
                     "Expeditus 3.2; handshake: its authors' simulator"},
};

static const struct counter expeditus_counters[] = {
    [PST_HITS] = {"pst_hits", "packets that followed the path table of a ToR or agg"},
    [PST_MISSES] = {"pst_misses", "packets at their first ToR without a live entry"},
    [PST_COLLISIONS] = {"pst_collisions", "packets that found an entry made by another flow"},
    [PST_DEAD_PATHS] = {"pst_dead_paths", "packets at their first ToR whose path routing has withdrawn"},
    [ECMP_WHILE_SELECTING] = {"ecmp_while_selecting", "packets sent by ECMP during their flow's selection"},
    [SELECTIONS_BEGUN] = {"selections_begun", "Exp-requests sent; carry handshake: SYNs that begin a selection"},
    [SELECTIONS_COMPLETED] = {"selections_completed", "selections whose Exp-response came back in time"},
    [SELECTIONS_LOST] = {"selections_lost", "selections given up at the timeout"},
    [REQUESTS_SEEN] = {"requests_seen", "Exp-requests that reached the destination ToR"},
    [RESPONSES_SENT] = {"responses_sent", "Exp-responses sent; carry handshake: SYN-ACKs that carry one"},
    [ORPHAN_RESPONSES] = {"orphan_responses", "Exp-responses that found no entry"},
    [AGG_ENTRIES] = {"agg_entries", "cores chosen by an agg"},
    [CORE_REPORTS_SENT] = {"core_reports_sent", "reports of core loads that aggs sent"},
    [CORE_REPORTS_HEARD] = {"core_reports_heard", "reports of core loads that reached their ToR"},
};

const struct balancer_ops balance_expeditus = {
    .name = "expeditus",
    .paper = "Wang et al., Expeditus, 2016",
    .doc = "congestion-aware choice of each flow's path by the switches, in one round trip",
    .params = expeditus_params,
    .n_params = sizeof expeditus_params / sizeof *expeditus_params,
    .counters = expeditus_counters,
    .n_counters = sizeof expeditus_counters / sizeof *expeditus_counters,
    .sees_northbound = true,
    .wants_loads = true,
    .dre_period_param = PARAM_DRE_PERIOD,
    .dre_alpha_param = PARAM_DRE_ALPHA,
    .can_need_syn = true,
    .syn_param = PARAM_CARRY,
    .syn_value = CARRY_HANDSHAKE,
    .moves_flows = true,
    .fits = expeditus_fits,
    .state_size = expeditus_state_size,
    .init = expeditus_init,
    .fini = expeditus_fini,
    .route = expeditus_route,
    .memory_bytes = expeditus_memory,
    .memory_foreseen = expeditus_foreseen,
    .tables = expeditus_tables,
};
