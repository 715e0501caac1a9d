/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/crowd.h"

#include "base/ethernet.h"
#include "node/host.h"
#include "node/port.h"
#include "sim/flight.h"

#define SPAN_MOST (1000 * PS_PER_S)
#define TRIPS 12                  /* links that a handshake and a first frame cross in sequence */
#define PATIENCE 2                /* a flow takes this many times as long as it would alone */
#define LEAST_WINDOW 2            /* frames */
#define FIRST_WINDOW 10           /* frames: RFC 6928 */
#define FULL_BUSY_PPB 400000000LL /* where hosts send for so much of their time, each flow meets a queue */
#define MOMENTS 1024              /* of a run, at which open flows are added up */

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

static time_ps start_of(const struct flow *flow) { return flow->start == TIME_NONE ? 0 : flow->start; }

static const struct place_port *sender_of(const struct world_config *c, const struct flow *flow) {
    return &c->fabric->paths.port[c->fabric->paths.first_port[flow->src]];
}

/* Returns how long the run leaves a flow; at most SPAN_MOST, so that sums do not overflow. */
static span_ps span_left(const struct world_config *c, const struct flow *flow) {
    return min_i64(max_i64(min_i64(flow->stop, c->until) - start_of(flow), 0), SPAN_MOST);
}

/* Returns how long a flow takes that has its sender's link for itself. */
static span_ps span_alone(const struct world_config *c, const struct flow *flow) {
    if (flow->bytes == UINT64_MAX) return span_left(c, flow);
    double takes = (double)flow->bytes * 8 * PS_PER_S / (double)sender_of(c, flow)->rate_bps;
    return takes > (double)SPAN_MOST ? SPAN_MOST : (span_ps)takes;
}

/* Returns how long the first frame of a flow takes, with the handshake before it: a round trip. */
static span_ps span_trip(const struct world_config *c, const struct flow *flow) {
    const struct place_port *host = sender_of(c, flow);
    return TRIPS * (host->delay + port_serialize_slow(host->rate_bps, FULL_WIRE_BYTES) + c->hosts.processing_delay);
}

static span_ps span_open(const struct world_config *c, const struct flow *flow) {
    return min_i64(PATIENCE * span_alone(c, flow) + span_trip(c, flow), span_left(c, flow));
}

/* Returns the full frames that a sender's link carries in so much time. */
static uint64_t frames_in(int64_t rate_bps, span_ps time) {
    return (uint64_t)((double)time * (double)rate_bps / (FULL_WIRE_BYTES * 8.0 * PS_PER_S));
}

/* Returns the frames that a sender keeps in the queue of its bottleneck: up to where the port marks, or else drops.
 * Where frames are sprayed, the sender's own link is the bottleneck. */
static uint64_t frames_queued(const struct world_config *c, const struct transport_ops *ops, int64_t rate_bps,
                              int64_t busy_ppb) {
    if (ops->needs.credit || ops->stamps || c->switches.balance->reorders) return 0;
    int64_t buffer = switch_buffer_at(&c->switches, rate_bps);
    struct admit_limits limits = admit_limits_of(&c->switches.admit, buffer, rate_bps);
    int64_t kept = limits.phantom_bytes ? limits.phantom_bytes : limits.mark_bytes ? limits.mark_bytes : buffer;
    double share = (double)min_i64(busy_ppb, FULL_BUSY_PPB) / FULL_BUSY_PPB;
    return (uint64_t)((double)kept * 4 / 5 * share / FULL_FRAME_BYTES);
}

/* Returns how many frames of a flow are in flight and queued, at most: those of a round trip and of a queue. A window
 * doubles with each round trip after the handshake's; the queue begins to grow after some of them, by a quarter of what
 * the sender's link carries. Flows that share a host's link share these frames, down to the least window. */
static uint64_t frames_open(const struct world_config *c, const struct flow *flow, int64_t busy_ppb) {
    const struct transport_ops *ops = c->hosts.transport[flow->transport];
    uint64_t payload = (uint64_t)c->hosts.transport_params[flow->transport][ops->base->max_payload_param];
    int64_t rate_bps = sender_of(c, flow)->rate_bps;
    span_ps trip = span_trip(c, flow), open = span_open(c, flow);
    uint64_t grown = open > 4 * trip ? frames_in(rate_bps, open - 4 * trip) / 4 : 0;
    uint64_t frames = frames_in(rate_bps, trip) + least(frames_queued(c, ops, rate_bps, busy_ppb), grown);
    if (busy_ppb > PPB) frames = most((uint64_t)((double)frames * PPB / (double)busy_ppb), LEAST_WINDOW);
    uint64_t window = (uint64_t)FIRST_WINDOW << min_i64(max_i64(open / trip - 1, 0), 32);
    return least(frames, least(window, flow->bytes / payload / 2 + 1));
}

/* Returns the bytes of the frames and the two ends of a flow while it is open. The receiver of a transport that chooses
 * paths has one cell for them and one for the order of frames. The cells that others take when frames are lost are not
 * counted. */
static uint64_t bytes_open(const struct world_config *c, const struct flow *flow, int64_t busy_ppb) {
    const struct transport_ops *ops = c->hosts.transport[flow->transport];
    uint64_t cell = transport_cell_bytes(ops, c->hosts.transport_params[flow->transport]);
    uint64_t frame = sizeof(struct packet) + sizeof(struct flight) +
                     (ops->stamps ? sizeof(struct packet_ext) + sizeof(uint32_t) : 0);
    return 2 * sizeof(struct connection) + ops->sender->bytes + ops->receiver->bytes +
           (ops->chooses_paths ? 2 * cell : 0) + frames_open(c, flow, busy_ppb) * frame;
}

/* Returns the moment that a time before `lasts` belongs to. */
static uint32_t moment_of(time_ps at, span_ps lasts) {
    uint32_t moment = (uint32_t)((double)at * MOMENTS / (double)lasts);
    return moment < MOMENTS ? moment : MOMENTS - 1;
}

/* Returns the largest sum over the flows that are open at one of the moments of a run. Flows that wait for others, and so
 * have no start yet, are taken to be spread over the run. */
static uint64_t bytes_at_most(const struct world_config *c, const struct crowd *crowd) {
    int64_t change[MOMENTS + 1] = {0}, now = 0, highest = 0;
    double spread = 0;
    for (uint32_t i = 0; i < c->flows->n; i++) {
        const struct flow *flow = &c->flows->flow[i];
        time_ps start = start_of(flow), end = min_i64(start + span_open(c, flow), crowd->lasts);
        if (start >= end) continue;
        int64_t bytes = (int64_t)bytes_open(c, flow, crowd->busy_ppb);
        if (flow->start == TIME_NONE) {
            spread += (double)bytes * (double)(end - start) / (double)crowd->lasts;
            continue;
        }
        change[moment_of(start, crowd->lasts)] += bytes;
        change[moment_of(end - 1, crowd->lasts) + 1] -= bytes;
    }
    for (int i = 0; i < MOMENTS; i++) highest = max_i64(highest, now += change[i]);
    return (uint64_t)highest + (uint64_t)spread;
}

struct crowd crowd_of(const struct world_config *c) {
    struct crowd crowd = {0};
    time_ps first = TIME_NONE, last = 0;
    int128 alone = 0;
    uint32_t n = c->flows->n;
    for (uint32_t i = 0; i < n; i++) {
        const struct flow *flow = &c->flows->flow[i];
        time_ps start = start_of(flow);
        crowd.lasts = max_i64(crowd.lasts, start + span_open(c, flow));
        first = min_i64(first, start);
        last = max_i64(last, start);
        alone += min_i64(span_alone(c, flow), span_left(c, flow));
    }
    crowd.lasts = min_i64(crowd.lasts, c->until);
    if (crowd.lasts <= 0) return crowd;
    int128 all = (last - first + alone / n) * c->fabric->n_hosts;
    crowd.busy_ppb = all ? (int64_t)(alone * PPB / all) : 0;
    crowd.open_bytes = bytes_at_most(c, &crowd);
    return crowd;
}
