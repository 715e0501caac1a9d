/* SPDX-License-Identifier: Apache-2.0 */
/* Admission: which frames a class of a port accepts, and which it marks.
 *
 * Tail drop and ECN decide by two numbers of frame bytes, a limit and a threshold, so that an analytic port can apply
 * them by arithmetic (node/port.h). A frame is refused iff it would lift the backlog above the limit. It is marked iff
 * it is ECN-capable and finds more than the threshold. An admission computes both numbers for a port of a given rate. A
 * phantom queue (mech/admit/phantom.h) marks by a third number, the threshold of a queue that the link does not have.
 *
 * To add one: a .c file that ends in its table, and a row in ADMISSIONS (admissions.h).
 */
#ifndef HEDDLE_MECH_ADMIT_H
#define HEDDLE_MECH_ADMIT_H

#include "base/param.h"

/* The limits by which a port admits and marks frames. */
struct admit_limits {
    int64_t limit_bytes;
    int64_t mark_bytes;        /* 0: marks nothing */
    int64_t phantom_bytes;     /* threshold of a phantom queue, wire bytes; 0: none */
    int64_t phantom_drain_ppb; /* share of the link's rate at which it drains */
};

/* Decides about the frames of one port. Thresholds and backlogs are in one unit, which is the port's: frame bytes, or
 * time of the link. */
struct marker {
    int64_t above; /* a frame that finds more is marked; INT64_MAX: none is */
};

/* Returns whether a frame that finds this backlog is marked, if it is ECN-capable. */
static inline bool marker_marks(struct marker *m, int64_t backlog) { return backlog > m->above; }

struct admit_config {
    const struct admit_ops *ops;                      /* NULL: tail drop */
    int64_t ecn_bytes;                                /* ecn: threshold at every rate, frame bytes; 0: by rate */
    int64_t ecn_bytes_per_10g;                        /* ecn: threshold for each 10 Gbps of the link */
    int64_t phantom_bytes_per_10g, phantom_drain_ppb; /* phantom: threshold per 10 Gbps, wire bytes; drain */
};

struct admit_ops {
    const char *name, *paper, *doc;
    const struct param *const *keys; /* "switch.ecn_threshold", in struct admit_config; ends at NULL; NULL: none */
    struct admit_limits (*limits)(const struct admit_config *config, int64_t buffer_bytes, int64_t rate_bps);
};

const struct admit_ops *const *admissions(size_t *n);
const struct admit_ops *admission_find(const char *name); /* NULL if unknown */

/* Returns the limits of a port with this buffer and rate. */
struct admit_limits admit_limits_of(const struct admit_config *config, int64_t buffer_bytes, int64_t rate_bps);

/* Returns a threshold given per 10 Gbps for a link of this rate. */
static inline int64_t admit_scaled(int64_t bytes_per_10g, int64_t rate_bps) {
    return (int64_t)((int128)bytes_per_10g * rate_bps / 10000000000LL);
}

#endif
