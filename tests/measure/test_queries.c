/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/queries.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

#define MS PS_PER_MS
#define MOST 400

/* A log of queries, each by its start, time and size; query i is flows 2 i and 2 i + 1. */
struct made {
    struct flow flow[2 * MOST];
    struct flow_tally tally[2 * MOST];
    struct query query[MOST];
    struct query_log log;
    struct query_selection all;
    struct query_totals t;
};

static struct made *made_new(void) {
    struct made *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->log = (struct query_log){.query = m->query, .flow = m->flow, .tally = tallies_of(m->tally)};
    m->all = (struct query_selection){.arrivals = {.until = TIME_NONE, .starts_to_ppb = PPB},
                                      .classes = {2, 2, {2000, 8000}, {2, 3}}};
    return m;
}

/* Adds a query. TIME_NONE as time: it never finished; as start too: it never began. */
static uint32_t add(struct made *m, time_ps start, span_ps time, uint64_t bytes, uint32_t set) {
    uint32_t i = m->log.n++, out = 2 * i, back = out + 1;
    assert_true(i < MOST);
    m->query[i] = (struct query){out, back, set};
    m->flow[back].bytes = bytes;
    m->tally[out].started_at = start;
    m->tally[out].finished_at = m->tally[back].started_at = start == TIME_NONE ? TIME_NONE : start + 1;
    m->tally[back].finished_at = time == TIME_NONE ? TIME_NONE : start + time;
    return i;
}

static void queries__from_the_request_to_the_last_byte_of_the_response(void **state) {
    (void)state;
    struct made *m = made_new();
    add(m, 10, 100, 2000, FLOW_NONE);
    add(m, 20, 300, 8000, FLOW_NONE);
    add(m, 30, 200, 2000, FLOW_NONE);
    add(m, 40, 900, 32000, FLOW_NONE); /* of no class */
    add(m, 50, TIME_NONE, 2000, FLOW_NONE);
    add(m, TIME_NONE, TIME_NONE, 2000, FLOW_NONE);
    m->flow[3].priority = 7;
    queries_summarise(&m->log, &m->all, &m->t);
    const struct query_totals *t = &m->t;
    assert_int_equal(t->started, 5);
    assert_int_equal(t->finished, 4);
    assert_int_equal(t->times.all.n, 4);
    assert_int_equal(t->times.all.mean, 375);
    assert_int_equal(t->times.all.max, 900);
    assert_int_equal(t->times.size[0].n, 2);
    assert_int_equal(t->times.size[0].mean, 150);
    assert_int_equal(t->times.size[1].mean, 300);
    assert_int_equal(t->priority[0].all.n, 3);
    assert_int_equal(t->priority[7].all.mean, 300);
    assert_int_equal(t->priority[7].size[0].n, 0);
    assert_int_equal(t->priority[7].size[1].n, 1);
    assert_int_equal(t->sets.n, 0);
    assert_int_equal(t->over, 0);
    free(m);
}

static void selection__by_time_and_by_place_among_the_requests(void **state) {
    (void)state;
    struct made *m = made_new();
    for (int i = 0; i < 10; i++) add(m, (9 - i) * 10, 1000 + i, 2000, FLOW_NONE); /* last first */
    add(m, TIME_NONE, TIME_NONE, 2000, FLOW_NONE);
    m->all.arrivals.starts_from_ppb = PPB / 5;
    m->all.arrivals.starts_to_ppb = PPB / 2;
    queries_summarise(&m->log, &m->all, &m->t);
    assert_int_equal(m->t.times.all.n, 3); /* third to fifth: 20, 30, 40 */
    assert_int_equal(m->t.times.all.max, 1007);
    assert_int_equal(m->t.times.all.min, 1005);
    m->all.arrivals.from = 30;
    queries_summarise(&m->log, &m->all, &m->t);
    assert_int_equal(m->t.times.all.n, 2);
    assert_int_equal(m->t.started, 10);
    free(m);
}

static void fifths__in_the_order_of_starts(void **state) {
    (void)state;
    struct made *m = made_new();
    for (int i = 0; i < 11; i++) add(m, 100 * i, 10 + i, 2000, FLOW_NONE);
    queries_summarise(&m->log, &m->all, &m->t);
    const uint64_t n[] = {2, 2, 2, 2, 3};
    for (int i = 0; i < QUERY_FIFTHS; i++) assert_int_equal(m->t.fifth[i].n, n[i]);
    assert_int_equal(m->t.fifth[0].max, 11);
    assert_int_equal(m->t.fifth[4].max, 20);
    free(m);
}

/* The time of a set runs from its first request to its last response; an incomplete set has none. */
static void sets__from_first_request_to_last_response(void **state) {
    (void)state;
    struct made *m = made_new();
    add(m, 0, 50, 2000, 0);
    add(m, 50, 60, 2000, 0);
    add(m, 110, 5, 8000, 0);
    add(m, 10, 5 * MS, 2000, FLOW_NONE);
    add(m, 20, 7, 2000, 1);
    add(m, 20, 201 * MS, 2000, 1);
    add(m, 30, 9, 2000, 2);
    add(m, 30, TIME_NONE, 2000, 2);
    queries_summarise(&m->log, &m->all, &m->t);
    assert_int_equal(m->t.sets.n, 2);
    assert_int_equal(m->t.sets.min, 115);
    assert_int_equal(m->t.sets.max, 201 * MS);
    assert_int_equal(m->t.fanout[0].n, 1);
    assert_int_equal(m->t.fanout[1].n, 1);
    assert_int_equal(m->t.fanout[1].mean, 115);
    assert_int_equal(m->t.sets_over, 1);
    assert_int_equal(m->t.over, 1);
    free(m);
}

/* One of 200 queries has four timeouts and two have one each, all three in the tail; another with two timeouts is
 * fast. */
static void timeouts__of_both_flows_and_of_the_tail(void **state) {
    (void)state;
    struct made *m = made_new();
    for (int i = 0; i < 200; i++) add(m, i, i < 197 ? 1000 + i : 20 * MS, 2000, FLOW_NONE);
    m->tally[2 * 199].syn_timeouts = 1;
    m->tally[2 * 199].synack_timeouts = 1;
    m->tally[2 * 199 + 1].data_timeouts = 2;
    m->tally[2 * 198 + 1].data_timeouts = 1;
    m->tally[2 * 197].data_timeouts = 1;
    m->tally[2 * 5].data_timeouts = 2;
    m->tally[2 * 6].spurious_timeouts = 1; /* one of the data timeouts, not one more */
    queries_summarise(&m->log, &m->all, &m->t);
    const uint64_t groups[] = {196, 2, 1, 1}, tail[] = {0, 2, 0, 1};
    assert_memory_equal(m->t.timeouts, groups, sizeof groups);
    assert_memory_equal(m->t.timeouts_p99, tail, sizeof tail);
    assert_int_equal(m->t.over, 3);
    free(m);
}

static void none__all_is_empty(void **state) {
    (void)state;
    struct made *m = made_new();
    memset(&m->t, 255, sizeof m->t);
    queries_summarise(&m->log, &m->all, &m->t);
    assert_int_equal(m->t.times.all.n, 0);
    assert_int_equal(m->t.sets.n, 0);
    assert_int_equal(m->t.classes.n_sizes, 2);
    free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(queries__from_the_request_to_the_last_byte_of_the_response),
        UNIT(selection__by_time_and_by_place_among_the_requests),
        UNIT(fifths__in_the_order_of_starts),
        UNIT(sets__from_first_request_to_last_response),
        UNIT(timeouts__of_both_flows_and_of_the_tail),
        UNIT(none__all_is_empty),
    };
    return RUN_UNITS(tests);
}
