/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds of DeTail's switches (1 Gbps, eight classes, 131,072 B a queue, exact thresholds) under a flow control. */
#ifndef HEDDLE_TESTS_LOSSLESS_LAB_H
#define HEDDLE_TESTS_LOSSLESS_LAB_H

#include "sim/fixture.h"

#include "mech/crossbar/crossbars.h"
#include "mech/flowctl/flowctls.h"
#include "mech/schedule/schedules.h"

static inline struct lab *lab_detail(struct fabric_spec spec, const struct flowctl_ops *kind, const char *balancer) {
    spec.host_bps = spec.uplink_bps = GBPS;
    spec.host_delay = spec.uplink_delay = 6600 * PS_PER_NS;
    struct lab *l = lab_new(spec);
    struct switch_config *s = &l->config.switches;
    lab_balance(l, balancer);
    s->port.classes = l->config.hosts.classes = 8;
    s->port.schedule.ops = &schedule_strict;
    s->buffer_bytes = 131072;
    s->cioq = (struct crossbar_config){
        .ops = &crossbar_islip,
        .drops = kind == &flowctl_none,
        .iterations = 4,
        .speedup = 4,
        .ingress_bytes = 131072,
        .reserve_bytes = 6120,
        .forward_delay = 3100 * PS_PER_NS,
    };
    s->flow = (struct flowctl_config){.ops = kind,
                                      .params = {.max_frame_bytes = 1530,
                                                 .buffer_bytes = 131072,
                                                 .classes = kind == &flowctl_pfc ? 8 : 1,
                                                 .headroom = HEADROOM_EXACT}};
    l->config.hosts.flow = s->flow;
    lab_transport_param(l, 0, "min_rto", (kind == &flowctl_none ? 10 : 50) * MS);
    if (kind != &flowctl_none) lab_transport_param(l, 0, "fast_retransmit", 0);
    return l;
}

#endif
