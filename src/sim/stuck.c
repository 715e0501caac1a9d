/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/stuck.h"

#include "node/cioq.h"

#include <stdarg.h>
#include <stdio.h>

#define FLOWS_NAMED 3
#define RING_NAMED 8 /* most ports of a ring */

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

/* Returns the frames of one flow in queues and on links; sets *where to the node that holds one of them, or receives it
 * next. */
static uint32_t frames_of(const struct world *w, uint32_t flow, uint32_t *where) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->n_partitions; i++) {
        const struct partition *part = &w->partition[i];
        for (uint32_t k = 0; k < part->n_nodes; k++) {
            uint32_t queued = part->nodes[k].is_host ? 0 : frames_queued(part->nodes[k].sw, &part->pool, flow);
            if (queued) *where = part->nodes[k].node;
            n += queued;
        }
        for (uint32_t k = 0; k < part->n_inputs; k++) {
            const struct link *link = &part->in[k];
            for (uint32_t e = link->head; e != link->tail; e++) {
                if ((packet_at(&part->pool, link_frame(link, e))->flow & FLOW_MASK) != flow) continue;
                n++;
                *where = part->nodes[link->node].node;
            }
        }
    }
    return n;
}

static void describe_flow(const struct world *w, uint32_t flow, struct text *t) {
    const struct flow *f = &w->config->flows->flow[flow];
    const struct connection *c = w->sender[flow] ? w->sender[flow] : w->receiver[flow];
    char a[64], b[64], at[64] = "";
    char state[200] = "no open end";
    if (w->tally[flow].started_at == TIME_NONE) snprintf(state, sizeof state, "waits for what starts it");
    uint32_t where = NODE_NONE;
    uint32_t frames = frames_of(w, flow, &where);
    if (c) c->ops->describe(c->end, &c->env, state, sizeof state);
    if (frames) fabric_node_name(w->config->fabric, where, at, sizeof at);
    say(t, "; flow %u %s > %s: %lld of %llu bytes, %s, %u frames on the way%s%s", flow,
        fabric_node_name(w->config->fabric, f->src, a, sizeof a),
        fabric_node_name(w->config->fabric, f->dst, b, sizeof b), (long long)w->tally[flow].received_bytes,
        (unsigned long long)f->bytes, state, frames, frames ? ", last before " : "", at);
}

static void say_port(const struct world *w, uint32_t port, struct text *t) {
    char from[64], to[64];
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

void stuck_describe(const struct world *w, const struct run_result *r, char *buf, size_t size) {
    struct text t = {buf, size};
    uint32_t open = 0;
    for (uint32_t f = 0; f < w->config->flows->n; f++)
        if (w->tally[f].finished_at == TIME_NONE) open++;
    say(&t, "stuck at %lld us: no flow byte since %lld us, %u flows are open", (long long)(w->now / PS_PER_US),
        (long long)(w->last_progress / PS_PER_US), open);
    size_t before = t.left;
    describe_ring(w, r, &t);
    if (t.left == before) describe_pauses(w, r, &t);
    if (w->config->group) { /* the ends of the flows are at several ranks, and closed */
        say(&t, "; run it on one rank to see where they wait");
        return;
    }
    for (uint32_t f = 0, named = 0; f < w->config->flows->n && named < FLOWS_NAMED; f++) {
        if (w->tally[f].finished_at != TIME_NONE) continue;
        describe_flow(w, f, &t);
        named++;
    }
}
