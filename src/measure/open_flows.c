/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/open_flows.h"

#include "base/memory.h"

#include <stdlib.h>

static bool is_counted(const struct flow_facts *f, time_ps end) {
    return f->bytes != UINT64_MAX && !f->background && f->start < end;
}

/* Parts of a period. Their borders are from + i x (to - from) / n, so no picosecond is lost. A run lasts at most 1000 s
 * (study/config/schema), so the product with n, at most 100, fits 64 bits by far. */
struct parts {
    time_ps from, to;
    size_t n;
    int128 *open_ps; /* [n]: open time within the part, of flows that begin or end in it */
    int64_t *whole;  /* [n + 1]: change, from the part before, of the number of flows open during the whole part */
};

static time_ps border(const struct parts *p, size_t i) {
    return p->from + (p->to - p->from) * (time_ps)i / (time_ps)p->n;
}

static size_t part_of(const struct parts *p, time_ps at) {
    size_t i = (size_t)((at - p->from) * (time_ps)p->n / (p->to - p->from));
    while (i + 1 < p->n && border(p, i + 1) <= at) i++;
    return i < p->n ? i : p->n - 1;
}

/* Adds a flow that was open from `start` to `end`. */
static void open_add(struct parts *p, time_ps start, time_ps end) {
    start = max_i64(start, p->from);
    end = min_i64(end, p->to);
    if (start >= end) return;
    size_t first = part_of(p, start), last = part_of(p, end - 1);
    if (first == last) {
        p->open_ps[first] += end - start;
        return;
    }
    p->open_ps[first] += border(p, first + 1) - start;
    p->open_ps[last] += end - border(p, last);
    p->whole[first + 1]++;
    p->whole[last]--;
}

void open_flows_mean(const struct flow_facts *facts, struct tallies tally, uint32_t n_flows, time_ps end, time_ps from,
                     time_ps to, size_t n, int64_t *milli) {
    for (size_t i = 0; i < n; i++) milli[i] = 0;
    if (to - from < (time_ps)n) return;
    struct parts p = {from, to, n, memory_get(n, sizeof *p.open_ps), memory_get(n + 1, sizeof *p.whole)};
    for (uint32_t i = 0; i < n_flows; i++) {
        if (is_counted(&facts[i], end)) open_add(&p, facts[i].start, min_i64(tally_finished_at(tally, i), end));
    }
    int64_t whole = 0;
    for (size_t i = 0; i < n; i++) {
        int128 length = border(&p, i + 1) - border(&p, i);
        whole += p.whole[i];
        milli[i] = (int64_t)((p.open_ps[i] * 1000 + length / 2) / length) + 1000 * whole;
    }
    free(p.open_ps);
    free(p.whole);
}

void open_flows_measure(const struct flow_facts *facts, struct tallies tally, uint32_t n,
                        const struct flow_selection *selection, time_ps end, struct open_flows *o) {
    *o = (struct open_flows){.from = end, .to = 0, .end = end};
    for (uint32_t i = 0; i < n; i++) {
        if (facts[i].once || !is_counted(&facts[i], end) || !flow_is_selected(&facts[i], selection, i, n)) continue;
        o->arrivals++;
        o->from = min_i64(o->from, facts[i].start);
        o->to = max_i64(o->to, facts[i].start);
    }
    o->to = max_i64(o->to, o->from);
    open_flows_mean(facts, tally, n, end, o->from, o->to, OPEN_PARTS, o->part_milli);
    open_flows_mean(facts, tally, n, end, 0, end, OPEN_POINTS, o->point_milli);
}

#define LEAST_MILLI 2000 /* two flows */
#define SHARE 10         /* a tenth of the mean */

/* With x_i = 2 i - (n - 1) the line climbs by 2 n sum(x y) / sum(x x) over all n steps. */
bool open_flows_climb(const struct open_flows *o) {
    int128 xy = 0, xx = 0, sum = 0, n = OPEN_PARTS;
    for (int i = 0; i < OPEN_PARTS; i++) {
        int128 x = 2 * i - (OPEN_PARTS - 1);
        xy += x * o->part_milli[i];
        xx += x * x;
        sum += o->part_milli[i];
    }
    return 2 * n * xy >= LEAST_MILLI * xx && SHARE * 2 * n * n * xy > xx * sum;
}
