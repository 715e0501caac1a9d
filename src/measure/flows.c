/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/flows.h"

#include "base/memory.h"
#include "base/quantiles.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct summary summary_of(int64_t *values, size_t n) {
    struct summary s = {.n = n};
    if (n == 0) return s;
    int128 sum = 0;
    for (size_t i = 0; i < n; i++) sum += values[i];
    int128 half = (int128)n / 2;
    s.mean = (int64_t)((sum < 0 ? sum - half : sum + half) / (int128)n);
    struct quantiles q = quantiles_of(values, n);
    quantiles_at(&q, PPB / 2, &s.p50);
    quantiles_at(&q, 950000000, &s.p95);
    quantiles_at(&q, 990000000, &s.p99);
    quantiles_at(&q, 999000000, &s.p999);
    s.max = values[n - 1];
    s.min = values[0];
    return s;
}

static void totals(const struct flow_facts *facts, struct tallies tally, uint32_t n, time_ps end,
                   struct run_result *r) {
    r->flows_started = r->flows_finished = r->flows_unfinished = r->flows_not_started = r->flow_bytes = 0;
    for (uint32_t i = 0; i < n; i++) {
        r->flows_not_started += facts[i].start >= end && !facts[i].background;
        if (facts[i].start >= end) continue;
        bool finished = tally_finished_at(tally, i) != TIME_NONE || facts[i].bytes == UINT64_MAX || facts[i].background;
        r->flows_started++;
        r->flows_finished += finished;
        r->flows_unfinished += !finished;
        r->flow_bytes += (uint64_t)tally_received_bytes(tally, i);
    }
}

static bool has_fct(const struct flow_facts *facts, struct tallies tally, uint32_t i) {
    return tally_finished_at(tally, i) != TIME_NONE && facts[i].bytes != UINT64_MAX;
}

static bool flow_fails(struct run_result *r, uint32_t i, span_ps fct, int64_t bound) {
    snprintf(r->failure, sizeof r->failure,
             "flow %" PRIu32 " finished in %" PRId64 " ps, under its lower bound of %" PRId64
             " ps: a slowdown under 1 is a bug of the simulator",
             i, fct, bound);
    return false;
}

static bool check_bounds(const struct flow_facts *facts, struct tallies tally, const int64_t *bound_ps, uint32_t n,
                         struct run_result *r) {
    for (uint32_t i = 0; i < n; i++) {
        if (!has_fct(facts, tally, i)) continue;
        span_ps fct = tally_finished_at(tally, i) - facts[i].start;
        int64_t bound = bound_ps ? bound_ps[i] : 0;
        if (fct < bound || fct < 0) return flow_fails(r, i, fct, bound);
    }
    return true;
}

bool flow_is_selected(const struct flow_facts *f, const struct flow_selection *s, uint32_t i, uint32_t n) {
    if (s->entries && f->entry != s->entries - 1) return false;
    return selection_has(&s->arrivals, f->start, s->place ? s->place[i] : i, s->place ? s->n_places : n);
}

/* ---- the order of arrival ---- */

uint32_t *flow_places(struct tallies tally, uint32_t n, uint32_t *n_places) {
    bool listed = true;
    for (uint32_t i = 1; i < n && listed; i++) listed = tally_started_at(tally, i - 1) <= tally_started_at(tally, i);
    listed = listed && (n == 0 || tally_started_at(tally, n - 1) != TIME_NONE);
    *n_places = n;
    if (listed) return NULL;
    time_ps *start = memory_get(n, sizeof *start);
    for (uint32_t i = 0; i < n; i++) start[i] = tally_started_at(tally, i);
    uint32_t *place = arrival_places(start, n, n_places);
    free(start);
    return place;
}

static int64_t slowdown_ppm(span_ps fct, int64_t bound) { return (int64_t)((int128)fct * PPM / bound); }

const char *const flow_class_names[FLOW_CLASSES + 1] = {
    [CLASS_ALL] = "all", [CLASS_MICE] = "mice", [CLASS_MEDIUM] = "medium", [CLASS_ELEPHANT] = "elephant"};

/* Flows without an end (UINT64_MAX bytes) have no FCT and are in no class. */
struct size_range flow_class_range(enum flow_class class) {
    switch (class) {
    case CLASS_MICE: return (struct size_range){0, MICE_BELOW_BYTES};
    case CLASS_MEDIUM: return (struct size_range){MICE_BELOW_BYTES, ELEPHANT_ABOVE_BYTES + 1};
    case CLASS_ELEPHANT: return (struct size_range){ELEPHANT_ABOVE_BYTES + 1, UINT64_MAX};
    default: return (struct size_range){0, UINT64_MAX};
    }
}

struct size_range size_class_range(const struct size_classes *c, uint32_t i) {
    return (struct size_range){i ? c->edge[i - 1] : 0, i < c->n_edges ? c->edge[i] : UINT64_MAX};
}

/* The selected flows of a run, and an array for as many values: of one kind at a time, since a run may have millions. */
struct finishing {
    const struct flow_facts *facts;
    struct tallies tally;
    const int64_t *bound_ps;
    time_ps end;
    uint32_t *selected, n; /* [n] numbers of the flows */
    int64_t *value;
};

static struct finishing finishing_of(const struct flow_facts *facts, struct tallies tally, const int64_t *bound_ps,
                                     uint32_t n, const struct flow_selection *selection, time_ps end) {
    struct finishing f = {.facts = facts, .tally = tally, .bound_ps = bound_ps, .end = end};
    f.selected = memory_get(n, sizeof *f.selected);
    for (uint32_t i = 0; i < n; i++)
        if (flow_is_selected(&facts[i], selection, i, n)) f.selected[f.n++] = i;
    f.value = memory_get(f.n, sizeof *f.value);
    return f;
}

static void finishing_free(struct finishing *f) {
    free(f->selected);
    free(f->value);
}

static bool is_in_range(const struct finishing *f, uint32_t flow, struct size_range range) {
    return f->facts[flow].bytes >= range.from && f->facts[flow].bytes < range.to;
}

static uint64_t unfinished_in(const struct finishing *f, struct size_range range) {
    uint64_t n = 0;
    for (uint32_t k = 0; k < f->n; k++) {
        uint32_t i = f->selected[k];
        if (is_in_range(f, i, range) && !has_fct(f->facts, f->tally, i))
            n += f->facts[i].start < f->end && !f->facts[i].background;
    }
    return n;
}

/* Sets a value of a finished flow; false: it has none. */
typedef bool (*value_fn)(const struct finishing *f, uint32_t flow, int64_t *value);

static bool fct_value(const struct finishing *f, uint32_t flow, int64_t *value) {
    *value = tally_finished_at(f->tally, flow) - f->facts[flow].start;
    return true;
}

static bool data_value(const struct finishing *f, uint32_t flow, int64_t *value) {
    *value = tally_finished_at(f->tally, flow) - tally_first_data_at(f->tally, flow);
    return true;
}

static bool handshake_value(const struct finishing *f, uint32_t flow, int64_t *value) {
    *value = tally_first_data_at(f->tally, flow) - f->facts[flow].start;
    return true;
}

static bool slowdown_value(const struct finishing *f, uint32_t flow, int64_t *value) {
    int64_t bound = f->bound_ps ? f->bound_ps[flow] : 0;
    if (bound > 0) *value = slowdown_ppm(tally_finished_at(f->tally, flow) - f->facts[flow].start, bound);
    return bound > 0;
}

static struct summary values_summarise(const struct finishing *f, struct size_range range, value_fn value) {
    size_t n = 0;
    for (uint32_t k = 0; k < f->n; k++) {
        uint32_t i = f->selected[k];
        if (is_in_range(f, i, range) && has_fct(f->facts, f->tally, i)) n += value(f, i, &f->value[n]);
    }
    return summary_of(f->value, n);
}

static struct flow_times range_summarise(const struct finishing *f, struct size_range range) {
    return (struct flow_times){.unfinished = unfinished_in(f, range),
                               .fct_ps = values_summarise(f, range, fct_value),
                               .slowdown_ppm = values_summarise(f, range, slowdown_value),
                               .handshake_ps = values_summarise(f, range, handshake_value),
                               .data_ps = values_summarise(f, range, data_value)};
}

static void classes_summarise(const struct finishing *f, const struct size_classes *sizes,
                              struct flow_times times[FLOW_CLASSES], struct flow_times of_size[SIZE_CLASSES_MAX]) {
    for (int class = CLASS_ALL; class < FLOW_CLASSES; class ++)
        times[class] = range_summarise(f, flow_class_range(class));
    for (uint32_t i = 0; i < size_classes_count(sizes); i++)
        of_size[i] = range_summarise(f, size_class_range(sizes, i));
}

static uint32_t started(const struct flow_facts *facts, uint32_t n) {
    uint32_t all = 0;
    for (uint32_t i = 0; i < n; i++) all += facts[i].start != TIME_NONE;
    return all;
}

bool flows_summarise(const struct flow_facts *facts, struct tallies tally, const int64_t *bound_ps, uint32_t n,
                     const struct flow_selection *selection, time_ps end, struct run_result *r) {
    static const struct flow_selection all = {.arrivals = SELECTION_ALL};
    totals(facts, tally, n, end, r);
    struct finishing f = finishing_of(facts, tally, bound_ps, n, selection, end);
    r->sizes = selection->sizes;
    classes_summarise(&f, &r->sizes, r->times, r->size_times);
    if (f.n == started(facts, n)) {
        memcpy(r->all_times, r->times, sizeof r->times);
        memcpy(r->all_size_times, r->size_times, sizeof r->size_times);
    } else {
        struct finishing every = finishing_of(facts, tally, bound_ps, n, &all, end);
        classes_summarise(&every, &r->sizes, r->all_times, r->all_size_times);
        finishing_free(&every);
    }
    finishing_free(&f);
    return check_bounds(facts, tally, bound_ps, n, r);
}

/* ---- parts of a run ---- */

void flows_summarise_part(const struct flow_facts *facts, struct tallies tally, const int64_t *bound_ps, uint32_t n,
                          const struct flow_selection *selection, time_ps end, struct flow_part *part) {
    struct finishing f = finishing_of(facts, tally, bound_ps, n, selection, end);
    classes_summarise(&f, &selection->sizes, part->times, part->size_times);
    finishing_free(&f);
}

/* ---- counters of the transports ---- */

#define MILLI 1000 /* scale of small counts, so that means keep three decimals */

struct flow_counts flows_count_transport(const struct flow_facts *facts, struct tallies tally, uint32_t n,
                                         const struct flow_selection *selection) {
    int64_t *held = memory_get(n, sizeof *held), *wasted = memory_get(n, sizeof *wasted),
            *unfilled = memory_get(n, sizeof *unfilled);
    size_t n_held = 0, n_credited = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct flow_tally t = tally_of(tally, i);
        bool selected = flow_is_selected(&facts[i], selection, i, n);
        if (t.received_bytes > 0 && (selected || facts[i].bytes == UINT64_MAX))
            held[n_held++] = (int64_t)t.max_reorder_pkts * MILLI;
        if (!selected || !has_fct(facts, tally, i) || t.credits_sent == 0) continue;
        wasted[n_credited] = (int64_t)t.credits_wasted * MILLI;
        unfilled[n_credited++] = (int64_t)t.unfilled_bytes * MILLI;
    }
    struct flow_counts c = {summary_of(held, n_held), summary_of(wasted, n_credited), summary_of(unfilled, n_credited)};
    free(held);
    free(wasted);
    free(unfilled);
    return c;
}

/* ---- halves of the window ---- */

static time_ps middle_of(const struct open_flows *window) { return window->from + (window->to - window->from) / 2; }

struct selection selection_first_half(const struct selection *s, const struct open_flows *window) {
    struct selection half = *s;
    half.until = min_i64(half.until, middle_of(window));
    return half;
}

struct selection selection_second_half(const struct selection *s, const struct open_flows *window) {
    struct selection half = *s;
    half.from = max_i64(half.from, middle_of(window));
    return half;
}

void flows_summarise_halves(const struct flow_facts *facts, struct tallies tally, const int64_t *bound_ps, uint32_t n,
                            const struct flow_selection *selection, const struct open_flows *window, time_ps end,
                            struct half_total half[2]) {
    struct flow_selection of[2] = {*selection, *selection};
    of[0].arrivals = selection_first_half(&selection->arrivals, window);
    of[1].arrivals = selection_second_half(&selection->arrivals, window);
    for (int i = 0; i < 2; i++) {
        flows_summarise_part(facts, tally, bound_ps, n, &of[i], end, &half[i].flows);
        half[i].counts = flows_count_transport(facts, tally, n, &of[i]);
    }
}
