/* SPDX-License-Identifier: Apache-2.0 */
/* A watchdog over pauses: a neighbour that pauses a lane without end (a broken NIC, a pause storm, a deadlock) is no longer
 * obeyed, so that it stalls itself and nobody behind this switch. As in SONiC (sonic-swss, pfc_detect_*.lua, pfc_restore.lua)
 * a lane, a class of an egress port, is in one of two states:
 *
 *    operational  --- paused for `detect` without a break --->      stormed
 *    stormed      --- no pause stood for `restore` ---------->      operational
 *
 * Both are looked for at polls, so a storm is found detect to detect + poll after it began, and ends restore to restore +
 * 3 poll after its last pause. While it is stormed
 *
 *    drop     frames that wait in the lane are dropped, and so is each frame that comes for it (DROP_STORM)
 *    forward  the lane sends, as if it were not paused; the neighbour may lose what it has no room for
 *
 * and its pauses go on being recorded (mech/flowctl/pause_state.h), so switch.pause_storm counts the storm too. The lane of
 * credits, which only 802.3x pauses, sends with either action: credits are limited by rate, and may be lost.
 *
 * Deviation from SONiC: it counts polls at which frames of the class had come and none had ended the pause. We know when the
 * pause began, and a slow link needs its refresh only each 3 s (65,535 quanta at 10 Mbps).
 *
 *    found = pause_watchdog_poll(w, c, s, now)     at each poll: lanes that have become stormed
 *    pause_watchdog_heard(w, fields)               a pause frame was obeyed
 *    pause_watchdog_next(c, now)                   the next poll: polls lie on a grid from time 0
 *    pause_watchdog_rests(w, s)                    no lane needs a poll
 *    pause_watchdog_drops(w, lane)                 frames for the lane are dropped
 *
 * Pure; node/cioq_pause.c drops the frames and calls it at polls. Cost: nothing while no lane is paused.
 */
#ifndef HEDDLE_MECH_PAUSE_WATCHDOG_H
#define HEDDLE_MECH_PAUSE_WATCHDOG_H

#include "mech/flowctl/flowctl.h"
#include "mech/flowctl/pause_state.h"

struct pause_watchdog {
    uint32_t watched;            /* bit per lane: the port has it */
    uint32_t dropping;           /* bit per lane: stormed, and the action is drop */
    uint32_t heard;              /* bit per lane: a pause came since the last poll */
    time_ps quiet[PAUSE_LANES];  /* of a stormed lane: first poll since its last pause; TIME_NONE: it is paused */
    uint64_t found[PAUSE_LANES]; /* storms */
    uint64_t ended[PAUSE_LANES];
    uint64_t dropped[PAUSE_LANES]; /* frames */
};

static inline bool watchdog_is_on(const struct watchdog_config *c) {
    return c->action == WATCHDOG_DROP || c->action == WATCHDOG_FORWARD;
}

static inline time_ps pause_watchdog_next(const struct watchdog_config *c, time_ps now) {
    return (now / c->poll + 1) * c->poll;
}

static inline void pause_watchdog_heard(struct pause_watchdog *w, const struct pause_fields *f) {
    for (uint32_t k = 0; k < PAUSE_CLASSES; k++)
        if (f->classes >> k & 1 && pause_fields_quanta(f, k)) w->heard |= 1u << k;
    if (!f->opcode_pfc && f->quanta[0]) w->heard |= 1u << PAUSE_CREDIT_LANE;
}

/* Returns whether a stormed lane becomes operational at this poll. */
static inline bool pause_watchdog_restores(struct pause_watchdog *w, const struct watchdog_config *c,
                                           const struct pause_state *s, uint32_t k, time_ps now) {
    bool paused = (s->live | w->heard) >> k & 1;
    if (paused)
        w->quiet[k] = TIME_NONE;
    else if (w->quiet[k] == TIME_NONE)
        w->quiet[k] = now;
    return !paused && now - w->quiet[k] >= c->restore;
}

/* Returns the lanes that have become stormed; s->ignored has all stormed lanes. */
static inline uint32_t pause_watchdog_poll(struct pause_watchdog *w, const struct watchdog_config *c,
                                           struct pause_state *s, time_ps now) {
    uint32_t found = 0;
    pause_mask(s, now); /* ends the pauses that have expired */
    for (uint32_t rest = w->watched & (s->live | s->ignored); rest; rest &= rest - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(rest), bit = 1u << k;
        time_ps since = pause_since(s, k, now);
        if (s->ignored & bit) {
            if (!pause_watchdog_restores(w, c, s, k, now)) continue;
            s->ignored &= ~bit;
            w->ended[k]++;
        } else if (since != TIME_NONE && now - since >= c->detect) {
            s->ignored |= found |= bit;
            w->quiet[k] = TIME_NONE;
            w->found[k]++;
        }
    }
    w->dropping = c->action == WATCHDOG_DROP ? s->ignored & ~(1u << PAUSE_CREDIT_LANE) : 0;
    w->heard = 0;
    return found;
}

static inline bool pause_watchdog_rests(const struct pause_watchdog *w, const struct pause_state *s) {
    return !((s->live | s->ignored) & w->watched);
}

static inline bool pause_watchdog_drops(const struct pause_watchdog *w, uint32_t lane) {
    return w->dropping >> lane & 1;
}

#endif
