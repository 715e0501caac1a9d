/* SPDX-License-Identifier: Apache-2.0 */
#include "credit_world.h"

#include "mech/transport/transports.h"

#include "transport_rows.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

struct credit_world *world_new(const char *transport) {
    struct credit_world *w = calloc(1, sizeof *w);
    w->ops = strcmp(transport, "spraypass") == 0 ? &transport_spraypass : &transport_expresspass;
    transport_defaults(w->ops, w->params);
    w->one_way = 25 * PS_PER_US;
    w->gap = FULL_GAP;
    w->queue = 16;
    w->last_depart = -PS_PER_MS;
    random_init(&w->random, 1, RANDOM_MARK, 0);
    return w;
}

void world_set(struct credit_world *w, const char *param, int64_t value) {
    size_t at;
    if (!row_param(w->ops, param, &at)) fail_msg("no parameter %s", param);
    assert_in_range(value, transport_param(w->ops, at).min, transport_param(w->ops, at).max);
    w->params[at] = value;
}

struct world_flow *world_flow(struct credit_world *w, uint64_t bytes, time_ps start) {
    if (w->n_flows == 0) cell_pool_init(&w->cells, transport_cell_bytes(w->ops, w->params));
    struct world_flow *f = &w->flow[w->n_flows];
    f->start = start;
    f->nic_base = -PS_PER_MS;
    f->tally.finished_at = f->tally.acked_at = TIME_NONE;
    for (int side = 0; side < 2; side++)
        f->env[side] = (struct flow_env){.bytes = bytes,
                                         .params = w->params,
                                         .row = w->ops,
                                         .cells = &w->cells,
                                         .tally = &f->tally,
                                         .counters = w->counters,
                                         .nic_bps = 10000000000,
                                         .seed = 7,
                                         .flow = w->n_flows,
                                         .paths = {4, 1}};
    w->n_flows++;
    return f;
}

/* ---- frames ---- */

static void world_fly(struct credit_world *w, uint32_t flow, bool to_sender, const struct packet *p, time_ps leaves) {
    span_ps late = w->delays ? w->delays(w, p) : 0;
    assert_true(w->n_frames < WORLD_FRAMES);
    w->frame[w->n_frames++] =
        (struct world_frame){.at = leaves + w->one_way + late, .flow = flow, .to_sender = to_sender, .p = *p};
    w->credits_flying += credit_kind(p) == CREDIT_GRANT;
}

static void world_count_window(struct credit_world *w, bool dropped) {
    w->window_drops += dropped;
    if (++w->window < 4) return;
    w->p_q16 = (w->window_drops << 16) / 4;
    w->window = w->window_drops = 0;
}

/* Passes a credit through the bottleneck: one leaves per gap, and a full queue drops. */
static void world_pass_credit(struct credit_world *w, uint32_t flow, struct packet *p) {
    time_ps leaves = max_i64(w->now, w->last_depart + w->gap);
    bool dropped = leaves - w->now >= (int64_t)w->queue * w->gap || (w->loses && w->loses(w, p));
    world_count_window(w, dropped);
    if (dropped) {
        w->credits_dropped++;
        return;
    }
    w->last_depart = leaves;
    if ((random_u32(&w->random) & 0xffff) < w->p_q16) p->tos |= ECN_CE;
    world_fly(w, flow, true, p, leaves);
}

static void world_send(struct credit_world *w, uint32_t flow, bool to_sender, struct packet *p) {
    uint8_t kind = credit_kind(p);
    p->serial = (uint32_t)w->serial++;
    w->data_sent += kind == CREDIT_DATA;
    w->requests += kind == CREDIT_REQUEST;
    w->stops += kind == CREDIT_STOP;
    w->dones += kind == CREDIT_DONE;
    assert_int_equal(p->tcp_flags & ~(CREDIT_KIND | credit_flags_allowed(kind)), 0);
    assert_int_equal((p->shape & SHAPE_CREDIT) != 0, kind == CREDIT_GRANT);
    if (kind == CREDIT_GRANT)
        world_pass_credit(w, flow, p);
    else if (!w->loses || !w->loses(w, p))
        world_fly(w, flow, to_sender, p, w->now);
}

static const struct packet blank = {.ext = EXT_NONE, .path = PATH_NONE};

/* Sends all frames that an end has ready, and closes the end if it is done. */
static void world_drain(struct credit_world *w, uint32_t flow, enum transport_side side) {
    struct world_flow *f = &w->flow[flow];
    void *end = side == SIDE_SENDER ? (void *)f->sender : f->receiver;
    for (;;) {
        struct packet p = blank;
        bool promised = transport_end_of(w->ops, side)->has_output(end, &f->env[side], w->now);
        bool got = transport_end_of(w->ops, side)->poll_transmit(end, &f->env[side], w->now, &p);
        assert_int_equal(promised, got);
        if (!got) break;
        world_send(w, flow, side == SIDE_RECEIVER, &p);
    }
    if (!transport_end_of(w->ops, side)->is_done(end, &f->env[side])) return;
    transport_end_of(w->ops, side)->close(end, &f->env[side]);
    free(end);
    if (side == SIDE_SENDER)
        f->sender = NULL;
    else
        f->receiver = NULL;
}

static void world_arrive(struct credit_world *w, struct world_frame a) {
    struct world_flow *f = &w->flow[a.flow];
    enum transport_side side = a.to_sender ? SIDE_SENDER : SIDE_RECEIVER;
    w->credits_flying -= credit_kind(&a.p) == CREDIT_GRANT;
    if (side == SIDE_RECEIVER && !f->receiver && f->tally.finished_at == TIME_NONE) {
        f->receiver = calloc(1, sizeof *f->receiver);
        transport_end_of(w->ops, side)->open(f->receiver, &f->env[side], w->now);
    }
    void *end = a.to_sender ? (void *)f->sender : f->receiver;
    if (end) {
        transport_end_of(w->ops, side)->on_packet(end, &f->env[side], w->now, &a.p);
        world_drain(w, a.flow, side);
        return;
    }
    f->tally.credits_wasted += credit_kind(&a.p) == CREDIT_GRANT; /* the host counts these the same way */
    struct packet answer = blank;
    if (w->ops->base->answer_closed(&f->env[side], w->now, &a.p, &answer)) world_send(w, a.flow, !a.to_sender, &answer);
}

/* ---- time ---- */

/* Returns when the next credit of a receiver may leave its NIC. */
static time_ps world_credit_at(const struct credit_world *w, const struct world_flow *f) {
    if (!f->receiver) return TIME_NONE;
    time_ps due = w->ops->receiver->next_credit(f->receiver);
    return due == TIME_NONE ? TIME_NONE : max_i64(due, f->nic_base + FULL_GAP);
}

static void world_credit(struct credit_world *w, uint32_t flow) {
    struct world_flow *f = &w->flow[flow];
    struct packet p = blank;
    time_ps due = w->ops->receiver->next_credit(f->receiver);
    bool left = w->ops->receiver->poll_credit(f->receiver, &f->env[SIDE_RECEIVER], w->now, &p);
    w->ops->receiver->settle(f->receiver, &f->env[SIDE_RECEIVER]);
    if (!left) {
        assert_true(w->ops->receiver->next_credit(f->receiver) > due); /* else the host would poll forever */
        return;
    }
    f->nic_base = max_i64(f->nic_base, w->now - 2 * FULL_GAP) + FULL_GAP;
    world_send(w, flow, true, &p);
}

static void world_timer(struct credit_world *w, uint32_t flow) {
    struct world_flow *f = &w->flow[flow];
    if (!f->started) {
        f->started = true;
        f->sender = calloc(1, sizeof *f->sender);
        w->ops->sender->open(f->sender, &f->env[SIDE_SENDER], w->now);
    } else {
        w->ops->sender->on_timer(f->sender, &f->env[SIDE_SENDER], w->now);
        assert_true(w->ops->sender->next_timer(f->sender) > w->now);
    }
    world_drain(w, flow, SIDE_SENDER);
}

static time_ps world_timer_at(const struct credit_world *w, const struct world_flow *f) {
    if (!f->started) return f->start;
    return f->sender ? w->ops->sender->next_timer(f->sender) : TIME_NONE;
}

static uint32_t first_frame(const struct credit_world *w) {
    uint32_t first = 0;
    for (uint32_t i = 1; i < w->n_frames; i++)
        if (w->frame[i].at < w->frame[first].at ||
            (w->frame[i].at == w->frame[first].at && w->frame[i].p.serial < w->frame[first].p.serial))
            first = i;
    return first;
}

/* Handles the next frame, credit or deadline. Returns false if that is after `until`. */
static bool world_step(struct credit_world *w, time_ps until) {
    uint32_t first = first_frame(w), flow = 0;
    enum { FRAME, CREDIT, TIMER } what = FRAME;
    time_ps at = w->n_frames > 0 ? w->frame[first].at : TIME_NONE;
    for (uint32_t i = 0; i < w->n_flows; i++) {
        time_ps credit = world_credit_at(w, &w->flow[i]), timer = world_timer_at(w, &w->flow[i]);
        if (credit < at) at = credit, what = CREDIT, flow = i;
        if (timer < at) at = timer, what = TIMER, flow = i;
    }
    if (at > until) return false;
    w->now = max_i64(w->now, at);
    if (what == CREDIT) {
        world_credit(w, flow);
    } else if (what == TIMER) {
        world_timer(w, flow);
    } else {
        struct world_frame a = w->frame[first];
        w->frame[first] = w->frame[--w->n_frames];
        world_arrive(w, a);
    }
    return true;
}

void world_run(struct credit_world *w, time_ps until) {
    while (world_step(w, until)) {
    }
    w->now = until;
}

void world_check_credits(const struct credit_world *w) {
    uint64_t sent = 0, seen = w->credits_dropped + w->credits_flying;
    for (uint32_t i = 0; i < w->n_flows; i++) {
        const struct world_flow *f = &w->flow[i];
        sent += f->tally.credits_sent - f->tally.credits_refused;
        seen +=
            f->tally.credits_used + f->tally.credits_wasted + (f->sender ? w->ops->sender->credits_held(f->sender) : 0);
    }
    assert_int_equal(sent, seen);
}

void world_free(struct credit_world *w) {
    for (uint32_t i = 0; i < w->n_flows; i++) {
        struct world_flow *f = &w->flow[i];
        if (f->sender) w->ops->sender->close(f->sender, &f->env[SIDE_SENDER]);
        if (f->receiver) w->ops->receiver->close(f->receiver, &f->env[SIDE_RECEIVER]);
        free(f->sender);
        free(f->receiver);
    }
    assert_int_equal(w->cells.in_use, 0);
    cell_pool_fini(&w->cells);
    free(w);
}
