/* SPDX-License-Identifier: Apache-2.0 */
/* A small Clos fabric of balancers, wired by hand. It has no queues and no clock; the test passes the time and sets the
 * loads. bench_build makes pods x tors ToRs, pods x aggs aggs and aggs x cores cores (cores = 0: two tiers, one pod),
 * with nodes and ports numbered as base/views.h says. bench_fly_most passes one frame from switch to switch until a
 * host receives it, a balancer consumes it, or `most` switches have seen it. `emitted` holds the frame that a balancer
 * emitted. */
#ifndef TESTS_BALANCE_BENCH_H
#define TESTS_BALANCE_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "base/memory.h"
#include "mech/balance/balance.h"
#include "mech/balance/dre.h"
#include "wire/frame_size.h"

#define BENCH_PORTS 24
#define BENCH_HOSTS 2 /* per ToR */
#define BENCH_STATES 8
#define BENCH_PERIOD (20 * PS_PER_US)
#define BENCH_FULL (200 * PS_PER_US)

struct bench_switch {
    struct place place;
    struct place_port port[BENCH_PORTS];
    struct place_beyond beyond[BENCH_PORTS];
    struct port_view *view;
    struct balance_env env;
    uint64_t counters[32];
    void *state;
};

struct bench {
    const struct balancer_ops *ops;
    int64_t params[16];
    uint32_t pods, tors, aggs, cores;
    uint32_t n_hosts, n_leaves, n_switches, n_nodes;
    struct bench_switch *sw;
    struct path_view paths;
    struct route_state state[BENCH_STATES];
    struct place_port *all_ports;
    bool *dead; /* [global port] */
    uint32_t *first_port;
    uint32_t *leaf_node, *leaf_pod;
    int64_t *board_ps;
    struct load_board board;
    struct packet_pool pool;
    uint64_t seed;
    bool flat;
    uint8_t classes;
    uint32_t emitted, emitted_at; /* last emitted frame (UINT32_MAX: none), and the node that emitted it */
    uint16_t emitted_port;
    struct packet last; /* the frame of the last trip, as it ended */
};

/* The path of a frame. */
struct trip {
    uint32_t node[12];
    uint16_t port[12];
    uint16_t wire_bytes[12]; /* size at departure from node[i] */
    uint32_t n;
    bool delivered, consumed, stopped;
};

/* ---- names ---- */

static inline uint32_t bench_host(const struct bench *b, uint32_t pod, uint32_t tor, uint32_t host) {
    return (pod * b->tors + tor) * BENCH_HOSTS + host;
}
static inline uint32_t bench_tor(const struct bench *b, uint32_t pod, uint32_t tor) {
    return b->n_hosts + pod * b->tors + tor;
}
static inline uint32_t bench_agg(const struct bench *b, uint32_t pod, uint32_t agg) {
    return b->n_hosts + b->n_leaves + pod * b->aggs + agg;
}
static inline uint32_t bench_core(const struct bench *b, uint32_t plane, uint32_t core) {
    return b->n_hosts + b->n_leaves + b->pods * b->aggs + plane * b->cores + core;
}
static inline struct bench_switch *bench_switch(struct bench *b, uint32_t node) { return &b->sw[node - b->n_hosts]; }
static inline uint32_t bench_ip(uint32_t host) {
    return 10u << 24 | (host / BENCH_HOSTS) << 8 | (host % BENCH_HOSTS + 1);
}
static inline uint32_t bench_leaf_of_ip(uint32_t ip) { return (ip & 0xffffff) >> 8; }

/* Returns the port of `node` that leads to `neighbour`. */
static inline uint16_t bench_port(struct bench *b, uint32_t node, uint32_t neighbour) {
    struct bench_switch *s = bench_switch(b, node);
    for (uint16_t p = 0; p < s->place.n_ports; p++)
        if (s->port[p].neighbour == neighbour) return p;
    fail_msg("no link from %u to %u", node, neighbour);
    return 0;
}
static inline uint32_t bench_global(struct bench *b, uint32_t node, uint32_t neighbour) {
    return b->first_port[node] + bench_port(b, node, neighbour);
}

/* ---- building ---- */

static inline void bench_link(struct bench *b, uint32_t node, uint32_t neighbour, uint8_t neighbour_tier) {
    struct bench_switch *s = bench_switch(b, node);
    uint16_t p = s->place.n_ports++;
    assert_true(p < BENCH_PORTS);
    s->port[p] = (struct place_port){
        .node = node, .neighbour = neighbour, .port = p, .neighbour_tier = neighbour_tier, .rate_bps = 10000000000};
    if (neighbour_tier < s->place.tier) s->place.first_uplink = s->place.n_ports;
}

static inline void bench_wire(struct bench *b) {
    for (uint32_t t = 0; t < b->n_leaves; t++) {
        for (uint32_t h = 0; h < BENCH_HOSTS; h++) bench_link(b, b->n_hosts + t, t * BENCH_HOSTS + h, TIER_HOST);
        for (uint32_t a = 0; a < b->aggs; a++) bench_link(b, b->n_hosts + t, bench_agg(b, t / b->tors, a), TIER_AGG);
    }
    for (uint32_t pod = 0; pod < b->pods; pod++)
        for (uint32_t a = 0; a < b->aggs; a++) {
            for (uint32_t t = 0; t < b->tors; t++) bench_link(b, bench_agg(b, pod, a), bench_tor(b, pod, t), TIER_LEAF);
            for (uint32_t c = 0; c < b->cores; c++) bench_link(b, bench_agg(b, pod, a), bench_core(b, a, c), TIER_CORE);
        }
    for (uint32_t plane = 0; plane < b->aggs; plane++)
        for (uint32_t c = 0; c < b->cores; c++)
            for (uint32_t pod = 0; pod < b->pods; pod++)
                bench_link(b, bench_core(b, plane, c), bench_agg(b, pod, plane), TIER_AGG);
}

static inline void bench_set_places(struct bench *b) {
    for (uint32_t i = 0; i < b->n_switches; i++) {
        struct place *p = &b->sw[i].place;
        p->node = b->n_hosts + i;
        p->tiers = b->cores ? 3 : 2;
        p->port = b->sw[i].port;
        p->beyond = b->sw[i].beyond;
        p->leaf = NODE_NONE;
        p->tier = i < b->n_leaves ? TIER_LEAF : i < b->n_leaves + b->pods * b->aggs ? TIER_AGG : TIER_CORE;
        if (p->tier == TIER_LEAF) p->leaf = i, p->pod = i / b->tors, p->index = i % b->tors;
        if (p->tier == TIER_AGG) p->pod = (i - b->n_leaves) / b->aggs, p->index = (i - b->n_leaves) % b->aggs;
    }
}

static inline void bench_number_ports(struct bench *b) {
    uint32_t n = b->n_hosts;
    for (uint32_t h = 0; h <= b->n_hosts; h++) b->first_port[h] = h;
    for (uint32_t i = 0; i < b->n_switches; i++) {
        b->first_port[b->n_hosts + i] = n;
        n += b->sw[i].place.n_ports;
    }
    b->first_port[b->n_nodes] = n;
    b->all_ports = memory_get(n, sizeof *b->all_ports);
    b->dead = memory_get(n, sizeof *b->dead);
    b->board_ps = memory_get(n, sizeof *b->board_ps);
    for (uint32_t i = 0; i < b->n_switches; i++)
        memcpy(&b->all_ports[b->first_port[b->n_hosts + i]], b->sw[i].port,
               b->sw[i].place.n_ports * sizeof *b->all_ports);
}

static inline void bench_relax(struct bench *b, uint32_t *distance, bool downwards) {
    for (uint32_t i = 0; i < b->n_switches; i++)
        for (uint16_t p = 0; p < b->sw[i].place.n_ports; p++) {
            const struct place_port *link = &b->sw[i].port[p];
            if (link->neighbour < b->n_hosts || b->dead[b->first_port[b->n_hosts + i] + p]) continue;
            if ((link->neighbour_tier < b->sw[i].place.tier) != downwards) continue;
            uint32_t d = distance[link->neighbour - b->n_hosts];
            if (d != UINT32_MAX && d + 1 < distance[i]) distance[i] = d + 1;
        }
}

/* Computes the number of hops from every switch to one rack, up and then down over links that are up; UINT32_MAX:
 * unreachable. A switch that reaches the rack downwards goes down, because that is always shorter. */
static inline void bench_distances(struct bench *b, uint32_t leaf, uint32_t *distance) {
    for (uint32_t i = 0; i < b->n_switches; i++) distance[i] = UINT32_MAX;
    distance[leaf] = 0;
    for (int tier = 0; tier < 2; tier++) bench_relax(b, distance, true);
    for (int tier = 0; tier < 2; tier++) bench_relax(b, distance, false);
}

static inline void bench_route_to(struct bench *b, uint32_t leaf, struct route_row *rows) {
    uint32_t distance[256];
    bench_distances(b, leaf, distance);
    for (uint32_t i = 0; i < b->n_switches; i++) {
        uint16_t hop[BENCH_PORTS], n = 0;
        uint16_t *to = (uint16_t *)(uintptr_t)rows[i].to_leaf;
        for (uint16_t p = 0; p < b->sw[i].place.n_ports; p++) {
            uint32_t next = b->sw[i].port[p].neighbour;
            if (next < b->n_hosts || b->dead[b->first_port[b->n_hosts + i] + p]) continue;
            if (distance[i] != UINT32_MAX && distance[next - b->n_hosts] + 1 == distance[i]) hop[n++] = p;
        }
        if (i == leaf || n == 0)
            to[leaf] = ROUTE_NONE;
        else if (n == 1)
            to[leaf] = hop[0];
        else {
            struct next_hops *set = (struct next_hops *)(uintptr_t)rows[i].set;
            uint16_t *port = memory_get(n, sizeof *port);
            memcpy(port, hop, n * sizeof *port);
            set[rows[i].n_sets] = (struct next_hops){.n = n, .port = port};
            to[leaf] = (uint16_t)(ROUTE_SET | rows[i].n_sets++);
        }
    }
}

/* Computes the routes that hold from `from` on, without the links that are dead now. */
static inline void bench_settle(struct bench *b, time_ps from) {
    struct route_row *rows = memory_get(b->n_switches, sizeof *rows);
    for (uint32_t i = 0; i < b->n_switches; i++) {
        rows[i].to_leaf = memory_get(b->n_leaves, sizeof *rows[i].to_leaf);
        rows[i].set = memory_get(b->n_leaves, sizeof *rows[i].set);
    }
    for (uint32_t leaf = 0; leaf < b->n_leaves; leaf++) bench_route_to(b, leaf, rows);
    assert_true(b->paths.n_states < BENCH_STATES);
    b->state[b->paths.n_states++] = (struct route_state){.from = from, .row = rows};
}

static inline void bench_start(struct bench *b) {
    for (uint32_t i = 0; i < b->n_switches; i++) {
        struct bench_switch *s = &b->sw[i];
        s->view = memory_get_lines(s->place.n_ports, sizeof *s->view);
        for (uint16_t p = 0; p < s->place.n_ports; p++) {
            s->view[p].up = s->view[p].metered = true;
            if (s->port[p].neighbour_tier == TIER_AGG && s->place.tier == TIER_LEAF)
                s->beyond[p] = (struct place_beyond){.alive = b->cores, .total = b->cores};
        }
        s->env = (struct balance_env){.place = &s->place,
                                      .paths = &b->paths,
                                      .port = s->view,
                                      .pool = &b->pool,
                                      .board = &b->board,
                                      .params = b->params,
                                      .counters = s->counters,
                                      .seed = b->seed,
                                      .classes = b->classes,
                                      .host_bits = 8,
                                      .flat_tables = b->flat};
        s->state = calloc(1, b->ops->state_size(&s->env));
        b->ops->init(s->state, &s->env);
    }
}

/* Sets a parameter by name; call before bench_build. */
static inline void bench_set(struct bench *b, const char *name, int64_t value) {
    for (size_t i = 0; i < b->ops->n_params; i++)
        if (strcmp(b->ops->params[i].name, name) == 0) {
            b->params[i] = value;
            return;
        }
    fail_msg("no parameter %s", name);
}

static inline struct bench *bench_new(const char *balancer) {
    struct bench *b = calloc(1, sizeof *b);
    b->ops = balancer_find(balancer);
    assert_non_null(b->ops);
    for (size_t i = 0; i < b->ops->n_params; i++) b->params[i] = b->ops->params[i].def;
    b->seed = 1;
    b->emitted = UINT32_MAX;
    return b;
}

static inline struct bench *bench_build(struct bench *b, uint32_t pods, uint32_t tors, uint32_t aggs, uint32_t cores) {
    b->pods = pods, b->tors = tors, b->aggs = aggs, b->cores = cores;
    b->n_leaves = pods * tors;
    b->n_hosts = b->n_leaves * BENCH_HOSTS;
    b->n_switches = b->n_leaves + pods * aggs + aggs * cores;
    b->n_nodes = b->n_hosts + b->n_switches;
    assert_true(b->n_switches <= 256);
    b->sw = calloc(b->n_switches, sizeof *b->sw);
    b->first_port = calloc(b->n_nodes + 1, sizeof *b->first_port);
    b->leaf_node = calloc(b->n_leaves, sizeof *b->leaf_node);
    b->leaf_pod = calloc(b->n_leaves, sizeof *b->leaf_pod);
    for (uint32_t t = 0; t < b->n_leaves; t++) b->leaf_node[t] = b->n_hosts + t, b->leaf_pod[t] = t / tors;
    packet_pool_init(&b->pool);
    bench_set_places(b);
    bench_wire(b);
    bench_number_ports(b);
    b->board.load_ps = b->board_ps;
    b->paths = (struct path_view){.n_hosts = b->n_hosts,
                                  .n_leaves = b->n_leaves,
                                  .leaf_node = b->leaf_node,
                                  .leaf_pod = b->leaf_pod,
                                  .first_port = b->first_port,
                                  .port = b->all_ports,
                                  .state = b->state};
    bench_settle(b, 0);
    bench_start(b);
    return b;
}

static inline void bench_free_state(struct bench *b, const struct route_row *rows) {
    for (uint32_t i = 0; i < b->n_switches; i++) {
        for (uint16_t k = 0; k < rows[i].n_sets; k++) free((void *)(uintptr_t)rows[i].set[k].port);
        free((void *)(uintptr_t)rows[i].to_leaf);
        free((void *)(uintptr_t)rows[i].set);
    }
    free((void *)(uintptr_t)rows);
}

/* Frees the bench; asserts that every frame and every extension cell is free again. */
static inline void bench_end(struct bench *b) {
    if (b->emitted != UINT32_MAX) packet_put(&b->pool, b->emitted);
    assert_int_equal(b->pool.in_use, 0);
    assert_int_equal(b->pool.ext_in_use, 0);
    for (uint32_t i = 0; i < b->n_switches; i++) {
        if (b->ops->fini) b->ops->fini(b->sw[i].state);
        free(b->sw[i].state);
        free(b->sw[i].view);
    }
    for (uint32_t k = 0; k < b->paths.n_states; k++) bench_free_state(b, b->state[k].row);
    packet_pool_fini(&b->pool);
    free(b->sw), free(b->first_port), free(b->leaf_node), free(b->leaf_pod);
    free(b->all_ports), free(b->dead), free(b->board_ps);
    free(b);
}

/* ---- circumstances ---- */

static inline void bench_meter(struct load_meter *m, time_ps now, int64_t x_ps) {
    *m = (struct load_meter){.x_ps = x_ps, .counted_to = now, .next_tick = (now / BENCH_PERIOD + 1) * BENCH_PERIOD};
}

/* Sets the load of the direction from -> to: egress at `from`, ingress at `to`, and the board. The load holds until the
 * next tick after now. bench_load sets it to 0 .. 8 eighths of the link, and slightly more so that floor() finds the
 * level. */
static inline void bench_load_ps(struct bench *b, uint32_t from, uint32_t to, time_ps now, int64_t x_ps) {
    bench_meter(&bench_switch(b, from)->view[bench_port(b, from, to)].egress, now, x_ps);
    bench_meter(&bench_switch(b, to)->view[bench_port(b, to, from)].ingress, now, x_ps);
    b->board_ps[bench_global(b, from, to)] = x_ps;
}
static inline void bench_load(struct bench *b, uint32_t from, uint32_t to, time_ps now, int level) {
    bench_load_ps(b, from, to, now, level * (BENCH_FULL / 8) + 1000);
}

/* Cuts or repairs a link at once for all: the wire, the ports at both ends, and the routes. */
static inline void bench_set_link(struct bench *b, uint32_t x, uint32_t y, bool up, time_ps now) {
    bench_switch(b, x)->view[bench_port(b, x, y)].up = up;
    bench_switch(b, y)->view[bench_port(b, y, x)].up = up;
    b->dead[bench_global(b, x, y)] = b->dead[bench_global(b, y, x)] = !up;
    bench_settle(b, now);
}

static inline void bench_cut(struct bench *b, uint32_t x, uint32_t y, time_ps now) {
    bench_set_link(b, x, y, false, now);
}

static inline void bench_mend(struct bench *b, uint32_t x, uint32_t y, time_ps now) {
    bench_set_link(b, x, y, true, now);
}

/* Returns the sum of a counter over all switches. */
static inline uint64_t bench_count(const struct bench *b, const char *name) {
    for (size_t i = 0; i < b->ops->n_counters; i++) {
        if (strcmp(b->ops->counters[i].name, name) != 0) continue;
        uint64_t sum = 0;
        for (uint32_t k = 0; k < b->n_switches; k++) sum += b->sw[k].counters[i];
        return sum;
    }
    fail_msg("no counter %s", name);
    return 0;
}

/* ---- frames ---- */

static inline uint32_t bench_frame(struct bench *b, uint32_t src, uint32_t dst, uint16_t src_port, uint16_t dst_port,
                                   uint8_t flags, uint16_t payload) {
    uint32_t index = packet_get(&b->pool);
    struct packet *p = packet_at(&b->pool, index);
    *p = (struct packet){.src_ip = bench_ip(src),
                         .dst_ip = bench_ip(dst),
                         .src_port = src_port,
                         .dst_port = dst_port,
                         .payload_bytes = payload,
                         .tcp_flags = flags,
                         .proto = PROTO_TCP,
                         .ttl = 64,
                         .path = PATH_NONE,
                         .ext = EXT_NONE};
    p->wire_bytes = packet_computed_wire_bytes(p, NULL);
    return index;
}

static inline uint32_t bench_syn(struct bench *b, uint32_t src, uint32_t dst, uint16_t src_port) {
    return bench_frame(b, src, dst, src_port, 80, TCP_SYN, 0);
}
static inline uint32_t bench_data(struct bench *b, uint32_t src, uint32_t dst, uint16_t src_port) {
    return bench_frame(b, src, dst, src_port, 80, TCP_ACK, 1460);
}

/* Asks the balancer of `node` for a port as node/switch.c does. */
static inline uint16_t bench_ask(struct bench *b, uint32_t node, uint16_t in_port, uint32_t frame, time_ps now,
                                 struct balance_out *out) {
    struct bench_switch *s = bench_switch(b, node);
    struct packet *p = packet_at(&b->pool, frame);
    uint32_t leaf = bench_leaf_of_ip(p->dst_ip);
    const struct route_row *row = &b->state[b->paths.n_states - 1].row[node - b->n_hosts];
    uint16_t own = (uint16_t)((p->dst_ip & 0xff) - 1), to = leaf == s->place.leaf ? own : row->to_leaf[leaf];
    struct balance_query q = {.now = now,
                              .choice = &to,
                              .n_choices = 1,
                              .in_port = in_port,
                              .dst_leaf = leaf,
                              .src_leaf = bench_leaf_of_ip(p->src_ip)};
    assert_int_not_equal(to, ROUTE_NONE);
    if (leaf != s->place.leaf && (to & ROUTE_SET)) {
        const struct next_hops *set = &row->set[to & ~ROUTE_SET];
        q.choice = set->port, q.n_choices = set->n;
    }
    q.northbound = q.choice[0] >= s->place.first_uplink;
    *out = (struct balance_out){.emit = UINT32_MAX};
    bool asks = b->ops->sees_all || q.n_choices > 1 ||
                (b->ops->sees_northbound && (q.northbound || p->shape & SHAPE_SWITCH_TALK));
    if (!asks) return q.choice[0];
    return b->ops->route(s->state, &q, p, out);
}

/* Passes a frame that arrives at `node` by in_port through at most `most` switches, then frees it. A frame that a
 * balancer emits meanwhile becomes b->emitted, which must be empty. */
static inline struct trip bench_fly_most(struct bench *b, uint32_t frame, uint32_t node, uint16_t in_port, time_ps now,
                                         uint32_t most) {
    struct trip t = {0};
    for (;;) {
        if (t.n == most) {
            t.stopped = true;
            break;
        }
        struct balance_out out;
        uint16_t port = bench_ask(b, node, in_port, frame, now, &out);
        if (out.emit != UINT32_MAX) {
            assert_int_equal(b->emitted, UINT32_MAX);
            b->emitted = out.emit, b->emitted_at = node, b->emitted_port = out.emit_port;
        }
        t.node[t.n] = node;
        t.port[t.n] = port;
        t.wire_bytes[t.n++] = packet_at(&b->pool, frame)->wire_bytes;
        if (port == BALANCE_CONSUME) {
            t.consumed = true;
            break;
        }
        struct bench_switch *s = bench_switch(b, node);
        assert_true(port < s->place.n_ports);
        assert_false(b->dead[b->first_port[node] + port]); /* a balancer never picks a dead port */
        uint32_t next = s->port[port].neighbour;
        if (next < b->n_hosts) {
            t.delivered = true;
            assert_int_equal(bench_ip(next), packet_at(&b->pool, frame)->dst_ip);
            break;
        }
        in_port = bench_port(b, next, node);
        node = next;
    }
    b->last = *packet_at(&b->pool, frame);
    packet_put(&b->pool, frame);
    return t;
}

/* Sends a frame from its source host until its trip ends. */
static inline struct trip bench_send(struct bench *b, uint32_t frame, time_ps now) {
    uint32_t ip = packet_at(&b->pool, frame)->src_ip;
    return bench_fly_most(b, frame, b->n_hosts + bench_leaf_of_ip(ip), (uint16_t)((ip & 0xff) - 1), now, 99);
}

/* Sends the emitted frame on from the switch that emitted it, through at most `most` further switches. */
static inline struct trip bench_answer(struct bench *b, time_ps now, uint32_t most) {
    assert_int_not_equal(b->emitted, UINT32_MAX);
    uint32_t frame = b->emitted, next = bench_switch(b, b->emitted_at)->port[b->emitted_port].neighbour;
    b->emitted = UINT32_MAX;
    return bench_fly_most(b, frame, next, bench_port(b, next, b->emitted_at), now, most);
}

#endif
