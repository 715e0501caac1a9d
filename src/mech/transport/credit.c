#include "mech/transport/credit.h"

#include "mech/transport/credit_receiver.h"
#include "mech/transport/credit_sender.h"

void credit_close(void *end, enum transport_side side, struct flow_env *env) {
    if (side == SIDE_SENDER)
        credit_sender_close(end, env);
    else
        credit_receiver_close(end, env);
}

void credit_on_packet(void *end, enum transport_side side, struct flow_env *env, time_ps now, const struct packet *p) {
    if (side == SIDE_SENDER)
        credit_sender_on_packet(end, env, now, p);
    else
        credit_receiver_on_packet(end, env, now, p);
}

void credit_on_timer(void *end, enum transport_side side, struct flow_env *env, time_ps now) {
    if (side == SIDE_SENDER) credit_sender_on_timer(end, env, now);
}

time_ps credit_next_timer(const void *end, enum transport_side side) {
    return side == SIDE_SENDER ? ((const struct credit_sender *)end)->timer_at : TIME_NONE;
}

bool credit_has_output(const void *end, enum transport_side side, const struct flow_env *env, time_ps now) {
    (void)env;
    return side == SIDE_SENDER ? credit_sender_has_output(end, now) : ((const struct credit_receiver *)end)->done_due;
}

bool credit_poll_transmit(void *end, enum transport_side side, struct flow_env *env, time_ps now, struct packet *p) {
    return side == SIDE_SENDER ? credit_sender_poll(end, env, now, p) : credit_receiver_poll(end, env, p);
}

bool credit_is_done(const void *end, enum transport_side side, const struct flow_env *env) {
    (void)env;
    if (side == SIDE_SENDER) return ((const struct credit_sender *)end)->state == CREDIT_ENDED;
    const struct credit_receiver *r = end;
    return r->state == CREDIT_FINISHED && !r->done_due;
}

/* A sender that DONE has closed is silent to the credits that still come (XP-14). */
static bool answer_credit(const struct flow_env *env, const struct packet *p, struct packet *answer) {
    if (env->tally->acked_at != TIME_NONE) return false;
    credit_control(answer, CREDIT_STOP, p->seq);
    return true;
}

bool credit_answer_closed(const struct flow_env *env, time_ps now, const struct packet *p, struct packet *answer) {
    (void)now;
    uint8_t kind = credit_kind(p);
    if (kind == CREDIT_GRANT) return answer_credit(env, p, answer);
    if (kind != CREDIT_REQUEST && kind != CREDIT_DATA) return false;
    credit_control(answer, CREDIT_DONE, credit_segments(env));
    return true;
}

void credit_describe(const void *end, enum transport_side side, const struct flow_env *env, char *buf, size_t size) {
    (void)env;
    if (side == SIDE_SENDER)
        credit_sender_describe(end, buf, size);
    else
        credit_receiver_describe(end, buf, size);
}

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
