/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/goodput.h"

#include "base/memory.h"
#include "base/views.h"
#include "measure/fairness.h"

#include <stdlib.h>

/* Returns the goodput of a flow in bits per second, or -1 if it has none. */
static int64_t flow_goodput(const struct flow *f, const struct flow_tally *t, time_ps end) {
    bool endless = f->bytes == UINT64_MAX;
    time_ps until = endless ? min_i64(f->stop, end) : t->finished_at;
    if (until == TIME_NONE || until <= t->started_at) return -1;
    return (int64_t)((int128)t->received_bytes * 8 * PS_PER_S / (until - t->started_at));
}

static int64_t jain_of(const int64_t *bps, size_t n, bool alike) {
    int64_t ppm;
    return alike && n > 1 && fairness_jain_ppm(bps, n, &ppm) ? ppm : JAIN_NONE;
}

/* `value` has room for n numbers. */
static struct goodput class_summarise(const struct flow *flow, struct tallies tally, uint32_t n,
                                      const struct flow_selection *selection, time_ps end, enum flow_class class,
                                      int64_t *value) {
    uint64_t size = 0;
    size_t n_values = 0;
    bool alike = true;
    for (uint32_t i = 0; i < n; i++) {
        struct flow_facts facts = {.start = tally_started_at(tally, i), .bytes = flow[i].bytes};
        if (class != CLASS_ALL && flow_class_of(flow[i].bytes) != class) continue;
        struct flow_tally t = tally_of(tally, i);
        int64_t bps = flow_goodput(&flow[i], &t, end);
        if (bps < 0 || !flow_is_selected(&facts, selection, i, n)) continue;
        alike &= n_values == 0 || flow[i].bytes == size;
        size = flow[i].bytes;
        value[n_values++] = bps;
    }
    struct goodput g = {.jain_ppm = jain_of(value, n_values, alike)};
    g.bps = summary_of(value, n_values);
    return g;
}

void goodput_summarise(const struct flow *flow, struct tallies tally, uint32_t n,
                       const struct flow_selection *selection, time_ps end, struct goodput goodput[FLOW_CLASSES]) {
    int64_t *value = memory_get(n + 1u, sizeof *value);
    for (int class = 0; class < FLOW_CLASSES; class ++)
        goodput[class] = class_summarise(flow, tally, n, selection, end, (enum flow_class) class, value);
    free(value);
}
