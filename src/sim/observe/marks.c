/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/marks.h"

#include "base/memory.h"
#include "node/cioq.h"
#include "sim/observe/last_flow.h"
#include "sim/observe/watchdog.h"

#include <assert.h>
#include <stdlib.h>

/* ---- taking one ---- */

static uint64_t ingress_of(const struct world *w, uint32_t g, time_ps at) {
    const struct place_port *p = &w->config->fabric->paths.port[g];
    if (world_is_host(w, p->node)) return 0;
    const struct cioq *c = w->sw[p->node - w->config->fabric->n_hosts].cioq;
    return c ? cioq_ingress_area(c, p->port, at) : 0;
}

/* Returns what a port has counted by `at`; no event after it has been processed. */
static struct port_counts counts_by(const struct world *w, uint32_t g, time_ps at) {
    const struct port *p = &w->port[g];
    const struct port_extra *x = &w->extra[g];
    const struct port_classes *c = x->classes;
    bool may_block = c && c->pause && !world_is_host(w, w->config->fabric->paths.port[g].node);
    return (struct port_counts){.area = port_area_by(p, &w->view[g], x, at),
                                .sent = port_bytes_sent_by(p, &w->view[g], at),
                                .credits = port_credit_bytes(x),
                                .ingress = ingress_of(w, g, at),
                                .blocked = may_block ? c->blocked + port_blocked_now(p, c, at) : 0};
}

static span_ps paused_by(const struct world *w, uint32_t g, uint32_t class, time_ps at) {
    const struct pause_state *s = watchdog_pauses(w, g);
    return s ? pause_total(s, class, at) : 0;
}

/* Begins a mark with what hosts have received. */
static void mark_begin(const struct world *w, struct mark *m, time_ps at) {
    const struct flow_list *flows = w->config->flows;
    *m = (struct mark){.is_taken = true, .at = at};
    m->received = memory_get(w->config->fabric->n_hosts, sizeof *m->received);
    for (uint32_t i = 0; i < flows->n; i++)
        if (world_has_node(w, flows->flow[i].dst)) m->received[flows->flow[i].dst] += w->tally[i].received_bytes;
}

/* Marks the world as it is, before it goes on: no event after `at` has been processed. */
static void mark_take(const struct world *w, struct mark *m, time_ps at) {
    bool dense = !w->config->group;
    mark_begin(w, m, at);
    m->port = memory_map(w->n_ports, sizeof *m->port, dense);
    if (flowctl_is_on(&w->config->switches.flow))
        m->paused = memory_map((size_t)w->n_ports * PAUSE_CLASSES, sizeof *m->paused, dense);
    for (uint32_t g = 0; g < w->n_ports; g++) {
        if (!world_has_port(w, g)) continue;
        m->port[g] = counts_by(w, g, at);
        for (uint32_t k = 0; m->paused && k < PAUSE_CLASSES; k++)
            m->paused[g * PAUSE_CLASSES + k] = paused_by(w, g, k, at);
    }
}

/* ---- when ---- */

void marks_init(struct world *w) { w->marks = memory_get(1, sizeof *w->marks); }

time_ps marks_next(const struct world *w, time_ps now) {
    time_ps from = w->config->measure.from;
    return from > now ? from : TIME_NONE;
}

void marks_step(struct world *w, time_ps now, const struct notice *all) {
    time_ps from = w->config->measure.from;
    if (from > 0 && now == from) mark_take(w, &w->marks->begin, now);
    if (w->marks->end.is_taken || all->last == LAST_NO_FLOW || !last_flow_is_over(all, now)) return;
    assert(now == all->last + 1); /* or the run has passed the end of its last flow */
    mark_take(w, &w->marks->end, all->last);
}

void marks_close(struct world *w) {
    if (!w->marks->end.is_taken) {
        mark_begin(w, &w->marks->end, w->now);
        w->marks->end.is_now = true;
    }
    if (w->marks->begin.is_taken) return;
    w->marks->begin = (struct mark){.is_taken = true, .at = max_i64(w->config->measure.from, 0)};
}

static void mark_fini(const struct world *w, struct mark *m) {
    bool dense = !w->config->group;
    memory_unmap(m->port, w->n_ports, sizeof *m->port, dense);
    memory_unmap(m->paused, (size_t)w->n_ports * PAUSE_CLASSES, sizeof *m->paused, dense);
    free(m->received);
}

void marks_fini(struct world *w) {
    mark_fini(w, &w->marks->begin);
    mark_fini(w, &w->marks->end);
    free(w->marks);
}

/* ---- what lies between ---- */

span_ps marks_span(const struct world *w) { return max_i64(w->marks->end.at - w->marks->begin.at, 0); }

static span_ps paused_at(const struct world *w, const struct mark *m, uint32_t port, uint32_t class) {
    if (m->is_now) return paused_by(w, port, class, m->at);
    return m->paused ? m->paused[(size_t)port * PAUSE_CLASSES + class] : 0;
}

span_ps marks_paused(const struct world *w, uint32_t port, uint32_t class) {
    if (marks_span(w) == 0) return 0;
    return paused_at(w, &w->marks->end, port, class) - paused_at(w, &w->marks->begin, port, class);
}

static struct port_counts counts_at(const struct world *w, const struct mark *m, uint32_t port) {
    if (m->is_now) return counts_by(w, port, m->at);
    return m->port ? m->port[port] : (struct port_counts){0};
}

struct port_span marks_port(const struct world *w, uint32_t port) {
    struct port_counts before = counts_at(w, &w->marks->begin, port), after = counts_at(w, &w->marks->end, port);
    if (marks_span(w) == 0) return (struct port_span){0};
    struct port_span s = {.sent = after.sent - before.sent,
                          .credits = after.credits - before.credits,
                          .mean_queue_bytes =
                              port_area_mean(&before.area, &after.area, w->marks->begin.at, w->marks->end.at),
                          .blocked = after.blocked - before.blocked};
    for (uint32_t k = 0; k < PAUSE_CLASSES; k++) s.paused += marks_paused(w, port, k);
    return s;
}

int64_t marks_ingress_mean(const struct world *w, uint32_t port) {
    if (marks_span(w) == 0) return 0;
    uint64_t units = area_units(w->marks->end.at) - area_units(w->marks->begin.at);
    uint64_t area = counts_at(w, &w->marks->end, port).ingress - counts_at(w, &w->marks->begin, port).ingress;
    return (int64_t)(area / (units ? units : 1));
}

uint64_t marks_bytes(time_ps from, bool flow_control, uint64_t ports, uint64_t hosts) {
    uint64_t each = ports * (sizeof(struct port_counts) + (flow_control ? PAUSE_CLASSES * sizeof(span_ps) : 0)) +
                    hosts * sizeof(int64_t);
    return from > 0 ? 2 * each : each;
}
