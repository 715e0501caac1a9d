/* SPDX-License-Identifier: Apache-2.0 */
/* Clairvoyant: each new flow takes the best of all its paths, known from all switches at once (EXP-42).
 *
 * The comparison scheme of the Expeditus paper (section 6.1), not a deployable one. The source ToR reads a board of the
 * loads of all links. It takes the path whose worst fabric hop is least loaded: four hops between pods, two within one,
 * by the unquantised load register; ties at random. The paper gives neither metric nor delay.
 *
 * Two keys bring it to what the simulator of the paper's authors does (2016-SoCC-Expeditus, hash-routing.cc, OPTIMAL).
 * `levels: 8` quantises each load to three bits, as Expeditus' tag does, before the worst is taken. `trigger: syn` lets
 * only a TCP SYN choose a path. Every other frame without a path goes by ECMP, so the opposite direction of a connection
 * does, and flows of other transports do.
 *
 * Deviation: the board is refreshed each `epoch`, not at every instant (a live read of other nodes would make a result
 * depend on the order in which they run). Runs with other values of `epoch` show the effect.
 *
 * The flow's first packet fixes the choice for all that follow. The ToR writes it into each packet (`packet.path`: low
 * byte the ToR's uplink, high byte the agg's), and the agg obeys. Flows are told apart exactly, by their whole
 * five-tuple. A flow gets a new path if it was idle for flow_timeout, or if routing withdraws its path.
 *
 * Cost: a probe of the flow table per packet at the ToR; a new flow reads 4 loads for each path.
 */
#include "base/memory.h"
#include "mech/balance/balance.h"
#include "mech/balance/dre.h"
#include "mech/balance/fib.h"
#include "mech/balance/hash.h"
#include "mech/balance/least.h"

#include <stdlib.h>

enum { PARAM_DRE_PERIOD, PARAM_DRE_ALPHA, PARAM_FLOW_TIMEOUT, PARAM_EPOCH, PARAM_LEVELS, PARAM_TRIGGER };
enum trigger { TRIGGER_FIRST, TRIGGER_SYN };
enum { PATHS_CHOSEN, PATHS_DEAD, FLOW_PINS_EXPIRED };

#define PIN_NO_CORE 0xff
#define PIN_SLOTS_LEAST 16u
#define PIN_SWEEP_LEAST (10 * PS_PER_MS)
#define DESCENT_MAX 8 /* most hops downwards in any fabric */

struct pin {
    time_ps last_used;
    uint32_t src_ip, dst_ip;
    uint16_t src_port, dst_port;
    uint16_t path;
    uint8_t proto;
    bool taken;
};

struct clairvoyant {
    struct pin *pin; /* open addressing, linear probing */
    uint32_t mask, used;
    span_ps timeout;
    time_ps next_sweep;
    uint64_t salt;
    uint64_t *counters;
    const struct place *place;
    const struct path_view *paths;
    const struct load_board *board;
    bool for_credits; /* the flow whose path is being chosen carries credits */
    struct fib fib;
    struct random_stream ties;
    int64_t levels;  /* levels of a load; 0: as the register has it */
    int64_t full_ps; /* register of a link that is always busy */
    bool is_tor, syn_only;
};

/* ---- the flows of this ToR ---- */

static bool pin_is_of(const struct pin *pin, const struct packet *p) {
    return pin->src_ip == p->src_ip && pin->dst_ip == p->dst_ip && pin->src_port == p->src_port &&
           pin->dst_port == p->dst_port && pin->proto == p->proto;
}

/* Returns the flow's slot, or the empty one where it would go. */
static struct pin *pins_slot(const struct clairvoyant *s, const struct packet *p, uint64_t hash) {
    uint32_t i = (uint32_t)hash & s->mask;
    while (s->pin[i].taken && !pin_is_of(&s->pin[i], p)) i = (i + 1) & s->mask;
    return &s->pin[i];
}

static void pins_move(struct clairvoyant *s, const struct pin *pin) {
    uint64_t hash = hash_tuple(pin->src_ip, pin->dst_ip, pin->src_port, pin->dst_port, pin->proto, s->salt);
    uint32_t i = (uint32_t)hash & s->mask;
    while (s->pin[i].taken) i = (i + 1) & s->mask;
    s->pin[i] = *pin;
    s->used++;
}

/* Replaces the table by one of `slots` slots, with the pins used since `since`. */
static void pins_rebuild(struct clairvoyant *s, uint32_t slots, time_ps since) {
    struct pin *old = s->pin;
    uint32_t n = s->mask + 1;
    s->pin = memory_get(slots, sizeof *s->pin);
    s->mask = slots - 1;
    s->used = 0;
    for (uint32_t i = 0; i < n; i++)
        if (old[i].taken && old[i].last_used >= since) pins_move(s, &old[i]);
    free(old);
}

static void pins_sweep(struct clairvoyant *s, time_ps now) {
    uint32_t live = 0, slots = PIN_SLOTS_LEAST;
    time_ps since = now - s->timeout + 1;
    for (uint32_t i = 0; i <= s->mask; i++) live += s->pin[i].taken && s->pin[i].last_used >= since;
    while (slots < 2 * live) slots *= 2;
    s->counters[FLOW_PINS_EXPIRED] += s->used - live;
    if (live < s->used) pins_rebuild(s, slots, since);
    span_ps period = max_i64(s->timeout, PIN_SWEEP_LEAST);
    s->next_sweep = (now / period + 1) * period;
}

static void pins_add(struct clairvoyant *s, const struct packet *p, uint64_t hash, uint16_t path, time_ps now) {
    struct pin *pin = pins_slot(s, p, hash);
    if (!pin->taken) {
        if (4 * (s->used + 1) > 3 * (s->mask + 1)) pins_rebuild(s, 2 * (s->mask + 1), INT64_MIN);
        pin = pins_slot(s, p, hash);
        s->used++;
    }
    *pin = (struct pin){.last_used = now,
                        .src_ip = p->src_ip,
                        .dst_ip = p->dst_ip,
                        .src_port = p->src_port,
                        .dst_port = p->dst_port,
                        .path = path,
                        .proto = p->proto,
                        .taken = true};
}

/* ---- all paths ---- */

static const struct place_port *clairvoyant_port(const struct clairvoyant *s, uint32_t node, uint16_t port) {
    return &s->paths->port[s->paths->first_port[node] + port];
}

/* Returns the load of a link in the direction of the flow's data, in picoseconds or in levels. Data of a credit flow
 * return over the links of their credits. */
static int64_t clairvoyant_load(const struct clairvoyant *s, uint32_t node, uint16_t port) {
    uint32_t global = s->paths->first_port[node] + port;
    int64_t x_ps = s->board->load_ps[s->for_credits ? s->paths->port[global].peer : global];
    return s->levels ? min_i64(s->levels - 1, x_ps * s->levels / s->full_ps) : x_ps;
}

/* Returns the index of `port` among the uplinks of its switch; uplinks are the last ports. */
static uint16_t clairvoyant_uplink(const struct clairvoyant *s, uint32_t node, uint16_t port, uint8_t tier) {
    uint16_t first = port;
    while (first > 0 && clairvoyant_port(s, node, (uint16_t)(first - 1))->neighbour_tier > tier) first--;
    return (uint16_t)(port - first);
}

/* Returns the worst load from `node` down to the rack, or -1 if no route leads there. */
static int64_t clairvoyant_descend(struct clairvoyant *s, uint32_t node, uint32_t leaf, time_ps now) {
    int64_t worst = 0;
    for (int i = 0; i < DESCENT_MAX; i++) {
        if (node == s->paths->leaf_node[leaf]) return worst;
        const uint16_t *hop;
        if (!fib_hops(&s->fib, node, leaf, now, &hop)) return -1;
        worst = max_i64(worst, clairvoyant_load(s, node, hop[0]));
        node = clairvoyant_port(s, node, hop[0])->neighbour;
    }
    return -1;
}

/* Offers the paths through one uplink of this ToR to `best`. */
static void clairvoyant_offer(struct clairvoyant *s, const struct balance_query *q, uint16_t port, struct least *best) {
    const struct place_port *up = &s->place->port[port];
    int64_t first = clairvoyant_load(s, s->place->node, port);
    uint32_t low = (uint32_t)port - s->place->first_uplink;
    const uint16_t *hop;
    uint16_t n = up->neighbour == s->paths->leaf_node[q->dst_leaf]
                     ? 0
                     : fib_hops(&s->fib, up->neighbour, q->dst_leaf, q->now, &hop);
    if (n == 0 || clairvoyant_port(s, up->neighbour, hop[0])->neighbour_tier <= up->neighbour_tier) {
        int64_t rest = clairvoyant_descend(s, up->neighbour, q->dst_leaf, q->now);
        if (rest >= 0) least_offer(best, max_i64(first, rest), low | PIN_NO_CORE << 8, &s->ties);
        return;
    }
    uint16_t lowest = (uint16_t)(hop[0] - clairvoyant_uplink(s, up->neighbour, hop[0], up->neighbour_tier));
    for (uint16_t i = 0; i < n; i++) {
        const struct place_port *over = clairvoyant_port(s, up->neighbour, hop[i]);
        int64_t rest = clairvoyant_descend(s, over->neighbour, q->dst_leaf, q->now);
        if (rest < 0) continue;
        int64_t second = clairvoyant_load(s, up->neighbour, hop[i]);
        uint32_t high = (uint32_t)hop[i] - lowest;
        least_offer(best, max_i64(max_i64(first, second), rest), low | high << 8, &s->ties);
    }
}

static struct least clairvoyant_best(struct clairvoyant *s, const struct balance_query *q, const struct packet *p) {
    struct least best = {0};
    s->for_credits = p->shape & SHAPE_CREDIT;
    for (uint16_t i = 0; i < q->n_choices; i++) clairvoyant_offer(s, q, q->choice[i], &best);
    return best;
}

/* ---- packets ---- */

static bool clairvoyant_is_offered(const struct balance_query *q, uint32_t port) {
    for (uint16_t i = 0; i < q->n_choices; i++)
        if (q->choice[i] == port) return true;
    return false;
}

static uint16_t clairvoyant_hash(const struct balance_query *q, uint64_t hash) {
    return q->choice[hash_pick(hash, q->n_choices)];
}

static uint16_t clairvoyant_from_tor(struct clairvoyant *s, const struct balance_query *q, struct packet *p) {
    if (q->now >= s->next_sweep) pins_sweep(s, q->now);
    uint64_t hash = hash_flow(p, s->salt);
    struct pin *pin = pins_slot(s, p, hash);
    if (pin->taken && pin->last_used > q->now - s->timeout) {
        uint16_t port = (uint16_t)(s->place->first_uplink + (pin->path & 0xff));
        if (clairvoyant_is_offered(q, port)) {
            pin->last_used = q->now;
            p->path = pin->path;
            return port;
        }
        s->counters[PATHS_DEAD]++;
    }
    if (s->syn_only && !packet_is_syn(p)) return clairvoyant_hash(q, hash);
    struct least best = clairvoyant_best(s, q, p);
    if (!best.ties) return clairvoyant_hash(q, hash);
    s->counters[PATHS_CHOSEN]++;
    pins_add(s, p, hash, (uint16_t)best.choice, q->now);
    p->path = (uint16_t)best.choice;
    return (uint16_t)(s->place->first_uplink + (best.choice & 0xff));
}

static uint16_t clairvoyant_route(void *state, const struct balance_query *q, struct packet *p,
                                  struct balance_out *out) {
    struct clairvoyant *s = state;
    (void)out;
    if (q->northbound && s->is_tor) return clairvoyant_from_tor(s, q, p);
    if (q->northbound && p->path != PATH_NONE) {
        uint32_t port = s->place->first_uplink + (p->path >> 8);
        if (clairvoyant_is_offered(q, port)) return (uint16_t)port;
    }
    return q->n_choices == 1 ? q->choice[0] : clairvoyant_hash(q, hash_flow(p, s->salt));
}

/* ---- the table ---- */

static bool clairvoyant_fits(uint8_t tiers, uint16_t max_uplinks, const int64_t *params, struct diag *d) {
    (void)tiers;
    (void)params;
    if (max_uplinks < PIN_NO_CORE) return true;
    return diag_say(d, "clairvoyant: a switch has %u uplinks, a packet can name %d; use fewer, or balance: ecmp",
                    (unsigned)max_uplinks, PIN_NO_CORE - 1);
}

static size_t clairvoyant_state_size(const struct balance_env *env) {
    (void)env;
    return sizeof(struct clairvoyant);
}

static void clairvoyant_init(void *state, const struct balance_env *env) {
    struct clairvoyant *s = state;
    s->place = env->place;
    s->paths = env->paths;
    s->fib.paths = env->paths;
    s->board = env->board;
    s->counters = env->counters;
    s->timeout = env->params[PARAM_FLOW_TIMEOUT];
    s->is_tor = env->place->tier == TIER_LEAF;
    s->levels = env->params[PARAM_LEVELS];
    s->full_ps = dre_params_make(env->params[PARAM_DRE_PERIOD], env->params[PARAM_DRE_ALPHA]).full_ps;
    s->syn_only = env->params[PARAM_TRIGGER] == TRIGGER_SYN;
    s->salt = hash_salt_switch(env->seed, env->place->node);
    random_init(&s->ties, env->seed, RANDOM_BALANCE, env->place->node);
    s->pin = memory_get(PIN_SLOTS_LEAST, sizeof *s->pin);
    s->mask = PIN_SLOTS_LEAST - 1;
}

static void clairvoyant_fini(void *state) { free(((struct clairvoyant *)state)->pin); }

static uint64_t clairvoyant_memory(const void *state) {
    const struct clairvoyant *s = state;
    return ((uint64_t)s->mask + 1) * sizeof *s->pin;
}

static uint64_t clairvoyant_foreseen(const struct balance_env *env, const struct balance_crowd *crowd) {
    uint64_t pins = balance_crowd_held(crowd, env->params[PARAM_FLOW_TIMEOUT], PIN_SWEEP_LEAST);
    uint64_t slots = PIN_SLOTS_LEAST;
    while (env->place->tier == TIER_LEAF && slots / 4 * 3 < pins) slots *= 2; /* pins_add */
    return slots * sizeof(struct pin);
}

static const struct param clairvoyant_params[] = {
    [PARAM_DRE_PERIOD] = {"dre_period", PARAM_TIME, 20 * PS_PER_US, PS_PER_US, 100 * PS_PER_MS, NULL,
                          "interval at which the load registers decay", "Expeditus 3.1 (T_dre)"},
    [PARAM_DRE_ALPHA] = {"dre_alpha", PARAM_FRACTION, PPB / 10, PPB / 100, PPB, NULL,
                         "share by which they decay each interval", "Expeditus 3.1"},
    [PARAM_FLOW_TIMEOUT] = {"flow_timeout", PARAM_TIME, 100 * PS_PER_MS, 10 * PS_PER_US, 3600 * PS_PER_S, NULL,
                            "a flow idle for so long is given a new path", "as Expeditus 3.2"},
    [PARAM_EPOCH] = {"epoch", PARAM_TIME, PS_PER_US, 100 * PS_PER_NS, 100 * PS_PER_MS, NULL,
                     "interval at which the board of all link loads is refreshed", ""},
    [PARAM_LEVELS] =
        {"levels", PARAM_COUNT, 0, 0, 65536, NULL,
         "levels that the load of a link is rounded down to; 8: three bits, as Expeditus' tag has; 0: none",
         "not in Expeditus 6.1; 8: its authors' simulator", .word = "none", .word_value = 0},
    [PARAM_TRIGGER] = {"trigger", PARAM_CHOICE, TRIGGER_FIRST, TRIGGER_FIRST, TRIGGER_SYN, "first|syn",
                       "frames that choose a path: the first of a flow, whatever it is, or only a SYN; other frames "
                       "without a path go by ECMP",
                       "Expeditus 6.1; syn: its authors' simulator"},
};

static const struct counter clairvoyant_counters[] = {
    [PATHS_CHOSEN] = {"paths_chosen", "flows given a path"},
    [PATHS_DEAD] = {"paths_dead", "new paths of flows whose path routing had withdrawn"},
    [FLOW_PINS_EXPIRED] = {"pins_expired", "flows forgotten after flow_timeout"},
};

const struct balancer_ops balance_clairvoyant = {
    .name = "clairvoyant",
    .paper = "Expeditus 6.1",
    .doc = "each new flow takes the least loaded of all paths, seen from everywhere at once (a bound, not a design)",
    .params = clairvoyant_params,
    .n_params = sizeof clairvoyant_params / sizeof *clairvoyant_params,
    .counters = clairvoyant_counters,
    .n_counters = sizeof clairvoyant_counters / sizeof *clairvoyant_counters,
    .sees_northbound = true,
    .wants_loads = true,
    .dre_period_param = PARAM_DRE_PERIOD,
    .dre_alpha_param = PARAM_DRE_ALPHA,
    .meters_downlinks = true,
    .needs_board = true,
    .epoch_param = PARAM_EPOCH,
    .can_need_syn = true,
    .syn_param = PARAM_TRIGGER,
    .syn_value = TRIGGER_SYN,
    .moves_flows = true,
    .fits = clairvoyant_fits,
    .state_size = clairvoyant_state_size,
    .init = clairvoyant_init,
    .fini = clairvoyant_fini,
    .route = clairvoyant_route,
    .memory_bytes = clairvoyant_memory,
    .memory_foreseen = clairvoyant_foreseen,
};
