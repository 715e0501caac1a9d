/* SPDX-License-Identifier: Apache-2.0 */
#include "study/series/queries.h"

bool run_queries_each(const struct store_reader *r, const struct run_row *run, query_visitor *visit, void *to,
                      struct diag *d) {
    const struct run_selection s = run_selection(run);
    struct arrivals a;
    struct store_rows rows;
    struct query_row x;
    bool ok = arrivals_begin(&a, r, run, STORE_QUERIES, &s.arrivals, d) &&
              store_rows_begin(r, STORE_QUERIES, run->id, &rows, d);
    if (ok) {
        while (store_next_query(&rows, &x)) visit(to, &x, arrivals_next(&a, x.start_ps));
        ok = store_rows_end(&rows, d);
    }
    arrivals_end(&a);
    return ok;
}

/* ---- sets ---- */

struct gathering {
    struct query_set set; /* n = 0: none yet */
    set_visitor *visit;
    void *to;
};

static void set_end(struct gathering *g) {
    if (g->set.n) g->visit(g->to, &g->set);
    g->set = (struct query_set){0};
}

static void set_add(void *to, const struct query_row *x, bool counts) {
    struct gathering *g = to;
    struct query_set *s = &g->set;
    if (s->n && s->part_of != x->part_of) set_end(g);
    if (x->part_of == STORE_NULL) return;
    if (s->n == 0) *s = (struct query_set){x->part_of, 0, 0, x->start_ps, INT64_MIN, counts};
    s->n++;
    if (x->start_ps == STORE_NULL) return;
    if (s->start_ps == STORE_NULL || x->start_ps < s->start_ps) s->start_ps = x->start_ps;
    if (x->time_ps == STORE_NULL) return;
    s->n_done++;
    int64_t end_ps = (int64_t)((uint64_t)x->start_ps + (uint64_t)x->time_ps); /* a damaged store may hold any number */
    if (end_ps > s->end_ps) s->end_ps = end_ps;
}

bool run_sets_each(const struct store_reader *r, const struct run_row *run, set_visitor *visit, void *to,
                   struct diag *d) {
    struct gathering g = {.visit = visit, .to = to};
    bool ok = run_queries_each(r, run, set_add, &g, d);
    if (ok) set_end(&g);
    return ok;
}
