/* SPDX-License-Identifier: Apache-2.0 */
#include "live/load_window.h"

#define POINTS (LOAD_WINDOW_PARTS + 1)

/* Returns the newest point that is a window old; the oldest if all are younger. */
static const struct load_point *begin_of(const struct load_window *w, time_ps now) {
    uint32_t first = w->n < POINTS ? 0 : w->next;
    const struct load_point *begin = &w->point[first];
    for (uint32_t i = 1; i < w->n; i++) {
        const struct load_point *p = &w->point[(first + i) % POINTS];
        if (now - p->at < LOAD_WINDOW) break;
        begin = p;
    }
    return begin;
}

static int64_t share_ppb(uint64_t bytes, int128 bits) {
    return bits > 0 ? (int64_t)((int128)bytes * 8 * PPB / bits) : 0;
}

void load_window_add(struct load_window *w, struct load_point now, int64_t rate_bps) {
    if (w->n > 0) {
        const struct load_point *begin = begin_of(w, now.at);
        int128 bits = (int128)rate_bps * (now.at - begin->at) / PS_PER_S;
        w->sent_ppb = share_ppb(now.sent_bytes - begin->sent_bytes, bits);
        w->received_ppb = share_ppb(now.received_bytes - begin->received_bytes, bits);
    }
    w->point[w->next] = now;
    w->next = (w->next + 1) % POINTS;
    if (w->n < POINTS) w->n++;
}
