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

static int span_compare(const void *a, const void *b) {
    const struct span *x = a, *y = b;
    if (x->host != y->host) return x->host < y->host ? -1 : 1;
    if (x->computes != y->computes) return x->computes > y->computes ? -1 : 1;
    if (x->phase != y->phase) return x->phase < y->phase ? -1 : 1;
    return (x->start > y->start) - (x->start < y->start);
}

/* Collects all times of the iteration; returns their number. */
static size_t spans_collect(const struct job_look *l, struct span *span) {
    const struct workload_job *job = l->job;
    size_t n = 0;
    for (uint32_t i = 0; i < job->flows_each; i++) {
        uint32_t f = l->message[i];
        span[n++] = (struct span){l->flow[f].dst, false, job->phase_of ? job->phase_of[i] : 0, l->tally[f].started_at,
                                  l->tally[f].finished_at};
    }
    for (uint32_t g = job->first_gate[l->iteration]; job->computes && g < job->first_gate[l->iteration + 1]; g++) {
        const struct gate *gate = &l->gates->gate[g];
        if (gate->delay == 0) continue;
        /* a gate without a processor that waits for nothing begins with the run, and its delay contains the start */
        time_ps start = gate->needs == 0 && !gate->processor ? job->start : l->times->begun[g];
        uint8_t phase = job->phase_of_gate ? job->phase_of_gate[g - job->first_gate[0]] : 0;
        span[n++] = (struct span){gate->host, true, phase, start, l->times->ended[g]};
    }
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
    const uint32_t *gates = &l->job->first_gate[l->iteration];
    struct span *span = memory_get((size_t)l->job->flows_each + gates[1] - gates[0], sizeof *span);
    size_t n = spans_collect(l, span);
    if (n > 1) qsort(span, n, sizeof *span, span_compare);
    span_ps gap = took / JOB_SPAN_SHARE;
    n = spans_join(span, n, gap);
    for (; n > JOB_SPANS_MAX && gap < took; gap = 2 * gap + 1) n = spans_join(span, n, gap);
    if (n > 0) spans_append(l, span, n, r);
    free(span);
}
