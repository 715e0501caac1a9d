/* SPDX-License-Identifier: Apache-2.0 */
#include "study/report/cdfs.h"

#include "base/memory.h"
#include "measure/result.h"
#include "study/config/size_classes.h"
#include "study/report/pack.h"
#include "study/results/json_out.h"
#include "study/series/distribution.h"
#include "study/series/flows.h"
#include "study/series/queries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the grid ---- */

void grid_fill(struct grid *g, size_t n_points) {
    static const double tail[] = {0.995, 0.999, 0.9995, 0.9999, 1};
    size_t steps = n_points <= 30 ? 100 : n_points <= 100 ? 50 : 20;
    g->n = 0;
    for (size_t i = 0; i < steps; i++) g->share[g->n++] = (double)i / (double)steps;
    if (steps < 100) g->share[g->n++] = 0.99;
    for (size_t i = 0; i < sizeof tail / sizeof *tail; i++) g->share[g->n++] = tail[i];
}

/* ---- values ---- */

/* {"n": N, "v": values at the grid's shares}; sorts. NULL for nothing. */
static json_t *cdf(struct values *v, const struct grid *g) {
    if (v->n == 0) return NULL;
    double at[sizeof g->share / sizeof *g->share];
    values_sort(v);
    for (size_t i = 0; i < g->n; i++) at[i] = values_at(v, g->share[i]);
    return json_pack("{s:I, s:o}", "n", (json_int_t)v->n, "v", pack_numbers(at, g->n));
}

/* Values by the name of their class. A linear search finds a class, since there are few. */
#define CLASSES_MAX 24
struct classes {
    char name[CLASSES_MAX][32];
    struct values values[CLASSES_MAX];
    size_t n;
};

static void class_add(struct classes *c, const char *name, double value) {
    size_t at = 0;
    while (at < c->n && strcmp(c->name[at], name) != 0) at++;
    if (at == CLASSES_MAX) return;
    if (at == c->n) snprintf(c->name[c->n++], sizeof c->name[0], "%s", name);
    values_add(&c->values[at], value);
}

/* Puts the CDFs under `key` of `out`, if there are any. */
static void classes_put(json_t *out, const char *key, struct classes *c, const struct grid *g) {
    json_t *o = json_object();
    for (size_t i = 0; i < c->n; i++) {
        json_object_set_new(o, c->name[i], cdf(&c->values[i], g));
        values_free(&c->values[i]);
    }
    if (c->n) json_object_set(out, key, o);
    json_decref(o);
    *c = (struct classes){0};
}

/* ---- flows ---- */

/* A flow that counts, for the buckets by size. */
struct sized {
    int64_t bytes;
    double slowdown;
};

/* The flows of all runs of a point that count. */
struct of_flows {
    struct classes fct, slowdown, reorder;
    struct sized *sized;
    size_t n, room;
};

static void sized_add(struct of_flows *f, int64_t bytes, double slowdown) {
    if (f->n == f->room) {
        f->room = f->room ? 2 * f->room : 4096;
        f->sized = memory_grow(f->sized, f->room, sizeof *f->sized);
    }
    f->sized[f->n++] = (struct sized){bytes, slowdown};
}

static void flow_take(void *to, const struct flow_row *x, bool counts) {
    struct of_flows *f = to;
    double value;
    if (flow_has_reorder(x, counts)) class_add(&f->reorder, "all", (double)x->max_reorder);
    if (!counts || !flow_has_fct(x)) return;
    const char *class = flow_class_names[flow_class_of((uint64_t)x->bytes)];
    flow_fct_us(x, &value);
    class_add(&f->fct, "all", value);
    class_add(&f->fct, class, value);
    bool has_slowdown = flow_slowdown(x, &value);
    sized_add(f, x->bytes, has_slowdown ? value : NAN);
    if (!has_slowdown) return;
    class_add(&f->slowdown, "all", value);
    class_add(&f->slowdown, class, value);
}

static int by_size(const void *a, const void *b) {
    const struct sized *x = a, *y = b;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Percentiles by size. With `least` flows in a bucket the interval by ranks ends below the largest value: half its width is
 * 1.96 sqrt(n p (1 - p)) ranks. */
static const struct {
    const char *name;
    double share;
    size_t least;
} by_size_shares[] = {{"p50", 0.5, 20}, {"p95", 0.95, 120}, {"p99", 0.99, 600}};

/* Returns the value at a rank from 1, or at the nearest there is. */
static double value_at_rank(const struct values *v, double rank) {
    size_t at = rank < 1 ? 1 : rank > (double)v->n ? v->n : (size_t)rank;
    return v->at[at - 1];
}

/* Returns a bucket of the n flows, which have slowdowns; NULL if none has. */
static json_t *bucket_json(const struct sized *flow, size_t n, double share, struct values *slowdown) {
    values_clear(slowdown);
    for (size_t i = 0; i < n; i++)
        if (!isnan(flow[i].slowdown)) values_add(slowdown, flow[i].slowdown);
    if (slowdown->n == 0) return NULL;
    values_sort(slowdown);
    size_t middle = n / 2;
    double of_n = (double)slowdown->n, half = 1.96 * sqrt(of_n * share * (1 - share));
    const double row[] = {(double)flow[0].bytes,
                          (double)flow[middle].bytes,
                          (double)flow[n - 1].bytes,
                          of_n,
                          values_at(slowdown, share),
                          value_at_rank(slowdown, floor(of_n * share - half)),
                          value_at_rank(slowdown, ceil(of_n * share + half))};
    return pack_numbers(row, sizeof row / sizeof *row);
}

/* Divides the sorted flows into buckets of equal count that carry this percentile. */
static json_t *buckets_of(const struct of_flows *f, size_t k, struct values *slowdown) {
    json_t *list = json_array();
    size_t fit = f->n / by_size_shares[k].least, n = fit < SIZE_BUCKETS ? fit : SIZE_BUCKETS;
    for (size_t i = 0; n > 1 && i < n; i++) {
        size_t from = f->n * i / n, to = f->n * (i + 1) / n;
        json_t *row = bucket_json(&f->sized[from], to - from, by_size_shares[k].share, slowdown);
        if (row) json_array_append_new(list, row);
    }
    return list;
}

static json_t *size_buckets(struct of_flows *f) {
    json_t *by_share = json_object();
    struct values slowdown = {0};
    if (f->n) qsort(f->sized, f->n, sizeof *f->sized, by_size);
    for (size_t k = 0; k < sizeof by_size_shares / sizeof *by_size_shares; k++)
        json_object_set_new(by_share, by_size_shares[k].name, buckets_of(f, k, &slowdown));
    values_free(&slowdown);
    return by_share;
}

/* ---- queries, ports, imbalance ---- */

struct making {
    const struct store_reader *r;
    const struct point *p;
    const struct grid *g;
    json_t *out;
    struct diag *d;
};

static const struct run_row *run_of(const struct making *m, size_t i) { return &m->r->run[m->p->run[i]]; }

/* Adds FCT, slowdown and reordering to the distributions, and sets *buckets to those by size. */
static bool flow_cdfs(const struct making *m, json_t **buckets) {
    struct of_flows *f = memory_get(1, sizeof *f);
    bool ok = true;
    for (size_t i = 0; ok && i < m->p->n; i++) ok = run_flows_each(m->r, run_of(m, i), flow_take, f, m->d);
    classes_put(m->out, "fct_us", &f->fct, m->g);
    classes_put(m->out, "slowdown", &f->slowdown, m->g);
    classes_put(m->out, "reorder", &f->reorder, m->g);
    *buckets = ok ? size_buckets(f) : NULL;
    free(f->sized);
    free(f);
    return ok;
}

static void query_take(void *to, const struct query_row *q, bool counts) {
    struct classes *c = to;
    char name[SIZE_NAME_MAX];
    if (!counts || q->time_ps == STORE_NULL || q->bytes < 0) return;
    class_add(c, "all", (double)q->time_ps / 1e6);
    class_add(c, size_name((uint64_t)q->bytes, name), (double)q->time_ps / 1e6);
}

static bool query_cdfs(const struct making *m) {
    struct classes *c = memory_get(1, sizeof *c);
    bool ok = true;
    for (size_t i = 0; ok && i < m->p->n; i++) ok = run_queries_each(m->r, run_of(m, i), query_take, c, m->d);
    classes_put(m->out, "query_us", c, m->g);
    free(c);
    return ok;
}

/* Returns the length of the time of averages; that of the run if the result is older than these keys. */
static double averaged_ps(const struct run_row *run) {
    double from, to, sim_s = 0;
    if (json_metric(run->result, "averages.from_us", &from) && json_metric(run->result, "averages.to_us", &to))
        return (to - from) * 1e6;
    json_metric(run->result, "engine.sim_s", &sim_s);
    return sim_s * 1e12;
}

static bool port_cdfs(const struct making *m) {
    struct classes *queue = memory_get(1, sizeof *queue), *paused = memory_get(1, sizeof *paused);
    bool ok = true, any_pause = false;
    for (size_t i = 0; ok && i < m->p->n; i++) {
        const struct run_row *run = run_of(m, i);
        struct store_rows rows;
        struct port_row x;
        if (!store_rows_begin(m->r, STORE_PORTS, run->id, &rows, m->d)) return false;
        double whole = averaged_ps(run);
        while (store_next_port(&rows, &x)) {
            const char *tier = x.link_tier ? x.link_tier : "other";
            class_add(queue, tier, (double)x.queue_max_bytes);
            any_pause = any_pause || x.paused_ps > 0;
            if (x.paused_ps != STORE_NULL) class_add(paused, tier, whole > 0 ? (double)x.paused_ps / whole : 0);
        }
        ok = store_rows_end(&rows, m->d);
    }
    classes_put(m->out, "queue_max_bytes", queue, m->g);
    classes_put(m->out, "paused_share", paused, m->g);
    if (!any_pause) json_object_del(m->out, "paused_share");
    free(queue);
    free(paused);
    return ok;
}

static bool sample_cdfs(const struct making *m) {
    struct classes *c = memory_get(1, sizeof *c);
    bool ok = true;
    for (size_t i = 0; ok && i < m->p->n; i++) {
        struct store_rows rows;
        struct sample_row x;
        if (!store_rows_begin(m->r, STORE_SAMPLES, run_of(m, i)->id, &rows, m->d)) return false;
        while (store_next_sample(&rows, &x)) {
            if (strcmp(x.kind, "queue") == 0) class_add(c, "all", x.value);
        }
        ok = store_rows_end(&rows, m->d);
    }
    classes_put(m->out, "queue_bytes", c, m->g);
    free(c);
    return ok;
}

static void imbalance_take(void *to, const char *place, double value) { class_add(to, place, value); }

static bool imbalance_cdfs(const struct making *m) {
    struct classes *c = memory_get(1, sizeof *c);
    bool ok = true;
    for (size_t i = 0; ok && i < m->p->n; i++) ok = run_imbalance_each(m->r, run_of(m, i), imbalance_take, c, m->d);
    classes_put(m->out, "imbalance", c, m->g);
    free(c);
    return ok;
}

json_t *point_distributions(const struct store_reader *r, const struct point *p, const struct grid *g, struct diag *d) {
    json_t *cdfs = json_object(), *buckets = NULL;
    struct making m = {r, p, g, cdfs, d};
    if (flow_cdfs(&m, &buckets) && query_cdfs(&m) && port_cdfs(&m) && sample_cdfs(&m) && imbalance_cdfs(&m))
        return json_pack("{s:o, s:o}", "cdfs", cdfs, "by_size", buckets);
    json_decref(cdfs);
    json_decref(buckets);
    return NULL;
}
