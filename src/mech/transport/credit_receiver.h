/* SPDX-License-Identifier: Apache-2.0 */
/* The receiving end of a credit transport: when credits are due, what came back for them, and the reorder buffer.
 *
 * Spacing (XP-20, AM-9): next = last + gap (1 + U), U uniform in [-jitter/2, jitter/2), gap = (serialization of 1622
 * bytes at the NIC's rate) / (cur_rate / max_rate). `next_at` is the earliest credit not accounted for. The NIC's
 * limiter asks for a credit when it may send one. Of the credits due since then, all but the latest were refused
 * (AM-10): they take numbers and count as sent and refused. A rate above max_rate (SP-17) is clipped here, as the
 * limiter would clip it, and the excess counts as refused. If the limiter clipped it, credits would leave without
 * jitter, and keep all other flows out of a queue of the same rate permanently.
 *
 * A credit's number comes back in the data. A gap is a loss. It is noticed when a later number comes back (XP-16), or
 * when a credit is two periods old and neither it nor a later one came back. A number below one already seen is
 * out of order (SP-F5): its loss was a false one.
 *
 * Silence (X-28, AM-21, AM-23): with `released`, a period in which nothing came back goes on until something does. So
 * it does with `hotnets`, unless `empty: success` takes it as a period without loss and counts credits that are two
 * periods old as lost. With `printed` an empty period leaves the rate alone, and credits two periods old count as lost.
 *
 * A period ends one RTT (times update_period) after the last evaluation. The first one: with `hotnets` it has run since
 * the request, and ends when the first credit after the first data leaves, as in the authors' ns-2 (AM-37); with the
 * other rules it begins with the first data. A period is evaluated when the next credit is about to leave, or when data
 * arrives while no credit is due. This needs no timer, so a flow that waits for its limiter costs nothing. Only if the next credit is due much later than the
 * evaluation, the evaluation is the next deadline.
 *
 * When the rate of the NIC's link changes, gaps follow from the next credit on.
 *
 * The RTT is measured on one credit at a time, from its departure to its data's arrival, and smoothed 0.8 / 0.2. If
 * that credit was lost when the first data arrives, the stamp of the data's own credit gives the first RTT (AM-37).
 *
 * LAST tells how many segments the flow has. If some are still missing then, credits pause for an RTT and go on.
 *
 * The flow's end (`credit_end: size`, AM-55; docs/expresspass-extensions.md): the number of credits outstanding (credit_outstanding.h) stays at
 * or below that of missing segments plus `credit_spare`, at least 1. At that limit the next credit is due when the
 * oldest one expires, or when an answer makes room; what the rate alone would have sent meanwhile does not count as
 * refused. A credit expires after two RTTs (as in X-28), before the first sample after the sender's own patience. The
 * flow's size is what the last request told, and once LAST arrived what LAST told. Data beyond the size told, or a
 * request that tells none, lift the limit. After a STOP no credit is outstanding.
 */
#ifndef HEDDLE_MECH_CREDIT_RECEIVER_H
#define HEDDLE_MECH_CREDIT_RECEIVER_H

#include "mech/transport/bit_ring.h"
#include "mech/transport/credit.h"
#include "mech/transport/credit_feedback.h"
#include "mech/transport/credit_outstanding.h"

enum credit_receiver_state { CREDIT_CREDITING, CREDIT_STOPPED, CREDIT_FINISHED };

/* Segments that arrived ahead of their turn. The cell is taken when first needed and kept to the end of the flow. */
struct credit_reorder {
    uint32_t n_held;
    uint32_t mask;
    uint64_t bits[];
};

struct credit_receiver {
    /* first cache line */
    time_ps next_at;   /* when the next credit is due; TIME_NONE: the rate is 0 */
    time_ps update_at; /* end of the period; TIME_NONE: data that starts it has not arrived yet */
    span_ps gap;       /* between credits at the current rate, at least full_gap; 0: the rate is 0 */
    span_ps full_gap;  /* gap at max_rate */
    uint64_t rcv_nxt;  /* first missing segment */
    uint32_t number;   /* number of the next credit */
    uint32_t echo_nxt; /* one more than the highest number that came back */
    time_ps timed_at;
    uint32_t timed_number;
    uint8_t state, rule;
    bool timing : 1, sized : 1;                              /* sized: credits end with the flow (AM-55) */
    bool done_due : 1, sprays : 1, by_marks : 1, floors : 1; /* sprays: `spray` is allocated */
    bool waits : 1;                                          /* a period goes on until something comes back */
    bool never_raises : 1;                                   /* hotnets: a cut never raises the rate (AM-38) */
    uint8_t reading : 2;
    /* second cache line */
    span_ps rtt;
    time_ps period_from;             /* begin of the period; before the first data, when the request came */
    uint64_t high;                   /* one more than the highest segment that arrived */
    int64_t nic_bps;                 /* link rate that full_gap is for */
    uint32_t arrived, lost, marked;  /* counts of this period */
    uint32_t mark_before, mark_last; /* `number` at the last two evaluations */
    uint32_t high_serial;
    uint32_t excess_q30; /* fraction of a credit to refuse, because the rate is above the maximum */
    uint32_t granted;    /* credits sent; the tally gets it, and `refused`, when data arrives, since the tally is
                            another cache line */
    /* third cache line */
    struct credit_feedback feedback;
    uint64_t total; /* segments of the flow, once LAST arrived; else UINT64_MAX */
    uint64_t refused;
    struct credit_reorder *reorder;
    int32_t aim_q30;
    struct random_lane jitter;
    /* SprayPass only */
    struct credit_spray *spray;
    uint64_t boards, exclusions, readmissions; /* values of `spray` at the last count */
    /* sized only */
    struct credit_outstanding outstanding;
    uint64_t told;   /* segments of the flow by the last request; 0: not told */
    time_ps pace_at; /* when the next credit would be due if it were not held back */
    bool held_back;  /* as many are outstanding as may be */
};
#define CREDIT_RECEIVER_HOT offsetof(struct credit_receiver, spray)
_Static_assert(CREDIT_RECEIVER_HOT == 192, "three lines");

static inline size_t credit_receiver_cell_bytes(uint32_t window, const struct spray_config *spray) {
    size_t reorder = sizeof(struct credit_reorder) + ring_bits(window) / 8;
    size_t board = spray ? credit_spray_bytes(spray->paths) : 0;
    return reorder > board ? reorder : board;
}

#endif
