/* SPDX-License-Identifier: Apache-2.0 */
/* ExpressPass (Cho, Han, Jang; HotNets 2016): credits from the receiver, which the network drops.
 *
 * Feedback: hotnets (Algorithm 1 of 2016, XP-17), printed and released (the 2017 paper's, in the form that SprayPass
 * prints and in the one its authors ran, AM-21: the share of lost credits against a target), naive (credits at the
 * maximum rate, XP-22). A credit without data is wasted at once (XP-15). Needs symmetric paths (XP-8).
 */
#include "mech/transport/credit_receiver.h"
#include "mech/transport/credit_sender.h"

enum { XP_FEEDBACK = CREDIT_PARAM_OWN, XP_READING, XP_INITIAL_RATE, XP_TARGET_LOSS, XP_FLOOR, XP_EMPTY, XP_N_PARAMS };
enum { XP_EMPTY_NO_EVALUATION, XP_EMPTY_SUCCESS };
enum { XP_FLOOR_CREDIT, XP_FLOOR_NONE };

#define XP_CREDITS_AT_NIC 64 /* credits that wait for the NIC */

static struct credit_keeping expresspass_keeping(const int64_t *params) {
    (void)params;
    return (struct credit_keeping){.capacity = XP_CREDITS_AT_NIC};
}

static struct credit_rules expresspass_rules(const int64_t *params) {
    static const enum credit_rule rules[] = {CREDIT_HOTNETS, CREDIT_PRINTED, CREDIT_NAIVE, CREDIT_RELEASED};
    enum credit_rule rule = rules[params[XP_FEEDBACK]];
    return (struct credit_rules){.rule = rule,
                                 .reading = (enum credit_reading)params[XP_READING],
                                 .silent_rises = params[XP_EMPTY] == XP_EMPTY_SUCCESS,
                                 .no_floor = rule == CREDIT_HOTNETS && params[XP_FLOOR] == XP_FLOOR_NONE,
                                 .start_ppb = rule == CREDIT_NAIVE ? PPB : params[XP_INITIAL_RATE],
                                 .aim_ppb = params[XP_TARGET_LOSS]};
}

static const struct credit_law expresspass_law = {expresspass_keeping, expresspass_rules};

static size_t expresspass_cell_bytes(const int64_t *params) {
    size_t kept = credit_sender_cell_bytes(XP_CREDITS_AT_NIC);
    size_t reorder = credit_receiver_cell_bytes((uint32_t)params[CREDIT_PARAM_WINDOW], NULL);
    return kept > reorder ? kept : reorder;
}

static const struct param expresspass_params[XP_N_PARAMS - CREDIT_PARAM_OWN] = {
    [XP_FEEDBACK - CREDIT_PARAM_OWN] =
        {.name = "feedback",
         .type = PARAM_CHOICE,
         .def = 0,
         .min = 0,
         .max = 3,
         .choices = "hotnets|printed|naive|released",
         .doc = "how the receiver sets its rate: 2016, 2017 as printed or as its authors ran it, or not at all",
         .paper = "ExpressPass Algorithm 1 (XP-17), XP-22, AM-21"},
    [XP_READING - CREDIT_PARAM_OWN] =
        {.name = "reading",
         .type = PARAM_CHOICE,
         .def = CREDIT_READ_DATA_RATE,
         .min = 0,
         .max = 2,
         .choices = PARAM_CHOICES(CREDIT_READINGS),
         .doc = "feedback printed: the listing to the letter; with credits sent after the last change alone; "
                "or with cuts from the rate of the data",
         .paper = "AM-35"},
    [XP_INITIAL_RATE - CREDIT_PARAM_OWN] = {.name = "initial_rate",
                                            .type = PARAM_FRACTION,
                                            .def = PPB,
                                            .min = PPB / 1000000,
                                            .max = PPB,
                                            .doc = "first rate of a flow's credits, of the maximum",
                                            .paper = "ExpressPass Algorithm 1 (XP-17, AM-8)"},
    [XP_TARGET_LOSS - CREDIT_PARAM_OWN] = {.name = "target_loss",
                                           .type = PARAM_FRACTION,
                                           .def = PPB / 10,
                                           .min = 0,
                                           .max = PPB / 2,
                                           .doc = "feedback printed: share of lost credits up to which the rate rises",
                                           .paper = "SprayPass 3.2 (SP-17), ExpressPass 2017"},
    [XP_FLOOR - CREDIT_PARAM_OWN] = {.name = "floor",
                                     .type = PARAM_CHOICE,
                                     .def = XP_FLOOR_CREDIT,
                                     .min = 0,
                                     .max = 1,
                                     .choices = "credit|none",
                                     .doc = "feedback hotnets: least rate, one credit a round-trip time or none",
                                     .paper = "ExpressPass Algorithm 1 (XP-17, AM-23)"},
    [XP_EMPTY - CREDIT_PARAM_OWN] =
        {.name = "empty",
         .type = PARAM_CHOICE,
         .def = XP_EMPTY_NO_EVALUATION,
         .min = 0,
         .max = 1,
         .choices = "no-evaluation|success",
         .doc = "feedback hotnets: an update period in which nothing came back goes on, or is one without loss",
         .paper = "ExpressPass Algorithm 1 (XP-17, AM-23)"},
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
