/* SPDX-License-Identifier: Apache-2.0 */
/* The receiving end of a TCP flow; see tcp.h. */
#include "mech/transport/tcp.h"

#include "base/require.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define RTO_DOUBLINGS_MAX 60 /* a microsecond doubled so often is beyond any max_rto */

/* Changes the state, at this one place; the legal transitions stand at the enum. */
static void receiver_enter(struct tcp_receiver *r, enum tcp_receiver_state to) {
    static const uint8_t next[] = {
        [TCP_LISTEN] = TCP_SYN_RECEIVED, [TCP_SYN_RECEIVED] = TCP_ESTABLISHED, [TCP_ESTABLISHED] = TCP_FINISHED};
    REQUIRE(r->state < TCP_FINISHED && next[r->state] == to);
    r->state = (uint8_t)to;
}

/* --- answers --------------------------------------------------------------------------------------------------- */

/* Queues one immediate ACK. Pending ACKs with lower numbers are dropped: the pending ACK with the newest number covers
 * them. */
static void ack_now(struct tcp_receiver *r) {
    r->acks_due -= r->acks_behind;
    r->acks_behind = 0;
    r->acks_due++;
    r->unacked = 0;
    r->timer_at = TIME_NONE;
}

/* Queues one immediate ACK that covers all pending ones. */
static void ack_merged(struct tcp_receiver *r) {
    r->acks_due = 0;
    r->acks_behind = 0;
    ack_now(r);
}

/* Handles a segment in order: every `delayed_ack`-th one queues an ACK. An ACK that is still pending keeps its number,
 * so it acknowledges one segment less than the ACK queued after it. */
static void ack_in_order(struct tcp_receiver *r, const struct flow_env *env, time_ps now) {
    if (likely(r->delayed_ack <= 1)) {
        if (unlikely(r->acks_due > 0)) r->acks_behind++;
        r->acks_due++;
        return;
    }
    if (++r->unacked >= r->delayed_ack || r->rcv_nxt == env->bytes) {
        ack_merged(r);
    } else if (r->timer_at == TIME_NONE) {
        r->timer_at = now + env->params[TCP_PARAM_DELAYED_ACK_TIMEOUT];
    }
}

/* Returns the payload offset that the next ACK acknowledges. */
static uint64_t ack_offset(const struct tcp_receiver *r, const struct flow_env *env) {
    if (likely(r->acks_behind == 0)) return r->rcv_nxt;
    uint64_t last =
        r->rcv_nxt == env->bytes ? (r->rcv_nxt - 1) / r->mss_bytes * r->mss_bytes : r->rcv_nxt - r->mss_bytes;
    return last - (uint64_t)(r->acks_behind - 1) * r->mss_bytes;
}

static void fill_sack(struct tcp_receiver *r, struct flow_env *env, struct packet *p) {
    p->ext = packet_ext_get(env->pool);
    p->shape |= SHAPE_SACK;
    struct packet_ext *ext = packet_ext_at(env->pool, p->ext);
    ext->n_sack = (uint8_t)r->held->n_recent;
    for (uint32_t i = 0; i < ext->n_sack; i++) {
        uint64_t end = r->held->recent[i].end * r->mss_bytes;
        ext->sack[i].begin = r->seq_base + (uint32_t)(r->held->recent[i].begin * r->mss_bytes);
        ext->sack[i].end = r->seq_base + (uint32_t)(end < env->bytes ? end : env->bytes);
    }
    p->wire_bytes = packet_wire_bytes(0, tcp_header_bytes(p->tcp_flags, ext->n_sack), 0);
}

static bool send_ack(struct tcp_receiver *r, struct flow_env *env, struct packet *p) {
    if (r->acks_due == 0) return false;
    p->seq = r->seq;
    p->ack = r->seq_base + (uint32_t)ack_offset(r, env);
    p->window = r->window_units;
    p->tcp_flags = unlikely(r->ece) ? TCP_ACK | TCP_ECE : TCP_ACK;
    p->wire_bytes = WIRE_MIN_BYTES;
    if (unlikely(r->held != NULL) && env->params[TCP_PARAM_SACK]) fill_sack(r, env, p);
    r->acks_due--;
    if (r->acks_behind > 0) r->acks_behind--;
    return true;
}

static bool send_syn_ack(struct tcp_receiver *r, time_ps now, struct packet *p) {
    if (!r->syn_ack_due) return false;
    r->syn_ack_due = false;
    p->seq = r->seq - 1;
    p->ack = r->seq_base;
    p->tcp_flags = r->ecn_on ? TCP_SYN | TCP_ACK | TCP_ECE : TCP_SYN | TCP_ACK;
    p->window = tcp_window(r->window_bytes, TCP_SYN);
    p->wire_bytes = packet_wire_bytes(0, tcp_header_bytes(p->tcp_flags, 0), 0);
    if (r->timer_at == TIME_NONE) r->timer_at = now + r->rto_ps;
    return true;
}

bool tcp_receiver_poll(void *end, struct flow_env *env, time_ps now, struct packet *p) {
    struct tcp_receiver *r = end;
    if (unlikely(r->state == TCP_SYN_RECEIVED)) return send_syn_ack(r, now, p);
    return send_ack(r, env, p);
}

void tcp_receiver_on_timer(void *end, struct flow_env *env, time_ps now) {
    struct tcp_receiver *r = end;
    if (now < r->timer_at) return;
    r->timer_at = TIME_NONE;
    if (r->state != TCP_SYN_RECEIVED) {
        ack_merged(r);
        return;
    }
    r->syn_ack_due = true;
    r->rto_ps = min_i64(2 * r->rto_ps, env->params[TCP_PARAM_MAX_RTO]);
    if (env->tally->synack_timeouts < UINT16_MAX) env->tally->synack_timeouts++;
    env->counters[TCP_SYNACK_TIMEOUTS]++;
}

/* Counts the timeouts of the SYN-ACK that were spurious: those whose repetition left so late that the handshake's ACK
 * cannot answer it. The last repetition left an RTO before its deadline, each earlier one an RTO of its own before the
 * next. */
static void judge_syn_ack(const struct tcp_receiver *r, struct flow_env *env, time_ps now) {
    const int64_t *params = env->params;
    uint16_t spurious = 0;
    time_ps left = r->timer_at == TIME_NONE ? now : r->timer_at - r->rto_ps;
    for (uint32_t n = env->tally->synack_timeouts; n > 0 && now - left < env->trip_ps; n--) {
        spurious++;
        int128 before = (int128)tcp_syn_rto(env) << min_i64(n - 1, RTO_DOUBLINGS_MAX), most = params[TCP_PARAM_MAX_RTO];
        left -= (span_ps)(before < most ? before : most);
    }
    env->tally->synack_spurious = spurious;
    env->counters[TCP_SPURIOUS_TIMEOUTS] += spurious;
}

/* --- data ------------------------------------------------------------------------------------------------------ */

static void take_bytes(struct flow_env *env, uint32_t bytes) { env->tally->received_bytes += bytes; }

static void finish_if_complete(struct tcp_receiver *r, struct flow_env *env, time_ps now) {
    if (likely(r->rcv_nxt < env->bytes)) return;
    receiver_enter(r, TCP_FINISHED);
    env->tally->finished_at = now;
}

/* Holds a segment above rcv_nxt and answers with a duplicate ACK, which names it if SACK is on. */
static void hold(struct tcp_receiver *r, struct flow_env *env, const struct packet *p, uint64_t segment) {
    if (!r->held) {
        r->held = cell_get(env->cells);
        reassembly_init(r->held, tcp_window_segments(env->params), r->rcv_nxt / r->mss_bytes);
    }
    if (reassembly_has(r->held, segment)) {
        env->tally->duplicate_pkts++;
    } else {
        if (segment >= r->held->high)
            r->held->high_serial = p->serial;
        else if (p->serial < r->held->high_serial)
            env->tally->reordered_pkts++;
        reassembly_add(r->held, segment);
        take_bytes(env, p->payload_bytes);
        if (r->held->n_held > env->tally->max_reorder_pkts) env->tally->max_reorder_pkts = r->held->n_held;
    }
    ack_now(r);
}

/* Takes in the expected segment while others are held above it. */
static void fill_hole(struct tcp_receiver *r, struct flow_env *env, time_ps now, const struct packet *p) {
    if (p->serial < r->held->high_serial) env->tally->reordered_pkts++;
    uint64_t offset = reassembly_advance(r->held) * r->mss_bytes;
    r->rcv_nxt = offset < env->bytes ? offset : env->bytes;
    if (r->held->n_held == 0) {
        cell_put(env->cells, r->held);
        r->held = NULL;
    }
    take_bytes(env, p->payload_bytes);
    ack_merged(r);
    finish_if_complete(r, env, now);
}

/* Handles a segment that is not the next in order: a duplicate, one above a hole, one that fills a hole, or one that
 * none of our senders would send. */
static void on_odd_data(struct tcp_receiver *r, struct flow_env *env, time_ps now, const struct packet *p,
                        int32_t ahead) {
    if (ahead < 0) {
        env->tally->duplicate_pkts++;
        ack_merged(r);
        return;
    }
    uint64_t offset = r->rcv_nxt + (uint32_t)ahead;
    bool whole =
        offset % r->mss_bytes == 0 && (p->payload_bytes == r->mss_bytes || offset + p->payload_bytes == env->bytes);
    bool inside = (uint32_t)ahead + p->payload_bytes <= r->window_bytes && offset + p->payload_bytes <= env->bytes;
    if (!whole || !inside)
        ack_merged(r); /* no sender of ours cut it so: repeat which byte is expected */
    else if (ahead == 0)
        fill_hole(r, env, now, p);
    else
        hold(r, env, p, offset / r->mss_bytes);
}

static void take_ecn(struct tcp_receiver *r, struct flow_env *env, const struct packet *p) {
    if (p->tcp_flags & TCP_CWR) r->ece = false;
    if ((p->tos & ECN_MASK) == ECN_CE) {
        r->ece = r->ecn_on;
        env->tally->marked_pkts++;
    }
}

static void on_data(struct tcp_receiver *r, struct flow_env *env, time_ps now, const struct packet *p) {
    int32_t ahead = (int32_t)(p->seq - (r->seq_base + (uint32_t)r->rcv_nxt));
    if (unlikely((p->tos & ECN_MASK) == ECN_CE || (p->tcp_flags & TCP_CWR))) take_ecn(r, env, p);
    bool full = p->payload_bytes == r->mss_bytes || r->rcv_nxt + p->payload_bytes == env->bytes;
    if (unlikely(ahead != 0 || r->held || !full || r->state == TCP_FINISHED)) {
        on_odd_data(r, env, now, p, ahead);
        return;
    }
    r->rcv_nxt += p->payload_bytes;
    take_bytes(env, p->payload_bytes);
    ack_in_order(r, env, now);
    finish_if_complete(r, env, now);
}

static void on_syn(struct tcp_receiver *r, const struct flow_env *env, const struct packet *p) {
    if (r->state == TCP_LISTEN) {
        receiver_enter(r, TCP_SYN_RECEIVED);
        r->seq_base = p->seq + 1;
        r->ecn_on = env->params[TCP_PARAM_ECN] && (p->tcp_flags & TCP_ECE) && (p->tcp_flags & TCP_CWR);
    }
    if (r->state == TCP_SYN_RECEIVED)
        r->syn_ack_due = true;
    else
        ack_merged(r);
}

void tcp_receiver_on_packet(void *end, struct flow_env *env, time_ps now, const struct packet *p) {
    struct tcp_receiver *r = end;
    if (unlikely(p->tcp_flags & TCP_SYN)) {
        on_syn(r, env, p);
        return;
    }
    if (unlikely(r->state < TCP_ESTABLISHED)) {
        if (r->state == TCP_LISTEN || !(p->tcp_flags & TCP_ACK) || p->ack != r->seq) return;
        receiver_enter(r, TCP_ESTABLISHED);
        if (env->tally->synack_timeouts > 0) judge_syn_ack(r, env, now);
        r->syn_ack_due = false;
        r->timer_at = TIME_NONE;
    }
    if (likely(p->payload_bytes > 0)) on_data(r, env, now, p);
}

/* --- life ------------------------------------------------------------------------------------------------------ */

void tcp_receiver_open(void *end, struct flow_env *env, time_ps now) {
    struct tcp_receiver *r = end;
    (void)now;
    r->mss_bytes = (uint16_t)env->params[TCP_PARAM_MSS];
    r->window_units = tcp_window_units(env->params);
    r->window_bytes = (uint32_t)r->window_units << TCP_WINDOW_SCALE;
    r->delayed_ack = (uint8_t)env->params[TCP_PARAM_DELAYED_ACK];
    r->seq = env->isn + 1;
    r->timer_at = TIME_NONE;
    r->rto_ps = tcp_syn_rto(env);
    if (!env->established) return;
    r->state = TCP_ESTABLISHED; /* no transition: a flow on an open connection starts here */
    r->seq_base = env->peer_isn + 1;
    r->ecn_on = env->params[TCP_PARAM_ECN];
}

void tcp_receiver_close(void *end, struct flow_env *env) {
    struct tcp_receiver *r = end;
    if (r->held) cell_put(env->cells, r->held);
    r->held = NULL;
}

void tcp_receiver_describe(const void *end, const struct flow_env *env, char *buf, size_t size) {
    const struct tcp_receiver *r = end;
    static const char *const name[] = {"listen", "syn_received", "established", "finished"};
    char of[TEXT_OF_FLOW];
    snprintf(buf, size, "receiver %s: in order %" PRIu64 " %s, held out of order %u, acks due %u", name[r->state],
             r->rcv_nxt, text_of_flow(env->bytes, of), r->held ? r->held->n_held : 0, r->acks_due);
}

time_ps tcp_receiver_next_timer(const void *end) { return ((const struct tcp_receiver *)end)->timer_at; }

bool tcp_receiver_has_output(const void *end, const struct flow_env *env, time_ps now) {
    const struct tcp_receiver *r = end;
    (void)env, (void)now;
    return r->state == TCP_SYN_RECEIVED ? r->syn_ack_due : r->acks_due > 0;
}

bool tcp_receiver_is_done(const void *end, const struct flow_env *env) {
    const struct tcp_receiver *r = end;
    (void)env;
    return r->state == TCP_FINISHED && r->acks_due == 0;
}

const struct transport_end tcp_receiver_end = {
    .bytes = sizeof(struct tcp_receiver),
    .cell_at = offsetof(struct tcp_receiver, held),
    .open = tcp_receiver_open,
    .close = tcp_receiver_close,
    .on_packet = tcp_receiver_on_packet,
    .on_timer = tcp_receiver_on_timer,
    .next_timer = tcp_receiver_next_timer,
    .has_output = tcp_receiver_has_output,
    .poll_transmit = tcp_receiver_poll,
    .is_done = tcp_receiver_is_done,
    .describe = tcp_receiver_describe,
};
