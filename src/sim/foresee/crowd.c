/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/foresee/crowd.h"

#include "base/ethernet.h"
#include "base/memory.h"
#include "mech/transport/credit.h"
#include "node/host.h"
#include "node/port.h"
#include "sim/engine/flight.h"

#include <stdlib.h>

#define SPAN_MOST (1000 * PS_PER_S)
#define TRIPS 12        /* links that a handshake and a first frame cross in sequence */
#define SLOWDOWN_MOST 4 /* of a flow by others, if it ends at all */
#define LEAST_WINDOW 2  /* frames */
#define FIRST_WINDOW 10 /* frames: RFC 6928 */
#define FULL_BUSY 0.4   /* where hosts send for so much of their time, each flow meets a queue */
#define SETTLED 0.001   /* a fixed point: by how little it still changes */
#define MOMENTS 1024    /* of a run, at which open flows are added up */

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }
static double larger(double a, double b) { return a > b ? a : b; }

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

/* Returns how many bytes links carry for a byte of a flow, with headers and with the ACKs or credits that go the other way. */
static double wire_share(const struct world_config *c, const struct flow *flow) {
    const struct transport_ops *ops = c->hosts.transport[flow->transport];
    const int64_t *params = c->hosts.transport_params[flow->transport];
    struct transport_talk talk = {.ack_every = 1, .ack_bytes = WIRE_MIN_BYTES};
    if (ops->base->talk) talk = ops->base->talk(params);
    return (FULL_WIRE_BYTES + (double)talk.ack_bytes / talk.ack_every) / (double)params[ops->base->max_payload_param];
}

/* The share of the time in which links send, on average, while flows start; more than 1 if they are offered more than they carry. */
struct busy {
    double hosts, most; /* links of hosts; of the tier with the largest share */
    time_ps since;      /* the first start of a flow */
    double alone_ps;    /* how long a flow takes alone, on average */
    double piling;      /* where links are offered more than they carry: the share of all flows so far that is open */
};

/* Returns by how much more time a flow takes than alone: flows that share links get shares of what others leave, 1/(1 - load)
 * with processor sharing; beside that come slow starts, collisions of paths, losses. */
static double slowdown(struct busy busy) {
    double left = 1 - busy.most, most = SLOWDOWN_MOST;
    return left * (most - 1) > 1 ? 1 + 1 / left : most;
}

/* Returns e^y, with a relative error of y^2/2048. */
static double exponential(double y) {
    double power = 1 + y / 1024;
    for (int squared = 0; squared < 10; squared++) power *= power;
    return power;
}

/* Returns y, where a flow ends e^y times as late after the first start as it begins. Links that are offered more than they carry, and
 * share that equally among flows, have open flows in proportion to the time so far; this is their number over that of all flows,
 * `piling` (Jean-Marie and Robert, On the transient behavior of the processor sharing queue, Queueing Systems 17, 1994). */
static double lateness(const struct world_config *c, const struct flow *flow, struct busy busy) {
    return busy.piling * busy.most * (double)span_alone(c, flow) / busy.alone_ps;
}

/* Returns how long, in ps, a flow waits because others pile up. */
static double span_piled(const struct world_config *c, const struct flow *flow, struct busy busy) {
    time_ps after = start_of(flow) - busy.since;
    if (busy.piling <= 0 || after == 0) return 0;
    return (double)after * (exponential(lateness(c, flow, busy)) - 1);
}

static span_ps span_open(const struct world_config *c, const struct flow *flow, struct busy busy) {
    double takes =
        slowdown(busy) * (double)span_alone(c, flow) + (double)span_trip(c, flow) + span_piled(c, flow, busy);
    span_ps left = span_left(c, flow);
    return takes < (double)left ? (span_ps)takes : left;
}

/* Returns the full frames that a sender's link carries in so much time. */
static uint64_t frames_in(int64_t rate_bps, span_ps time) {
    return (uint64_t)((double)time * (double)rate_bps / (FULL_WIRE_BYTES * 8.0 * PS_PER_S));
}

/* Returns from which length on a buffer of so many bytes marks frames; 0: it does not. */
static int64_t marks_from(const struct world_config *c, int64_t buffer, int64_t rate_bps) {
    struct admit_limits limits = admit_limits_of(&c->switches.admit, buffer, rate_bps);
    return limits.phantom_bytes ? limits.phantom_bytes : limits.mark_bytes;
}

/* Returns the frames of a sender that wait in the queue of its bottleneck. Where frames are sprayed, its own link is the
 * bottleneck. What waits for a credit transport is credits, a queue of them. Others fill a buffer, or go on to the marks and
 * beyond: the frames of a round trip more are on their way before a sender hears of them. */
static uint64_t frames_queued(const struct world_config *c, const struct transport_ops *ops, int64_t rate_bps,
                              uint64_t of_a_trip) {
    if (ops->needs.credit) return c->switches.credit.queue;
    if (ops->stamps || c->switches.balance->reorders) return 0;
    int64_t buffer = switch_buffer_at(&c->switches, rate_bps), mark = marks_from(c, buffer, rate_bps);
    int64_t kept = mark ? min_i64(mark + (int64_t)of_a_trip * FULL_FRAME_BYTES * 3 / 4, buffer) : buffer;
    return (uint64_t)kept * 4 / 5 / FULL_FRAME_BYTES;
}

/* The frames that a flow has in flight and in queues, at most, if no other shares a link with it. */
struct held {
    uint64_t window; /* the least window */
    uint64_t trip;   /* beside these, what its sender's link carries in a round trip */
    uint64_t queue;  /* beside these, in the queue of its bottleneck */
};

/* A window doubles with each round trip after the handshake's; the queue begins to grow after some of them, by a quarter of what
 * the sender's link carries. */
static struct held held_by(const struct world_config *c, const struct flow *flow, struct busy busy) {
    const struct transport_ops *ops = c->hosts.transport[flow->transport];
    uint64_t payload = (uint64_t)c->hosts.transport_params[flow->transport][ops->base->max_payload_param];
    int64_t rate_bps = sender_of(c, flow)->rate_bps;
    span_ps trip = span_trip(c, flow), open = span_open(c, flow, busy);
    uint64_t grown = open > 4 * trip ? frames_in(rate_bps, open - 4 * trip) / 4 : 0;
    uint64_t of_a_trip = frames_in(rate_bps, trip), queued = frames_queued(c, ops, rate_bps, of_a_trip);
    queued = (uint64_t)((double)queued * smaller(busy.hosts / FULL_BUSY, 1));
    uint64_t window = (uint64_t)FIRST_WINDOW << min_i64(max_i64(open / trip - 1, 0), 32);
    uint64_t frames = least(of_a_trip + least(queued, grown), least(window, flow->bytes / payload / 2 + 1));
    struct held held = {.window = least(frames, LEAST_WINDOW)};
    held.trip = least(frames, of_a_trip) - least(held.window, of_a_trip);
    held.queue = frames - held.window - held.trip;
    return held;
}

static uint64_t frame_bytes(const struct transport_ops *ops) {
    uint64_t stamp = ops->stamps ? sizeof(struct ext_line) + sizeof(uint32_t) : 0;
    return sizeof(struct packet) + sizeof(struct flight) + stamp;
}

/* Returns whether a receiver counts the credits that it has outstanding (AM-55). */
static bool credits_end_with(const struct world_config *c, const struct flow *flow) {
    uint8_t t = flow->transport;
    return c->hosts.transport[t]->needs.credit && c->hosts.transport_params[t][CREDIT_PARAM_END] == CREDIT_END_SIZE;
}

/* Returns how many cells the two ends of a flow keep. A receiver that chooses paths has one for these and one for the order of
 * frames; one whose credits end with the flow has one for these. Where flows pile up and full buffers drop frames, the sender has a scoreboard and the receiver what came out of order,
 * a cell each; where marks keep buffers from filling, half of that. A flow that repairs a loss elsewhere is left out. */
static uint64_t cells_kept(const struct world_config *c, const struct flow *flow, struct busy busy) {
    const struct transport_ops *ops = c->hosts.transport[flow->transport];
    uint64_t credits = credits_end_with(c, flow) ? 1 : 0;
    if (ops->chooses_paths) return 2 + credits;
    if (span_piled(c, flow, busy) <= 0 || busy.most <= busy.hosts || ops->needs.credit || ops->stamps) return credits;
    int64_t rate_bps = sender_of(c, flow)->rate_bps;
    return marks_from(c, switch_buffer_at(&c->switches, rate_bps), rate_bps) ? 1 : 2;
}

/* Returns the bytes of the two ends of a flow. */
static uint64_t ends_bytes(const struct world_config *c, const struct flow *flow, struct busy busy) {
    const struct transport_ops *ops = c->hosts.transport[flow->transport];
    uint64_t cell = transport_cell_bytes(ops, c->hosts.transport_params[flow->transport]);
    return 2 * sizeof(struct connection) + ops->sender->bytes + ops->receiver->bytes + cells_kept(c, flow, busy) * cell;
}

/* Returns the moment that a time before `lasts` belongs to. */
static uint32_t moment_of(time_ps at, span_ps lasts) {
    uint32_t moment = (uint32_t)((double)at * MOMENTS / (double)lasts);
    return moment < MOMENTS ? moment : MOMENTS - 1;
}

/* Bytes that are in use at the moments of a run. */
struct course {
    time_ps lasts;
    int64_t change[MOMENTS + 1]; /* at each moment, from the one before */
    double spread;               /* all the time: of flows that wait for others, which may start at any */
};

static void course_add(struct course *course, time_ps from, time_ps to, uint64_t bytes) {
    if (from >= to) return;
    course->change[moment_of(from, course->lasts)] += (int64_t)bytes;
    course->change[moment_of(to - 1, course->lasts) + 1] -= (int64_t)bytes;
}

static uint64_t course_most(const struct course *course) {
    int64_t now = 0, highest = 0;
    for (int i = 0; i < MOMENTS; i++) highest = max_i64(highest, now += course->change[i]);
    return (uint64_t)highest + (uint64_t)course->spread;
}

/* Until when a host has a flow open: to send, to receive. */
struct occupied {
    time_ps sends, receives;
};

/* Adds a flow. Flows from one host share its link, and those to one host the queue before its link: the first has the frames of
 * the link, and of the queue, until it has ended; the others have the least window. */
static void course_add_flow(struct course *course, const struct world_config *c, const struct flow *flow,
                            struct busy busy, struct occupied *of_host) {
    struct occupied *from = &of_host[flow->src], *to = &of_host[flow->dst];
    time_ps start = start_of(flow), end = min_i64(start + span_open(c, flow, busy), course->lasts);
    uint64_t frame = frame_bytes(c->hosts.transport[flow->transport]), ends = ends_bytes(c, flow, busy);
    struct held held = held_by(c, flow, busy);
    if (start >= end) return;
    if (flow->start == TIME_NONE) {
        uint64_t all = ends + (held.window + held.trip + held.queue) * frame;
        course->spread += (double)all * (double)(end - start) / (double)course->lasts;
        return;
    }
    course_add(course, start, end, ends + held.window * frame);
    course_add(course, max_i64(start, from->sends), end, held.trip * frame);
    course_add(course, max_i64(start, max_i64(from->sends, to->receives)), end, held.queue * frame);
    from->sends = max_i64(from->sends, end);
    to->receives = max_i64(to->receives, end);
}

/* Returns the most bytes of flows that are open at one of the moments of a run. */
static uint64_t bytes_at_most(const struct world_config *c, struct busy busy, time_ps lasts) {
    struct course course = {.lasts = lasts};
    struct occupied *of_host = memory_get(c->fabric->n_hosts, sizeof *of_host);
    for (uint32_t i = 0; i < c->flows->n; i++) course_add_flow(&course, c, &c->flows->flow[i], busy, of_host);
    free(of_host);
    return course_most(&course);
}

#define UPLINK_TIERS (TIER_AGG + 1)

/* Sets the bits per second that all uplinks of each tier carry. */
static void capacity_of(const struct population *p, double bps[UPLINK_TIERS]) {
    for (uint32_t i = 0; i < p->n_hosts; i++) bps[TIER_HOST] += (double)p->host_bps[i];
    for (uint32_t i = 0; i < p->n_leaves; i++) bps[TIER_LEAF] += (double)p->leaf_up_bps[i];
    for (uint32_t i = 0; p->has_tier[TIER_AGG] && i < p->n_pods; i++) bps[TIER_AGG] += (double)p->pod_up_bps[i];
}

/* Returns the share of all flows that is open at a late time t: those that began after t e^-y, so piling = mean(1 - e^-y), where y
 * is itself in proportion to piling. Found by iteration from 1, which is above the solution. */
static double piling_of(const struct world_config *c, struct busy busy) {
    double before = 2;
    busy.piling = 1;
    while (before - busy.piling > SETTLED) {
        double open = 0;
        for (uint32_t i = 0; i < c->flows->n; i++) open += 1 - 1 / exponential(lateness(c, &c->flows->flow[i], busy));
        before = busy.piling;
        busy.piling = open / c->flows->n;
    }
    return busy.piling;
}

static struct busy busy_of(const struct world_config *c) {
    const struct population *p = &c->fabric->population;
    double bits[UPLINK_TIERS] = {0}, bps[UPLINK_TIERS] = {0}, alone = 0;
    time_ps first = TIME_NONE, last = 0;
    for (uint32_t i = 0; i < c->flows->n; i++) {
        const struct flow *flow = &c->flows->flow[i];
        double takes = (double)min_i64(span_alone(c, flow), span_left(c, flow)) / PS_PER_S;
        enum tier highest = population_crossed(p, flow->src, flow->dst);
        double sent = takes * (double)sender_of(c, flow)->rate_bps * wire_share(c, flow);
        for (enum tier t = TIER_HOST; t <= highest; t++) bits[t] += sent;
        first = min_i64(first, start_of(flow));
        last = max_i64(last, start_of(flow));
        alone += takes;
    }
    if (alone <= 0) return (struct busy){0};
    capacity_of(p, bps);
    double time = (double)(last - first) / PS_PER_S + alone / c->flows->n;
    struct busy busy = {
        .hosts = bits[TIER_HOST] / bps[TIER_HOST] / time, .since = first, .alone_ps = alone / c->flows->n * PS_PER_S};
    for (enum tier t = TIER_HOST; t < UPLINK_TIERS; t++)
        if (bps[t] > 0) busy.most = larger(busy.most, bits[t] / bps[t] / time);
    if (busy.most > 1) busy.piling = piling_of(c, busy);
    return busy;
}

struct crowd crowd_of(const struct world_config *c) {
    struct crowd crowd = {0};
    struct busy busy = busy_of(c);
    for (uint32_t i = 0; i < c->flows->n; i++) {
        const struct flow *flow = &c->flows->flow[i];
        crowd.lasts = max_i64(crowd.lasts, start_of(flow) + span_open(c, flow, busy));
    }
    crowd.lasts = min_i64(crowd.lasts, c->until);
    if (crowd.lasts > 0) crowd.open_bytes = bytes_at_most(c, busy, crowd.lasts);
    return crowd;
}
