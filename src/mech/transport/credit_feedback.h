/* SPDX-License-Identifier: Apache-2.0 */
/* Rules for the rate of a receiver's credits: pure steps, one for each update period (one RTT).
 *
 * Rates and weights are in units of 2^-30, rates as a share of max_rate: the rate of credits that fills the host's link
 * with data (XP-18). A step reads what came back in the period and changes `cur_q30` (and `w_q30`):
 *
 *   hotnets         ExpressPass 2016, Algorithm 1 (XP-17): a loss sets the rate to that of the data, with `cut:
 *                   never-raise` at most to the rate before (AM-38); without loss the rate moves half of the way to
 *                   the maximum. Floor of one credit an RTT unless the experiment says
 *                   none (AM-23)
 *   printed         SprayPass, Algorithm 1 (SP-17) with the share of marked data; ExpressPass 2017 with the share of
 *                   lost credits and a target loss in place of the aim ratio. The rate may pass the maximum by `aim`;
 *                   the NIC's limiter clips it. Floor of one credit an RTT
 *   released        the rule of ExpressPass 2017 as its authors ran it (AM-21): the target falls from 1/8 to 0 as the
 *                   rate nears the maximum; a cut sets the rate to what was delivered, never above the rate before;
 *                   after a cut the next period may not raise w; w climbs by 0.05. The rate never passes the maximum
 *
 * The listing of `printed` cuts the current rate by the loss of a period, though credits sent up to an RTT before the
 * last cut caused that loss. With the reading `data-rate` (AM-35) a cut starts from the rate of the period's data
 * instead, and never raises the rate. So each loss causes one cut (docs/mechanisms.md has the table of readings).
 *
 * The naive variant (XP-22) has no step: its rate stays max_rate. Integers only; every step rounds down.
 */
#ifndef HEDDLE_MECH_CREDIT_FEEDBACK_H
#define HEDDLE_MECH_CREDIT_FEEDBACK_H

#include "base/types.h"

#define CREDIT_ONE_Q30 (1ll << 30)

struct credit_feedback {
    int64_t cur_q30; /* rate of credits, as a share of max_rate */
    int32_t w_q30;   /* aggressiveness */
    bool rose;       /* the rate rose in the period before */
};

struct credit_feedback_limits {
    int64_t w_min_q30, w_max_q30;
    int64_t aim_q30; /* printed: aim_ratio, or target loss */
};

/* Returns a parameter in parts per thousand million as q30. */
static inline int64_t credit_q30(int64_t ppb) { return (ppb << 30) / PPB; }

/* Returns n / of, at most one. */
static inline int64_t credit_ratio_q30(uint32_t n, uint32_t of) {
    return n >= of ? CREDIT_ONE_Q30 : ((int64_t)n << 30) / of;
}

/* Returns the rate at which n data frames arrived in a period, as a share of one frame per full_gap; at most one. */
int64_t credit_data_rate_q30(uint32_t n, span_ps full_gap, span_ps period);

/* The outcome of one period's credits. */
struct credit_period {
    int64_t ratio_q30; /* share of lost or marked ones among all that came back or were lost */
    int64_t
        delivered_q30; /* rate of what was delivered, of max_rate; printed: CREDIT_LITERAL, cuts start from cur_q30 */
};
#define CREDIT_LITERAL (-1)

/* Each returns whether the period was without congestion. */
bool credit_step_hotnets(struct credit_feedback *f, bool lost, int64_t data_rate_q30, int64_t floor_q30);
bool credit_step_printed(struct credit_feedback *f, const struct credit_feedback_limits *l,
                         const struct credit_period *p, int64_t floor_q30);
bool credit_step_released(struct credit_feedback *f, const struct credit_feedback_limits *l,
                          const struct credit_period *p, int64_t floor_q30);

#endif
