/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/files/operations.h"

#include "base/memory.h"
#include "workload/jobs/job.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void operations_init(struct operations *o, const char *path) { *o = (struct operations){.path = path}; }

void operations_fini(struct operations *o) {
    free(o->at);
    free(o->edge);
    free(o->first);
    free(o->by_before);
}

uint32_t operations_add(struct operations *o, const struct operation *op) {
    if (o->n == o->room) {
        o->room = o->room ? 2 * o->room : 256;
        o->at = memory_grow(o->at, o->room, sizeof *o->at);
    }
    o->at[o->n] = *op;
    o->at[o->n].partner = o->at[o->n].flow = o->at[o->n].begin = o->at[o->n].end = FLOW_NONE;
    return o->n++;
}

void operations_edge(struct operations *o, uint32_t before, uint32_t after, bool on_begin) {
    if (o->n_edges == o->edges_room) {
        o->edges_room = o->edges_room ? 2 * o->edges_room : 256;
        o->edge = memory_grow(o->edge, o->edges_room, sizeof *o->edge);
    }
    o->edge[o->n_edges++] = (struct operation_edge){before, after, on_begin};
}

bool operation_fail(const struct operations *o, const struct operation *op, struct diag *d, const char *fmt, ...) {
    char text[sizeof d->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (op->line) return diag_fail(d, o->path, (int)op->line, 1, "%s", text);
    return diag_fail_in(d, o->path, "rank %u, node %" PRIu64 ": %s", op->rank, op->number, text);
}

uint32_t *operations_hosts(const struct generator *g, const struct operations *o, const char *const *rank,
                           uint32_t n_names) {
    char text[16];
    const char *count = text;
    uint32_t found;
    snprintf(text, sizeof text, "%u", o->n_ranks);
    uint32_t *host = ranks_of(g, n_names ? rank : &count, n_names ? n_names : 1, g->spec->placement, &found);
    if (!host || found == o->n_ranks) return host;
    generator_fail(g, "ranks: there are %u, but the file has %u; name as many, or leave it out", found, o->n_ranks);
    free(host);
    return NULL;
}

/* ---- messages ---- */

static uint32_t sender_of(const struct operation *op) { return op->kind == OPERATION_SEND ? op->rank : op->peer; }
static uint32_t receiver_of(const struct operation *op) { return op->kind == OPERATION_SEND ? op->peer : op->rank; }

static int by_message(const void *pa, const void *pb, void *operations) {
    const struct operation *all = operations, *a = &all[*(const uint32_t *)pa], *b = &all[*(const uint32_t *)pb];
    if (sender_of(a) != sender_of(b)) return sender_of(a) < sender_of(b) ? -1 : 1;
    if (receiver_of(a) != receiver_of(b)) return receiver_of(a) < receiver_of(b) ? -1 : 1;
    if (a->tag != b->tag) return a->tag < b->tag ? -1 : 1;
    return (a > b) - (a < b);
}

/* Returns whether two operations are ends of messages between the same ranks with the same tag. */
static bool are_ends(const struct operation *a, const struct operation *b) {
    return sender_of(a) == sender_of(b) && receiver_of(a) == receiver_of(b) && a->tag == b->tag;
}

static bool lonely_fail(const struct operations *o, const struct operation *op, struct diag *d) {
    if (op->kind == OPERATION_SEND)
        return operation_fail(o, op, d, "rank %u has no receive for this message from rank %u with tag %u; add one",
                              op->peer, op->rank, op->tag);
    return operation_fail(o, op, d, "rank %u sends nothing to rank %u with tag %u that is not received; add a send",
                          op->peer, op->rank, op->tag);
}

/* Finds the other end of each message. */
static bool messages_match(struct operations *o, struct diag *d) {
    uint32_t *end[2], n[2] = {0, 0};
    bool ok = true;
    for (int k = 0; k < 2; k++) end[k] = memory_get((size_t)o->n + 1, sizeof *end[k]);
    for (uint32_t i = 0; i < o->n; i++)
        if (o->at[i].kind != OPERATION_CALC) {
            int k = o->at[i].kind == OPERATION_RECV;
            end[k][n[k]++] = i;
        }
    for (int k = 0; k < 2; k++)
        if (n[k] > 1) qsort_r(end[k], n[k], sizeof *end[k], by_message, o->at);
    for (uint32_t i = 0; ok && (i < n[0] || i < n[1]); i++) {
        struct operation *send = i < n[0] ? &o->at[end[0][i]] : NULL, *recv = i < n[1] ? &o->at[end[1][i]] : NULL;
        if (send && recv && are_ends(send, recv)) {
            send->partner = end[1][i];
            recv->partner = end[0][i];
            continue;
        }
        /* of two ends that do not belong together the first in order has no other end */
        bool is_send = !recv || (send && by_message(&end[0][i], &end[1][i], o->at) < 0);
        ok = lonely_fail(o, is_send ? send : recv, d);
    }
    free(end[0]);
    free(end[1]);
    return ok;
}

/* ---- circles ---- */

static void edges_sort(struct operations *o) {
    o->first = memory_get((size_t)o->n + 2, sizeof *o->first);
    o->by_before = memory_get((size_t)o->n_edges + 1, sizeof *o->by_before);
    for (uint32_t i = 0; i < o->n_edges; i++) o->first[o->edge[i].before + 1]++;
    for (uint32_t i = 1; i <= o->n; i++) o->first[i] += o->first[i - 1];
    for (uint32_t i = o->n_edges; i-- > 0;) o->by_before[--o->first[o->edge[i].before + 1]] = i;
    /* first[i + 1] is now the begin of i */
    for (uint32_t i = 0; i < o->n; i++) o->first[i] = o->first[i + 1];
    o->first[o->n] = o->n_edges;
}

/* Operations carried out without times. */
struct trial {
    const struct operations *o;
    uint32_t *left; /* [n] what each waits for */
    bool *begun;
    uint32_t *next, n; /* operations that begin */
};

static void trial_feed(struct trial *t, uint32_t op, bool on_begin) {
    const struct operations *o = t->o;
    for (uint32_t k = o->first[op]; k < o->first[op + 1]; k++) {
        const struct operation_edge *e = &o->edge[o->by_before[k]];
        if (e->on_begin == on_begin && --t->left[e->after] == 0) t->next[t->n++] = e->after;
    }
}

static void trial_begin(struct trial *t, uint32_t i) {
    const struct operation *op = &t->o->at[i];
    t->begun[i] = true;
    trial_feed(t, i, true);
    if (op->kind != OPERATION_RECV) trial_feed(t, i, false);
    if (op->kind == OPERATION_RECV && t->begun[op->partner]) trial_feed(t, i, false);
    if (op->kind == OPERATION_SEND && t->begun[op->partner]) trial_feed(t, op->partner, false);
}

/* Fails if some operation never begins. */
static bool circles_check(const struct operations *o, struct diag *d) {
    struct trial t = {.o = o,
                      .left = memory_get((size_t)o->n + 1, sizeof *t.left),
                      .begun = memory_get((size_t)o->n + 1, sizeof *t.begun),
                      .next = memory_get((size_t)o->n + 1, sizeof *t.next)};
    for (uint32_t i = 0; i < o->n_edges; i++) t.left[o->edge[i].after]++;
    for (uint32_t i = 0; i < o->n; i++)
        if (t.left[i] == 0) t.next[t.n++] = i;
    for (uint32_t i = 0; i < t.n; i++) trial_begin(&t, t.next[i]);
    uint32_t stuck = 0;
    while (stuck < o->n && t.begun[stuck]) stuck++;
    free(t.left);
    free(t.begun);
    free(t.next);
    return stuck == o->n || operation_fail(o, &o->at[stuck], d,
                                           "this operation waits, through others, for itself; remove one of these "
                                           "dependencies");
}

/* ---- gates ---- */

struct maker {
    struct generator *g;
    struct operations *o;
    const uint32_t *host;
    uint32_t *processor; /* [n_ranks x cpus] 0: none */
    uint32_t cpus;
    uint32_t *root; /* [n_ranks] gate that ends at the entry's start; NULL: the entry starts with the run */
};

static void count_one(struct generator *g, uint32_t gate) { g->loops.gate[gate].needs++; }

static uint32_t *processor_of(const struct maker *m, const struct operation *op) {
    return &m->processor[(size_t)op->rank * m->cpus + op->cpu];
}

/* Gives the cpus that compute a processor each. On all others nothing takes time. */
static void processors_make(struct maker *m) {
    m->cpus = 1;
    for (uint32_t i = 0; i < m->o->n; i++)
        if (m->o->at[i].cpu >= m->cpus) m->cpus = m->o->at[i].cpu + 1;
    m->processor = memory_get((size_t)m->o->n_ranks * m->cpus, sizeof *m->processor);
    for (uint32_t i = 0; i < m->o->n; i++) {
        const struct operation *op = &m->o->at[i];
        uint32_t *processor = processor_of(m, op);
        if (op->kind == OPERATION_CALC && op->size > 0 && !*processor) *processor = generator_processor(m->g);
    }
}

static void roots_make(struct maker *m) {
    if (m->g->spec->start == 0) return;
    m->root = memory_get(m->o->n_ranks, sizeof *m->root);
    for (uint32_t r = 0; r < m->o->n_ranks; r++)
        m->root[r] = generator_gate(m->g, m->host[r], 0, m->g->spec->start, 0, 0, 0);
}

static bool flows_make(struct maker *m) {
    for (uint32_t i = 0; i < m->o->n; i++) {
        struct operation *op = &m->o->at[i];
        if (op->kind != OPERATION_SEND) continue;
        op->flow = m->g->list->n;
        if (!generator_add(m->g, TIME_NONE, m->host[op->rank], m->host[op->peer], op->size)) return false;
        generator_connection(m->g, op->flow, op->cpu);
    }
    return true;
}

/* The edges of an operation, from which follows what gates it needs. */
struct ties {
    uint32_t waits;                /* edges before it */
    uint32_t calc;                 /* a computation whose end it waits for; FLOW_NONE: none */
    bool begin_counts, end_counts; /* has edges after its begin; after its end */
};

static struct ties *ties_find(const struct operations *o) {
    struct ties *t = memory_get((size_t)o->n + 1, sizeof *t);
    for (uint32_t i = 0; i < o->n; i++) t[i].calc = FLOW_NONE;
    for (uint32_t i = 0; i < o->n_edges; i++) {
        const struct operation_edge *e = &o->edge[i];
        t[e->after].waits++;
        if (o->at[e->before].kind == OPERATION_CALC && !e->on_begin) t[e->after].calc = e->before;
        if (e->on_begin)
            t[e->before].begin_counts = true;
        else
            t[e->before].end_counts = true;
    }
    return t;
}

static uint32_t gate_make(struct maker *m, const struct operation *op, span_ps delay) {
    uint32_t gate = generator_gate(m->g, m->host[op->rank], 0, delay, 0, 0, 0), processor = *processor_of(m, op);
    if (processor) generator_gate_on(m->g, gate, processor);
    return gate;
}

/* Returns whether a message needs no gate of its own: its cpu is always free, nothing counts its begin, and it starts by the
 * clock, or at the end of one computation. So messages that start together do so from one gate, and none is favoured for
 * its place in the file (sim/starts.h). */
static bool is_direct(const struct maker *m, const struct operation *op, const struct ties *t) {
    bool of_calc = t->waits == 1 && t->calc != FLOW_NONE;
    return (!t->waits || of_calc) && !t->begin_counts && !*processor_of(m, op);
}

static void send_make(struct maker *m, struct operation *op, const struct ties *t) {
    if (is_direct(m, op, t)) return;
    op->begin = gate_make(m, op, 0);
    generator_start(m->g, op->begin, op->flow);
}

static void direct_start(struct maker *m, const struct operation *op, const struct ties *t) {
    if (t->waits)
        generator_start(m->g, m->o->at[t->calc].begin, op->flow);
    else
        m->g->list->flow[op->flow].start = m->g->spec->start;
}

/* A receive is one gate when it begins, and one when its message is there too. What waits for one that begins at once waits for
 * the message alone. */
static void recv_make(struct maker *m, struct operation *op, const struct ties *t) {
    bool at_once = !t->waits && !*processor_of(m, op) && !m->root;
    if (t->begin_counts || (t->end_counts && !at_once)) op->begin = gate_make(m, op, 0);
    if (!t->end_counts || op->begin == FLOW_NONE) return;
    op->end = generator_gate(m->g, m->host[op->rank], 2, 0, 0, 0, 0);
    generator_follow(m->g, op->begin, op->end, false);
    generator_feed_received(m->g, m->o->at[op->partner].flow, op->end);
}

static void gates_make(struct maker *m) {
    struct ties *t = ties_find(m->o);
    for (uint32_t i = 0; i < m->o->n; i++) {
        struct operation *op = &m->o->at[i];
        switch (op->kind) {
        case OPERATION_CALC: op->begin = op->end = gate_make(m, op, (span_ps)op->size); break;
        case OPERATION_SEND: send_make(m, op, &t[i]); break;
        case OPERATION_RECV: recv_make(m, op, &t[i]); break;
        }
        if (!t[i].waits && m->root && op->begin != FLOW_NONE) {
            count_one(m->g, op->begin);
            generator_follow(m->g, m->root[op->rank], op->begin, false);
        }
    }
    for (uint32_t i = 0; i < m->o->n; i++)
        if (m->o->at[i].kind == OPERATION_SEND && is_direct(m, &m->o->at[i], &t[i]))
            direct_start(m, &m->o->at[i], &t[i]);
    free(t);
}

/* Makes the gate at which an operation begins count an edge before it. */
static void edge_make(const struct maker *m, const struct operation_edge *e) {
    const struct operation *before = &m->o->at[e->before];
    uint32_t gate = m->o->at[e->after].begin;
    if (gate == FLOW_NONE) return; /* a receive that nothing waits for */
    count_one(m->g, gate);
    if (e->on_begin)
        generator_follow(m->g, before->begin, gate, true);
    else if (before->kind == OPERATION_SEND)
        generator_feed_acked(m->g, before->flow, gate);
    else if (before->end != FLOW_NONE)
        generator_follow(m->g, before->end, gate, false);
    else
        generator_feed_received(m->g, m->o->at[before->partner].flow, gate);
}

/* ---- the job ---- */

static bool computes(const struct operations *o) {
    for (uint32_t i = 0; i < o->n; i++)
        if (o->at[i].kind == OPERATION_CALC && o->at[i].size > 0) return true;
    return false;
}

static void job_add(const struct maker *m, uint32_t first_gate, uint32_t first_flow, const char *name) {
    uint32_t *gates = memory_get(2, sizeof *gates);
    gates[0] = first_gate;
    gates[1] = m->g->loops.n_gates;
    generator_job(m->g, &(struct workload_job){.entry = m->g->spec->entry,
                                               .rank = m->host,
                                               .n_ranks = m->o->n_ranks,
                                               .iterations = 1,
                                               .flows_each = m->g->list->n - first_flow,
                                               .first_gate = gates,
                                               .start = m->g->spec->start,
                                               .op = name,
                                               .computes = computes(m->o)});
}

static bool all_make(struct maker *m, const char *name) {
    uint32_t first_gate = m->g->loops.n_gates, first_flow = m->g->list->n;
    processors_make(m);
    roots_make(m);
    if (!flows_make(m)) return false;
    gates_make(m);
    for (uint32_t i = 0; i < m->o->n_edges; i++) edge_make(m, &m->o->edge[i]);
    job_add(m, first_gate, first_flow, name);
    return true;
}

bool operations_make(struct generator *g, struct operations *o, uint32_t *host, const char *name) {
    struct maker m = {.g = g, .o = o, .host = host};
    uint32_t sends = 0;
    for (uint32_t i = 0; i < o->n; i++) sends += o->at[i].kind == OPERATION_SEND;
    edges_sort(o);
    bool ok = sends > 0 || diag_fail_in(g->d, o->path, "no rank sends anything; a job has messages");
    ok = ok && messages_match(o, g->d) && circles_check(o, g->d) && all_make(&m, name);
    if (!ok) free(host);
    free(m.processor);
    free(m.root);
    return ok;
}
