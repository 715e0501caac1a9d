/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the credit transports (ExpressPass 2, SprayPass 3): parameters, counters, the five kinds of frame.
 *
 *     sender                                   receiver
 *        | REQUEST (size), repeated with back-off|
 *        |-------------------------------------->|  credits at the rate of credit_feedback.h, when the
 *        |              GRANT (number, next DSN) |  NIC's limiter takes them
 *        |<--------------------------------------|
 *        | DATA (DSN, number of the credit)      |
 *        |-------------------------------------->|  reorder buffer, counts of marked and lost credits
 *        | ... DATA with LAST                    |
 *        |-------------------------------------->|
 *        |                                  DONE |
 *        |<--------------------------------------|
 *
 * A credit that finds no data is wasted at once (XP-15). With `expire: hold` it is kept for `credit_hold`; then the
 * sender sends STOP and drops all credits it holds (SP-12), and new data makes it send REQUEST again (SP-13). A kept
 * credit older than `credit_hold` is not used either, so the bound of the data queues (XP-9, SP-23) holds with d_max +
 * credit_hold.
 *
 * Data loss is not expected (XP-26), but repaired. If GRANTs still ask for a segment max(min_rto, 2 RTT) after it was
 * sent, the next credit sends it again. Later credits that find no new data repeat the other segments in flight. A
 * sender that hears nothing for min_rto, doubled each time, repeats its REQUEST; this repairs lost LASTs and DONEs.
 * Before the first credit that time is at least twice the base round trip of the two hosts, and it grows eightfold: requests need no credit, so thousands of senders that repeat
 * requests because their credits were dropped would overflow a port by themselves (XP-13).
 *
 * Credits sent = refused by the own limiter + used + wasted + dropped in the fabric + in flight + held by senders.
 */
#ifndef HEDDLE_MECH_CREDIT_H
#define HEDDLE_MECH_CREDIT_H

#include "mech/transport/credit_spray.h"
#include "mech/transport/transport.h"
#include "wire/credit_header.h"

#define CREDIT_HEADERS 40 /* IPv4 and credit header, after Ethernet */

/* Parameters that come before the transport's own. The default jitter is 1 % (ExpressPass 2016); SprayPass sets 20 %
 * (AM-20). */
enum credit_param {
    CREDIT_PARAM_MSS,
    CREDIT_PARAM_MIN_RTO,
    CREDIT_PARAM_JITTER,
    CREDIT_PARAM_UPDATE_PERIOD,
    CREDIT_PARAM_UNSCHEDULED,
    CREDIT_PARAM_WINDOW,
    CREDIT_PARAM_W_INIT,
    CREDIT_PARAM_W_MIN,
    CREDIT_PARAM_W_MAX,
    CREDIT_PARAM_END,
    CREDIT_PARAM_SPARE,
    CREDIT_PARAM_OWN /* index of the first parameter of the transport itself */
};

extern const struct param_list credit_param_list;

/* What ends a flow's credits (AM-55). last-data: its last data, so a round trip of credits is wasted (XP-14). size: the
 * receiver keeps no more outstanding than segments are missing, plus `credit_spare`, if the request told the size. */
#define CREDIT_ENDS(X) X(CREDIT_END_LAST_DATA, "last-data") X(CREDIT_END_SIZE, "size")
enum credit_end { CREDIT_ENDS(PARAM_ENUM) };

enum credit_counter {
    CREDIT_WASTED_NO_DATA,
    CREDIT_WASTED_EXPIRED,
    CREDIT_WASTED_OVERFLOW,
    CREDIT_WASTED_ENDED,
    CREDIT_RATE_RISES,
    CREDIT_RATE_FALLS,
    CREDIT_PERIODS_EMPTY,
    CREDIT_OUT_OF_ORDER,
    CREDIT_TIMED_OUT,
    CREDIT_REQUESTS_REPEATED,
    CREDIT_STOPS,
    CREDIT_UNSCHEDULED_PKTS,
    CREDIT_RECOVERIES,
    CREDIT_SPEED_BOARDS,
    CREDIT_PATH_EXCLUSIONS,
    CREDIT_PATH_READMISSIONS,
    CREDIT_REORDER_0, /* bins of the out-of-order degree: DEGREE_BINS of them (base/degrees.h) */
    CREDIT_REORDER_1,
    CREDIT_REORDER_2,
    CREDIT_REORDER_3,
    CREDIT_REORDER_4,
    CREDIT_REORDER_8,
    CREDIT_REORDER_16,
    CREDIT_REORDER_32,
    CREDIT_REORDER_64,
    CREDIT_REORDER_128,
    CREDIT_REORDER_256,
    CREDIT_EVEN_NONE, /* updates of the speed board by result, SPRAY_BOUNDS each (credit_spray.h) */
    CREDIT_APART_0 = CREDIT_EVEN_NONE + SPRAY_BOUNDS,
    CREDIT_UNEVEN_MOST = CREDIT_APART_0 + SPRAY_BOUNDS,
    CREDIT_N_COUNTERS
};
extern const struct counter credit_counters[CREDIT_N_COUNTERS];

/* Rules by which a receiver sets its rate (credit_feedback.h). */
/* clang-format off */
#define CREDIT_RULES(X) \
    X(CREDIT_HOTNETS, "hotnets") \
    X(CREDIT_PRINTED, "printed") \
    X(CREDIT_NAIVE, "naive") \
    X(CREDIT_RELEASED, "released")
/* clang-format on */
enum credit_rule { CREDIT_RULES(PARAM_ENUM) };
/* What the printed listing sees of a period (AM-35):
 *   literal       all that came back in an RTT; cuts start from the current rate
 *   after-change  only credits sent after the last change; the period begins when the first of them comes back, so a
 *                 change takes two RTTs
 *   data-rate     all that came back in an RTT; cuts start from the rate of the data
 * With `released` on marks, literal counts only unmarked data as delivered (AM-21 to the letter), the others all
 * data. */
/* clang-format off */
#define CREDIT_READINGS(X) \
    X(CREDIT_READ_LITERAL, "literal") \
    X(CREDIT_READ_AFTER_CHANGE, "after-change") \
    X(CREDIT_READ_DATA_RATE, "data-rate")
/* clang-format on */
enum credit_reading { CREDIT_READINGS(PARAM_ENUM) };

/* Parameters that set these rules. ExpressPass and SprayPass list them among their own, at different indices. Each row
 * gives what differs: name, default, least value, text. `more_` is added to the text. */
#define CREDIT_FEEDBACK_PARAM(choices_, most_, def_, doc_, paper_)                                                     \
    {                                                                                                                  \
        .name = "feedback", .type = PARAM_CHOICE, .def = (def_), .min = 0, .max = (most_), .choices = (choices_),      \
        .doc = (doc_), .paper = (paper_)                                                                               \
    }
/* Need of parameters that the rule `naive` does not read, and the reason. */
#define CREDIT_FEEDBACK "!feedback=naive"
#define CREDIT_NO_FEEDBACK "the rate is always the maximum (feedback)"
#define CREDIT_READING_PARAM(more_, ...)                                                                               \
    {                                                                                                                  \
        .name = "reading", .type = PARAM_CHOICE, .def = CREDIT_READ_DATA_RATE, .min = 0, .max = CREDIT_READ_DATA_RATE, \
        .choices = PARAM_CHOICES(CREDIT_READINGS),                                                                     \
        .doc = "feedback printed: the listing to the letter; with credits sent after the last change alone; or with "  \
               "cuts from the rate of the data" more_,                                                                 \
        .paper = "AM-35", __VA_ARGS__                                                                                  \
    }
#define CREDIT_INITIAL_RATE_PARAM(least_, def_, more_, paper_, ...)                                                    \
    {                                                                                                                  \
        .name = "initial_rate", .type = PARAM_FRACTION, .def = (def_), .min = (least_), .max = PPB,                    \
        .doc = "initial rate of a flow's credits, as a share of the maximum" more_, .paper = (paper_), __VA_ARGS__     \
    }
#define CREDIT_AIM_PARAM(name_, doc_, paper_, ...)                                                                     \
    {                                                                                                                  \
        .name = (name_), .type = PARAM_FRACTION, .def = PPB / 10, .min = 0, .max = PPB / 2, .doc = (doc_),             \
        .paper = (paper_), __VA_ARGS__                                                                                 \
    }

/* The rules that follow from the transport's parameters; the receiver reads them when it opens. */
struct credit_rules {
    enum credit_rule rule;
    enum credit_reading reading;
    bool by_marks;     /* marked data count as lost credits */
    bool silent_rises; /* hotnets: a period in which nothing came back counts as one without loss (AM-23: `success`) */
    bool no_floor;     /* hotnets: the rate may fall to 0 */
    bool never_raises; /* hotnets: a cut leaves a rate alone that is below the rate of the data (AM-38) */
    int64_t start_ppb; /* first rate, in parts per thousand million of max_rate */
    int64_t aim_ppb;
    bool sprays;
    struct spray_config spray;
};

struct credit_keeping {
    bool hold;         /* credits without data are kept */
    span_ps hold_for;  /* time to keep them; 0: one RTT as measured */
    uint32_t capacity; /* credits that can be kept, a power of two */
};

static inline uint64_t credit_segments(const struct flow_env *env) {
    uint64_t mss = (uint64_t)env->params[CREDIT_PARAM_MSS];
    return env->bytes / mss + (env->bytes % mss > 0);
}

static inline void credit_count(const struct flow_env *env, enum credit_counter which, uint64_t n) {
    if (env->counters) env->counters[which] += n;
}

/* Raises a counter that holds a maximum to `value`. */
static inline void credit_most(const struct flow_env *env, enum credit_counter which, uint64_t value) {
    if (env->counters && env->counters[which] < value) env->counters[which] = value;
}

/* Returns the segment next to `near` that a number of 32 bits stands for. */
static inline uint64_t credit_segment(uint64_t near, uint32_t number) {
    return near + (uint64_t)(int64_t)(int32_t)(number - (uint32_t)near);
}

/* Returns gap x ppb / PPB. Only for gaps of seconds the product has more than 64 bits. */
static inline int64_t credit_part(span_ps gap, uint64_t ppb) {
    uint64_t product;
    if (__builtin_expect(!__builtin_mul_overflow((uint64_t)gap, ppb, &product), 1))
        return (int64_t)(product / (uint64_t)PPB);
    return (int64_t)((uint128)(uint64_t)gap * ppb / PPB);
}

/* Fills a frame without payload: REQUEST, GRANT, STOP or DONE. */
static inline void credit_control(struct packet *p, enum credit_kind kind, uint64_t seq) {
    p->seq = (uint32_t)seq;
    p->tcp_flags = (uint8_t)kind;
    p->wire_bytes = CREDIT_WIRE_BYTES;
}

/* How a row configures its ends. */
struct credit_law {
    struct credit_keeping (*keeping)(const int64_t *params); /* how the sender keeps credits */
    struct credit_rules (*rules)(const int64_t *params);     /* how the receiver sets its rate */
};

/* Returns the bytes of a cell that serves either end: the credits kept, the reorder buffer or the speed board. */
size_t credit_cell_bytes(const struct credit_law *law, const int64_t *params);

/* The base of all credit transports, and their ends. Only the receiver of spraying transports uses all of its state. */
extern const struct transport_base credit_base;
extern const struct transport_end credit_sender_end, credit_receiver_end, credit_spraying_receiver_end;

#endif
