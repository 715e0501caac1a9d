/* SPDX-License-Identifier: Apache-2.0 */
/* The sending end of a paused link: which classes must not start a frame now (DT-5).
 *
 * A pause frame of time q that arrives at `now` stops its classes from now + reaction (T_R) until now + q quanta: a
 * frame that has begun is finished, and none begins at an instant t with from <= t < until. A further pause restarts
 * the time and leaves `from`. Time 0 ends the pause at once, or cancels it before it took effect. 802.3x stops all
 * lanes: the eight classes and lane 8, the credits, for which PFC has no class.
 *
 *     pause_obey(s, fields, now, reaction, quantum)   a pause frame's last bit arrived
 *     mask = pause_mask(s, now)                       bit k: lane k must not start a frame now
 *     pause_next_change(s, now)                       when the mask changes by itself
 *     pause_over(s, lane, at)                         earliest start from `at` on that the pause permits
 *     pause_total(s, lane, now)                       total time that the lane has been paused
 *     pause_since(s, lane, now)                       start of its current pause, to detect storms
 *     pause_lane_at(s, lane, now)                     its stops, its longest one, and how many were storms
 *
 * `now` must not go back between calls. A port that is busy needs no event at pause_next_change; an idle one with
 * frames waiting does. Cost of the mask while nothing is paused: one comparison.
 */
#ifndef HEDDLE_MECH_PAUSE_STATE_H
#define HEDDLE_MECH_PAUSE_STATE_H

#include "wire/pause_frame.h"

enum { PAUSE_LANES = PAUSE_CLASSES + 1, PAUSE_CREDIT_LANE = PAUSE_CLASSES };

/* The history of a lane (a class of one direction of a link). A storm is a stop of at least pause_state.storm without a
 * break. */
struct pause_lane {
    uint64_t stops, storms;
    span_ps longest;
    time_ps longest_from;
};

struct pause_state {
    uint32_t live;    /* bit per lane: from and until are valid */
    uint32_t ignored; /* bit per lane: its pauses are recorded and not obeyed (mech/flowctl/pause_watchdog.h) */
    time_ps from[PAUSE_LANES], until[PAUSE_LANES];
    span_ps total[PAUSE_LANES]; /* of pauses that have ended */
    uint64_t n_pauses;          /* stops of all lanes so far; refreshes do not count */
    span_ps storm;              /* 0: no stop counts as a storm */
    struct pause_lane lane[PAUSE_LANES];
};

/* Returns the part of a lane's current pause that lies before `now`. */
static inline span_ps pause_part(const struct pause_state *s, uint32_t lane, time_ps now) {
    if (!(s->live >> lane & 1)) return 0;
    return max_i64(min_i64(now, s->until[lane]) - s->from[lane], 0);
}

static inline void pause_lane_add(struct pause_lane *l, time_ps from, span_ps paused, span_ps storm) {
    l->stops += paused > 0;
    l->storms += storm && paused >= storm;
    if (paused > l->longest) *l = (struct pause_lane){l->stops, l->storms, paused, from};
}

/* Ends the lane's pause, which ended now or expired before. */
static inline void pause_end(struct pause_state *s, uint32_t lane, time_ps now) {
    span_ps paused = pause_part(s, lane, now);
    pause_lane_add(&s->lane[lane], s->from[lane], paused, s->storm);
    s->total[lane] += paused;
    s->live &= ~(1u << lane);
}

static inline void pause_obey_lane(struct pause_state *s, uint32_t lane, time_ps now, time_ps from, time_ps until) {
    if (s->live >> lane & 1 && now >= s->until[lane]) pause_end(s, lane, now);
    if (until == now) {
        pause_end(s, lane, now);
        return;
    }
    s->until[lane] = until;
    if (s->live >> lane & 1) return;
    s->live |= 1u << lane;
    s->from[lane] = from;
    s->n_pauses++;
}

static inline void pause_obey(struct pause_state *s, const struct pause_fields *fields, time_ps now, span_ps reaction,
                              span_ps quantum) {
    for (uint32_t k = 0; k < PAUSE_CLASSES; k++)
        if (fields->classes >> k & 1)
            pause_obey_lane(s, k, now, now + reaction, now + pause_fields_quanta(fields, k) * quantum);
    if (!fields->opcode_pfc)
        pause_obey_lane(s, PAUSE_CREDIT_LANE, now, now + reaction, now + fields->quanta[0] * quantum);
}

/* Returns the lanes that must not start a frame now. */
static inline uint32_t pause_mask(struct pause_state *s, time_ps now) {
    uint32_t mask = 0;
    for (uint32_t rest = s->live; rest != 0; rest &= rest - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(rest);
        if (now >= s->until[k])
            pause_end(s, k, now);
        else if (now >= s->from[k])
            mask |= 1u << k;
    }
    return mask & ~s->ignored;
}

/* Returns the next instant after `now` at which a pause takes effect or expires; TIME_NONE if there is none. */
static inline time_ps pause_next_change(const struct pause_state *s, time_ps now) {
    time_ps next = TIME_NONE;
    for (uint32_t rest = s->live & ~s->ignored; rest != 0; rest &= rest - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(rest);
        if (s->from[k] > now && s->from[k] < s->until[k])
            next = min_i64(next, s->from[k]);
        else if (s->from[k] <= now && s->until[k] > now)
            next = min_i64(next, s->until[k]);
    }
    return next;
}

/* Returns the earliest instant from `at` on at which the lane may start a frame, as far as is known now. */
static inline time_ps pause_over(const struct pause_state *s, uint32_t lane, time_ps at) {
    bool stopped = (s->live & ~s->ignored) >> lane & 1 && s->from[lane] <= at && at < s->until[lane];
    return stopped ? s->until[lane] : at;
}

static inline span_ps pause_total(const struct pause_state *s, uint32_t lane, time_ps now) {
    return s->total[lane] + pause_part(s, lane, now);
}

/* Returns when the lane's current pause took effect; TIME_NONE if it is not paused. */
static inline time_ps pause_since(const struct pause_state *s, uint32_t lane, time_ps now) {
    bool stands = s->live >> lane & 1 && s->from[lane] <= now && now < s->until[lane];
    return stands ? s->from[lane] : TIME_NONE;
}

/* Returns the lane's history; the current stop counts with its length so far. */
static inline struct pause_lane pause_lane_at(const struct pause_state *s, uint32_t lane, time_ps now) {
    struct pause_lane l = s->lane[lane];
    pause_lane_add(&l, s->from[lane], pause_part(s, lane, now), s->storm);
    return l;
}

#endif
