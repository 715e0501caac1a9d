/* SPDX-License-Identifier: Apache-2.0 */
/* No crossbar to wait for: a frame joins the queue of its egress port as soon as it is forwarded. */
#include "mech/crossbar/crossbar.h"

const struct crossbar_ops crossbar_output_queued = {
    .name = "output-queued",
    .paper = "McKeown 1999 1",
    .doc = "frames go straight to the queue of the port they leave by",
};
