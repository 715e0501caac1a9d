/* SPDX-License-Identifier: Apache-2.0 */
/* CONGA-Flow: CONGA (Alizadeh et al., SIGCOMM 2014) deciding once per flow instead of per flowlet (EXP-43).
 *
 * Two tiers only. Every frame between leaves carries LBTag, the source leaf's uplink, and CE, the largest load of the
 * links it has crossed. The destination leaf keeps CE per source leaf and LBTag (congestion-from-leaf). It feeds one
 * such metric back on each frame in the other direction: in turn, but metrics that changed since they were last fed
 * back go first. The source leaf keeps this feedback per destination leaf and uplink (congestion-to-leaf). A new flow
 * takes the uplink with the least max(its own load here, its metric to that leaf); among equals the one it had before,
 * else one at random.
 *
 * Where the paper is silent:
 *
 *   - A metric not updated for metric_age loses a level each metric_age / 8 from then on, so it is 0 after twice that.
 *     Both tables age: otherwise a stale metric would count as fresh once it is fed back.
 *   - CE includes the source leaf's own uplink ("as it traverses each link").
 *   - flow_timeout is Expeditus' (100 ms), so that the two differ in their information and not in the definition of a
 *     flow; CONGA's own evaluation used 13 ms for CONGA-Flow.
 *   - Flows are told apart by a 16-bit id, as in Expeditus' path table. A flow whose uplink routing withdraws
 *     chooses anew.
 *
 * reading: expeditus-code does what the simulator of Expeditus' authors does (2016-SoCC-Expeditus, hash-routing.cc), the
 * comparison scheme behind Figures 18 and 19 of their paper. It is no reading of CONGA's paper:
 *
 *   - The spine compares in the wrong brackets and changes a copy of the header, so its load never enters CE. CE is the
 *     load of the source leaf's uplink alone.
 *   - A new flow takes the uplink with the least fed-back metric. The leaf's own load does not count, except as it comes
 *     back by feedback. Uplinks that no feedback has named count as idle.
 *   - Feedback goes through the uplinks in plain turn, and names unknown metrics as 0.
 *   - A metric not updated for metric_age is 0 at once.
 *   - A flow whose entry has timed out has no preference for its former uplink.
 *
 * Memory: 16 B x 2 x 16 for each leaf of the fabric, at each leaf. Cost: per frame one path lookup, two load reads, a
 * scan of the 16 metrics of one leaf.
 */
#include "base/memory.h"
#include "mech/balance/balance.h"
#include "mech/balance/dre.h"
#include "mech/balance/hash.h"
#include "mech/balance/least.h"
#include "mech/balance/path_table.h"
#include "wire/conga_overlay.h"
#include "wire/frame_size.h"

#include <stdlib.h>

enum { PARAM_DRE_PERIOD, PARAM_DRE_ALPHA, PARAM_FLOW_TIMEOUT, PARAM_METRIC_AGE, PARAM_READING };
enum { FLOW_HITS, FLOWS_CHOSEN, FLOW_COLLISIONS, FLOW_DEAD_PATHS, FEEDBACK_SENT, FEEDBACK_RECEIVED };

enum conga_reading { READING_PAPER, READING_EXPEDITUS_CODE };

#define CONGA_TAGS 16 /* LBTag has 4 bits */
#define NEVER_FED 0xff

struct conga_metric {
    time_ps updated;
    uint8_t level;
    uint8_t fed; /* from-leaf: level when it was last fed back */
    bool known;
};

struct conga {
    struct path_table table;
    struct port_view *port;
    uint64_t *counters;
    uint64_t salt;
    uint32_t n_leaves;
    uint16_t first_uplink, n_uplinks;
    bool is_leaf;
    bool as_coded; /* reading: expeditus-code */
    struct dre_params dre;
    span_ps metric_age;
    struct conga_metric *to;   /* [leaf][uplink here] */
    struct conga_metric *from; /* [leaf][uplink there] */
    uint8_t *turn;             /* [leaf]: the metric last fed back */
    struct random_stream ties;
};

/* ---- metrics ---- */

/* Returns the level at now; stale levels fade (CONGA 3.3, metric aging). */
static uint8_t conga_level(const struct conga *s, const struct conga_metric *m, time_ps now) {
    span_ps stale = now - m->updated - s->metric_age;
    if (stale < 0) return m->level;
    if (s->as_coded) return stale > 0 ? 0 : m->level;
    int64_t fade = 1 + stale / (s->metric_age / DRE_LEVELS);
    return fade >= m->level ? 0 : (uint8_t)(m->level - fade);
}

static void conga_store(struct conga_metric *m, uint8_t level, time_ps now) {
    if (!m->known) *m = (struct conga_metric){.known = true, .fed = NEVER_FED};
    m->updated = now;
    m->level = level;
}

static uint8_t conga_egress(const struct conga *s, uint16_t port, time_ps now) {
    return dre_quantize(dre_egress(&s->port[port], &s->dre, now), s->dre.full_ps);
}

/* Returns the metric from `leaf` that is fed back next, or -1. */
static int conga_next_feedback(const struct conga *s, uint32_t leaf, time_ps now) {
    const struct conga_metric *from = &s->from[leaf * CONGA_TAGS];
    int unchanged = -1;
    if (s->as_coded) return (s->turn[leaf] + 1) % s->n_uplinks;
    for (int i = 1; i <= CONGA_TAGS; i++) {
        int tag = (s->turn[leaf] + i) % CONGA_TAGS;
        if (!from[tag].known) continue;
        if (conga_level(s, &from[tag], now) != from[tag].fed) return tag;
        if (unchanged < 0) unchanged = tag;
    }
    return unchanged;
}

/* ---- leaf, towards the spines ---- */

static bool conga_offers(const struct conga *s, const struct balance_query *q, uint16_t port) {
    if (!s->port[port].up) return false;
    for (uint16_t i = 0; i < q->n_choices; i++)
        if (q->choice[i] == port) return true;
    return false;
}

/* Returns the uplink for a new flow. `cached`: the uplink that the flow had, or PORT_NONE. */
static uint16_t conga_choose(struct conga *s, const struct balance_query *q, uint64_t hash, uint16_t cached) {
    const struct conga_metric *to = &s->to[q->dst_leaf * CONGA_TAGS];
    struct least best = {0};
    int64_t of_cached = INT64_MAX;
    for (uint16_t i = 0; i < q->n_choices; i++) {
        uint16_t port = q->choice[i];
        if (!s->port[port].up) continue;
        int64_t load = conga_level(s, &to[port - s->first_uplink], q->now);
        if (!s->as_coded) load = max_i64(load, conga_egress(s, port, q->now));
        if (port == cached && !s->as_coded) of_cached = load;
        least_offer(&best, load, port, &s->ties);
    }
    if (!best.ties) return q->choice[hash_pick(hash, q->n_choices)];
    return of_cached == best.load ? cached : (uint16_t)best.choice;
}

static uint16_t conga_uplink(struct conga *s, const struct balance_query *q, const struct packet *p) {
    uint64_t hash = hash_flow(p, s->salt);
    uint32_t key = hash_flow_key(hash);
    struct path_entry *e;
    if (path_table_lookup(&s->table, key, q->now, &e) == PATH_FORWARD) {
        s->counters[FLOW_COLLISIONS] += path_entry_is_shared(e, key);
        if (conga_offers(s, q, e->port)) {
            s->counters[FLOW_HITS]++;
            return e->port;
        }
        s->counters[FLOW_DEAD_PATHS]++;
    }
    s->counters[FLOWS_CHOSEN]++;
    uint16_t port = conga_choose(s, q, hash, e ? e->port : PORT_NONE);
    e = path_table_put(&s->table, key, q->now);
    e->port = port;
    e->flags = PATH_SETTLED;
    return port;
}

static uint16_t conga_send(struct conga *s, const struct balance_query *q, struct packet *p) {
    uint16_t port = conga_uplink(s, q, p);
    struct conga_overlay overlay = {.lbtag = (uint8_t)(port - s->first_uplink), .ce = conga_egress(s, port, q->now)};
    int tag = conga_next_feedback(s, q->dst_leaf, q->now);
    if (tag >= 0) {
        struct conga_metric *m = &s->from[q->dst_leaf * CONGA_TAGS + (uint32_t)tag];
        m->fed = conga_level(s, m, q->now);
        s->turn[q->dst_leaf] = (uint8_t)tag;
        s->counters[FEEDBACK_SENT]++;
        overlay.fb_valid = true;
        overlay.fb_lbtag = (uint8_t)tag;
        overlay.fb_metric = m->fed;
    }
    p->overlay = conga_overlay_pack(overlay);
    uint32_t before = packet_tag_bytes(p->shape, 0);
    p->shape |= SHAPE_CONGA;
    packet_retag(p, before, packet_tag_bytes(p->shape, 0));
    return port;
}

/* ---- leaf, from the spines ---- */

static void conga_learn(struct conga *s, const struct balance_query *q, struct conga_overlay o) {
    if (q->src_leaf >= s->n_leaves) return;
    conga_store(&s->from[q->src_leaf * CONGA_TAGS + o.lbtag], o.ce, q->now);
    if (!o.fb_valid) return;
    s->counters[FEEDBACK_RECEIVED]++;
    conga_store(&s->to[q->src_leaf * CONGA_TAGS + o.fb_lbtag], o.fb_metric, q->now);
}

static void conga_receive(struct conga *s, const struct balance_query *q, struct packet *p) {
    conga_learn(s, q, conga_overlay_unpack(p->overlay));
    uint32_t before = packet_tag_bytes(p->shape, 0);
    p->shape &= (uint8_t)~SHAPE_CONGA;
    p->overlay = 0;
    packet_retag(p, before, packet_tag_bytes(p->shape, 0));
}

static uint16_t conga_route(void *state, const struct balance_query *q, struct packet *p, struct balance_out *out) {
    struct conga *s = state;
    (void)out;
    if (s->is_leaf && q->northbound) return conga_send(s, q, p);
    uint16_t port = q->n_choices == 1 ? q->choice[0] : q->choice[hash_pick(hash_flow(p, s->salt), q->n_choices)];
    if (!(p->shape & SHAPE_CONGA)) return port;
    if (s->is_leaf)
        conga_receive(s, q, p);
    else if (!s->as_coded)
        p->overlay = conga_with_ce(p->overlay, (uint8_t)max_i64(conga_ce(p->overlay), conga_egress(s, port, q->now)));
    return port;
}

/* ---- the table ---- */

static bool conga_fits(uint8_t tiers, uint16_t max_uplinks, const int64_t *params, struct diag *d) {
    (void)params;
    if (tiers != 2)
        return diag_say(d,
                        "conga-flow works in fabrics of two tiers, this one has %u; use fabric.kind: leaf-spine, or "
                        "balance: expeditus",
                        (unsigned)tiers);
    if (max_uplinks > CONGA_TAGS)
        return diag_say(d, "conga-flow: a leaf has %u uplinks, LBTag tells %d apart; use fewer spines",
                        (unsigned)max_uplinks, CONGA_TAGS);
    return true;
}

static size_t conga_state_size(const struct balance_env *env) {
    (void)env;
    return sizeof(struct conga);
}

static void conga_init(void *state, const struct balance_env *env) {
    struct conga *s = state;
    const struct place *place = env->place;
    s->port = env->port;
    s->counters = env->counters;
    s->first_uplink = place->first_uplink;
    s->n_leaves = env->paths->n_leaves;
    s->n_uplinks = (uint16_t)(place->n_ports - place->first_uplink);
    s->is_leaf = place->tier == TIER_LEAF;
    s->as_coded = env->params[PARAM_READING] == READING_EXPEDITUS_CODE;
    s->dre = dre_params_make(env->params[PARAM_DRE_PERIOD], env->params[PARAM_DRE_ALPHA]);
    s->metric_age = env->params[PARAM_METRIC_AGE];
    s->salt = hash_salt_switch(env->seed, place->node);
    random_init(&s->ties, env->seed, RANDOM_BALANCE, place->node);
    if (!s->is_leaf) return;
    s->to = memory_get((size_t)s->n_leaves * CONGA_TAGS, sizeof *s->to);
    s->from = memory_get((size_t)s->n_leaves * CONGA_TAGS, sizeof *s->from);
    s->turn = memory_get(s->n_leaves, sizeof *s->turn);
    path_table_init(&s->table, env->params[PARAM_FLOW_TIMEOUT], PATH_AGE_EXACT, env->flat_tables, NULL);
}

static void conga_fini(void *state) {
    struct conga *s = state;
    free(s->to);
    free(s->from);
    free(s->turn);
    if (s->is_leaf) path_table_fini(&s->table);
}

static uint64_t conga_metric_bytes(uint32_t n_leaves) {
    return (uint64_t)n_leaves * (2 * CONGA_TAGS * sizeof(struct conga_metric) + sizeof(uint8_t));
}

static uint64_t conga_memory(const void *state) {
    const struct conga *s = state;
    return s->is_leaf ? conga_metric_bytes(s->n_leaves) + path_table_bytes(&s->table) : 0;
}

static uint64_t conga_foreseen(const struct balance_env *env, const struct balance_crowd *crowd) {
    if (env->place->tier != TIER_LEAF) return 0;
    return conga_metric_bytes(env->paths->n_leaves) + path_table_foreseen(env->params[PARAM_FLOW_TIMEOUT], crowd);
}

static void conga_metric_rows(const struct conga *s, const char *table, const struct conga_metric *metric, time_ps now,
                              const struct balance_rows *rows) {
    for (uint32_t i = 0; i < s->n_leaves * CONGA_TAGS; i++) {
        if (!metric[i].known) continue;
        const struct balance_cell cell[] = {{"leaf", i / CONGA_TAGS},
                                            {"uplink", i % CONGA_TAGS},
                                            {"level", conga_level(s, &metric[i], now)},
                                            {"age_us", (now - metric[i].updated) / PS_PER_US}};
        rows->row(rows->to, table, cell, sizeof cell / sizeof *cell);
    }
}

/* Writes the tables "paths", "to_leaf" (by uplink here) and "from_leaf" (by uplink there). */
static void conga_tables(const void *state, time_ps now, const struct balance_rows *rows) {
    const struct conga *s = state;
    if (!s->is_leaf) return;
    path_table_rows(&s->table, now, rows);
    conga_metric_rows(s, "to_leaf", s->to, now, rows);
    conga_metric_rows(s, "from_leaf", s->from, now, rows);
}

static const struct param conga_params[] = {
    [PARAM_DRE_PERIOD] = {"dre_period", PARAM_TIME, 20 * PS_PER_US, PS_PER_US, 100 * PS_PER_MS, NULL,
                          "interval at which the load registers decay", "CONGA 3.2 (T_dre)"},
    [PARAM_DRE_ALPHA] = {"dre_alpha", PARAM_FRACTION, PPB / 10, PPB / 100, PPB, NULL,
                         "share by which they decay each interval", "CONGA 3.2"},
    [PARAM_FLOW_TIMEOUT] = {"flow_timeout", PARAM_TIME, 100 * PS_PER_MS, 10 * PS_PER_US, 3600 * PS_PER_S, NULL,
                            "a flow idle for so long is given a new uplink", "CONGA 3.4; as Expeditus 3.2"},
    [PARAM_METRIC_AGE] = {"metric_age", PARAM_TIME, 10 * PS_PER_MS, 10 * PS_PER_US, 3600 * PS_PER_S, NULL,
                          "a metric not updated for so long starts to fade", "CONGA 3.3"},
    [PARAM_READING] = {"reading", PARAM_CHOICE, READING_PAPER, READING_PAPER, READING_EXPEDITUS_CODE,
                       "paper|expeditus-code",
                       "expeditus-code: as the simulator of Expeditus' authors has it. The load of spines never enters "
                       "CE, and a leaf's own load does not count",
                       "CONGA 3; expeditus-code: the simulator of Expeditus"},
};

static const struct counter conga_counters[] = {
    [FLOW_HITS] = {"flow_hits", "packets that followed their flow's uplink"},
    [FLOWS_CHOSEN] = {"flows_chosen", "uplinks chosen"},
    [FLOW_COLLISIONS] = {"flow_collisions", "packets that found an entry made by another flow"},
    [FLOW_DEAD_PATHS] = {"flow_dead_paths", "packets whose uplink routing has withdrawn"},
    [FEEDBACK_SENT] = {"feedback_sent", "metrics fed back"},
    [FEEDBACK_RECEIVED] = {"feedback_received", "metrics that came back"},
};

const struct balancer_ops balance_conga_flow = {
    .name = "conga-flow",
    .paper = "Alizadeh et al., CONGA, SIGCOMM 2014",
    .doc = "leaves choose each flow's uplink by path congestion fed back from the destination leaf; two tiers",
    .params = conga_params,
    .n_params = sizeof conga_params / sizeof *conga_params,
    .counters = conga_counters,
    .n_counters = sizeof conga_counters / sizeof *conga_counters,
    .sees_all = true,
    .wants_loads = true,
    .dre_period_param = PARAM_DRE_PERIOD,
    .dre_alpha_param = PARAM_DRE_ALPHA,
    .meters_downlinks = true,
    .moves_flows = true,
    .fits = conga_fits,
    .state_size = conga_state_size,
    .init = conga_init,
    .fini = conga_fini,
    .route = conga_route,
    .memory_bytes = conga_memory,
    .memory_foreseen = conga_foreseen,
    .tables = conga_tables,
};
