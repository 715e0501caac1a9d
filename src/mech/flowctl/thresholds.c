/* SPDX-License-Identifier: Apache-2.0 */
/* Thresholds and times of flowctl.h. */
#include "mech/flowctl/flowctl.h"

#include <stdio.h>

#define BIT_PS_PER_S ((int128)PS_PER_S)

/* Returns the bytes that a link carries in `span`, rounded up. */
static int64_t bytes_in(span_ps span, int64_t rate_bps) {
    int128 scale = 8 * BIT_PS_PER_S;
    return (int64_t)(((int128)span * rate_bps + scale - 1) / scale);
}

/* Returns the serialization delay of `bytes`, rounded up. */
static span_ps span_of(int64_t bytes, int64_t rate_bps) {
    return (span_ps)(((int128)bytes * 8 * BIT_PS_PER_S + rate_bps - 1) / rate_bps);
}

span_ps flowctl_quantum(int64_t rate_bps) { return (span_ps)(PAUSE_QUANTUM_BITS * BIT_PS_PER_S / rate_bps); }

span_ps flowctl_reaction(int64_t rate_bps) {
    static const struct {
        int64_t rate_bps;
        int64_t quanta;
    } row[] = {{1000000000, 2}, {10000000000, 60}, {40000000000, 118}, {100000000000, 394}, {400000000000, 905}};
    size_t n = sizeof row / sizeof *row, i = 0;
    while (i + 1 < n && row[i].rate_bps < rate_bps) i++;
    return (span_ps)(row[i].quanta * PAUSE_QUANTUM_BITS * BIT_PS_PER_S / rate_bps);
}

uint32_t flowctl_preset_classes(int64_t rate_bps) { return rate_bps < 10000000000 ? 8 : 2; }

static int64_t response_bytes(const struct flowctl_params *p) {
    return 2 * ((int64_t)p->max_frame_bytes + p->dma_bytes) + bytes_in(2 * p->propagation + p->reaction, p->rate_bps);
}

/* Returns the bytes that may arrive above the threshold of one class in the worst case (AM-4). */
static int64_t exact_headroom(const struct flowctl_params *p, int64_t response) {
    return response + PAUSE_WIRE_BYTES + p->max_frame_bytes;
}

static int64_t headroom_of(const struct flowctl_params *p, int64_t response) {
    return p->headroom == HEADROOM_EXACT ? exact_headroom(p, response) : response;
}

int64_t flowctl_preset_buffer(const struct flowctl_params *p) {
    if (p->rate_bps < 10000000000) return FLOWCTL_PAPER_BUFFER_BYTES;
    return p->classes * (2 * response_bytes(p) + 2 * (int64_t)p->max_frame_bytes);
}

struct flowctl_thresholds flowctl_thresholds_of(const struct flowctl_params *p) {
    int64_t response = response_bytes(p), n = p->classes ? p->classes : 1;
    int64_t left = p->buffer_bytes - n * headroom_of(p, response);
    int64_t high = left >= 0 ? left / n : -((-left + n - 1) / n);
    return (struct flowctl_thresholds){.response_bytes = response, .high_bytes = high, .low_bytes = response};
}

/* Refuses a buffer that cannot give each class its headroom and a high threshold that is not below the low one. */
static bool refuse_headroom(const struct flowctl_params *p, const struct flowctl_thresholds *t, struct diag *d) {
    return diag_say(d,
                    "%lld B of ingress queue have no headroom for %u class%s at %lld Mbps, where %lld B may still "
                    "arrive per class",
                    (long long)p->buffer_bytes, p->classes, p->classes == 1 ? "" : "es",
                    (long long)(p->rate_bps / 1000000), (long long)headroom_of(p, t->response_bytes));
}

/* Returns how long before a pause expires its refresh is decided. */
static span_ps renewal_margin(const struct flowctl_params *p) {
    return span_of(3 * (int64_t)p->max_frame_bytes + 2 * (int64_t)p->dma_bytes, p->rate_bps) + 2 * p->propagation +
           p->reaction;
}

span_ps flowctl_longest_link(const struct flowctl_params *p) {
    struct flowctl_params bare = *p;
    bare.propagation = 0;
    return (flowctl_duration(p->rate_bps) / 2 - renewal_margin(&bare)) / 2;
}

bool flowctl_check(const struct flowctl_params *p, const struct flowctl_thresholds *t, struct diag *d) {
    if (p->classes < 1 || p->classes > PAUSE_CLASSES)
        return diag_say(d, "thresholds for %u classes, which are 1 to %d", p->classes, PAUSE_CLASSES);
    if (p->propagation > flowctl_longest_link(p))
        return diag_say(d, "the longest pause, %lld us at %lld Mbps, is too short for a link of %lld us",
                        (long long)(flowctl_duration(p->rate_bps) / PS_PER_US), (long long)(p->rate_bps / 1000000),
                        (long long)(p->propagation / PS_PER_US));
    struct flowctl_thresholds computed = flowctl_thresholds_of(p);
    bool own = t->high_bytes != computed.high_bytes || t->low_bytes != computed.low_bytes;
    if (!own && computed.high_bytes < computed.low_bytes) return refuse_headroom(p, t, d);
    if (t->low_bytes < 1)
        return diag_say(d, "with a low threshold of %lld B no class is ever released", (long long)t->low_bytes);
    if (t->high_bytes < t->low_bytes)
        return diag_say(d, "the low threshold, %lld B, is over the high one, %lld B", (long long)t->low_bytes,
                        (long long)t->high_bytes);
    if (t->high_bytes > p->buffer_bytes)
        return diag_say(d, "the high threshold, %lld B, is above the ingress queue of %lld B", (long long)t->high_bytes,
                        (long long)p->buffer_bytes);
    return true;
}

int64_t flowctl_worst_bytes(const struct flowctl_params *p, const struct flowctl_thresholds *t,
                            uint32_t classes_in_use) {
    return classes_in_use * (t->high_bytes + exact_headroom(p, t->response_bytes));
}

bool flowctl_can_overflow(const struct flowctl_params *p, const struct flowctl_thresholds *t, uint32_t classes_in_use) {
    return flowctl_worst_bytes(p, t, classes_in_use) > p->buffer_bytes;
}

span_ps flowctl_duration(int64_t rate_bps) { return PAUSE_QUANTA_MAX * flowctl_quantum(rate_bps); }

span_ps flowctl_renewal(const struct flowctl_params *p) { return flowctl_duration(p->rate_bps) - renewal_margin(p); }
