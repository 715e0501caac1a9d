/* SPDX-License-Identifier: Apache-2.0 */
/* Flows of a credit transport over one bottleneck, without hosts and ports. Each receiver has its own NIC limiter. All
 * credits share one limiter with a short queue and then a delay; data returns with the same delay. Every step asserts
 * what a transport guarantees to its host. */
#ifndef HEDDLE_TESTS_CREDIT_WORLD_H
#define HEDDLE_TESTS_CREDIT_WORLD_H

#include "base/cells.h"
#include "mech/transport/credit_receiver.h"
#include "mech/transport/credit_sender.h"

#define WORLD_FLOWS 8
#define WORLD_FRAMES 4096
#define WORLD_PARAMS 32
#define FULL_GAP 1297600 /* 1622 bytes at 10 Gbps */

struct world_flow {
    struct credit_sender *sender;     /* NULL once closed */
    struct credit_receiver *receiver; /* NULL before the first frame and once closed */
    struct flow_env env[2];           /* by side */
    struct flow_tally tally;
    time_ps nic_base; /* start of the NIC limiter's bucket, which holds two credits */
    time_ps start;
    bool started;
};

struct world_frame {
    time_ps at;
    uint32_t flow;
    bool to_sender;
    struct packet p;
};

struct credit_world {
    const struct transport_ops *ops;
    int64_t params[WORLD_PARAMS];
    uint64_t counters[CREDIT_N_COUNTERS];
    struct cell_pool cells;
    struct world_flow flow[WORLD_FLOWS];
    uint32_t n_flows;
    struct world_frame frame[WORLD_FRAMES];
    uint32_t n_frames;
    time_ps now, last_depart;             /* last_depart: when the last credit left the bottleneck */
    span_ps one_way, gap;                 /* gap: time between two credits at the bottleneck */
    uint32_t queue;                       /* size of the bottleneck's credit queue */
    uint32_t window, window_drops, p_q16; /* a window of four credits: count, drops; P_d of the last one */
    struct random_stream random;
    uint64_t credits_dropped, credits_flying, data_sent, requests, stops, dones, serial;
    /* Hooks of the test: whether a frame is lost, and by how much it is late. */
    bool (*loses)(struct credit_world *w, const struct packet *p);
    span_ps (*delays)(struct credit_world *w, const struct packet *p);
    uint32_t script; /* for use by the test */
};

struct credit_world *world_new(const char *transport);
void world_set(struct credit_world *w, const char *param, int64_t value);
struct world_flow *world_flow(struct credit_world *w, uint64_t bytes, time_ps start); /* call after world_set */
void world_run(struct credit_world *w, time_ps until);
/* Asserts that every credit that was sent is used, wasted, held, dropped or in flight. */
void world_check_credits(const struct credit_world *w);
void world_free(struct credit_world *w);

#endif
