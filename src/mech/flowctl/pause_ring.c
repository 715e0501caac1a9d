/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/flowctl/pause_ring.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* new -> on the path that is being followed -> done */
enum lane_state { LANE_NEW, LANE_ON_WAY, LANE_DONE };

/* A depth-first walk: `path` is the current path, `next` the first wait of each lane not followed yet. */
struct walk {
    uint8_t *state;       /* [n_lanes] */
    uint32_t *first;      /* [n_lanes + 1] waits of each lane, in on[] */
    uint32_t *next, *on;  /* [n_lanes], [n_waits] */
    uint32_t *path, held; /* [n_lanes] */
};

static void walk_init(struct walk *w, const struct pause_wait *wait, size_t n_waits, uint32_t n_lanes) {
    w->state = memory_get(n_lanes, sizeof *w->state);
    w->first = memory_get(n_lanes + 1u, sizeof *w->first);
    w->next = memory_get(n_lanes, sizeof *w->next);
    w->on = memory_get(n_waits, sizeof *w->on);
    w->path = memory_get(n_lanes, sizeof *w->path);
    w->held = 0;
    for (size_t i = 0; i < n_waits; i++) w->first[wait[i].of + 1]++;
    for (uint32_t k = 0; k < n_lanes; k++) w->first[k + 1] += w->first[k];
    for (uint32_t k = 0; k < n_lanes; k++) w->next[k] = w->first[k];
    for (size_t i = 0; i < n_waits; i++) w->on[w->next[wait[i].of]++] = wait[i].on;
    for (uint32_t k = 0; k < n_lanes; k++) w->next[k] = w->first[k];
}

static void walk_fini(struct walk *w) {
    free(w->state);
    free(w->first);
    free(w->next);
    free(w->on);
    free(w->path);
}

/* Records the path from `lane` on as a ring, its lowest lane first. Marks its lanes as done and takes them off the
 * path; the lanes before it have used up their wait for the ring. */
static void ring_close(struct pause_rings *r, struct walk *w, uint32_t lane) {
    uint32_t from = w->held - 1, low;
    while (w->path[from] != lane) from--;
    low = from;
    for (uint32_t i = from; i < w->held; i++) {
        w->state[w->path[i]] = LANE_DONE;
        if (w->path[i] < w->path[low]) low = i;
    }
    uint32_t length = w->held - from, *to = r->lane + r->start[r->n];
    for (uint32_t i = 0; i < length; i++) to[i] = w->path[from + (low - from + i) % length];
    r->start[r->n + 1] = r->start[r->n] + length;
    r->n++;
    w->held = from;
}

static void walk_from(struct pause_rings *r, struct walk *w, uint32_t lane) {
    w->path[w->held++] = lane;
    w->state[lane] = LANE_ON_WAY;
    while (w->held) {
        uint32_t at = w->path[w->held - 1];
        if (w->next[at] == w->first[at + 1]) {
            w->state[at] = LANE_DONE;
            w->held--;
            continue;
        }
        uint32_t on = w->on[w->next[at]++];
        if (w->state[on] == LANE_ON_WAY) {
            ring_close(r, w, on);
        } else if (w->state[on] == LANE_NEW) {
            w->state[on] = LANE_ON_WAY;
            w->path[w->held++] = on;
        }
    }
}

void pause_rings_find(struct pause_rings *r, const struct pause_wait *wait, size_t n_waits, uint32_t n_lanes) {
    struct walk w;
    *r = (struct pause_rings){.start = memory_get(n_lanes + 1u, sizeof *r->start),
                              .lane = memory_get(n_lanes, sizeof *r->lane)};
    walk_init(&w, wait, n_waits, n_lanes);
    for (uint32_t k = 0; k < n_lanes; k++)
        if (w.state[k] == LANE_NEW) walk_from(r, &w, k);
    walk_fini(&w);
}

void pause_rings_fini(struct pause_rings *r) {
    free(r->start);
    free(r->lane);
    *r = (struct pause_rings){0};
}
