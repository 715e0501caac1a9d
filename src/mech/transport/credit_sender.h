/* SPDX-License-Identifier: Apache-2.0 */
/* The sending end of a credit transport: one DATA frame for each credit, the foremost segment first (SP-11).
 *
 *     CREDIT_ASKING -> CREDIT_GRANTED      a credit arrived
 *     CREDIT_GRANTED -> CREDIT_IDLE        no data for the hold time: STOP, the credits held are wasted (SP-12)
 *     CREDIT_IDLE -> CREDIT_ASKING         new data (SP-13)
 *     any -> CREDIT_ENDED                  DONE arrived
 *
 * Credits wait in a ring until the NIC takes their frames, and with `hold` until there is data. Four fit into the
 * struct; if more arrive at once, the ring takes a cell of env->cells. When the ring is full the oldest credit is
 * wasted. A flow with rate_bps > 0 gets a full segment from its application every mss x 8 / rate, the first one at the
 * start.
 */
#ifndef HEDDLE_MECH_CREDIT_SENDER_H
#define HEDDLE_MECH_CREDIT_SENDER_H

#include "mech/transport/credit.h"

#define CREDIT_NEAR 4

enum credit_sender_state { CREDIT_ASKING, CREDIT_GRANTED, CREDIT_IDLE, CREDIT_ENDED };

struct held_credit {
    uint64_t came : 63; /* a time_ps */
    uint64_t marked : 1;
    uint32_t number;
    uint16_t path, stamp;
};
_Static_assert(sizeof(struct held_credit) == 16, "four to a cache line");

struct credit_sender {
    /* first cache line */
    uint64_t una; /* first segment that the receiver misses */
    uint64_t nxt; /* first segment never sent */
    uint64_t n_segments;
    time_ps una_since; /* when una last advanced, or its segment was last sent */
    time_ps heard_at;  /* last frame from the receiver, or last REQUEST if later */
    time_ps data_at;   /* last time that data was sent, or credits began */
    time_ps timer_at;
    uint8_t state, backoff;
    bool request_due, stop_due, recovering, hold;
    uint16_t mss;
    /* second cache line */
    span_ps rtt;     /* from request to first credit; 0: not measured */
    span_ps app_gap; /* between segments of the application; 0: all data is available */
    span_ps min_rto; /* before the first credit at least twice the base round trip */
    span_ps hold_for;
    struct held_credit *far;          /* the ring in a cell; NULL while `near` suffices */
    uint64_t unscheduled_end;         /* segments below this may be sent before the first credit */
    uint32_t window;                  /* most segments that nxt may be ahead of una */
    uint16_t n_held, first, capacity; /* of the ring */
    /* third cache line */
    struct held_credit near[CREDIT_NEAR];
    /* used after losses and stops only */
    uint64_t rxt, recover; /* in recovery: [rxt, recover) is still to be sent again */
    time_ps started_at, asked_at, stopped_at;
};
#define CREDIT_SENDER_HOT offsetof(struct credit_sender, rxt)
_Static_assert(CREDIT_SENDER_HOT == 192, "three lines");

static inline size_t credit_sender_cell_bytes(uint32_t capacity) { return capacity * sizeof(struct held_credit); }

#endif
