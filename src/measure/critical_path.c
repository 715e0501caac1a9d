/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/critical_path.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last end that a gate waited for, or at which the iteration ended. */
struct cause {
    time_ps at;
    uint32_t number; /* of a flow or a gate */
    bool is_flow, is_known;
};

struct walk {
    const struct job_look *q;
    struct cause *of; /* [gates of the iteration] what each began after */
    uint32_t first_gate, n_gates;
    struct cause last;
};

static void cause_add(struct cause *c, time_ps at, uint32_t number, bool is_flow) {
    if (at == TIME_NONE || (c->is_known && at <= c->at)) return;
    *c = (struct cause){at, number, is_flow, true};
}

static void causes_add(struct walk *w, struct fed_gates fed, time_ps at, uint32_t number, bool is_flow) {
    for (uint32_t i = 0; i < fed.n; i++) {
        uint32_t place = fed.gate[i] - w->first_gate;
        if (fed.gate[i] >= w->first_gate && place < w->n_gates) cause_add(&w->of[place], at, number, is_flow);
    }
}

static void causes_find(struct walk *w) {
    const struct job_look *q = w->q;
    for (uint32_t i = 0; i < q->job->flows_each; i++) {
        uint32_t f = q->message[i];
        cause_add(&w->last, tally_finished_at(q->tally, f), f, true);
        if (!q->gates->feed) continue;
        causes_add(w, gates_of_received(q->gates, f), tally_finished_at(q->tally, f), f, true);
        causes_add(w, gates_of_acked(q->gates, f), tally_acked_at(q->tally, f), f, true);
    }
    for (uint32_t i = 0; i < w->n_gates; i++) {
        uint32_t number = w->first_gate + i;
        const struct gate *g = &q->gates->gate[number];
        const uint32_t *next = q->gates->follow + g->next;
        if (q->job->computes) cause_add(&w->last, q->times->ended[number], number, false);
        causes_add(w, (struct fed_gates){next, g->n_on_begin}, q->times->begun[number], number, false);
        causes_add(w, (struct fed_gates){next + g->n_on_begin, g->n_on_end}, q->times->ended[number], number, false);
    }
}

static struct job_step *step_add(const struct walk *w, struct run_result *r) {
    if ((r->n_job_steps & (r->n_job_steps - 1)) == 0) /* 0, 1, 2, 4, 8, ...: the memory is full */
        r->job_step = memory_grow(r->job_step, r->n_job_steps ? 2 * r->n_job_steps : 1, sizeof *r->job_step);
    struct job_step *s = &r->job_step[r->n_job_steps++];
    *s = (struct job_step){.job = w->q->job_number, .iteration = w->q->iteration, .flow = FLOW_NONE};
    return s;
}

static void phase_set(const struct walk *w, struct job_step *s, const uint8_t *of, uint32_t number) {
    snprintf(s->phase, sizeof s->phase, "%s", job_phase(w->q->job, of, number));
}

/* Adds a message; returns what its start waited for. A gate that counts its acknowledgement began when that came. */
static struct cause message_add(const struct walk *w, struct cause c, struct run_result *r) {
    const struct job_look *q = w->q;
    const struct flow *f = &q->flow[c.number];
    struct job_step *s = step_add(w, r);
    s->flow = c.number;
    s->src = f->src;
    s->dst = f->dst;
    s->bytes = f->bytes;
    s->start = tally_started_at(q->tally, c.number);
    s->end = c.at;
    s->ideal = q->bound_ps[c.number];
    phase_set(w, s, q->job->phase_of, f->index % q->job->flows_each);
    uint32_t gate = q->gate_of[c.number], place = gate - w->first_gate;
    if (gate == FLOW_NONE || gate < w->first_gate || place >= w->n_gates) return (struct cause){0};
    return (struct cause){s->start, gate, false, true};
}

/* Adds what a gate took, if it took anything; returns what it waited for. What a rank does before its first message is no
 * part of an iteration that does not compute. */
static struct cause gate_add(const struct walk *w, struct cause c, struct run_result *r) {
    const struct job_look *q = w->q;
    const struct gate *g = &q->gates->gate[c.number];
    struct cause before = w->of[c.number - w->first_gate];
    if (g->delay == 0 || (!before.is_known && !q->job->computes)) return before;
    struct job_step *s = step_add(w, r);
    s->src = s->dst = g->host;
    s->end = c.at;
    s->start = g->needs == 0 && !g->processor ? q->job->start : c.at - g->delay;
    s->ideal = s->end - s->start;
    phase_set(w, s, q->job->phase_of_gate, c.number - q->job->first_gate[0]);
    return before;
}

/* Turns the path round and numbers its steps. */
static void reverse(struct job_step *step, size_t n) {
    for (size_t i = 0; i < n / 2; i++) {
        struct job_step s = step[i];
        step[i] = step[n - 1 - i];
        step[n - 1 - i] = s;
    }
    for (size_t i = 0; i < n; i++) step[i].step = (uint32_t)i;
}

void critical_path_add(const struct job_look *q, struct run_result *r) {
    uint32_t first = q->job->first_gate[q->iteration], n = q->job->first_gate[q->iteration + 1] - first;
    struct walk w = {.q = q, .of = memory_get(n, sizeof *w.of), .first_gate = first, .n_gates = n};
    size_t begin = r->n_job_steps;
    causes_find(&w);
    for (struct cause c = w.last; c.is_known;) c = c.is_flow ? message_add(&w, c, r) : gate_add(&w, c, r);
    reverse(r->job_step + begin, r->n_job_steps - begin);
    free(w.of);
}
