/* SPDX-License-Identifier: Apache-2.0 */
/* Adaptive load balancing (DeTail 5.3, 5.4, 6.2; DT-13 to DT-18): every frame by itself takes an acceptable port whose
 * egress queue is short.
 *
 * Acceptable ports are the equal-cost next hops that are up (the paper's bitmap A). The measure of a queue is its drain
 * bytes: the frame bytes that leave before a new frame of this class can, namely those of the same and of higher
 * classes. Two thresholds of drain bytes define favoured sets (F, one of each class). Below the first a port is most
 * favoured, below the second favoured, else least favoured. The frame takes a random port of the best set that has an
 * acceptable port; if all queues are long, that is any acceptable port.
 *
 * thresholds  two: as above; one: only the first; none: any acceptable port, whatever its queue; min: the ports with
 *             the fewest drain bytes, which the paper calls ideal but too expensive (DT-15), at random among equals
 * per_class   false: the whole queue counts for every class
 *
 * In the paper's example (5.4) a frame of class 7 may leave by port 1, which holds 10 KB of class 7, or by port 2,
 * which holds 20 KB of class 0. `min` always takes port 2; with a first threshold of 16 KiB both are most favoured, so
 * port 2 gets half (DT-17). Congestion further along the path shows through flow control: a paused port's queue grows,
 * and the port falls out of the favoured sets (DT-18).
 *
 * An analytic port does not count bytes. Its drain bytes follow from its backlog, by the rule of node/port.h (the frame
 * on the wire included), and all classes are one.
 *
 * State: a random stream, and room for a set of ports. Cost: one read per next hop, one random number.
 */
#include "mech/balance/balance.h"

#include "base/ethernet.h"

enum { ALB_THRESHOLDS, ALB_THRESHOLD_1, ALB_THRESHOLD_2, ALB_PER_CLASS };
enum { THRESHOLDS_TWO, THRESHOLDS_ONE, THRESHOLDS_NONE, THRESHOLDS_MIN };
enum alb_band { MOST_FAVOURED, FAVOURED, LEAST_FAVOURED }; /* also the order of the counters */

struct alb {
    const struct port_view *port;
    uint64_t *counters;
    struct random_stream random;
    int64_t threshold[2];
    bool minimum;
    uint8_t classes; /* number of classes told apart; 0 or 1: all count as one */
    uint16_t best[]; /* [ports]: ports of the least rank; used while a frame is routed */
};

/* Frame bytes per (bit/s of link rate x picosecond), x 2^84: 1518/1538 of the wire bytes; rounded up. */
#define ALB_BYTES_Q84 ((uint64_t)(((uint128)1 << 84) * FULL_FRAME_BYTES / (8 * PS_PER_S) / FULL_WIRE_BYTES) + 1)

/* Returns the frame bytes of an analytic port's backlog. It multiplies instead of dividing, because every frame asks
 * many ports. The result is rounded up by less than a thousandth of a byte, so that whole bytes stay whole. */
static int64_t alb_backlog_bytes(const struct port_view *v, time_ps now) {
    if (v->busy_until <= now) return 0;
    uint128 bit_ps = (uint128)(uint64_t)(v->busy_until - now) * (uint64_t)v->rate_bps;
    uint64_t scaled = (uint64_t)((bit_ps + (1 << 20) - 1) >> 20);
    return (int64_t)((uint128)scaled * ALB_BYTES_Q84 >> 64);
}

/* Returns the frame's index into drain_bytes: its class as ports see it (mech/schedule/schedule.h). Classes above the
 * highest one count as the highest. If the whole queue counts, the index is 0: bytes of class 0 and above are all
 * bytes. */
static uint32_t alb_class(const struct alb *s, const struct packet *p) {
    uint32_t class = p->tos >> 5;
    return class < s->classes ? class : s->classes ? s->classes - 1u : 0;
}

static enum alb_band alb_band(const struct alb *s, int64_t drain_bytes) {
    if (drain_bytes < s->threshold[0]) return MOST_FAVOURED;
    return drain_bytes < s->threshold[1] ? FAVOURED : LEAST_FAVOURED;
}

/* Returns the rank of a port; lower is better. */
static int64_t alb_rank(const struct alb *s, const struct port_view *v, uint32_t class, time_ps now) {
    int64_t drain_bytes = v->drain_bytes ? v->drain_bytes[class] : alb_backlog_bytes(v, now);
    return s->minimum ? drain_bytes : (int64_t)alb_band(s, drain_bytes);
}

static uint16_t alb_route(void *state, const struct balance_query *q, struct packet *p, struct balance_out *out) {
    struct alb *s = state;
    (void)out;
    uint32_t class = alb_class(s, p), n = 0;
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < q->n_choices; i++) {
        const struct port_view *v = &s->port[q->choice[i]];
        if (!v->up) continue;
        int64_t rank = alb_rank(s, v, class, q->now);
        if (rank > least) continue;
        if (rank < least) least = rank, n = 0;
        s->best[n++] = q->choice[i];
    }
    if (n == 0) return q->choice[random_below(&s->random, q->n_choices)]; /* none is up: the frame is lost anyway */
    s->counters[s->minimum ? alb_band(s, least) : (enum alb_band)least]++;
    return s->best[random_below(&s->random, n)];
}

static size_t alb_state_size(const struct balance_env *env) {
    return sizeof(struct alb) + env->place->n_ports * sizeof(uint16_t);
}

static void alb_init(void *state, const struct balance_env *env) {
    struct alb *s = state;
    int64_t thresholds = env->params[ALB_THRESHOLDS];
    s->port = env->port;
    s->counters = env->counters;
    s->minimum = thresholds == THRESHOLDS_MIN;
    s->classes = env->params[ALB_PER_CLASS] ? env->classes : 1;
    s->threshold[0] = thresholds == THRESHOLDS_NONE ? INT64_MAX : env->params[ALB_THRESHOLD_1];
    s->threshold[1] = thresholds == THRESHOLDS_ONE ? s->threshold[0] : env->params[ALB_THRESHOLD_2];
    random_init(&s->random, env->seed, RANDOM_BALANCE, env->place->node);
}

#define ALB_NO_THRESHOLD "there is no threshold (thresholds)"

static const struct param alb_params[] = {
    [ALB_THRESHOLDS] = {"thresholds", PARAM_CHOICE, THRESHOLDS_TWO, THRESHOLDS_TWO, THRESHOLDS_MIN, "two|one|none|min",
                        "how many thresholds tell short queues from long ones; min: the exact minimum of drain bytes",
                        "DeTail 6.2"},
    [ALB_THRESHOLD_1] = {"threshold_1", PARAM_BYTES, 16384, 1, 1000000000, NULL,
                         "drain bytes below which a port is most favoured", "DeTail 6.2", .needs = "!thresholds=none",
                         .lacks = ALB_NO_THRESHOLD, .order = "<=threshold_2"},
    [ALB_THRESHOLD_2] = {"threshold_2", PARAM_BYTES, 65536, 1, 1000000000, NULL,
                         "drain bytes below which a port is favoured; not with thresholds: one", "DeTail 6.2",
                         .needs = "thresholds=two|min", .lacks = "there is no second threshold (thresholds)"},
    [ALB_PER_CLASS] = {"per_class", PARAM_BOOL, 1, 0, 1, NULL,
                       "only bytes of the frame's class and above count; false: all that is queued", "DeTail 5.4",
                       .needs = "switch.classes>1", .lacks = "ports have one class (switch.classes)",
                       .needs_too = "!thresholds=none", .lacks_too = ALB_NO_THRESHOLD},
};

static const struct counter alb_counters[] = {
    [MOST_FAVOURED] = {"alb_most_favoured",
                       "frames that found a port below the first threshold (thresholds: none: all)"},
    [FAVOURED] = {"alb_favoured", "frames that found one below the second at best"},
    [LEAST_FAVOURED] = {"alb_least_favoured", "frames that found long queues only"},
};

const struct balancer_ops balance_alb = {
    .name = "alb",
    .paper = "DeTail 5.3, 5.4, 6.2",
    .doc = "adaptive load balancing: every frame by itself to a next hop with few bytes ahead of its class",
    .params = alb_params,
    .n_params = sizeof alb_params / sizeof *alb_params,
    .counters = alb_counters,
    .n_counters = sizeof alb_counters / sizeof *alb_counters,
    .wants_backlogs = true,
    .reorders = true,
    .moves_flows = true,
    .state_size = alb_state_size,
    .init = alb_init,
    .route = alb_route,
};
