/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/files/dependencies.h"

#include "base/memory.h"

#include <stdlib.h>

/* ---- gates ---- */

/* Calls `each` for everything that a gate waits for. */
typedef void (*dependency_visit)(struct dependencies *x, uint32_t gate, struct dependency d, uint32_t *used);

static void each_dependency(struct dependencies *x, dependency_visit each, uint32_t *used) {
    const struct gates *g = &x->list->gates;
    for (uint32_t f = 0; g->feed && f < x->list->n; f++) {
        const struct fed_gates got = gates_of_received(g, f), acked = gates_of_acked(g, f);
        for (uint32_t i = 0; i < got.n; i++) each(x, got.gate[i], (struct dependency){ON_RECEIVED, f}, used);
        for (uint32_t i = 0; i < acked.n; i++) each(x, acked.gate[i], (struct dependency){ON_ACKED, f}, used);
    }
    for (uint32_t k = 0; k < g->n_gates; k++) {
        const struct gate *gate = &g->gate[k];
        for (uint32_t i = 0; i < gate->n_on_begin + gate->n_on_end; i++) {
            enum dependency_kind kind = i < gate->n_on_begin ? ON_GATE_BEGIN : ON_GATE_END;
            each(x, g->follow[gate->next + i], (struct dependency){kind, k}, used);
        }
    }
}

static void dependency_count(struct dependencies *x, uint32_t gate, struct dependency d, uint32_t *used) {
    (void)d;
    (void)used;
    x->first[gate + 1]++;
}
static void dependency_put(struct dependencies *x, uint32_t gate, struct dependency d, uint32_t *used) {
    x->on[x->first[gate] + used[gate]++] = d;
}

static void gates_turn(struct dependencies *x) {
    const struct gates *g = &x->list->gates;
    uint32_t *used = memory_get((size_t)g->n_gates + 1, sizeof *used);
    x->first = memory_get((size_t)g->n_gates + 1, sizeof *x->first);
    each_dependency(x, dependency_count, used);
    for (uint32_t i = 0; i < g->n_gates; i++) x->first[i + 1] += x->first[i];
    x->on = memory_get((size_t)x->first[g->n_gates] + 1, sizeof *x->on);
    each_dependency(x, dependency_put, used);
    free(used);
    for (uint32_t i = 0; i < x->list->n; i++) x->gate_of[i] = FLOW_NONE;
    for (uint32_t i = 0; i < g->n_gates; i++)
        for (uint32_t k = 0; k < g->gate[i].n; k++) x->gate_of[g->gated[g->gate[i].first + k]] = i;
}

/* ---- connections ---- */

static int by_entry(const void *pa, const void *pb, void *flows) {
    const struct flow *flow = flows, *a = &flow[*(const uint32_t *)pa], *b = &flow[*(const uint32_t *)pb];
    if (a->entry != b->entry) return a->entry < b->entry ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* A flow among those between the same two hosts. `place`: in the order of the entries. */
struct pair_key {
    uint32_t src, dst, ports, place, flow;
    uint32_t leader; /* place of the first flow of its connection */
};

static int by_ports(const void *pa, const void *pb) {
    const struct pair_key *a = pa, *b = pb;
    if (a->src != b->src) return a->src < b->src ? -1 : 1;
    if (a->dst != b->dst) return a->dst < b->dst ? -1 : 1;
    if (a->ports != b->ports) return a->ports < b->ports ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}
static int by_leader(const void *pa, const void *pb) {
    const struct pair_key *a = pa, *b = pb;
    if (a->src != b->src) return a->src < b->src ? -1 : 1;
    if (a->dst != b->dst) return a->dst < b->dst ? -1 : 1;
    if (a->leader != b->leader) return a->leader < b->leader ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static bool is_same_pair(const struct pair_key *a, const struct pair_key *b) {
    return a->src == b->src && a->dst == b->dst;
}

/* Returns whether b is carried by the connection of a, the one before it in the order of ports. */
static bool is_same_connection(const struct dependencies *x, const struct pair_key *a, const struct pair_key *b) {
    const unsigned open = FLOW_ESTABLISHED | FLOW_STAYS_OPEN;
    const struct flow *f = &x->list->flow[a->flow], *g = &x->list->flow[b->flow];
    return is_same_pair(a, b) && a->ports == b->ports && (f->flags & open) == open && (g->flags & open) == open;
}

static void connections_find(struct dependencies *x) {
    uint32_t n = x->list->n, number = 0;
    struct pair_key *key = memory_get((size_t)n + 1, sizeof *key);
    for (uint32_t i = 0; i < n; i++) {
        const struct flow *f = &x->list->flow[x->order[i]];
        key[i] = (struct pair_key){f->src, f->dst, (uint32_t)f->src_port << 16 | f->dst_port, i, x->order[i], i};
    }
    qsort(key, n, sizeof *key, by_ports);
    for (uint32_t i = 0; i < n; i++) {
        bool goes_on = i > 0 && is_same_connection(x, &key[i - 1], &key[i]);
        x->before[key[i].flow] = goes_on ? key[i - 1].flow : FLOW_NONE;
        if (goes_on) key[i].leader = key[i - 1].leader;
    }
    qsort(key, n, sizeof *key, by_leader);
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || !is_same_pair(&key[i - 1], &key[i]))
            number = 0;
        else if (key[i].leader != key[i - 1].leader)
            number++;
        x->connection[key[i].flow] = number;
    }
    free(key);
}

void dependencies_init(struct dependencies *x, const struct flow_list *list) {
    uint32_t n = list->n, **array[] = {&x->gate_of, &x->order, &x->connection, &x->before};
    *x = (struct dependencies){.list = list};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) *array[i] = memory_get((size_t)n + 1, sizeof **array[i]);
    for (uint32_t i = 0; i < n; i++) x->order[i] = i;
    if (n > 1) qsort_r(x->order, n, sizeof *x->order, by_entry, list->flow);
    gates_turn(x);
    connections_find(x);
}

void dependencies_fini(struct dependencies *x) {
    free(x->gate_of);
    free(x->on);
    free(x->first);
    free(x->order);
    free(x->connection);
    free(x->before);
}
