/* SPDX-License-Identifier: Apache-2.0 */
/* The sending end of a TCP flow; see tcp.h. */
#include "mech/transport/tcp.h"

#include "base/require.h"

#include <assert.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define COLD __attribute__((noinline, cold)) /* keeps the common path short */

static uint64_t lower(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Changes the state, at this one place; the legal transitions stand at the enum. */
static void sender_enter(struct tcp_sender *s, enum tcp_sender_state to) {
    static const uint8_t legal[] = {
        [TCP_CLOSED] = 1 << TCP_SYN_SENT | 1 << TCP_OPEN,
        [TCP_SYN_SENT] = 1 << TCP_OPEN,
        [TCP_OPEN] = 1 << TCP_RECOVERY | 1 << TCP_LOSS | 1 << TCP_DONE,
        [TCP_RECOVERY] = 1 << TCP_OPEN | 1 << TCP_LOSS | 1 << TCP_DONE,
        [TCP_LOSS] = 1 << TCP_OPEN | 1 << TCP_LOSS | 1 << TCP_DONE,
        [TCP_DONE] = 0,
    };
    REQUIRE(legal[s->state] >> to & 1);
    s->state = (uint8_t)to;
}

/* --- scoreboard ------------------------------------------------------------------------------------------------ */

/* Returns the number of segments that begin below this offset; the last one of a flow may be short. */
static uint64_t segments_below(const struct tcp_sender *s, uint64_t offset) {
    return (offset + s->mss_bytes - 1) / s->mss_bytes;
}

static void need_board(struct tcp_sender *s, struct flow_env *env) {
    if (s->board) return;
    s->board = cell_get(env->cells);
    scoreboard_init(s->board, tcp_window_segments(env->params), segments_below(s, s->snd_una),
                    segments_below(s, s->snd_nxt));
}

static void drop_board(struct tcp_sender *s, struct flow_env *env) {
    if (!s->board) return;
    cell_put(env->cells, s->board);
    s->board = NULL;
}

/* --- sending --------------------------------------------------------------------------------------------------- */

static uint32_t segment_bytes(const struct tcp_sender *s, const struct flow_env *env, uint64_t offset) {
    return (uint32_t)lower(env->bytes - offset, s->mss_bytes);
}

/* Returns the bytes of new data that the windows allow now, in one segment; 0 = none. */
static uint32_t new_data_bytes(const struct tcp_sender *s, const struct flow_env *env) {
    uint32_t bytes = segment_bytes(s, env, s->snd_nxt);
    uint64_t window = lower((uint64_t)s->cwnd_bytes + s->extra_bytes, s->rwnd_bytes);
    return s->snd_nxt + bytes <= s->snd_una + window ? bytes : 0;
}

static void fill_header(const struct tcp_sender *s, struct packet *p, uint32_t seq, uint8_t flags, uint32_t bytes) {
    p->seq = seq;
    p->ack = s->rcv_nxt;
    p->tcp_flags = flags;
    p->window = s->window_units;
    p->payload_bytes = (uint16_t)bytes;
    p->wire_bytes = packet_wire_bytes(0, tcp_header_bytes(flags, 0), bytes);
}

static void start_timer(struct tcp_sender *s, time_ps now) {
    if (s->rto_at == TIME_NONE) s->rto_at = now + s->rto_ps;
}

static void fill_data(struct tcp_sender *s, struct flow_env *env, time_ps now, uint64_t offset, uint32_t bytes,
                      struct packet *p) {
    uint8_t flags = offset + bytes == env->bytes ? TCP_ACK | TCP_PSH : TCP_ACK;
    fill_header(s, p, s->seq_base + (uint32_t)offset, flags, bytes);
    s->frame_due = false; /* the data carries the ACK */
    start_timer(s, now);
}

static void send_new(struct tcp_sender *s, struct flow_env *env, time_ps now, uint32_t bytes, struct packet *p) {
    fill_data(s, env, now, s->snd_nxt, bytes, p);
    s->snd_nxt += bytes;
    if (s->timed_end == 0) {
        s->timed_end = s->snd_nxt;
        s->timed_at = now;
        if (s->snd_nxt == bytes) env->tally->first_data_at = now;
    }
    if (s->snd_nxt + s->mss_bytes > s->snd_una + s->cwnd_bytes) s->limited_end = s->snd_nxt;
    if (unlikely(s->ecn_on)) {
        p->tos |= ECN_ECT0;
        if (s->cwr_due) p->tcp_flags |= TCP_CWR;
        s->cwr_due = false;
    }
    if (unlikely(s->board != NULL)) scoreboard_on_sent(s->board);
}

/* Notes that a retransmission leaves, for judge_timeouts. */
static void note_repair(struct tcp_sender *s, time_ps now) {
    if (s->repaired_at != TIME_NONE) return;
    s->repaired_at = now;
    if (s->timeouts == 1) s->first_repair_at = now;
}

/* Fills a retransmission. It is not ECN-capable (RFC 3168, 6.1.5) and ends the timing (Karn). */
static void send_again(struct tcp_sender *s, struct flow_env *env, time_ps now, uint64_t segment, struct packet *p) {
    uint64_t offset = segment * s->mss_bytes;
    fill_data(s, env, now, offset, segment_bytes(s, env, offset), p);
    s->rexmit_due = false;
    s->timed_end = 0;
    note_repair(s, now);
    env->tally->retransmitted_pkts++;
    env->counters[TCP_RETRANSMITS]++;
}

COLD static bool send_syn(struct tcp_sender *s, struct flow_env *env, time_ps now, struct packet *p) {
    if (!s->frame_due) return false;
    bool ecn = env->params[TCP_PARAM_ECN];
    fill_header(s, p, s->seq_base - 1, ecn ? TCP_SYN | TCP_ECE | TCP_CWR : TCP_SYN, 0);
    p->window = tcp_window((uint64_t)s->window_units << TCP_WINDOW_SCALE, TCP_SYN);
    s->frame_due = false;
    if (s->timeouts == 0) s->timed_at = now;
    if (s->timeouts > 0) note_repair(s, now);
    start_timer(s, now);
    return true;
}

enum next_kind { NEXT_NONE, NEXT_NEW, NEXT_AGAIN, NEXT_RESCUE };

/* NextSeg() of RFC 6675, and the loss phase after a timeout: returns what to send now. Sets *segment for AGAIN and
 * RESCUE. */
static enum next_kind next_segment(const struct tcp_sender *s, const struct flow_env *env, uint64_t *segment) {
    const struct scoreboard *b = s->board;
    uint64_t pipe_after = ((uint64_t)b->pipe + 1) * s->mss_bytes;
    if (pipe_after > s->cwnd_bytes && !s->rexmit_due) return NEXT_NONE;

    *segment = scoreboard_next(b, b->lost_end);
    if (*segment < b->lost_end) return NEXT_AGAIN; /* rule 1 */
    if (pipe_after > s->cwnd_bytes) return NEXT_NONE;

    uint32_t bytes = segment_bytes(s, env, s->snd_nxt);
    if (bytes > 0 && s->snd_nxt + bytes <= s->snd_una + s->rwnd_bytes) return NEXT_NEW; /* rule 2 */
    if (s->state == TCP_LOSS || !env->params[TCP_PARAM_SACK]) return NEXT_NONE;

    *segment = scoreboard_next(b, b->fack);
    if (*segment < b->fack) return NEXT_AGAIN; /* rule 3 */
    if (b->una <= b->rescue) return NEXT_NONE;
    *segment = scoreboard_last_missing(b);
    return *segment >= b->high_rxt ? NEXT_RESCUE : NEXT_NONE; /* rule 4 */
}

COLD static bool send_in_recovery(struct tcp_sender *s, struct flow_env *env, time_ps now, struct packet *p) {
    uint64_t segment;
    switch (next_segment(s, env, &segment)) {
    case NEXT_NEW: send_new(s, env, now, segment_bytes(s, env, s->snd_nxt), p); return true;
    case NEXT_AGAIN:
        send_again(s, env, now, segment, p);
        scoreboard_on_retransmit(s->board, segment);
        return true;
    case NEXT_RESCUE:
        send_again(s, env, now, segment, p);
        s->board->rescue = segments_below(s, s->recovery_point);
        env->counters[TCP_RESCUES]++;
        return true;
    case NEXT_NONE: break;
    }
    return false;
}

COLD static bool send_pure_ack(struct tcp_sender *s, struct packet *p) {
    if (!s->frame_due) return false;
    fill_header(s, p, s->seq_base + (uint32_t)s->snd_nxt, TCP_ACK, 0);
    s->frame_due = false;
    return true;
}

bool tcp_sender_has_sent(const void *end, const struct flow_env *env) {
    return ((const struct tcp_sender *)end)->snd_nxt >= env->bytes;
}

bool tcp_sender_farewell(const void *end, const struct flow_env *env, struct packet *p) {
    const struct tcp_sender *s = end;
    if (!env->params[TCP_PARAM_FIN] || env->stays_open) return false;
    fill_header(s, p, s->seq_base + (uint32_t)env->bytes, TCP_FIN | TCP_ACK, 0);
    return true;
}

bool tcp_sender_poll(void *end, struct flow_env *env, time_ps now, struct packet *p) {
    struct tcp_sender *s = end;
    if (likely(s->state == TCP_OPEN)) {
        uint32_t bytes = new_data_bytes(s, env);
        if (unlikely(bytes == 0)) return send_pure_ack(s, p);
        send_new(s, env, now, bytes, p);
        return true;
    }
    if (s->state == TCP_SYN_SENT) return send_syn(s, env, now, p);
    if (s->state == TCP_DONE) return false;
    return send_in_recovery(s, env, now, p) || send_pure_ack(s, p);
}

bool tcp_sender_has_output(const void *end, const struct flow_env *env, time_ps now) {
    const struct tcp_sender *s = end;
    (void)now;
    if (likely(s->state == TCP_OPEN)) return new_data_bytes(s, env) > 0 || s->frame_due;
    if (s->state == TCP_SYN_SENT) return s->frame_due;
    if (s->state == TCP_DONE) return false;
    uint64_t segment;
    return s->frame_due || next_segment(s, env, &segment) != NEXT_NONE;
}

/* --- loss ------------------------------------------------------------------------------------------------------ */

static uint32_t flight_bytes(const struct tcp_sender *s) { return (uint32_t)(s->snd_nxt - s->snd_una); }

/* Returns the flight for a reduction of the window, without what limited transmit sent (RFC 5681, 3.2). */
static uint32_t counted_flight_bytes(const struct tcp_sender *s) {
    return (uint32_t)lower(flight_bytes(s), s->cwnd_bytes);
}

static void reset_dupacks(struct tcp_sender *s) {
    s->dupacks = 0;
    s->extra_bytes = 0;
}

static void enter_recovery(struct tcp_sender *s, struct flow_env *env, time_ps now) {
    sender_enter(s, TCP_RECOVERY);
    s->congestion->on_loss(s, counted_flight_bytes(s), now);
    s->recovery_point = s->ecn_end = s->snd_nxt;
    s->extra_bytes = 0;
    if (!env->params[TCP_PARAM_SACK]) scoreboard_mark_first_lost(s->board);
    s->rexmit_due = s->board->high_rxt == s->board->una;
    s->board->rescue = s->board->una + 1;
    s->cwr_due = s->ecn_on;
    env->tally->fast_recoveries++;
    env->counters[TCP_FAST_RETRANSMITS]++;
}

static void on_timeout(struct tcp_sender *s, struct flow_env *env, time_ps now) {
    if (s->timeouts == 0) s->congestion->on_timeout(s, counted_flight_bytes(s), now);
    if (s->timeouts < UINT8_MAX) s->timeouts++;
    sender_enter(s, TCP_LOSS);
    need_board(s, env);
    scoreboard_mark_all_lost(s->board);
    reset_dupacks(s);
    s->cwnd_bytes = s->mss_bytes;
    s->recovery_point = s->ecn_end = s->snd_nxt;
    s->rexmit_due = false;
    s->cwr_due = s->ecn_on;
    s->timed_end = 0;
    s->repaired_at = TIME_NONE;
    env->tally->data_timeouts++;
    env->counters[TCP_TIMEOUTS]++;
}

static void on_syn_timeout(struct tcp_sender *s, struct flow_env *env) {
    if (s->timeouts < UINT8_MAX) s->timeouts++;
    s->frame_due = true;
    s->repaired_at = TIME_NONE;
    env->tally->syn_timeouts++;
    env->counters[TCP_SYN_TIMEOUTS]++;
}

/* Handles an expired RTO. The timer starts anew when the retransmission leaves. */
void tcp_sender_on_timer(void *end, struct flow_env *env, time_ps now) {
    struct tcp_sender *s = end;
    if (now < s->rto_at) return;
    s->rto_at = TIME_NONE;
    s->rto_ps = min_i64(2 * s->rto_ps, env->params[TCP_PARAM_MAX_RTO]);
    if (s->state == TCP_SYN_SENT)
        on_syn_timeout(s, env);
    else
        on_timeout(s, env, now);
}

/* --- acknowledgements ------------------------------------------------------------------------------------------ */

COLD static void take_rtt(struct tcp_sender *s, const struct flow_env *env, span_ps sample) {
    tcp_rtt_sample(&s->rtt, sample);
    s->rto_ps = tcp_rtt_rto(&s->rtt, env->params[TCP_PARAM_MIN_RTO], env->params[TCP_PARAM_MAX_RTO]);
}

COLD static void finish(struct tcp_sender *s, struct flow_env *env, time_ps now) {
    sender_enter(s, TCP_DONE);
    drop_board(s, env);
    s->rto_at = TIME_NONE;
    s->frame_due = false;
    env->tally->acked_at = now;
}

/* Counts the timeouts in a row before this answer as spurious if they were; tcp.h has the rule. */
COLD static void judge_timeouts(struct tcp_sender *s, struct flow_env *env, time_ps now) {
    span_ps least = s->rtt.srtt_ps ? s->rtt.min_ps : env->trip_ps;
    uint32_t spurious = s->repaired_at == TIME_NONE || now - s->repaired_at < least;
    if (spurious && s->timeouts > 1 && now - s->first_repair_at < least) spurious = s->timeouts;
    env->tally->spurious_timeouts += spurious;
    env->counters[TCP_SPURIOUS_TIMEOUTS] += spurious;
    s->timeouts = 0;
}

/* Reacts to ECN-Echo, once per window of data (RFC 3168, 6.1.2). */
COLD static void cut_for_ecn(struct tcp_sender *s, struct flow_env *env, time_ps now, uint32_t flight) {
    if (s->state != TCP_OPEN || s->snd_una <= s->ecn_end) return;
    s->congestion->on_ecn(s, (uint32_t)lower(flight, s->cwnd_bytes), now);
    s->ecn_end = s->snd_nxt;
    s->cwr_due = true;
    env->counters[TCP_ECN_CUTS]++;
}

/* Moves the cumulative ACK: windows, RTT, timer. Does not touch the scoreboard. */
static void advance(struct tcp_sender *s, struct flow_env *env, time_ps now, uint32_t acked, bool ece) {
    uint32_t flight = flight_bytes(s);
    bool limited = s->snd_una < s->limited_end;
    s->snd_una += acked;
    if (unlikely(s->timeouts > 0)) judge_timeouts(s, env, now);
    span_ps rtt = 0;
    if (s->timed_end != 0 && s->snd_una >= s->timed_end) {
        s->timed_end = 0;
        rtt = now - s->timed_at;
        take_rtt(s, env, rtt);
    }
    s->rto_at = s->snd_una == s->snd_nxt ? TIME_NONE : now + s->rto_ps;
    bool marked = unlikely(ece) && s->ecn_on; /* the window must not grow then (RFC 3168, 6.1.2) */
    if (marked) cut_for_ecn(s, env, now, flight);
    struct tcp_ack ack = {.now = now,
                          .rtt_ps = rtt,
                          .acked_bytes = acked,
                          .may_grow = limited && !marked && s->state != TCP_RECOVERY,
                          .after_timeout = s->state == TCP_LOSS,
                          .ece = marked};
    s->congestion->on_ack(s, &ack);
}

/* Takes in the SACK blocks; returns how many segments they newly report. */
static uint32_t take_sack(struct tcp_sender *s, struct flow_env *env, const struct packet *p) {
    const struct packet_ext *ext = packet_ext_at(env->pool, p->ext);
    uint32_t news = 0, una_seq = s->seq_base + (uint32_t)s->snd_una;
    need_board(s, env);
    for (uint32_t i = 0; i < ext->n_sack && i < TCP_SACK_MAX; i++) {
        int32_t begin = (int32_t)(ext->sack[i].begin - una_seq), end = (int32_t)(ext->sack[i].end - una_seq);
        if (begin >= end || end <= 0 || (uint32_t)end > flight_bytes(s)) continue;
        uint64_t from = begin > 0 ? s->snd_una + (uint32_t)begin : s->snd_una;
        news += scoreboard_on_sack(s->board, segments_below(s, from), segments_below(s, s->snd_una + (uint32_t)end));
    }
    return news;
}

static void on_dupack(struct tcp_sender *s, struct flow_env *env) {
    uint32_t most = (uint32_t)env->params[TCP_PARAM_DUPACK_THRESHOLD] - 1;
    if (s->dupacks < UINT16_MAX) s->dupacks++;
    env->counters[TCP_DUPACKS]++;
    if (s->state == TCP_OPEN && env->params[TCP_PARAM_LIMITED_TRANSMIT])
        s->extra_bytes = (uint32_t)lower(s->dupacks, most) * s->mss_bytes;
    if (env->params[TCP_PARAM_SACK] || s->state == TCP_LOSS) return;
    need_board(s, env);
    scoreboard_on_reno_dupack(s->board);
}

/* Returns whether duplicate ACKs reached the threshold, or RFC 6675's IsLost holds for the first segment. Without SACK,
 * duplicate ACKs caused by the repair after a timeout must not start another recovery (RFC 6582, 3.2 step 1). */
static bool must_recover(const struct tcp_sender *s, const struct flow_env *env) {
    if (s->state != TCP_OPEN || !s->board || !env->params[TCP_PARAM_FAST_RETRANSMIT]) return false;
    if (!env->params[TCP_PARAM_SACK])
        return s->dupacks >= env->params[TCP_PARAM_DUPACK_THRESHOLD] &&
               (s->snd_una > s->recovery_point || s->snd_una == 0);
    return s->board->lost_end > s->board->una;
}

static void on_partial_or_full_ack(struct tcp_sender *s, struct flow_env *env) {
    scoreboard_on_ack(s->board, segments_below(s, s->snd_una));
    reset_dupacks(s);
    if (s->state == TCP_OPEN) return;
    if (s->snd_una >= s->recovery_point) {
        s->rexmit_due = false;
        sender_enter(s, TCP_OPEN);
    } else if (s->state == TCP_RECOVERY && !env->params[TCP_PARAM_SACK]) { /* RFC 6582: send the next hole at once */
        scoreboard_mark_first_lost(s->board);
        s->rexmit_due = s->board->high_rxt == s->board->una;
    }
}

/* Handles an ACK while there is a scoreboard, or with SACK blocks, or a duplicate ACK. */
COLD static void on_troubled_ack(struct tcp_sender *s, struct flow_env *env, time_ps now, const struct packet *p,
                                 uint32_t acked) {
    if (acked > 0) {
        advance(s, env, now, acked, p->tcp_flags & TCP_ECE);
        if (s->snd_una == env->bytes) return finish(s, env, now);
        if (s->board) on_partial_or_full_ack(s, env);
    }
    bool has_sack = (p->shape & SHAPE_SACK) && env->params[TCP_PARAM_SACK];
    uint32_t news = has_sack ? take_sack(s, env, p) : 0;
    bool is_dupack = acked == 0 && flight_bytes(s) > 0 && (news > 0 || !env->params[TCP_PARAM_SACK]);
    if (is_dupack) on_dupack(s, env);
    if (!s->board) return;
    if (news > 0 && env->params[TCP_PARAM_FAST_RETRANSMIT])
        scoreboard_mark_lost(s->board, (uint32_t)env->params[TCP_PARAM_DUPACK_THRESHOLD]);
    assert(s->board->pipe == scoreboard_counted_pipe(s->board));
    if (must_recover(s, env)) enter_recovery(s, env, now);
    if (s->state == TCP_OPEN && s->board->n_sacked == 0 && s->dupacks == 0) drop_board(s, env);
}

static void on_ack(struct tcp_sender *s, struct flow_env *env, time_ps now, const struct packet *p) {
    uint32_t acked = p->ack - (s->seq_base + (uint32_t)s->snd_una);
    if (unlikely(acked > flight_bytes(s))) return; /* old, or for data never sent */
    s->rwnd_bytes = (uint32_t)lower(p->window, s->window_units) << TCP_WINDOW_SCALE;
    if (unlikely(s->board || acked == 0 || (p->shape & SHAPE_SACK))) {
        on_troubled_ack(s, env, now, p, acked);
        return;
    }
    advance(s, env, now, acked, p->tcp_flags & TCP_ECE);
    if (unlikely(s->snd_una == env->bytes)) finish(s, env, now);
}

/* Opens the connection. If more than one SYN or SYN-ACK was lost, the window is one segment (RFC 5681, 3.1, as relaxed
 * by RFC 6928). */
COLD static void on_syn_ack(struct tcp_sender *s, struct flow_env *env, time_ps now, const struct packet *p) {
    if (p->ack != s->seq_base) return;
    sender_enter(s, TCP_OPEN);
    s->rcv_nxt = p->seq + 1;
    s->rwnd_bytes = (uint32_t)lower(p->window, s->window_units) << TCP_WINDOW_SCALE;
    if (s->rwnd_bytes > UINT16_MAX) s->rwnd_bytes = UINT16_MAX; /* a SYN's window is not scaled */
    s->ecn_on = env->params[TCP_PARAM_ECN] && (p->tcp_flags & TCP_ECE);
    s->rto_at = TIME_NONE;
    s->rto_ps = tcp_initial_rto(env);
    if (s->timeouts == 0 && env->params[TCP_PARAM_HANDSHAKE_SAMPLE]) take_rtt(s, env, now - s->timed_at);
    if (s->timeouts > 1) s->cwnd_bytes = s->mss_bytes;
    if (s->timeouts > 0) judge_timeouts(s, env, now);
    s->frame_due = true; /* send a pure ACK, unless data carries it */
}

void tcp_sender_on_packet(void *end, struct flow_env *env, time_ps now, const struct packet *p) {
    struct tcp_sender *s = end;
    if (!(p->tcp_flags & TCP_ACK) || s->state == TCP_DONE) return;
    if (likely(s->state != TCP_SYN_SENT)) {
        if (unlikely(p->tcp_flags & TCP_SYN))
            s->frame_due = true; /* the SYN-ACK was repeated: our ACK was lost */
        else
            on_ack(s, env, now, p);
    } else if (p->tcp_flags & TCP_SYN) {
        on_syn_ack(s, env, now, p);
    }
}

/* --- life ------------------------------------------------------------------------------------------------------ */

/* Opens on an open connection, whose options the peer agreed to when it was opened. The window, its slow start and the
 * RTT start anew, unless tcp_sender_recall brings those of the flow before. */
static void open_established(struct tcp_sender *s, const struct flow_env *env) {
    s->rcv_nxt = env->peer_isn + 1;
    s->rwnd_bytes = (uint32_t)s->window_units << TCP_WINDOW_SCALE;
    s->ecn_on = env->params[TCP_PARAM_ECN];
    s->frame_due = false;
    sender_enter(s, TCP_OPEN);
}

void tcp_sender_open(void *end, struct flow_env *env, time_ps now) {
    struct tcp_sender *s = end;
    (void)now;
    REQUIRE(env->bytes > 0);
    s->congestion = env->row->congestion;
    s->mss_bytes = (uint16_t)env->params[TCP_PARAM_MSS];
    s->window_units = tcp_window_units(env->params);
    s->cwnd_bytes = (uint32_t)env->params[TCP_PARAM_INITIAL_WINDOW] * s->mss_bytes;
    s->ssthresh_bytes = TCP_CWND_MAX;
    s->seq_base = env->isn + 1;
    s->rto_at = TIME_NONE;
    s->rto_ps = env->established ? tcp_initial_rto(env) : tcp_syn_rto(env);
    s->frame_due = true;
    s->congestion->init(s, env);
    if (env->established)
        open_established(s, env);
    else
        sender_enter(s, TCP_SYN_SENT);
}

/* Segments sent are not counted with each frame, which would touch the cache line of the tally: those below snd_nxt were
 * sent once, and retransmissions are counted. */
void tcp_sender_settle(void *end, struct flow_env *env) {
    const struct tcp_sender *s = end;
    env->tally->sent_pkts = (uint32_t)segments_below(s, s->snd_nxt) + env->tally->retransmitted_pkts;
    env->tally->cwnd_bytes = s->cwnd_bytes;
}

void tcp_sender_close(void *end, struct flow_env *env) {
    tcp_sender_settle(end, env);
    drop_board(end, env);
}

time_ps tcp_sender_next_timer(const void *end) { return ((const struct tcp_sender *)end)->rto_at; }

bool tcp_sender_is_done(const void *end, const struct flow_env *env) {
    (void)env;
    return ((const struct tcp_sender *)end)->state == TCP_DONE;
}

uint32_t tcp_sender_cwnd_bytes(const void *end) { return ((const struct tcp_sender *)end)->cwnd_bytes; }

const struct transport_end tcp_sender_end = {
    .bytes = sizeof(struct tcp_sender),
    .hot = offsetof(struct tcp_sender, private),
    .cell_at = offsetof(struct tcp_sender, board),
    .open = tcp_sender_open,
    .close = tcp_sender_close,
    .on_packet = tcp_sender_on_packet,
    .on_timer = tcp_sender_on_timer,
    .next_timer = tcp_sender_next_timer,
    .has_output = tcp_sender_has_output,
    .poll_transmit = tcp_sender_poll,
    .is_done = tcp_sender_is_done,
    .describe = tcp_sender_describe,
    .has_sent = tcp_sender_has_sent,
    .memory_bytes = TCP_MEMORY_BYTES,
    .remember = tcp_sender_remember,
    .recall = tcp_sender_recall,
    .yield = tcp_sender_yield,
    .widen = tcp_sender_widen,
    .farewell = tcp_sender_farewell,
    .cwnd_bytes = tcp_sender_cwnd_bytes,
    .settle = tcp_sender_settle,
};
