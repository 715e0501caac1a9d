/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/marks.h"

#include "base/memory.h"
#include "node/cioq.h"
#include "sim/observe/collect_credits.h"
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

/* ---- what phases alone need ---- */

static void packets_count(const struct world *w, struct packet_totals *t) {
    const struct fabric *f = w->config->fabric;
    for (uint32_t i = 0; i < w->n_partitions; i++) t->delivered += w->partition[i].delivered;
    for (uint32_t h = 0; h < fabric_n_nics(f); h++)
        if (world_has_port(w, h)) t->sent += w->host[h].created;
    for (uint32_t s = 0; s < f->n_switches; s++)
        if (world_has_node(w, f->n_hosts + s)) t->sent += w->sw[s].created;
    for (uint32_t g = 0; g < w->n_ports; g++) {
        if (!world_has_port(w, g)) continue;
        t->marked += w->extra[g].marked;
        t->dropped += port_dropped_all(&w->port[g], &w->extra[g]);
        for (int c = DROP_NONE + 1; c < DROP_COUNT; c++)
            t->dropped_by[c] += port_dropped(&w->port[g], &w->extra[g], (enum drop_cause)c);
    }
}

static void pauses_count(const struct world *w, struct phase_counts *n) {
    const struct fabric *f = w->config->fabric;
    for (uint32_t s = 0; s < f->n_switches; s++)
        if (world_has_node(w, f->n_hosts + s)) n->pauses_sent += w->sw[s].pauses_made;
    for (uint32_t g = 0; g < w->n_ports; g++) {
        const struct pause_state *s = world_has_port(w, g) ? watchdog_pauses(w, g) : NULL;
        if (s) n->pause_stops += s->n_pauses;
    }
}

static struct phase_counts counts_so_far(const struct world *w) {
    struct phase_counts n = {0};
    for (uint32_t i = 0; i < w->config->flows->n; i++) host_settle(w->receiver[i]); /* their credits */
    packets_count(w, &n.packets);
    credits_count(w, &n.credits);
    pauses_count(w, &n);
    for (uint32_t i = 0; i < w->config->flows->n; i++) {
        struct flow_tally t = tally_of(w->tallies, i);
        n.packets.retransmitted += t.retransmitted_pkts;
        n.timeouts[PHASE_TIMEOUTS_SYN] += t.syn_timeouts;
        n.timeouts[PHASE_TIMEOUTS_SYNACK] += t.synack_timeouts;
        n.timeouts[PHASE_TIMEOUTS_DATA] += t.data_timeouts;
    }
    return n;
}

/* Returns how many maxima there are, and whether the i-th is of this rank. */
static uint32_t n_most(const struct world *w, enum marked_most what) {
    return what == MOST_QUEUED ? w->n_ports : w->config->fabric->n_switches;
}

static bool has_most(const struct world *w, enum marked_most what, uint32_t i) {
    return what == MOST_QUEUED ? world_has_port(w, i) : world_has_node(w, w->config->fabric->n_hosts + i);
}

static int64_t most_restart(const struct world *w, enum marked_most what, uint32_t i, time_ps at) {
    return what == MOST_QUEUED ? port_max_restart(&w->port[i], &w->view[i], &w->extra[i], at)
                               : switch_most_restart(&w->sw[i], at);
}

/* Moves the maxima into the mark. */
static void most_take(const struct world *w, struct mark *m, time_ps at) {
    for (enum marked_most what = 0; what < MARKED_MOST; what++) {
        m->most[what] = memory_map(n_most(w, what), sizeof **m->most, !w->config->group);
        for (uint32_t i = 0; i < n_most(w, what); i++)
            if (has_most(w, what, i)) m->most[what][i] = most_restart(w, what, i, at);
    }
}

/* ---- one mark ---- */

/* Begins a mark with what hosts have received. */
static void mark_begin(const struct world *w, struct mark *m, time_ps at) {
    const struct flow_list *flows = w->config->flows;
    *m = (struct mark){.is_taken = true, .at = at};
    m->received = memory_get(w->config->fabric->n_hosts, sizeof *m->received);
    for (uint32_t i = 0; i < flows->n; i++)
        if (world_has_node(w, flows->flow[i].dst))
            m->received[flows->flow[i].dst] += tally_received_bytes(w->tallies, i);
    if (w->config->measure.n_phases > 0) m->counts = counts_so_far(w);
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
    if (w->config->measure.n_phases > 0) most_take(w, m, at);
}

/* ---- when ---- */

static uint32_t n_edges(const struct world *w) { return 2 * w->config->measure.n_phases; }

static time_ps edge_at(const struct world *w, uint32_t i) {
    const struct measured_phase *p = &w->config->measure.phase[i / 2];
    return i % 2 ? p->to : p->from;
}

void marks_init(struct world *w) {
    w->marks = memory_get(1, sizeof *w->marks);
    w->marks->edge = memory_get(n_edges(w), sizeof *w->marks->edge);
}

time_ps marks_next(const struct world *w, time_ps now) {
    const struct selection *s = &w->config->measure.arrivals;
    time_ps next = TIME_NONE;
    if (s->from > now) next = s->from;
    if (s->until > now) next = min_i64(next, s->until);
    for (uint32_t i = 0; i < n_edges(w); i++)
        if (edge_at(w, i) > now) next = min_i64(next, edge_at(w, i));
    return next;
}

/* Takes the mark at the end of the averages: at measure.until, or at the end of the last flow. */
static void end_step(struct world *w, time_ps now, const struct notice *all) {
    if (w->marks->end.is_taken) return;
    if (all->last != LAST_NO_FLOW && last_flow_is_over(all, now)) {
        assert(now == all->last + 1); /* or the run has passed the end of its last flow */
        mark_take(w, &w->marks->end, all->last);
    } else if (now == w->config->measure.arrivals.until) {
        mark_take(w, &w->marks->end, now);
    }
}

void marks_step(struct world *w, time_ps now, const struct notice *all) {
    time_ps from = w->config->measure.arrivals.from;
    if (from > 0 && now == from) mark_take(w, &w->marks->begin, now);
    for (uint32_t i = 0; i < n_edges(w); i++)
        if (now > 0 && now == edge_at(w, i)) mark_take(w, &w->marks->edge[i], now);
    end_step(w, now, all);
}

void marks_close(struct world *w) {
    if (!w->marks->end.is_taken) {
        mark_begin(w, &w->marks->end, w->now);
        w->marks->end.is_now = true;
    }
    if (w->marks->begin.is_taken) return;
    w->marks->begin = (struct mark){.is_taken = true, .at = max_i64(w->config->measure.arrivals.from, 0)};
}

static void mark_fini(const struct world *w, struct mark *m) {
    bool dense = !w->config->group;
    memory_unmap(m->port, w->n_ports, sizeof *m->port, dense);
    memory_unmap(m->paused, (size_t)w->n_ports * PAUSE_CLASSES, sizeof *m->paused, dense);
    for (enum marked_most what = 0; what < MARKED_MOST; what++)
        memory_unmap(m->most[what], n_most(w, what), sizeof **m->most, dense);
    free(m->received);
}

void marks_fini(struct world *w) {
    mark_fini(w, &w->marks->begin);
    mark_fini(w, &w->marks->end);
    for (uint32_t i = 0; i < n_edges(w); i++) mark_fini(w, &w->marks->edge[i]);
    free(w->marks->edge);
    free(w->marks);
}

/* ---- what lies between ---- */

/* The time between two marks. */
struct stretch {
    const struct mark *begin, *end;
};

static struct stretch all_of(const struct world *w) { return (struct stretch){&w->marks->begin, &w->marks->end}; }

static span_ps span_of(const struct stretch *s) { return max_i64(s->end->at - s->begin->at, 0); }

span_ps marks_span(const struct world *w) {
    struct stretch s = all_of(w);
    return span_of(&s);
}

static span_ps paused_at(const struct world *w, const struct mark *m, uint32_t port, uint32_t class) {
    if (m->is_now) return paused_by(w, port, class, m->at);
    return m->paused ? m->paused[(size_t)port * PAUSE_CLASSES + class] : 0;
}

static span_ps paused_in(const struct world *w, const struct stretch *s, uint32_t port, uint32_t class) {
    if (span_of(s) == 0) return 0;
    return paused_at(w, s->end, port, class) - paused_at(w, s->begin, port, class);
}

span_ps marks_paused(const struct world *w, uint32_t port, uint32_t class) {
    struct stretch s = all_of(w);
    return paused_in(w, &s, port, class);
}

static struct port_counts counts_at(const struct world *w, const struct mark *m, uint32_t port) {
    if (m->is_now) return counts_by(w, port, m->at);
    return m->port ? m->port[port] : (struct port_counts){0};
}

static struct port_span port_in(const struct world *w, const struct stretch *s, uint32_t port) {
    struct port_counts before = counts_at(w, s->begin, port), after = counts_at(w, s->end, port);
    if (span_of(s) == 0) return (struct port_span){0};
    struct port_span between = {.sent = after.sent - before.sent,
                                .credits = after.credits - before.credits,
                                .mean_queue_bytes = port_area_mean(&before.area, &after.area, s->begin->at, s->end->at),
                                .blocked = after.blocked - before.blocked};
    for (uint32_t k = 0; k < PAUSE_CLASSES; k++) between.paused += paused_in(w, s, port, k);
    return between;
}

struct port_span marks_port(const struct world *w, uint32_t port) {
    struct stretch s = all_of(w);
    return port_in(w, &s, port);
}

static int64_t ingress_mean_in(const struct world *w, const struct stretch *s, uint32_t port) {
    if (span_of(s) == 0) return 0;
    uint64_t units = area_units(s->end->at) - area_units(s->begin->at);
    uint64_t area = counts_at(w, s->end, port).ingress - counts_at(w, s->begin, port).ingress;
    return (int64_t)(area / (units ? units : 1));
}

int64_t marks_ingress_mean(const struct world *w, uint32_t port) {
    struct stretch s = all_of(w);
    return ingress_mean_in(w, &s, port);
}

/* ---- maxima ---- */

/* Returns the i-th of all marks. */
static const struct mark *any_mark(const struct world *w, uint32_t i) {
    if (i < n_edges(w)) return &w->marks->edge[i];
    return i == n_edges(w) ? &w->marks->begin : &w->marks->end;
}

/* Returns the maximum since the last mark. */
static int64_t most_now(const struct world *w, enum marked_most what, uint32_t i) {
    return what == MOST_QUEUED ? port_max_queue_bytes(&w->port[i], &w->view[i], &w->extra[i])
                               : w->sw[i].buffer.max_bytes;
}

/* Returns the largest of the maxima that marks after `from` took, up to `to`. */
static int64_t most_of_marks(const struct world *w, time_ps from, time_ps to, enum marked_most what, uint32_t i) {
    int64_t most = 0;
    for (uint32_t k = 0; k < n_edges(w) + 2; k++) {
        const struct mark *m = any_mark(w, k);
        if (m->most[what] && m->at > from && m->at <= to) most = max_i64(most, m->most[what][i]);
    }
    return most;
}

int64_t marks_most(const struct world *w, enum marked_most what, uint32_t i) {
    return max_i64(most_of_marks(w, -1, TIME_NONE, what, i), most_now(w, what, i));
}

/* ---- phases ---- */

/* Returns the mark of an edge; the end of the averages if the edge comes later, or never came. At time 0 all counts are 0. */
static const struct mark *edge_mark(const struct world *w, uint32_t i) {
    static const struct mark start = {.is_taken = true};
    const struct mark *m = &w->marks->edge[i];
    if (edge_at(w, i) <= 0) return &start;
    return m->is_taken && m->at < w->marks->end.at ? m : &w->marks->end;
}

static struct stretch phase_of(const struct world *w, uint32_t phase) {
    return (struct stretch){edge_mark(w, 2 * phase), edge_mark(w, 2 * phase + 1)};
}

struct averaged marks_phase(const struct world *w, uint32_t phase) {
    struct stretch s = phase_of(w, phase);
    return (struct averaged){edge_at(w, 2 * phase), s.end->at};
}

struct port_span marks_phase_port(const struct world *w, uint32_t phase, uint32_t port) {
    struct stretch s = phase_of(w, phase);
    return port_in(w, &s, port);
}

int64_t marks_phase_ingress_mean(const struct world *w, uint32_t phase, uint32_t port) {
    struct stretch s = phase_of(w, phase);
    return ingress_mean_in(w, &s, port);
}

static int64_t received_at(const struct mark *m, uint32_t host) { return m->received ? m->received[host] : 0; }

int64_t marks_phase_received(const struct world *w, uint32_t phase, uint32_t host) {
    struct stretch s = phase_of(w, phase);
    return received_at(s.end, host) - received_at(s.begin, host);
}

struct phase_counts marks_phase_counts(const struct world *w, uint32_t phase) {
    struct stretch s = phase_of(w, phase);
    struct phase_counts n = s.end->counts;
    uint64_t *word = (uint64_t *)&n;
    const uint64_t *before = (const uint64_t *)&s.begin->counts;
    if (span_of(&s) == 0) return (struct phase_counts){0};
    for (size_t i = 0; i < sizeof n / sizeof *word; i++) word[i] -= before[i];
    return n;
}

int64_t marks_phase_most(const struct world *w, uint32_t phase, enum marked_most what, uint32_t i) {
    struct stretch s = phase_of(w, phase);
    if (span_of(&s) == 0 || !has_most(w, what, i)) return 0;
    int64_t most = most_of_marks(w, s.begin->at, s.end->at, what, i);
    return s.end->is_now ? max_i64(most, most_now(w, what, i)) : most;
}

uint64_t marks_bytes(const struct measure_config *m, bool flow_control, const struct fabric *f, uint64_t ports) {
    uint64_t each = ports * (sizeof(struct port_counts) + (flow_control ? PAUSE_CLASSES * sizeof(span_ps) : 0)) +
                    f->n_hosts * sizeof(int64_t);
    if (m->n_phases > 0) each += (ports + f->n_switches) * sizeof(int64_t);
    return each * (1 + (m->arrivals.from > 0) + 2 * (uint64_t)m->n_phases);
}
