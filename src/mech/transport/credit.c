/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by all credit transports: parameters, counters, and answers to frames of a flow that has ended. */
#include "mech/transport/credit_receiver.h"
#include "mech/transport/credit_sender.h"

/* Answers a credit with STOP, unless DONE closed the sender: then credits still in flight get no answer (XP-14). */
static bool answer_credit(const struct flow_env *env, const struct packet *p, struct packet *answer) {
    if (env->tally->acked_at != TIME_NONE) return false;
    credit_control(answer, CREDIT_STOP, p->seq);
    return true;
}

/* Answers a frame for a closed end. A finished receiver answers DONE. A sender that ended before its flow (`stop`)
 * answers STOP to a credit, or its receiver would send credits for ever. The host counts the credit as wasted. */
static bool credit_answer_closed(const struct flow_env *env, time_ps now, const struct packet *p,
                                 struct packet *answer) {
    (void)now;
    uint8_t kind = credit_kind(p);
    if (kind == CREDIT_GRANT) return answer_credit(env, p, answer);
    if (kind != CREDIT_REQUEST && kind != CREDIT_DATA) return false;
    credit_control(answer, CREDIT_DONE, credit_segments(env));
    return true;
}

size_t credit_cell_bytes(const struct credit_law *law, const int64_t *params) {
    struct credit_rules rules = law->rules(params);
    size_t kept = credit_sender_cell_bytes(law->keeping(params).capacity);
    size_t receiver =
        credit_receiver_cell_bytes((uint32_t)params[CREDIT_PARAM_WINDOW], rules.sprays ? &rules.spray : NULL);
    size_t most = kept > receiver ? kept : receiver;
    bool pages = params[CREDIT_PARAM_END] == CREDIT_END_SIZE && most < credit_page_bytes();
    return pages ? credit_page_bytes() : most;
}

#define CREDIT_AGGRESSIVE "feedback=printed|released"
#define CREDIT_NOT_AGGRESSIVE "the feedback has no aggressiveness (feedback)"

static const struct param credit_params[CREDIT_PARAM_OWN] = {
    [CREDIT_PARAM_MSS] = {.name = "mss",
                          .type = PARAM_BYTES,
                          .def = 1460,
                          .min = 1,
                          .max = 1460,
                          .doc = "payload of a full frame; a credit stands for 1538 bytes on the wire",
                          .paper = "ExpressPass 2 (XP-3)"},
    [CREDIT_PARAM_MIN_RTO] = {.name = "min_rto",
                              .type = PARAM_TIME,
                              .def = 200 * PS_PER_US,
                              .min = PS_PER_US,
                              .max = 10 * PS_PER_S,
                              .doc =
                                  "least time until a request or a segment is retransmitted; before the first credit "
                                  "it is at least twice the base round trip of the two hosts",
                              .paper = "ExpressPass 4 (XP-25)"},
    [CREDIT_PARAM_JITTER] = {.name = "jitter",
                             .type = PARAM_FRACTION,
                             .def = PPB / 100,
                             .min = 0,
                             .max = PPB,
                             .doc = "width of the random part of the gap between credits, as a share of the gap",
                             .paper = "ExpressPass 2.3 (XP-20)"},
    [CREDIT_PARAM_UPDATE_PERIOD] = {.name = "update_period",
                                    .type = PARAM_COUNT,
                                    .def = 1,
                                    .min = 1,
                                    .max = 1000,
                                    .doc = "round-trip times between changes of the rate",
                                    .needs = CREDIT_FEEDBACK,
                                    .lacks = CREDIT_NO_FEEDBACK,
                                    .paper = "ExpressPass Algorithm 1 (XP-17), SprayPass 3.2 (SP-15)"},
    [CREDIT_PARAM_UNSCHEDULED] = {.name = "unscheduled",
                                  .type = PARAM_BYTES,
                                  .def = 0,
                                  .min = 0,
                                  .max = 100000000,
                                  .doc = "payload a flow may send before its first credit, droppable by switches",
                                  .paper = "SprayPass 5, after Aeolus"},
    [CREDIT_PARAM_WINDOW] = {.name = "reorder_window",
                             .type = PARAM_COUNT,
                             .def = 4096,
                             .min = 64,
                             .max = 65536,
                             .doc = "segments a sender may be ahead of the first one missing at its receiver",
                             .paper = "SprayPass 3.1 (SP-5)"},
    [CREDIT_PARAM_W_INIT] = {.name = "w_init",
                             .type = PARAM_FRACTION,
                             .def = PPB / 2,
                             .min = 0,
                             .max = PPB,
                             .doc = "first aggressiveness, 0 or at least w_min; with sequence-free feedback also the "
                                    "first rate, unless initial_rate is given",
                             .order = "0|>=w_min <=w_max",
                             .needs = CREDIT_AGGRESSIVE,
                             .lacks = CREDIT_NOT_AGGRESSIVE,
                             .paper = "SprayPass Algorithm 1 (SP-17, AM-48)"},
    [CREDIT_PARAM_W_MIN] = {.name = "w_min",
                            .type = PARAM_FRACTION,
                            .def = PPB / 100,
                            .min = PPB / 1000000,
                            .max = PPB,
                            .doc = "least aggressiveness",
                            .order = "<=w_max",
                            .needs = CREDIT_AGGRESSIVE,
                            .lacks = CREDIT_NOT_AGGRESSIVE,
                            .paper = "SprayPass Algorithm 1 (SP-17)"},
    [CREDIT_PARAM_W_MAX] = {.name = "w_max",
                            .type = PARAM_FRACTION,
                            .def = PPB / 2,
                            .min = PPB / 1000000,
                            .max = PPB,
                            .doc = "most aggressiveness",
                            .needs = CREDIT_AGGRESSIVE,
                            .lacks = CREDIT_NOT_AGGRESSIVE,
                            .paper = "SprayPass Algorithm 1 (SP-17)"},
    [CREDIT_PARAM_END] = {.name = "credit_end",
                          .type = PARAM_CHOICE,
                          .def = CREDIT_END_LAST_DATA,
                          .min = 0,
                          .max = 1,
                          .choices = PARAM_CHOICES(CREDIT_ENDS),
                          .doc = "what ends a flow's credits: its last data; or its size, which requests tell: no more "
                                 "credits are outstanding than segments are missing, plus credit_spare; "
                                 "docs/expresspass-extensions.md",
                          .paper = "ours, AM-55"},
    [CREDIT_PARAM_SPARE] = {.name = "credit_spare",
                            .type = PARAM_COUNT,
                            .def = 2,
                            .min = 0,
                            .max = 65536,
                            .doc =
                                "credits outstanding beyond the segments that are missing, for credits that are lost",
                            .needs = "credit_end=size",
                            .lacks = "credits go on until the last data (credit_end)",
                            .paper = "ours, AM-55"},
};
const struct param_list credit_param_list = {NULL, credit_params, CREDIT_PARAM_OWN};

const struct counter credit_counters[CREDIT_N_COUNTERS] = {
    [CREDIT_WASTED_NO_DATA] = {"credits_wasted_no_data", "credits that found no data at the sender"},
    [CREDIT_WASTED_EXPIRED] = {"credits_wasted_expired", "kept credits that were too old, or cleared with a stop"},
    [CREDIT_WASTED_OVERFLOW] = {"credits_wasted_overflow", "kept credits that a newer one pushed out"},
    [CREDIT_WASTED_ENDED] = {"credits_wasted_ended", "credits that a sender held when it was stopped"},
    [CREDIT_RATE_RISES] = {"rate_rises", "update periods in which a credit rate rose"},
    [CREDIT_RATE_FALLS] = {"rate_falls", "update periods in which a credit rate fell"},
    [CREDIT_PERIODS_EMPTY] = {"periods_empty", "update periods in which nothing came back"},
    [CREDIT_OUT_OF_ORDER] = {"credits_out_of_order", "data whose credit had a lower number than one seen before"},
    [CREDIT_TIMED_OUT] = {"credits_timed_out", "credits taken as lost because nothing came back for two periods"},
    [CREDIT_REQUESTS_REPEATED] = {"requests_repeated", "requests sent again because nothing was heard"},
    [CREDIT_STOPS] = {"credit_stops", "stops sent"},
    [CREDIT_UNSCHEDULED_PKTS] = {"unscheduled_pkts", "data frames sent without a credit"},
    [CREDIT_RECOVERIES] = {"recoveries", "times a sender began to send data again"},
    [CREDIT_SPEED_BOARDS] = {"speed_boards", "evaluations of the speed board"},
    [CREDIT_PATH_EXCLUSIONS] = {"path_exclusions", "paths excluded as too slow"},
    [CREDIT_PATH_READMISSIONS] = {"path_readmissions", "excluded paths that were tried again"},
    [CREDIT_REORDER_0] = {"reorder_0", "data frames that came in order"},
    [CREDIT_REORDER_1] = {"reorder_1", "data frames out of order, with 1 held"},
    [CREDIT_REORDER_2] = {"reorder_2", "with 2 held"},
    [CREDIT_REORDER_3] = {"reorder_3", "with 3 held"},
    [CREDIT_REORDER_4] = {"reorder_4", "with 4 to 7 held"},
    [CREDIT_REORDER_8] = {"reorder_8", "with 8 to 15 held"},
    [CREDIT_REORDER_16] = {"reorder_16", "with 16 to 31 held"},
    [CREDIT_REORDER_32] = {"reorder_32", "with 32 to 63 held"},
    [CREDIT_REORDER_64] = {"reorder_64", "with 64 to 127 held"},
    [CREDIT_REORDER_128] = {"reorder_128", "with 128 to 255 held"},
    [CREDIT_REORDER_256] = {"reorder_256", "with 256 or more held"},
    [CREDIT_EVEN_NONE] = {"board_even_none", "evaluations of the speed board of which a path brought nothing"},
    [CREDIT_EVEN_NONE + 1] = {"board_even_0", "with the slowest path under 10 % of the fastest"},
    [CREDIT_EVEN_NONE + 2] = {"board_even_10", "10 % to 25 %"},
    [CREDIT_EVEN_NONE + 3] = {"board_even_25", "25 % to 50 %"},
    [CREDIT_EVEN_NONE + 4] = {"board_even_50", "50 % to 75 %"},
    [CREDIT_EVEN_NONE + 5] = {"board_even_75", "75 % or more"},
    [CREDIT_APART_0] = {"board_apart_0",
                        "evaluations of which the fastest and the slowest path were less than 1 Gbps apart"},
    [CREDIT_APART_0 + 1] = {"board_apart_1", "1 to 5 Gbps"},
    [CREDIT_APART_0 + 2] = {"board_apart_5", "5 to 10 Gbps"},
    [CREDIT_APART_0 + 3] = {"board_apart_10", "10 to 20 Gbps"},
    [CREDIT_APART_0 + 4] = {"board_apart_20", "20 to 40 Gbps"},
    [CREDIT_APART_0 + 5] = {"board_apart_40", "40 Gbps or more"},
    [CREDIT_UNEVEN_MOST] = {"board_uneven_most", "the largest 1 - v_min / v_max of all evaluations, in thousandths",
                            .is_most = true},
};

static int64_t credit_window_bytes(const int64_t *params) {
    return params[CREDIT_PARAM_WINDOW] * params[CREDIT_PARAM_MSS];
}

const struct transport_base credit_base = {
    .params = &credit_param_list,
    .counters = credit_counters,
    .n_counters = CREDIT_N_COUNTERS,
    .counts_degrees = true,
    .degree_counter = CREDIT_REORDER_0,
    .proto = PROTO_CREDIT,
    .header_bytes = CREDIT_HEADERS,
    .handshake_trips = 2,
    .tolerates_reordering = true,
    .max_payload_param = CREDIT_PARAM_MSS,
    .early_bytes_param = CREDIT_PARAM_UNSCHEDULED,
    .min_rto_param = CREDIT_PARAM_MIN_RTO,
    .window_param = CREDIT_PARAM_WINDOW,
    .window_bytes = credit_window_bytes,
    .answer_closed = credit_answer_closed,
};
