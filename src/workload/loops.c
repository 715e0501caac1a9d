/* SPDX-License-Identifier: Apache-2.0 */
/* Makes closed loops: gates, the flows that feed them, and queries (base/views.h). */
#include "workload/generate.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

#define GROW(array, n, room)                                                                                           \
    do {                                                                                                               \
        if ((n) < (room)) break;                                                                                       \
        (room) = (room) ? 2 * (room) : 64;                                                                             \
        (array) = memory_grow((array), (room), sizeof *(array));                                                       \
    } while (0)

uint32_t generator_gate(struct generator *g, uint32_t host, uint32_t needs, span_ps delay, uint32_t first, uint32_t n,
                        uint32_t step) {
    struct loops *l = &g->loops;
    uint32_t gate = l->n_gates;
    GROW(l->gate, l->n_gates, l->gates_room);
    l->gate[l->n_gates++] = (struct gate){.host = host, .needs = needs, .delay = delay};
    for (uint32_t i = 0; i < n; i++) generator_start(g, gate, first + i * step);
    return gate;
}

void generator_start(struct generator *g, uint32_t gate, uint32_t flow) {
    struct loops *l = &g->loops;
    GROW(l->starting, l->n_startings, l->startings_room);
    l->starting[l->n_startings++] = (struct starting){gate, flow};
    l->gate[gate].n++;
}

static void loops_feed(struct loops *l, struct feeding feeding) {
    GROW(l->feeding, l->n_feedings, l->feedings_room);
    l->feeding[l->n_feedings++] = feeding;
}

void generator_feed_received(struct generator *g, uint32_t flow, uint32_t gate) {
    assert(g->loops.gate[gate].host == g->list->flow[flow].dst);
    loops_feed(&g->loops, (struct feeding){flow, gate, false});
}

void generator_feed_acked(struct generator *g, uint32_t flow, uint32_t gate) {
    assert(g->loops.gate[gate].host == g->list->flow[flow].src);
    loops_feed(&g->loops, (struct feeding){flow, gate, true});
}

void generator_follow(struct generator *g, uint32_t gate, uint32_t next, bool on_begin) {
    struct loops *l = &g->loops;
    assert(l->gate[gate].host == l->gate[next].host);
    GROW(l->following, l->n_followings, l->followings_room);
    l->following[l->n_followings++] = (struct following){gate, next, on_begin};
    if (on_begin)
        l->gate[gate].n_on_begin++;
    else
        l->gate[gate].n_on_end++;
}

uint32_t generator_processor(struct generator *g) { return ++g->loops.n_processors; }

void generator_gate_on(struct generator *g, uint32_t gate, uint32_t processor) {
    g->loops.gate[gate].processor = processor;
}

/* ---- queries ---- */

uint32_t generator_set(struct generator *g) { return g->loops.n_sets++; }

/* Returns the source port of a persistent connection between two hosts, the number-th of them: the same for all its flows. */
static uint16_t lasting_port(const struct generator *g, uint32_t client, uint32_t server, uint32_t number) {
    uint64_t pair = ((uint64_t)client << 32 | server) ^ (uint64_t)g->spec->entry << 56;
    return (uint16_t)(FIRST_SRC_PORT + (random_key(g->seed, RANDOM_PORTS, pair) + number) % N_SRC_PORTS);
}

void generator_connection(const struct generator *g, uint32_t flow, uint32_t number) {
    struct flow *f = &g->list->flow[flow];
    f->src_port = lasting_port(g, f->src, f->dst, number);
    f->channel = (uint8_t)number;
    f->flags |= FLOW_ESTABLISHED | FLOW_STAYS_OPEN | FLOW_IN_LINE;
}

void generator_job(struct generator *g, const struct workload_job *job) {
    struct loops *l = &g->loops;
    GROW(l->job, l->n_jobs, l->jobs_room);
    l->job[l->n_jobs++] = *job;
}

/* The response uses the connection of the request: the same two ports, exchanged. */
bool generator_query(struct generator *g, const struct query_plan *q, struct query *made) {
    struct flow_list *list = g->list;
    uint32_t request = list->n;
    if (!generator_add(g, q->start, q->client, q->server, g->spec->request_bytes)) return false;
    if (!generator_add(g, TIME_NONE, q->server, q->client, q->bytes)) return false;
    struct flow *out = &list->flow[request], *back = out + 1;
    out->priority = back->priority = q->priority;
    if (g->spec->persistent) {
        out->src_port = lasting_port(g, q->client, q->server, 0);
        out->flags = FLOW_ESTABLISHED;
    }
    out->flags |= FLOW_STAYS_OPEN;
    back->src_port = out->dst_port;
    back->dst_port = out->src_port;
    back->flags = g->spec->persistent ? FLOW_ESTABLISHED | FLOW_STAYS_OPEN : FLOW_ESTABLISHED;
    generator_feed_received(g, request, generator_gate(g, q->server, 1, 0, request + 1, 1, 1));
    *made = (struct query){request, request + 1, q->set};
    struct loops *l = &g->loops;
    GROW(l->query, l->n_queries, l->queries_room);
    l->query[l->n_queries++] = *made;
    return true;
}

/* ---- renumbering after the sort ---- */

/* Returns the field of a flow's entry in which the gates of a feeding begin. */
static uint32_t *feed_begin(struct flow_feed *feed, const struct feeding *f, const uint32_t *place) {
    struct flow_feed *of = &feed[place[f->flow]];
    return f->acked ? &of->acked : &of->received;
}

/* Returns the entries of n sorted flows and fills fed[]: counts the gates of each flow, adds up, and puts each gate at
 * the end of its flow's part, from the last feeding to the first. The gates of a flow keep their order. */
static struct flow_feed *feed_sort(const struct loops *l, const uint32_t *place, uint32_t n, uint32_t *fed) {
    struct flow_feed *feed = memory_get((size_t)n + 1, sizeof *feed);
    for (uint32_t i = 0; i < l->n_feedings; i++) ++*feed_begin(feed, &l->feeding[i], place);
    uint32_t end = 0;
    for (uint32_t i = 0; i < n; i++) {
        feed[i].received = end += feed[i].received;
        feed[i].acked = end += feed[i].acked;
    }
    feed[n] = (struct flow_feed){end, end};
    for (uint32_t i = l->n_feedings; i-- > 0;) fed[--*feed_begin(feed, &l->feeding[i], place)] = l->feeding[i].gate;
    return feed;
}

/* Returns the numbers of the flows that gates start, gate after gate, and sets gate.first. Those of one gate keep their order. */
static uint32_t *gated_sort(struct loops *l, const uint32_t *place) {
    uint32_t *gated = memory_get(l->n_startings, sizeof *gated), *used = memory_get(l->n_gates, sizeof *used);
    for (uint32_t i = 0, at = 0; i < l->n_gates; i++) {
        l->gate[i].first = at;
        at += l->gate[i].n;
    }
    for (uint32_t i = 0; i < l->n_startings; i++) {
        const struct starting *s = &l->starting[i];
        gated[l->gate[s->gate].first + used[s->gate]++] = place[s->flow];
    }
    free(used);
    return gated;
}

/* Returns the numbers of gates that count others, gate after gate, and sets gate.next. Those of one gate keep their order. */
static uint32_t *follow_sort(struct loops *l) {
    uint32_t *follow = memory_get(l->n_followings, sizeof *follow),
             *used = memory_get(2 * (size_t)l->n_gates, sizeof *used);
    for (uint32_t i = 0, at = 0; i < l->n_gates; i++) {
        l->gate[i].next = at;
        at += l->gate[i].n_on_begin + l->gate[i].n_on_end;
    }
    for (uint32_t i = 0; i < l->n_followings; i++) {
        const struct following *f = &l->following[i];
        const struct gate *gate = &l->gate[f->gate];
        uint32_t first = gate->next + (f->on_begin ? 0 : gate->n_on_begin);
        follow[first + used[2 * f->gate + !f->on_begin]++] = f->next;
    }
    free(used);
    return follow;
}

void loops_finish(struct generator *g, const uint32_t *order) {
    struct loops *l = &g->loops;
    struct flow_list *list = g->list;
    uint32_t *place = memory_get(list->n, sizeof *place), *fed = memory_get(l->n_feedings, sizeof *fed);
    for (uint32_t i = 0; i < list->n; i++) place[order[i]] = i;
    struct flow_feed *feed = feed_sort(l, place, list->n, fed);
    uint32_t *gated = gated_sort(l, place);
    for (uint32_t i = 0; i < l->n_queries; i++) {
        l->query[i].request = place[l->query[i].request];
        l->query[i].response = place[l->query[i].response];
    }
    free(place);
    list->gates = (struct gates){.gate = l->gate,
                                 .gated = gated,
                                 .feed = feed,
                                 .fed = fed,
                                 .follow = follow_sort(l),
                                 .n_gates = l->n_gates,
                                 .n_gated = l->n_startings,
                                 .n_fed = l->n_feedings,
                                 .n_follow = l->n_followings,
                                 .n_processors = l->n_processors};
    list->query = l->query;
    list->n_queries = l->n_queries;
    list->job = l->job;
    list->n_jobs = l->n_jobs;
    l->gate = NULL;
    l->query = NULL;
    l->job = NULL;
}

void jobs_free(struct workload_job *job, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        free((void *)job[i].rank);
        free((void *)job[i].first_gate);
        free((void *)job[i].phase_of);
        free((void *)job[i].phase_of_gate);
    }
    free(job);
}

void loops_fini(struct loops *l) {
    free(l->gate);
    free(l->starting);
    free(l->feeding);
    free(l->following);
    free(l->query);
    jobs_free(l->job, l->job ? l->n_jobs : 0);
    *l = (struct loops){0};
}
