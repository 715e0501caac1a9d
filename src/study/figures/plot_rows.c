/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "base/units.h"
#include "study/config/schema.h"
#include "study/config/size_classes.h"
#include "study/config/yaml_doc.h"
#include "study/figures/plot.h"
#include "study/results/json_out.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- selection of arrivals ---- */

struct selection {
    int64_t from_ps;
    double starts[2];
    struct size_classes sizes;
};

static int64_t setting_value(const struct tree_node *config, const char *path, int64_t none) {
    const struct tree_node *n = tree_at(config, path);
    const struct key *k = schema_find(path);
    char why[384];
    int64_t value;
    return n && n->kind == TREE_SCALAR && k && param_parse(&k->param, n->text, &value, why, sizeof why) ? value : none;
}

static void selection_read(const struct run_row *run, struct selection *s) {
    struct diag ignored;
    *s = (struct selection){.starts = {0, PPB}};
    struct tree_node *config = run->config ? tree_parse(run->config, strlen(run->config), "config", &ignored) : NULL;
    if (!config) return;
    s->from_ps = setting_value(config, "measure.from", 0);
    s->starts[0] = (double)setting_value(config, "measure.starts.0", 0);
    s->starts[1] = (double)setting_value(config, "measure.starts.1", PPB);
    const struct tree_node *edges = tree_at(config, "measure.classes");
    for (size_t i = 0; edges && i < edges->n && i < SIZE_EDGES_MAX; i++) {
        char path[KEY_PATH_MAX];
        s->sizes.edge[s->sizes.n_edges++] = (uint64_t)setting_value(config, path_item(path, "measure.classes", i), 0);
    }
    tree_free(config);
}

/* Returns true if arrival number `place` of `n`, which starts at `start_ps`, is selected. */
static bool is_selected(const struct selection *s, size_t place, size_t n, int64_t start_ps) {
    double at = (double)place * PPB;
    return start_ps >= s->from_ps && at >= s->starts[0] * (double)n && at < s->starts[1] * (double)n;
}

/* ---- queries of the store ---- */

struct asking {
    struct plot *plot;
    const struct plot_input *in;
    const struct run_row *run;
    const struct figure_y *y;
    struct plot_curve *curve;
    double factor; /* from the metric's unit to the drawn unit */
    size_t added;
    struct diag *d;
};

static bool store_fails(const struct asking *a) {
    return diag_fail(a->d, a->in->store->path, 0, 0, "results store: %s", sqlite3_errmsg(a->in->store->db));
}

/* Adds an ORDER BY only if shares of the arrivals are selected: sorting takes longer than everything else. */
static const char *ordered(const struct selection *s, const char *sql, const char *order, char *buf, size_t size) {
    bool all = s->starts[0] == 0 && s->starts[1] >= PPB;
    snprintf(buf, size, "%s%s%s", sql, all ? "" : " ORDER BY ", all ? "" : order);
    return buf;
}

static sqlite3_stmt *ask(const struct asking *a, const char *sql) {
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(a->in->store->db, sql, -1, &q, NULL) != SQLITE_OK) {
        store_fails(a);
        return NULL;
    }
    sqlite3_bind_int64(q, 1, a->run->id);
    return q;
}

static bool answered(const struct asking *a, sqlite3_stmt *q, int code) {
    bool ok = code == SQLITE_DONE || store_fails(a);
    sqlite3_finalize(q);
    return ok;
}

static void value_add(struct asking *a, double value) {
    struct plot_curve *c = a->curve;
    if ((c->n_values & (c->n_values - 1)) == 0)
        c->value = memory_grow(c->value, c->n_values ? 2 * c->n_values : 1, sizeof *c->value);
    c->value[c->n_values++] = value * a->factor * a->y->scale + a->y->offset;
    a->added++;
}

static bool count_of(const struct asking *a, const char *sql, size_t *n) {
    sqlite3_stmt *q = ask(a, sql);
    if (!q) return false;
    int code = sqlite3_step(q);
    *n = code == SQLITE_ROW ? (size_t)sqlite3_column_int64(q, 0) : 0;
    return answered(a, q, code == SQLITE_ROW ? SQLITE_DONE : code);
}

/* ---- flows ---- */

static bool class_range(const struct size_classes *sizes, const char *name, struct size_range *range) {
    for (unsigned c = 0; c < FLOW_CLASSES; c++) {
        *range = flow_class_range((enum flow_class)c);
        if (strcmp(flow_class_names[c], name) == 0) return true;
    }
    for (uint32_t i = 0; i < size_classes_count(sizes); i++) {
        char buf[SIZE_CLASS_NAME_MAX];
        *range = size_class_range(sizes, i);
        if (strcmp(size_class_name(sizes, i, buf), name) == 0) return true;
    }
    return false;
}

/* Computes the value of one flow from the columns of flows_sql. Returns false if the flow has no such value. */
typedef bool (*flow_value)(sqlite3_stmt *q, double *value);

static const char flows_sql[] = "SELECT start_ps, bytes, fct_ps, bound_ps FROM flows"
                                " WHERE run=?1 AND start_ps IS NOT NULL";

static bool fct_us(sqlite3_stmt *q, double *value) {
    *value = (double)sqlite3_column_int64(q, 2) / 1e6;
    return true;
}

static bool slowdown(sqlite3_stmt *q, double *value) {
    double bound = sqlite3_column_double(q, 3);
    *value = bound > 0 ? sqlite3_column_double(q, 2) / bound : 0;
    return bound > 0;
}

static bool goodput_mbps(sqlite3_stmt *q, double *value) {
    double fct = sqlite3_column_double(q, 2);
    *value = fct > 0 ? sqlite3_column_double(q, 1) * 8e6 / fct : 0;
    return fct > 0;
}

static bool flow_is_wanted(sqlite3_stmt *q, const struct size_range *range) {
    bool finished = sqlite3_column_type(q, 2) != SQLITE_NULL && sqlite3_column_type(q, 1) != SQLITE_NULL;
    uint64_t bytes = (uint64_t)sqlite3_column_int64(q, 1);
    return finished && bytes >= range->from && bytes < range->to;
}

static bool flows_add(struct asking *a, const char *class, flow_value value_of) {
    struct selection s;
    struct size_range range;
    size_t n, place = 0;
    selection_read(a->run, &s);
    if (!class_range(&s.sizes, class, &range)) return true; /* a class of other runs only */
    if (!count_of(a, "SELECT count(*) FROM flows WHERE run=?1 AND start_ps IS NOT NULL", &n)) return false;
    char sql[256];
    sqlite3_stmt *q = ask(a, ordered(&s, flows_sql, "start_ps, flow", sql, sizeof sql));
    if (!q) return false;
    int code;
    for (; (code = sqlite3_step(q)) == SQLITE_ROW; place++) {
        double value;
        if (!is_selected(&s, place, n, sqlite3_column_int64(q, 0)) || !flow_is_wanted(q, &range)) continue;
        if (value_of(q, &value)) value_add(a, value);
    }
    return answered(a, q, code);
}

/* Adds reordering of flows. Unfinished flows count whatever their start. */
static bool reorder_add(struct asking *a) {
    struct selection s;
    size_t n, place = 0;
    selection_read(a->run, &s);
    if (!count_of(a, "SELECT count(*) FROM flows WHERE run=?1 AND start_ps IS NOT NULL", &n)) return false;
    sqlite3_stmt *q = ask(a, "SELECT start_ps, bytes, received_bytes, max_reorder FROM flows"
                             " WHERE run=?1 AND start_ps IS NOT NULL ORDER BY start_ps, flow");
    if (!q) return false;
    int code;
    for (; (code = sqlite3_step(q)) == SQLITE_ROW; place++) {
        bool endless = sqlite3_column_type(q, 1) == SQLITE_NULL;
        if (!endless && !is_selected(&s, place, n, sqlite3_column_int64(q, 0))) continue;
        if (sqlite3_column_int64(q, 2) > 0) value_add(a, sqlite3_column_double(q, 3));
    }
    return answered(a, q, code);
}

static bool frames_add(struct asking *a) {
    for (uint32_t i = 0; i < DEGREE_BINS; i++) {
        char path[48];
        double count;
        snprintf(path, sizeof path, "counters.reorder_%u", degree_least(i));
        if (json_metric(a->run->result, path, &count) && count > 0) a->curve->frames[i] += count;
    }
    return true;
}

/* ---- queries ---- */

/* Splits "8KiB", "all" or "by_priority.7.8KiB" into priority and size. */
static bool query_filter(const char *name, int64_t *priority, const char **size) {
    int used = 0;
    *priority = -1;
    *size = name;
    if (strncmp(name, "by_priority.", 12) != 0) return true;
    if (sscanf(name + 12, "%" SCNd64 ".%n", priority, &used) != 1 || used == 0) return false;
    *size = name + 12 + used;
    return true;
}

static bool query_is_wanted(sqlite3_stmt *q, int64_t priority, const char *size) {
    char buf[SIZE_NAME_MAX];
    if (sqlite3_column_type(q, 1) == SQLITE_NULL) return false;
    if (priority >= 0 && sqlite3_column_int64(q, 3) != priority) return false;
    return strcmp(size, "all") == 0 || strcmp(size_name((uint64_t)sqlite3_column_int64(q, 2), buf), size) == 0;
}

static bool queries_add(struct asking *a, const char *name) {
    struct selection s;
    size_t n, place = 0;
    int64_t priority;
    const char *size;
    selection_read(a->run, &s);
    if (!query_filter(name, &priority, &size)) return true;
    if (!count_of(a, "SELECT count(*) FROM queries WHERE run=?1 AND start_ps IS NOT NULL", &n)) return false;
    char sql[256];
    sqlite3_stmt *q = ask(a, ordered(&s,
                                     "SELECT start_ps, time_ps, bytes, priority FROM queries"
                                     " WHERE run=?1 AND start_ps IS NOT NULL",
                                     "start_ps, query", sql, sizeof sql));
    if (!q) return false;
    int code;
    for (; (code = sqlite3_step(q)) == SQLITE_ROW; place++) {
        if (!is_selected(&s, place, n, sqlite3_column_int64(q, 0)) || !query_is_wanted(q, priority, size)) continue;
        value_add(a, sqlite3_column_double(q, 1) / 1e6);
    }
    return answered(a, q, code);
}

/* Adds sets of queries. A set counts if its first query does; it has a time if all its queries have one. */
static bool sets_add(struct asking *a, const char *fanout) {
    struct selection s;
    size_t n;
    selection_read(a->run, &s);
    if (!count_of(a, "SELECT count(*) FROM queries WHERE run=?1 AND start_ps IS NOT NULL", &n)) return false;
    sqlite3_stmt *q = ask(a, "WITH asked AS (SELECT *, row_number() OVER (ORDER BY start_ps, query) - 1 AS place"
                             " FROM queries WHERE run=?1 AND start_ps IS NOT NULL),"
                             " sets AS (SELECT min(query) AS first, count(*) AS members, count(time_ps) AS finished,"
                             " max(start_ps + time_ps) - min(start_ps) AS time FROM queries"
                             " WHERE run=?1 AND part_of IS NOT NULL GROUP BY part_of)"
                             " SELECT asked.place, asked.start_ps, sets.members, sets.time FROM sets"
                             " JOIN asked ON asked.query = sets.first WHERE sets.finished = sets.members");
    if (!q) return false;
    int code;
    while ((code = sqlite3_step(q)) == SQLITE_ROW) {
        if (!is_selected(&s, (size_t)sqlite3_column_int64(q, 0), n, sqlite3_column_int64(q, 1))) continue;
        if (strcmp(fanout, "all") != 0 && sqlite3_column_int64(q, 2) != atoll(fanout)) continue;
        value_add(a, sqlite3_column_double(q, 3) / 1e6);
    }
    return answered(a, q, code);
}

/* ---- imbalance ---- */

static bool imbalance_add(struct asking *a, const char *tier) {
    bool tor = strcmp(tier, "tor") == 0;
    sqlite3_stmt *q =
        ask(a, tor ? "SELECT i.value FROM imbalance i JOIN nodes n ON n.run=i.run AND n.node=i.node WHERE i.run=?1"
                     " AND (n.name GLOB 'tor*' OR n.name GLOB 'leaf*')"
                   : "SELECT i.value FROM imbalance i JOIN nodes n ON n.run=i.run AND n.node=i.node WHERE i.run=?1"
                     " AND (n.name GLOB 'agg*' OR n.name GLOB 'spine*')");
    if (!q) return false;
    int code;
    while ((code = sqlite3_step(q)) == SQLITE_ROW) value_add(a, sqlite3_column_double(q, 0));
    return answered(a, q, code);
}

/* ---- hosts ---- */

/* Adds the mean of each host's samples of measure.goodput since measure.from. A host without any open flow has none.
 * Without samples no value is added. */
static bool hosts_add(struct asking *a) {
    struct selection s;
    selection_read(a->run, &s);
    sqlite3_stmt *q =
        ask(a, "SELECT avg(s.value) FROM samples s JOIN ports p ON p.run=s.run AND p.port=s.port"
               " WHERE s.run=?1 AND s.kind='goodput' AND s.at_ps > ?2 AND p.node IN (SELECT dst FROM flows"
               " WHERE run=?1 AND start_ps IS NOT NULL AND (finished_ps IS NULL OR finished_ps > ?2))"
               " GROUP BY p.node");
    if (!q) return false;
    sqlite3_bind_int64(q, 2, s.from_ps);
    int code;
    while ((code = sqlite3_step(q)) == SQLITE_ROW) value_add(a, sqlite3_column_double(q, 0) / 1e9);
    return answered(a, q, code);
}

/* ---- one summary ---- */

static bool fct_add(struct asking *a, const char *class) { return flows_add(a, class, fct_us); }
static bool slowdown_add(struct asking *a, const char *class) { return flows_add(a, class, slowdown); }
static bool goodput_add(struct asking *a, const char *class) { return flows_add(a, class, goodput_mbps); }
static bool all_hosts_add(struct asking *a, const char *rest) { return (void)rest, hosts_add(a); }
static bool all_reorder_add(struct asking *a, const char *rest) { return (void)rest, reorder_add(a); }
static bool all_frames_add(struct asking *a, const char *rest) { return (void)rest, frames_add(a); }

/* Summaries whose values are stored, by their path, or by the beginning of the path before a class. `add` gets the
 * class as `rest`. */
static const struct stored_summary {
    const char *path;
    bool (*add)(struct asking *a, const char *rest);
    bool cdf_only;
} summaries[] = {
    {"fct_us.", fct_add, false},           {"slowdown.", slowdown_add, false},
    {"goodput_mbps.", goodput_add, false}, {"goodput_gbps", all_hosts_add, false},
    {"queries.sets.", sets_add, false},    {"queries.", queries_add, false},
    {"imbalance.", imbalance_add, false},  {"reorder.frames", all_frames_add, true},
    {"reorder", all_reorder_add, false},
};
#define N_SUMMARIES (sizeof summaries / sizeof *summaries)

static bool summary_fits(const struct stored_summary *s, const char *metric) {
    size_t n = strlen(s->path);
    return s->path[n - 1] == '.' ? strncmp(metric, s->path, n) == 0 : strcmp(metric, s->path) == 0;
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

static bool summary_add(struct asking *a) {
    char names[256];
    for (size_t i = 0; i < N_SUMMARIES; i++) {
        const struct stored_summary *s = &summaries[i];
        if (!summary_fits(s, a->y->metric) || (s->cdf_only && a->plot->figure->kind != FIGURE_CDF)) continue;
        return s->add(a, a->y->metric + strlen(s->path));
    }
    return diag_fail(a->d, a->in->store->path, 0, 0,
                     "the values behind %s are not stored; a cdf or a rank can show one of: %s", a->y->metric,
                     summaries_text(names));
}

/* Fails if the store holds fewer or more values than the result counted: they would be values of another run. */
static bool number_check(const struct asking *a) {
    char path[256];
    double n;
    snprintf(path, sizeof path, "%s.n", a->y->metric);
    bool unsampled = strcmp(a->y->metric, "goodput_gbps") == 0 && a->added == 0;
    if (unsampled || strcmp(a->y->metric, "reorder.frames") == 0 || !json_metric(a->run->result, path, &n)) return true;
    if (isnan(n) || (double)a->added == n) return true;
    return diag_fail(a->d, a->in->store->path, 0, 0, "run %u: %s has %.0f values in its result but %zu in the tables",
                     a->run->number, a->y->metric, n, a->added);
}

bool plot_values_add(struct plot *p, const struct plot_input *in, const struct run_row *run, const struct figure_y *y,
                     struct diag *d) {
    struct asking a = {p, in, run, y, plot_curve_at(p, run, y, NULL), unit_factor(metric_unit(y->metric), y->unit),
                       0, d};
    if (!(a.factor > 0)) a.factor = 1;
    return summary_add(&a) && number_check(&a);
}
