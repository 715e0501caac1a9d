/* SPDX-License-Identifier: Apache-2.0 */
/* The load of a link over the last second, the same for everybody who asks.
 *
 * Who keeps it adds what the port has sent and received LOAD_WINDOW_PARTS times a second. The load is that between the newest
 * point and the one a second before it, or the first one while the window is younger. No time passes by asking.
 */
#ifndef HEDDLE_LIVE_LOAD_WINDOW_H
#define HEDDLE_LIVE_LOAD_WINDOW_H

#include "base/types.h"

#define LOAD_WINDOW (PS_PER_S)
#define LOAD_WINDOW_PARTS 4

/* Wire bytes that a port had sent and received at a time. */
struct load_point {
    time_ps at;
    uint64_t sent_bytes, received_bytes;
};

/* All zero before the first point. */
struct load_window {
    struct load_point point[LOAD_WINDOW_PARTS + 1]; /* in a ring; the newest before `next` */
    uint32_t n, next;
    int64_t sent_ppb, received_ppb; /* shares of the link's rate over the last second */
};

/* Adds a point, later than all others, and computes the shares for a link of this rate. */
void load_window_add(struct load_window *w, struct load_point now, int64_t rate_bps);

#endif
