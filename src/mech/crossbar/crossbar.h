/* The crossbar: how frames get from the port they arrived at to the port they leave by.
 *
 * output-queued  at once: every frame goes straight to the queue of its egress port
 * islip          combined input and output queues (CIOQ): a frame waits in a virtual output queue of its input port
 *                until the matching below pairs input and output (mech/crossbar/islip.h; DT-1)
 *
 * A frame's class within the crossbar is the class of its egress queue, 0 lowest, 7 highest; credits cross above all
 * of them, in CROSSBAR_CREDIT_CLASS.
 */
#ifndef HEDDLE_MECH_CROSSBAR_H
#define HEDDLE_MECH_CROSSBAR_H

#include "base/types.h"

#define CROSSBAR_CLASSES 9
#define CROSSBAR_CREDIT_CLASS 8
#define CROSSBAR_PORTS 64 /* at most: a set of ports is one uint64_t */

/* From now on the first frame of this virtual output queue crosses. */
struct crossbar_match {
    uint8_t in, out, class;
};

struct crossbar_ops {
    const char *name, *paper, *doc;
};

/* In the order of enum crossbar_kind. */
#define CROSSBARS(ROW)                                                                                                 \
    ROW(output_queued)                                                                                                 \
    ROW(islip)

#define CROSSBAR_DECLARE(id) extern const struct crossbar_ops crossbar_##id;
CROSSBARS(CROSSBAR_DECLARE)

enum crossbar_kind { CROSSBAR_OUTPUT_QUEUED, CROSSBAR_ISLIP };

const struct crossbar_ops *const *crossbars(size_t *n);

#endif
