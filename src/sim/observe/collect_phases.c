/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/collect_phases.h"

#include "base/memory.h"
#include "sim/observe/collect_ports.h"
#include "sim/observe/marks.h"
#include "sim/observe/rates.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- what nodes counted ---- */

static uint32_t n_phases(const struct world *w) { return w->config->measure.n_phases; }

static void ports_of_phase(const struct world *w, uint32_t phase, struct port_total *port) {
    struct averaged time = marks_phase(w, phase);
    for (uint32_t g = 0; g < w->n_ports; g++) {
        if (!world_has_port(w, g)) continue;
        struct port_span span = marks_phase_port(w, phase, g);
        port_total_average(&port[g], &span, w->config->fabric->paths.port[g].rate_bps, max_i64(time.to - time.from, 0));
        port[g].dropped = span.dropped;
    }
}

void phase_sums_collect(const struct world *w, struct phase_sums *s) {
    size_t n = n_phases(w), hosts = w->config->fabric->n_hosts;
    *s = (struct phase_sums){.port = memory_get(n * w->n_ports, sizeof *s->port),
                             .received = memory_get(n * hosts, sizeof *s->received),
                             .port_bytes = n * w->n_ports * sizeof *s->port,
                             .received_bytes = n * hosts * sizeof *s->received};
    for (uint32_t i = 0; i < n; i++) {
        ports_of_phase(w, i, s->port + (size_t)i * w->n_ports);
        for (uint32_t h = 0; h < hosts; h++) s->received[i * hosts + h] = marks_phase_received(w, i, h);
    }
}

void phase_sums_free(struct phase_sums *s) {
    free(s->port);
    free(s->received);
}

/* ---- flows and queries ---- */

static struct selection starts_in(const struct measured_phase *p) {
    return (struct selection){.from = p->from, .until = p->to, .starts_to_ppb = PPB};
}

static void phase_summarise(const struct world_config *config, const struct measured_phase *p,
                            const struct flow_facts *facts, const struct query_log *queries, time_ps end,
                            const struct run_result *r, struct phase_total *t) {
    const struct flow_selection flows = {.arrivals = starts_in(p), .sizes = config->measure.sizes};
    const struct query_selection asked = {.arrivals = starts_in(p), .classes = config->measure.query_classes};
    struct query_totals *totals = memory_get(1, sizeof *totals);
    snprintf(t->name, sizeof t->name, "%s", p->name);
    t->from = p->from;
    t->to = min_i64(p->to, max_i64(p->from, r->averaged.to));
    flows_summarise_part(facts, r->tally, r->bound_ps, config->flows->n, &flows, end, &t->flows);
    queries_summarise(queries, &asked, totals);
    t->queries = totals->times;
    free(totals);
}

void phases_summarise(const struct world_config *config, const struct flow_facts *facts,
                      const struct query_log *queries, time_ps end, struct run_result *r) {
    const struct measure_config *m = &config->measure;
    r->n_phases = m->n_phases;
    r->phase = memory_get(m->n_phases, sizeof *r->phase);
    for (uint32_t i = 0; i < m->n_phases; i++)
        phase_summarise(config, &m->phase[i], facts, queries, end, r, &r->phase[i]);
}

/* ---- averages ---- */

void phases_conclude(const struct world *w, const struct phase_sums *s, struct run_result *r) {
    for (uint32_t i = 0; i < n_phases(w); i++) {
        struct phase_total *t = &r->phase[i];
        const struct port_total *port = s->port + (size_t)i * w->n_ports;
        links_average(w->config, port, w->n_ports, t->link);
        t->queue_mean_bytes = queues_average(w->config->fabric, port, w->n_ports);
        for (uint32_t g = 0; g < w->n_ports; g++) {
            t->dropped += port[g].dropped;
            t->paused += port[g].paused;
        }
        struct averaged time = {t->from, t->to};
        const int64_t *received = s->received + (size_t)i * w->config->fabric->n_hosts;
        t->host_goodput_bps = hosts_goodput(w, r->tally, &time, received, NULL);
    }
}
