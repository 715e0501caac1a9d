/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/transport/credit_sender.h"

#include "base/cells.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>

#define BACKOFF_MAX 10 /* a repeated request waits at most 2^10 times as long */
#define WIRE_BITS 8

/* Changes the state, at this one place; the header has the transitions. */
static void sender_enter(struct credit_sender *s, enum credit_sender_state to) { s->state = (uint8_t)to; }

/* ---- what there is to send ---- */

/* Returns how many segments the application has provided so far. */
static uint64_t sender_written(const struct credit_sender *s, time_ps now) {
    if (s->app_gap == 0) return s->n_segments;
    uint64_t n = (uint64_t)((now - s->started_at) / s->app_gap) + 1;
    return n < s->n_segments ? n : s->n_segments;
}

static bool sender_has_new(const struct credit_sender *s, time_ps now) {
    return s->nxt < s->una + s->window && s->nxt < sender_written(s, now);
}

/* Returns how many frames credits could carry now. */
static uint64_t sender_waiting(const struct credit_sender *s, time_ps now) {
    uint64_t again = s->recovering && s->rxt < s->recover ? s->recover - s->rxt : 0;
    uint64_t end = sender_written(s, now);
    if (end > s->una + s->window) end = s->una + s->window;
    return again + (end > s->nxt ? end - s->nxt : 0);
}

/* Takes the next segment to send; sender_waiting must be above 0. Order: the segment that the receiver waits for, new
 * segments, then all other segments to be repeated. */
static uint64_t sender_take_segment(struct credit_sender *s, time_ps now) {
    bool again = s->recovering && s->rxt < s->recover;
    if (again && (s->rxt == s->una || !sender_has_new(s, now))) return s->rxt++;
    return s->nxt++;
}

/* ---- the ring of credits ---- */

static struct held_credit *held_at(struct credit_sender *s, uint32_t i) {
    uint32_t place = s->first + i;
    return s->far ? &s->far[place & (s->capacity - 1u)] : &s->near[place & (CREDIT_NEAR - 1u)];
}

static const struct held_credit *held_newest(const struct credit_sender *s) {
    return held_at((struct credit_sender *)s, s->n_held - 1u);
}

/* Returns whether a credit that waited for the application is too old. Credits that wait for a busy NIC stay valid. */
static bool held_expired(const struct credit_sender *s, const struct held_credit *c, time_ps now) {
    return s->hold && s->app_gap > 0 && s->hold_for > 0 && now - (time_ps)c->came > s->hold_for;
}

static void held_drop(struct credit_sender *s) {
    s->first = (uint16_t)(s->first + 1);
    s->n_held--;
}

static void sender_waste(const struct flow_env *env, enum credit_counter why, uint32_t n) {
    env->tally->credits_wasted += n;
    credit_count(env, why, n);
}

static void held_expire(struct credit_sender *s, const struct flow_env *env, time_ps now) {
    while (s->n_held > 0 && held_expired(s, held_at(s, 0), now)) {
        held_drop(s);
        sender_waste(env, CREDIT_WASTED_EXPIRED, 1);
    }
}

static void held_clear(struct credit_sender *s, const struct flow_env *env, enum credit_counter why) {
    sender_waste(env, why, s->n_held);
    s->n_held = 0;
}

static void held_grow(struct credit_sender *s, struct flow_env *env) {
    struct held_credit *far = cell_get(env->cells);
    for (uint32_t i = 0; i < s->n_held; i++) far[i] = *held_at(s, i);
    s->first = 0;
    s->far = far;
}

static void held_push(struct credit_sender *s, struct flow_env *env, time_ps now, const struct packet *p) {
    if (s->n_held == CREDIT_NEAR && !s->far) held_grow(s, env);
    if (s->far && s->n_held == s->capacity) {
        held_drop(s);
        sender_waste(env, CREDIT_WASTED_OVERFLOW, 1);
    }
    s->n_held++;
    *held_at(s, s->n_held - 1u) = (struct held_credit){.came = (uint64_t)now,
                                                       .number = p->ack,
                                                       .path = p->path,
                                                       .stamp = p->window,
                                                       .marked = (p->tos & ECN_MASK) == ECN_CE};
}

/* ---- deadlines ---- */

/* A sender with credits and more data to send repeats its request only after a long silence. The receiver goes on by
 * itself, and a flow that shares a NIC with 2,500 others waits long for a credit (XP-F8). */
#define SILENCE (10 * PS_PER_MS)

static span_ps sender_rto(const struct credit_sender *s) { return max_i64(s->min_rto, 2 * s->rtt); }

static span_ps sender_patience(const struct credit_sender *s) {
    span_ps rto = sender_rto(s) << s->backoff;
    return s->state == CREDIT_GRANTED && s->nxt < s->n_segments ? max_i64(rto, SILENCE) : rto;
}

/* Returns whether the application will provide more data. */
static bool sender_expects_data(const struct credit_sender *s, time_ps now) {
    return s->app_gap > 0 && sender_written(s, now) < s->n_segments;
}

/* Returns whether all data so far is sent, but the application will provide more. */
static bool sender_starved(const struct credit_sender *s, time_ps now) {
    return sender_expects_data(s, now) && s->nxt >= sender_written(s, now) && !s->recovering;
}

static time_ps sender_next_write(const struct credit_sender *s) { return s->started_at + (time_ps)s->nxt * s->app_gap; }

/* Sets the deadline: the next request, the application's next write, or the time to stop. */
static void sender_arm(struct credit_sender *s, time_ps now) {
    if (s->state == CREDIT_ENDED) {
        s->timer_at = TIME_NONE;
        return;
    }
    if (s->state == CREDIT_IDLE) {
        s->timer_at = sender_next_write(s);
        return;
    }
    s->timer_at = s->heard_at + sender_patience(s);
    if (!s->hold || !sender_starved(s, now)) return;
    s->timer_at = min_i64(s->timer_at, sender_next_write(s));
    if (s->state == CREDIT_GRANTED) s->timer_at = min_i64(s->timer_at, s->data_at + s->hold_for);
}

static void sender_ask(struct credit_sender *s, time_ps now) {
    sender_enter(s, CREDIT_ASKING);
    s->request_due = true;
    s->asked_at = s->heard_at = now;
}

static void sender_stop(struct credit_sender *s, const struct flow_env *env, time_ps now) {
    sender_enter(s, CREDIT_IDLE);
    s->stop_due = true;
    s->stopped_at = now;
    held_clear(s, env, CREDIT_WASTED_EXPIRED);
}

/* Increases the back-off. A first credit may take long just because thousands of other senders ask too. Requests need
 * no credit, so repeated requests must stay few beside first ones (XP-13, XP-26): each waits eight times as long. */
static void sender_back_off(struct credit_sender *s) {
    s->backoff = (uint8_t)(s->backoff + (s->state == CREDIT_ASKING ? 3 : 1));
    if (s->backoff > BACKOFF_MAX) s->backoff = BACKOFF_MAX;
}

static void sender_ask_again(struct credit_sender *s, struct flow_env *env, time_ps now) {
    if (s->state == CREDIT_ASKING)
        env->tally->syn_timeouts++;
    else
        env->tally->data_timeouts++;
    credit_count(env, CREDIT_REQUESTS_REPEATED, 1);
    s->request_due = true;
    s->heard_at = now;
    sender_back_off(s);
}

static void credit_sender_on_timer(void *end, struct flow_env *env, time_ps now) {
    struct credit_sender *s = end;
    bool starved = s->hold && sender_starved(s, now);
    if (s->state == CREDIT_IDLE) {
        if (!starved) sender_ask(s, now);
    } else if (s->state != CREDIT_ENDED) {
        if (now >= s->heard_at + sender_patience(s)) sender_ask_again(s, env, now);
        if (s->state == CREDIT_GRANTED && starved && now >= s->data_at + s->hold_for) sender_stop(s, env, now);
    }
    sender_arm(s, now);
}

/* ---- frames of the receiver ---- */

static void sender_end(struct credit_sender *s, struct flow_env *env, time_ps now) {
    sender_enter(s, CREDIT_ENDED);
    s->una = s->nxt = s->n_segments;
    s->request_due = s->stop_due = s->recovering = false;
    held_clear(s, env, CREDIT_WASTED_NO_DATA);
    env->tally->acked_at = now;
}

/* Moves una: every credit carries the first segment that the receiver misses. */
static void sender_acknowledge(struct credit_sender *s, uint32_t number, time_ps now) {
    uint64_t una = credit_segment(s->una, number);
    if (una <= s->una || una > s->nxt) return;
    s->una = una;
    s->una_since = now;
    if (!s->recovering) return;
    if (s->rxt < una) s->rxt = una;
    if (una >= s->recover) s->recovering = false;
}

/* Starts to send again if a credit still asks for a segment that should have arrived. The time is counted from when una
 * last moved, or anything was last sent, if that is earlier. */
static void sender_check_loss(struct credit_sender *s, struct flow_env *env, time_ps now) {
    span_ps patience = s->una < s->unscheduled_end ? 2 * s->rtt : sender_rto(s);
    if (s->una >= s->nxt || now - min_i64(s->una_since, s->data_at) < patience) return;
    s->recovering = true;
    s->rxt = s->una;
    s->recover = s->nxt;
    s->una_since = now;
    env->tally->fast_recoveries++;
    credit_count(env, CREDIT_RECOVERIES, 1);
}

/* Counts the repeated requests that were spurious: a credit comes sooner after them than any answer could. Each waited
 * eight times as long as the one before. */
static void sender_judge_requests(const struct credit_sender *s, struct flow_env *env, time_ps now) {
    uint8_t backoff = s->backoff;
    for (time_ps left = s->heard_at; backoff > 0 && now - left < env->trip_ps; left -= sender_rto(s) << backoff) {
        env->tally->spurious_timeouts++;
        backoff = (uint8_t)((backoff - 1) / 3 * 3);
    }
}

static void sender_first_credit(struct credit_sender *s, struct flow_env *env, time_ps now) {
    sender_judge_requests(s, env, now);
    s->min_rto = env->params[CREDIT_PARAM_MIN_RTO];
    if (s->rtt == 0) s->rtt = max_i64(now - s->asked_at, 1);
    if (s->hold_for == 0) s->hold_for = s->rtt;
    s->data_at = now;
    sender_enter(s, CREDIT_GRANTED);
}

/* Wastes a credit that arrives after STOP. If credits still arrive an RTO later, the STOP was lost and is repeated. */
static void sender_unwanted(struct credit_sender *s, const struct flow_env *env, time_ps now) {
    sender_waste(env, CREDIT_WASTED_NO_DATA, 1);
    if (now - s->stopped_at < sender_rto(s)) return;
    s->stop_due = true;
    s->stopped_at = now;
}

static void sender_on_credit(struct credit_sender *s, struct flow_env *env, time_ps now, const struct packet *p) {
    sender_acknowledge(s, p->seq, now);
    if (s->state == CREDIT_ASKING) sender_first_credit(s, env, now);
    s->heard_at = now;
    s->backoff = 0;
    if (s->state == CREDIT_IDLE) {
        sender_unwanted(s, env, now);
        return;
    }
    sender_check_loss(s, env, now);
    held_expire(s, env, now);
    if (sender_waiting(s, now) > s->n_held || (s->hold && sender_expects_data(s, now)))
        held_push(s, env, now, p);
    else
        sender_waste(env, CREDIT_WASTED_NO_DATA, 1);
}

static void credit_sender_on_packet(void *end, struct flow_env *env, time_ps now, const struct packet *p) {
    struct credit_sender *s = end;
    if (s->state == CREDIT_ENDED) {
        if (credit_kind(p) == CREDIT_GRANT) sender_waste(env, CREDIT_WASTED_NO_DATA, 1);
        return;
    }
    if (credit_kind(p) == CREDIT_GRANT)
        sender_on_credit(s, env, now, p);
    else if (credit_kind(p) == CREDIT_DONE && p->seq == (uint32_t)s->n_segments)
        sender_end(s, env, now);
    sender_arm(s, now);
}

/* ---- frames to the receiver ---- */

static bool sender_unscheduled_due(const struct credit_sender *s, time_ps now) {
    return s->state == CREDIT_ASKING && s->nxt < s->unscheduled_end && sender_has_new(s, now);
}

static bool sender_credit_usable(const struct credit_sender *s, time_ps now) {
    return s->n_held > 0 && sender_waiting(s, now) > 0 && !held_expired(s, held_newest(s), now);
}

static bool credit_sender_has_output(const void *end, const struct flow_env *env, time_ps now) {
    const struct credit_sender *s = end;
    (void)env;
    return s->request_due || s->stop_due || sender_credit_usable(s, now) || sender_unscheduled_due(s, now);
}

static void sender_count(struct credit_sender *s, struct flow_env *env, time_ps now, uint64_t segment, bool again) {
    struct flow_tally *t = env->tally;
    if (t->sent_pkts++ == 0) t->first_data_at = now;
    t->retransmitted_pkts += again;
    s->data_at = now;
    if (segment == s->una) s->una_since = now;
}

static void sender_data(struct credit_sender *s, struct flow_env *env, time_ps now, struct packet *p) {
    uint64_t new_from = s->nxt, segment = sender_take_segment(s, now);
    uint64_t left = env->bytes - segment * s->mss;
    uint32_t payload = left < s->mss ? (uint32_t)left : s->mss;
    p->seq = (uint32_t)segment;
    p->tcp_flags = CREDIT_DATA;
    if (segment + 1 == s->n_segments) p->tcp_flags |= CREDIT_LAST;
    p->payload_bytes = (uint16_t)payload;
    p->wire_bytes = packet_wire_bytes(0, CREDIT_HEADER_BYTES, payload);
    sender_count(s, env, now, segment, segment < new_from);
}

/* Sends data for the oldest credit that has not expired (SP-3, SP-4, SP-14, AM-37). */
static void sender_use_credit(struct credit_sender *s, struct flow_env *env, time_ps now, struct packet *p) {
    held_expire(s, env, now);
    struct held_credit c = *held_at(s, 0);
    held_drop(s);
    sender_data(s, env, now, p);
    p->ack = c.number;
    p->path = c.path;
    p->window = c.stamp;
    if (c.marked) p->tcp_flags |= CREDIT_MARKED;
    env->tally->credits_used++;
    env->tally->unfilled_bytes += (uint64_t)(CREDIT_DATA_WIRE_BYTES - p->wire_bytes);
}

/* Returns the flow's size as a request tells it: in segments, 0 if it is not told (AM-55). */
static uint32_t sender_told_segments(const struct credit_sender *s, const struct flow_env *env) {
    bool known = env->bytes != UINT64_MAX && s->n_segments <= UINT32_MAX;
    return known && env->params[CREDIT_PARAM_END] == CREDIT_END_SIZE ? (uint32_t)s->n_segments : 0;
}

static bool credit_sender_poll(void *end, struct flow_env *env, time_ps now, struct packet *p) {
    struct credit_sender *s = end;
    if (s->stop_due) { /* sent before a request that became due after it */
        s->stop_due = false;
        credit_control(p, CREDIT_STOP, s->una);
        credit_count(env, CREDIT_STOPS, 1);
    } else if (s->request_due) {
        s->request_due = false;
        credit_control(p, CREDIT_REQUEST, s->una);
        p->ack = sender_told_segments(s, env);
    } else if (sender_credit_usable(s, now)) {
        sender_use_credit(s, env, now, p);
    } else if (sender_unscheduled_due(s, now)) {
        sender_data(s, env, now, p);
        p->tcp_flags |= CREDIT_UNSCHEDULED;
        credit_count(env, CREDIT_UNSCHEDULED_PKTS, 1);
    } else {
        return false;
    }
    sender_arm(s, now);
    return true;
}

/* ---- start and end ---- */

static void credit_sender_open(void *end, struct flow_env *env, time_ps now) {
    struct credit_sender *s = end;
    const struct credit_keeping keeping = env->row->credit->keeping(env->params), *k = &keeping;
    s->mss = (uint16_t)env->params[CREDIT_PARAM_MSS];
    s->n_segments = credit_segments(env);
    s->window = (uint32_t)env->params[CREDIT_PARAM_WINDOW];
    s->min_rto = max_i64(env->params[CREDIT_PARAM_MIN_RTO], 2 * flow_base_trip(env));
    s->unscheduled_end = (uint64_t)env->params[CREDIT_PARAM_UNSCHEDULED] / s->mss;
    s->hold = k->hold;
    s->hold_for = k->hold_for;
    s->capacity = (uint16_t)k->capacity;
    s->started_at = now;
    if (env->rate_bps > 0) s->app_gap = max_i64(s->mss * WIRE_BITS * PS_PER_S / env->rate_bps, 1);
    sender_ask(s, now);
    sender_arm(s, now);
}

static void credit_sender_close(void *end, struct flow_env *env) {
    struct credit_sender *s = end;
    held_clear(s, env, CREDIT_WASTED_ENDED);
    if (s->far) cell_put(env->cells, s->far);
    s->far = NULL;
}

static uint64_t credit_sender_held(const void *end) { return ((const struct credit_sender *)end)->n_held; }

static void credit_sender_describe(const void *end, const struct flow_env *env, char *buf, size_t size) {
    const struct credit_sender *s = end;
    static const char *const states[] = {"asking", "granted", "idle", "ended"};
    char of[TEXT_OF_FLOW];
    snprintf(buf, size,
             "sender: %s, acknowledged %" PRIu64 " segments %s, next %" PRIu64
             ", %u credits held, next deadline %" PRId64 " ps",
             states[s->state], s->una, text_of_flow(env->bytes, of), s->nxt, s->n_held,
             s->timer_at == TIME_NONE ? -1 : s->timer_at);
}

static time_ps credit_sender_next_timer(const void *end) { return ((const struct credit_sender *)end)->timer_at; }

static bool credit_sender_has_sent(const void *end, const struct flow_env *env) {
    const struct credit_sender *s = end;
    (void)env;
    return s->nxt >= s->n_segments;
}

static bool credit_sender_is_done(const void *end, const struct flow_env *env) {
    (void)env;
    return ((const struct credit_sender *)end)->state == CREDIT_ENDED;
}

const struct transport_end credit_sender_end = {
    .bytes = sizeof(struct credit_sender),
    .hot = CREDIT_SENDER_HOT,
    .open = credit_sender_open,
    .close = credit_sender_close,
    .on_packet = credit_sender_on_packet,
    .on_timer = credit_sender_on_timer,
    .next_timer = credit_sender_next_timer,
    .has_output = credit_sender_has_output,
    .poll_transmit = credit_sender_poll,
    .is_done = credit_sender_is_done,
    .has_sent = credit_sender_has_sent,
    .describe = credit_sender_describe,
    .credits_held = credit_sender_held,
};
