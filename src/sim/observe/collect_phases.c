/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/collect_phases.h"

#include "base/memory.h"
#include "sim/observe/collect_ports.h"
#include "sim/observe/marks.h"
#include "sim/observe/rates.h"
#include "sim/observe/sampling.h"

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
        port[g].max_queue_bytes = marks_phase_most(w, phase, MOST_QUEUED, g);
    }
}

/* As buffer_of of sim/observe/collect_ports.c: a sum is at least the largest queue. */
static struct buffer_total buffer_of_phase(const struct world *w, uint32_t phase, uint32_t s,
                                           const struct port_total *port) {
    const struct fabric *f = w->config->fabric;
    struct buffer_total t = {.max_bytes = marks_phase_most(w, phase, MOST_HELD, s)};
    uint32_t first = f->paths.first_port[f->n_hosts + s];
    for (uint32_t g = first; g < first + w->sw[s].n_ports; g++) {
        t.mean_bytes += port[g].mean_queue_bytes + marks_phase_ingress_mean(w, phase, g);
        t.max_bytes = max_i64(t.max_bytes, port[g].max_queue_bytes);
    }
    return t;
}

static void buffers_of_phase(const struct world *w, uint32_t phase, const struct port_total *port,
                             struct buffer_total *buffer) {
    const struct fabric *f = w->config->fabric;
    for (uint32_t s = 0; s < f->n_switches; s++)
        if (world_has_node(w, f->n_hosts + s)) buffer[s] = buffer_of_phase(w, phase, s, port);
}

void phase_sums_collect(const struct world *w, struct phase_sums *s) {
    size_t n = n_phases(w), hosts = w->config->fabric->n_hosts, switches = w->config->fabric->n_switches;
    *s = (struct phase_sums){.port = memory_get(n * w->n_ports, sizeof *s->port),
                             .buffer = memory_get(n * switches, sizeof *s->buffer),
                             .counts = memory_get(n, sizeof *s->counts),
                             .received = memory_get(n * hosts, sizeof *s->received),
                             .port_bytes = n * w->n_ports * sizeof *s->port,
                             .buffer_bytes = n * switches * sizeof *s->buffer,
                             .counts_bytes = n * sizeof *s->counts,
                             .received_bytes = n * hosts * sizeof *s->received};
    for (uint32_t i = 0; i < n; i++) {
        struct port_total *port = s->port + (size_t)i * w->n_ports;
        ports_of_phase(w, i, port);
        buffers_of_phase(w, i, port, s->buffer + i * switches);
        s->counts[i] = marks_phase_counts(w, i);
        for (uint32_t h = 0; h < hosts; h++) s->received[i * hosts + h] = marks_phase_received(w, i, h);
    }
}

void phase_sums_free(struct phase_sums *s) {
    free(s->port);
    free(s->buffer);
    free(s->counts);
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
    snprintf(t->name, sizeof t->name, "%s", p->name);
    t->from = p->from;
    t->to = min_i64(p->to, max_i64(p->from, r->averaged.to));
    flows_summarise_part(facts, result_tallies(r, config->flows->flow), r->bound_ps, config->flows->n, &flows, end,
                         &t->flows);
    queries_summarise(queries, &asked, &t->queries);
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

static void ports_conclude(const struct world *w, const struct port_total *port, struct phase_total *t) {
    struct queue_use all = queues_by_place(w->config->fabric, port, w->n_ports, t->queue);
    links_average(w->config, port, w->n_ports, t->link);
    t->watched = watched_average(w->config, port);
    t->queue_mean_bytes = all.mean_bytes;
    t->queue_max_bytes = all.max_bytes;
    for (uint32_t g = 0; g < w->n_ports; g++) {
        t->paused += port[g].paused;
        t->blocked += port[g].blocked;
    }
}

static void buffers_conclude(const struct buffer_total *buffer, uint32_t n, struct phase_total *t) {
    for (uint32_t s = 0; s < n; s++) {
        t->buffer.mean_bytes += buffer[s].mean_bytes;
        t->buffer.max_bytes = max_i64(t->buffer.max_bytes, buffer[s].max_bytes);
    }
    if (n) t->buffer.mean_bytes /= n;
}

void phases_conclude(const struct world *w, const struct phase_sums *s, struct run_result *r) {
    const struct fabric *f = w->config->fabric;
    for (uint32_t i = 0; i < n_phases(w); i++) {
        struct phase_total *t = &r->phase[i];
        ports_conclude(w, s->port + (size_t)i * w->n_ports, t);
        buffers_conclude(s->buffer + (size_t)i * f->n_switches, f->n_switches, t);
        t->counts = s->counts[i];
        struct averaged time = {t->from, t->to};
        const int64_t *received = s->received + (size_t)i * f->n_hosts;
        t->host_goodput_bps =
            hosts_goodput(w, result_tallies(r, w->config->flows->flow), &time, received, &t->host_goodput_jain_ppm);
    }
    rates_collect_phases(w, r);
    sampling_collect_phases(w, r);
}
