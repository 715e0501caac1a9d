/* SPDX-License-Identifier: Apache-2.0 */
/* ECMP: the next hop is a static hash of the flow (EXP-44; RFC 2992 calls it modulo-N).
 *
 * asymmetric  every switch has a salt of its own; the two directions of a connection are independent
 * symmetric   the pair of ends is unordered, and all switches of a tier share a salt. So wherever two switches of a
 *             tier have the same number of next hops, both directions make the same choice, and share one path (AM-11)
 *
 * State: the salt. Nothing is kept per flow.
 */
#include "mech/balance/balance.h"
#include "mech/balance/hash.h"

enum { ECMP_HASH };
#define ECMP_HASHES(X) X(HASH_ASYMMETRIC, "asymmetric") X(HASH_SYMMETRIC, "symmetric")
enum { ECMP_HASHES(PARAM_ENUM) };

static size_t ecmp_state_size(const struct balance_env *env) {
    (void)env;
    return sizeof(struct flow_hash);
}

static void ecmp_init(void *state, const struct balance_env *env) {
    struct flow_hash *s = state;
    s->symmetric = env->params[ECMP_HASH] == HASH_SYMMETRIC;
    s->salt =
        s->symmetric ? hash_salt_tier(env->seed, env->place->tier) : hash_salt_switch(env->seed, env->place->node);
}

static uint16_t ecmp_route(void *state, const struct balance_query *q, struct packet *p, struct balance_out *out) {
    (void)out;
    return flow_hash_pick(state, p, q->choice, q->n_choices);
}

static const struct param ecmp_params[] = {
    [ECMP_HASH] = {.name = "hash",
                   .type = PARAM_CHOICE,
                   .def = HASH_ASYMMETRIC,
                   .min = HASH_ASYMMETRIC,
                   .max = HASH_SYMMETRIC,
                   .choices = PARAM_CHOICES(ECMP_HASHES),
                   .doc = "symmetric: both directions of a connection take the same path (salt of the tier)",
                   .paper = "ExpressPass, path symmetry"},
};

const struct balancer_ops balance_ecmp = {
    .name = "ecmp",
    .paper = "RFC 2992; Expeditus 2.1",
    .doc = "equal-cost multipath: a static hash of each flow's five-tuple",
    .params = ecmp_params,
    .n_params = sizeof ecmp_params / sizeof *ecmp_params,
    .blind = true,
    .picks_by_hash = true,
    .can_be_symmetric = true,
    .symmetric_param = ECMP_HASH,
    .symmetric_value = HASH_SYMMETRIC,
    .state_size = ecmp_state_size,
    .init = ecmp_init,
    .route = ecmp_route,
};
