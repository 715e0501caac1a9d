/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/queries.h"

#include "base/memory.h"

#include <stdlib.h>

span_ps query_time(const struct query_log *l, uint32_t i) {
    const struct query *q = &l->query[i];
    time_ps end = tally_finished_at(l->tally, q->response);
    return end == TIME_NONE ? TIME_NONE : end - tally_started_at(l->tally, q->request);
}

static uint32_t flow_timeouts(struct tallies tally, uint32_t flow) {
    struct flow_tally t = tally_of(tally, flow);
    return t.syn_timeouts + t.synack_timeouts + t.data_timeouts;
}

uint32_t query_timeouts(const struct query_log *l, uint32_t i) {
    const struct query *q = &l->query[i];
    return flow_timeouts(l->tally, q->request) + flow_timeouts(l->tally, q->response);
}

/* ---- selected queries, in the order of their starts ---- */

struct chosen {
    uint32_t *asked; /* [n]: the selected queries by time, then number */
    uint32_t n;
    bool *is;       /* [all queries]: whether it is selected */
    int64_t *value; /* [all queries]: scratch for summaries */
};

/* Returns the queries that started, by time, then number, and sets *n. The caller frees it. */
static uint32_t *asked_in_order(const struct query_log *l, time_ps *start, uint32_t *n) {
    for (uint32_t i = 0; i < l->n; i++) start[i] = tally_started_at(l->tally, l->query[i].request);
    uint32_t *place = arrival_places(start, l->n, n), *asked = memory_get(l->n, sizeof *asked);
    for (uint32_t i = 0; i < l->n; i++) asked[place[i]] = i;
    free(place);
    return asked;
}

static void chosen_init(struct chosen *c, const struct query_log *l, const struct query_selection *s) {
    uint32_t started;
    c->is = memory_get(l->n, sizeof *c->is);
    c->value = memory_get(l->n, sizeof *c->value);
    time_ps *start = memory_get(l->n, sizeof *start);
    c->asked = asked_in_order(l, start, &started);
    for (uint32_t k = 0; k < started; k++) {
        uint32_t i = c->asked[k];
        c->is[i] = selection_has(&s->arrivals, start[i], k, started);
        if (c->is[i]) c->asked[c->n++] = i;
    }
    free(start);
}

static void chosen_fini(struct chosen *c) {
    free(c->asked);
    free(c->is);
    free(c->value);
}

/* ---- completion times ---- */

#define ANY_SIZE 0
#define ANY_PRIORITY (-1)

static struct summary times_of(const struct chosen *c, const struct query_log *l, uint64_t size, int priority) {
    size_t n = 0;
    for (uint32_t k = 0; k < c->n; k++) {
        uint32_t i = c->asked[k];
        const struct flow *f = &l->flow[l->query[i].response];
        if (query_time(l, i) == TIME_NONE || (size != ANY_SIZE && f->bytes != size)) continue;
        if (priority != ANY_PRIORITY && f->priority != priority) continue;
        c->value[n++] = query_time(l, i);
    }
    return summary_of(c->value, n);
}

static struct query_times sizes_of(const struct chosen *c, const struct query_log *l, int priority,
                                   const struct query_classes *classes) {
    struct query_times t = {.all = times_of(c, l, ANY_SIZE, priority)};
    for (uint32_t i = 0; i < classes->n_sizes; i++) t.size[i] = times_of(c, l, classes->size[i], priority);
    return t;
}

/* Returns the priorities that occur, bit k for priority k. */
static uint32_t priorities_of(const struct chosen *c, const struct query_log *l) {
    uint32_t priorities = 0;
    for (uint32_t k = 0; k < c->n; k++) priorities |= 1u << l->flow[l->query[c->asked[k]].response].priority;
    return priorities;
}

static void fifths(const struct chosen *c, const struct query_log *l, struct summary fifth[QUERY_FIFTHS]) {
    for (uint32_t part = 0; part < QUERY_FIFTHS; part++) {
        size_t n = 0;
        uint32_t from = (uint32_t)((uint64_t)c->n * part / QUERY_FIFTHS);
        uint32_t to = (uint32_t)((uint64_t)c->n * (part + 1) / QUERY_FIFTHS);
        for (uint32_t k = from; k < to; k++) {
            span_ps time = query_time(l, c->asked[k]);
            if (time != TIME_NONE) c->value[n++] = time;
        }
        fifth[part] = summary_of(c->value, n);
    }
}

/* Counts the finished queries with 0, 1, 2, and 3 or more timeouts, among all and among those at or above the 99th
 * percentile, and the queries over the deadline. This shows how much of the tail timeouts cause. */
static void count_timeouts(const struct chosen *c, const struct query_log *l, struct query_totals *t) {
    for (uint32_t k = 0; k < c->n; k++) {
        uint32_t i = c->asked[k], timeouts = query_timeouts(l, i);
        span_ps time = query_time(l, i);
        if (time == TIME_NONE) continue;
        uint32_t group = timeouts < QUERY_TIMEOUTS ? timeouts : QUERY_TIMEOUTS - 1;
        t->timeouts[group]++;
        t->timeouts_p99[group] += time >= t->times.all.p99;
        t->over += time > QUERY_DEADLINE;
    }
}

/* ---- sets ---- */

/* Returns the completion time of the set of queries first .. first + n - 1, or TIME_NONE. */
static span_ps set_time(const struct query_log *l, uint32_t first, uint32_t n) {
    time_ps start = TIME_NONE, end = 0;
    for (uint32_t i = first; i < first + n; i++) {
        start = min_i64(start, tally_started_at(l->tally, l->query[i].request));
        end = max_i64(end, tally_finished_at(l->tally, l->query[i].response));
    }
    return end == TIME_NONE ? TIME_NONE : end - start;
}

static uint32_t set_length(const struct query_log *l, uint32_t first) {
    uint32_t n = 1;
    while (first + n < l->n && l->query[first + n].set == l->query[first].set) n++;
    return n;
}

/* Summarises the times of the selected sets of `fanout` queries, or of all sets if it is 0. Adds the sets over the
 * deadline to *over if that is not NULL. */
static struct summary sets_of(const struct chosen *c, const struct query_log *l, uint32_t fanout, uint64_t *over) {
    size_t n = 0;
    for (uint32_t first = 0, length; first < l->n; first += length) {
        bool in_set = l->query[first].set != FLOW_NONE;
        length = in_set ? set_length(l, first) : 1;
        if (!in_set || !c->is[first] || (fanout && length != fanout)) continue;
        span_ps time = set_time(l, first, length);
        if (time == TIME_NONE) continue;
        c->value[n++] = time;
        if (over) *over += time > SET_DEADLINE;
    }
    return summary_of(c->value, n);
}

void queries_summarise(const struct query_log *l, const struct query_selection *s, struct query_totals *t) {
    struct chosen c = {0};
    *t = (struct query_totals){.classes = s->classes};
    if (l->n == 0) return;
    for (uint32_t i = 0; i < l->n; i++) {
        t->started += tally_started_at(l->tally, l->query[i].request) != TIME_NONE;
        t->finished += query_time(l, i) != TIME_NONE;
    }
    chosen_init(&c, l, s);
    t->times = sizes_of(&c, l, ANY_PRIORITY, &s->classes);
    for (uint32_t left = priorities_of(&c, l); left; left &= left - 1) {
        int priority = __builtin_ctz(left);
        t->priority[priority] = sizes_of(&c, l, priority, &s->classes);
    }
    fifths(&c, l, t->fifth);
    count_timeouts(&c, l, t);
    t->sets = sets_of(&c, l, 0, &t->sets_over);
    for (uint32_t i = 0; i < s->classes.n_fanouts; i++) t->fanout[i] = sets_of(&c, l, s->classes.fanout[i], NULL);
    chosen_fini(&c);
}
