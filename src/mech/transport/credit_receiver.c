/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/transport/credit_receiver.h"

#include "base/cells.h"
#include "base/degrees.h"

#include <inttypes.h>
#include <stdio.h>

#define CREDIT_AND_DATA_BITS ((CREDIT_WIRE_BYTES + CREDIT_DATA_WIRE_BYTES) * 8) /* XP-18 */
#define RTT_GAIN 5                                                              /* smoothing of 0.8 / 0.2 */
#define TIMED_FOR_GOOD 16 /* RTTs after which the timed credit is given up, whatever came back */
#define MISSING (~0ull)

/* ---- rate ---- */

/* Sets the gap for the current rate, at least that of the maximum rate. If the next credit is due later than one new
 * gap from now, it moves to then. */
static void receiver_set_gap(struct credit_receiver *r, time_ps now) {
    int64_t cur_q30 = r->feedback.cur_q30;
    r->gap = cur_q30 > 0 ? max_i64((r->full_gap << 30) / cur_q30, r->full_gap) : 0;
    if (r->gap == 0)
        r->next_at = TIME_NONE;
    else if (r->next_at == TIME_NONE)
        r->next_at = now;
    else
        r->next_at = min_i64(r->next_at, now + r->gap);
}

/* Sets the gap of the maximum rate from the NIC's link rate. */
static void receiver_set_full_gap(struct credit_receiver *r, const struct flow_env *env) {
    r->nic_bps = env->nic_bps;
    r->full_gap = (CREDIT_AND_DATA_BITS * PS_PER_S + r->nic_bps / 2) / r->nic_bps;
}

/* Follows a change of the link's rate. */
static void receiver_follow_link(struct credit_receiver *r, const struct flow_env *env, time_ps now) {
    receiver_set_full_gap(r, env);
    receiver_set_gap(r, now);
}

/* Counts credits as lost that are two periods old if neither they nor any later one came back. Rules whose
 * periods wait for an answer do not need this: the answer's number tells what was lost. */
static void receiver_time_out(struct credit_receiver *r, const struct flow_env *env) {
    int32_t silent = r->waits ? 0 : (int32_t)(r->mark_before - r->echo_nxt);
    if (silent > 0) {
        r->lost += (uint32_t)silent;
        r->echo_nxt = r->mark_before;
        credit_count(env, CREDIT_TIMED_OUT, (uint32_t)silent);
    }
    r->mark_before = r->mark_last;
    r->mark_last = r->number;
}

/* Returns the least rate: one credit an RTT. */
static int64_t receiver_floor_q30(const struct credit_receiver *r) {
    return r->full_gap >= r->rtt ? CREDIT_ONE_Q30 : (r->full_gap << 30) / r->rtt;
}

static bool receiver_step(struct credit_receiver *r, const struct flow_env *env, time_ps now) {
    struct credit_feedback *f = &r->feedback;
    int64_t data_q30 = credit_data_rate_q30(r->arrived, r->full_gap, now - r->period_from);
    int64_t floor_q30 = r->floors ? receiver_floor_q30(r) : 0;
    if (r->rule == CREDIT_HOTNETS) {
        if (r->never_raises) data_q30 = min_i64(data_q30, f->cur_q30);
        return credit_step_hotnets(f, r->lost > 0, data_q30, floor_q30);
    }
    const struct credit_feedback_limits limits = {.w_min_q30 = credit_q30(env->params[CREDIT_PARAM_W_MIN]),
                                                  .w_max_q30 = credit_q30(env->params[CREDIT_PARAM_W_MAX]),
                                                  .aim_q30 = r->aim_q30};
    struct credit_period p = {.ratio_q30 = r->by_marks ? credit_ratio_q30(r->marked, r->arrived)
                                                       : credit_ratio_q30(r->lost, r->lost + r->arrived),
                              .delivered_q30 = data_q30};
    if (r->rule == CREDIT_RELEASED) {
        if (r->by_marks && r->reading == CREDIT_READ_LITERAL)
            p.delivered_q30 = credit_data_rate_q30(r->arrived - r->marked, r->full_gap, now - r->period_from);
        return credit_step_released(f, &limits, &p, floor_q30);
    }
    if (r->reading != CREDIT_READ_DATA_RATE) p.delivered_q30 = CREDIT_LITERAL;
    return credit_step_printed(f, &limits, &p, floor_q30);
}

/* Begins the next period. With `after-change` it begins later, when a credit sent from now on comes back. */
static void receiver_next_period(struct credit_receiver *r, const struct flow_env *env, time_ps now) {
    r->arrived = r->lost = r->marked = 0;
    r->period_from = now;
    bool later = r->rule == CREDIT_PRINTED && r->reading == CREDIT_READ_AFTER_CHANGE;
    r->update_at = later ? TIME_NONE : now + r->rtt * env->params[CREDIT_PARAM_UPDATE_PERIOD];
}

/* Evaluates a period at its end. The rule decides whether a period in which nothing came back counts. */
static void receiver_evaluate(struct credit_receiver *r, const struct flow_env *env, time_ps now) {
    if (r->waits && r->arrived == 0) {
        credit_count(env, CREDIT_PERIODS_EMPTY, 1);
        r->update_at = max_i64(r->next_at, now + 1); /* checks again when a credit leaves */
        return;
    }
    receiver_time_out(r, env);
    bool empty = r->arrived == 0 && (r->lost == 0 || r->by_marks);
    if (empty) credit_count(env, CREDIT_PERIODS_EMPTY, 1);
    if (!empty || r->rule == CREDIT_HOTNETS)
        credit_count(env, receiver_step(r, env, now) ? CREDIT_RATE_RISES : CREDIT_RATE_FALLS, 1);
    receiver_next_period(r, env, now);
    receiver_set_gap(r, now);
}

/* ---- the flow's end (credit_end: size) ---- */

/* Returns the most credits that may be outstanding. */
static uint64_t receiver_most(const struct credit_receiver *r, const struct flow_env *env) {
    uint64_t end = r->total != UINT64_MAX ? r->total : r->told;
    if (end == 0 || end < r->high) return UINT64_MAX; /* not told, or it was wrong */
    uint64_t arrived = r->rcv_nxt + (r->reorder ? r->reorder->n_held : 0);
    uint64_t most = end - arrived + (uint64_t)env->params[CREDIT_PARAM_SPARE];
    return most > 0 ? most : 1;
}

/* Returns how long an answer may take before its credit counts as lost. */
static span_ps receiver_patience(const struct credit_receiver *r, const struct flow_env *env) {
    return r->rtt > 0 ? 2 * r->rtt : max_i64(env->params[CREDIT_PARAM_MIN_RTO], 2 * flow_base_trip(env));
}

/* Holds the next credit back while as many are outstanding as may be; it is due when there is room again. At a rate of
 * 0 none is due anyway. */
static void receiver_limit(struct credit_receiver *r, const struct flow_env *env, time_ps now) {
    if (!r->sized) return;
    span_ps patience = receiver_patience(r, env);
    credit_outstanding_expire(&r->outstanding, env->cells, now - patience);
    bool full = r->outstanding.n >= receiver_most(r, env) && r->next_at != TIME_NONE;
    if (full) {
        r->pace_at = r->held_back ? min_i64(r->pace_at, r->next_at) : r->next_at;
        r->next_at = max_i64(r->pace_at, credit_outstanding_oldest(&r->outstanding) + patience);
    } else if (r->held_back && r->next_at != TIME_NONE) {
        r->next_at = max_i64(r->pace_at, min_i64(r->next_at, now));
    }
    r->held_back = full;
}

/* ---- credits ---- */

static time_ps credit_receiver_next_credit(const void *end) {
    const struct credit_receiver *r = end;
    if (r->state != CREDIT_CREDITING) return TIME_NONE;
    bool evaluate_first = r->update_at != TIME_NONE && r->next_at - r->update_at > r->rtt / 4;
    return evaluate_first ? r->update_at : r->next_at;
}

static void receiver_count_refused(struct credit_receiver *r, struct flow_env *env, uint64_t refused) {
    r->number += (uint32_t)refused;
    r->refused += refused;
    env->refused += refused;
}

/* Counts the refused credits: of those due, all but the latest (AM-10). At a rate above the maximum, the excess is
 * refused too: (cur_rate - max_rate) / max_rate credits for each one at the maximum. */
static void receiver_refuse(struct credit_receiver *r, struct flow_env *env, time_ps now) {
    int64_t passed = now - r->next_at < r->gap ? 0 : (now - r->next_at) / r->gap;
    if (passed > 0) {
        r->next_at += passed * r->gap;
        receiver_count_refused(r, env, (uint64_t)passed);
    }
    if (r->feedback.cur_q30 <= CREDIT_ONE_Q30) return;
    int64_t excess_q30 = r->excess_q30 + (passed + 1) * (r->feedback.cur_q30 - CREDIT_ONE_Q30);
    receiver_count_refused(r, env, (uint64_t)(excess_q30 >> 30));
    r->excess_q30 = (uint32_t)(excess_q30 & (CREDIT_ONE_Q30 - 1));
}

/* Sets the next credit: next = last + gap (1 + U), U in [-jitter / 2, jitter / 2) */
static void receiver_advance(struct credit_receiver *r, const struct flow_env *env) {
    uint64_t jitter_ppb = (uint64_t)env->params[CREDIT_PARAM_JITTER];
    r->next_at += r->gap;
    if (jitter_ppb == 0) return;
    int64_t width = credit_part(r->gap, jitter_ppb);
    uint32_t draw = random_lane_u32(&r->jitter, env->seed, RANDOM_JITTER, env->flow);
    r->next_at += (int64_t)((uint128)draw * (uint64_t)width >> 32) - width / 2;
}

/* Times this credit if no other one is being timed. A timed credit is given up as lost two RTTs after it left if a
 * later one came back, or after TIMED_FOR_GOOD RTTs. */
static void receiver_time(struct credit_receiver *r, time_ps now) {
    span_ps waited = now - r->timed_at;
    bool passed = (int32_t)(r->echo_nxt - r->timed_number) > 0;
    if (r->timing && (r->rtt == 0 || waited <= (passed ? 2 : TIMED_FOR_GOOD) * r->rtt)) return;
    r->timing = true;
    r->timed_number = r->number;
    r->timed_at = now;
}

static void receiver_grant(struct credit_receiver *r, const struct flow_env *env, time_ps now, struct packet *p) {
    credit_control(p, CREDIT_GRANT, r->rcv_nxt);
    receiver_time(r, now);
    p->ack = r->number++;
    p->window = credit_stamp(now);
    p->shape |= SHAPE_CREDIT;
    p->tos |= ECN_ECT0;
    if (r->sprays) p->path = credit_spray_next(r->spray);
    if (r->sized) credit_outstanding_add(&r->outstanding, env->cells, now, p->ack, p->path);
    r->granted++;
}

static void credit_receiver_settle(void *end, struct flow_env *env) {
    struct credit_receiver *r = end;
    env->tally->credits_sent += r->granted + r->refused;
    env->tally->credits_refused += r->refused;
    r->granted = 0;
    r->refused = 0;
}

static bool credit_receiver_poll_credit(void *end, struct flow_env *env, time_ps now, struct packet *p) {
    struct credit_receiver *r = end;
    if (r->state != CREDIT_CREDITING) return false;
    receiver_limit(r, env, now);
    if (r->next_at <= now) receiver_refuse(r, env, now);
    if (__builtin_expect(env->nic_bps != r->nic_bps, 0)) receiver_follow_link(r, env, now);
    if (now >= r->update_at) receiver_evaluate(r, env, now);
    receiver_limit(r, env, now);
    if (r->next_at > now) return false;
    receiver_grant(r, env, now, p);
    receiver_advance(r, env);
    receiver_limit(r, env, now);
    return true;
}

/* ---- data ---- */

static void receiver_sample(struct credit_receiver *r, span_ps sample) {
    r->rtt = r->rtt == 0 ? max_i64(sample, 1) : max_i64(r->rtt + (sample - r->rtt) / RTT_GAIN, 1);
}

/* Starts the clock of the periods, with the first data (XP-17 a). If the timed credit was lost there is no RTT sample
 * yet; the stamp of the data's credit gives it. */
static void receiver_begin(struct credit_receiver *r, const struct flow_env *env, time_ps now, uint16_t stamp) {
    if (r->rtt == 0) receiver_sample(r, credit_stamp_age(now, stamp));
    span_ps period = r->rtt * env->params[CREDIT_PARAM_UPDATE_PERIOD];
    if (r->rule == CREDIT_HOTNETS) {
        r->update_at = max_i64(r->period_from + period, max_i64(r->next_at, now + 1));
    } else {
        r->period_from = now;
        r->update_at = now + period;
    }
    if (r->reading != CREDIT_READ_AFTER_CHANGE) r->mark_last = r->number;
}

/* Counts this number as arrived and those skipped since the last one as lost. With `after-change`, returns false for
 * credits sent before the last change, which do not count. */
static bool receiver_count(struct credit_receiver *r, const struct flow_env *env, uint32_t number, bool marked) {
    bool stale = r->rule == CREDIT_PRINTED && r->reading == CREDIT_READ_AFTER_CHANGE;
    uint32_t from = stale && (int32_t)(r->mark_last - r->echo_nxt) > 0 ? r->mark_last : r->echo_nxt;
    int32_t skipped = (int32_t)(number - from);
    if ((int32_t)(number - r->echo_nxt) >= 0)
        r->echo_nxt = number + 1;
    else
        credit_count(env, CREDIT_OUT_OF_ORDER, 1);
    if (stale && (int32_t)(number - r->mark_last) < 0) return false;
    if (skipped > 0) r->lost += (uint32_t)skipped;
    r->arrived++;
    r->marked += marked;
    return true;
}

/* Handles the number of a credit that came back in the data. */
static void receiver_echo(struct credit_receiver *r, const struct flow_env *env, time_ps now, const struct packet *p) {
    if ((int32_t)(r->number - p->ack) <= 0) return; /* never sent */
    if (r->timing && p->ack == r->timed_number) {
        receiver_sample(r, now - r->timed_at);
        r->timing = false;
    }
    if (r->sized) credit_outstanding_answer(&r->outstanding, env->cells, p->ack);
    bool counts = receiver_count(r, env, p->ack, (p->tcp_flags & CREDIT_MARKED) != 0);
    if (counts && r->update_at == TIME_NONE && r->rule != CREDIT_NAIVE) receiver_begin(r, env, now, p->window);
}

static void receiver_board(struct credit_receiver *r, const struct flow_env *env, time_ps now, const struct packet *p) {
    struct credit_spray *s = r->spray;
    credit_spray_data(s, now, r->rtt, p->path, p->wire_bytes, p->tcp_flags & CREDIT_MARKED);
    if (__builtin_expect(s->boards == r->boards, 1)) return;
    credit_count(env, CREDIT_SPEED_BOARDS, s->boards - r->boards);
    credit_count(env, CREDIT_EVEN_NONE + s->even, 1);
    credit_count(env, CREDIT_APART_0 + s->apart, 1);
    credit_most(env, CREDIT_UNEVEN_MOST, s->uneven);
    credit_count(env, CREDIT_PATH_EXCLUSIONS, s->exclusions - r->exclusions);
    credit_count(env, CREDIT_PATH_READMISSIONS, s->readmissions - r->readmissions);
    r->boards = s->boards;
    r->exclusions = s->exclusions;
    r->readmissions = s->readmissions;
}

/* Holds a segment that is ahead of its turn; returns false if it is held already. */
static bool receiver_hold(struct credit_receiver *r, struct flow_env *env, uint64_t segment) {
    if (!r->reorder) {
        r->reorder = cell_get(env->cells);
        r->reorder->mask = ring_bits((uint64_t)env->params[CREDIT_PARAM_WINDOW]) - 1;
    }
    struct credit_reorder *o = r->reorder;
    if (ring_has(o->bits, o->mask, segment)) return false;
    ring_set(o->bits, o->mask, segment, segment + 1);
    o->n_held++;
    if (o->n_held > env->tally->max_reorder_pkts) env->tally->max_reorder_pkts = o->n_held;
    credit_count(env, CREDIT_REORDER_0 + degree_bin(o->n_held), 1);
    return true;
}

/* Takes in the first missing segment, and all segments held behind it that are now in order. */
static void receiver_in_order(struct credit_receiver *r, const struct flow_env *env) {
    struct credit_reorder *o = r->reorder;
    uint64_t end = r->rcv_nxt + 1;
    credit_count(env, CREDIT_REORDER_0, 1);
    if (o && o->n_held > 0) {
        end = ring_next(o->bits, o->mask, end, r->high, MISSING);
        ring_clear(o->bits, o->mask, r->rcv_nxt + 1, end);
        o->n_held -= (uint32_t)(end - r->rcv_nxt - 1);
    }
    r->rcv_nxt = end;
}

/* Takes in a segment; returns false if it is a duplicate or beyond the window. */
static bool receiver_take(struct credit_receiver *r, struct flow_env *env, uint64_t segment) {
    int64_t ahead = (int64_t)(segment - r->rcv_nxt);
    if (ahead >= env->params[CREDIT_PARAM_WINDOW]) return false;
    if (ahead < 0 || (ahead > 0 && !receiver_hold(r, env, segment))) {
        env->tally->duplicate_pkts++;
        return false;
    }
    if (ahead == 0) receiver_in_order(r, env);
    return true;
}

/* Counts a segment as reordered if it is below the highest one seen and was sent before it; a retransmission is not. */
static void receiver_order(struct credit_receiver *r, struct flow_env *env, uint64_t segment, uint32_t serial) {
    if (segment >= r->high) {
        r->high = segment + 1;
        r->high_serial = serial;
    } else if ((int32_t)(serial - r->high_serial) < 0) {
        env->tally->reordered_pkts++;
    }
}

static void receiver_finish(struct credit_receiver *r, struct flow_env *env, time_ps now) {
    r->state = CREDIT_FINISHED;
    r->done_due = true;
    env->tally->finished_at = now;
}

/* Takes in the flow's length. Missing segments may still be in flight, so credits pause for an RTT. */
static void receiver_last(struct credit_receiver *r, time_ps now, uint64_t segment) {
    if (r->total != UINT64_MAX) return;
    r->total = segment + 1;
    if (r->rcv_nxt == r->total) return;
    if (r->next_at != TIME_NONE) r->next_at = max_i64(r->next_at, now + r->rtt);
    r->pace_at = max_i64(r->pace_at, now + r->rtt);
    if (r->update_at != TIME_NONE) r->update_at = max_i64(r->update_at, now + r->rtt);
}

static void receiver_on_data(struct credit_receiver *r, struct flow_env *env, time_ps now, const struct packet *p) {
    uint64_t segment = credit_segment(r->rcv_nxt, p->seq);
    credit_receiver_settle(r, env);
    if ((p->tos & ECN_MASK) == ECN_CE) env->tally->marked_pkts++;
    if (!(p->tcp_flags & CREDIT_UNSCHEDULED)) {
        receiver_echo(r, env, now, p);
        if (r->sprays) receiver_board(r, env, now, p);
    }
    if (receiver_take(r, env, segment)) {
        receiver_order(r, env, segment, p->serial);
        env->tally->received_bytes += p->payload_bytes;
    }
    if (p->tcp_flags & CREDIT_LAST) receiver_last(r, now, segment);
    if (r->rcv_nxt == r->total) receiver_finish(r, env, now);
}

/* Handles a REQUEST: a stopped receiver resumes. Credits in flight at the stop do not count as lost. */
static void receiver_on_request(struct credit_receiver *r, const struct flow_env *env, time_ps now,
                                const struct packet *p) {
    r->told = p->ack;
    if (r->state != CREDIT_STOPPED) return;
    credit_outstanding_clear(&r->outstanding, env->cells);
    r->held_back = false;
    r->state = CREDIT_CREDITING;
    r->echo_nxt = r->mark_before = r->mark_last = r->number;
    r->arrived = r->lost = r->marked = 0;
    r->update_at = TIME_NONE;
    r->timing = false;
    r->next_at = r->period_from = now;
    if (r->gap == 0) r->feedback.cur_q30 = CREDIT_ONE_Q30 / 2; /* half of the way up, as Algorithm 1 does from 0 */
    receiver_set_gap(r, now);
}

/* Ends a period whose end has passed when data arrives. If a credit is due, its departure ends the period instead. A
 * period that waited for an answer ends here even so: each credit refused meanwhile would have ended it. */
static void receiver_end_period(struct credit_receiver *r, struct flow_env *env, time_ps now) {
    if (r->next_at <= now && !(r->waits && r->arrived > 0)) return;
    if (r->next_at <= now) receiver_refuse(r, env, now);
    receiver_evaluate(r, env, now);
}

static void credit_receiver_on_packet(void *end, struct flow_env *env, time_ps now, const struct packet *p) {
    struct credit_receiver *r = end;
    uint8_t kind = credit_kind(p);
    if (r->state == CREDIT_FINISHED) {
        r->done_due |= kind == CREDIT_REQUEST || kind == CREDIT_DATA;
        return;
    }
    switch (kind) {
    case CREDIT_REQUEST: receiver_on_request(r, env, now, p); break;
    case CREDIT_DATA: receiver_on_data(r, env, now, p); break;
    case CREDIT_STOP: r->state = CREDIT_STOPPED; break;
    default: break;
    }
    if (r->state != CREDIT_CREDITING) return;
    receiver_limit(r, env, now);
    if (now < r->update_at) return;
    receiver_end_period(r, env, now);
    receiver_limit(r, env, now);
}

static bool credit_receiver_poll(void *end, struct flow_env *env, time_ps now, struct packet *p) {
    struct credit_receiver *r = end;
    (void)now;
    (void)env;
    if (!r->done_due) return false;
    credit_control(p, CREDIT_DONE, r->total);
    r->done_due = false;
    return true;
}

/* ---- start and end ---- */

static void receiver_open_spray(struct credit_receiver *r, struct flow_env *env, const struct spray_config *spray) {
    r->sprays = true;
    r->spray = cell_get(env->cells);
    credit_spray_init(r->spray, spray, env->paths, env->seed, env->flow);
}

static void credit_receiver_open(void *end, struct flow_env *env, time_ps now) {
    struct credit_receiver *r = end;
    const struct credit_rules all = env->row->credit->rules(env->params), *rules = &all;
    receiver_set_full_gap(r, env);
    r->rule = (uint8_t)rules->rule;
    r->reading = (uint8_t)rules->reading & 3;
    r->by_marks = rules->by_marks;
    r->floors = !rules->no_floor;
    r->never_raises = rules->never_raises;
    r->waits = rules->rule == CREDIT_RELEASED || (rules->rule == CREDIT_HOTNETS && !rules->silent_rises);
    r->feedback.cur_q30 = credit_q30(rules->start_ppb);
    r->feedback.w_q30 = (int32_t)credit_q30(env->params[CREDIT_PARAM_W_INIT]);
    r->aim_q30 = (int32_t)credit_q30(rules->aim_ppb);
    r->sized = env->params[CREDIT_PARAM_END] == CREDIT_END_SIZE;
    r->update_at = TIME_NONE;
    r->total = UINT64_MAX;
    r->next_at = r->period_from = now;
    receiver_set_gap(r, now);
    if (rules->sprays && (env->paths[0] > 1 || env->paths[1] > 1)) receiver_open_spray(r, env, &rules->spray);
}

static void credit_receiver_close(void *end, struct flow_env *env) {
    struct credit_receiver *r = end;
    credit_receiver_settle(r, env);
    credit_outstanding_clear(&r->outstanding, env->cells);
    if (r->reorder) cell_put(env->cells, r->reorder);
    if (r->spray) cell_put(env->cells, r->spray);
}

static void credit_receiver_describe(const void *end, const struct flow_env *env, char *buf, size_t size) {
    const struct credit_receiver *r = end;
    (void)env;
    static const char *const states[] = {"crediting", "stopped", "finished"};
    char outstanding[40] = "";
    if (r->sized) snprintf(outstanding, sizeof outstanding, ", %" PRIu32 " credits outstanding", r->outstanding.n);
    snprintf(buf, size,
             "receiver: %s, next segment %" PRIu64 ", %" PRIu32 " held, next credit number %" PRIu32 " at %" PRId64
             " ps, rate %" PRId64 "/1000 of the maximum%s",
             states[r->state], r->rcv_nxt, r->reorder ? r->reorder->n_held : 0, r->number,
             r->next_at == TIME_NONE ? -1 : r->next_at, r->feedback.cur_q30 * 1000 >> 30, outstanding);
}

static bool credit_receiver_has_output(const void *end, const struct flow_env *env, time_ps now) {
    (void)env, (void)now;
    return ((const struct credit_receiver *)end)->done_due;
}

static bool credit_receiver_is_done(const void *end, const struct flow_env *env) {
    const struct credit_receiver *r = end;
    (void)env;
    return r->state == CREDIT_FINISHED && !r->done_due;
}

#define CREDIT_RECEIVER_END(hot_)                                                                                      \
    {                                                                                                                  \
        .bytes = sizeof(struct credit_receiver), .hot = (hot_), .open = credit_receiver_open,                          \
        .close = credit_receiver_close, .on_packet = credit_receiver_on_packet, .next_timer = transport_no_timer,      \
        .has_output = credit_receiver_has_output, .poll_transmit = credit_receiver_poll,                               \
        .is_done = credit_receiver_is_done, .describe = credit_receiver_describe,                                      \
        .next_credit = credit_receiver_next_credit, .poll_credit = credit_receiver_poll_credit,                        \
        .settle = credit_receiver_settle                                                                               \
    }
const struct transport_end credit_receiver_end = CREDIT_RECEIVER_END(CREDIT_RECEIVER_HOT);
const struct transport_end credit_spraying_receiver_end = CREDIT_RECEIVER_END(0);
