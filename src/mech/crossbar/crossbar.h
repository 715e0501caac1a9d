/* SPDX-License-Identifier: Apache-2.0 */
/* The crossbar: how frames get from the port they arrived at to the port they leave by.
 *
 * output-queued  every frame goes straight to the queue of its egress port
 * islip          combined input and output queues (CIOQ): a frame waits in a virtual output queue of its input port
 *                until the matching pairs input and output (mech/crossbar/islip.h; DT-1)
 *
 * A frame's class within the crossbar is the class of its egress queue, 0 lowest, 7 highest; credits cross above all of
 * them, in CROSSBAR_CREDIT_CLASS.
 *
 * To add one: a .c file that ends in its table, and a row in CROSSBARS (crossbars.h); node/cioq.c drives crossbars
 * with queues.
 */
#ifndef HEDDLE_MECH_CROSSBAR_H
#define HEDDLE_MECH_CROSSBAR_H

#include "base/param.h"

#define CROSSBAR_CLASSES 9
#define CROSSBAR_CREDIT_CLASS 8
#define CROSSBAR_PORTS 64 /* at most: a set of ports is one uint64_t */

/* One match: the first frame of this virtual output queue starts to cross. */
struct crossbar_match {
    uint8_t in, out, class;
};

struct crossbar_config {
    const struct crossbar_ops *ops; /* NULL: output-queued */
    bool drops;            /* a full egress queue drops frames that have crossed; else frames are held in their ingress
                              queue (DT-6) */
    uint32_t iterations;   /* iterations of iSlip */
    uint32_t speedup;      /* speed of the crossbar over that of the links (DT-2) */
    int64_t ingress_bytes; /* queue of each input port, frame bytes */
    int64_t reserve_bytes; /* part of the egress queue kept for each class; lower classes cannot use it (AM-3) */
    span_ps forward_delay; /* delay of the forwarding engine (DT-22) */
};

struct crossbar_ops {
    const char *name, *paper, *doc;
    const struct param *params; /* "switch.islip.speedup", in struct crossbar_config; a block of its name */
    size_t n_params;
    bool queues; /* has queues at both ends of the crossbar; else frames go straight to their egress ports */
};

const struct crossbar_ops *const *crossbars(size_t *n);
const struct crossbar_ops *crossbar_find(const char *name); /* NULL if unknown */

static inline bool crossbar_has_queues(const struct crossbar_config *s) { return s->ops && s->ops->queues; }

#endif
