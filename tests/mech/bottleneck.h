/* SPDX-License-Identifier: Apache-2.0 */
/* Long flows over one link, for the published behaviour of congestion controls:
 *
 *     sender i -> NIC -> delay -> the queue of the link -> delay -> receiver i -> NIC -> 2 x delay -> sender i
 *
 * NICs pull, one frame at a time. The queue marks ECN-capable frames that find more than `mark_bytes` in it, or by a
 * phantom queue if `phantom_bytes` is set; it drops nothing. Measurements begin at `measure_from`.
 *
 *     struct bottleneck *b = bottleneck_new(&transport_dctcp, 2);
 *     b->mark_bytes = 65 * 1538;
 *     bottleneck_run(b, 20 * PS_PER_MS);         b->queue_mean, queue_min, queue_max, utilisation_ppm, ...
 *     bottleneck_free(b);
 */
#ifndef HEDDLE_TESTS_MECH_BOTTLENECK_H
#define HEDDLE_TESTS_MECH_BOTTLENECK_H

#include "mech/admit/phantom.h"
#include "mech/transport/tcp.h"
#include "mech/transport/transports.h"

#include <stdlib.h>
#include <string.h>

#include "transport_rows.h"
#include "unit.h"

#define BOTTLENECK_FLOWS 32
#define BOTTLENECK_RING 16384
#define BOTTLENECK_PARAMS 32

struct pipe_frame {
    time_ps at;
    uint32_t flow;
    struct packet p;
    struct packet_ext ext;
};

/* Frames in flight, first in first out. */
struct pipe {
    struct pipe_frame *frame;
    uint32_t head, n;
};

struct bottleneck_end {
    void *state;
    struct flow_env env;
    time_ps nic_idle_at;
    struct pipe out;
};

struct bottleneck_flow {
    struct bottleneck_end end[2]; /* by side */
    struct flow_tally tally;
    time_ps start;
    bool open;
    uint64_t delivered_bytes;    /* wire bytes that left the link while measuring */
    uint32_t cwnd_min, cwnd_max; /* while measuring */
};

struct bottleneck {
    /* set before the run; bottleneck_new fills in defaults: 10 Gbps, 100 us RTT */
    const struct transport_ops *ops;
    int64_t params[BOTTLENECK_PARAMS];
    uint32_t n_flows;
    int64_t rate_bps, nic_bps;
    span_ps delay; /* propagation delay of each lane */
    int64_t mark_bytes, phantom_bytes;
    time_ps measure_from;
    struct bottleneck_flow flow[BOTTLENECK_FLOWS];
    /* results */
    int64_t queue_min, queue_max, queue_mean; /* queue that frames met, wire bytes */
    uint64_t utilisation_ppm;
    uint64_t frames, marked;
    uint64_t counters[TCP_N_COUNTERS + 8];
    /* private */
    time_ps now, busy_until;
    struct phantom phantom;
    struct pipe link;
    struct packet_pool pool;
    struct cell_pool cells;
    uint64_t queue_sum, queue_n, sent_bytes;
};

static inline void bottleneck_set(struct bottleneck *b, const char *name, int64_t value) {
    if (!row_set(b->ops, b->params, name, value)) fail_msg("no parameter %s", name);
}

static inline struct bottleneck *bottleneck_new(const struct transport_ops *ops, uint32_t n_flows) {
    struct bottleneck *b = calloc(1, sizeof *b);
    assert_non_null(b);
    assert_true(transport_n_params(ops) <= BOTTLENECK_PARAMS && n_flows <= BOTTLENECK_FLOWS);
    b->ops = ops;
    transport_defaults(ops, b->params);
    b->n_flows = n_flows;
    b->rate_bps = b->nic_bps = 10000000000LL;
    b->delay = 25 * PS_PER_US;
    return b;
}

static inline void pipe_push(struct pipe *q, time_ps at, uint32_t flow, struct packet_pool *pool, struct packet *p) {
    if (!q->frame) q->frame = calloc(BOTTLENECK_RING, sizeof *q->frame);
    assert_true(q->n < BOTTLENECK_RING);
    struct pipe_frame *f = &q->frame[(q->head + q->n++) % BOTTLENECK_RING];
    f->at = at;
    f->flow = flow;
    f->p = *p;
    if (p->ext == EXT_NONE) return;
    memcpy(&f->ext, packet_ext_at(pool, p->ext), packet_ext_bytes(p->ext));
    packet_ext_put(pool, p->ext);
    f->p.ext = EXT_NONE;
}

static inline time_ps pipe_at(const struct pipe *q) { return q->n ? q->frame[q->head].at : TIME_NONE; }

static inline struct pipe_frame pipe_pop(struct pipe *q) {
    struct pipe_frame f = q->frame[q->head];
    q->head = (q->head + 1) % BOTTLENECK_RING;
    q->n--;
    return f;
}

static inline span_ps wire_time(int64_t rate_bps, uint32_t bytes) { return (span_ps)bytes * 8 * PS_PER_S / rate_bps; }

/* Sends the next frame of an end if its NIC is idle. */
static inline void end_pull(struct bottleneck *b, uint32_t flow, enum transport_side side) {
    struct bottleneck_end *e = &b->flow[flow].end[side];
    struct packet p = {.ext = EXT_NONE, .path = PATH_NONE, .proto = PROTO_TCP};
    if (e->nic_idle_at > b->now || !transport_end_of(b->ops, side)->has_output(e->state, &e->env, b->now)) return;
    assert_true(transport_end_of(b->ops, side)->poll_transmit(e->state, &e->env, b->now, &p));
    e->nic_idle_at = b->now + wire_time(b->nic_bps, p.wire_bytes);
    pipe_push(&e->out, e->nic_idle_at + (side == SIDE_SENDER ? b->delay : 2 * b->delay), flow, &b->pool, &p);
}

static inline time_ps end_next(const struct bottleneck *b, uint32_t flow, enum transport_side side) {
    const struct bottleneck_end *e = &b->flow[flow].end[side];
    time_ps at = min_i64(pipe_at(&e->out), max_i64(b->now, transport_end_of(b->ops, side)->next_timer(e->state)));
    if (e->nic_idle_at > b->now && transport_end_of(b->ops, side)->has_output(e->state, &e->env, e->nic_idle_at))
        at = min_i64(at, e->nic_idle_at);
    return at;
}

static inline void end_receive(struct bottleneck *b, struct pipe_frame *f, enum transport_side side) {
    struct bottleneck_end *e = &b->flow[f->flow].end[side];
    if (f->p.shape & (SHAPE_SACK | SHAPE_STAMP)) {
        f->p.ext = packet_ext_get_wide(&b->pool);
        *packet_ext_at(&b->pool, f->p.ext) = f->ext;
    }
    transport_end_of(b->ops, side)->on_packet(e->state, &e->env, b->now, &f->p);
    if (f->p.ext != EXT_NONE) packet_ext_put(&b->pool, f->p.ext);
    struct bottleneck_flow *w = &b->flow[f->flow];
    if (side != SIDE_SENDER || b->now < b->measure_from) return;
    uint32_t cwnd = b->ops->sender->cwnd_bytes(e->state);
    if (w->cwnd_min == 0 || cwnd < w->cwnd_min) w->cwnd_min = cwnd;
    if (cwnd > w->cwnd_max) w->cwnd_max = cwnd;
}

static inline void link_measure(struct bottleneck *b, const struct pipe_frame *f, int64_t queue) {
    if (b->now < b->measure_from) return;
    if (b->queue_n == 0 || queue < b->queue_min) b->queue_min = queue;
    b->queue_max = max_i64(b->queue_max, queue);
    b->queue_sum += (uint64_t)queue;
    b->queue_n++;
    b->sent_bytes += f->p.wire_bytes;
    b->flow[f->flow].delivered_bytes += f->p.wire_bytes;
}

static inline void link_take(struct bottleneck *b, struct pipe_frame *f) {
    span_ps wait = b->busy_until > b->now ? b->busy_until - b->now : 0;
    int64_t queue = (int64_t)((int128)wait * b->rate_bps / (8 * PS_PER_S));
    link_measure(b, f, queue);
    b->frames++;
    if (b->phantom_bytes) {
        b->marked += phantom_pass(&b->phantom, b->now + wait, &f->p);
    } else if (b->mark_bytes && queue > b->mark_bytes && (f->p.tos & ECN_MASK)) {
        f->p.tos |= ECN_CE;
        b->marked++;
    }
    b->busy_until = b->now + wait + wire_time(b->rate_bps, f->p.wire_bytes);
    if (f->p.shape & (SHAPE_SACK | SHAPE_STAMP)) {
        f->p.ext = packet_ext_get_wide(&b->pool);
        *packet_ext_at(&b->pool, f->p.ext) = f->ext;
    }
    pipe_push(&b->link, b->busy_until + b->delay, f->flow, &b->pool, &f->p);
}

static inline void flow_open(struct bottleneck *b, uint32_t i) {
    struct bottleneck_flow *f = &b->flow[i];
    f->open = true;
    f->tally.finished_at = f->tally.acked_at = TIME_NONE;
    for (enum transport_side side = 0; side < 2; side++) {
        struct bottleneck_end *e = &f->end[side];
        e->state = calloc(1, transport_end_of(b->ops, side)->bytes);
        e->env = (struct flow_env){.bytes = UINT64_MAX,
                                   .params = b->params,
                                   .row = b->ops,
                                   .pool = &b->pool,
                                   .cells = &b->cells,
                                   .tally = &f->tally,
                                   .counters = b->counters,
                                   .nic_bps = b->nic_bps,
                                   .isn = 1000 * i + (uint32_t)side};
        transport_end_of(b->ops, side)->open(e->state, &e->env, b->now);
    }
}

static inline time_ps bottleneck_next(const struct bottleneck *b) {
    time_ps at = pipe_at(&b->link);
    for (uint32_t i = 0; i < b->n_flows; i++) {
        if (!b->flow[i].open)
            at = min_i64(at, b->flow[i].start);
        else
            at = min_i64(at, min_i64(end_next(b, i, SIDE_SENDER), end_next(b, i, SIDE_RECEIVER)));
    }
    return at;
}

/* Handles the events of one flow at b->now: its start, its timers, and frames that leave its NICs. */
static inline void flow_step(struct bottleneck *b, uint32_t i) {
    struct bottleneck_flow *f = &b->flow[i];
    if (!f->open && f->start <= b->now) flow_open(b, i);
    if (!f->open) return;
    for (enum transport_side side = 0; side < 2; side++) {
        struct bottleneck_end *e = &f->end[side];
        if (transport_end_of(b->ops, side)->next_timer(e->state) <= b->now)
            transport_end_of(b->ops, side)->on_timer(e->state, &e->env, b->now);
        while (pipe_at(&e->out) <= b->now) {
            struct pipe_frame frame = pipe_pop(&e->out);
            if (side == SIDE_SENDER)
                link_take(b, &frame);
            else
                end_receive(b, &frame, SIDE_SENDER);
        }
    }
}

static inline void bottleneck_run(struct bottleneck *b, time_ps until) {
    packet_pool_init(&b->pool);
    cell_pool_init(&b->cells, transport_cell_bytes(b->ops, b->params));
    phantom_init(&b->phantom, b->rate_bps, PHANTOM_DRAIN_PPB, b->phantom_bytes);
    for (time_ps at = bottleneck_next(b); at <= until; at = bottleneck_next(b)) {
        b->now = at;
        while (pipe_at(&b->link) <= at) {
            struct pipe_frame frame = pipe_pop(&b->link);
            end_receive(b, &frame, SIDE_RECEIVER);
        }
        for (uint32_t i = 0; i < b->n_flows; i++) flow_step(b, i);
        for (uint32_t i = 0; i < b->n_flows; i++)
            for (enum transport_side side = 0; side < 2; side++)
                if (b->flow[i].open) end_pull(b, i, side);
    }
    b->queue_mean = b->queue_n ? (int64_t)(b->queue_sum / b->queue_n) : 0;
    b->utilisation_ppm =
        (uint64_t)((uint128)wire_time(b->rate_bps, 1) * b->sent_bytes * 1000000 / (uint64_t)(until - b->measure_from));
}

static inline void bottleneck_free(struct bottleneck *b) {
    for (uint32_t i = 0; i < b->n_flows; i++)
        for (enum transport_side side = 0; side < 2; side++) {
            struct bottleneck_end *e = &b->flow[i].end[side];
            if (e->state) transport_end_of(b->ops, side)->close(e->state, &e->env);
            free(e->state);
            free(e->out.frame);
        }
    free(b->link.frame);
    assert_int_equal(b->cells.in_use, 0);
    assert_int_equal(b->pool.ext_in_use, 0);
    packet_pool_fini(&b->pool);
    cell_pool_fini(&b->cells);
    free(b);
}

#endif
