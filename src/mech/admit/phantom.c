#include "mech/admit/phantom.h"

#include "mech/admit/admit.h"

#define BIT_PS_Q16 ((unsigned __int128)8 * PS_PER_S << 16)

/* Rounded to the nearest, so that neither side of the drain is favoured. */
static uint64_t phantom_byte_time(int64_t rate_bps, int64_t drain_ppb) {
    unsigned __int128 rate = (unsigned __int128)rate_bps * (uint64_t)drain_ppb;
    return (uint64_t)((BIT_PS_Q16 * 1000000000 + rate / 2) / rate);
}

static span_ps phantom_time(const struct phantom *q, int64_t bytes) {
    return (span_ps)((unsigned __int128)bytes * q->ps_per_byte_q16 >> 16);
}

int64_t phantom_threshold(int64_t bytes_per_10g, int64_t rate_bps) {
    return (int64_t)((__int128)bytes_per_10g * rate_bps / 10000000000LL);
}

int64_t phantom_bytes(const struct phantom *q, time_ps now) {
    if (q->drained_at <= now) return 0;
    return (int64_t)(((unsigned __int128)(q->drained_at - now) << 16) / q->ps_per_byte_q16);
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

/* The buffer is that of drop tail; the port passes what leaves it through the phantom queue. */
static struct admit_limits phantom_limits(const struct admit_settings *settings, int64_t rate_bps) {
    (void)rate_bps;
    return (struct admit_limits){.limit_bytes = settings->buffer_bytes};
}

const struct admit_ops admit_phantom = {
    .name = "phantom",
    .paper = "HULL 3.1",
    .doc = "ECN-capable frames are marked by the queue that a slower link would have",
    .limits = phantom_limits,
};
