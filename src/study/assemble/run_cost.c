/* SPDX-License-Identifier: Apache-2.0 */
#include "study/assemble/run_cost.h"

#include "base/memory.h"
#include "node/host_nics.h"
#include "sim/parallel/exchange_ranks.h"
#include "study/assemble/store_cost.h"

#include <stdio.h>
#include <stdlib.h>

#define WALK_MAX 64 /* links of a path that are followed */

/* ---- the path of a flow ---- */

/* Returns one of the next hops from switch `node` to the rack `leaf`, as a global port; UINT32_MAX if there is no
 * route. Sets *only to whether it is the only one. */
static uint32_t next_port(const struct fabric *f, uint32_t node, uint32_t leaf, uint32_t choice, bool *only) {
    const struct route_row *row = &f->paths.state[0].row[node - f->n_hosts];
    uint16_t entry = row->to_leaf[leaf];
    *only = true;
    if (entry == ROUTE_NONE) return UINT32_MAX;
    if (!(entry & ROUTE_SET)) return f->paths.first_port[node] + entry;
    const struct next_hops *set = &row->set[entry & ~ROUTE_SET];
    *only = set->n == 1;
    return f->paths.first_port[node] + set->port[choice % set->n];
}

/* Fills `port` with the links of one path of the flow, as global egress ports, and returns their number. `shared` is
 * true for the links that are on every path of the flow. */
static uint32_t walk(const struct world_config *c, const struct flow *flow, uint32_t choice, uint32_t *port,
                     bool *shared) {
    const struct fabric *f = c->fabric;
    const struct nic_binding b = {f, &c->hosts, &c->flows->lines, c->seed};
    struct nic_ends ends =
        nic_binding_of(&b, flow, (uint32_t)(flow - c->flows->flow), flow->start == TIME_NONE ? 0 : flow->start);
    uint32_t n = 0, leaf = fabric_nic_leaf(f, ends.dst), last = f->paths.port[ends.dst].peer;
    port[n] = ends.src;
    shared[n++] = true;
    for (uint32_t node = f->paths.port[port[0]].neighbour; n < WALK_MAX; choice = choice * 40503u + 7) {
        bool only = true;
        uint32_t next = f->node[node].leaf == leaf ? last : next_port(f, node, leaf, choice >> 3, &only);
        if (next == UINT32_MAX) break;
        port[n] = next;
        shared[n++] = only;
        if (next == last) break;
        node = f->paths.port[next].neighbour;
    }
    return n;
}

/* ---- what a flow sends ---- */

static time_ps flow_end(const struct world_config *c, const struct flow *flow) {
    time_ps stop = flow->bytes == UINT64_MAX ? flow->stop : TIME_NONE;
    return stop < c->until ? stop : c->until;
}

/* Returns the time that a flow has at most; TIME_NONE: as long as it takes. */
static span_ps flow_span(const struct world_config *c, const struct flow *flow) {
    time_ps end = flow_end(c, flow), start = flow->start == TIME_NONE ? 0 : flow->start;
    return end == TIME_NONE ? TIME_NONE : end > start ? end - start : 0;
}

/* Returns how many frames cross each link of the path, both directions together, for n data frames. */
static double frames_of(const struct transport_ops *ops, const int64_t *params, const struct flow *flow, double n) {
    bool cut = flow->bytes == UINT64_MAX;
    if (ops->needs.credit) return 2 * n + 2;
    if (!ops->base->talk) return n;
    struct transport_talk talk = ops->base->talk(params);
    uint32_t others = (flow->flags & FLOW_ESTABLISHED ? 0 : talk.opening_pkts) + (cut ? 0 : talk.closing_pkts);
    double acks = n / (double)talk.ack_every;
    return n + (acks < 1 ? 1 : acks) + others;
}

/* ---- a flow's share of its path ---- */

/* Endless flows on each port. open_ps / span_ps is the mean number of them that share the port. */
struct shares {
    double *open_ps; /* [ports] sum of the times that its endless flows are open */
    double span_ps;  /* from the first start of an endless flow to the last end */
};

static bool sprays(const struct world_config *c, const struct flow *flow) {
    return c->switches.balance->reorders || c->hosts.transport[flow->transport]->base->tolerates_reordering;
}

static void shares_init(struct shares *s, const struct world_config *c) {
    const struct fabric *f = c->fabric;
    uint32_t port[WALK_MAX];
    bool shared[WALK_MAX];
    time_ps last = 0, first = TIME_NONE;
    *s = (struct shares){.open_ps = memory_get(f->paths.first_port[f->n_nodes], sizeof *s->open_ps)};
    for (uint32_t i = 0; i < c->flows->n; i++) {
        const struct flow *flow = &c->flows->flow[i];
        span_ps span = flow_span(c, flow);
        if (flow->bytes != UINT64_MAX || span == TIME_NONE) continue;
        uint32_t n = walk(c, flow, i, port, shared);
        for (uint32_t k = 0; k < n; k++)
            if (shared[k] || !sprays(c, flow)) s->open_ps[port[k]] += (double)span;
        if (flow->start < first) first = flow->start;
        if (flow_end(c, flow) > last) last = flow_end(c, flow);
    }
    s->span_ps = last > first ? (double)(last - first) : 1;
}

/* Returns the bits per second that a flow gets on these links: its share of the narrowest, or its own rate if less. */
static double share_bps(const struct world_config *c, const struct shares *s, const struct flow *flow,
                        const uint32_t *port, const bool *shared, uint32_t n) {
    double least = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (!shared[k] && sprays(c, flow)) continue;
        double sharing = s->open_ps[port[k]] / s->span_ps;
        double bps = (double)c->fabric->paths.port[port[k]].rate_bps / (sharing > 1 ? sharing : 1);
        if (k == 0 || bps < least) least = bps;
    }
    bool paced = c->hosts.transport[flow->transport]->takes_rate && flow->rate_bps > 0;
    return paced && (double)flow->rate_bps < least ? (double)flow->rate_bps : least;
}

/* A flow on one of its paths. */
struct trip {
    uint32_t port[WALK_MAX], n; /* links of the path, as global egress ports */
    double data, frames;        /* data frames, and frames of both directions, that cross each link */
    double wire_bytes;          /* of a full data frame */
};

/* choice: which of the flow's paths. */
static void trip_make(struct trip *t, const struct world_config *c, const struct shares *s, uint32_t i,
                      uint32_t choice) {
    const struct flow *flow = &c->flows->flow[i];
    const struct transport_ops *ops = c->hosts.transport[flow->transport];
    const int64_t *params = c->hosts.transport_params[flow->transport];
    uint32_t payload = (uint32_t)params[ops->base->max_payload_param];
    bool shared[WALK_MAX];
    span_ps span = flow_span(c, flow);
    t->n = walk(c, flow, choice, t->port, shared);
    t->wire_bytes = payload + transport_header_bytes(ops) + 38.0;
    uint64_t whole = (flow->bytes - 1) / payload + 1;
    t->data = (double)whole;
    if (span != TIME_NONE) {
        double most = share_bps(c, s, flow, t->port, shared, t->n) / 8 * (double)span / (double)PS_PER_S;
        most /= t->wire_bytes;
        if (ops->needs.credit) most *= 1 - (double)c->hosts.credit.share_ppb / (double)PPB;
        if (most < t->data) t->data = most;
    }
    t->frames = frames_of(ops, params, flow, t->data);
}

/* ---- all flows ---- */

static uint64_t hops_of(const struct world_config *c) {
    struct shares s;
    struct trip t;
    double sum = 0;
    shares_init(&s, c);
    for (uint32_t i = 0; i < c->flows->n; i++) {
        trip_make(&t, c, &s, i, i);
        sum += t.frames * t.n;
    }
    free(s.open_ps);
    return sum < 1e18 ? (uint64_t)sum : (uint64_t)1e18;
}

/* ---- what ranks send each other ---- */

#define TRIPS_TRIED 100000 /* of all flows: few flows are tried on several of their paths */

static uint32_t trips_each(uint32_t n_flows) {
    uint32_t n = TRIPS_TRIED / (n_flows + 1);
    return n < 1 ? 1 : n > 64 ? 64 : n;
}

/* Adds the frames of a flow, of which this is one of `n` trips, to the pairs of ranks that its path crosses, and their
 * time to the ports. pair: [ranks][ranks] frames. */
static void trip_cross(const struct trip *t, const struct fabric *f, const struct division *v, uint32_t n, double *pair,
                       double *busy_ps) {
    for (uint32_t k = 0; k < t->n; k++) {
        const struct place_port *p = &f->paths.port[t->port[k]];
        uint32_t from = division_rank(v, p->node), to = division_rank(v, p->neighbour);
        busy_ps[t->port[k]] += t->data / n * t->wire_bytes * 8 / (double)p->rate_bps * (double)PS_PER_S;
        if (from == to) continue;
        pair[from * v->ranks + to] += t->data / n;
        pair[to * v->ranks + from] += (t->frames - t->data) / n;
    }
}

/* Returns the least time that the flows need: until the lower bound of each one's end, and for the frames of the busiest
 * port. */
static time_ps least_length(const struct world_config *c, const double *busy_ps) {
    time_ps first = TIME_NONE, last = 0;
    double busiest = 0;
    for (uint32_t i = 0; i < c->flows->n; i++) {
        const struct flow *flow = &c->flows->flow[i];
        time_ps start = flow->start == TIME_NONE ? 0 : flow->start;
        time_ps end = flow->bytes == UINT64_MAX ? flow_end(c, flow) : start + world_flow_bound(c, flow);
        first = min_i64(first, start);
        if (end != TIME_NONE) last = max_i64(last, end);
    }
    for (uint32_t g = 0; g < c->fabric->paths.first_port[c->fabric->n_nodes]; g++)
        if (busy_ps[g] > busiest) busiest = busy_ps[g];
    if (first != TIME_NONE && busiest < 1e18) last = max_i64(last, first + (time_ps)busiest);
    return min_i64(last, c->until);
}

void run_cost_traffic(const struct assembly *a, const struct division *v, struct traffic_cost *t) {
    const struct world_config *c = &a->world;
    uint32_t n = trips_each(c->flows->n);
    double *pair = memory_get((size_t)v->ranks * v->ranks, sizeof *pair);
    double *busy_ps = memory_get(c->fabric->paths.first_port[c->fabric->n_nodes], sizeof *busy_ps);
    struct shares s;
    struct trip trip;
    shares_init(&s, c);
    for (uint32_t i = 0; i < c->flows->n; i++)
        for (uint32_t k = 0; k < n; k++) {
            trip_make(&trip, c, &s, i, i * n + k);
            trip_cross(&trip, c->fabric, v, n, pair, busy_ps);
        }
    struct window_count w = windows_count(c, v->window);
    *t = (struct traffic_cost){.windows = (double)least_length(c, busy_ps) / (double)w.period * (double)w.each};
    for (size_t i = 0; i < (size_t)v->ranks * v->ranks; i++) {
        t->frames += pair[i];
        t->messages += pair[i] < t->windows ? pair[i] : t->windows;
    }
    t->bytes = t->frames * (double)EXCHANGE_FRAME_BYTES + t->messages * (double)EXCHANGE_MESSAGE_BYTES;
    free(s.open_ps);
    free(busy_ps);
    free(pair);
}

/* ---- epochs of measurements ---- */

#define EPOCH_S 4e-7      /* of a core: all partitions stand still, and one measurement is looked up */
#define SAMPLE_S 8e-9     /* of a port that is sampled */
#define FLOW_METER_S 1e-8 /* of a flow whose rate is taken */

/* Returns the time of the flow's bytes on its host's link. */
static span_ps flow_takes(const struct world_config *c, const struct flow *f) {
    double ps = (double)f->bytes * 8 * (double)PS_PER_S / (double)c->fabric->population.host_bps[f->src];
    return ps < 1e18 ? (span_ps)ps : (span_ps)1e18;
}

/* Returns the time at which the run ends at the earliest, as far as starts, stops and sizes tell. */
static time_ps earliest_end(const struct world_config *c) {
    time_ps last = 0;
    if (c->until != TIME_NONE) return c->until;
    for (uint32_t i = 0; i < c->flows->n; i++) {
        const struct flow *f = &c->flows->flow[i];
        time_ps start = f->start == TIME_NONE ? 0 : f->start;
        last = max_i64(last, f->bytes == UINT64_MAX ? f->stop : min_i64(f->stop, start + flow_takes(c, f)));
    }
    return last;
}

/* Returns the seconds of a core that a measurement takes at each multiple of a period, over `lasts`. */
static double period_seconds(time_ps lasts, span_ps period, double each) {
    return period ? (double)lasts / (double)period * (EPOCH_S + each) : 0;
}

/* Returns the seconds of a core that the measurements take. */
static double measure_seconds(const struct world_config *c) {
    const struct measure_config *m = &c->measure;
    time_ps lasts = earliest_end(c);
    double ports = c->fabric->paths.first_port[c->fabric->n_nodes] * SAMPLE_S, flows = c->flows->n * FLOW_METER_S;
    double sum = period_seconds(lasts, m->queues, ports) + period_seconds(lasts, m->links, ports) +
                 period_seconds(lasts, m->pauses, ports) + period_seconds(lasts, m->imbalance, ports) +
                 period_seconds(lasts, m->goodput, flows) + period_seconds(lasts, m->converge, flows);
    for (uint32_t i = 0; i < m->n_jain; i++) sum += period_seconds(lasts, m->jain[i], flows);
    return sum;
}

/* ---- one run, all runs ---- */

double run_cost_hops_per_s(const struct assembly *a) {
    const struct host_config *h = &a->world.hosts;
    if (crossbar_has_queues(&a->world.switches.cioq)) return 2.5e6;
    for (uint32_t i = 0; i < h->n_transports; i++)
        if (h->transport[i]->needs.credit) return 5e6;
    return 8e6;
}

void run_cost_add_again(struct run_cost *f, const struct run_cost *one) {
    f->runs += one->runs;
    f->flows += one->flows;
    f->packet_hops += one->packet_hops;
    f->store_bytes += one->store_bytes;
    f->seconds += one->seconds;
    if (one->memory_bytes > f->memory_bytes) f->memory_bytes = one->memory_bytes;
}

#define RUN_BYTES (1u << 20) /* parts of the program and small allocations that only a run touches */

void run_cost_add(struct run_cost *f, const struct assembly *a, uint64_t world_bytes) {
    struct run_cost one = {.runs = 1, .flows = a->flows.n, .packet_hops = hops_of(&a->world)};
    one.store_bytes = store_cost(a, earliest_end(&a->world));
    one.memory_bytes = f->program_bytes + RUN_BYTES + world_bytes;
    one.seconds = (double)one.packet_hops / run_cost_hops_per_s(a) + measure_seconds(&a->world);
    run_cost_add_again(f, &one);
}

const char *run_cost_time_text(double seconds, char *buf, size_t size) {
    long s = (long)(seconds + 0.5);
    if (seconds < 10)
        snprintf(buf, size, "%.1f s", seconds);
    else if (s < 120)
        snprintf(buf, size, "%ld s", s);
    else if (s < 7200)
        snprintf(buf, size, "%ld:%02ld min", s / 60, s % 60);
    else
        snprintf(buf, size, "%ld:%02ld h", s / 3600, s / 60 % 60);
    return buf;
}
