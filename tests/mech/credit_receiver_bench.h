/* SPDX-License-Identifier: Apache-2.0 */
/* A receiver of ExpressPass alone: the test delivers frames to it and polls its credits. */
#ifndef HEDDLE_TESTS_MECH_CREDIT_RECEIVER_BENCH_H
#define HEDDLE_TESTS_MECH_CREDIT_RECEIVER_BENCH_H

#include "mech/transport/credit_receiver.h"

#include "base/cells.h"
#include "mech/transport/transports.h"
#include "transport_rows.h"
#include "unit.h"

#include <stdlib.h>

#define GAP 1297600 /* 1622 bytes at 10 Gbps */
#define US PS_PER_US

static const struct transport_ops *const xp = &transport_expresspass;

struct bench {
    struct credit_receiver r;
    struct flow_env env;
    struct flow_tally tally;
    struct cell_pool cells;
    uint64_t counters[CREDIT_N_COUNTERS];
    int64_t params[32];
    uint16_t stamp[8192]; /* of the credits sent, by number */
};

static inline void bench_set(struct bench *b, const char *name, int64_t value) {
    assert_true(row_set(xp, b->params, name, value));
}

/* Creates a receiver of ExpressPass without jitter; the test may set parameters before bench_open. */
static inline struct bench *bench_new(void) {
    struct bench *b = calloc(1, sizeof *b);
    transport_defaults(xp, b->params);
    bench_set(b, "jitter", 0);
    b->tally.finished_at = TIME_NONE;
    b->env = (struct flow_env){.bytes = UINT64_MAX,
                               .params = b->params,
                               .row = xp,
                               .cells = &b->cells,
                               .tally = &b->tally,
                               .counters = b->counters,
                               .nic_bps = 10000000000,
                               .seed = 3,
                               .paths = {1, 1}};
    return b;
}

static inline struct bench *bench_open(struct bench *b, time_ps now) {
    cell_pool_init(&b->cells, transport_cell_bytes(xp, b->params));
    xp->receiver->open(&b->r, &b->env, now);
    return b;
}

static inline void bench_free(struct bench *b) {
    xp->receiver->close(&b->r, &b->env);
    assert_int_equal(b->cells.in_use, 0);
    cell_pool_fini(&b->cells);
    free(b);
}

static inline time_ps due(const struct bench *b) { return xp->receiver->next_credit(&b->r); }

/* Polls a credit at `now`. Returns its number, or -1 if none leaves. */
static inline int64_t credit(struct bench *b, time_ps now) {
    struct packet p = {.ext = EXT_NONE, .path = PATH_NONE};
    bool left = xp->receiver->poll_credit(&b->r, &b->env, now, &p);
    xp->receiver->settle(&b->r, &b->env);
    if (!left) return -1;
    assert_int_equal(p.tcp_flags, CREDIT_GRANT);
    assert_int_equal(p.wire_bytes, 84);
    assert_int_equal(p.shape, SHAPE_CREDIT);
    assert_int_equal(p.tos & ECN_MASK, ECN_ECT0);
    assert_int_equal(p.seq, (uint32_t)b->r.rcv_nxt);
    assert_int_equal(p.window, credit_stamp(now));
    b->stamp[p.ack % 8192] = p.window;
    return p.ack;
}

static inline void frame(struct bench *b, time_ps now, uint8_t flags, uint32_t seq, uint32_t number) {
    struct packet p = {.tcp_flags = flags,
                       .seq = seq,
                       .ack = number,
                       .payload_bytes = (flags & CREDIT_KIND) == CREDIT_DATA ? 1460 : 0,
                       .wire_bytes = 1538,
                       .window = (flags & CREDIT_KIND) == CREDIT_DATA ? b->stamp[number % 8192] : 0,
                       .serial = number,
                       .ext = EXT_NONE,
                       .path = PATH_NONE};
    xp->receiver->on_packet(&b->r, &b->env, now, &p);
}

static inline void data(struct bench *b, time_ps now, uint32_t seq, uint32_t number) {
    frame(b, now, CREDIT_DATA, seq, number);
}

#endif
