/* SPDX-License-Identifier: Apache-2.0 */
/* Both ends of one TCP flow and two lanes of fixed delay between them. Virtual time goes from event to event.
 *
 * The world records events as text, a line per instant, frames in the order of sending:
 *
 *     S            SYN
 *     SA           SYN-ACK
 *     d3           data segment 3
 *     d3*          data segment 3 retransmitted
 *     d3w          data segment 3 with CWR
 *     a4           ACK of the receiver: segments below 4 arrived
 *     a4[6-8,10]   the same with SACK blocks, the second of one segment
 *     a4e          the same with ECN-Echo
 *     A            ACK of the sender without data
 *     !            after a frame: the frame is lost
 *     RTO, timer   a timer of the sender, of the receiver
 *
 * Three lists select frames; each word selects the next frame of that name, as in "d3 d3* a7". Frames in `lose` are
 * lost, frames in `slow` arrive `slow_by` later, and ECN-capable frames in `mark` are marked CE.
 */
#ifndef HEDDLE_TESTS_MECH_TCP_WORLD_H
#define HEDDLE_TESTS_MECH_TCP_WORLD_H

#include "base/cells.h"
#include "base/random.h"
#include "mech/transport/tcp.h"

#include "unit.h"

#define MSS 1460u
#define WORLD_TEXT 65536
#define WORLD_FLIGHT 8192

struct world_frame {
    time_ps at;
    uint64_t order;
    enum transport_side to;
    struct packet p;
    struct packet_ext ext;
};

struct world {
    /* set before world_open; world_new fills in defaults */
    const struct transport_ops *ops;
    int64_t params[TCP_N_PARAMS];
    uint64_t bytes;
    span_ps delay; /* propagation delay of each lane */
    span_ps trip;  /* base round trip that both ends are told; 0: not known */
    const char *lose, *slow, *mark;
    span_ps slow_by;
    uint32_t loss_ppb; /* loss probability of each frame */
    span_ps jitter;    /* random delay of a frame beside `delay`, uniform below this */
    uint64_t seed;
    uint32_t sender_isn, receiver_isn;
    bool forgetful;   /* a closed receiver does not know the sender's ISN */
    bool established; /* the connection is open from the start */
    bool quiet;       /* no text is recorded */
    /* results */
    time_ps now;
    struct flow_tally tally;
    uint64_t counters[TCP_N_COUNTERS];
    uint64_t frames_lost;
    uint32_t segments_sent; /* frames with payload that the sender put on its lane */
    bool receiver_done;
    char text[WORLD_TEXT];
    /* private */
    struct flow_env env[2];
    struct packet_pool pool;
    struct cell_pool cells;
    struct tcp_sender sender;
    struct tcp_receiver receiver;
    struct random_stream random;
    char lose_left[512], slow_left[512], mark_left[512];
    struct world_frame frame[WORLD_FLIGHT];
    uint32_t n_frames, serial[2];
    uint64_t order, high_sent;
    time_ps text_at;
    size_t text_len;
};

/* Creates a flow of n full segments: NewReno with default parameters, 5 ms each way, no losses. */
struct world *world_new(uint64_t segments);
/* Creates a flow with 1 ms each way, so that times of traces are round. */
static inline struct world *flow_of(uint64_t segments) {
    struct world *w = world_new(segments);
    w->delay = PS_PER_MS;
    return w;
}

void world_open(struct world *w);
/* Handles the next frame or timer. Returns false if there is none. */
bool world_step(struct world *w);
void world_run(struct world *w, time_ps until); /* handles events up to `until` */
/* Runs to the end; asserts that the receiver has every byte once and that every cell is free again. */
void world_finish(struct world *w);
void world_free(struct world *w);
/* Opens and finishes the world, and compares the recorded text. */
void world_expect(struct world *w, const char *text);
void world_say(struct world *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
