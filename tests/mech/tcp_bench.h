/* SPDX-License-Identifier: Apache-2.0 */
/* One sender and one receiver of a transport of TCP, each alone: the test feeds frames to them and polls theirs. */
#ifndef HEDDLE_TESTS_MECH_TCP_BENCH_H
#define HEDDLE_TESTS_MECH_TCP_BENCH_H

#include "mech/transport/tcp.h"

#include "base/cells.h"
#include "unit.h"

#include <stdlib.h>

struct bench {
    const struct transport_ops *ops;
    int64_t params[32];
    struct packet_pool pool;
    struct cell_pool cells;
    struct flow_tally tally;
    uint64_t counters[TCP_N_COUNTERS + 8];
    struct flow_env env;
    struct tcp_sender sender;
    void *receiver; /* state of ops->receiver, zeroed */
    time_ps now;
    uint32_t serial; /* of the last frame that the test made */
};

/* Creates a flow of 1 GiB over 10 Gbps with default parameters; neither end is open. */
static inline struct bench *bench_new(const struct transport_ops *ops) {
    struct bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    assert_true(transport_n_params(ops) <= sizeof b->params / sizeof *b->params);
    b->ops = ops;
    b->receiver = calloc(1, ops->receiver->bytes);
    assert_non_null(b->receiver);
    transport_defaults(ops, b->params);
    packet_pool_init(&b->pool);
    cell_pool_init(&b->cells, tcp_cell_bytes(b->params));
    b->env = (struct flow_env){.bytes = 1 << 30,
                               .params = b->params,
                               .row = ops,
                               .pool = &b->pool,
                               .cells = &b->cells,
                               .tally = &b->tally,
                               .counters = b->counters,
                               .nic_bps = 10000000000,
                               .isn = 999};
    return b;
}

/* Opens the sender at time 0 and answers its SYN after 100 us, with `agreed` among the flags of the SYN-ACK and a
 * window that is never the limit. Returns the SYN. */
static inline struct packet bench_open(struct bench *b, uint8_t agreed) {
    struct packet syn = {.ext = EXT_NONE};
    struct packet answer = {.seq = 4999, .ack = 1000, .tcp_flags = TCP_SYN | TCP_ACK | agreed, .window = 256};
    b->ops->sender->open(&b->sender, &b->env, 0);
    assert_true(b->ops->sender->poll_transmit(&b->sender, &b->env, 0, &syn));
    b->now = 100 * PS_PER_US;
    b->ops->sender->on_packet(&b->sender, &b->env, b->now, &answer);
    b->sender.rwnd_bytes = 1 << 28;
    return syn;
}

/* Closes both ends and frees the bench; asserts that every cell and every extension cell is free again. */
static inline void bench_free(struct bench *b) {
    if (b->sender.state != TCP_CLOSED) b->ops->sender->close(&b->sender, &b->env);
    b->ops->receiver->close(b->receiver, &b->env);
    assert_int_equal(b->pool.ext_in_use, 0);
    assert_int_equal(b->cells.in_use, 0);
    packet_pool_fini(&b->pool);
    cell_pool_fini(&b->cells);
    free(b->receiver);
    free(b);
}

#endif
