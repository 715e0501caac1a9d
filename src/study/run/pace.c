/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/pace.h"

#include "base/memory.h"

#include <stdlib.h>

void paces_init(struct paces *p, size_t n) { *p = (struct paces){.place = memory_get(n, sizeof *p->place)}; }

void paces_free(struct paces *p) { free(p->place); }

static void sums_add(struct pace_sums *s, double simulated_s, double foreseen_s) {
    s->simulated_s += simulated_s;
    s->foreseen_s += foreseen_s;
    s->n++;
}

void pace_finished(struct paces *p, size_t place, double simulated_s, double took_s) {
    struct pace *at = &p->place[place];
    sums_add(&at->runs, simulated_s, at->foreseen_s);
    sums_add(&p->here, simulated_s, at->foreseen_s);
    p->beside_s += took_s > simulated_s ? took_s - simulated_s : 0;
}

void pace_stored(struct paces *p, size_t place, double simulated_s) {
    struct pace *at = &p->place[place];
    sums_add(&at->runs, simulated_s, at->foreseen_s);
    sums_add(&p->stored, simulated_s, at->foreseen_s);
}

void pace_ended(struct paces *p, size_t place, double after_s) {
    if (after_s > p->place[place].at_least_s) p->place[place].at_least_s = after_s;
}

/* Returns how long a run of a place without finished runs simulates. */
static double simulates_s(const struct paces *p, double foreseen_s) {
    const struct pace_sums *evidence = p->here.foreseen_s > 0 ? &p->here : &p->stored;
    return evidence->foreseen_s > 0 ? foreseen_s * evidence->simulated_s / evidence->foreseen_s : foreseen_s;
}

double pace_expects(const struct paces *p, size_t place) {
    const struct pace *at = &p->place[place];
    double expected = at->runs.n ? at->runs.simulated_s / at->runs.n : simulates_s(p, at->foreseen_s);
    if (p->here.n) expected += p->beside_s / p->here.n;
    return expected > at->at_least_s ? expected : at->at_least_s;
}
