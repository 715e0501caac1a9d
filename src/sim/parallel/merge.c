/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/parallel/merge.h"

#include "base/memory.h"
#include "ranks/group.h"
#include "sim/parallel/division.h"

#include <stdlib.h>
#include <string.h>

static const struct ranks_group *group_of(const struct world *w) { return w->config->group; }

/* ---- lists of any length ---- */

static void list_send(const struct world *w, const void *list, size_t n, size_t size) {
    uint64_t length = n;
    ranks_group_send(group_of(w), 0, &length, sizeof length);
    ranks_group_send(group_of(w), 0, list, n * size);
}

/* Receives a list into memory of its own; NULL if it is empty. */
static void *list_receive(const struct world *w, uint32_t from, size_t *n, size_t size) {
    uint64_t length;
    ranks_group_receive(group_of(w), from, &length, sizeof length);
    *n = (size_t)length;
    void *list = length ? memory_get(length, size) : NULL;
    ranks_group_receive(group_of(w), from, list, length * size);
    return list;
}

/* Receives as many words as the array has, and adds each to its own. */
static void words_add(const struct world *w, uint32_t from, void *array, size_t bytes) {
    size_t n;
    uint64_t *theirs = list_receive(w, from, &n, sizeof *theirs), *ours = array;
    for (size_t i = 0; i < n && i < bytes / sizeof *ours; i++) ours[i] += theirs[i];
    free(theirs);
}

static void words_send(const struct world *w, const void *array, size_t bytes) {
    list_send(w, array, bytes / sizeof(uint64_t), sizeof(uint64_t));
}

/* ---- tallies ---- */

/* Every field of a tally is known to one rank, that of the flow's source or of its destination. Sets the fields that
 * other ranks know to 0, so that the sum over the ranks is the field. */
static void tallies_own(struct world *w) {
    for (uint32_t f = 0; f < w->config->flows->n; f++) {
        struct flow_tally *t = &w->tallies.all[f];
        if (!world_has_node(w, w->config->flows->flow[f].dst)) t->finished_at = t->received_bytes = 0;
        if (!world_has_node(w, w->config->flows->flow[f].src)) t->started_at = t->first_data_at = t->acked_at = 0;
    }
}

/* ---- totals ---- */

#define ADD(field) ours->field += theirs->field

static void packets_add(struct packet_totals *ours, const struct packet_totals *theirs) {
    ADD(sent), ADD(delivered), ADD(dropped), ADD(marked), ADD(reordered), ADD(retransmitted), ADD(in_flight);
    for (int c = 0; c < DROP_COUNT; c++) ADD(dropped_by[c]);
}

static void credits_add(struct credit_totals *ours, const struct credit_totals *theirs) {
    ADD(sent), ADD(used), ADD(wasted), ADD(voided), ADD(dropped), ADD(in_flight);
}

static void pauses_add(struct pause_totals *ours, const struct pause_totals *theirs) {
    ADD(sent), ADD(stops), ADD(watchdog_found), ADD(watchdog_ended), ADD(paused), ADD(blocked), ADD(ingress_mean_sum),
        ADD(n_ingress);
    for (int c = 0; c < 8; c++) ADD(paused_by[c]);
    ours->ingress_max_bytes = max_i64(ours->ingress_max_bytes, theirs->ingress_max_bytes);
}

static void memory_add(struct memory_totals *ours, const struct memory_totals *theirs) {
    ADD(total_bytes), ADD(fabric_bytes), ADD(packets_bytes), ADD(rings_bytes), ADD(hosts_bytes), ADD(switches_bytes);
    ADD(flows_bytes);
}

static void totals_add(struct run_result *ours, const struct run_result *theirs) {
    packets_add(&ours->packets, &theirs->packets);
    credits_add(&ours->credits, &theirs->credits);
    pauses_add(&ours->pauses, &theirs->pauses);
    memory_add(&ours->memory, &theirs->memory);
    ADD(engine.packet_hops), ADD(engine.digest), ADD(engine.rss_bytes);
    ADD(engine.traffic.messages), ADD(engine.traffic.ahead), ADD(engine.traffic.frames), ADD(engine.traffic.bytes),
        ADD(engine.traffic.computing_ns);
    if (theirs->engine.traffic.busiest_ns > ours->engine.traffic.busiest_ns)
        ours->engine.traffic.busiest_ns = theirs->engine.traffic.busiest_ns;
    for (int i = 0; i < DEGREE_BINS; i++) ADD(degree_frames[i]);
    if (!ours->failure[0]) memcpy(ours->failure, theirs->failure, sizeof ours->failure);
}

/* Returns whether a counter is the most of any node rather than a sum. */
static bool counter_is_most(const struct world *w, const char *name) {
    const struct balancer_ops *b = w->config->switches.balance;
    for (size_t i = 0; i < b->n_counters; i++)
        if (strcmp(b->counters[i].name, name) == 0) return b->counters[i].is_most;
    for (uint32_t t = 0; t < w->config->hosts.n_transports; t++) {
        const struct transport_ops *ops = w->config->hosts.transport[t];
        for (size_t i = 0; i < transport_n_counters(ops); i++)
            if (strcmp(transport_counter(ops, i)->name, name) == 0) return transport_counter(ops, i)->is_most;
    }
    return false;
}

/* All ranks have the same counters in the same order. */
static void counters_take(const struct world *w, uint32_t from, struct run_result *r) {
    size_t n;
    struct named_count *theirs = list_receive(w, from, &n, sizeof *theirs);
    for (size_t i = 0; i < n && i < r->n_counters; i++) {
        struct named_count *c = &r->counter[i];
        if (!counter_is_most(w, c->name))
            c->value += theirs[i].value;
        else if (theirs[i].value > c->value)
            c->value = theirs[i].value;
    }
    free(theirs);
}

static int pause_compare(const void *a, const void *b) {
    const struct pause_total *x = a, *y = b;
    if (x->port != y->port) return x->port < y->port ? -1 : 1;
    return (x->class > y->class) - (x->class < y->class);
}

static void pause_rows_take(const struct world *w, uint32_t from, struct run_result *r) {
    size_t n;
    struct pause_total *theirs = list_receive(w, from, &n, sizeof *theirs);
    if (n) {
        r->pause = memory_grow(r->pause, r->n_pauses + n, sizeof *r->pause);
        memcpy(r->pause + r->n_pauses, theirs, n * sizeof *theirs);
        r->n_pauses += n;
        qsort(r->pause, r->n_pauses, sizeof *r->pause, pause_compare);
    }
    free(theirs);
}

/* ---- what partitions recorded ---- */

static void samples_send(const struct world *w, const struct samples *s) {
    ranks_group_send(group_of(w), 0, &s->stride, sizeof s->stride);
    list_send(w, s->sample, s->n, sizeof *s->sample);
}

static void samples_take(const struct world *w, uint32_t from, struct samples *s) {
    ranks_group_receive(group_of(w), from, &s->stride, sizeof s->stride);
    s->sample = list_receive(w, from, &s->n, sizeof *s->sample);
    s->room = s->n;
}

static void records_send(const struct world *w, uint32_t p, const struct merge *m) {
    const struct timeline *line = &m->line[p];
    for (int i = 0; i < MERGE_SAMPLES; i++) samples_send(w, &m->samples[i][p]);
    list_send(w, m->imbalance[p].sample, m->imbalance[p].n, sizeof *m->imbalance[p].sample);
    list_send(w, line->entry, line->n, sizeof *line->entry);
    ranks_group_send(group_of(w), 0, &line->left_out, sizeof line->left_out);
}

static void records_take(const struct world *w, uint32_t from, uint32_t p, const struct merge *m) {
    struct timeline *line = &m->line[p];
    for (int i = 0; i < MERGE_SAMPLES; i++) samples_take(w, from, &m->samples[i][p]);
    struct imbalance_log *log = &m->imbalance[p];
    log->sample = list_receive(w, from, &log->n, sizeof *log->sample);
    log->room = log->n;
    line->entry = list_receive(w, from, &line->n, sizeof *line->entry);
    line->room = line->n;
    ranks_group_receive(group_of(w), from, &line->left_out, sizeof line->left_out);
}

/* ---- one rank and the leader ---- */

/* The bytes of an array that a rank sends in words; sizes of the rows are multiples of a word. */
static size_t tally_bytes(const struct world *w) { return w->config->flows->n * sizeof *w->tallies.all; }
static void part_send(const struct world *w, const struct run_result *r, const struct merge *m) {
    ranks_group_send(group_of(w), 0, r, sizeof *r);
    words_send(w, w->tallies.all, tally_bytes(w));
    words_send(w, r->port, r->n_ports * sizeof *r->port);
    words_send(w, r->buffer, r->n_buffers * sizeof *r->buffer);
    for (uint32_t i = 0; i < m->n_sums; i++) words_send(w, m->sum[i].words, m->sum[i].bytes);
    list_send(w, r->counter, r->n_counters, sizeof *r->counter);
    list_send(w, r->pause, r->n_pauses, sizeof *r->pause);
    for (uint32_t p = w->first; p < w->first + w->here; p++) records_send(w, p, m);
}

static void ports_take(const struct world *w, uint32_t from, struct run_result *r) {
    words_add(w, from, r->port, r->n_ports * sizeof *r->port);
    for (uint32_t g = 0; g < w->n_ports; g++) r->port[g].port = g;
}

static void part_take(const struct world *w, uint32_t from, struct run_result *r, const struct merge *m) {
    struct run_result *theirs = memory_get(1, sizeof *theirs);
    ranks_group_receive(group_of(w), from, theirs, sizeof *theirs);
    totals_add(r, theirs);
    free(theirs);
    words_add(w, from, w->tallies.all, tally_bytes(w));
    ports_take(w, from, r);
    words_add(w, from, r->buffer, r->n_buffers * sizeof *r->buffer);
    for (uint32_t i = 0; i < m->n_sums; i++) words_add(w, from, m->sum[i].words, m->sum[i].bytes);
    counters_take(w, from, r);
    pause_rows_take(w, from, r);
    const uint32_t *first = w->division->first;
    for (uint32_t p = first[from]; p < first[from + 1]; p++) records_take(w, from, p, m);
}

void world_merge(struct world *w, struct run_result *r, const struct merge *m) {
    tallies_own(w);
    if (!world_leads(w)) {
        part_send(w, r, m);
        return;
    }
    for (uint32_t from = 1; from < group_of(w)->size; from++) part_take(w, from, r, m);
}
