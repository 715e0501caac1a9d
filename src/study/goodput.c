/* SPDX-License-Identifier: Apache-2.0 */
#include "study/goodput.h"

#include "base/memory.h"
#include "measure/fairness.h"
#include "measure/flows.h"

#include <stdlib.h>

__extension__ typedef __int128 wide;

/* -1: the flow has none. */
static int64_t flow_goodput(const struct flow *f, const struct flow_tally *t, time_ps end) {
    bool endless = f->bytes == UINT64_MAX;
    time_ps until = endless ? min_i64(f->stop, end) : t->finished_at;
    if (until == TIME_NONE || until <= t->started_at) return -1;
    return (int64_t)((wide)t->received_bytes * 8 * PS_PER_S / (until - t->started_at));
}

/* Goodputs of flows that differ in size say nothing of how evenly they share. */
static int64_t jain_of(const int64_t *bps, size_t n, bool alike) {
    int64_t ppm;
    return alike && n > 1 && fairness_jain_ppm(bps, n, &ppm) ? ppm : JAIN_NONE;
}

static struct goodput class_summarise(const struct world_config *w, const struct run_result *r, enum flow_class class,
                                      const struct flow_selection *chosen, int64_t *value) {
    uint64_t size = 0;
    size_t n = 0;
    bool alike = true;
    for (uint32_t i = 0; i < r->n_flows; i++) {
        const struct flow *f = &w->flows->flow[i];
        struct flow_facts facts = {.start = r->tally[i].started_at, .bytes = f->bytes};
        if (class != CLASS_ALL && flow_class_of(f->bytes) != class) continue;
        int64_t bps = flow_goodput(f, &r->tally[i], r->engine.sim_ps);
        if (bps < 0 || !flow_is_selected(&facts, chosen, i, r->n_flows)) continue;
        alike &= n == 0 || f->bytes == size;
        size = f->bytes;
        value[n++] = bps;
    }
    struct goodput g = {.jain_ppm = jain_of(value, n, alike)};
    g.bps = summary_of(value, n);
    return g;
}

void goodput_summarise(const struct world_config *w, const struct run_result *r, struct goodput goodput[FLOW_CLASSES]) {
    uint32_t n = r->tally ? r->n_flows : 0;
    const struct measure_config *m = &w->measure;
    struct flow_selection chosen = {
        .from = m->from, .starts_from_ppb = m->starts_from_ppb, .starts_to_ppb = m->starts_to_ppb};
    uint32_t *place = flow_places(r->tally, n, &chosen.n_places);
    chosen.place = place;
    int64_t *value = memory_get(n + 1u, sizeof *value);
    for (int class = 0; class < FLOW_CLASSES; class ++)
        goodput[class] = n ? class_summarise(w, r, (enum flow_class) class, &chosen, value)
                           : (struct goodput){.jain_ppm = JAIN_NONE};
    free(value);
    free(place);
}
