/* SPDX-License-Identifier: Apache-2.0 */
/* A star whose hosts send datagrams at known rates, so that goodput and utilisation are computed by hand.
 *
 * Datagrams of 1250 B (10,000 bits) at 3 and 1 Gbps: 300 and 100 a millisecond. They cross two idle links in 2.5 us, less
 * than the shorter of their gaps, so every millisecond sees all datagrams that were sent in it.
 */
#ifndef HEDDLE_TESTS_SIM_OBSERVE_DATAGRAMS_H
#define HEDDLE_TESTS_SIM_OBSERVE_DATAGRAMS_H

#include "sim/fixture.h"

#define PAYLOAD 1250
#define WIRE (PAYLOAD + 66) /* UDP 8, IP 20, Ethernet 38 */

/* Returns a star of six hosts that runs until `until`. */
static inline struct lab *lab_datagrams(time_ps until) {
    struct lab *l = lab_new(spec_star(6));
    lab_link(l, "*-*", 0, 200 * PS_PER_NS, -1);
    lab_transport(l, "udp");
    lab_transport_param(l, 0, "payload", PAYLOAD);
    l->config.until = until;
    return l;
}

/* Adds a flow of datagrams; bytes UINT64_MAX: it has no end. */
static inline struct flow *datagrams(struct lab *l, uint32_t src, uint32_t dst, uint64_t bytes, int64_t rate_bps,
                                     time_ps start) {
    struct flow *f = lab_flow(l, src, dst, bytes, start);
    f->rate_bps = rate_bps;
    return f;
}

#endif
