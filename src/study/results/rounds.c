/* SPDX-License-Identifier: Apache-2.0 */
#include "study/results/rounds.h"

#include "base/memory.h"

#include <stdlib.h>

/* The flows of one entry, and its rounds. */
struct rounds {
    const struct workload_spec *spec;
    uint32_t n_flows, senders;
    time_ps *from, *to;   /* [rounds] first start of a flow, and last end; an open flow ends at TIME_NONE */
    time_ps *start, *end; /* [n_flows] of flows that started, each list sorted */
    uint32_t n_started;
};

static int by_time(const void *pa, const void *pb) {
    time_ps a = *(const time_ps *)pa, b = *(const time_ps *)pb;
    return (a > b) - (a < b);
}

static void flow_add(struct rounds *x, const struct flow *f, time_ps finished_at, time_ps until) {
    uint32_t round = f->index / x->senders;
    if (round >= x->spec->rounds || f->start >= until) return;
    x->from[round] = min_i64(x->from[round], f->start);
    x->to[round] = max_i64(x->to[round], finished_at);
    x->start[x->n_started] = f->start;
    x->end[x->n_started++] = finished_at;
}

static struct rounds rounds_of(const struct assembly *a, uint32_t entry, const struct run_result *r) {
    struct rounds x = {.spec = &a->workload[entry]};
    struct tallies tallies = result_tallies(r, a->flows.flow);
    for (uint32_t i = 0; i < a->flows.n; i++) x.n_flows += a->flows.flow[i].entry == entry;
    x.senders = x.n_flows / x.spec->rounds > 1 ? x.n_flows / x.spec->rounds : 1;
    x.from = memory_get(x.spec->rounds, sizeof *x.from);
    x.to = memory_get(x.spec->rounds, sizeof *x.to);
    x.start = memory_get(x.n_flows + 1, sizeof *x.start);
    x.end = memory_get(x.n_flows + 1, sizeof *x.end);
    for (uint32_t k = 0; k < x.spec->rounds; k++) x.from[k] = TIME_NONE;
    for (uint32_t i = 0; i < a->flows.n; i++)
        if (a->flows.flow[i].entry == entry)
            flow_add(&x, &a->flows.flow[i], tally_finished_at(tallies, i), r->engine.sim_ps);
    qsort(x.start, x.n_started, sizeof *x.start, by_time);
    qsort(x.end, x.n_started, sizeof *x.end, by_time);
    return x;
}

static void rounds_free(struct rounds *x) {
    free(x->from);
    free(x->to);
    free(x->start);
    free(x->end);
}

/* Counts the rounds that began while a flow of an earlier round was open. */
static uint32_t rounds_over(const struct rounds *x) {
    uint32_t n = 0;
    time_ps ends = 0;
    for (uint32_t k = 0; k < x->spec->rounds && x->from[k] != TIME_NONE; k++) {
        n += k > 0 && ends > x->from[k];
        ends = max_i64(ends, x->to[k]);
    }
    return n;
}

/* Returns the largest number of flows that were open at one time. */
static uint32_t flows_open(const struct rounds *x) {
    uint32_t most = 0, ended = 0;
    for (uint32_t i = 0; i < x->n_started; i++) {
        while (x->end[ended] <= x->start[i]) ended++;
        most = i + 1 - ended > most ? i + 1 - ended : most;
    }
    return most;
}

void rounds_compare(const struct assembly *a, struct run_result *r) {
    for (uint32_t entry = 0; result_has_tallies(r) && entry < a->n_workload; entry++) {
        if (!workload_has_timed_rounds(&a->workload[entry])) continue;
        struct rounds x = rounds_of(a, entry, r);
        uint32_t over = rounds_over(&x);
        if (over > r->rounds.n_over)
            r->rounds = (struct round_overlap){entry, a->workload[entry].rounds, over, flows_open(&x), x.senders};
        rounds_free(&x);
    }
}

void rounds_warn(const struct outcome *o, const char *file, uint32_t run, FILE *out) {
    const struct round_overlap *x = &o->result.rounds;
    if (x->n_over == 0) return;
    fprintf(out,
            "%s: warning: run %u: workload.%u: %u of %u rounds began while flows of earlier rounds were open, up to %u "
            "flows at once of %u in a round; raise gap, or give request: then each round waits for the one before\n",
            file, run, x->entry, x->n_over, x->rounds, x->n_open, x->senders);
}
