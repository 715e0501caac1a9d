/* ExpressPass (Cho, Han, Jang; HotNets 2016): credits from the receiver, which the network drops.
 *
 * Feedback: hotnets (Algorithm 1, XP-17), aggressiveness (the form of the 2017 paper that SprayPass compares with: the
 * share of lost credits against target_loss), naive (credits at the maximum rate, XP-22). A credit without data is
 * wasted at once (XP-15). Needs symmetric paths (XP-8).
 */
#include "mech/transport/credit_receiver.h"
#include "mech/transport/credit_sender.h"

enum { XP_FEEDBACK = CREDIT_PARAM_OWN, XP_INITIAL_RATE, XP_TARGET_LOSS, XP_N_PARAMS };

#define XP_CREDITS_AT_NIC 64 /* credits that wait for the NIC */

static void expresspass_open(void *end, enum transport_side side, struct flow_env *env, time_ps now) {
    if (side == SIDE_SENDER) {
        credit_sender_open(end, env, now, &(struct credit_keeping){.capacity = XP_CREDITS_AT_NIC});
        return;
    }
    static const enum credit_rule rules[] = {CREDIT_HOTNETS, CREDIT_LOSS_RATIO, CREDIT_NAIVE};
    enum credit_rule rule = rules[env->params[XP_FEEDBACK]];
    struct credit_rules r = {.rule = rule,
                             .start_ppb = rule == CREDIT_NAIVE ? PPB : env->params[XP_INITIAL_RATE],
                             .aim_ppb = env->params[XP_TARGET_LOSS]};
    credit_receiver_open(end, env, now, &r);
}

static size_t expresspass_cell_bytes(const int64_t *params) {
    size_t kept = credit_sender_cell_bytes(XP_CREDITS_AT_NIC);
    size_t reorder = credit_receiver_cell_bytes((uint32_t)params[CREDIT_PARAM_WINDOW], NULL);
    return kept > reorder ? kept : reorder;
}

static const struct param expresspass_params[XP_N_PARAMS] = {
    CREDIT_PARAMS,
    [XP_FEEDBACK] = {.name = "feedback",
                     .type = PARAM_CHOICE,
                     .def = 0,
                     .min = 0,
                     .max = 2,
                     .choices = "hotnets|aggressiveness|naive",
                     .doc = "how the receiver sets its rate: 2016, 2017, or not at all",
                     .paper = "ExpressPass Algorithm 1 (XP-17), XP-22"},
    [XP_INITIAL_RATE] = {.name = "initial_rate",
                         .type = PARAM_FRACTION,
                         .def = PPB,
                         .min = PPB / 1000000,
                         .max = PPB,
                         .doc = "first rate of a flow's credits, of the maximum",
                         .paper = "ExpressPass Algorithm 1 (XP-17, AM-8)"},
    [XP_TARGET_LOSS] = {.name = "target_loss",
                        .type = PARAM_FRACTION,
                        .def = PPB / 10,
                        .min = 0,
                        .max = PPB / 2,
                        .doc = "aggressiveness: share of lost credits up to which the rate rises",
                        .paper = "SprayPass 3.2 (SP-17), ExpressPass 2017"},
};

const struct transport_ops transport_expresspass = {
    .name = "expresspass",
    .paper = "ExpressPass 2",
    .doc = "credits of the receiver, dropped by the network, admit each data frame",
    .params = expresspass_params,
    .n_params = XP_N_PARAMS,
    .needs = {.credit = true},
    .cell_bytes = expresspass_cell_bytes,
    .open = expresspass_open,
    CREDIT_TABLE,
    .receiver_hot = CREDIT_RECEIVER_HOT,
};
