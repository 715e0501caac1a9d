/* SPDX-License-Identifier: Apache-2.0 */
/* Feeds a live fabric arbitrary frames (tests/live/mutations.h) while links fail and impairments come and go.
 *
 *     struct stand *s = stand_new(scene, &choices, seed);
 *     for (...) stand_step(s);           some time passes, perhaps an event, then a frame arrives at a port
 *     stand_end(s);                      two seconds without frames; then no switch may hold any
 *
 * Invariants; stand_fail prints the violated one and aborts:
 *
 *   counts      received = sum of refused; into a switch + created = left + unbuilt + consumed + dropped + held by it
 *   frames      frames that came in, were created or duplicated, less all that ended, are the descriptors in use
 *   time        the tap shows frames in order of time, and a link sends one frame at a time
 *   bytes       every frame that leaves can be parsed by the next switch
 *   the end     after two seconds of quiet no descriptor and no extension cell is in use
 *
 * The clock is virtual. Calls come in the order of live/driver.c: link events, arrivals, due events.
 */
#ifndef HEDDLE_TESTS_LIVE_MUTATION_STAND_H
#define HEDDLE_TESTS_LIVE_MUTATION_STAND_H

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fabric/kinds.h"
#include "live/mutations.h"
#include "live/topology.h"
#include "mech/crossbar/crossbars.h"
#include "mech/flowctl/flowctls.h"
#include "mech/schedule/schedules.h"
#include "node/cioq.h"

enum { STAND_PORTS = 64, STAND_SWITCHES = 16, STAND_PARAMS = 24, STAND_DETECT = 50 * PS_PER_US };

/* ---- scenes ---- */

static inline struct fabric_spec stand_spec(const struct fabric_ops *kind, int64_t rate_bps) {
    return (struct fabric_spec){.kind = kind,
                                .pods = 2,
                                .tors = kind == &fabric_clos ? 2 : 3,
                                .aggs = kind == &fabric_clos ? 2 : 4,
                                .cores = 2,
                                .hosts = 2,
                                .host_bps = rate_bps,
                                .uplink_bps = rate_bps,
                                .core_bps = rate_bps,
                                .host_delay = PS_PER_US,
                                .uplink_delay = PS_PER_US,
                                .core_delay = PS_PER_US,
                                .seed = 1};
}

/* Sets ports with one queue, which know departure times in advance. */
static inline void stand_ports_plain(struct switch_config *c) { c->port.classes = 1; }

static inline void stand_ports_classes(struct switch_config *c) {
    c->port.classes = 2;
    c->port.schedule.ops = &schedule_strict;
}

/* Sets the switch of the scheme detail: eight classes, queues at both ends of a crossbar, priority flow control; and a watchdog. */
static inline void stand_ports_detail(struct switch_config *c) {
    c->port.classes = 8;
    c->port.schedule.ops = &schedule_strict;
    c->buffer_bytes = 131072;
    c->cioq = (struct crossbar_config){.ops = &crossbar_islip,
                                       .iterations = 4,
                                       .speedup = 4,
                                       .ingress_bytes = 131072,
                                       .reserve_bytes = 6120,
                                       .forward_delay = 3100 * PS_PER_NS};
    c->flow = (struct flowctl_config){
        .ops = &flowctl_pfc,
        .params = {.max_frame_bytes = 1530, .buffer_bytes = 131072, .classes = 8, .headroom = HEADROOM_PAPER},
        .watchdog = {200 * PS_PER_US, 400 * PS_PER_US, 100 * PS_PER_US, WATCHDOG_DROP}};
}

/* Sets a class of credits at every port; data retraces the path of its credit. */
static inline void stand_ports_credit(struct switch_config *c) {
    c->port.classes = 2;
    c->port.schedule.ops = &schedule_strict;
    c->port.unscheduled_bytes = 3000;
    c->credit = (struct credit_config){.on = true,
                                       .queue = 1,
                                       .share_ppb = PPB * 84 / 1622,
                                       .burst_bytes = 168,
                                       .mark_window = 4,
                                       .spread = 8,
                                       .mark_stale = 50 * PS_PER_US};
    c->record_path = true;
}

static const struct stand_scene {
    const char *name, *balance;
    const struct fabric_ops *kind;
    int64_t rate_bps;
    void (*ports)(struct switch_config *c);
    mutant_template *usually;
} stand_scenes[] = {
    {"expeditus", "expeditus", &fabric_clos, 10000000000, stand_ports_classes, make_expeditus},
    {"conga-flow", "conga-flow", &fabric_leaf_spine, 10000000000, stand_ports_plain, make_conga},
    {"detail", "alb", &fabric_clos, 1000000000, stand_ports_detail, make_pause},
    {"expresspass", "ecmp", &fabric_clos, 10000000000, stand_ports_credit, make_credit},
    {"spray", "spray", &fabric_leaf_spine, 10000000000, stand_ports_plain, make_udp},
};
enum { STAND_SCENES = sizeof stand_scenes / sizeof *stand_scenes };

/* ---- the stand ---- */

/* A port whose neighbour is not in the station: a host, or the switch that is left out. */
struct stand_edge {
    uint32_t place, host; /* host: NODE_NONE if the neighbour is the switch */
    uint16_t port;
};

/* Totals over many stands, by which a test checks that each kind of event occurred. */
struct stand_sum {
    uint64_t frames, to_outside, links, impaired;
    uint64_t refused[REFUSAL_COUNT], dropped[DROP_COUNT], unbuilt, consumed, answers, created, pauses;
};

struct stand {
    const struct stand_scene *scene;
    struct choices *c;
    struct stand_sum *sum;
    struct topology *topology;
    const struct fabric *fabric;
    struct station *station;
    int64_t params[STAND_PARAMS];
    struct switch_config config;
    uint32_t node[STAND_SWITCHES], n_switches, hot;
    struct stand_edge edge[STAND_SWITCHES * STAND_PORTS];
    uint32_t n_edges;
    time_ps now, shown, left_at[STAND_SWITCHES][STAND_PORTS];
    uint64_t given, taken;
    struct mutant mutant;
};

static inline _Noreturn void stand_fail(const struct stand *s, const char *what) {
    fflush(stdout);
    fprintf(stderr, "%s, frame %llu, %lld ps: %s\n", s->scene->name, (unsigned long long)s->given, (long long)s->now,
            what);
    abort();
}

static inline void stand_require(const struct stand *s, bool holds, const char *what) {
    if (!holds) stand_fail(s, what);
}

/* ---- what the tap sees ---- */

/* Fails unless the next switch could parse the frame. */
static inline void stand_check_bytes(const struct stand *s, const struct outlet_frame *f) {
    struct packet p;
    struct packet_ext ext;
    struct frame_info info;
    enum frame_error error = frame_parse(f->bytes, f->captured, f->original, &p, &ext, &info);
    bool snapped = error == FRAME_SNAPPED && f->captured < f->original;
    if (error && error != FRAME_NOT_IPV4 && !snapped) stand_fail(s, frame_error_name(error));
    stand_require(s, f->original >= FRAME_MIN_BYTES, "a frame shorter than the minimum leaves");
    if (error == FRAME_OK && p.shape & SHAPE_PAUSE) s->sum->pauses++;
}

/* Fails unless a frame starts after the end of the one before it, up to a picosecond of rounding. Credits take the time
 * of their drawn size, not of their frame. */
static inline void stand_check_departure(struct stand *s, uint32_t place, const struct outlet_frame *f) {
    time_ps *last = &s->left_at[place][f->port];
    const struct place_port *port = &s->fabric->paths.port[s->fabric->paths.first_port[s->node[place]] + f->port];
    span_ps takes = (int64_t)(f->original + FRAME_UNSEEN_BYTES) * 8 * PS_PER_S / port->rate_bps - 1;
    if (f->original + FRAME_UNSEEN_BYTES <= CREDIT_WIRE_BYTES + CREDIT_SPREAD_MAX + FRAME_HEADROOM) takes = 0;
    stand_require(s, f->at - takes >= *last, "a frame leaves while the one before it is on the wire");
    *last = f->at;
}

static inline void stand_see(void *to, uint32_t place, const struct outlet_frame *f) {
    struct stand *s = to;
    stand_require(s, f->now >= s->shown && f->at >= f->now, "the tap sees frames out of order");
    s->shown = f->now;
    if (f->direction != CAPTURE_OUTBOUND) return;
    stand_check_departure(s, place, f);
    stand_check_bytes(s, f);
}

/* ---- building ---- */

static inline void stand_configure(struct stand *s) {
    const struct balancer_ops *ops = balancer_find(s->scene->balance);
    if (!ops || ops->n_params > STAND_PARAMS) stand_fail(s, "no such balancer");
    for (size_t i = 0; i < ops->n_params; i++) s->params[i] = ops->params[i].def;
    s->config = (struct switch_config){.buffer_bytes = 20000, .balance = ops, .balance_params = s->params};
    s->scene->ports(&s->config);
}

static inline void stand_find_edges(struct stand *s) {
    for (uint32_t i = 0; i < s->n_switches; i++) {
        const uint32_t *first = &s->fabric->paths.first_port[s->node[i]];
        for (uint32_t p = first[0]; p < first[1]; p++) {
            const struct place_port *port = &s->fabric->paths.port[p];
            if (station_find(s->station, port->neighbour) != UINT32_MAX) continue;
            uint32_t host = port->neighbour_tier == TIER_HOST ? port->neighbour : NODE_NONE;
            s->edge[s->n_edges++] = (struct stand_edge){i, host, port->port};
        }
    }
}

/* Returns a new stand. Half of the stands leave out one switch, so that tagged frames come from outside. */
static inline struct stand *stand_new(const struct stand_scene *scene, struct choices *c, uint64_t seed,
                                      struct stand_sum *sum) {
    struct stand *s = memory_get(1, sizeof *s);
    struct fabric_spec spec = stand_spec(scene->kind, scene->rate_bps);
    struct diag d = {0};
    s->scene = scene;
    s->c = c;
    s->sum = sum;
    stand_configure(s);
    s->topology = topology_create(&spec, STAND_DETECT, &d);
    if (!s->topology) stand_fail(s, d.text);
    s->fabric = topology_fabric(s->topology);
    uint32_t without = chance(c, 2) ? choose(c, s->fabric->n_switches) : UINT32_MAX;
    stand_require(s, s->fabric->n_switches <= STAND_SWITCHES, "more switches than there is room for");
    for (uint32_t i = 0; i < s->fabric->n_switches; i++)
        if (i != without) s->node[s->n_switches++] = s->fabric->n_hosts + i;
    struct station_setup setup = {.fabric = s->fabric,
                                  .config = &s->config,
                                  .seed = seed,
                                  .node = s->node,
                                  .n = s->n_switches,
                                  .answers = true,
                                  .tap = {s, stand_see}};
    s->station = station_create(&setup, &d);
    if (!s->station) stand_fail(s, d.text);
    stand_find_edges(s);
    s->hot = choose(c, s->fabric->n_hosts);
    if (chance(c, 2)) station_ask_hosts(s->station, 0);
    return s;
}

/* ---- what must hold ---- */

static inline uint64_t stand_switch_ended(const struct forwarder_counts *n) {
    uint64_t ended = n->left + n->unbuilt + n->consumed;
    for (int k = 0; k < DROP_COUNT; k++) ended += n->dropped[k];
    return ended;
}

/* Returns the frames that a switch holds. */
static inline uint64_t stand_check_switch(const struct stand *s, const struct forwarder *f) {
    const struct forwarder_counts *n = &f->count;
    uint64_t refused = 0, in = n->refused[FRAME_OK] + forwarder_created(f), ended = stand_switch_ended(n);
    for (int k = 0; k < REFUSAL_COUNT; k++) refused += n->refused[k];
    stand_require(s, n->received == refused, "received is not the sum of refused");
    if (f->sw.cioq) {
        time_ps first = min_i64(f->sw.cioq->next, earliest_time(&f->sw.service));
        stand_require(s, switch_next_timer(&f->sw) == first,
                      "the next event is not the first one, so time would stand still");
    }
    stand_require(s, in >= ended, "more frames ended in a switch than came into it");
    stand_require(s, n->left <= in, "more frames left a switch than came into it");
    return in - ended;
}

/* Returns the frames that began less the frames that ended at one switch; frames between switches of the station count as
 * neither. */
static inline int64_t stand_balance(const struct stand *s, uint32_t place) {
    const struct forwarder *f = station_switch(s->station, place);
    int64_t n = (int64_t)forwarder_created(f) - (int64_t)(stand_switch_ended(&f->count) - f->count.left);
    for (int k = FRAME_OK + 1; k < REFUSAL_COUNT; k++) n -= (int64_t)f->count.refused[k];
    for (uint16_t port = 0; port < f->sw.n_ports; port++) {
        n -= (int64_t)station_lost_outside(s->station, place, port);
        for (int inwards = 0; inwards < 2; inwards++) {
            const struct station_impaired *x = station_impaired(s->station, place, port, inwards);
            if (x) n += (int64_t)x->duplicated - (int64_t)x->lost;
        }
    }
    return n;
}

/* Returns the frames that all switches hold. */
static inline uint64_t stand_check(const struct stand *s) {
    int64_t frames = (int64_t)s->given - (int64_t)s->taken;
    const struct packet_pool *pool = &station_frames(s->station)->pool;
    uint64_t held = 0;
    for (uint32_t i = 0; i < s->n_switches; i++) {
        held += stand_check_switch(s, station_switch(s->station, i));
        frames += stand_balance(s, i);
    }
    stand_require(s, frames == (int64_t)pool->in_use, "descriptors in use are not the frames that are under way");
    stand_require(s, held <= pool->in_use, "switches hold more frames than there are descriptors in use");
    stand_require(s, pool->ext_in_use <= pool->in_use, "more extension cells than descriptors are in use");
    return held;
}

/* ---- steps ---- */

/* Removes the frames that have left the station. */
static inline void stand_reap(struct stand *s) {
    for (uint32_t i = 0; i < s->n_edges; i++) {
        const struct stand_edge *e = &s->edge[i];
        for (; station_departing(s->station, e->place, e->port, s->now); s->taken++)
            station_departed(s->station, e->place, e->port);
        stand_require(s, station_next_departure(s->station, e->place, e->port) > s->now, "a frame was left on a line");
    }
}

/* Updates the check of departures for a failed link: its frame on the wire is lost, and the port is free at once. */
static inline void stand_cut(struct stand *s, const struct place_port *port) {
    uint32_t place = station_find(s->station, port->node);
    if (place == UINT32_MAX) return;
    time_ps *last = &s->left_at[place][port->port];
    *last = min_i64(*last, s->now);
}

/* Fails or repairs a link, with chances that keep a ninth of the links down. */
static inline void stand_link(struct stand *s) {
    uint32_t node = s->fabric->n_hosts + choose(s->c, s->fabric->n_switches);
    const uint32_t *first = &s->fabric->paths.first_port[node];
    uint16_t port = (uint16_t)choose(s->c, first[1] - first[0]);
    const struct place_port *end = &s->fabric->paths.port[first[0] + port];
    bool is_up = topology_is_up(s->topology, node, port);
    if (is_up && !chance(s->c, 8)) return;
    topology_link(s->topology, s->station, s->now, node, port, !is_up);
    stand_cut(s, end);
    stand_cut(s, &s->fabric->paths.port[end->peer]);
    s->sum->links++;
}

static inline void stand_links_up(struct stand *s) {
    for (uint32_t i = 0; i < s->fabric->n_switches; i++) {
        uint32_t node = s->fabric->n_hosts + i;
        const uint32_t *first = &s->fabric->paths.first_port[node];
        for (uint16_t p = 0; p < first[1] - first[0]; p++)
            topology_link(s->topology, s->station, s->now, node, p, true);
    }
}

static inline int64_t stand_ppb(struct choices *c) { return chance(c, 2) ? (int64_t)choose(c, PPB / 3) : 0; }

static inline void stand_impair(struct stand *s) {
    uint32_t place = choose(s->c, s->n_switches);
    uint16_t port = (uint16_t)choose(s->c, station_switch(s->station, place)->sw.n_ports);
    struct impairment what = {0};
    if (chance(s->c, 2))
        what = (struct impairment){.loss_ppb = stand_ppb(s->c),
                                   .corrupt_ppb = stand_ppb(s->c),
                                   .duplicate_ppb = stand_ppb(s->c),
                                   .reorder_ppb = stand_ppb(s->c),
                                   .delay = choose(s->c, 100) * PS_PER_US};
    station_impair(s->station, s->node[place], port, &what);
    s->sum->impaired++;
}

static inline void stand_event(struct stand *s) {
    uint32_t kind = choose(s->c, 512);
    if (kind >= 496)
        stand_link(s);
    else if (kind >= 492)
        stand_impair(s);
}

static inline void stand_arrive(struct stand *s) {
    const struct stand_edge *e = &s->edge[choose(s->c, s->n_edges)];
    struct maker m = {.fabric = s->fabric, .c = s->c, .from = e->host, .hot = s->hot, .usually = s->scene->usually};
    struct mutant *x = &s->mutant;
    uint8_t *at;
    if (m.from == NODE_NONE) m.from = choose(s->c, s->fabric->n_hosts);
    mutant_make(x, &m);
    uint32_t index = frames_take(station_frames(s->station), x->captured, &at);
    memcpy(at, x->bytes, x->captured);
    station_arrive(s->station, e->place, e->port, s->now, index, x->captured, x->length);
    s->given++;
}

static inline void stand_until(struct stand *s, time_ps now) {
    s->now = now;
    topology_until(s->topology, s->station, now);
}

/* Returns the time until the next step: mostly less than the time of a frame, sometimes longer than a flowlet gap. */
static inline span_ps stand_wait(struct choices *c) {
    uint32_t kind = choose(c, 256);
    if (kind == 255) return (span_ps)choose(c, 1000) * PS_PER_US;
    return kind < 128 ? 0 : (span_ps)choose(c, 500) * PS_PER_NS;
}

static inline void stand_step(struct stand *s) {
    stand_until(s, s->now + stand_wait(s->c));
    stand_event(s);
    stand_arrive(s);
    station_until(s->station, s->now);
    if (s->given % 8) return;
    stand_reap(s);
    stand_check(s);
}

/* ---- the end ---- */

static inline void stand_add_up(struct stand *s) {
    s->sum->frames += s->given;
    s->sum->to_outside += s->taken;
    for (uint32_t i = 0; i < s->n_switches; i++) {
        const struct forwarder *f = station_switch(s->station, i);
        for (int k = 0; k < REFUSAL_COUNT; k++) s->sum->refused[k] += f->count.refused[k];
        for (int k = 0; k < DROP_COUNT; k++) s->sum->dropped[k] += f->count.dropped[k];
        s->sum->unbuilt += f->count.unbuilt;
        s->sum->consumed += f->count.consumed;
        s->sum->answers += f->count.answers;
        s->sum->created += forwarder_created(f);
    }
}

/* Ends the stand after two seconds without frames: longer than any pause, and than the ARP requests for silent
 * hosts. */
static inline void stand_end(struct stand *s) {
    const struct packet_pool *pool = &station_frames(s->station)->pool;
    for (uint32_t i = 0; i < s->n_switches; i++)
        for (uint16_t p = 0; p < station_switch(s->station, i)->sw.n_ports; p++)
            station_impair(s->station, s->node[i], p, &(struct impairment){0});
    stand_links_up(s);
    for (int i = 0; i < 20; i++) {
        stand_until(s, s->now + PS_PER_S / 10);
        station_until(s->station, s->now);
        stand_reap(s);
    }
    stand_require(s, stand_check(s) == 0, "a switch holds frames after two seconds of quiet");
    stand_require(s, pool->in_use == 0, "descriptors are in use after two seconds of quiet");
    stand_require(s, pool->ext_in_use == 0, "extension cells are in use after two seconds of quiet");
    stand_add_up(s);
    station_destroy(s->station);
    topology_destroy(s->topology);
    free(s);
}

#endif
