/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/last_flow.h"

#include "base/memory.h"
#include "fabric/nics.h"

#include <stdlib.h>

/* A bound this far ahead is far enough: there is an epoch before it anyway. */
#define LOOK_AHEAD END_EPOCH

/* ---- flows ---- */

/* Returns whether averages over time run to the end of the flow. */
static bool is_counted(const struct world *w, const struct flow *f) {
    return w->config->until != TIME_NONE || flow_is_awaited(f);
}

static bool is_endless(const struct flow *f) { return f->bytes == UINT64_MAX; }

/* Returns when the flow ended; TIME_NONE: by `now` it has not. */
static time_ps flow_end(const struct world *w, uint32_t flow, time_ps now) {
    const struct flow *f = &w->config->flows->flow[flow];
    time_ps end = is_endless(f) ? f->stop : min_i64(f->stop, tally_finished_at(w->tallies, flow));
    return end < now ? end : TIME_NONE;
}

static span_ps time_of(uint64_t bytes, int64_t rate_bps) {
    uint128 ps = (uint128)bytes * 8 * PS_PER_S / (uint128)rate_bps;
    return ps < TIME_NONE / 4 ? (span_ps)ps : TIME_NONE / 4;
}

/* Returns the nominal rate of a host's links. Reduced rates are lower, so times at the nominal one are lower bounds. */
static int64_t link_bps(const struct world *w, uint32_t host) { return w->config->fabric->population.nics_bps[host]; }

static uint64_t frame_of(const struct world *w) { return (uint64_t)config_frame(w->config->hosts.frame_bytes); }

/* Returns the bytes that may arrive just now: a frame on each link of the host. */
static uint64_t frames_arriving(const struct world *w, uint32_t host) {
    return frame_of(w) * fabric_host_nics(w->config->fabric, host);
}

static uint64_t less(uint64_t bytes, uint64_t by) { return bytes > by ? bytes - by : 0; }

/* Returns a time before which a flow that is open at `now` does not end, by its bytes and rates alone. */
static time_ps flow_bound(const struct world *w, uint32_t flow, time_ps now) {
    const struct flow *f = &w->config->flows->flow[flow];
    if (is_endless(f)) return f->stop;
    bool listed = f->start != TIME_NONE;
    uint64_t missing = f->bytes - (uint64_t)tally_received_bytes(w->tallies, flow);
    time_ps bound = now + time_of(less(missing, frames_arriving(w, f->dst)), link_bps(w, f->dst));
    if (listed && f->start > now) bound = f->start + time_of(f->bytes, link_bps(w, f->dst));
    bool paced = listed && f->rate_bps > 0 && w->config->hosts.transport[f->transport]->takes_rate;
    if (paced) bound = max_i64(bound, f->start + time_of(less(f->bytes, f->burst_bytes + frame_of(w)), f->rate_bps));
    return min_i64(bound, f->stop);
}

/* ---- the cheap bounds ---- */

/* Forgets a flow that has ended. */
static void open_remove(struct last_flow *l, uint32_t place, time_ps end) {
    l->ended = max_i64(l->ended, end);
    l->open[place] = l->open[--l->n_open];
}

/* Adds what a flow lacks to the account of its host; returns the time before which the host has not received it all. */
static time_ps host_bound(const struct world *w, uint32_t flow, time_ps now) {
    const struct flow *f = &w->config->flows->flow[flow];
    if (is_endless(f) || f->stop != TIME_NONE) return now;
    uint64_t *lacks = &w->last_flows->lacks[f->dst];
    *lacks += f->bytes - (uint64_t)tally_received_bytes(w->tallies, flow);
    return now + time_of(less(*lacks, frames_arriving(w, f->dst)), link_bps(w, f->dst));
}

/* Returns the latest of the cheap bounds. Looks at the flows from the last on, which start latest, until a bound is far
 * enough; flows that have ended leave the list. */
static time_ps cheap_bound(const struct world *w, struct last_flow *l, time_ps now) {
    time_ps bound = now;
    uint32_t place = l->n_open;
    while (place-- > 0 && bound < now + LOOK_AHEAD) {
        uint32_t flow = l->open[place];
        time_ps end = flow_end(w, flow, now);
        if (end != TIME_NONE)
            open_remove(l, place, end);
        else
            bound = max_i64(bound, max_i64(flow_bound(w, flow, now), host_bound(w, flow, now)));
    }
    for (uint32_t i = place + 1; i < l->n_open; i++) w->last_flows->lacks[w->config->flows->flow[l->open[i]].dst] = 0;
    return bound;
}

/* ---- flows whose rest is on the last link ---- */

struct coming {
    time_ps at;
    uint32_t flow, bytes;
};

struct comings {
    const struct partition *part;
    struct coming *of;
    size_t n, room;
};

/* Notes a frame of data on the link to its host. */
static void coming_add(void *context, const struct flight *x, time_ps at) {
    struct comings *c = context;
    if (!c->part->nodes[x->node].is_host) return;
    const struct packet *p = flights_frame(&c->part->flights, &c->part->pool, x);
    if (p->payload_bytes == 0 || p->flow & FLOW_REVERSE || p->flow == FLOW_NONE) return;
    if (c->n == c->room) {
        c->room = c->room ? 2 * c->room : 64;
        c->of = memory_grow(c->of, c->room, sizeof *c->of);
    }
    c->of[c->n++] = (struct coming){at, p->flow & FLOW_MASK, p->payload_bytes};
}

static int coming_compare(const void *a, const void *b) {
    const struct coming *x = a, *y = b;
    if (x->flow != y->flow) return x->flow < y->flow ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Returns the place of the first frame of the flow, or of a later flow. */
static size_t comings_find(const struct comings *c, uint32_t flow) {
    size_t low = 0, high = c->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c->of[middle].flow < flow)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns a time before which an open flow does not end: when the rest arrives, if all of it is on the link. */
static time_ps rest_bound(const struct world *w, const struct comings *c, uint32_t flow, time_ps now) {
    const struct flow *f = &w->config->flows->flow[flow];
    if (is_endless(f)) return f->stop;
    uint64_t missing = f->bytes - (uint64_t)tally_received_bytes(w->tallies, flow);
    for (size_t i = comings_find(c, flow); i < c->n && c->of[i].flow == flow; i++) {
        if (c->of[i].bytes >= missing) return min_i64(c->of[i].at, f->stop);
        missing -= c->of[i].bytes;
    }
    return min_i64(now + w->slot, f->stop);
}

static time_ps close_bound(const struct world *w, const struct partition *part, const struct last_flow *l,
                           time_ps now) {
    struct comings c = {.part = part};
    time_ps bound = now;
    flights_each_arrival(&part->flights, &part->wheel, &part->pool, coming_add, &c);
    if (c.n > 1) qsort(c.of, c.n, sizeof *c.of, coming_compare);
    for (uint32_t i = 0; i < l->n_open; i++) bound = max_i64(bound, rest_bound(w, &c, l->open[i], now));
    free(c.of);
    return bound;
}

/* ---- at epochs ---- */

void last_flow_look(const struct world *w, struct partition *part, time_ps now) {
    struct last_flow *l = &w->last_flows->of[part->number];
    if (part->last >= now || l->n_open == 0) return;
    time_ps bound = cheap_bound(w, l, now);
    if (l->n_open && bound < now + w->slot) bound = close_bound(w, part, l, now);
    part->last = l->n_open ? bound : l->ended;
}

bool last_flow_is_over(const struct notice *all, time_ps now) { return all->last < now; }

time_ps last_flow_next(const struct notice *all, time_ps now) {
    if (last_flow_is_over(all, now) || all->last == TIME_NONE || all->next == TIME_NONE) return TIME_NONE;
    time_ps at = max_i64(all->last, all->next); /* no flow ends before the next event */
    return at == TIME_NONE ? at : at + 1;
}

/* ---- before and after the run ---- */

void last_flow_init(struct world *w) {
    const struct flow_list *flows = w->config->flows;
    w->last_flows = memory_get(1, sizeof *w->last_flows);
    w->last_flows->of = memory_get(w->n_partitions, sizeof *w->last_flows->of);
    w->last_flows->lacks = memory_get(w->config->fabric->n_hosts, sizeof *w->last_flows->lacks);
    uint32_t *n = memory_get(w->n_partitions, sizeof *n);
    for (uint32_t i = 0; i < flows->n; i++) n[w->part_of[flows->flow[i].dst]] += is_counted(w, &flows->flow[i]);
    for (uint32_t p = w->first; p < w->first + w->here; p++) {
        w->last_flows->of[p].open = memory_get(n[p], sizeof *w->last_flows->of[p].open);
        w->last_flows->of[p].ended = w->partition[p].last = LAST_NO_FLOW;
    }
    for (uint32_t i = 0; i < flows->n; i++) {
        struct last_flow *l = &w->last_flows->of[w->part_of[flows->flow[i].dst]];
        if (l->open && is_counted(w, &flows->flow[i])) l->open[l->n_open++] = i;
    }
    for (uint32_t p = w->first; p < w->first + w->here; p++) last_flow_look(w, &w->partition[p], 0);
    free(n);
}

void last_flow_fini(struct world *w) {
    if (!w->last_flows) return;
    for (uint32_t p = 0; p < w->n_partitions; p++) free(w->last_flows->of[p].open);
    free(w->last_flows->of);
    free(w->last_flows->lacks);
    free(w->last_flows);
    w->last_flows = NULL;
}
