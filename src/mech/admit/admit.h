/* Admission: what a class of a port takes in, and what it marks.
 *
 * Both of these decide by two numbers, a limit and a threshold of frame bytes, so that an analytic port can apply them
 * by arithmetic (node/port.h): a frame is refused iff it would lift the backlog over the limit, and marked iff it finds
 * more than the threshold and is ECN-capable. An admission says what the two are at a port of a given rate.
 *
 * To add one: a .c file that ends in its table, and a row in ADMISSIONS below.
 */
#ifndef HEDDLE_MECH_ADMIT_H
#define HEDDLE_MECH_ADMIT_H

#include "base/types.h"

struct admit_limits {
    int64_t limit_bytes;
    int64_t mark_bytes; /* 0: marks nothing */
};

struct admit_settings {
    int64_t buffer_bytes;
    int64_t ecn_bytes;         /* threshold at every rate; 0: by rate */
    int64_t ecn_bytes_per_10g; /* threshold for each 10 Gbps of the link */
};

struct admit_ops {
    const char *name, *paper, *doc;
    struct admit_limits (*limits)(const struct admit_settings *settings, int64_t rate_bps);
};

/* In the order of enum admit_kind. */
#define ADMISSIONS(ROW)                                                                                                \
    ROW(droptail)                                                                                                      \
    ROW(ecn)                                                                                                           \
    ROW(phantom)

#define ADMIT_DECLARE(id) extern const struct admit_ops admit_##id;
ADMISSIONS(ADMIT_DECLARE)

enum admit_kind { ADMIT_DROPTAIL, ADMIT_ECN, ADMIT_PHANTOM };

const struct admit_ops *const *admissions(size_t *n);

#endif
