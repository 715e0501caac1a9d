/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/collect.h"

#include "base/memory.h"
#include "measure/flows.h"
#include "measure/goodput.h"
#include "measure/jobs.h"
#include "measure/open_flows.h"
#include "measure/queries.h"
#include "measure/run_counters.h"
#include "measure/timeline.h"
#include "node/cioq.h"
#include "sim/observe/audit.h"
#include "sim/observe/collect_credits.h"
#include "sim/observe/collect_ports.h"
#include "sim/observe/flow_bound.h"
#include "sim/observe/last_flow.h"
#include "sim/observe/marks.h"
#include "sim/observe/observer.h"
#include "sim/observe/rates.h"
#include "sim/observe/sampling.h"
#include "sim/observe/summarise.h"
#include "sim/observe/watchdog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void fail(struct run_result *r, const char *text) {
    if (!r->failure[0]) snprintf(r->failure, sizeof r->failure, "%s", text);
}

/* ---- conservation: sent = delivered + dropped + in flight; the last is counted by walking ---- */

static uint64_t partition_in_flight(const struct partition *part) {
    uint64_t n = flights_count(&part->flights);
    for (uint32_t i = 0; i < part->n_nodes; i++) {
        const struct sim_node *node = &part->nodes[i];
        if (node->is_host) {
            for (const struct host *h = node->host; h < node->host + node->host->nics; h++)
                n += port_queue_length(h->extra, &part->pool) + host_delayed(h);
            continue;
        }
        for (uint16_t p = 0; p < node->sw->n_ports; p++) n += port_queue_length(&node->sw->extra[p], &part->pool);
        if (node->sw->cioq) n += cioq_length(node->sw->cioq, &part->pool);
    }
    return n - credits_under_way(part) - pauses_on_links(part);
}

static void collect_packets(struct world *w, struct run_result *r) {
    struct packet_totals *t = &r->packets;
    for (uint32_t i = 0; i < w->n_partitions; i++) {
        const struct partition *part = &w->partition[i];
        t->delivered += part->delivered;
        t->dropped += part->dropped;
        t->in_flight += partition_in_flight(part);
        r->engine.packet_hops += part->hops;
        r->engine.digest += part->digest;
    }
    const struct fabric *f = w->config->fabric;
    for (uint32_t h = 0; h < fabric_n_nics(f); h++)
        if (world_has_port(w, h)) t->sent += w->host[h].created;
    for (uint32_t s = 0; s < f->n_switches; s++)
        if (world_has_node(w, f->n_hosts + s)) t->sent += w->sw[s].created;
    for (uint32_t g = 0; g < w->n_ports; g++) {
        if (!world_has_port(w, g)) continue;
        t->marked += w->extra[g].marked;
        for (int c = 1; c < DROP_COUNT; c++)
            t->dropped_by[c] += port_dropped(&w->port[g], &w->extra[g], (enum drop_cause)c);
    }
    for (uint32_t i = 0; i < w->config->flows->n; i++) {
        struct flow_tally flow = tally_of(w->tallies, i);
        t->reordered += flow.reordered_pkts;
        t->retransmitted += flow.retransmitted_pkts;
    }
    char text[256];
    collect_credits(w, r);
    if (w->audit.sent && !audit_check(w, text, sizeof text)) fail(r, text);
    if (!audit_books(w, text, sizeof text)) fail(r, text);
}

static void packets_check(const struct packet_totals *t, struct run_result *r) {
    uint64_t by_cause = 0;
    for (int c = 1; c < DROP_COUNT; c++) by_cause += t->dropped_by[c];
    if (t->sent != t->delivered + t->dropped + t->in_flight || by_cause != t->dropped) {
        char text[256];
        snprintf(text, sizeof text,
                 "conservation is broken: sent %llu, delivered %llu, dropped %llu (by cause %llu), in flight %llu",
                 (unsigned long long)t->sent, (unsigned long long)t->delivered, (unsigned long long)t->dropped,
                 (unsigned long long)by_cause, (unsigned long long)t->in_flight);
        fail(r, text);
    }
}

/* Conservation over all nodes of the run. */
static void collect_balance(const struct pause_frames *pauses, struct run_result *r) {
    char text[256];
    packets_check(&r->packets, r);
    if (!credits_balance(r, text, sizeof text)) fail(r, text);
    if (!pauses_conclude(pauses, r, text, sizeof text)) fail(r, text);
}

/* ---- counters of mechanisms ---- */

static struct named_count *counter_at(struct run_result *r, const char *name) {
    for (size_t i = 0; i < r->n_counters; i++) {
        if (strcmp(r->counter[i].name, name) == 0) return &r->counter[i];
    }
    r->counter = memory_grow(r->counter, r->n_counters + 1, sizeof *r->counter);
    r->counter[r->n_counters] = (struct named_count){name, 0};
    return &r->counter[r->n_counters++];
}

static void counter_add(struct run_result *r, const char *name, uint64_t value) { counter_at(r, name)->value += value; }

static void mechanism_counter_add(struct run_result *r, const struct counter *c, uint64_t value) {
    struct named_count *all = counter_at(r, c->name);
    if (!c->is_most)
        all->value += value;
    else if (value > all->value)
        all->value = value;
}

/* Adds up the bins of a transport that counts data frames by their out-of-order degree. */
static void collect_degrees(const struct world *w, uint32_t transport, struct run_result *r) {
    const struct transport_base *base = w->config->hosts.transport[transport]->base;
    for (uint32_t p = w->first; base->counts_degrees && p < w->first + w->here; p++)
        for (uint32_t bin = 0; bin < DEGREE_BINS; bin++)
            r->degree_frames[bin] += w->partition[p].shared.counters[transport][base->degree_counter + bin];
}

static void collect_counters(struct world *w, struct run_result *r) {
    const struct balancer_ops *b = w->config->switches.balance;
    uint64_t n[RUN_TIMELINE_LEFT_OUT] = {0};
    for (uint32_t i = 0; i < w->config->flows->n; i++) {
        struct flow_tally t = tally_of(w->tallies, i);
        n[RUN_TIMEOUTS_SYN] += t.syn_timeouts;
        n[RUN_TIMEOUTS_SYNACK] += t.synack_timeouts;
        n[RUN_TIMEOUTS_DATA] += t.data_timeouts;
        n[RUN_TIMEOUTS_SPURIOUS] += t.spurious_timeouts + t.synack_spurious;
        n[RUN_FAST_RECOVERIES] += t.fast_recoveries;
        n[RUN_DUPLICATES_RECEIVED] += t.duplicate_pkts;
        n[RUN_CE_RECEIVED] += t.marked_pkts;
    }
    const struct fabric *f = w->config->fabric;
    for (uint32_t h = 0; h < fabric_n_nics(f); h++)
        if (world_has_port(w, h)) n[RUN_FRAMES_AFTER_END] += w->host[h].unclaimed;
    for (unsigned i = 0; i < RUN_TIMELINE_LEFT_OUT; i++) counter_add(r, run_counters[i].name, n[i]);
    for (size_t i = 0; i < b->n_counters; i++) {
        for (uint32_t s = 0; s < f->n_switches; s++) {
            bool counts = world_has_node(w, f->n_hosts + s) && w->sw[s].counters;
            mechanism_counter_add(r, &b->counters[i], counts ? w->sw[s].counters[i] : 0);
        }
    }
    for (uint32_t t = 0; t < w->config->hosts.n_transports; t++) {
        const struct transport_ops *ops = w->config->hosts.transport[t];
        for (size_t i = 0; i < transport_n_counters(ops); i++)
            for (uint32_t p = w->first; p < w->first + w->here; p++)
                mechanism_counter_add(r, transport_counter(ops, i), w->partition[p].shared.counters[t][i]);
        collect_degrees(w, t, r);
    }
}

/* ---- timelines ---- */

/* Closes the observers of this rank; returns a timeline per partition. */
static struct timeline *observers_close(struct world *w, struct run_result *r) {
    struct timeline *lines = memory_get(w->n_partitions, sizeof *lines);
    for (uint32_t i = 0; i < w->n_partitions; i++) {
        struct diag d = {0};
        timeline_init(&lines[i], 0);
        if (w->partition[i].observer && !observer_finish(&w->partition[i], &lines[i], &d)) fail(r, d.text);
    }
    return lines;
}

static void timelines_merge(struct world *w, struct timeline *lines, struct run_result *r) {
    uint64_t left_out = timeline_merge(lines, w->n_partitions, r);
    if (left_out) counter_add(r, run_counters[RUN_TIMELINE_LEFT_OUT].name, left_out);
}

/* ---- memory ---- */

static void collect_memory(struct world *w, struct run_result *r) {
    struct memory_totals *m = &r->memory;
    const struct fabric *f = w->config->fabric;
    uint64_t peak = 0, connections = 0;
    for (uint32_t i = w->first; i < w->first + w->here; i++) {
        const struct partition *part = &w->partition[i];
        m->packets_bytes += packet_pool_bytes(&part->pool) + flights_frames_bytes(&part->flights);
        peak += part->pool.peak;
        m->rings_bytes += wheel_bytes(&part->wheel) + flights_bytes(&part->flights);
        for (uint32_t t = 0; t < w->config->hosts.n_transports; t++)
            connections += cell_pool_bytes(&part->shared.ends[2 * t]) + cell_pool_bytes(&part->shared.ends[2 * t + 1]) +
                           cell_pool_bytes(&part->shared.cells[t]);
    }
    for (uint32_t g = 0; g < w->n_ports; g++)
        if (world_has_port(w, g)) m->rings_bytes += sizeof *w->hop;
    m->fabric_bytes = fabric_memory_bytes(f);
    for (uint32_t s = 0; s < f->n_switches; s++)
        if (world_has_node(w, f->n_hosts + s)) m->switches_bytes += switch_memory_bytes(&w->sw[s]);
    for (uint32_t h = 0; h < fabric_n_nics(f); h++) {
        if (!world_has_port(w, h)) continue;
        const struct host *host = &w->host[h];
        m->hosts_bytes += sizeof *host + sizeof *host->port + sizeof *host->view + sizeof *host->extra +
                          deadlines_bytes(&host->deadlines);
        if (host->credits) m->hosts_bytes += credit_nic_bytes(host->credits);
    }
    m->flows_bytes = connections + tallies_bytes(&w->tallies) +
                     w->config->flows->n * (sizeof(struct flow) + 2 * sizeof(struct connection *) + sizeof(uint32_t) +
                                            (w->chain ? 2 * sizeof *w->chain : 0));
    m->total_bytes =
        m->packets_bytes + m->rings_bytes + m->fabric_bytes + m->switches_bytes + m->hosts_bytes + m->flows_bytes;
    m->bytes_per_packet = peak ? m->packets_bytes / peak : 0;
}

/* Ratios of the bytes of all ranks. That of frames is the leader's own. */
static void memory_conclude(const struct world *w, struct memory_totals *m) {
    const struct fabric *f = w->config->fabric;
    m->bytes_per_host = f->n_hosts ? m->hosts_bytes / f->n_hosts : 0;
    m->bytes_per_port = w->n_ports ? (m->switches_bytes + m->rings_bytes) / w->n_ports : 0;
    m->bytes_per_flow = w->config->flows->n ? m->flows_bytes / w->config->flows->n : 0;
}

static void collect_engine(struct world *w, struct run_result *r) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    r->engine.rss_bytes = (uint64_t)usage.ru_maxrss * 1024;
    r->engine.sim_ps = w->now;
}

/* Closes the ends that are still open; they give back their cells. A pool that is not whole afterwards is a leak of the
 * transport. */
static void close_end(struct world *w, uint32_t host, struct connection *c) {
    if (c) host_close(host_nic_of(world_host(w, host), c), c);
}

static void close_ends(struct world *w, struct run_result *r) {
    char text[256];
    for (uint32_t f = 0; f < w->config->flows->n; f++) {
        close_end(w, w->config->flows->flow[f].src, w->sender[f]);
        close_end(w, w->config->flows->flow[f].dst, w->receiver[f]);
    }
    if (!audit_ends(w, text, sizeof text)) fail(r, text);
}

/* ---- flows and queries ---- */

/* Returns the facts of all flows; the caller frees them. */
static struct flow_facts *flow_facts_of(const struct flow_list *flows, struct tallies tally) {
    struct flow_facts *facts = memory_get(flows->n, sizeof *facts);
    for (uint32_t i = 0; i < flows->n; i++)
        facts[i] = (struct flow_facts){.start = tally_started_at(tally, i),
                                       .bytes = flows->flow[i].bytes,
                                       .background = !flow_is_awaited(&flows->flow[i]),
                                       .once = flows->flow[i].flags & FLOW_ONCE,
                                       .entry = flows->flow[i].entry};
    return facts;
}

/* Fills r->entry: the flows that count of each entry with a name. */
static void collect_entries(const struct world_config *config, const struct flow_facts *facts,
                            const struct flow_selection *chosen, time_ps end, struct run_result *r) {
    const struct measure_config *m = &config->measure;
    struct tallies tallies = result_tallies(r, config->flows->flow);
    r->entry = memory_get(m->n_entries, sizeof *r->entry);
    for (uint32_t i = 0; i < m->n_entries; i++) {
        struct flow_selection own = *chosen;
        if (!m->entry_name || !m->entry_name[i]) continue;
        own.entries = i + 1;
        struct entry_total *t = &r->entry[r->n_entries++];
        snprintf(t->name, sizeof t->name, "%s", m->entry_name[i]);
        flows_summarise_part(facts, tallies, r->bound_ps, config->flows->n, &own, end, &t->flows);
    }
}

static void collect_flows(const struct world_config *config, const struct flow_facts *facts, time_ps end,
                          struct run_result *r) {
    const struct flow_list *flows = config->flows;
    const struct measure_config *m = &config->measure;
    r->n_flows = flows->n;
    r->bound_ps = memory_get(flows->n, sizeof *r->bound_ps);
    for (uint32_t i = 0; i < flows->n; i++) r->bound_ps[i] = world_flow_bound(config, &flows->flow[i]);
    struct flow_selection chosen = {.arrivals = m->arrivals, .sizes = m->sizes};
    struct tallies tallies = result_tallies(r, flows->flow);
    uint32_t *place = flow_places(tallies, flows->n, &chosen.n_places);
    chosen.place = place;
    /* the end of the last flow, which is not the end of the averages where measure.until comes first */
    time_ps last = m->arrivals.until == TIME_NONE ? r->averaged.to : end;
    flows_summarise(facts, tallies, r->bound_ps, flows->n, &chosen, end, r);
    r->counts = flows_count_transport(facts, tallies, flows->n, &chosen);
    goodput_summarise(flows->flow, tallies, flows->n, &chosen, last, r->goodput);
    open_flows_measure(facts, tallies, flows->n, &chosen, last, &r->open);
    if (open_flows_climb(&r->open))
        flows_summarise_halves(facts, tallies, r->bound_ps, flows->n, &chosen, &r->open, end, r->half);
    collect_entries(config, facts, &chosen, end, r);
    free(place);
}

static void collect_queries(const struct measure_config *m, const struct query_log *queries, struct run_result *r) {
    const struct query_selection chosen = {m->arrivals, m->query_classes},
                                 of[2] = {{selection_first_half(&m->arrivals, &r->open), m->query_classes},
                                          {selection_second_half(&m->arrivals, &r->open), m->query_classes}};
    queries_summarise(queries, &chosen, &r->queries);
    if (!open_flows_climb(&r->open)) return;
    struct query_totals *totals = memory_get(1, sizeof *totals);
    for (int i = 0; i < 2 && queries->n > 0; i++) {
        queries_summarise(queries, &of[i], totals);
        r->half[i].queries = totals->times;
    }
    free(totals);
}

static void collect_jobs(const struct world_config *config, struct run_result *r) {
    const struct flow_list *flows = config->flows;
    uint64_t *wire = memory_get(flows->n, sizeof *wire);
    for (uint32_t i = 0; flows->n_jobs && i < flows->n; i++) wire[i] = world_flow_wire_bytes(config, &flows->flow[i]);
    const struct job_log log = {.job = flows->job,
                                .n = flows->n_jobs,
                                .flow = flows->flow,
                                .tally = result_tallies(r, flows->flow),
                                .bound_ps = r->bound_ps,
                                .wire_bytes = wire,
                                .n_flows = flows->n,
                                .gates = &flows->gates,
                                .host_bps = config->fabric->population.nics_bps,
                                .n_hosts = config->fabric->n_hosts,
                                .entry_name = config->measure.entry_name};
    jobs_summarise(&log, r);
    free(wire);
}

void world_summarise(const struct world_config *config, time_ps end, struct run_result *r) {
    const struct flow_list *flows = config->flows;
    const struct measure_config *m = &config->measure;
    const struct query_log queries = {flows->query, flows->n_queries, flows->flow, result_tallies(r, flows->flow)};
    struct flow_facts *facts = flow_facts_of(flows, queries.tally);
    collect_flows(config, facts, end, r);
    collect_queries(m, &queries, r);
    phases_summarise(config, facts, &queries, end, r);
    free(facts);
    collect_jobs(config, r);
}

/* Brings tallies up to date with the counts that ends keep until they close. */
static void settle_ends(struct world *w) {
    for (uint32_t f = 0; f < w->config->flows->n; f++) {
        host_settle(w->sender[f]);
        host_settle(w->receiver[f]);
    }
}

void collect_begin(struct world *w, struct collected *c, struct run_result *r) {
    *c = (struct collected){0};
    marks_close(w);
    settle_ends(w);
    collect_packets(w, r);
    collect_ports(w, r);
    collect_buffers(w, r);
    collect_pauses(w, &c->pauses, r);
    phase_sums_collect(w, &c->phases);
    watchdog_collect(w, r);
    collect_counters(w, r);
    collect_memory(w, r);
    collect_engine(w, r);
    if (w->stuck) stuck_find(w, &c->stuck);
    if (w->stuck && !w->config->group) stuck_describe(w, r, &c->stuck, r->failure, sizeof r->failure);
    close_ends(w, r);
    c->line = observers_close(w, r);
}

/* Frees what hosts need of flows while they run: results need memory too, and no node acts any more. */
static void running_free(struct world *w) {
    gate_state_fini(&w->gate_state);
    line_state_fini(&w->line_state);
    last_flow_fini(w);
    uint32_t **const numbers[] = {&w->flows_by_host, &w->cut, &w->gated};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        free(*numbers[i]);
        *numbers[i] = NULL;
    }
    free(w->sender);
    free(w->receiver);
    w->sender = w->receiver = NULL;
}

bool collect_end(struct world *w, struct collected *c, struct run_result *r) {
    collect_balance(&c->pauses, r);
    memory_conclude(w, &r->memory);
    if (w->stuck && w->config->group) stuck_describe(w, r, &c->stuck, r->failure, sizeof r->failure);
    world_summarise_ports(w->config, r);
    sampling_collect(w, &w->rates->samples, r);
    timelines_merge(w, c->line, r);
    rates_collect(w, r);
    tallies_pack(&w->tallies);
    r->n_flows = w->config->flows->n;
    r->tally = w->tallies.all;
    r->tally_block = w->tallies.block;
    w->tallies = (struct tallies){0};
    running_free(w);
    r->averaged = (struct averaged){w->marks->begin.at, w->marks->end.at};
    world_summarise(w->config, w->now, r);
    phases_conclude(w, &c->phases, r);
    return !r->failure[0];
}

void collected_free(const struct world *w, struct collected *c) {
    for (uint32_t i = 0; i < w->n_partitions; i++) timeline_fini(&c->line[i]);
    free(c->line);
    phase_sums_free(&c->phases);
}
