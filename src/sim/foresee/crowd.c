/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/foresee/crowd.h"

#include "base/ethernet.h"
#include "base/memory.h"
#include "node/host_nics.h"
#include "node/port.h"
#include "sim/engine/flight.h"
#include "sim/foresee/starts.h"

#include <stdlib.h>

#define SPAN_MOST (1000 * PS_PER_S)
#define TRIPS 12        /* links that a handshake and a first frame cross in sequence */
#define SLOWDOWN_MOST 4 /* of a flow by others, where links carry what they are offered */
#define FULL_PERCENT 90 /* of what links carry: where they are offered more, flows pile up */
#define PERCENT_MOST 10000
#define PILED_MOST 8    /* so many times that excess, times the time since the first flow, is how long a flow waits */
#define LEAST_WINDOW 2  /* frames */
#define FIRST_WINDOW 10 /* frames: RFC 6928 */
#define MOMENTS 1024    /* of a run, at which open flows are added up */

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Returns a x b / by, which fits. Products of 64 bits are the rule, and their division is several times as fast: this file divides
 * some ten times for each flow of a run. */
static uint64_t share_of(uint64_t a, uint64_t b, uint64_t by) {
    uint64_t product;
    if (!__builtin_mul_overflow(a, b, &product)) return product / by;
    return (uint64_t)((uint128)a * b / by);
}

/* A run, and when its flows start if that depends on other flows. */
struct forecast {
    const struct world_config *config;
    const time_ps *start; /* NULL: no flow waits for another */
};

static time_ps start_of(const struct forecast *q, const struct flow *flow) {
    time_ps start = q->start ? q->start[flow - q->config->flows->flow] : flow->start;
    return start == TIME_NONE ? 0 : start;
}

/* Returns the NIC that a flow uses at its start. */
static __attribute__((noinline)) uint32_t nic_at_start(const struct world_config *c, const struct flow *flow) {
    const struct nic_binding b = {c->fabric, &c->hosts, &c->flows->lines, c->seed};
    uint32_t number = (uint32_t)(flow - c->flows->flow);
    return nic_binding_of(&b, flow, number, flow->start == TIME_NONE ? 0 : flow->start).src;
}

static const struct place_port *sender_of(const struct world_config *c, const struct flow *flow) {
    bool several = fabric_is_multihomed(c->fabric);
    return &c->fabric->paths.port[several ? nic_at_start(c, flow) : flow->src];
}

static uint64_t payload_of(const struct world_config *c, const struct flow *flow) {
    uint16_t param = c->hosts.transport[flow->transport]->base->max_payload_param;
    return (uint64_t)c->hosts.transport_params[flow->transport][param];
}

/* ---- how long a flow is open ---- */

/* Returns how long the run leaves a flow; at most SPAN_MOST, so that sums do not overflow. */
static span_ps span_left(const struct forecast *q, const struct flow *flow) {
    return min_i64(max_i64(min_i64(flow->stop, q->config->until) - start_of(q, flow), 0), SPAN_MOST);
}

/* Returns how long a flow takes that has its sender's link for itself, at most SPAN_MOST. */
static span_ps span_on_link(const struct world_config *c, const struct flow *flow) {
    uint64_t rate_bps = (uint64_t)sender_of(c, flow)->rate_bps, scaled;
    if (flow->bytes == UINT64_MAX) return SPAN_MOST;
    if (!__builtin_mul_overflow(flow->bytes, 8 * (uint64_t)PS_PER_S, &scaled))
        return (span_ps)least(scaled / rate_bps, SPAN_MOST);
    uint128 takes = (uint128)flow->bytes * 8 * PS_PER_S / rate_bps;
    return takes < (uint64_t)SPAN_MOST ? (span_ps)takes : SPAN_MOST;
}

/* Returns the same, while the run lasts. */
static span_ps span_alone(const struct forecast *q, const struct flow *flow) {
    return min_i64(span_on_link(q->config, flow), span_left(q, flow));
}

/* Returns how long the first frame of a flow takes, with the handshake before it: a round trip. */
static span_ps span_trip(const struct world_config *c, const struct flow *flow) {
    const struct place_port *host = sender_of(c, flow);
    return TRIPS * (host->delay + port_serialize_slow(host->rate_bps, FULL_WIRE_BYTES) + c->hosts.processing_delay);
}

/* Flows pile up where links are offered more than they carry. */
struct rush {
    int64_t beyond; /* percent of FULL_PERCENT upwards that the most loaded tier is offered; 0: no excess */
    time_ps since;  /* the first start of a flow */
    span_ps alone;  /* how long a flow takes alone, on average; at least 1 */
};

/* Returns how long a flow waits because others pile up: the longer the later it starts, and the larger it is, up to the mean.
 * Flows that wait for others do not pile up. */
static span_ps span_piled(const struct forecast *q, const struct flow *flow, struct rush rush) {
    if (rush.beyond == 0 || flow->start == TIME_NONE) return 0;
    int128 most = (int128)(start_of(q, flow) - rush.since) * rush.beyond * PILED_MOST / 100;
    return (span_ps)(most * min_i64(span_alone(q, flow), rush.alone) / rush.alone);
}

static span_ps span_open(const struct forecast *q, const struct flow *flow, struct rush rush) {
    span_ps takes = SLOWDOWN_MOST * span_alone(q, flow) + span_trip(q->config, flow) + span_piled(q, flow, rush);
    return min_i64(takes, span_left(q, flow));
}

/* Returns how long a flow is open that others may slow down, for the starts of the flows that wait for it. */
static span_ps span_slowed(const struct world_config *c, const struct flow *flow) {
    return SLOWDOWN_MOST * span_on_link(c, flow) + span_trip(c, flow);
}

/* ---- are links offered more than they carry? ---- */

#define UPLINK_TIERS (TIER_AGG + 1)

/* Returns the bits that links carry for a flow in the time that the run leaves it, with headers and with the ACKs or credits
 * that go the other way. */
static uint64_t bits_offered(const struct forecast *q, const struct flow *flow) {
    const struct world_config *c = q->config;
    const struct transport_ops *ops = c->hosts.transport[flow->transport];
    struct transport_talk talk = {.ack_every = 1, .ack_bytes = WIRE_MIN_BYTES};
    if (ops->base->talk) talk = ops->base->talk(c->hosts.transport_params[flow->transport]);
    uint64_t bits = share_of((uint64_t)span_alone(q, flow), (uint64_t)sender_of(c, flow)->rate_bps, PS_PER_S);
    return share_of(bits, FULL_WIRE_BYTES + talk.ack_bytes / talk.ack_every, payload_of(c, flow));
}

/* Sets the bits per second that all uplinks of each tier carry. */
static void capacity_of(const struct population *p, uint64_t bps[UPLINK_TIERS]) {
    for (uint32_t i = 0; i < p->n_hosts; i++) bps[TIER_HOST] += (uint64_t)p->host_bps[i];
    for (uint32_t i = 0; i < p->n_leaves; i++) bps[TIER_LEAF] += (uint64_t)p->leaf_up_bps[i];
    for (uint32_t i = 0; p->has_tier[TIER_AGG] && i < p->n_pods; i++) bps[TIER_AGG] += (uint64_t)p->pod_up_bps[i];
}

/* Flows pile up if a tier is offered, from the first start until a mean flow that starts last would end alone, nearly what it
 * carries. Flows that all start at once do not: none comes after them. */
static struct rush rush_of(const struct forecast *q) {
    const struct world_config *c = q->config;
    const struct population *p = &c->fabric->population;
    uint128 bits[UPLINK_TIERS] = {0}, alone = 0;
    uint64_t bps[UPLINK_TIERS] = {0};
    time_ps last = 0;
    struct rush rush = {.since = TIME_NONE, .alone = 1};
    for (uint32_t i = 0; i < c->flows->n; i++) {
        const struct flow *flow = &c->flows->flow[i];
        uint64_t offered = bits_offered(q, flow);
        enum tier highest = population_crossed(p, flow->src, flow->dst);
        for (enum tier t = TIER_HOST; t <= highest; t++) bits[t] += offered;
        rush.since = min_i64(rush.since, start_of(q, flow));
        last = max_i64(last, start_of(q, flow));
        alone += (uint64_t)span_alone(q, flow);
    }
    if (c->flows->n == 0 || last == rush.since) return rush;
    capacity_of(p, bps);
    rush.alone = (span_ps)(alone / c->flows->n) + 1;
    uint64_t time = (uint64_t)(last - rush.since + rush.alone);
    for (enum tier t = TIER_HOST; t < UPLINK_TIERS; t++) {
        uint128 carried = (uint128)bps[t] * time / PS_PER_S;
        uint128 percent = carried ? bits[t] * 100 / carried : 0;
        if (percent > PERCENT_MOST) percent = PERCENT_MOST;
        rush.beyond = max_i64(rush.beyond, (int64_t)percent - FULL_PERCENT);
    }
    return rush;
}

/* ---- frames ---- */

/* Returns the full frames that a sender's link carries in so much time. */
static uint64_t frames_in(int64_t rate_bps, span_ps time) {
    return share_of((uint64_t)time, (uint64_t)rate_bps, FULL_WIRE_BYTES * 8 * (uint64_t)PS_PER_S);
}

/* Returns the frames of a sender that wait in the queue of its bottleneck. Where frames are sprayed, its own link is the
 * bottleneck. What waits for a credit transport is credits, at two ports, at three where they are sprayed. Others fill a
 * buffer, or go on to the marks and beyond: the frames of a round trip more are on their way before a sender hears of
 * them. */
static uint64_t frames_queued(const struct world_config *c, const struct transport_ops *ops, int64_t rate_bps,
                              uint64_t of_a_trip) {
    if (ops->needs.credit) return (ops->chooses_paths ? 3 : 2) * (uint64_t)c->switches.credit.queue;
    if (ops->stamps || c->switches.balance->reorders) return 0;
    int64_t buffer = switch_buffer_at(&c->switches, rate_bps);
    struct admit_limits limits = admit_limits_of(&c->switches.admit, buffer, rate_bps);
    int64_t mark = limits.phantom_bytes ? limits.phantom_bytes : limits.mark_bytes;
    int64_t kept = mark ? min_i64(mark + (int64_t)of_a_trip * FULL_FRAME_BYTES, buffer) : buffer;
    return (uint64_t)kept / FULL_FRAME_BYTES;
}

/* The frames that a flow has in flight and in queues, at most, if no other shares a link with it. */
struct held {
    uint64_t window; /* the least window */
    uint64_t trip;   /* beside these, what its sender's link carries in a round trip */
    uint64_t queue;  /* beside these, in the queue of its bottleneck */
};

/* A window doubles with each round trip, the handshake's included; half of a flow's frames are acknowledged while the others
 * leave. */
static struct held held_by(const struct world_config *c, const struct flow *flow, span_ps open) {
    int64_t rate_bps = sender_of(c, flow)->rate_bps;
    span_ps trip = span_trip(c, flow);
    uint64_t of_a_trip = frames_in(rate_bps, trip);
    uint64_t queued = frames_queued(c, c->hosts.transport[flow->transport], rate_bps, of_a_trip);
    uint64_t window = (uint64_t)FIRST_WINDOW << min_i64(open / trip + 1, 32);
    uint64_t frames = least(of_a_trip + queued, least(window, flow->bytes / payload_of(c, flow) / 2 + 1));
    struct held held = {.window = least(frames, LEAST_WINDOW)};
    held.trip = least(frames, of_a_trip) - least(held.window, of_a_trip);
    held.queue = frames - held.window - held.trip;
    return held;
}

static uint64_t frame_bytes(const struct transport_ops *ops) {
    uint64_t stamp = ops->stamps ? sizeof(struct ext_line) + sizeof(uint32_t) : 0;
    return sizeof(struct packet) + sizeof(struct flight) + stamp;
}

/* Returns the bytes of the two ends of a flow, with cells: for a scoreboard and what came out of order, or for credits
 * outstanding; a receiver that chooses paths has one for these and one for the order of frames. */
static uint64_t ends_bytes(const struct world_config *c, const struct flow *flow) {
    const struct transport_ops *ops = c->hosts.transport[flow->transport];
    uint64_t cell = transport_cell_bytes(ops, c->hosts.transport_params[flow->transport]);
    uint64_t cells = (ops->needs.credit ? 1 : 2) + (ops->chooses_paths ? 2 : 0);
    return 2 * sizeof(struct connection) + ops->sender->bytes + ops->receiver->bytes + cells * cell;
}

/* ---- the course of a run ---- */

/* Bytes that are in use at the moments of a run. */
struct course {
    time_ps lasts;
    int64_t change[MOMENTS + 1]; /* at each moment, from the one before */
};

/* Returns the moment that a time before `lasts` belongs to. */
static uint32_t moment_of(time_ps at, span_ps lasts) {
    return (uint32_t)share_of((uint64_t)at, MOMENTS, (uint64_t)lasts);
}

static void course_add(struct course *course, time_ps from, time_ps to, uint64_t bytes) {
    if (from >= to) return;
    course->change[moment_of(from, course->lasts)] += (int64_t)bytes;
    course->change[moment_of(to - 1, course->lasts) + 1] -= (int64_t)bytes;
}

static uint64_t course_most(const struct course *course) {
    int64_t now = 0, highest = 0;
    for (int i = 0; i < MOMENTS; i++) highest = max_i64(highest, now += course->change[i]);
    return (uint64_t)highest;
}

/* Until when a host has a flow open: to send, to receive. */
struct occupied {
    time_ps sends, receives;
};

/* Adds a flow. Flows from one host share its link, and those to one host the queue before its link: the first has the frames of
 * the link, and of the queue, until it has ended; the others have the least window. */
static void course_add_flow(struct course *course, const struct forecast *q, const struct flow *flow, struct rush rush,
                            struct occupied *of_host) {
    const struct world_config *c = q->config;
    struct occupied *from = &of_host[flow->src], *to = &of_host[flow->dst];
    span_ps open = span_open(q, flow, rush);
    time_ps start = start_of(q, flow), end = min_i64(start + open, course->lasts);
    uint64_t frame = frame_bytes(c->hosts.transport[flow->transport]), ends = ends_bytes(c, flow);
    if (start >= end) return;
    struct held held = held_by(c, flow, open);
    course_add(course, start, end, ends + held.window * frame);
    course_add(course, max_i64(start, from->sends), end, held.trip * frame);
    course_add(course, max_i64(start, max_i64(from->sends, to->receives)), end, held.queue * frame);
    from->sends = max_i64(from->sends, end);
    to->receives = max_i64(to->receives, end);
}

struct crowd crowd_of(const struct world_config *c) {
    struct crowd crowd = {0};
    time_ps *start = starts_foreseen(c, span_slowed);
    const struct forecast q = {c, start};
    struct rush rush = rush_of(&q);
    for (uint32_t i = 0; i < c->flows->n; i++) {
        const struct flow *flow = &c->flows->flow[i];
        crowd.lasts = max_i64(crowd.lasts, start_of(&q, flow) + span_open(&q, flow, rush));
    }
    crowd.lasts = min_i64(crowd.lasts, c->until);
    struct course course = {.lasts = crowd.lasts};
    struct occupied *of_host = memory_get(c->fabric->n_hosts, sizeof *of_host);
    for (uint32_t i = 0; crowd.lasts > 0 && i < c->flows->n; i++)
        course_add_flow(&course, &q, &c->flows->flow[i], rush, of_host);
    free(of_host);
    free(start);
    if (crowd.lasts > 0) crowd.open_bytes = course_most(&course);
    return crowd;
}
