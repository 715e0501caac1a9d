/* SPDX-License-Identifier: Apache-2.0 */
#include "study/series/distribution.h"

#include "study/config/size_classes.h"
#include "study/results/json_out.h"
#include "study/series/flows.h"
#include "study/series/queries.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct asking {
    const struct store_reader *store;
    const struct run_row *run;
    struct distribution *x;
    struct diag *d;
};

/* ---- flows ---- */

/* The value of one flow; false if it has none. */
typedef bool (*flow_value)(const struct flow_row *x, double *value);

struct of_flows {
    struct values *to;
    struct run_class class;
    flow_value value_of;
};

static void flow_add(void *to, const struct flow_row *x, bool counts) {
    struct of_flows *f = to;
    double value;
    if (!counts || !flow_has_fct(x) || !run_class_has(&f->class, x)) return;
    if (f->value_of(x, &value)) values_add(f->to, value);
}

static bool flows_add(struct asking *a, const char *class, flow_value value_of) {
    const struct run_selection s = run_selection(a->run);
    struct of_flows f = {.to = &a->x->values, .value_of = value_of};
    if (!run_class_find(&s, class, &f.class)) return true; /* a class of other runs only */
    return run_flows_each(a->store, a->run, flow_add, &f, a->d);
}

static bool fct_add(struct asking *a, const char *class) { return flows_add(a, class, flow_fct_us); }
static bool slowdown_add(struct asking *a, const char *class) { return flows_add(a, class, flow_slowdown); }
static bool goodput_add(struct asking *a, const char *class) { return flows_add(a, class, flow_goodput_mbps); }

static void reorder_take(void *to, const struct flow_row *x, bool counts) {
    if (flow_has_reorder(x, counts)) values_add(to, (double)x->max_reorder);
}

static bool reorder_add(struct asking *a, const char *rest) {
    (void)rest;
    return run_flows_each(a->store, a->run, reorder_take, &a->x->values, a->d);
}

static bool frames_add(struct asking *a, const char *rest) {
    (void)rest;
    for (uint32_t i = 0; i < DEGREE_BINS; i++) {
        char path[48];
        double count;
        snprintf(path, sizeof path, "counters.reorder_%u", degree_least(i));
        if (json_metric(a->run->result, path, &count) && count > 0) a->x->frames[i] += count;
    }
    return true;
}

/* ---- queries ---- */

struct of_queries {
    struct values *to;
    int64_t priority; /* -1: any */
    const char *size; /* "8KiB", "all" */
};

/* Splits "8KiB", "all" or "by_priority.7.8KiB" into priority and size. */
static bool query_filter(const char *name, struct of_queries *f) {
    int used = 0;
    f->priority = -1;
    f->size = name;
    if (strncmp(name, "by_priority.", 12) != 0) return true;
    if (sscanf(name + 12, "%" SCNd64 ".%n", &f->priority, &used) != 1 || used == 0) return false;
    f->size = name + 12 + used;
    return true;
}

static void query_add(void *to, const struct query_row *x, bool counts) {
    struct of_queries *f = to;
    char buf[SIZE_NAME_MAX];
    if (!counts || x->time_ps == STORE_NULL || (f->priority >= 0 && x->priority != f->priority)) return;
    if (strcmp(f->size, "all") != 0 && strcmp(size_name((uint64_t)x->bytes, buf), f->size) != 0) return;
    values_add(f->to, (double)x->time_ps / 1e6);
}

static bool queries_add(struct asking *a, const char *name) {
    struct of_queries f = {.to = &a->x->values};
    return !query_filter(name, &f) || run_queries_each(a->store, a->run, query_add, &f, a->d);
}

struct of_sets {
    struct values *to;
    uint32_t fanout; /* 0: any */
};

static void set_add(void *to, const struct query_set *s) {
    struct of_sets *f = to;
    if (!s->counts || s->n_done != s->n || (f->fanout && s->n != f->fanout)) return;
    values_add(f->to, (double)(s->end_ps - s->start_ps) / 1e6);
}

/* Adds sets of queries. A set has a time if all its queries have one. */
static bool sets_add(struct asking *a, const char *fanout) {
    struct of_sets f = {&a->x->values, strcmp(fanout, "all") == 0 ? 0 : (uint32_t)atoll(fanout)};
    return run_sets_each(a->store, a->run, set_add, &f, a->d);
}

/* ---- imbalance ---- */

bool run_imbalance_each(const struct store_reader *r, const struct run_row *run, imbalance_visitor *visit, void *to,
                        struct diag *d) {
    sqlite3_stmt *q = store_ask(r, run->id,
                                "SELECT coalesce(rtrim(n.name, '0123456789.'), '?'), i.value FROM imbalance i"
                                " JOIN nodes n ON n.run=i.run AND n.node=i.node WHERE i.run=?1",
                                d);
    int code = SQLITE_DONE;
    if (!q) return false;
    while ((code = sqlite3_step(q)) == SQLITE_ROW)
        visit(to, (const char *)sqlite3_column_text(q, 0), sqlite3_column_double(q, 1));
    return store_answered(r, q, code, d);
}

struct of_imbalance {
    struct values *to;
    const char *place[2]; /* words of the switches' names */
};

static void imbalance_take(void *to, const char *place, double value) {
    struct of_imbalance *f = to;
    for (size_t i = 0; i < 2; i++) {
        if (strncmp(place, f->place[i], strlen(f->place[i])) == 0) values_add(f->to, value);
    }
}

static bool imbalance_add(struct asking *a, const char *tier) {
    bool tor = strcmp(tier, "tor") == 0;
    struct of_imbalance f = {&a->x->values, {tor ? "tor" : "agg", tor ? "leaf" : "spine"}};
    return run_imbalance_each(a->store, a->run, imbalance_take, &f, a->d);
}

/* ---- hosts ---- */

/* Adds the mean of each host's samples of measure.goodput since measure.from. A host without any open flow has none.
 * Without samples no value is added. */
static bool hosts_add(struct asking *a, const char *rest) {
    (void)rest;
    const struct run_selection s = run_selection(a->run);
    sqlite3_stmt *q =
        store_ask(a->store, a->run->id,
                  "SELECT avg(s.value) FROM samples s JOIN ports p ON p.run=s.run AND p.port=s.port"
                  " WHERE s.run=?1 AND s.kind='goodput' AND s.at_ps > ?2 AND p.node IN (SELECT dst FROM flows"
                  " WHERE run=?1 AND start_ps IS NOT NULL AND (finished_ps IS NULL OR finished_ps > ?2))"
                  " GROUP BY p.node",
                  a->d);
    if (!q) return false;
    sqlite3_bind_int64(q, 2, s.arrivals.from);
    int code;
    while ((code = sqlite3_step(q)) == SQLITE_ROW) values_add(&a->x->values, sqlite3_column_double(q, 0) / 1e9);
    return store_answered(a->store, q, code, a->d);
}

/* ---- one summary ---- */

/* Summaries whose values are stored, by their path, or by the beginning of the path before a class. `add` gets the
 * class as `rest`. */
static const struct stored_summary {
    const char *path;
    bool (*add)(struct asking *a, const char *rest);
    bool is_bins;    /* counts in bins */
    bool is_sampled; /* none where it was not sampled */
} summaries[] = {
    {"fct_us.", fct_add, false, false},           {"slowdown.", slowdown_add, false, false},
    {"goodput_mbps.", goodput_add, false, false}, {"goodput_gbps", hosts_add, false, true},
    {"queries.sets.", sets_add, false, false},    {"queries.", queries_add, false, false},
    {"imbalance.", imbalance_add, false, false},  {"reorder.frames", frames_add, true, false},
    {"reorder", reorder_add, false, false},
};
#define N_SUMMARIES (sizeof summaries / sizeof *summaries)

static bool summary_fits(const struct stored_summary *s, const char *metric) {
    size_t n = strlen(s->path);
    return s->path[n - 1] == '.' ? strncmp(metric, s->path, n) == 0 : strcmp(metric, s->path) == 0;
}

static const struct stored_summary *summary_find(const char *metric, bool bins) {
    for (size_t i = 0; i < N_SUMMARIES; i++) {
        if (summary_fits(&summaries[i], metric) && (bins || !summaries[i].is_bins)) return &summaries[i];
    }
    return NULL;
}

/* Lists the first part of every path once: "fct_us, slowdown, ...". */
static const char *summaries_text(char buf[256]) {
    size_t used = 0;
    for (size_t i = 0; i < N_SUMMARIES; i++) {
        size_t length = strcspn(summaries[i].path, ".");
        bool again = i > 0 && strncmp(summaries[i - 1].path, summaries[i].path, length) == 0 &&
                     strcspn(summaries[i - 1].path, ".") == length;
        if (!again)
            used +=
                (size_t)snprintf(buf + used, 256 - used, "%s%.*s", used ? ", " : "", (int)length, summaries[i].path);
    }
    return buf;
}

/* Fails if the store holds fewer or more values than the result counted: they would be values of another run. */
static bool number_check(const struct asking *a, const struct stored_summary *s, const char *metric, size_t added) {
    char path[256];
    double n;
    snprintf(path, sizeof path, "%s.n", metric);
    if ((s->is_sampled && added == 0) || s->is_bins || !json_metric(a->run->result, path, &n)) return true;
    if (isnan(n) || (double)added == n) return true;
    return diag_fail_in(a->d, a->store->path, "run %u: %s has %.0f values in its result but %zu in the tables",
                        a->run->number, metric, n, added);
}

bool distribution_add(struct distribution *x, const struct store_reader *r, const struct run_row *run,
                      const char *metric, bool bins, struct diag *d) {
    struct asking a = {r, run, x, d};
    const struct stored_summary *s = summary_find(metric, bins);
    char names[256];
    size_t before = x->values.n;
    if (!s)
        return diag_fail_in(d, r->path, "the values behind %s are not stored; a cdf or a rank can show one of: %s",
                            metric, summaries_text(names));
    return s->add(&a, metric + strlen(s->path)) && number_check(&a, s, metric, x->values.n - before);
}

void distribution_free(struct distribution *x) {
    values_free(&x->values);
    *x = (struct distribution){0};
}
