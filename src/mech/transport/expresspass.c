/* SPDX-License-Identifier: Apache-2.0 */
/* ExpressPass (Cho, Han, Jang; HotNets 2016): credits from the receiver, which the network drops.
 *
 * Feedback: hotnets (Algorithm 1 of 2016, XP-17); printed and released; naive (credits at the maximum rate, XP-22).
 * Printed and released are the 2017 paper's: the share of lost credits against a target, in the form that SprayPass
 * prints and in the one its authors ran (AM-21). A credit without data is wasted at once (XP-15). Needs symmetric paths
 * (XP-8).
 */
#include "mech/transport/credit.h"

enum {
    XP_FEEDBACK = CREDIT_PARAM_OWN,
    XP_READING,
    XP_INITIAL_RATE,
    XP_TARGET_LOSS,
    XP_FLOOR,
    XP_EMPTY,
    XP_CUT,
    XP_N_PARAMS
};
#define XP_EMPTIES(X) X(XP_EMPTY_NO_EVALUATION, "no-evaluation") X(XP_EMPTY_SUCCESS, "success")
enum { XP_EMPTIES(PARAM_ENUM) };
#define XP_FLOORS(X) X(XP_FLOOR_CREDIT, "credit") X(XP_FLOOR_NONE, "none")
enum { XP_FLOORS(PARAM_ENUM) };
/* What a loss does under Algorithm 1 (AM-38). data-rate: the rate becomes that of the data, even if it rises by that, as
 * the listing says. never-raise: it rises by no cut, as in the authors' code from 16 Oct 2017 on. */
#define XP_CUTS(X) X(XP_CUT_DATA_RATE, "data-rate") X(XP_CUT_NEVER_RAISE, "never-raise")
enum { XP_CUTS(PARAM_ENUM) };

#define XP_CREDITS_AT_NIC 64 /* most credits that wait for the NIC */

static struct credit_keeping expresspass_keeping(const int64_t *params) {
    (void)params;
    return (struct credit_keeping){.capacity = XP_CREDITS_AT_NIC};
}

static struct credit_rules expresspass_rules(const int64_t *params) {
    enum credit_rule rule = (enum credit_rule)params[XP_FEEDBACK];
    return (struct credit_rules){.rule = rule,
                                 .reading = (enum credit_reading)params[XP_READING],
                                 .silent_rises = params[XP_EMPTY] == XP_EMPTY_SUCCESS,
                                 .no_floor = rule == CREDIT_HOTNETS && params[XP_FLOOR] == XP_FLOOR_NONE,
                                 .never_raises = params[XP_CUT] == XP_CUT_NEVER_RAISE,
                                 .start_ppb = rule == CREDIT_NAIVE ? PPB : params[XP_INITIAL_RATE],
                                 .aim_ppb = params[XP_TARGET_LOSS]};
}

static const struct credit_law expresspass_law = {expresspass_keeping, expresspass_rules};

static size_t expresspass_cell_bytes(const int64_t *params) { return credit_cell_bytes(&expresspass_law, params); }

#define XP_NOT_PRINTED "the feedback is another than printed (feedback)"
#define XP_NOT_HOTNETS "the feedback is another than hotnets (feedback)"

static const struct param expresspass_params[XP_N_PARAMS - CREDIT_PARAM_OWN] = {
    [XP_FEEDBACK - CREDIT_PARAM_OWN] = CREDIT_FEEDBACK_PARAM(
        PARAM_CHOICES(CREDIT_RULES), CREDIT_RELEASED, CREDIT_HOTNETS,
        "how the receiver sets its rate: 2016, 2017 as printed or as its authors ran it, or not at all",
        "ExpressPass Algorithm 1 (XP-17), XP-22, AM-21"),
    [XP_READING - CREDIT_PARAM_OWN] = CREDIT_READING_PARAM("", .needs = "feedback=printed", .lacks = XP_NOT_PRINTED),
    [XP_INITIAL_RATE - CREDIT_PARAM_OWN] =
        CREDIT_INITIAL_RATE_PARAM(PPB / 1000000, PPB, "", "ExpressPass Algorithm 1 (XP-17, AM-8)",
                                  .needs = CREDIT_FEEDBACK, .lacks = CREDIT_NO_FEEDBACK),
    [XP_TARGET_LOSS - CREDIT_PARAM_OWN] = CREDIT_AIM_PARAM(
        "target_loss", "feedback printed: share of lost credits up to which the rate rises",
        "SprayPass 3.2 (SP-17), ExpressPass 2017", .needs = "feedback=printed", .lacks = XP_NOT_PRINTED),
    [XP_FLOOR - CREDIT_PARAM_OWN] = {.name = "floor",
                                     .type = PARAM_CHOICE,
                                     .def = XP_FLOOR_CREDIT,
                                     .min = 0,
                                     .max = 1,
                                     .choices = PARAM_CHOICES(XP_FLOORS),
                                     .doc = "feedback hotnets: least rate: one credit a round-trip time, or none",
                                     .needs = "feedback=hotnets",
                                     .lacks = XP_NOT_HOTNETS,
                                     .paper = "ExpressPass Algorithm 1 (XP-17, AM-23)"},
    [XP_EMPTY - CREDIT_PARAM_OWN] =
        {.name = "empty",
         .type = PARAM_CHOICE,
         .def = XP_EMPTY_NO_EVALUATION,
         .min = 0,
         .max = 1,
         .choices = PARAM_CHOICES(XP_EMPTIES),
         .doc =
             "feedback hotnets: an update period without any data returned is extended, or counts as one without loss",
         .needs = "feedback=hotnets",
         .lacks = XP_NOT_HOTNETS,
         .paper = "ExpressPass Algorithm 1 (XP-17, AM-23)"},
    [XP_CUT - CREDIT_PARAM_OWN] = {.name = "cut",
                                   .type = PARAM_CHOICE,
                                   .def = XP_CUT_DATA_RATE,
                                   .min = 0,
                                   .max = 1,
                                   .choices = PARAM_CHOICES(XP_CUTS),
                                   .doc = "feedback hotnets: a loss sets the rate to that of the data, or so unless "
                                          "that raises it",
                                   .needs = "feedback=hotnets",
                                   .lacks = XP_NOT_HOTNETS,
                                   .paper = "ExpressPass Algorithm 1 (XP-17, AM-38)"},
};

static const struct param_list expresspass_param_list = {&credit_param_list, expresspass_params,
                                                         XP_N_PARAMS - CREDIT_PARAM_OWN};

const struct transport_ops transport_expresspass = {
    .name = "expresspass",
    .paper = "ExpressPass 2",
    .doc = "credits of the receiver, dropped by the network, admit each data frame",
    .base = &credit_base,
    .sender = &credit_sender_end,
    .receiver = &credit_receiver_end,
    .credit = &expresspass_law,
    .params = &expresspass_param_list,
    .needs = {.credit = true, .symmetric_paths = true},
    .takes_rate = true,
    .cell_bytes = expresspass_cell_bytes,
};
