/* SPDX-License-Identifier: Apache-2.0 */
#include "tcp_world.h"

#include "mech/transport/transports.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct world *world_new(uint64_t segments) {
    struct world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->ops = &transport_newreno;
    for (size_t i = 0; i < TCP_N_PARAMS; i++) w->params[i] = tcp_params[i].def;
    w->bytes = segments * MSS;
    w->delay = 5 * PS_PER_MS;
    w->sender_isn = 1000;
    w->receiver_isn = 5000;
    w->seed = 1;
    return w;
}

void world_say(struct world *w, const char *fmt, ...) {
    if (w->quiet) return;
    bool first = w->text_len == 0;
    if (first || w->text_at != w->now) {
        w->text_len += (size_t)snprintf(w->text + w->text_len, WORLD_TEXT - w->text_len, "%s%lldus:", first ? "" : "\n",
                                        (long long)(w->now / PS_PER_US));
        w->text_at = w->now;
    }
    assert_true(w->text_len + 100 < WORLD_TEXT);
    w->text[w->text_len++] = ' ';
    va_list args;
    va_start(args, fmt);
    w->text_len += (size_t)vsnprintf(w->text + w->text_len, WORLD_TEXT - w->text_len, fmt, args);
    va_end(args);
}

/* Removes the word from the list. Returns false if the list does not hold it. */
static bool take_word(char *list, const char *word) {
    size_t n = strlen(word);
    for (char *at = list; *at;) {
        size_t len = strcspn(at, " ");
        if (len == n && memcmp(at, word, n) == 0) {
            memset(at, '-', n);
            return true;
        }
        at += len;
        at += strspn(at, " ");
    }
    return false;
}

static uint32_t segment_of(const struct world *w, uint32_t seq) {
    return (seq - (w->sender_isn + 1) + (uint32_t)w->params[TCP_PARAM_MSS] - 1) / (uint32_t)w->params[TCP_PARAM_MSS];
}

static void name_sack(const struct world *w, const struct packet_ext *ext, char *buf, size_t size) {
    size_t n = 0;
    for (uint32_t i = 0; i < ext->n_sack; i++) {
        uint32_t begin = segment_of(w, ext->sack[i].begin), end = segment_of(w, ext->sack[i].end) - 1;
        n += (size_t)snprintf(buf + n, size - n, begin == end ? "%s%u" : "%s%u-%u", i ? "," : "[", begin, end);
    }
    snprintf(buf + n, size - n, "]");
}

static void name_frame(struct world *w, enum transport_side from, const struct world_frame *f, char *buf, size_t size) {
    const struct packet *p = &f->p;
    const char *ece = p->tcp_flags & TCP_ECE ? "e" : "";
    if (p->tcp_flags & TCP_SYN) {
        snprintf(buf, size, "%s", from == SIDE_SENDER ? "S" : "SA");
    } else if (from == SIDE_RECEIVER) {
        int n = snprintf(buf, size, "a%u%s", segment_of(w, p->ack), ece);
        if (p->shape & SHAPE_SACK) name_sack(w, &f->ext, buf + n, size - (size_t)n);
    } else if (p->payload_bytes == 0) {
        snprintf(buf, size, "A");
    } else {
        uint64_t segment = segment_of(w, p->seq);
        snprintf(buf, size, "d%" PRIu64 "%s%s", segment, segment < w->high_sent ? "*" : "",
                 p->tcp_flags & TCP_CWR ? "w" : "");
        if (segment >= w->high_sent) w->high_sent = segment + 1;
    }
}

static void check_frame(enum transport_side from, const struct world_frame *f) {
    const struct packet *p = &f->p;
    uint8_t n_sack = p->shape & SHAPE_SACK ? f->ext.n_sack : 0;
    assert_int_equal(p->wire_bytes, packet_wire_bytes(0, tcp_header_bytes(p->tcp_flags, n_sack), p->payload_bytes));
    assert_true(from == SIDE_SENDER || p->payload_bytes == 0);
}

static void send(struct world *w, enum transport_side from, const struct packet *p) {
    assert_true(w->n_frames < WORLD_FLIGHT);
    struct world_frame *f = &w->frame[w->n_frames];
    *f = (struct world_frame){.to = from == SIDE_SENDER ? SIDE_RECEIVER : SIDE_SENDER, .p = *p, .order = w->order++};
    f->p.serial = ++w->serial[from];
    w->segments_sent += from == SIDE_SENDER && p->payload_bytes > 0;
    if (p->ext != EXT_NONE) {
        memcpy(&f->ext, packet_ext_at(&w->pool, p->ext), packet_ext_bytes(p->ext));
        packet_ext_put(&w->pool, p->ext);
    }
    check_frame(from, f);
    char name[128];
    name_frame(w, from, f, name, sizeof name);
    bool lost = take_word(w->lose_left, name) || (w->loss_ppb && random_chance_ppb(&w->random, w->loss_ppb));
    world_say(w, "%s%s", name, lost ? "!" : "");
    w->frames_lost += lost;
    if (lost) return;
    bool capable = (f->p.tos & ECN_MASK) != ECN_NOT;
    if (take_word(w->mark_left, name) && capable) f->p.tos = (uint8_t)(f->p.tos | ECN_CE);
    f->at = w->now + w->delay + (take_word(w->slow_left, name) ? w->slow_by : 0) +
            (w->jitter ? (span_ps)random_below(&w->random, (uint64_t)w->jitter) : 0);
    w->n_frames++;
}

static void *end_of(struct world *w, enum transport_side side) {
    return side == SIDE_SENDER ? (void *)&w->sender : (void *)&w->receiver;
}

static void drain(struct world *w, enum transport_side side) {
    for (;;) {
        struct packet p = {.ext = EXT_NONE, .path = PATH_NONE};
        bool promised = transport_end_of(w->ops, side)->has_output(end_of(w, side), &w->env[side], w->now);
        bool got = transport_end_of(w->ops, side)->poll_transmit(end_of(w, side), &w->env[side], w->now, &p);
        assert_int_equal(promised, got);
        if (!got) return;
        send(w, side, &p);
    }
}

static void drain_both(struct world *w) {
    drain(w, SIDE_SENDER);
    if (!w->receiver_done) drain(w, SIDE_RECEIVER);
    if (!w->receiver_done && w->ops->receiver->is_done(&w->receiver, &w->env[SIDE_RECEIVER])) {
        w->ops->receiver->close(&w->receiver, &w->env[SIDE_RECEIVER]);
        w->receiver_done = true;
    }
}

void world_open(struct world *w) {
    packet_pool_init(&w->pool);
    cell_pool_init(&w->cells, transport_cell_bytes(w->ops, w->params));
    random_init(&w->random, w->seed, RANDOM_LOSS, 0);
    snprintf(w->lose_left, sizeof w->lose_left, "%s", w->lose ? w->lose : "");
    snprintf(w->slow_left, sizeof w->slow_left, "%s", w->slow ? w->slow : "");
    snprintf(w->mark_left, sizeof w->mark_left, "%s", w->mark ? w->mark : "");
    w->tally.finished_at = w->tally.acked_at = w->tally.first_data_at = TIME_NONE;
    for (int side = 0; side < 2; side++)
        w->env[side] = (struct flow_env){.bytes = w->bytes,
                                         .params = w->params,
                                         .row = w->ops,
                                         .pool = &w->pool,
                                         .cells = &w->cells,
                                         .tally = &w->tally,
                                         .counters = w->counters,
                                         .trip_ps = w->trip,
                                         .established = w->established,
                                         .peer_isn = !w->established       ? 0
                                                     : side == SIDE_SENDER ? w->receiver_isn
                                                                           : w->sender_isn,
                                         .isn = side == SIDE_SENDER ? w->sender_isn : w->receiver_isn};
    w->ops->sender->open(&w->sender, &w->env[SIDE_SENDER], 0);
    w->ops->receiver->open(&w->receiver, &w->env[SIDE_RECEIVER], 0);
    drain_both(w);
}

static struct world_frame *next_frame(struct world *w) {
    struct world_frame *best = NULL;
    for (uint32_t i = 0; i < w->n_frames; i++) {
        struct world_frame *f = &w->frame[i];
        if (!best || f->at < best->at || (f->at == best->at && f->order < best->order)) best = f;
    }
    return best;
}

static void arrive(struct world *w, struct world_frame *at) {
    struct world_frame f = *at;
    *at = w->frame[--w->n_frames];
    w->now = f.at;
    if (f.to == SIDE_RECEIVER && w->receiver_done) {
        struct packet answer = {.ext = EXT_NONE, .path = PATH_NONE};
        w->env[SIDE_RECEIVER].peer_isn = w->forgetful ? 0 : w->sender_isn;
        if (w->ops->base->answer_closed(&w->env[SIDE_RECEIVER], w->now, &f.p, &answer)) send(w, SIDE_RECEIVER, &answer);
        return;
    }
    if (f.p.shape & SHAPE_SACK) {
        f.p.ext = packet_ext_get_wide(&w->pool);
        *packet_ext_at(&w->pool, f.p.ext) = f.ext;
    }
    transport_end_of(w->ops, f.to)->on_packet(end_of(w, f.to), &w->env[f.to], w->now, &f.p);
    if (f.p.shape & SHAPE_SACK) packet_ext_put(&w->pool, f.p.ext);
}

static void fire(struct world *w, enum transport_side side, time_ps at) {
    w->now = at;
    world_say(w, side == SIDE_SENDER ? "RTO" : "timer");
    transport_end_of(w->ops, side)->on_timer(end_of(w, side), &w->env[side], at);
}

static time_ps timer_of(struct world *w, enum transport_side side) {
    if (side == SIDE_RECEIVER && w->receiver_done) return TIME_NONE;
    return transport_end_of(w->ops, side)->next_timer(end_of(w, side));
}

static time_ps next_event(struct world *w) {
    struct world_frame *f = next_frame(w);
    return min_i64(f ? f->at : TIME_NONE, min_i64(timer_of(w, SIDE_SENDER), timer_of(w, SIDE_RECEIVER)));
}

bool world_step(struct world *w) {
    time_ps at = next_event(w);
    if (at == TIME_NONE) return false;
    if (timer_of(w, SIDE_SENDER) == at)
        fire(w, SIDE_SENDER, at);
    else if (timer_of(w, SIDE_RECEIVER) == at)
        fire(w, SIDE_RECEIVER, at);
    else
        arrive(w, next_frame(w));
    drain_both(w);
    return true;
}

void world_run(struct world *w, time_ps until) {
    while (next_event(w) <= until && world_step(w)) {
    }
}

void world_finish(struct world *w) {
    while (world_step(w)) {
    }
    if (!w->ops->sender->is_done(&w->sender, &w->env[SIDE_SENDER])) {
        char line[512];
        w->ops->sender->describe(&w->sender, &w->env[SIDE_SENDER], line, sizeof line);
        print_error("seed %llu, stuck at %lld ps: %s\n", (unsigned long long)w->seed, (long long)w->now, line);
    }
    assert_true(w->ops->sender->is_done(&w->sender, &w->env[SIDE_SENDER]));
    w->ops->sender->close(&w->sender, &w->env[SIDE_SENDER]);
    assert_true(w->receiver_done);
    assert_int_equal(w->tally.received_bytes, w->bytes);
    assert_int_equal(w->tally.sent_pkts, w->segments_sent);
    assert_int_equal(w->tally.cwnd_bytes, w->sender.cwnd_bytes);
    assert_int_equal(w->receiver.rcv_nxt, w->bytes);
    assert_int_equal(w->sender.snd_una, w->bytes);
    assert_true(w->tally.finished_at <= w->tally.acked_at);
    assert_int_equal(w->cells.in_use, 0);
    assert_int_equal(w->pool.ext_in_use, 0);
}

void world_free(struct world *w) {
    packet_pool_fini(&w->pool);
    cell_pool_fini(&w->cells);
    free(w);
}

void world_expect(struct world *w, const char *text) {
    world_open(w);
    world_finish(w);
    assert_string_equal(w->text, text);
}
