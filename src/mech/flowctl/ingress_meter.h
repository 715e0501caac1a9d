/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a link that fills up: bytes that wait at an ingress port, and which lanes must be paused for them (DeTail
 * 5.2 to 5.4).
 *
 * The drain bytes of class k are the bytes that wait with a class >= k: they must leave before a new frame of class k
 * can (DT-12; 7 is the highest class). Above the high threshold a class is paused, below the low one released, between
 * them it keeps its state (DT-8). So drain bytes never rise with the class, drain[0] counts all bytes, and if a class
 * is above the threshold, all lower classes are too.
 *
 * With 802.3x there is one lane, number 0, for the whole link; with PFC there is a lane per class of the port. Frames
 * above the highest class (credits) count as the highest.
 *
 * The driver adds each frame at its last bit and removes it when it has left the port's buffer. Both calls return the
 * lanes that changed. The driver then gives its port a pause frame with the contents of ingress_fields, which goes
 * before all other frames (DT-9). It calls ingress_fields when the frame is made, or better when the frame starts, with
 * all lanes that changed since the last pause frame. A pause frame refreshes all paused lanes, so it restarts the
 * refresh clock:
 *
 *     changed = ingress_add(m, class, bytes);             a frame arrived
 *     changed = ingress_remove(m, class, bytes);          a frame left
 *     if (changed) fields = ingress_fields(m, changed, now);
 *     if (now >= m->renew_at) fields = ingress_fields(m, 0, now);
 *
 * At the end of a run ingress_is_sound compares the counts with the frames that really wait (sim/observe/audit.h).
 *
 * renew_at is TIME_NONE while nothing is paused. Cost: an addition and a comparison per lane up to the frame's class.
 */
#ifndef HEDDLE_MECH_INGRESS_METER_H
#define HEDDLE_MECH_INGRESS_METER_H

#include "mech/flowctl/flowctl.h"

struct ingress_meter {
    int64_t bytes; /* frame bytes that wait here, all classes */
    uint32_t n_lanes;
    uint8_t paused; /* bit per lane */
    bool by_class;
    int64_t high_bytes, low_bytes;
    int64_t drain_bytes[PAUSE_CLASSES];
    time_ps renew_at; /* when to refresh the pauses; TIME_NONE: none stands */
    span_ps renewal;  /* from a pause frame to its refresh */
};

static inline void ingress_init(struct ingress_meter *m, const struct flowctl_params *p,
                                const struct flowctl_thresholds *t, const struct flowctl_ops *ops, uint32_t n_classes) {
    *m = (struct ingress_meter){.high_bytes = t->high_bytes,
                                .low_bytes = t->low_bytes,
                                .renew_at = TIME_NONE,
                                .renewal = flowctl_renewal(p),
                                .n_lanes = ops->by_class ? n_classes : 1,
                                .by_class = ops->by_class};
}

static inline uint32_t ingress_lane(const struct ingress_meter *m, uint32_t class) {
    return class < m->n_lanes ? class : m->n_lanes - 1;
}

/* Adds a frame of `bytes` that waits now; returns the lanes that this pauses. */
static inline uint8_t ingress_add(struct ingress_meter *m, uint32_t class, int64_t bytes) {
    uint32_t lane = ingress_lane(m, class);
    uint8_t over = 0;
    m->bytes += bytes;
    for (uint32_t k = lane; k; k--) {
        m->drain_bytes[k] += bytes;
        over |= (uint8_t)((m->drain_bytes[k] > m->high_bytes) << k);
    }
    m->drain_bytes[0] += bytes; /* mostly the only one */
    over |= m->drain_bytes[0] > m->high_bytes;
    over &= (uint8_t)~m->paused;
    m->paused |= over;
    return over;
}

/* Removes a frame that has left; returns the lanes that this releases. */
static inline uint8_t ingress_remove(struct ingress_meter *m, uint32_t class, int64_t bytes) {
    uint32_t lane = ingress_lane(m, class);
    m->bytes -= bytes;
    m->drain_bytes[0] -= bytes;
    for (uint32_t k = 1; k <= lane; k++) m->drain_bytes[k] -= bytes;
    if (!m->paused) return 0;
    uint8_t under = 0;
    for (uint32_t k = 0; k <= lane; k++) under |= (uint8_t)((m->drain_bytes[k] < m->low_bytes) << k);
    under &= m->paused;
    m->paused &= (uint8_t)~under;
    return under;
}

/* Returns whether the counts match `bytes` waiting, and drain bytes never rise with the class nor fall below 0. A frame
 * that was removed without being added, or with another class, leaves the counts wrong for ever. */
static inline bool ingress_is_sound(const struct ingress_meter *m, int64_t bytes) {
    if (m->bytes != bytes || m->drain_bytes[0] != bytes) return false;
    for (uint32_t k = 1; k < m->n_lanes; k++)
        if (m->drain_bytes[k] < 0 || m->drain_bytes[k] > m->drain_bytes[k - 1]) return false;
    return true;
}

/* Returns the fields of a pause frame sent at `now`: the longest time for every paused lane, 0 for the lanes of
 * `changed` that are not paused. */
static inline struct pause_fields ingress_fields(struct ingress_meter *m, uint8_t changed, time_ps now) {
    m->renew_at = m->paused ? now + m->renewal : TIME_NONE;
    if (!m->by_class) return pause_fields_link(m->paused ? PAUSE_QUANTA_MAX : 0);
    return pause_fields_pfc(m->paused, (uint8_t)(changed & ~m->paused), PAUSE_QUANTA_MAX);
}

#endif
