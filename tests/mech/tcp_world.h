/* SPDX-License-Identifier: Apache-2.0 */
/* Two ends of one TCP flow and two lanes of fixed delay between them; time runs as the frames need it.
 *
 * Events are recorded as text, a line per instant, frames in the order in which they were sent:
 *
 *     S            SYN            SA           SYN-ACK
 *     d3           data segment 3 (d3* = the same again)
 *     a4           ACK: segments below 4 arrived; a4[6-8,10] with SACK blocks, the second of one segment; a4e with
 * ECN-Echo A            ACK of the sender without data !            after a frame: it was lost RTO, DACK    a timer of
 * the sender, of the receiver
 *
 * `lose` names frames to lose, "d3 d3* a7" (each word loses the next frame of that name), `slow` frames that come
 * `slow_by` later. `mark` names frames that a switch would mark CE: the ECN-capable ones among them are.
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
    /* set before world_open; world_new fills in what is usual */
    const struct transport_ops *ops;
    int64_t params[TCP_N_PARAMS];
    uint64_t bytes;
    span_ps delay; /* one way */
    const char *lose, *slow, *mark;
    span_ps slow_by;
    uint32_t loss_ppb; /* each frame, at random */
    span_ps jitter;    /* added to the delay, uniform below this */
    uint64_t seed;
    uint32_t sender_isn, receiver_isn;
    bool forgetful;   /* a closed receiver does not know the sender's ISN */
    bool established; /* on a connection that is open already */
    bool quiet;       /* no text */
    /* what happened */
    time_ps now;
    struct flow_tally tally;
    uint64_t counters[TCP_N_COUNTERS];
    uint64_t frames_lost;
    bool receiver_done;
    char text[WORLD_TEXT];
    /* insides */
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

/* A flow of n full segments over 5 ms each way, NewReno, defaults, nothing lost. */
struct world *world_new(uint64_t segments);
/* The same with 1 ms each way, so that traces have round times. */
static inline struct world *flow_of(uint64_t segments) {
    struct world *w = world_new(segments);
    w->delay = PS_PER_MS;
    return w;
}

void world_open(struct world *w);
/* One event: the next frame or timer. False if nothing will ever happen again. */
bool world_step(struct world *w);
void world_run(struct world *w, time_ps until); /* all that happens up to then */
/* Runs to the end, checks that every byte came once and that every cell was given back. */
void world_finish(struct world *w);
void world_free(struct world *w);
/* Opens, finishes, and compares the text. */
void world_expect(struct world *w, const char *text);
void world_say(struct world *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
