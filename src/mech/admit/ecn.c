/* ECN at a threshold: ECN-capable frames that find more than K in the queue are marked CE (RFC 3168; DCTCP 3.1 for
 * marking on the instantaneous queue at enqueue). Others are dropped only when they do not fit. K may scale with the
 * rate: DCTCP takes 65 frames of 1538 B at 10 Gbps (CLAIMS AM-12).
 */
#include "mech/admit/admit.h"

static struct admit_limits ecn_limits(const struct admit_settings *settings, int64_t rate_bps) {
    int64_t mark = settings->ecn_bytes;
    if (!mark) mark = (int64_t)((__int128)settings->ecn_bytes_per_10g * rate_bps / 10000000000LL);
    return (struct admit_limits){.limit_bytes = settings->buffer_bytes, .mark_bytes = mark};
}

const struct admit_ops admit_ecn = {
    .name = "ecn",
    .paper = "RFC 3168; DCTCP 3.1",
    .doc = "ECN-capable frames that find more than a threshold are marked",
    .limits = ecn_limits,
};
