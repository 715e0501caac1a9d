/* What can be said of a run before it: memory, threads that pay, bounds of flows. */
#include "sim/world.h"

#include "node/host.h"
#include "node/port.h"
#include "sim/link.h"
#include "sim/wheel.h"

/* Remaining bytes of a flow on the wire, in full frames and a last one; time of them at the bottleneck. */
static span_ps bound_wire_time(const struct transport_ops *ops, uint64_t bytes, uint32_t payload, int64_t rate_bps) {
    uint64_t full = bytes / payload, rest = bytes % payload;
    uint32_t l4 = ops->header_bytes - 20;
    unsigned __int128 wire = (unsigned __int128)full * packet_wire_bytes(0, l4, payload);
    if (rest) wire += packet_wire_bytes(0, l4, (uint32_t)rest);
    return (span_ps)((wire * 8 * PS_PER_S + (unsigned __int128)rate_bps - 1) / (unsigned __int128)rate_bps);
}

/* Trips before a flow's first data leaves. */
static int64_t bound_trips(const struct transport_ops *ops, const int64_t *params, const struct flow *flow) {
    if (flow->flags & FLOW_ESTABLISHED && ops->proto == PROTO_TCP) return 0;
    bool early = ops->early_bytes_param && params[ops->early_bytes_param] > 0;
    return early ? 0 : ops->handshake_trips;
}

/* Whether the data of one flow may take several paths: then each carries a part of it at the same time. A balancer may
 * choose so, a transport may pin so, and routes that change move any flow. */
static bool flow_may_move(const struct world_config *c, const struct transport_ops *ops) {
    return c->switches.balance->moves_flows || ops->tolerates_reordering || c->fabric->paths.n_states > 1;
}

/* FCT is at least: the handshake's trips of minimum frames, the propagation, all wire bytes at the bottleneck, and the
 * store and forward of a frame at every link but that one (the last frame's, which is the least it can be). A flow that
 * moves has all its paths for a bottleneck, and the link left out may be the slowest. */
int64_t world_flow_bound(const struct world_config *c, const struct flow *flow) {
    const struct transport_ops *ops = c->hosts.transport[flow->transport];
    const int64_t *params = c->hosts.transport_params[flow->transport];
    struct fabric_bound path, small;
    if (flow->bytes == UINT64_MAX) return 0;
    uint32_t payload = (uint32_t)params[ops->max_payload_param];
    uint64_t last = flow->bytes % payload ? flow->bytes % payload : payload;
    uint32_t l4 = ops->header_bytes - 20, last_wire = packet_wire_bytes(0, l4, (uint32_t)last);
    fabric_bound(c->fabric, flow->src, flow->dst, last_wire, &path);
    fabric_bound(c->fabric, flow->src, flow->dst, WIRE_MIN_BYTES, &small);
    bool moves = flow_may_move(c, ops);
    span_ps stack = 2 * c->hosts.processing_delay;
    int64_t own_bps = c->fabric->paths.port[c->fabric->paths.first_port[flow->src]].rate_bps;
    span_ps trip = small.propagation + small.first_frame_ps + port_serialize_slow(own_bps, WIRE_MIN_BYTES) + stack;
    span_ps others = path.first_frame_ps + port_serialize_slow(own_bps, last_wire) -
                     port_serialize_slow(moves ? path.slowest_bps : path.bottleneck_bps, last_wire);
    span_ps data = bound_wire_time(ops, flow->bytes, payload, moves ? path.spray_bps : path.bottleneck_bps);
    return bound_trips(ops, params, flow) * trip + path.propagation + others + data + stack;
}

uint64_t world_memory_foreseen(const struct world_config *c) {
    const struct fabric *f = c->fabric;
    uint64_t ports = f->paths.first_port[f->n_nodes], inputs = ports + f->n_nodes;
    uint64_t per_port = sizeof(struct port) + sizeof(struct port_view) + sizeof(struct port_extra) +
                        sizeof(struct link_out) + sizeof(struct place_beyond) + sizeof(time_ps) + 16 +
                        RING_FIRST_SIZE * sizeof(struct ring_entry);
    uint64_t per_input = sizeof(struct link_in) + sizeof(struct link_out) + WHEEL_SLOTS * 3 / 8;
    uint64_t per_flow = sizeof(struct flow) + sizeof(struct flow_tally) + 2 * sizeof(void *) + 12;
    uint64_t loops = c->flows->gates.n_gates * (sizeof(struct gate) + 4) + c->flows->gates.n_gated * 4ull +
                     (c->flows->gates.n_gates ? c->flows->n * sizeof(struct flow_feed) : 0) +
                     c->flows->n_queries * sizeof(struct query);
    /* each host that sends may have two connections open and 64 frames on their way */
    uint64_t senders = f->n_hosts < c->flows->n ? f->n_hosts : c->flows->n;
    uint64_t per_sender = 2 * (sizeof(struct connection) + 512) + 64 * sizeof(struct packet);
    uint64_t samples = 0;
    if (c->measure.queues || c->measure.links || c->measure.pauses)
        samples = (c->measure.max_samples ? c->measure.max_samples : 1000000) * 2 * sizeof(struct sample);
    return fabric_memory_bytes(f) + ports * per_port + inputs * per_input + c->flows->n * per_flow +
           f->n_hosts * sizeof(struct host) + senders * per_sender + f->n_switches * sizeof(struct fabric_switch) +
           loops + samples;
}

/* An interval must hold enough work to outweigh a barrier: measured, two threads pay from about 1,000 hosts at 10 Gbps
 * and 1 us (docs/perf.md), and twice the hosts are needed for twice the threads. */
uint32_t world_useful_threads(const struct world_config *c) {
    uint32_t by_work = c->fabric->n_hosts / 512,
             by_pods = c->fabric->n_pods > 1 ? c->fabric->n_pods : c->fabric->n_leaves;
    if (c->switches.balance->needs_board) return 1; /* an epoch every microsecond is a barrier every microsecond */
    uint32_t n = by_work < by_pods ? by_work : by_pods;
    return n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : n;
}
