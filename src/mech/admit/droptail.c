/* SPDX-License-Identifier: Apache-2.0 */
/* Tail drop: a frame that does not fit is dropped. */
#include "mech/admit/admit.h"

static struct admit_limits droptail_limits(const struct admit_config *config, int64_t buffer_bytes, int64_t rate_bps) {
    (void)config;
    (void)rate_bps;
    return (struct admit_limits){.limit_bytes = buffer_bytes};
}

const struct admit_ops admit_droptail = {
    .name = "droptail",
    .paper = "RFC 7567 2",
    .doc = "a frame that does not fit is dropped",
    .limits = droptail_limits,
};
