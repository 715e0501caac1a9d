/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/patience.h"

#include "base/memory.h"
#include "fabric/nics.h"
#include "mech/flowctl/pause_watchdog.h"

#include <stdlib.h>

#define PATIENCE_TIMES 10

/* ---- the times ---- */

span_ps patience_rto(const struct world_config *c) {
    span_ps longest = PS_PER_S;
    for (uint32_t t = 0; t < c->hosts.n_transports; t++) {
        uint16_t param = c->hosts.transport[t]->base->max_rto_param;
        if (param) longest = max_i64(longest, c->hosts.transport_params[t][param]);
    }
    return longest;
}

static uint32_t full_wire_bytes(const struct world_config *c) {
    return (uint32_t)config_frame(c->hosts.frame_bytes) + WIRE_OVERHEAD_BYTES;
}

/* Returns the lowest rate that a link has at any time. */
static int64_t slowest_bps(const struct fabric *f) {
    int64_t slowest = INT64_MAX;
    for (uint32_t g = 0; g < f->paths.first_port[f->n_nodes]; g++)
        slowest = min_i64(slowest, f->paths.port[g].rate_bps);
    for (size_t i = 0; i < f->n_events; i++)
        if (f->event[i].kind == EVENT_RATE) slowest = min_i64(slowest, f->event[i].value);
    return slowest;
}

/* Returns the longest propagation delay of a host's link. */
static span_ps host_delay(const struct fabric *f) {
    span_ps longest = 0;
    for (uint32_t g = 0; g < fabric_n_nics(f); g++) longest = max_i64(longest, f->paths.port[g].delay);
    return longest;
}

/* Returns the least delay of a full frame from one host to another, or more. */
static span_ps one_way(const struct world_config *c, uint32_t src, uint32_t dst, span_ps frame) {
    struct fabric_bound b;
    fabric_bound(c->fabric, src, dst, full_wire_bytes(c), &b);
    return b.propagation + b.first_frame_ps + frame + 2 * c->hosts.processing_delay;
}

/* Returns the slowest base round trip of the flows, or more: hosts of a rack count as the farthest of them. One flow stands for
 * all between two racks. */
static span_ps slowest_trip(const struct world_config *c, span_ps frame) {
    const struct fabric *f = c->fabric;
    bool *seen = memory_get((size_t)f->n_leaves * f->n_leaves, sizeof *seen);
    span_ps slowest = 0;
    for (uint32_t i = 0; i < c->flows->n; i++) {
        uint32_t src = c->flows->flow[i].src, dst = c->flows->flow[i].dst;
        bool *pair = &seen[(size_t)f->node[src].leaf * f->n_leaves + f->node[dst].leaf];
        if (*pair) continue;
        *pair = true;
        slowest = max_i64(slowest, one_way(c, src, dst, frame) + one_way(c, dst, src, frame));
    }
    free(seen);
    return slowest + 4 * host_delay(f);
}

/* Returns the time between two groups of datagrams of a flow; 0 if nothing but its host's link paces it. */
static span_ps flow_gap(const struct world_config *c, const struct flow *f) {
    const struct transport_ops *ops = c->hosts.transport[f->transport];
    if (!ops->takes_rate || f->rate_bps <= 0) return 0;
    uint64_t group = (uint64_t)c->hosts.transport_params[f->transport][ops->base->max_payload_param];
    if (ops->takes_bursts && f->burst_bytes > group) group = f->burst_bytes;
    uint128 gap = (uint128)group * 8 * PS_PER_S / (uint128)f->rate_bps;
    return gap < TIME_NONE / (2 * PATIENCE_TIMES) ? (span_ps)gap : TIME_NONE / (2 * PATIENCE_TIMES);
}

/* Returns a time in which gates may do something while nothing is sent: the longest delay, and all delays of gates that wait
 * for a processor or that others count, which may follow each other. */
static span_ps longest_wait(const struct gates *gates) {
    span_ps longest = 0, in_a_row = 0;
    for (uint32_t i = 0; i < gates->n_gates; i++) {
        const struct gate *g = &gates->gate[i];
        if (g->processor || g->n_on_begin || g->n_on_end)
            in_a_row = min_i64(in_a_row, TIME_NONE / 4) + min_i64(g->delay, TIME_NONE / 4);
        else
            longest = max_i64(longest, g->delay);
    }
    return longest + in_a_row;
}

static span_ps longest_gap(const struct world_config *c) {
    span_ps longest = 0;
    for (uint32_t i = 0; i < c->flows->n; i++) longest = max_i64(longest, flow_gap(c, &c->flows->flow[i]));
    return max_i64(longest, longest_wait(&c->flows->gates));
}

/* Returns how long a pause may hold frames before the watchdog ends it; 0: there is none. */
static span_ps longest_storm(const struct world_config *c) {
    const struct watchdog_config *w = &c->switches.flow.watchdog;
    return watchdog_is_on(w) ? w->detect + w->poll : 0;
}

span_ps patience_silence(const struct world_config *c) {
    span_ps frame = (span_ps)((int128)full_wire_bytes(c) * 8 * PS_PER_S / slowest_bps(c->fabric));
    span_ps longest = max_i64(patience_rto(c), max_i64(frame, longest_gap(c)));
    longest = max_i64(longest, max_i64(longest_storm(c), slowest_trip(c, frame)));
    return min_i64(longest, TIME_NONE / (2 * PATIENCE_TIMES)) * PATIENCE_TIMES;
}

/* ---- what is still due ---- */

static bool gives_a_path(const struct fabric_event *e) {
    return e->kind != EVENT_LINK_DOWN && e->kind != EVENT_PORT_DOWN;
}

time_ps patience_due(const struct world_config *c) {
    time_ps last = 0;
    for (uint32_t i = 0; i < c->flows->n; i++) {
        time_ps start = c->flows->flow[i].start;
        if (start < c->until) last = max_i64(last, start); /* TIME_NONE: it waits for others */
    }
    for (size_t i = 0; i < c->fabric->n_events; i++) {
        const struct fabric_event *e = &c->fabric->event[i];
        if (e->at < c->until && gives_a_path(e)) last = max_i64(last, e->at);
    }
    return last;
}

void patience_init(struct world *w) {
    w->patience = memory_get(1, sizeof *w->patience);
    *w->patience = (struct patience){.longest_rto = patience_rto(w->config), .due = patience_due(w->config)};
}

bool patience_is_over(struct world *w, time_ps now, time_ps last) {
    struct patience *p = w->patience;
    span_ps silent = now - max_i64(last, p->due);
    if (silent <= PATIENCE_TIMES * p->longest_rto) return false;
    if (p->silence == 0) p->silence = patience_silence(w->config);
    return silent > p->silence;
}
