#include "study/goodput.h"

#include "base/memory.h"
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

void goodput_summarise(const struct world_config *w, const struct run_result *r, struct summary goodput[FLOW_CLASSES]) {
    uint32_t n = r->tally ? r->n_flows : 0;
    const struct measure_config *m = &w->measure;
    struct flow_selection chosen = {
        .from = m->from, .starts_from_ppb = m->starts_from_ppb, .starts_to_ppb = m->starts_to_ppb};
    uint32_t *place = flow_places(r->tally, n, &chosen.n_places);
    chosen.place = place;
    int64_t *value = memory_get(n + 1u, sizeof *value);
    for (int class = 0; class < FLOW_CLASSES; class ++) {
        size_t count = 0;
        for (uint32_t i = 0; i < n; i++) {
            const struct flow *f = &w->flows->flow[i];
            bool wanted = class == CLASS_ALL || flow_class_of(f->bytes) == (enum flow_class) class;
            struct flow_facts facts = {.start = r->tally[i].started_at, .bytes = f->bytes};
            if (!wanted || !flow_is_selected(&facts, &chosen, i, n)) continue;
            int64_t bps = flow_goodput(f, &r->tally[i], r->engine.sim_ps);
            if (bps >= 0) value[count++] = bps;
        }
        goodput[class] = summary_of(value, count);
    }
    free(value);
    free(place);
}
