/* SPDX-License-Identifier: Apache-2.0 */
/* The receiving end of a paused link: counts the bytes of an ingress port and decides which classes to pause
 * (DeTail 5.2 to 5.4).
 *
 * The drain bytes of class k are the queued bytes of classes >= k: they must leave before a new frame of class k can
 * (DT-12; 7 is the highest class). Over the high threshold a class is paused, under the low one released, between them
 * it stays as it is (DT-8). Drain bytes never rise with the class, and drain_bytes[0] is the whole queue. When a class
 * is over the threshold, so are all lower classes.
 *
 * With 802.3x there is one lane, number 0, for the whole link; with PFC a lane per class of the port. Frames above the
 * highest class (credits) count as the highest.
 *
 * The driver adds each frame at its last bit and removes it when it has left the port's buffer. Both calls return the
 * lanes that changed. The driver then gives its port a pause frame, which goes before all other frames (DT-9), filled
 * by ingress_fields with all lanes that changed since the last pause frame. It fills the frame when it makes it, or
 * better when the frame starts. Each pause frame refreshes all paused lanes and so restarts the refresh timer:
 *
 *     changed = ingress_add(m, class, bytes);             a frame arrived
 *     changed = ingress_remove(m, class, bytes);          a frame left
 *     if (changed) fields = ingress_fields(m, changed, now);
 *     if (now >= m->renew_at) fields = ingress_fields(m, 0, now);
 *
 * At the end of a run ingress_is_sound compares the counts with the frames that are queued (sim/audit.h).
 *
 * renew_at is TIME_NONE while nothing is paused. Cost: an addition and a comparison per lane up to the frame's class.
 */
#ifndef HEDDLE_MECH_INGRESS_METER_H
#define HEDDLE_MECH_INGRESS_METER_H

#include "mech/flowctl/flowctl.h"

struct ingress_meter {
    int64_t bytes; /* queued frame bytes of all classes */
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

/* Counts a frame of `bytes` that arrived; returns the lanes that it makes paused. */
static inline uint8_t ingress_add(struct ingress_meter *m, uint32_t class, int64_t bytes) {
    uint32_t lane = ingress_lane(m, class);
    uint8_t over = 0;
    m->bytes += bytes;
    for (uint32_t k = 0; k <= lane; k++) {
        m->drain_bytes[k] += bytes;
        if (m->drain_bytes[k] > m->high_bytes) over |= (uint8_t)(1u << k);
    }
    over &= (uint8_t)~m->paused;
    m->paused |= over;
    return over;
}

/* Uncounts a frame of `bytes` that left; returns the lanes that this releases. */
static inline uint8_t ingress_remove(struct ingress_meter *m, uint32_t class, int64_t bytes) {
    uint32_t lane = ingress_lane(m, class);
    m->bytes -= bytes;
    for (uint32_t k = 0; k <= lane; k++) m->drain_bytes[k] -= bytes;
    if (!m->paused) return 0;
    uint8_t under = 0;
    for (uint32_t k = 0; k <= lane; k++) under |= (uint8_t)((m->drain_bytes[k] < m->low_bytes) << k);
    under &= m->paused;
    m->paused &= (uint8_t)~under;
    return under;
}

/* Returns whether `bytes` are counted, and drain bytes neither rise with the class nor fall below 0. A frame removed
 * but never added, or removed with another class, leaves a permanent error in the counts. */
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
