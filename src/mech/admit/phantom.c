/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/admit/phantom.h"

#include "mech/admit/admit.h"

#define BIT_PS_Q16 ((uint128)8 * PS_PER_S << 16)

/* Returns the time of a byte, rounded to the nearest, so that the drain errs equally in both directions. */
static uint64_t phantom_byte_time(int64_t rate_bps, int64_t drain_ppb) {
    uint128 rate = (uint128)rate_bps * (uint64_t)drain_ppb;
    return (uint64_t)((BIT_PS_Q16 * 1000000000 + rate / 2) / rate);
}

static span_ps phantom_time(const struct phantom *q, int64_t bytes) {
    return (span_ps)((uint128)bytes * q->ps_per_byte_q16 >> 16);
}

int64_t phantom_bytes(const struct phantom *q, time_ps now) {
    if (q->drained_at <= now) return 0;
    return (int64_t)(((uint128)(q->drained_at - now) << 16) / q->ps_per_byte_q16);
}

void phantom_init(struct phantom *q, int64_t rate_bps, int64_t drain_ppb, int64_t threshold_bytes) {
    q->drained_at = 0;
    q->rest_q16 = 0;
    q->ps_per_byte_q16 = phantom_byte_time(rate_bps, drain_ppb);
    q->threshold_ps = phantom_time(q, threshold_bytes);
}

void phantom_set(struct phantom *q, time_ps now, int64_t rate_bps, int64_t drain_ppb, int64_t threshold_bytes) {
    int64_t held = phantom_bytes(q, now);
    phantom_init(q, rate_bps, drain_ppb, threshold_bytes);
    q->drained_at = now + phantom_time(q, held);
}

/* Returns limits with the buffer of tail drop; the port passes frames that leave it through the phantom queue. */
static struct admit_limits phantom_limits(const struct admit_config *config, int64_t buffer_bytes, int64_t rate_bps) {
    return (struct admit_limits){.limit_bytes = buffer_bytes,
                                 .phantom_bytes = admit_scaled(config->phantom_bytes_per_10g, rate_bps),
                                 .phantom_drain_ppb = config->phantom_drain_ppb};
}

#define PHANTOM_NEEDS .needs = "host.*.ecn", .lacks = "no transport here is ECN-capable (ecn)"

static const struct param phantom_threshold_per_10g = {
    .name = "phantom_threshold_per_10g",
    .type = PARAM_BYTES,
    .def = 10000, /* 1 KB per Gbps (AM-12) */
    .min = 1,
    .max = INT64_MAX / 2,
    .doc = "wire bytes in the phantom queue above which frames are marked; per 10 Gbps of the port's rate",
    PHANTOM_NEEDS,
    PARAM_IN(struct admit_config, phantom_bytes_per_10g),
};
static const struct param phantom_drain = {
    .name = "phantom_drain",
    .type = PARAM_FRACTION,
    .def = PHANTOM_DRAIN_PPB,
    .min = 1,
    .max = PPB,
    .doc = "share of the link's rate at which a phantom queue drains",
    PHANTOM_NEEDS,
    PARAM_IN(struct admit_config, phantom_drain_ppb),
};
static const struct param *const phantom_keys[] = {&phantom_threshold_per_10g, &phantom_drain, NULL};

const struct admit_ops admit_phantom = {
    .name = "phantom",
    .paper = "HULL 3.1",
    .doc = "marks ECN-capable frames by the queue that a slower link would have",
    .keys = phantom_keys,
    .limits = phantom_limits,
};
