/* SPDX-License-Identifier: Apache-2.0 */
/* Makes closed loops: gates, the flows that feed them, and queries (base/views.h). */
#include "workload/generate.h"

#include "base/memory.h"

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
    GROW(l->gate, l->n_gates, l->gates_room);
    l->gate[l->n_gates] = (struct gate){.host = host, .needs = needs, .first = l->n_gated, .n = n, .delay = delay};
    for (uint32_t i = 0; i < n; i++) {
        GROW(l->gated, l->n_gated, l->gated_room);
        l->gated[l->n_gated++] = first + i * step;
    }
    return l->n_gates++;
}

/* Returns the entry of a flow, adding entries without gates up to it. */
static struct flow_feed *feed_of(struct loops *l, uint32_t flow) {
    while (l->n_feed <= flow) {
        GROW(l->feed, l->n_feed, l->feed_room);
        l->feed[l->n_feed++] = (struct flow_feed){GATE_NONE, GATE_NONE};
    }
    return &l->feed[flow];
}

void generator_feed_received(struct generator *g, uint32_t flow, uint32_t gate) {
    feed_of(&g->loops, flow)->received = gate;
}

void generator_feed_acked(struct generator *g, uint32_t flow, uint32_t gate) { feed_of(&g->loops, flow)->acked = gate; }

/* ---- queries ---- */

uint32_t generator_set(struct generator *g) { return g->loops.n_sets++; }

/* Returns the source port of the persistent connection between two hosts: the same for all its queries. */
static uint16_t lasting_port(const struct generator *g, uint32_t client, uint32_t server) {
    uint64_t pair = ((uint64_t)client << 32 | server) ^ (uint64_t)g->spec->entry << 56;
    return (uint16_t)(FIRST_SRC_PORT + random_key(g->seed, RANDOM_PORTS, pair) % N_SRC_PORTS);
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
        out->src_port = lasting_port(g, q->client, q->server);
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

void loops_finish(struct generator *g, const uint32_t *order) {
    struct loops *l = &g->loops;
    struct flow_list *list = g->list;
    uint32_t *place = memory_get(list->n, sizeof *place);
    struct flow_feed *feed = memory_get(list->n, sizeof *feed);
    for (uint32_t i = 0; i < list->n; i++) {
        place[order[i]] = i;
        feed[i] = order[i] < l->n_feed ? l->feed[order[i]] : (struct flow_feed){GATE_NONE, GATE_NONE};
    }
    for (uint32_t i = 0; i < l->n_gated; i++) l->gated[i] = place[l->gated[i]];
    for (uint32_t i = 0; i < l->n_queries; i++) {
        l->query[i].request = place[l->query[i].request];
        l->query[i].response = place[l->query[i].response];
    }
    free(place);
    list->gates = (struct gates){l->gate, l->gated, feed, l->n_gates, l->n_gated};
    list->query = l->query;
    list->n_queries = l->n_queries;
    l->gate = NULL;
    l->gated = NULL;
    l->query = NULL;
}

void loops_fini(struct loops *l) {
    free(l->gate);
    free(l->gated);
    free(l->feed);
    free(l->query);
    *l = (struct loops){0};
}
