/* SPDX-License-Identifier: Apache-2.0 */
/* SprayPass (Huang, Dong, Zhou, Liao): ExpressPass with credits sprayed over all paths.
 *
 * Configurations of the paper's table II (SP-22): SprayPass-1 is signal: losses, spray: random, probing: false;
 * SprayPass-2 is signal: marks, spray: random, probing: false; SprayPass is the default. Signal `losses` is the loss
 * ratio of ExpressPass 2017 with target aim_ratio, seen as gaps in the numbers of credits (sequence-based feedback).
 * Path-ids and speed board: credit_spray.h; keeping of credits without data: credit.h. Flows between hosts with a
 * single path do not spray.
 */
#include "mech/transport/credit_sender.h"

enum {
    SP_FEEDBACK = CREDIT_PARAM_OWN,
    SP_READING,
    SP_SIGNAL,
    SP_INITIAL_RATE,
    SP_AIM_RATIO,
    SP_SPRAY,
    SP_PROBING,
    SP_THETA,
    SP_BOARD_BITS,
    SP_READMIT,
    SP_PATHS,
    SP_EXPIRE,
    SP_CREDIT_HOLD,
    SP_CREDIT_BUFFER,
    SP_N_PARAMS
};
#define SP_FEEDBACKS(X) X(SP_PRINTED, "printed") X(SP_RELEASED, "released")
enum { SP_FEEDBACKS(PARAM_ENUM) };
#define SP_SIGNALS(X) X(SP_MARKS, "marks") X(SP_LOSSES, "losses")
enum { SP_SIGNALS(PARAM_ENUM) };
#define SP_EXPIRES(X) X(SP_HOLD, "hold") X(SP_IMMEDIATE, "immediate")
enum { SP_EXPIRES(PARAM_ENUM) };

static struct spray_config spraypass_spray(const int64_t *params) {
    return (struct spray_config){.kind = (enum spray_kind)params[SP_SPRAY],
                                 .probing = params[SP_PROBING],
                                 .theta_ppb = params[SP_THETA],
                                 .board_bits = (uint64_t)params[SP_BOARD_BITS],
                                 .readmit = params[SP_READMIT],
                                 .paths = (uint16_t)params[SP_PATHS]};
}

/* Returns the capacity of the sender's ring, a power of two. */
static uint32_t spraypass_buffer(const int64_t *params) {
    uint32_t n = CREDIT_NEAR;
    while (n < params[SP_CREDIT_BUFFER]) n *= 2;
    return n;
}

static struct credit_keeping spraypass_keeping(const int64_t *params) {
    return (struct credit_keeping){
        .hold = params[SP_EXPIRE] == SP_HOLD, .hold_for = params[SP_CREDIT_HOLD], .capacity = spraypass_buffer(params)};
}

/* Sets the first rate to max_rate w_init (SP-17) unless `initial_rate` is given. */
static struct credit_rules spraypass_rules(const int64_t *params) {
    return (struct credit_rules){.rule = params[SP_FEEDBACK] == SP_RELEASED ? CREDIT_RELEASED : CREDIT_PRINTED,
                                 .reading = (enum credit_reading)params[SP_READING],
                                 .by_marks = params[SP_SIGNAL] == SP_MARKS,
                                 .start_ppb =
                                     params[SP_INITIAL_RATE] ? params[SP_INITIAL_RATE] : params[CREDIT_PARAM_W_INIT],
                                 .aim_ppb = params[SP_AIM_RATIO],
                                 .sprays = true,
                                 .spray = spraypass_spray(params)};
}

static const struct credit_law spraypass_law = {spraypass_keeping, spraypass_rules};

static size_t spraypass_cell_bytes(const int64_t *params) { return credit_cell_bytes(&spraypass_law, params); }

static span_ps spraypass_credit_hold(const int64_t *params) {
    if (params[SP_EXPIRE] != SP_HOLD) return 0;
    return params[SP_CREDIT_HOLD] ? params[SP_CREDIT_HOLD] : CREDIT_HOLD_TRIP;
}

static const struct param spraypass_params[SP_N_PARAMS - CREDIT_PARAM_OWN] = {
    [SP_FEEDBACK - CREDIT_PARAM_OWN] = CREDIT_FEEDBACK_PARAM(
        PARAM_CHOICES(SP_FEEDBACKS), SP_RELEASED, SP_PRINTED,
        "how the receiver sets its rate: by the paper's Algorithm 1, or by the rule that the authors of "
        "ExpressPass 2017 ran, with marks for losses",
        "SprayPass Algorithm 1 (SP-17), AM-21"),
    [SP_READING - CREDIT_PARAM_OWN] =
        CREDIT_READING_PARAM(". Released: with literal, unmarked data alone are delivered", .needs = NULL),
    [SP_SIGNAL - CREDIT_PARAM_OWN] =
        {.name = "signal",
         .type = PARAM_CHOICE,
         .def = SP_MARKS,
         .min = 0,
         .max = 1,
         .choices = PARAM_CHOICES(SP_SIGNALS),
         .doc = "the rate follows the share of marked data (sequence-free), or of lost credits (SprayPass-1)",
         .paper = "SprayPass Algorithm 1 (SP-17), 3.1 (SP-6)"},
    [SP_INITIAL_RATE - CREDIT_PARAM_OWN] = CREDIT_INITIAL_RATE_PARAM(
        0, 0, "; 0: w_init", "SprayPass Algorithm 1 (SP-17), AM-20", .needs = NULL, .order = "+w_init"),
    [SP_AIM_RATIO - CREDIT_PARAM_OWN] = CREDIT_AIM_PARAM(
        "aim_ratio", "share of marks (or losses) up to which the rate rises", "SprayPass Algorithm 1 (SP-17)",
        .needs = "feedback=printed", .lacks = "the feedback is another than printed (feedback)"),
    [SP_SPRAY -
        CREDIT_PARAM_OWN] = {.name = "spray",
                             .type = PARAM_CHOICE,
                             .def = SPRAY_UNIFORM,
                             .min = 0,
                             .max = 2,
                             .choices = PARAM_CHOICES(SPRAY_KINDS),
                             .doc = "path of each credit: any, each once a round, or by the paths' shares of marks",
                             .paper = "SprayPass 3.1 (SP-2), 3.3 (SP-20)"},
    [SP_PROBING - CREDIT_PARAM_OWN] = {.name = "probing",
                                       .type = PARAM_BOOL,
                                       .def = 1,
                                       .min = 0,
                                       .max = 1,
                                       .doc = "slow paths are excluded",
                                       .paper = "SprayPass 3.3 (SP-18)"},
    [SP_THETA - CREDIT_PARAM_OWN] = {.name = "theta",
                                     .type = PARAM_FRACTION,
                                     .def = PPB / 10,
                                     .min = 0,
                                     .max = PPB,
                                     .doc = "a path slower than this share of the fastest is excluded",
                                     .needs = "probing",
                                     .lacks = "no path is excluded (probing)",
                                     .paper = "SprayPass 3.3 (SP-18)"},
    [SP_BOARD_BITS - CREDIT_PARAM_OWN] =
        {.name = "n_b",
         .type = PARAM_COUNT,
         .def = 600000,
         .min = 12304,
         .max = 1000000000,
         .doc = "bits of data between updates of the speed board, for four paths; more in proportion for more paths",
         .needs = "probing spray=weighted",
         .lacks = "there is no speed board (probing, spray)",
         .paper = "SprayPass 3.3 (SP-19)"},
    [SP_READMIT -
        CREDIT_PARAM_OWN] = {.name = "readmit",
                             .type = PARAM_TIME,
                             .def = 0,
                             .min = 0,
                             .max = 1000 * PS_PER_S,
                             .doc = "time after the last exclusion until excluded paths are tried again; 0: never",
                             .needs = "probing",
                             .lacks = "no path is excluded (probing)",
                             .paper = "not in the paper (SP-21)"},
    [SP_PATHS - CREDIT_PARAM_OWN] = {.name = "paths",
                                     .type = PARAM_COUNT,
                                     .def = 64,
                                     .min = 1,
                                     .max = SPRAY_MAX_PATHS,
                                     .doc = "most paths of a flow",
                                     .paper = "SprayPass 3.1 (SP-3)"},
    [SP_EXPIRE - CREDIT_PARAM_OWN] = {.name = "expire",
                                      .type = PARAM_CHOICE,
                                      .def = SP_HOLD,
                                      .min = 0,
                                      .max = 1,
                                      .choices = PARAM_CHOICES(SP_EXPIRES),
                                      .doc = "hold: a sender without data keeps a credit for credit_hold; immediate: "
                                             "the credit is wasted at once, as in ExpressPass",
                                      .paper = "SprayPass 3.2 (SP-12)"},
    [SP_CREDIT_HOLD -
        CREDIT_PARAM_OWN] = {.name = "credit_hold",
                             .type = PARAM_TIME,
                             .def = 0,
                             .min = 0,
                             .max = 10 * PS_PER_S,
                             .doc = "time without data after which credits are cleared and stopped; 0: one RTT",
                             .needs = "expire=hold",
                             .lacks = "no credit is kept (expire)",
                             .paper = "SprayPass 3.2 (SP-12)"},
    [SP_CREDIT_BUFFER - CREDIT_PARAM_OWN] = {.name = "credit_buffer",
                                             .type = PARAM_COUNT,
                                             .def = 64,
                                             .min = 4,
                                             .max = 4096,
                                             .doc = "credits a sender can keep, rounded up to a power of two",
                                             .paper = "SprayPass 3.2 (SP-11)"},
};

/* Spread of credit sizes as in the authors' scripts (AM-20). */
static const struct need spraypass_needed[] = {{"host.credit_spread", "8B"}, {NULL, NULL}};

static const struct param_list spraypass_param_list = {&credit_param_list, spraypass_params,
                                                       SP_N_PARAMS - CREDIT_PARAM_OWN};
static const struct param_default spraypass_defaults[] = {{CREDIT_PARAM_JITTER, PPB / 5}}; /* AM-20 */

const struct transport_ops transport_spraypass = {
    .name = "spraypass",
    .paper = "SprayPass 3",
    .doc = "ExpressPass with credits sprayed over all paths and a rate that follows marks on them",
    .base = &credit_base,
    .sender = &credit_sender_end,
    .receiver = &credit_spraying_receiver_end,
    .credit = &spraypass_law,
    .params = &spraypass_param_list,
    .defaults = spraypass_defaults,
    .n_defaults = 1,
    .needs = {.credit = true, .credit_marking = true, .symmetric_paths = true},
    .needed = spraypass_needed,
    .takes_rate = true,
    .chooses_paths = true,
    .cell_bytes = spraypass_cell_bytes,
    .credit_hold = spraypass_credit_hold,
};
