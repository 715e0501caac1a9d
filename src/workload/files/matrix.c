/* SPDX-License-Identifier: Apache-2.0 */
/* Workload kind `matrix`: a connection matrix of htsim as one job (matrix.h). */
#include "workload/files/matrix.h"

#include "base/input_file.h"
#include "base/memory.h"
#include "base/words.h"
#include "workload/files/columns.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct maker {
    struct generator *g;
    struct matrix m;
    enum send_done_at send_done;
    uint32_t first; /* number of its first flow */
};

static bool line_fail(const struct maker *k, int line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static bool line_fail(const struct maker *k, int line, const char *fmt, ...) {
    char text[sizeof k->g->d->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return diag_fail(k->g->d, k->m.path, line, 1, "%s", text);
}

/* ---- connections ---- */

/* A flow in the order in which connections are found: messages with one id are of one, any other flow is alone. */
struct connection_key {
    uint32_t src, dst, flow;
    uint64_t id;     /* of a flow without: one that no other has */
    uint32_t leader; /* first flow of its connection */
};

static int by_connection(const void *pa, const void *pb) {
    const struct connection_key *a = pa, *b = pb;
    if (a->src != b->src) return a->src < b->src ? -1 : 1;
    if (a->dst != b->dst) return a->dst < b->dst ? -1 : 1;
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    return (a->flow > b->flow) - (a->flow < b->flow);
}

static int by_leader(const void *pa, const void *pb) {
    const struct connection_key *a = pa, *b = pb;
    if (a->src != b->src) return a->src < b->src ? -1 : 1;
    if (a->dst != b->dst) return a->dst < b->dst ? -1 : 1;
    if (a->leader != b->leader) return a->leader < b->leader ? -1 : 1;
    return (a->flow > b->flow) - (a->flow < b->flow);
}

/* Gives each flow its connection: those of a pair have numbers in the order in which the file names them. */
static void connections_number(const struct maker *k) {
    uint32_t n = k->m.n_flows, number = 0;
    struct connection_key *key = memory_get(n, sizeof *key);
    for (uint32_t i = 0; i < n; i++) {
        const struct matrix_flow *f = &k->m.flow[i];
        key[i] = (struct connection_key){f->src, f->dst, i, f->is_message ? f->id : (uint64_t)UINT32_MAX + 1 + i, i};
    }
    qsort(key, n, sizeof *key, by_connection);
    for (uint32_t i = 1; i < n; i++)
        if (key[i].id == key[i - 1].id && key[i].src == key[i - 1].src && key[i].dst == key[i - 1].dst)
            key[i].leader = key[i - 1].leader;
    qsort(key, n, sizeof *key, by_leader);
    for (uint32_t i = 0; i < n; i++) {
        bool same_pair = i > 0 && key[i].src == key[i - 1].src && key[i].dst == key[i - 1].dst;
        number = !same_pair ? 0 : number + (key[i].leader != key[i - 1].leader);
        generator_connection(k->g, k->first + key[i].flow, number);
    }
    free(key);
}

struct id_key {
    uint64_t id;
    uint32_t flow;
};

static int by_id(const void *pa, const void *pb) {
    const struct id_key *a = pa, *b = pb;
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    return (a->flow > b->flow) - (a->flow < b->flow);
}

/* Fails if two flows have one id that are not messages of one connection. */
static bool ids_check(const struct maker *k) {
    struct id_key *key = memory_get(k->m.n_flows, sizeof *key);
    uint32_t n = 0;
    bool ok = true;
    for (uint32_t i = 0; i < k->m.n_flows; i++)
        if (k->m.flow[i].id) key[n++] = (struct id_key){k->m.flow[i].id, i};
    if (n > 1) qsort(key, n, sizeof *key, by_id);
    for (uint32_t i = 1; ok && i < n; i++) {
        const struct matrix_flow *a = &k->m.flow[key[i - 1].flow], *b = &k->m.flow[key[i].flow];
        if (a->id != b->id) continue;
        if (a->src == b->src && a->dst == b->dst && a->is_message && b->is_message) continue;
        ok = line_fail(k, b->line,
                       "id %" PRIu64
                       " is there already, in line %d; give another, or add msg to both if they are messages of "
                       "one connection",
                       b->id, a->line);
    }
    free(key);
    return ok;
}

/* ---- triggers ---- */

/* Counts the flows that each trigger starts, which must be of one host. */
static bool targets_count(const struct maker *k) {
    for (uint32_t i = 0; i < k->m.n_flows; i++) {
        const struct matrix_flow *f = &k->m.flow[i];
        if (!f->trigger) continue;
        struct matrix_trigger *t = &k->m.trigger[f->trigger - 1];
        if (t->n_targets++ == 0) t->host = f->src;
        if (t->host != f->src)
            return line_fail(k, f->line,
                             "trigger %" PRIu64
                             " starts flows of hosts %u and %u; a host starts its own alone, so give each a "
                             "trigger",
                             t->id, t->host, f->src);
    }
    return true;
}

/* Returns the host at which an end of a flow is counted: 0 at its sender, 1 at its receiver. */
static uint32_t end_host(const struct maker *k, const struct matrix_flow *f, int end) {
    const struct matrix_trigger *t = &k->m.trigger[f->done[end] - 1];
    bool moved = end == 0 && k->send_done == SEND_DONE_RECEIVER && t->host == f->dst;
    return end == 1 || moved ? f->dst : f->src;
}

/* Counts the ends that activate each trigger. */
static bool ends_count(const struct maker *k) {
    for (uint32_t i = 0; i < 2 * k->m.n_flows; i++) {
        const struct matrix_flow *f = &k->m.flow[i / 2];
        int end = (int)(i % 2);
        if (!f->done[end]) continue;
        struct matrix_trigger *t = &k->m.trigger[f->done[end] - 1];
        t->n_ends++;
        if (t->n_targets == 0 || end_host(k, f, end) == t->host) continue;
        if (end == 0 && t->host == f->dst)
            return line_fail(
                k, f->line,
                "send_done_trigger: host %u starts flows on what it has seen itself, not on what host %u has; "
                "write recv_done_trigger, or send_done: receiver in the workload",
                t->host, f->src);
        return line_fail(k, f->line,
                         "trigger %" PRIu64
                         ": host %u starts flows on what it has seen itself, but this flow ends at host %u; "
                         "such a trigger cannot be carried out",
                         t->id, t->host, end_host(k, f, end));
    }
    return true;
}

static bool trigger_check(const struct maker *k, const struct matrix_trigger *t) {
    if (t->n_targets == 0) return true;
    if (t->n_ends == 0)
        return line_fail(k, t->line,
                         "no flow activates trigger %" PRIu64 ", so its flows would never start; add recv_done_trigger",
                         t->id);
    if (t->kind == TRIGGER_MULTISHOT && (t->n_ends > 1 || t->n_targets > 1))
        return line_fail(k, t->line,
                         "trigger %" PRIu64
                         " starts one flow after the other in the order of %u ends, which is not known before "
                         "the run; give each flow a trigger of its own (kind collective has a window)",
                         t->id, t->n_ends);
    if (t->kind == TRIGGER_ONESHOT && t->n_ends > 1)
        return line_fail(k, t->line,
                         "the ends of %u flows activate trigger %" PRIu64 ", which is oneshot; write barrier count %u",
                         t->n_ends, t->id, t->n_ends);
    if (t->kind == TRIGGER_BARRIER && t->n_ends != t->count)
        return line_fail(k, t->line, "the ends of %u flows activate trigger %" PRIu64 "; write barrier count %u",
                         t->n_ends, t->id, t->n_ends);
    return true;
}

static bool triggers_check(const struct maker *k) {
    if (!targets_count(k) || !ends_count(k)) return false;
    for (uint32_t i = 0; i < k->m.n_triggers; i++)
        if (!trigger_check(k, &k->m.trigger[i])) return false;
    return true;
}

/* Fails if some flows wait for each other in a circle: starts what can start, until nothing more can. */
static bool circle_check(const struct maker *k) {
    const struct matrix *m = &k->m;
    uint32_t *left = memory_get(m->n_triggers, sizeof *left), *started = memory_get(m->n_flows, sizeof *started);
    uint32_t *first = memory_get((size_t)m->n_triggers + 2, sizeof *first),
             *target = memory_get(m->n_flows, sizeof *target);
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n_triggers; i++) left[i] = m->trigger[i].n_ends;
    for (uint32_t i = 0; i < m->n_flows; i++) first[m->flow[i].trigger + 1]++;
    for (uint32_t i = 1; i < m->n_triggers + 2; i++) first[i] += first[i - 1];
    for (uint32_t i = m->n_flows; i-- > 0;) target[--first[m->flow[i].trigger + 1]] = i;
    bool *done = memory_get(m->n_flows, sizeof *done);
    uint32_t without = m->n_triggers ? first[2] : m->n_flows; /* flows that a clock starts come first */
    for (uint32_t i = 0; i < without; i++) started[n++] = target[i];
    for (uint32_t i = 0; i < n; i++) {
        const struct matrix_flow *f = &m->flow[started[i]];
        done[started[i]] = true;
        for (int end = 0; end < 2; end++) {
            if (!f->done[end] || --left[f->done[end] - 1]) continue;
            uint64_t t = f->done[end];
            uint32_t behind = t + 2 < m->n_triggers + 2 ? first[t + 2] : m->n_flows;
            for (uint32_t j = first[t + 1]; j < behind; j++) started[n++] = target[j];
        }
    }
    uint32_t stuck = 0;
    while (stuck < m->n_flows && done[stuck]) stuck++;
    free(left);
    free(started);
    free(first);
    free(target);
    free(done);
    if (stuck == m->n_flows) return true;
    return line_fail(k, m->flow[stuck].line,
                     "this flow waits, through triggers, for its own end; give one of the circle a start");
}

/* ---- flows and gates ---- */

static bool flows_add(struct maker *k) {
    struct generator *g = k->g;
    k->first = g->list->n;
    for (uint32_t i = 0; i < k->m.n_flows; i++) {
        const struct matrix_flow *f = &k->m.flow[i];
        time_ps start = f->trigger ? TIME_NONE : f->start + g->spec->start;
        if (!generator_add(g, start, f->src, f->dst, f->bytes)) return false;
        if (f->priority) g->list->flow[g->list->n - 1].priority = f->priority;
    }
    connections_number(k);
    return true;
}

static void gates_add(const struct maker *k) {
    struct generator *g = k->g;
    for (uint32_t i = 0; i < k->m.n_triggers; i++) {
        struct matrix_trigger *t = &k->m.trigger[i];
        if (t->n_targets) t->gate = generator_gate(g, t->host, t->n_ends, 0, 0, 0, 0);
    }
    for (uint32_t i = 0; i < k->m.n_flows; i++) {
        const struct matrix_flow *f = &k->m.flow[i];
        if (f->trigger) generator_start(g, k->m.trigger[f->trigger - 1].gate, k->first + i);
        for (int end = 0; end < 2; end++) {
            uint32_t gate = f->done[end] ? k->m.trigger[f->done[end] - 1].gate : FLOW_NONE;
            if (gate == FLOW_NONE) continue;
            if (end_host(k, f, end) == f->dst)
                generator_feed_received(g, k->first + i, gate);
            else
                generator_feed_acked(g, k->first + i, gate);
        }
    }
}

/* Adds the job of all flows. Its ranks are the hosts that send or receive. */
static void job_add(const struct maker *k, uint32_t first_gate) {
    struct generator *g = k->g;
    bool *takes_part = memory_get(g->p->n_hosts, sizeof *takes_part);
    uint32_t *rank = memory_get(g->p->n_hosts, sizeof *rank), *gates = memory_get(2, sizeof *gates), n = 0;
    time_ps start = TIME_NONE;
    for (uint32_t i = 0; i < k->m.n_flows; i++) {
        const struct matrix_flow *f = &k->m.flow[i];
        takes_part[f->src] = takes_part[f->dst] = true;
        if (!f->trigger && f->start + g->spec->start < start) start = f->start + g->spec->start;
    }
    for (uint32_t h = 0; h < g->p->n_hosts; h++)
        if (takes_part[h]) rank[n++] = h;
    free(takes_part);
    gates[0] = first_gate;
    gates[1] = g->loops.n_gates;
    generator_job(g, &(struct workload_job){.entry = g->spec->entry,
                                            .rank = rank,
                                            .n_ranks = n,
                                            .iterations = 1,
                                            .flows_each = k->m.n_flows,
                                            .first_gate = gates,
                                            .start = start,
                                            .op = "matrix"});
}

static bool job_make(struct maker *k) {
    struct generator *g = k->g;
    uint32_t first_gate = g->loops.n_gates;
    if (k->m.nodes > g->p->n_hosts)
        return diag_fail(g->d, k->m.path, 1, 1, "Nodes %" PRIu64 ", but the fabric has %u hosts; build one with more",
                         k->m.nodes, g->p->n_hosts);
    if (!ids_check(k) || !triggers_check(k) || !circle_check(k) || !flows_add(k)) return false;
    gates_add(k);
    job_add(k, first_gate);
    return true;
}

bool matrix_make(struct generator *g, const char *text, size_t size, const char *file, enum time_unit unit,
                 enum send_done_at send_done) {
    struct maker k = {.g = g, .send_done = send_done};
    bool ok = matrix_read(&k.m, file, text, size, unit, g->d) && job_make(&k);
    matrix_free(&k.m);
    return ok;
}

/* ---- the table ---- */

static bool matrix_generate(struct generator *g) {
    const struct matrix_fields *f = g->spec->fields;
    size_t size;
    struct diag d;
    char *text = text_file_read(f->path, &size, &d);
    if (!text) return generator_fail(g, "%s", d.text);
    bool ok = matrix_make(g, text, size, f->path, f->time_unit, f->send_done);
    free(text);
    return ok;
}

/* Returns the number behind Connections in the head. */
static uint64_t matrix_foresee(const struct workload_spec *spec, const struct population *p) {
    const struct matrix_fields *f = spec->fields;
    FILE *in = f->path ? input_open(f->path, NULL) : NULL;
    char text[4096];
    struct words w;
    uint64_t n;
    (void)p;
    if (!in) return 0;
    words_init(&w, f->path, text, fread(text, 1, sizeof text, in), NULL);
    fclose(in);
    while (words_line(&w))
        if (w.n == 2 && word_is_name(&w.word[0], "Connections") && word_number(&w.word[1], FLOW_NONE - 1, &n)) return n;
    return 0;
}

static const struct param matrix_path = {
    .name = "path",
    .type = PARAM_FILE,
    .text = PARAM_REQUIRED,
    .doc = "a connection matrix of htsim",
    PARAM_OWN_IN(struct matrix_fields, path),
};
static const struct param matrix_time_unit = {
    .name = "time_unit",
    .type = PARAM_CHOICE,
    .text = PARAM_REQUIRED,
    .choices = PARAM_CHOICES(TIME_UNITS),
    .doc = "the unit of its starts: older programs of htsim take picoseconds, htsim_uec and htsim_roce microseconds",
    PARAM_OWN_IN(struct matrix_fields, time_unit),
};
static const struct param matrix_send_done = {
    .name = "send_done",
    .type = PARAM_CHOICE,
    .choices = PARAM_CHOICES(SEND_DONE_AT),
    .doc = "where send_done_trigger counts a flow that starts flows of its receiver: at its sender, which is refused, "
           "or when its "
           "receiver has it",
    PARAM_OWN_IN(struct matrix_fields, send_done),
};
static const struct param *const matrix_keys[] = {&matrix_path, &matrix_time_unit, &matrix_send_done, &workload_start,
                                                  NULL};

const struct workload_ops workload_matrix = {
    .name = "matrix",
    .paper = "htsim",
    .doc = "a connection matrix of htsim (.cm): flows, and triggers that start them",
    .keys = matrix_keys,
    .fields_size = sizeof(struct matrix_fields),
    .generate = matrix_generate,
    .foresee = matrix_foresee,
    .makes_jobs = true,
};
