/* SPDX-License-Identifier: Apache-2.0 */
/* ECN at a threshold: ECN-capable frames that find more than K in the queue are marked CE (RFC 3168; DCTCP 3.1 for
 * marking on the instantaneous queue at enqueue). Frames are dropped only when they do not fit. K may scale with the
 * rate: DCTCP uses 65 frames of 1538 B at 10 Gbps (AM-12). */
#include "mech/admit/admit.h"

#include "base/ethernet.h"

static struct admit_limits ecn_limits(const struct admit_config *config, int64_t buffer_bytes, int64_t rate_bps) {
    int64_t mark = config->ecn_bytes;
    if (!mark) mark = admit_scaled(config->ecn_bytes_per_10g, rate_bps);
    return (struct admit_limits){.limit_bytes = buffer_bytes, .mark_bytes = mark};
}

#define ECN_NEEDS .needs = "host.*.ecn", .lacks = "no transport here is ECN-capable (ecn)"

static const struct param ecn_threshold = {
    .name = "ecn_threshold",
    .type = PARAM_BYTES,
    .text = "none",
    .min = 1,
    .max = INT64_MAX / 2,
    .doc = "frame bytes queued above which frames are marked; at every link rate",
    ECN_NEEDS,
    PARAM_IN(struct admit_config, ecn_bytes),
};
static const struct param ecn_threshold_per_10g = {
    .name = "ecn_threshold_per_10g",
    .type = PARAM_BYTES,
    .def = 65 * FULL_WIRE_BYTES, /* AM-12 */
    .min = 1,
    .max = INT64_MAX / 2,
    .doc = "the same threshold per 10 Gbps of the port's rate; without ecn_threshold",
    ECN_NEEDS,
    .needs_too = "!ecn_threshold",
    .lacks_too = "switch.ecn_threshold holds at every rate",
    PARAM_IN(struct admit_config, ecn_bytes_per_10g),
};
static const struct param *const ecn_keys[] = {&ecn_threshold, &ecn_threshold_per_10g, NULL};

const struct admit_ops admit_ecn = {
    .name = "ecn",
    .paper = "RFC 3168; DCTCP 3.1",
    .doc = "marks ECN-capable frames when the queue is above a threshold",
    .keys = ecn_keys,
    .limits = ecn_limits,
};
