/* SPDX-License-Identifier: Apache-2.0 */
/* Reads any bytes as a job of another program. The reader must refuse them with a message, or return flows between existing
 * hosts that all run, since no gate waits for what never happens. */
#ifndef HEDDLE_TESTS_FUZZ_JOB_H
#define HEDDLE_TESTS_FUZZ_JOB_H

#include "workload/generate.h"
#include "workload/kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_HOSTS 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static inline void require(bool holds) {
    if (!holds) abort();
}

/* What may start starts, until nothing more does. */
struct fuzz_carrying {
    const struct flow_list *l;
    uint32_t *needs, *now, *gate; /* flows that run; gates that have begun and are to be followed */
    uint32_t n, n_gates, begun;
};

static inline void fuzz_feed(struct fuzz_carrying *c, const uint32_t *gate, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        require(c->needs[gate[i]] > 0);
        if (--c->needs[gate[i]] == 0) c->gate[c->n_gates++] = gate[i];
    }
}

static inline void fuzz_gates(struct fuzz_carrying *c) {
    const struct gates *g = &c->l->gates;
    for (; c->begun < c->n_gates; c->begun++) {
        const struct gate *gate = &g->gate[c->gate[c->begun]];
        for (uint32_t k = 0; k < gate->n; k++) c->now[c->n++] = g->gated[gate->first + k];
        fuzz_feed(c, g->follow + gate->next, gate->n_on_begin + gate->n_on_end);
    }
}

static inline void fuzz_carry(const struct flow_list *l) {
    const struct gates *g = &l->gates;
    struct fuzz_carrying c = {.l = l};
    c.needs = calloc(g->n_gates + 1, sizeof *c.needs);
    c.gate = calloc(g->n_gates + 1, sizeof *c.gate);
    c.now = calloc(l->n + 1, sizeof *c.now);
    for (uint32_t i = 0; i < g->n_gates; i++) {
        c.needs[i] = g->gate[i].needs;
        if (c.needs[i] == 0) c.gate[c.n_gates++] = i;
    }
    for (uint32_t i = 0; i < l->n; i++)
        if (l->flow[i].start != TIME_NONE) c.now[c.n++] = i;
    fuzz_gates(&c);
    for (uint32_t i = 0; i < c.n; i++) {
        if (!g->feed) continue;
        struct fed_gates got = gates_of_received(g, c.now[i]), acked = gates_of_acked(g, c.now[i]);
        fuzz_feed(&c, got.gate, got.n);
        fuzz_feed(&c, acked.gate, acked.n);
        fuzz_gates(&c);
    }
    require(c.n == l->n && c.n_gates == g->n_gates);
    free(c.needs);
    free(c.gate);
    free(c.now);
}

/* Makes a list of one entry by `kind`, whose generator is `make`, and checks it. */
static inline void fuzz_job(const struct workload_spec *spec,
                            bool (*make)(struct generator *g, const void *data, size_t n), const void *data, size_t n) {
    static uint32_t host_leaf[FUZZ_HOSTS], leaf_pod[1];
    static int64_t rate[FUZZ_HOSTS], up[1];
    struct population p = {.n_hosts = FUZZ_HOSTS,
                           .n_leaves = 1,
                           .n_pods = 1,
                           .host_leaf = host_leaf,
                           .leaf_pod = leaf_pod,
                           .host_bps = rate,
                           .leaf_up_bps = up,
                           .pod_up_bps = up};
    struct flow_list list = {0};
    struct diag d = {0};
    struct generator g = {.spec = spec, .p = &p, .seed = 1, .list = &list, .d = &d};
    bool ok = make(&g, data, n);
    require(ok ? list.n > 0 || g.loops.n_gates > 0 : d.text[0] != '\0');
    for (uint32_t i = 0; i < list.n; i++) {
        const struct flow *f = &list.flow[i];
        require(f->start >= 0 && f->bytes >= 1 && f->src < FUZZ_HOSTS && f->dst < FUZZ_HOSTS && f->src != f->dst);
    }
    if (ok) {
        uint32_t *order = calloc(list.n + 1, sizeof *order);
        for (uint32_t i = 0; i < list.n; i++) order[i] = i;
        loops_finish(&g, order);
        fuzz_carry(&list);
        free(order);
    }
    loops_fini(&g.loops);
    free(g.next_port);
    flow_list_free(&list);
}

#endif
