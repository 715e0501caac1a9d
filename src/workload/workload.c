/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/workload.h"

#include "base/memory.h"
#include "workload/generate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void generator_stream(const struct generator *g, struct random_stream *r, enum random_purpose purpose, uint32_t host) {
    random_init(r, g->seed, purpose, (uint64_t)g->spec->entry << 32 | host);
}

bool generator_fail(const struct generator *g, const char *fmt, ...) {
    char text[sizeof g->d->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    const struct diag *at = &g->spec->where;
    return diag_fail(g->d, at->file, at->line, at->col, "%s", text);
}

/* Returns the host's next source port. Ports count up from a random one, so that a host's first N_SRC_PORTS flows of an
 * entry all have different ports. */
static uint16_t source_port(struct generator *g, uint32_t host) {
    if (!g->next_port) {
        g->next_port = memory_get(g->p->n_hosts, sizeof *g->next_port);
        for (uint32_t h = 0; h < g->p->n_hosts; h++) {
            g->next_port[h] =
                (uint32_t)(random_key(g->seed, RANDOM_PORTS, (uint64_t)g->spec->entry << 32 | h) % N_SRC_PORTS);
        }
    }
    uint32_t port = g->next_port[host];
    g->next_port[host] = (port + 1) % N_SRC_PORTS;
    return (uint16_t)(FIRST_SRC_PORT + port);
}

bool generator_add(struct generator *g, time_ps start, uint32_t src, uint32_t dst, uint64_t bytes) {
    struct flow_list *list = g->list;
    if (list->n == FLOW_NONE)
        return generator_fail(g, "more than %u flows; lower `flows`, the load or `until`", list->n);
    if (list->n == g->room) {
        g->room = g->room < 64 ? 64 : g->room > FLOW_NONE / 2 ? FLOW_NONE : 2 * g->room;
        list->flow = memory_grow(list->flow, g->room, sizeof *list->flow);
    }
    const struct workload_spec *spec = g->spec;
    list->flow[list->n++] = (struct flow){
        .start = start,
        .bytes = bytes,
        .stop = spec->kind->stops ? spec->stop : TIME_NONE,
        .src = src,
        .dst = dst,
        .index = g->made++,
        .entry = (uint16_t)spec->entry,
        .src_port = source_port(g, src),
        .dst_port = (uint16_t)(FIRST_DST_PORT + spec->entry),
        .transport = (uint8_t)spec->transport,
        .priority = spec->priority,
        .rate_bps = spec->rate_bps,
        .burst_bytes = spec->burst_bytes,
    };
    return true;
}

static int flow_compare(const void *a, const void *b) {
    const struct flow *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    if (x->src != y->src) return x->src < y->src ? -1 : 1;
    if (x->entry != y->entry) return x->entry < y->entry ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void list_sort(struct flow_list *list) {
    for (uint32_t i = 1; i < list->n; i++) {
        if (flow_compare(&list->flow[i - 1], &list->flow[i]) > 0) {
            qsort(list->flow, list->n, sizeof *list->flow, flow_compare);
            return;
        }
    }
}

static int place_compare(const void *a, const void *b, void *flows) {
    const struct flow *flow = flows;
    return flow_compare(&flow[*(const uint32_t *)a], &flow[*(const uint32_t *)b]);
}

/* Sorts the list and renumbers the flows that gates and queries name. */
static void list_sort_loops(struct generator *g) {
    struct flow_list *list = g->list;
    uint32_t *order = memory_get(list->n, sizeof *order);
    struct flow *sorted = memory_get(list->n, sizeof *sorted);
    for (uint32_t i = 0; i < list->n; i++) order[i] = i;
    qsort_r(order, list->n, sizeof *order, place_compare, list->flow);
    for (uint32_t i = 0; i < list->n; i++) sorted[i] = list->flow[order[i]];
    free(list->flow);
    list->flow = sorted;
    loops_finish(g, order);
    free(order);
    lines_finish(list);
}

static bool entry_generate(struct generator *g) {
    if (g->spec->entry > UINT16_MAX - FIRST_DST_PORT) return generator_fail(g, "too many workload entries");
    uint32_t first = g->list->n;
    bool ok = g->spec->kind->generate(g);
    for (uint32_t i = first; g->spec->kind->load == LOAD_ONCE && i < g->list->n; i++)
        g->list->flow[i].flags |= FLOW_ONCE;
    return ok;
}

bool workload_generate(const struct workload_spec *spec, size_t n, const struct population *p, uint64_t seed,
                       struct flow_list *list, struct diag *d) {
    *list = (struct flow_list){0};
    struct generator g = {.p = p, .seed = seed, .list = list, .d = d};
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        g.spec = &spec[i];
        g.made = 0;
        ok = entry_generate(&g);
        free(g.next_port);
        g.next_port = NULL;
    }
    if (!ok)
        flow_list_free(list);
    else if (g.loops.n_gates || g.loops.n_jobs)
        list_sort_loops(&g);
    else
        list_sort(list);
    loops_fini(&g.loops);
    return ok;
}

void flow_list_free(struct flow_list *list) {
    free(list->flow);
    free((void *)list->gates.gate);
    free((void *)list->gates.gated);
    free((void *)list->gates.feed);
    free((void *)list->gates.fed);
    free((void *)list->gates.follow);
    free((void *)list->lines.of);
    free((void *)list->query);
    jobs_free((struct workload_job *)list->job, list->n_jobs);
    *list = (struct flow_list){0};
}

uint64_t workload_flows_foreseen(const struct workload_spec *spec, const struct population *p) {
    return spec->kind->foresee(spec, p);
}
