/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/transport/credit_feedback.h"

static int64_t times_q30(int64_t a, int64_t b_q30) { return (a * b_q30) >> 30; }

int64_t credit_data_rate_q30(uint32_t n, span_ps full_gap, span_ps period) {
    uint64_t busy = (uint64_t)n * (uint64_t)full_gap;
    if (period <= 0 || busy >= (uint64_t)period) return CREDIT_ONE_Q30;
    if (__builtin_expect(busy >> 34 == 0, 1))
        return (int64_t)((busy << 30) / (uint64_t)period); /* 17 ms of line rate */
    return (int64_t)(((uint128)busy << 30) / (uint64_t)period);
}

bool credit_step_hotnets(struct credit_feedback *f, bool lost, int64_t data_rate_q30, int64_t floor_q30) {
    f->rose = !lost;
    if (lost) {
        /* cur_rate <- average data rate */
        f->cur_q30 = data_rate_q30;
    } else {
        /* cur_rate <- (cur_rate + max_rate) / 2 */
        f->cur_q30 = (f->cur_q30 + CREDIT_ONE_Q30) / 2;
    }
    f->cur_q30 = max_i64(f->cur_q30, floor_q30);
    return f->rose;
}

/* ---- printed ---- */

static void printed_rise(struct credit_feedback *f, const struct credit_feedback_limits *l) {
    /* w <- (w + w_max) / 2 if the period before was an increase too */
    if (f->rose) f->w_q30 = (int32_t)((f->w_q30 + l->w_max_q30) / 2);
    /* cur_rate <- (1 - w) cur_rate + w max_rate (1 + aim_ratio) */
    f->cur_q30 = ((CREDIT_ONE_Q30 - f->w_q30) * f->cur_q30 + f->w_q30 * (CREDIT_ONE_Q30 + l->aim_q30)) >> 30;
}

static void printed_fall(struct credit_feedback *f, const struct credit_feedback_limits *l,
                         const struct credit_period *p) {
    int64_t more_q30 = CREDIT_ONE_Q30 + l->aim_q30;
    if (p->delivered_q30 == CREDIT_LITERAL) /* cur_rate <- cur_rate (1 - ratio) (1 + aim_ratio) */
        f->cur_q30 = times_q30(times_q30(f->cur_q30, CREDIT_ONE_Q30 - p->ratio_q30), more_q30);
    else /* cur_rate <- (rate of the data) (1 + aim_ratio), never above cur_rate */
        f->cur_q30 = min_i64(f->cur_q30, times_q30(p->delivered_q30, more_q30));
    /* w <- max(w / 2, w_min) */
    f->w_q30 = (int32_t)max_i64(f->w_q30 / 2, l->w_min_q30);
}

bool credit_step_printed(struct credit_feedback *f, const struct credit_feedback_limits *l,
                         const struct credit_period *p, int64_t floor_q30) {
    bool rises = p->ratio_q30 <= l->aim_q30;
    if (rises)
        printed_rise(f, l);
    else
        printed_fall(f, l, p);
    f->rose = rises;
    f->cur_q30 = max_i64(f->cur_q30, floor_q30);
    return rises;
}

/* ---- released ---- */

#define RELEASED_TARGET_SHIFT 3                   /* target = (1 - rate / max) / 8 */
#define RELEASED_W_STEP_Q30 (CREDIT_ONE_Q30 / 20) /* 0.05 */

static void released_rise(struct credit_feedback *f, const struct credit_feedback_limits *l) {
    /* w <- min(w + 0.05, w_max) if the period before was without congestion too */
    if (f->rose) f->w_q30 = (int32_t)min_i64(f->w_q30 + RELEASED_W_STEP_Q30, l->w_max_q30);
    /* cur_rate <- w max_rate + (1 - w) cur_rate */
    f->cur_q30 = f->w_q30 + times_q30(f->cur_q30, CREDIT_ONE_Q30 - f->w_q30);
}

bool credit_step_released(struct credit_feedback *f, const struct credit_feedback_limits *l,
                          const struct credit_period *p, int64_t floor_q30) {
    int64_t target_q30 = (CREDIT_ONE_Q30 - f->cur_q30) >> RELEASED_TARGET_SHIFT;
    bool rises = p->ratio_q30 <= target_q30;
    if (rises) {
        released_rise(f, l);
    } else {
        /* cur_rate <- (rate of what was delivered) (1 + target), never above cur_rate */
        f->cur_q30 = min_i64(f->cur_q30, times_q30(p->delivered_q30, CREDIT_ONE_Q30 + target_q30));
        /* w <- max(w / 2, w_min) */
        f->w_q30 = (int32_t)max_i64(f->w_q30 / 2, l->w_min_q30);
    }
    f->rose = rises;
    f->cur_q30 = max_i64(min_i64(f->cur_q30, CREDIT_ONE_Q30), floor_q30);
    return rises;
}
