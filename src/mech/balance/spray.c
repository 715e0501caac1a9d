/* SPDX-License-Identifier: Apache-2.0 */
/* Packet spraying: every frame takes an equal-cost next hop of its own, whatever its flow (CMB-10).
 *
 * random       each next hop with the same probability
 * round-robin  in turn, separately for each destination rack. Each switch starts elsewhere, so that switches do not
 *              move in step
 *
 * Packets of a flow overtake each other wherever queues differ, so a transport that mistakes reordering for loss
 * suffers.
 * State: a random stream; for round-robin two bytes a rack.
 */
#include "mech/balance/balance.h"
#include "mech/balance/hash.h"

enum { SPRAY_MODE };
#define SPRAY_MODES(X) X(MODE_RANDOM, "random") X(MODE_ROUND_ROBIN, "round-robin")
enum { SPRAY_MODES(PARAM_ENUM) };

struct spray {
    struct random_stream random;
    uint64_t salt;
    bool round_robin;
    uint16_t turn[]; /* [racks], round-robin: index of the last choice + 1; 0: none yet */
};

static size_t spray_state_size(const struct balance_env *env) {
    size_t racks = env->params[SPRAY_MODE] == MODE_ROUND_ROBIN ? env->paths->n_leaves : 0;
    return sizeof(struct spray) + racks * sizeof(uint16_t);
}

static void spray_init(void *state, const struct balance_env *env) {
    struct spray *s = state;
    s->round_robin = env->params[SPRAY_MODE] == MODE_ROUND_ROBIN;
    s->salt = hash_salt_switch(env->seed, env->place->node);
    random_init(&s->random, env->seed, RANDOM_BALANCE, env->place->node);
}

/* Returns the next choice in turn; it starts over if the set of next hops has shrunk below it. */
static uint16_t spray_turn(struct spray *s, const struct balance_query *q) {
    uint16_t *turn = &s->turn[q->dst_leaf];
    uint32_t next = *turn ? *turn : hash_pick(hash_mix(q->dst_leaf, 0, s->salt), q->n_choices);
    if (next >= q->n_choices) next = 0;
    *turn = (uint16_t)(next + 1);
    return (uint16_t)next;
}

static uint16_t spray_route(void *state, const struct balance_query *q, struct packet *p, struct balance_out *out) {
    struct spray *s = state;
    (void)p, (void)out;
    return q->choice[s->round_robin ? spray_turn(s, q) : random_below(&s->random, q->n_choices)];
}

static const struct param spray_params[] = {
    [SPRAY_MODE] = {.name = "mode",
                    .type = PARAM_CHOICE,
                    .def = MODE_RANDOM,
                    .min = MODE_RANDOM,
                    .max = MODE_ROUND_ROBIN,
                    .choices = PARAM_CHOICES(SPRAY_MODES),
                    .doc = "random: each frame draws its next hop; round-robin: in turn, for each destination rack",
                    .paper = "Dixit et al., 2013"},
};

const struct balancer_ops balance_spray = {
    .name = "spray",
    .paper = "Dixit et al., On the impact of packet spraying, INFOCOM 2013",
    .doc =
        "packet spraying: every frame by itself over all equal-cost next hops; packets of a flow overtake each other",
    .params = spray_params,
    .n_params = sizeof spray_params / sizeof *spray_params,
    .reorders = true,
    .blind = true,
    .moves_flows = true,
    .state_size = spray_state_size,
    .init = spray_init,
    .route = spray_route,
};
