/* SPDX-License-Identifier: Apache-2.0 */
/* Carries a list of flows out without times: what may start starts, until nothing more does. */
#ifndef HEDDLE_TESTS_WORKLOAD_CARRY_H
#define HEDDLE_TESTS_WORKLOAD_CARRY_H

#include "workload/workload.h"

#include "unit.h"

#include <stdlib.h>

struct carrying {
    const struct flow_list *l;
    uint32_t *needs, *now, n;
};

static inline void carry_ends(struct carrying *c, struct fed_gates fed);
static inline void carry_gate(struct carrying *c, uint32_t number) {
    const struct gates *g = &c->l->gates;
    const struct gate *gate = &g->gate[number];
    for (uint32_t k = 0; k < gate->n; k++) c->now[c->n++] = g->gated[gate->first + k];
    carry_ends(c, (struct fed_gates){g->follow + gate->next, gate->n_on_begin + gate->n_on_end});
}
static inline void carry_ends(struct carrying *c, struct fed_gates fed) {
    for (uint32_t i = 0; i < fed.n; i++) {
        assert_true(c->needs[fed.gate[i]] > 0);
        if (--c->needs[fed.gate[i]] == 0) carry_gate(c, fed.gate[i]);
    }
}

/* Returns how many flows ran. All gates must have begun in the end. */
static inline uint32_t carried_out(const struct flow_list *l) {
    struct carrying c = {l, calloc(l->gates.n_gates + 1, sizeof *c.needs), calloc(l->n, sizeof *c.now), 0};
    uint32_t done = 0;
    for (uint32_t g = 0; g < l->gates.n_gates; g++) c.needs[g] = l->gates.gate[g].needs;
    for (uint32_t f = 0; f < l->n; f++)
        if (l->flow[f].start != TIME_NONE) c.now[c.n++] = f;
    for (uint32_t g = 0; g < l->gates.n_gates; g++)
        if (l->gates.gate[g].needs == 0) carry_gate(&c, g);
    for (; done < c.n; done++) {
        if (!l->gates.feed) continue;
        carry_ends(&c, gates_of_received(&l->gates, c.now[done]));
        carry_ends(&c, gates_of_acked(&l->gates, c.now[done]));
    }
    for (uint32_t g = 0; g < l->gates.n_gates; g++) assert_int_equal(c.needs[g], 0);
    free(c.needs);
    free(c.now);
    return done;
}

#endif
