/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/stuck.h"

#include "base/text.h"
#include "fabric/cut_off.h"
#include "node/cioq.h"
#include "ranks/group.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define RING_NAMED 8     /* most ports of a ring */
#define CUT_OFFS_NAMED 2 /* most groups of hosts without a path */

struct text {
    char *at;
    size_t left;
};

static void __attribute__((format(printf, 2, 3))) say(struct text *t, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(t->at, t->left, fmt, args);
    va_end(args);
    if (n < 0 || (size_t)n >= t->left) n = t->left ? (int)t->left - 1 : 0;
    t->at += n;
    t->left -= (size_t)n;
}

/* Returns the frames of one flow that wait in the queues of a switch, at either end of a crossbar. Analytic ports have
 * no queues; their frames are on the links already. */
static uint32_t frames_queued(const struct fabric_switch *sw, const struct packet_pool *pool, uint32_t flow) {
    uint32_t n = sw->cioq ? (uint32_t)cioq_length_of(sw->cioq, pool, flow) : 0;
    for (uint16_t p = 0; sw->queued && p < sw->n_ports; p++) {
        const struct port_classes *c = sw->extra[p].classes;
        for (uint32_t k = 0; k < c->n; k++)
            for (uint32_t i = c->queue[k].head; i != UINT32_MAX; i = packet_at(pool, i)->next)
                n += (packet_at(pool, i)->flow & FLOW_MASK) == flow;
    }
    return n;
}

/* The frames of one flow, and a node that holds one of them or receives it next. */
struct sighted {
    const struct partition *part;
    uint32_t flow, n, where;
};

static void sight_flight(void *context, const struct flight *x) {
    struct sighted *s = context;
    const struct packet *frame = flights_frame(&s->part->flights, &s->part->pool, x);
    if ((frame->flow & FLOW_MASK) != s->flow) return;
    s->n++;
    s->where = s->part->nodes[x->node].node;
}

/* Returns the frames of one flow in queues and on links; sets *where to the node that holds one of them, or receives it
 * next. */
static uint32_t frames_of(const struct world *w, uint32_t flow, uint32_t *where) {
    struct sighted s = {.flow = flow, .where = *where};
    for (uint32_t i = 0; i < w->n_partitions; i++) {
        s.part = &w->partition[i];
        for (uint32_t k = 0; k < s.part->n_nodes; k++) {
            const struct sim_node *node = &s.part->nodes[k];
            uint32_t queued = node->is_host ? 0 : frames_queued(node->sw, &s.part->pool, flow);
            if (queued) s.where = node->node;
            s.n += queued;
        }
        flights_each(&s.part->flights, sight_flight, &s);
    }
    *where = s.where;
    return s.n;
}

/* ---- the open flows ---- */

#define NOBODY INT64_MAX

/* Adds up what the ranks of a group give, as ranks_group_reduce does. A single process gives all. */
static void reduce(const struct world *w, int64_t *least, uint64_t *sum, size_t n) {
    if (w->config->group) ranks_group_reduce(w->config->group, least, sum, n);
}

/* Returns the first open flow from `flow` on; NOBODY: there is none. The rank of the receiver knows. */
static int64_t open_flow(const struct world *w, int64_t flow) {
    while (flow < w->config->flows->n &&
           !(world_has_node(w, w->config->flows->flow[flow].dst) && tally_finished_at(w->tallies, flow) == TIME_NONE))
        flow++;
    int64_t least = flow < w->config->flows->n ? flow : NOBODY;
    uint64_t nothing = 0;
    reduce(w, &least, &nothing, 1);
    return least;
}

/* Returns how well this rank knows the state of a flow, 0 being best: by its sender, its receiver, or its start. */
static int64_t state_rank(const struct world *w, uint32_t flow) {
    const struct flow *f = &w->config->flows->flow[flow];
    if (w->sender[flow] && world_has_node(w, f->src)) return 0;
    if (w->receiver[flow] && world_has_node(w, f->dst)) return 1;
    return world_has_node(w, f->src) ? 2 : NOBODY;
}

static void state_of(const struct world *w, uint32_t flow, char *buf, size_t size) {
    const struct connection *c = w->sender[flow] ? w->sender[flow] : w->receiver[flow];
    snprintf(buf, size, "%s",
             tally_started_at(w->tallies, flow) == TIME_NONE ? "waits for what starts it" : "no open end");
    if (c) c->ops->describe(c->end, &c->env, buf, size);
}

static void flow_find(const struct world *w, uint32_t flow, struct stuck_flow *s) {
    *s = (struct stuck_flow){.flow = flow};
    uint32_t where = NODE_NONE;
    uint64_t count[2] = {frames_of(w, flow, &where)};
    /* The last rank that has a frame of it says where. */
    int64_t holder = count[0] ? -(int64_t)w->first : NOBODY, best = state_rank(w, flow), mine = best;
    if (world_has_node(w, w->config->flows->flow[flow].dst))
        count[1] = (uint64_t)tally_received_bytes(w->tallies, flow);
    reduce(w, &holder, count, 2);
    s->frames = count[0];
    s->received_bytes = (int64_t)count[1];
    uint64_t place = holder == -(int64_t)w->first ? where : 0;
    reduce(w, &best, &place, 1);
    s->where = (uint32_t)place;
    if (mine == best) state_of(w, flow, s->state, sizeof s->state);
    uint64_t words[sizeof s->state / sizeof(uint64_t)];
    memcpy(words, s->state, sizeof words);
    reduce(w, &best, words, sizeof words / sizeof *words);
    memcpy(s->state, words, sizeof words);
}

void stuck_find(const struct world *w, struct stuck_flows *s) {
    s->n = 0;
    for (int64_t flow = open_flow(w, 0); flow != NOBODY && s->n < STUCK_NAMED; flow = open_flow(w, flow + 1))
        flow_find(w, (uint32_t)flow, &s->flow[s->n++]);
}

static void describe_flow(const struct world *w, const struct stuck_flow *s, struct text *t) {
    const struct flow *f = &w->config->flows->flow[s->flow];
    char a[FABRIC_NODE_NAME_MAX], b[FABRIC_NODE_NAME_MAX], at[FABRIC_NODE_NAME_MAX] = "";
    if (s->frames) fabric_node_name(w->config->fabric, s->where, at, sizeof at);
    char of[TEXT_OF_FLOW];
    say(t, "; flow %u %s > %s: %lld B %s, %s, %llu frames on the way%s%s", s->flow,
        fabric_node_name(w->config->fabric, f->src, a, sizeof a),
        fabric_node_name(w->config->fabric, f->dst, b, sizeof b), (long long)s->received_bytes,
        text_of_flow(f->bytes, of), s->state, (unsigned long long)s->frames, s->frames ? ", last before " : "", at);
}

/* ---- ports ---- */

static void say_port(const struct world *w, uint32_t port, struct text *t) {
    char from[FABRIC_NODE_NAME_MAX], to[FABRIC_NODE_NAME_MAX];
    const struct place_port *p = &w->config->fabric->paths.port[port];
    say(t, "%s>%s", fabric_node_name(w->config->fabric, p->node, from, sizeof from),
        fabric_node_name(w->config->fabric, p->neighbour, to, sizeof to));
}

/* Describes the first ring that still exists: it is the reason. */
static void describe_ring(const struct world *w, const struct run_result *r, struct text *t) {
    size_t first = 0, n = 0;
    while (first < r->n_ring_lanes && r->ring[first].last < w->now) first++;
    if (first == r->n_ring_lanes) return;
    while (first + n < r->n_ring_lanes && r->ring[first + n].ring == r->ring[first].ring) n++;
    say(t, "; ports paused in a ring: ");
    for (size_t i = 0; i < n && i < RING_NAMED; i++) {
        say_port(w, r->ring[first + i].port, t);
        say(t, " waits for ");
    }
    if (n > RING_NAMED) say(t, "%zu more, then ", n - RING_NAMED);
    say_port(w, r->ring[first].port, t);
    say(t, ", class %u, since %lld us", r->ring[first].class, (long long)(r->ring[first].since / PS_PER_US));
}

/* Describes the pause that has lasted longest, if one is still in force. */
static void describe_pauses(const struct world *w, const struct run_result *r, struct text *t) {
    const struct pause_total *longest = NULL;
    for (size_t i = 0; i < r->n_pauses; i++) {
        const struct pause_total *p = &r->pause[i];
        bool stands = p->longest > 0 && p->longest_from + p->longest == w->now;
        if (stands && (!longest || p->longest > longest->longest)) longest = p;
    }
    if (!longest) return;
    say(t, "; paused for longest: ");
    say_port(w, longest->port, t);
    say(t, ", class %u, since %lld us", longest->class, (long long)(longest->longest_from / PS_PER_US));
}

/* ---- hosts that failures have cut off ---- */

/* Returns whether an open flow has an end among these hosts, and needs a path that they lack. */
static bool is_missed(const struct world *w, const struct cut_off *c) {
    const struct fabric_node *node = w->config->fabric->node;
    for (uint32_t i = 0; i < w->config->flows->n; i++) {
        const struct flow *f = &w->config->flows->flow[i];
        bool inside = (f->src >= c->first && f->src <= c->last) || (f->dst >= c->first && f->dst <= c->last);
        bool apart = c->kind == CUT_OFF_FROM_ALL || node[f->src].leaf != node[f->dst].leaf;
        if (inside && apart && tally_finished_at(w->tallies, i) == TIME_NONE) return true;
    }
    return false;
}

/* Describes the first hosts that have no path now and whose flows are open: they are the reason. */
static void describe_cut_offs(const struct world *w, struct text *t) {
    struct cut_offs all;
    uint32_t told = 0, others = 0;
    char text[CUT_OFF_TEXT];
    cut_offs_find(w->config->fabric, &all);
    for (size_t i = 0; i < all.n; i++) {
        const struct cut_off *c = &all.of[i];
        if (c->from > w->now || c->to <= w->now || !is_missed(w, c)) continue;
        if (told++ < CUT_OFFS_NAMED)
            say(t, "%s; ", cut_off_text(w->config->fabric, c, text));
        else
            others += c->last - c->first + 1;
    }
    if (others) say(t, "and so it is with %u more hosts; ", others);
    cut_offs_free(&all);
}

void stuck_describe(const struct world *w, const struct run_result *r, const struct stuck_flows *s, char *buf,
                    size_t size) {
    struct text t = {buf, size};
    uint32_t open = 0;
    for (uint32_t f = 0; f < w->config->flows->n; f++)
        if (tally_finished_at(w->tallies, f) == TIME_NONE) open++;
    describe_cut_offs(w, &t);
    say(&t, "stuck at %lld us: no flow byte since %lld us, %u flows are open", (long long)(w->now / PS_PER_US),
        (long long)(w->last_progress / PS_PER_US), open);
    size_t before = t.left;
    describe_ring(w, r, &t);
    if (t.left == before) describe_pauses(w, r, &t);
    for (uint32_t i = 0; i < s->n; i++) describe_flow(w, &s->flow[i], &t);
}
