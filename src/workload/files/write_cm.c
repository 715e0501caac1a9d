/* SPDX-License-Identifier: Apache-2.0 */
/* Connection matrices of htsim (matrix.h has the format), with starts in picoseconds.
 *
 * A flow there activates one trigger at each end, and a trigger waits for ends of flows alone. So each gate that starts
 * flows becomes a trigger on all ends that it waits for, itself or through gates before it, but for the ends that others imply:
 * messages of a connection that start in order arrive in order, so the last one says that all have. What then still
 * activates two triggers cannot be written, nor can computations.
 */
#include "workload/files/formats.h"

#include "base/memory.h"
#include "workload/files/dependencies.h"

#include <inttypes.h>
#include <stdlib.h>

/* An end of a flow: 2 x flow + 1 at its receiver, 2 x flow at its sender. */
struct ends {
    uint32_t *at;
    uint32_t n;
};

struct cm {
    struct dependencies on;
    struct ends *waits;   /* [gates] ends that a gate waits for, as far as they imply each other not */
    uint32_t *segment;    /* [flows] number of the part of its connection whose flows start in order */
    uint32_t *place;      /* [flows] place in the order of entries */
    uint32_t *trigger;    /* [2 x flows] trigger that an end activates; 0: none */
    uint32_t *trigger_of; /* [gates] 0: none */
    uint32_t n_triggers;
    uint32_t *seen, stamp; /* [gates] for walks: the walk that came there last */
    struct diag *d;
};

static bool cm_fail(struct cm *c, const struct flow *f, const char *why) {
    return diag_say(c->d, "cm: the flow from host %u to host %u %s; write --to goal", f->src, f->dst, why);
}

/* ---- flows of a connection in order ---- */

/* Returns whether a gate waits for the same end itself. */
static bool waits_itself(const struct cm *c, uint32_t gate, struct dependency d) {
    for (uint32_t i = c->on.first[gate]; i < c->on.first[gate + 1]; i++)
        if (c->on.on[i].number == d.number && c->on.on[i].kind == d.kind) return true;
    return false;
}

/* Returns whether `gate` ends no earlier than `other`: it waits for it, or for all that the other waits for. Gives up, with
 * false, after some steps. */
static bool is_after(struct cm *c, uint32_t gate, uint32_t other, uint32_t *steps) {
    if (gate == other || waits_itself(c, gate, (struct dependency){ON_GATE_END, other})) return true;
    if (c->seen[other] == c->stamp) return true; /* found to be so in this walk */
    for (uint32_t i = c->on.first[other]; i < c->on.first[other + 1]; i++) {
        const struct dependency d = c->on.on[i];
        if (++*steps > 10000) return false;
        bool is_flow = d.kind == ON_RECEIVED || d.kind == ON_ACKED;
        if (is_flow ? !waits_itself(c, gate, d) : !is_after(c, gate, d.number, steps)) return false;
    }
    c->seen[other] = c->stamp;
    return true;
}

/* Returns whether flow b starts no earlier than flow a. */
static bool starts_after(struct cm *c, uint32_t a, uint32_t b) {
    const struct flow *flow = c->on.list->flow;
    uint32_t of_a = c->on.gate_of[a], of_b = c->on.gate_of[b], steps = 0;
    if (of_a == FLOW_NONE) return of_b != FLOW_NONE || flow[a].start <= flow[b].start;
    c->stamp++;
    return of_b != FLOW_NONE && is_after(c, of_b, of_a, &steps);
}

static void segments_find(struct cm *c) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->on.list->n; i++) {
        uint32_t flow = c->on.order[i], before = c->on.before[flow];
        c->place[flow] = i;
        c->segment[flow] = before != FLOW_NONE && starts_after(c, before, flow) ? c->segment[before] : n++;
    }
}

/* ---- what gates wait for ---- */

static int by_segment(const void *pa, const void *pb, void *cm) {
    const struct cm *c = cm;
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    if (a % 2 != b % 2) return a % 2 ? 1 : -1;
    if (c->segment[a / 2] != c->segment[b / 2]) return c->segment[a / 2] < c->segment[b / 2] ? -1 : 1;
    return (c->place[a / 2] > c->place[b / 2]) - (c->place[a / 2] < c->place[b / 2]);
}

/* Drops ends that a later one of the same segment implies. */
static void ends_reduce(struct cm *c, struct ends *e) {
    uint32_t kept = 0;
    if (e->n > 1) qsort_r(e->at, e->n, sizeof *e->at, by_segment, c);
    for (uint32_t i = 0; i < e->n; i++) {
        bool implied = i + 1 < e->n && e->at[i] % 2 == e->at[i + 1] % 2 &&
                       c->segment[e->at[i] / 2] == c->segment[e->at[i + 1] / 2];
        if (!implied) e->at[kept++] = e->at[i];
    }
    e->n = kept;
}

/* Collects the ends that a gate waits for; those of the gates before it are there. */
static void ends_collect(struct cm *c, uint32_t gate) {
    const struct dependency *d = &c->on.on[c->on.first[gate]], *behind = &c->on.on[c->on.first[gate + 1]];
    struct ends *e = &c->waits[gate];
    uint32_t n = 0;
    for (const struct dependency *x = d; x < behind; x++) n += x->kind <= ON_ACKED ? 1 : c->waits[x->number].n;
    e->at = memory_get((size_t)n + 1, sizeof *e->at);
    for (const struct dependency *x = d; x < behind; x++) {
        if (x->kind <= ON_ACKED) {
            e->at[e->n++] = 2 * x->number + (x->kind == ON_RECEIVED);
            continue;
        }
        const struct ends *of = &c->waits[x->number];
        for (uint32_t i = 0; i < of->n; i++) e->at[e->n++] = of->at[i];
    }
    ends_reduce(c, e);
}

/* Collects for all gates, those first that no gate is before. */
static void ends_collect_all(struct cm *c) {
    const struct gates *g = &c->on.list->gates;
    uint32_t *left = memory_get((size_t)g->n_gates + 1, sizeof *left),
             *next = memory_get((size_t)g->n_gates + 1, sizeof *next);
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n_gates; i++) {
        for (uint32_t k = c->on.first[i]; k < c->on.first[i + 1]; k++) left[i] += c->on.on[k].kind > ON_ACKED;
        if (left[i] == 0) next[n++] = i;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct gate *gate = &g->gate[next[i]];
        ends_collect(c, next[i]);
        for (uint32_t k = 0; k < gate->n_on_begin + gate->n_on_end; k++) {
            uint32_t follower = g->follow[gate->next + k];
            if (--left[follower] == 0) next[n++] = follower;
        }
    }
    free(left);
    free(next);
}

/* ---- triggers ---- */

/* Fails if a gate takes time: it, or one that counts it, would start too early. One that waits for nothing is a start. */
static bool gates_check(struct cm *c) {
    const struct gates *g = &c->on.list->gates;
    for (uint32_t i = 0; i < g->n_gates; i++) {
        const struct gate *gate = &g->gate[i];
        bool is_start = gate->needs == 0 && gate->n_on_begin + gate->n_on_end == 0 && !gate->processor;
        if (gate->delay == 0 || is_start) continue;
        return diag_say(c->d, "cm: host %u computes, which this format cannot say; write --to goal", gate->host);
    }
    return true;
}

static bool triggers_number(struct cm *c) {
    const struct flow_list *list = c->on.list;
    for (uint32_t i = 0; i < list->gates.n_gates; i++) {
        const struct ends *e = &c->waits[i];
        if (list->gates.gate[i].n == 0 || e->n == 0) continue;
        c->trigger_of[i] = ++c->n_triggers;
        for (uint32_t k = 0; k < e->n; k++) {
            if (c->trigger[e->at[k]])
                return cm_fail(c, &list->flow[e->at[k] / 2],
                               "is awaited by two operations, but can activate one trigger");
            c->trigger[e->at[k]] = c->n_triggers;
        }
    }
    return true;
}

/* ---- the text ---- */

static void flow_write(const struct cm *c, uint32_t flow, uint32_t id, bool is_message, FILE *out) {
    const struct flow *f = &c->on.list->flow[flow];
    uint32_t gate = c->on.gate_of[flow], trigger = gate == FLOW_NONE ? 0 : c->trigger_of[gate];
    fprintf(out, "%u->%u id %u", f->src, f->dst, id);
    if (is_message) fprintf(out, " msg");
    if (trigger)
        fprintf(out, " trigger %u", trigger);
    else
        fprintf(out, " start %lld", (long long)(gate == FLOW_NONE ? f->start : c->on.list->gates.gate[gate].delay));
    fprintf(out, " size %" PRIu64, f->bytes);
    if (c->trigger[2 * flow]) fprintf(out, " send_done_trigger %u", c->trigger[2 * flow]);
    if (c->trigger[2 * flow + 1]) fprintf(out, " recv_done_trigger %u", c->trigger[2 * flow + 1]);
    if (f->priority) fprintf(out, " prio %u", f->priority);
    fputc('\n', out);
}

/* Writes the flows. Those of a connection have one id, and are its messages if there are several. */
static void flows_write(const struct cm *c, FILE *out) {
    uint32_t n = c->on.list->n, ids = 0, *id = memory_get((size_t)n + 1, sizeof *id);
    bool *is_message = memory_get((size_t)n + 1, sizeof *is_message);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t flow = c->on.order[i], before = c->on.before[flow];
        id[flow] = before == FLOW_NONE ? ++ids : id[before];
        if (before != FLOW_NONE) is_message[flow] = is_message[before] = true;
    }
    for (uint32_t i = 0; i < n; i++) flow_write(c, c->on.order[i], id[c->on.order[i]], is_message[c->on.order[i]], out);
    free(id);
    free(is_message);
}

static void triggers_write(const struct cm *c, FILE *out) {
    for (uint32_t i = 0; i < c->on.list->gates.n_gates; i++) {
        if (!c->trigger_of[i]) continue;
        if (c->waits[i].n == 1)
            fprintf(out, "trigger id %u oneshot\n", c->trigger_of[i]);
        else
            fprintf(out, "trigger id %u barrier count %u\n", c->trigger_of[i], c->waits[i].n);
    }
}

static void matrix_write(const struct cm *c, const struct population *p, FILE *out) {
    fprintf(out, "# starts are in picoseconds\nNodes %u\nConnections %u\n", p->n_hosts, c->on.list->n);
    if (c->n_triggers) fprintf(out, "Triggers %u\n", c->n_triggers);
    flows_write(c, out);
    triggers_write(c, out);
}

static void cm_init(struct cm *c, const struct flow_list *list, struct diag *d) {
    size_t flows = (size_t)list->n + 1, gates = (size_t)list->gates.n_gates + 1;
    *c = (struct cm){.d = d};
    dependencies_init(&c->on, list);
    c->waits = memory_get(gates, sizeof *c->waits);
    c->segment = memory_get(flows, sizeof *c->segment);
    c->place = memory_get(flows, sizeof *c->place);
    c->trigger = memory_get(2 * flows, sizeof *c->trigger);
    c->trigger_of = memory_get(gates, sizeof *c->trigger_of);
    c->seen = memory_get(gates, sizeof *c->seen);
}

static void cm_fini(struct cm *c, uint32_t n_gates) {
    for (uint32_t i = 0; i < n_gates; i++) free(c->waits[i].at);
    free(c->waits);
    free(c->segment);
    free(c->place);
    free(c->trigger);
    free(c->trigger_of);
    free(c->seen);
    dependencies_fini(&c->on);
}

static bool cm_write(const struct flow_list *list, const struct population *p, FILE *out, struct diag *d) {
    struct cm c;
    if (!format_flows_end(list, "cm", d)) return false;
    cm_init(&c, list, d);
    bool ok = gates_check(&c);
    if (ok) {
        segments_find(&c);
        ends_collect_all(&c);
        ok = triggers_number(&c);
    }
    if (ok) matrix_write(&c, p, out);
    cm_fini(&c, list->gates.n_gates);
    return ok;
}

const struct workload_format workload_format_cm = {
    .doc = "a connection matrix of htsim, with triggers",
    .entry = "kind: matrix, time_unit: ps",
    .write = cm_write,
};
