/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules in GOAL, as text (goal.h has the format).
 *
 * Each rank has a computation for each of its gates, of 0 ns if the gate takes no time, a send and a receive for each flow, and
 * then what each waits for. Every message has a tag of its own among those of its two ranks, so that whoever carries the
 * schedule out finds the same partners.
 *
 * Cpus: messages are on the one with the number of their connection, so that they come back on the same connections; gates that take
 * no time are on 0. Computations are on COMPUTE_CPU, those of processors on the cpus behind it, and the clock by which flows
 * start is CLOCK_CPU.
 *
 * The ranks of a single job are its ranks; else there is a rank for each host. Times are whole nanoseconds in GOAL, and are
 * rounded to them: a comment says so where it happened.
 */
#include "workload/files/formats.h"

#include "base/memory.h"
#include "workload/files/dependencies.h"

#include <inttypes.h>
#include <stdlib.h>

#define MESSAGE_CPUS 240 /* connections between two hosts beyond them share cpus */
#define COMPUTE_CPU 240
#define CLOCK_CPU 255
#define STEPS_MAX 10000

struct writer {
    struct dependencies on;
    uint32_t *rank_of; /* [hosts] NODE_NONE: it has none */
    uint32_t *host_of; /* [n_ranks] */
    uint32_t n_ranks;
    uint32_t *place, *tag;             /* [flows] in the order of entries; among those of its two hosts */
    uint32_t *sent, *received, *gates; /* numbers by host: flows in the order of entries, gates in their own */
    uint32_t *first_sent, *first_received, *first_gate; /* [hosts + 1] */
    bool rounded;
    FILE *out;
    struct diag *d;
};

static int64_t nanoseconds(struct writer *w, time_ps time) {
    w->rounded |= time % PS_PER_NS != 0;
    return (time + PS_PER_NS / 2) / PS_PER_NS;
}

/* ---- who has what ---- */

static void ranks_find(struct writer *w, const struct population *p) {
    const struct flow_list *l = w->on.list;
    const struct workload_job *job = l->n_jobs == 1 ? &l->job[0] : NULL;
    for (uint32_t i = 0; job && i < l->n; i++)
        if (l->flow[i].entry != job->entry) job = NULL;
    w->rank_of = memory_get(p->n_hosts, sizeof *w->rank_of);
    w->host_of = memory_get(p->n_hosts, sizeof *w->host_of);
    w->n_ranks = job ? job->n_ranks : p->n_hosts;
    for (uint32_t h = 0; h < p->n_hosts; h++) w->rank_of[h] = NODE_NONE;
    for (uint32_t r = 0; r < w->n_ranks; r++) {
        w->host_of[r] = job ? job->rank[r] : r;
        w->rank_of[w->host_of[r]] = r;
    }
}

/* Sorts numbers by host: host[i] is that of the i-th of n, number[i] its number. Returns them; sets *first. */
static uint32_t *by_host(const uint32_t *host, const uint32_t *number, uint32_t n, uint32_t n_hosts, uint32_t **first) {
    uint32_t *sorted = memory_get((size_t)n + 1, sizeof *sorted), *used = memory_get((size_t)n_hosts + 1, sizeof *used);
    *first = memory_get((size_t)n_hosts + 1, sizeof **first);
    for (uint32_t i = 0; i < n; i++) (*first)[host[i] + 1]++;
    for (uint32_t h = 0; h < n_hosts; h++) (*first)[h + 1] += (*first)[h];
    for (uint32_t i = 0; i < n; i++) sorted[(*first)[host[i]] + used[host[i]]++] = number[i];
    free(used);
    return sorted;
}

static void hosts_sort(struct writer *w, uint32_t n_hosts) {
    const struct flow_list *l = w->on.list;
    uint32_t n = l->n > l->gates.n_gates ? l->n : l->gates.n_gates;
    uint32_t *host = memory_get((size_t)n + 1, sizeof *host), *number = memory_get((size_t)n + 1, sizeof *number);
    for (uint32_t i = 0; i < l->n; i++) host[i] = l->flow[w->on.order[i]].src;
    w->sent = by_host(host, w->on.order, l->n, n_hosts, &w->first_sent);
    for (uint32_t i = 0; i < l->n; i++) host[i] = l->flow[w->on.order[i]].dst;
    w->received = by_host(host, w->on.order, l->n, n_hosts, &w->first_received);
    for (uint32_t i = 0; i < l->gates.n_gates; i++) {
        host[i] = l->gates.gate[i].host;
        number[i] = i;
    }
    w->gates = by_host(host, number, l->gates.n_gates, n_hosts, &w->first_gate);
    free(host);
    free(number);
}

/* Gives the messages between two hosts tags from 0 on. */
static void tags_give(struct writer *w, uint32_t n_hosts) {
    uint32_t *next = memory_get(n_hosts, sizeof *next);
    for (uint32_t i = 0; i < w->on.list->n; i++) w->place[w->on.order[i]] = i;
    for (uint32_t h = 0; h < n_hosts; h++) {
        for (uint32_t i = w->first_sent[h]; i < w->first_sent[h + 1]; i++) next[w->on.list->flow[w->sent[i]].dst] = 0;
        for (uint32_t i = w->first_sent[h]; i < w->first_sent[h + 1]; i++)
            w->tag[w->sent[i]] = next[w->on.list->flow[w->sent[i]].dst]++;
    }
    free(next);
}

/* ---- computations ---- */

/* Returns whether a gate waits for another one, through gates that wait for one gate each. */
static bool is_behind(const struct writer *w, uint32_t gate, uint32_t other) {
    for (uint32_t steps = 0; gate != FLOW_NONE && steps < STEPS_MAX; steps++) {
        uint32_t before = FLOW_NONE;
        for (uint32_t i = w->on.first[gate]; i < w->on.first[gate + 1]; i++)
            if (w->on.on[i].kind == ON_GATE_END) before = w->on.on[i].number;
        if (before == other) return true;
        gate = before;
    }
    return false;
}

/* The computations of a host so far. */
struct computed {
    uint32_t last; /* without a processor; FLOW_NONE: there is none */
    uint32_t processor[CLOCK_CPU - COMPUTE_CPU - 1], n_processors;
};

/* Sets the cpu of a gate. Fails if the host computes more side by side than there are cpus for. */
static bool cpu_find(const struct writer *w, uint32_t gate, struct computed *c, uint32_t *cpu) {
    const struct gate *g = &w->on.list->gates.gate[gate];
    uint32_t i = 0, most = sizeof c->processor / sizeof *c->processor;
    *cpu = 0;
    if (g->delay == 0 && !g->processor) return true;
    *cpu = COMPUTE_CPU;
    if (!g->processor) {
        uint32_t last = c->last;
        c->last = gate;
        return last == FLOW_NONE || is_behind(w, gate, last) ||
               diag_say(w->d,
                        "goal: host %u computes two things side by side, which this format cannot say without a cpu "
                        "for each",
                        g->host);
    }
    while (i < c->n_processors && c->processor[i] != g->processor) i++;
    if (i == most)
        return diag_say(w->d, "goal: host %u has more than %u processors, and cpus end at 255", g->host, most);
    c->processor[i] = g->processor;
    if (i == c->n_processors) c->n_processors++;
    *cpu = COMPUTE_CPU + 1 + i;
    return true;
}

static void cpu_write(const struct writer *w, uint32_t cpu) {
    if (cpu) fprintf(w->out, " cpu %u", cpu);
    fputc('\n', w->out);
}

static bool gates_write(struct writer *w, uint32_t host) {
    struct computed c = {.last = FLOW_NONE};
    for (uint32_t i = w->first_gate[host]; i < w->first_gate[host + 1]; i++) {
        uint32_t cpu;
        if (!cpu_find(w, w->gates[i], &c, &cpu)) return false;
        fprintf(w->out, "g%u: calc %" PRIi64, w->gates[i], nanoseconds(w, w->on.list->gates.gate[w->gates[i]].delay));
        cpu_write(w, cpu);
    }
    return true;
}

/* ---- messages ---- */

static void message_write(const struct writer *w, uint32_t flow, bool is_send) {
    const struct flow *f = &w->on.list->flow[flow];
    fprintf(w->out, "%c%u: %s %" PRIu64 "b %s %u tag %u", is_send ? 's' : 'r', w->place[flow],
            is_send ? "send" : "recv", f->bytes, is_send ? "to" : "from", w->rank_of[is_send ? f->dst : f->src],
            w->tag[flow]);
    cpu_write(w, w->on.connection[flow] % MESSAGE_CPUS);
}

static int by_start(const void *pa, const void *pb, void *flows) {
    const struct flow *flow = flows;
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    if (flow[a].start != flow[b].start) return flow[a].start < flow[b].start ? -1 : 1;
    return (a > b) - (a < b);
}

/* Writes computations that end at the starts of the flows that the clock starts, one behind the other. */
static void clock_write(struct writer *w, uint32_t host) {
    uint32_t n = 0, most = w->first_sent[host + 1] - w->first_sent[host];
    uint32_t *flow = memory_get((size_t)most + 1, sizeof *flow);
    int64_t now = 0;
    for (uint32_t i = w->first_sent[host]; i < w->first_sent[host + 1]; i++) {
        uint32_t f = w->sent[i];
        if (w->on.gate_of[f] == FLOW_NONE && w->on.list->flow[f].start > 0) flow[n++] = f;
    }
    if (n > 1) qsort_r(flow, n, sizeof *flow, by_start, w->on.list->flow);
    for (uint32_t i = 0; i < n; i++) {
        int64_t start = nanoseconds(w, w->on.list->flow[flow[i]].start);
        fprintf(w->out, "t%u: calc %" PRIi64, w->place[flow[i]], start - now);
        cpu_write(w, CLOCK_CPU);
        now = start;
    }
    free(flow);
}

/* ---- what waits for what ---- */

static void edges_write(const struct writer *w, uint32_t host) {
    for (uint32_t i = w->first_sent[host]; i < w->first_sent[host + 1]; i++) {
        uint32_t f = w->sent[i], gate = w->on.gate_of[f];
        if (gate != FLOW_NONE)
            fprintf(w->out, "s%u requires g%u\n", w->place[f], gate);
        else if (w->on.list->flow[f].start > 0)
            fprintf(w->out, "s%u requires t%u\n", w->place[f], w->place[f]);
    }
    for (uint32_t i = w->first_gate[host]; i < w->first_gate[host + 1]; i++) {
        uint32_t gate = w->gates[i];
        for (uint32_t k = w->on.first[gate]; k < w->on.first[gate + 1]; k++) {
            const struct dependency d = w->on.on[k];
            bool is_flow = d.kind == ON_RECEIVED || d.kind == ON_ACKED;
            fprintf(w->out, "g%u %s %c%u\n", gate, d.kind == ON_GATE_BEGIN ? "irequires" : "requires",
                    is_flow ? (d.kind == ON_RECEIVED ? 'r' : 's') : 'g', is_flow ? w->place[d.number] : d.number);
        }
    }
}

static bool rank_write(struct writer *w, uint32_t rank) {
    uint32_t host = w->host_of[rank];
    fprintf(w->out, "rank %u {\n", rank);
    if (!gates_write(w, host)) return false;
    clock_write(w, host);
    for (uint32_t i = w->first_sent[host]; i < w->first_sent[host + 1]; i++) message_write(w, w->sent[i], true);
    for (uint32_t i = w->first_received[host]; i < w->first_received[host + 1]; i++)
        message_write(w, w->received[i], false);
    edges_write(w, host);
    fprintf(w->out, "}\n");
    return true;
}

static bool schedule_write(struct writer *w) {
    fprintf(w->out, "num_ranks %u\n", w->n_ranks);
    for (uint32_t r = 0; r < w->n_ranks; r++)
        if (!rank_write(w, r)) return false;
    if (w->rounded) fprintf(w->out, "// times are rounded to nanoseconds\n");
    return true;
}

static bool goal_write(const struct flow_list *list, const struct population *p, FILE *out, struct diag *d) {
    struct writer w = {.out = out, .d = d};
    if (!format_flows_end(list, "goal", d)) return false;
    dependencies_init(&w.on, list);
    w.place = memory_get((size_t)list->n + 1, sizeof *w.place);
    w.tag = memory_get((size_t)list->n + 1, sizeof *w.tag);
    ranks_find(&w, p);
    hosts_sort(&w, p->n_hosts);
    tags_give(&w, p->n_hosts);
    bool ok = schedule_write(&w);
    uint32_t *all[] = {w.rank_of, w.host_of,    w.place,          w.tag,       w.sent, w.received,
                       w.gates,   w.first_sent, w.first_received, w.first_gate};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    dependencies_fini(&w.on);
    return ok;
}

const struct workload_format workload_format_goal = {
    .doc = "a schedule in GOAL, as text",
    .entry = "kind: goal",
    .write = goal_write,
};
