/* SPDX-License-Identifier: Apache-2.0 */
/* The link and the ingress buffer of the DeTail paper, for any rate. */
#ifndef HEDDLE_TESTS_MECH_FLOWCTL_PAPER_H
#define HEDDLE_TESTS_MECH_FLOWCTL_PAPER_H

#include "mech/flowctl/flowctl.h"

#include "unit.h"

enum { US = PS_PER_US, PAPER_HIGH = 11546, PAPER_LOW = 4838 };
#define GBPS 1000000000LL

/* Returns the parameters of the paper's link and buffer at a rate. */
static inline struct flowctl_params params_at(int64_t rate_bps, uint32_t classes, enum flowctl_headroom headroom) {
    return (struct flowctl_params){.rate_bps = rate_bps,
                                   .propagation = FLOWCTL_PAPER_PROPAGATION,
                                   .reaction = flowctl_reaction(rate_bps),
                                   .max_frame_bytes = FLOWCTL_PAPER_FRAME_BYTES,
                                   .buffer_bytes = FLOWCTL_PAPER_BUFFER_BYTES,
                                   .classes = classes,
                                   .headroom = headroom};
}

#endif
