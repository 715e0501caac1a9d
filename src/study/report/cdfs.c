/* SPDX-License-Identifier: Apache-2.0 */
#include "study/report/cdfs.h"

#include "base/memory.h"
#include "measure/result.h"
#include "study/config/size_classes.h"
#include "study/report/pack.h"
#include "study/series/flows.h"
#include "study/results/json_out.h"

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

struct values {
    double *at;
    size_t n, room;
};

static void values_add(struct values *v, double value) {
    if (v->n == v->room) {
        v->room = v->room ? 2 * v->room : 1024;
        v->at = memory_grow(v->at, v->room, sizeof *v->at);
    }
    v->at[v->n++] = value;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double nearest_rank(const double *sorted, size_t n, double share) {
    double exact = share * (double)n - 1e-9;
    size_t rank = exact > 0 ? (size_t)exact + 1 : 1; /* rounded up */
    return sorted[rank - 1];
}

/* {"n": N, "v": values at the grid's shares}; sorts. NULL for nothing. */
static json_t *cdf(struct values *v, const struct grid *g) {
    if (v->n == 0) return NULL;
    double at[sizeof g->share / sizeof *g->share];
    qsort(v->at, v->n, sizeof *v->at, ascending);
    for (size_t i = 0; i < g->n; i++) at[i] = nearest_rank(v->at, v->n, g->share[i]);
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
        free(c->values[i].at);
    }
    if (c->n) json_object_set(out, key, o);
    json_decref(o);
    *c = (struct classes){0};
}

/* ---- flows ---- */

static const char *class_word(int64_t bytes) { return flow_class_names[flow_class_of((uint64_t)bytes)]; }

static void flow_cdfs(const struct run_flows *f, const struct grid *g, json_t *out) {
    struct classes *fct = memory_get(1, sizeof *fct), *slowdown = memory_get(1, sizeof *slowdown);
    for (size_t i = 0; i < f->n; i++) {
        const struct finished_flow *x = &f->flow[i];
        double us = (double)x->fct_ps / 1e6, slow = (double)x->fct_ps / (double)x->bound_ps;
        class_add(fct, "all", us);
        class_add(fct, class_word(x->bytes), us);
        if (x->bound_ps <= 0) continue;
        class_add(slowdown, "all", slow);
        class_add(slowdown, class_word(x->bytes), slow);
    }
    classes_put(out, "fct_us", fct, g);
    classes_put(out, "slowdown", slowdown, g);
    for (size_t i = 0; i < f->n_received; i++) class_add(fct, "all", (double)f->reorder[i]);
    classes_put(out, "reorder", fct, g);
    free(fct);
    free(slowdown);
}

static int by_size(const void *a, const void *b) {
    const struct finished_flow *x = a, *y = b;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static json_t *bucket_json(const struct finished_flow *flow, size_t n, double *slowdown) {
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        if (flow[i].bound_ps > 0) slowdown[m++] = (double)flow[i].fct_ps / (double)flow[i].bound_ps;
    }
    if (m == 0) return NULL;
    qsort(slowdown, m, sizeof *slowdown, ascending);
    const struct finished_flow *median = &flow[n / 2];
    const double row[] = {
        (double)flow[0].bytes,          (double)median->bytes,           (double)flow[n - 1].bytes,      (double)m,
        nearest_rank(slowdown, m, 0.5), nearest_rank(slowdown, m, 0.95), nearest_rank(slowdown, m, 0.99)};
    return pack_numbers(row, sizeof row / sizeof *row);
}

/* Divides the flows into buckets of equal count. Sorts the flows. */
static json_t *size_buckets(struct run_flows *f) {
    json_t *list = json_array();
    double *slowdown = memory_get(f->n + 1, sizeof *slowdown);
    if (f->n) qsort(f->flow, f->n, sizeof *f->flow, by_size);
    for (size_t i = 0; i < SIZE_BUCKETS; i++) {
        size_t from = f->n * i / SIZE_BUCKETS, to = f->n * (i + 1) / SIZE_BUCKETS;
        json_t *row = to > from ? bucket_json(&f->flow[from], to - from, slowdown) : NULL;
        if (row) json_array_append_new(list, row);
    }
    free(slowdown);
    return list;
}

/* ---- queries, ports, imbalance ---- */

struct making {
    const struct store_reader *r;
    const struct point *p;
    const struct grid *g;
    json_t *out;
    struct diag *d;
};

static bool query_cdfs(const struct making *m) {
    struct classes *c = memory_get(1, sizeof *c);
    bool ok = true;
    for (size_t i = 0; ok && i < m->p->n; i++) {
        struct store_rows rows;
        struct query_row q;
        char name[SIZE_NAME_MAX];
        if (!store_rows_begin(m->r, STORE_QUERIES, m->r->run[m->p->run[i]].id, &rows, m->d)) return false;
        while (store_next_query(&rows, &q)) {
            if (q.time_ps == STORE_NULL || q.bytes < 0) continue;
            class_add(c, "all", (double)q.time_ps / 1e6);
            class_add(c, size_name((uint64_t)q.bytes, name), (double)q.time_ps / 1e6);
        }
        ok = store_rows_end(&rows, m->d);
    }
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
        const struct run_row *run = &m->r->run[m->p->run[i]];
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
        if (!store_rows_begin(m->r, STORE_SAMPLES, m->r->run[m->p->run[i]].id, &rows, m->d)) return false;
        while (store_next_sample(&rows, &x)) {
            if (strcmp(x.kind, "queue") == 0) class_add(c, "all", x.value);
        }
        ok = store_rows_end(&rows, m->d);
    }
    classes_put(m->out, "queue_bytes", c, m->g);
    free(c);
    return ok;
}

/* Adds the imbalance by the type of switch, which is the letters of the node's name: tor, agg, leaf, spine. */
static bool imbalance_cdfs(const struct making *m) {
    struct classes *c = memory_get(1, sizeof *c);
    bool ok = true;
    for (size_t i = 0; ok && i < m->p->n; i++) {
        sqlite3_stmt *q = NULL;
        ok = sqlite3_prepare_v2(
                 m->r->db,
                 "SELECT coalesce(rtrim(n.name, '0123456789.'), '?'), i.value FROM imbalance i JOIN nodes n"
                 " ON n.run=i.run AND n.node=i.node WHERE i.run=?1",
                 -1, &q, NULL) == SQLITE_OK;
        if (ok) sqlite3_bind_int64(q, 1, m->r->run[m->p->run[i]].id);
        while (ok && sqlite3_step(q) == SQLITE_ROW)
            class_add(c, (const char *)sqlite3_column_text(q, 0), sqlite3_column_double(q, 1));
        sqlite3_finalize(q);
        if (!ok) diag_fail(m->d, m->r->path, 0, 0, "results store: %s", sqlite3_errmsg(m->r->db));
    }
    classes_put(m->out, "imbalance", c, m->g);
    free(c);
    return ok;
}

json_t *point_distributions(const struct store_reader *r, const struct point *p, const struct selection *selection,
                            const struct grid *g, struct diag *d) {
    json_t *cdfs = json_object();
    struct making m = {r, p, g, cdfs, d};
    struct run_flows flows = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < p->n; i++) ok = run_flows_add(&flows, r, &r->run[p->run[i]], &selection[i], d);
    json_t *buckets = NULL;
    if (ok) {
        flow_cdfs(&flows, g, cdfs);
        buckets = size_buckets(&flows);
    }
    run_flows_free(&flows);
    if (ok && query_cdfs(&m) && port_cdfs(&m) && sample_cdfs(&m) && imbalance_cdfs(&m))
        return json_pack("{s:o, s:o}", "cdfs", cdfs, "by_size", buckets);
    json_decref(cdfs);
    json_decref(buckets);
    return NULL;
}
