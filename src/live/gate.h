/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel queues in front of a TAP device: they limit how fast the stack may send, class by class.
 *
 *    struct gate *g = gate_open("eth0", 8, 100 Mbps, &d);
 *    gate_step(g, k, now, fill);                  in every turn of the loop that reads the device, for each class
 *
 * A TAP device that is not read does not stop its stack: when its ring is full the kernel drops frames without an
 * error (Linux 6.18), and a frame in the ring counts for no socket any more. So the ring must not fill up. Frames wait
 * before it in an HTB queue for each class of the fabric. There they still count for their sockets: TCP stops sending
 * (TCP small queues), and a datagram blocks its sender when its send buffer is used up.
 *
 * All classes together may send GATE_AHEAD times the rate of the link, GATE_MOST_BPS at most. While a class's queue in
 * the NIC is more than half full and does not shrink, the class's rate is halved in each period in which four frames
 * could have passed. The rate is restored when the queue is less than a quarter full. At most four frames pass for
 * each halving, about fifty in a pause of a minute, and a class resumes within an eighth of the time that it was
 * stopped.
 *
 * Needs CAP_NET_ADMIN, tc (iproute2) when it is opened, and HTB and u32 in the kernel. One thread owns a gate. Cost of
 * a step that changes nothing: two comparisons; of a step that changes a rate: a message to the kernel.
 */
#ifndef HEDDLE_LIVE_GATE_H
#define HEDDLE_LIVE_GATE_H

#include "base/diag.h"
#include "base/ethernet.h"
#include "base/types.h"

#define GATE_AHEAD 2               /* rate of the stack relative to the link */
#define GATE_FRAMES 4              /* full frames that may pass before the next halving */
#define GATE_CLOSES 500            /* permille of the NIC's queue */
#define GATE_OPENS 250             /* permille of the NIC's queue */
#define GATE_LEAST_BPS 8000LL      /* least rate: a full frame each 1.5 s, so a class is never stopped for good */
#define GATE_MOST_BPS 4000000000LL /* a ring of 10,000 frames then outlasts a sleep of the loop of 30 ms */

/* The rate of one class. */
struct throttle {
    int64_t open_bps, rate_bps;
    time_ps next;  /* time of the next halving; TIME_NONE: its queue has room */
    uint32_t fill; /* permille of its queue at the last look */
};

static inline span_ps throttle_window(int64_t rate_bps) {
    return GATE_FRAMES * FULL_WIRE_BYTES * 8 * (PS_PER_S / rate_bps);
}

/* Updates the rate for the present fill of the queue. Returns true if the rate changes. */
static inline bool throttle_step(struct throttle *t, time_ps now, uint32_t fill_permille) {
    int64_t before = t->rate_bps;
    if (fill_permille < GATE_OPENS) t->rate_bps = t->open_bps;
    if (fill_permille <= GATE_CLOSES) {
        t->next = TIME_NONE;
        t->fill = 0;
    } else if (t->next == TIME_NONE || now >= t->next) {
        if (fill_permille >= t->fill) t->rate_bps = max_i64(t->rate_bps / 2, GATE_LEAST_BPS);
        t->fill = fill_permille;
        t->next = now + throttle_window(t->rate_bps);
    }
    return t->rate_bps != before;
}

struct gate;

/* Puts the queues in front of the device. Returns NULL after filling *d: a program or a part of the kernel is
 * missing. */
struct gate *gate_open(const char *interface, uint32_t classes, int64_t link_bps, struct diag *d);
void gate_close(struct gate *g); /* restores the rates of all classes; NULL is allowed */
void gate_step(struct gate *g, uint32_t class, time_ps now, uint32_t fill_permille);
/* Returns the time of the next halving if its queue stays full; TIME_NONE: none. */
time_ps gate_next(const struct gate *g);

/* Counts of halvings, and of requests that the kernel refused. */
struct gate_counts {
    uint64_t halvings, refused;
};
struct gate_counts gate_counts(const struct gate *g);

#endif
