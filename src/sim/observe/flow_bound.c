/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/flow_bound.h"

#include "fabric/nics.h"
#include "node/port.h"

/* Returns the wire bytes of a flow's data, in full frames and a last one. */
static uint128 bound_wire_bytes(const struct transport_ops *ops, uint64_t bytes, uint32_t payload) {
    uint64_t full = bytes / payload, rest = bytes % payload;
    uint32_t l4 = transport_header_bytes(ops) - 20;
    uint128 wire = (uint128)full * packet_wire_bytes(0, l4, payload);
    if (rest) wire += packet_wire_bytes(0, l4, (uint32_t)rest);
    return wire;
}

/* Returns the time that they take at the bottleneck. */
static span_ps bound_wire_time(const struct transport_ops *ops, uint64_t bytes, uint32_t payload, int64_t rate_bps) {
    uint128 wire = bound_wire_bytes(ops, bytes, payload);
    return (span_ps)((wire * 8 * PS_PER_S + (uint128)rate_bps - 1) / (uint128)rate_bps);
}

uint64_t world_flow_wire_bytes(const struct world_config *c, const struct flow *flow) {
    const struct transport_ops *ops = c->hosts.transport[flow->transport];
    uint32_t payload = (uint32_t)c->hosts.transport_params[flow->transport][ops->base->max_payload_param];
    return flow->bytes == UINT64_MAX ? 0 : (uint64_t)bound_wire_bytes(ops, flow->bytes, payload);
}

/* Returns the one-way trips before a flow's first data leaves. */
static int64_t bound_trips(const struct transport_ops *ops, const int64_t *params, const struct flow *flow) {
    if (flow->flags & FLOW_ESTABLISHED && ops->base->keeps_connections) return 0;
    bool early = ops->base->early_bytes_param && params[ops->base->early_bytes_param] > 0;
    return early ? 0 : ops->base->handshake_trips;
}

/* Returns whether the data of one flow may take several paths, each of which then carries a part of it at the same
 * time. The balancer may move flows, the transport may choose paths, and changing routes move any flow. */
static bool flow_may_move(const struct world_config *c, const struct transport_ops *ops) {
    return c->switches.balance->moves_flows || ops->base->tolerates_reordering || c->fabric->paths.n_states > 1;
}

/* Returns a lower bound of the FCT: the handshake's trips of minimum frames, the propagation, all wire bytes at the
 * bottleneck, and store and forward of the last frame, the smallest, at every other link. For a flow that moves, all
 * its paths together are the bottleneck, and the link left out may be the slowest. */
int64_t world_flow_bound(const struct world_config *c, const struct flow *flow) {
    const struct transport_ops *ops = c->hosts.transport[flow->transport];
    const int64_t *params = c->hosts.transport_params[flow->transport];
    struct fabric_bound path, small;
    if (flow->bytes == UINT64_MAX) return 0;
    uint32_t payload = (uint32_t)params[ops->base->max_payload_param];
    uint64_t last = flow->bytes % payload ? flow->bytes % payload : payload;
    uint32_t l4 = transport_header_bytes(ops) - 20, last_wire = packet_wire_bytes(0, l4, (uint32_t)last);
    uint32_t least = WIRE_MIN_BYTES - c->hosts.credit.spread; /* the smallest frame may be a credit */
    fabric_bound(c->fabric, flow->src, flow->dst, last_wire, &path);
    fabric_bound(c->fabric, flow->src, flow->dst, least, &small);
    bool moves = flow_may_move(c, ops);
    span_ps stack = 2 * c->hosts.processing_delay;
    int64_t own_bps = fabric_host_fastest_bps(c->fabric, flow->src);
    span_ps trip = small.propagation + small.first_frame_ps + port_serialize_slow(own_bps, least) + stack;
    span_ps others = path.first_frame_ps + port_serialize_slow(own_bps, last_wire) -
                     port_serialize_slow(moves ? path.slowest_bps : path.bottleneck_bps, last_wire);
    span_ps data = bound_wire_time(ops, flow->bytes, payload, moves ? path.spray_bps : path.bottleneck_bps);
    return bound_trips(ops, params, flow) * trip + path.propagation + others + data + stack;
}
