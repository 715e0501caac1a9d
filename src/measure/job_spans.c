/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/job_spans.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

struct span {
    uint32_t host;
    uint8_t computes, phase;
    time_ps start, end;
};

/* The times of an iteration, host after host: the messages to a host, by their places in the iteration, then its gates, counted
 * from the iteration's first. Few bytes for each, since an iteration may have millions. */
struct sources {
    uint32_t *of;  /* [first[n_hosts]] */
    size_t *first; /* [n_hosts + 1] where those of a host begin, */
    size_t *gates; /* [n_hosts] and its gates among them */
    uint32_t n_hosts;
};

static int span_compare(const void *a, const void *b) {
    const struct span *x = a, *y = b;
    if (x->computes != y->computes) return x->computes > y->computes ? -1 : 1;
    if (x->phase != y->phase) return x->phase < y->phase ? -1 : 1;
    return (x->start > y->start) - (x->start < y->start);
}

/* Returns how many gates the iteration has whose times are shown. */
static uint32_t gates_of_iteration(const struct job_look *l) {
    const uint32_t *first = &l->job->first_gate[l->iteration];
    return l->job->computes ? first[1] - first[0] : 0;
}

static const struct gate *gate_of_iteration(const struct job_look *l, uint32_t place) {
    return &l->gates->gate[l->job->first_gate[l->iteration] + place];
}

static uint32_t host_of_message(const struct job_look *l, uint32_t place) { return l->flow[l->message[place]].dst; }

/* Adds up how many each host has, so that first[h] is where those of host h begin. */
static void sources_count(const struct job_look *l, struct sources *s) {
    uint32_t n_gates = gates_of_iteration(l);
    for (uint32_t i = 0; i < l->job->flows_each; i++) {
        uint32_t h = host_of_message(l, i);
        s->first[h]++;
        s->gates[h]++;
    }
    for (uint32_t i = 0; i < n_gates; i++)
        s->first[gate_of_iteration(l, i)->host] += gate_of_iteration(l, i)->delay > 0;
    size_t end = 0;
    for (uint32_t h = 0; h < s->n_hosts; h++) {
        size_t begin = end;
        end += s->first[h];
        s->first[h] = begin;
        s->gates[h] += begin;
    }
    s->first[s->n_hosts] = end;
}

static void sources_init(const struct job_look *l, struct sources *s) {
    *s = (struct sources){0};
    for (uint32_t i = 0; i < l->job->n_ranks; i++)
        if (l->job->rank[i] >= s->n_hosts) s->n_hosts = l->job->rank[i] + 1;
    s->first = memory_get((size_t)s->n_hosts + 1, sizeof *s->first);
    s->gates = memory_get((size_t)s->n_hosts + 1, sizeof *s->gates);
    sources_count(l, s);
    s->of = memory_get(s->first[s->n_hosts], sizeof *s->of);
    size_t *next = memory_get((size_t)s->n_hosts + 1, sizeof *next);
    for (uint32_t h = 0; h < s->n_hosts; h++) next[h] = s->first[h];
    for (uint32_t i = 0; i < l->job->flows_each; i++) s->of[next[host_of_message(l, i)]++] = i;
    for (uint32_t i = 0, n = gates_of_iteration(l); i < n; i++)
        if (gate_of_iteration(l, i)->delay > 0) s->of[next[gate_of_iteration(l, i)->host]++] = i;
    free(next);
}

static void sources_fini(struct sources *s) {
    free(s->of);
    free(s->first);
    free(s->gates);
}

static struct span message_span(const struct job_look *l, uint32_t place) {
    uint32_t flow = l->message[place];
    uint8_t phase = l->job->phase_of ? l->job->phase_of[place] : 0;
    return (struct span){host_of_message(l, place), false, phase, tally_started_at(l->tally, flow),
                         tally_finished_at(l->tally, flow)};
}

static struct span gate_span(const struct job_look *l, uint32_t place) {
    const struct workload_job *job = l->job;
    const struct gate *gate = gate_of_iteration(l, place);
    uint32_t number = job->first_gate[l->iteration] + place;
    /* a gate without a processor that waits for nothing begins with the run, and its delay contains the start */
    time_ps start = gate->needs == 0 && !gate->processor ? job->start : l->times->begun[number];
    uint8_t phase = job->phase_of_gate ? job->phase_of_gate[number - job->first_gate[0]] : 0;
    return (struct span){gate->host, true, phase, start, l->times->ended[number]};
}

/* Fills span[] with the times of a host, sorted; returns their number. */
static size_t host_spans(const struct job_look *l, const struct sources *s, uint32_t host, struct span *span) {
    size_t first = s->first[host], n = s->first[host + 1] - first;
    for (size_t i = 0; i < n; i++)
        span[i] = first + i < s->gates[host] ? message_span(l, s->of[first + i]) : gate_span(l, s->of[first + i]);
    if (n > 1) qsort(span, n, sizeof *span, span_compare);
    return n;
}

/* Joins sorted times of the same kind with less than `gap` between them; returns how many are left. */
static size_t spans_join(struct span *span, size_t n, span_ps gap) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        struct span *last = kept ? &span[kept - 1] : NULL, *x = &span[i];
        bool same = last && last->host == x->host && last->computes == x->computes && last->phase == x->phase;
        if (same && x->start <= last->end + gap)
            last->end = max_i64(last->end, x->end);
        else
            span[kept++] = *x;
    }
    return kept;
}

static uint32_t *ranks_by_host(const struct job_look *l) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < l->job->n_ranks; i++) most = l->job->rank[i] > most ? l->job->rank[i] : most;
    uint32_t *rank = memory_get((size_t)most + 1, sizeof *rank);
    for (uint32_t i = 0; i < l->job->n_ranks; i++) rank[l->job->rank[i]] = i;
    return rank;
}

static void spans_append(const struct job_look *l, const struct span *span, size_t n, struct run_result *r) {
    uint32_t *rank = ranks_by_host(l);
    r->job_span = memory_grow(r->job_span, r->n_job_spans + n, sizeof *r->job_span);
    for (size_t i = 0; i < n; i++) {
        const struct span *x = &span[i];
        struct job_span *to = &r->job_span[r->n_job_spans++];
        *to = (struct job_span){l->job_number, rank[x->host], x->host, x->computes, x->start, x->end, ""};
        snprintf(to->phase, sizeof to->phase, "%s", l->job->phase[0] ? l->job->phase[x->phase] : l->job->op);
    }
    free(rank);
}

void job_spans_add(const struct job_look *l, span_ps took, struct run_result *r) {
    span_ps gap = took / JOB_SPAN_SHARE;
    size_t n = 0, room = 0;
    struct span *span = NULL;
    struct sources s;
    sources_init(l, &s);
    for (uint32_t h = 0; h < s.n_hosts; h++) {
        size_t own = s.first[h + 1] - s.first[h];
        if (n + own > room) span = memory_grow(span, room = n + own, sizeof *span);
        if (own) n += spans_join(span + n, host_spans(l, &s, h, span + n), gap);
    }
    sources_fini(&s);
    for (; n > JOB_SPANS_MAX && gap < took; gap = 2 * gap + 1) n = spans_join(span, n, gap);
    if (n > 0) spans_append(l, span, n, r);
    free(span);
}
