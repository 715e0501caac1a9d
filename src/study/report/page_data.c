/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the data of the page: experiments with their runs and claims, and as many details as there is room for.
 *
 *  {"version", "grid": shares of CDFs, "stores": [paths], "topologies": {key: topology},
 *   "table": {path of a metric: {"label", "unit", "better": -1 less, 1 more, 0, "signed": may be negative}},
 *   "tables": {name of an experiment: table of results (page_table.h)}, "t95": quantiles, "verdicts": their words,
 *   "experiments": [{"store", "name", "title", "file", "created", "metrics": [names], "zero": [names], "config": text,
 *     "runs": [{"number", "status", "settings", "failure", "identity", "version", "started", "finished", "digest",
 *               "set", "profile": the command line; older stores lack both, "metrics": [values],
 *               "config": [[line, text], ...] or text: the difference to the experiment's}],
 *     "points": [{"settings", "runs": [places], "cdfs", "by_size"}],
 *     "details": {place of a run: {"load", "failed", "series", "slowest", "pauses", "jobs"}}, "claims": [...],
 *     "older": metrics that runs were stored before, or null}]}
 */
#include "study/report/page.h"

#include "base/memory.h"
#include "study/metrics/columns.h"
#include "study/report/cdfs.h"
#include "study/report/job_list.h"
#include "study/report/pack.h"
#include "study/report/page_table.h"
#include "study/report/pause_list.h"
#include "study/report/series.h"
#include "study/report/slowest.h"
#include "study/results/json_out.h"
#include "study/store/claim_words.h"
#include "study/store/older.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DETAILS_BYTES 2400000 /* for all experiments; a browser loads it without delay */
#define FRAME_VALUES 120000   /* most numbers in the frames of one kind of samples of one run */
#define POINTS_MAX 600        /* points with distributions, of all experiments */
#define SHOWN_MAX 64          /* metrics that the page shows at first */

struct making {
    const struct store_reader *r;
    size_t experiment;
    json_t *topologies;
    size_t room; /* bytes left for details */
    const struct grid *grid;
    struct diag *d;
};

/* ---- metrics ---- */

static void number_collect(void *flat, const char *path, const json_t *value) {
    if (json_is_number(value) || json_is_null(value)) json_object_set(flat, path, (json_t *)value);
}

static json_t *metrics_of(const struct run_row *run) {
    json_t *flat = json_object();
    if (!run->result) return flat;
    json_t *result = json_copy(run->result);
    size_t n;
    const struct metric *const *row = metrics(&n);
    for (size_t i = 0; i < n; i++) {
        if (row[i]->names_run) json_object_del(result, row[i]->path);
    }
    json_leaves_each(result, number_collect, flat);
    json_decref(result);
    return flat;
}

/* Notes in `any` which metrics have values: true if some run has a value other than 0; false if all are 0 or null. */
static void metrics_note(const json_t *flat, json_t *any) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)flat, key, value) {
        bool counts = json_is_number(value) && json_number_value(value) != 0;
        if (counts || !json_object_get(any, key)) json_object_set_new(any, key, json_boolean(counts));
    }
}

static void metric_names(const json_t *any, json_t *names, json_t *zero) {
    const char *key;
    json_t *counts;
    json_object_foreach((json_t *)any, key, counts)
        json_array_append_new(json_is_true(counts) ? names : zero, json_string(key));
}

static json_t *metric_values(const json_t *flat, const json_t *names) {
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(names); i++) {
        json_t *value = json_object_get(flat, json_string_value(json_array_get(names, i)));
        json_array_append_new(list, value ? json_incref(value) : json_null());
    }
    return list;
}

/* Adds label, unit and direction of a metric from the table of metrics. */
static void table_add(json_t *table, const char *path) {
    struct metric_info info;
    if (json_object_get(table, path) || !metric_describe(path, &info)) return;
    json_object_set_new(table, path,
                        json_pack("{s:s, s:s, s:i, s:b}", "label", info.label, "unit", metric_unit_name(info.unit),
                                  "better", (int)info.better, "signed", info.row->is_signed));
}

static json_t *table_json(const json_t *experiments) {
    json_t *table = json_object();
    for (size_t i = 0; i < json_array_size(experiments); i++) {
        const json_t *e = json_array_get(experiments, i), *names = json_object_get(e, "metrics"),
                     *claims = json_object_get(e, "claims");
        for (size_t k = 0; k < json_array_size(names); k++)
            table_add(table, json_string_value(json_array_get(names, k)));
        for (size_t k = 0; k < json_array_size(claims); k++)
            table_add(table, json_string_value(json_object_get(json_array_get(claims, k), "metric")));
    }
    return table;
}

/* ---- runs ---- */

/* Returns the lines of `text` that differ from `base`: [[number, line], ...]; the whole text if the numbers of lines
 * differ. */
static json_t *config_difference(const char *base, const char *text) {
    json_t *lines = json_array();
    for (int64_t i = 0; *base && *text; i++) {
        size_t a = strcspn(base, "\n"), b = strcspn(text, "\n");
        if (a != b || memcmp(base, text, a) != 0) json_array_append_new(lines, json_pack("[I, s%]", i, text, b));
        base += a + (base[a] == '\n');
        text += b + (text[b] == '\n');
    }
    if (!*base && !*text) return lines;
    json_decref(lines);
    return json_string(text);
}

static json_t *run_json(const struct run_row *x, const char *base, const json_t *flat, const json_t *names) {
    const json_t *digest = json_object_get(json_object_get(x->result, "engine"), "digest");
    json_t *o = json_pack("{s:I, s:s, s:O, s:s?, s:s, s:s, s:s, s:s, s:s?, s:o}", "number", (json_int_t)x->number,
                          "status", run_status_word(x->status), "settings", x->settings, "failure", x->failure,
                          "identity", x->identity, "version", x->version, "started", x->started, "finished",
                          x->finished, "digest", json_string_value(digest), "metrics", metric_values(flat, names));
    const char *same = base;
    json_t *config = config_difference(same, x->config);
    if (json_is_string(config)) json_string_set(config, x->config);
    if (o) json_object_set(o, "config", config);
    if (o && x->set) json_object_set(o, "set", x->set);
    if (o && x->profile) json_object_set_new(o, "profile", json_string(x->profile));
    json_decref(config);
    return o;
}

static void runs_put(const struct making *m, json_t *out) {
    const struct store_reader *r = m->r;
    json_t **flat = memory_get(r->n_runs + 1, sizeof *flat);
    json_t *any = json_object(), *names = json_array(), *zero = json_array(), *runs = json_array();
    const char *base = NULL;
    for (size_t i = 0; i < r->n_runs; i++) {
        if (r->run[i].experiment != m->experiment || r->run[i].number == 0) continue;
        flat[i] = metrics_of(&r->run[i]);
        metrics_note(flat[i], any);
        if (!base) base = r->run[i].config;
    }
    metric_names(any, names, zero);
    for (size_t i = 0; i < r->n_runs; i++) {
        if (flat[i]) json_array_append_new(runs, run_json(&r->run[i], base, flat[i], names));
        json_decref(flat[i]);
    }
    free(flat);
    json_decref(any);
    json_object_set_new(out, "metrics", names);
    json_object_set_new(out, "zero", zero);
    json_object_set_new(out, "config", json_string(base ? base : ""));
    json_object_set_new(out, "runs", runs);
}

/* Returns the index of the run among the experiment's runs of the page. */
static size_t run_place(const struct making *m, size_t run) {
    size_t place = 0;
    for (size_t i = 0; i < run; i++) place += m->r->run[i].experiment == m->experiment && m->r->run[i].number != 0;
    return place;
}

/* ---- claims ---- */

static json_t *claims_json(const struct making *m) {
    json_t *list = json_array();
    struct claim_words w;
    char outcome[256];
    for (size_t i = 0; i < m->r->n_claims; i++) {
        const struct claim_row *x = &m->r->claim[i];
        if (x->experiment != m->experiment) continue;
        json_t *claim =
            json_pack("{s:s, s:s, s:s, s:s?, s:O, s:O?, s:O?, s:I, s:o, s:o, s:o, s:o, s:b, s:b}", "claim", x->claim,
                      "metric", x->metric, "form", x->form, "note", x->note, "place", x->place, "subject", x->subject,
                      "against", x->against, "seeds", (json_int_t)x->n_seeds, "measured", pack_number(x->measured),
                      "spread", pack_number(x->spread), "low", pack_number(x->low), "high", pack_number(x->high), "met",
                      x->met, "expected", x->expected);
        json_object_set_new(claim, "missing", json_integer(x->n_missing));
        json_object_set_new(claim, "older", json_boolean(claim_is_older(m->r, x)));
        json_object_update_new(claim, json_pack("{s:O?, s:s, s:s?, s:s?, s:b, s:s?, s:s?}", "than", x->than, "verdict",
                                                x->verdict, "reason", x->reason, "recorded", x->recorded, "as_recorded",
                                                x->as_recorded, "roughly", x->roughly, "paper", x->paper));
        claim_words_stored(m->r, x, &w);
        struct estimate shown = claim_shown(&w);
        json_object_set_new(claim, "from", pack_number(shown.low));
        json_object_set_new(claim, "to", pack_number(shown.high));
        claim_outcome_text(&w, false, outcome, sizeof outcome);
        json_object_set_new(claim, "outcome", json_string(outcome));
        json_object_set_new(claim, "sign", json_integer(verdict_sign(w.verdict)));
        json_array_append_new(list, claim);
    }
    return list;
}

/* Returns the words of verdicts, the best first. */
static json_t *verdicts_json(void) {
    json_t *list = json_array();
    for (int v = VERDICT_HOLDS; v <= VERDICT_UNMEASURED; v++)
        json_array_append_new(list, json_string(verdict_word((enum verdict)v)));
    return list;
}

/* Returns the metrics of claims and first tables that runs are too old to have; null if there are none. */
static json_t *older_json(const struct making *m) {
    const char **metric = memory_get(m->r->n_claims + SHOWN_MAX, sizeof *metric), *shown;
    char text[2048];
    size_t n = 0;
    for (size_t i = 0; i < m->r->n_claims; i++) {
        if (m->r->claim[i].experiment == m->experiment) metric[n++] = m->r->claim[i].metric;
    }
    for (size_t i = 0; i < SHOWN_MAX && (shown = metric_shown(i)); i++) metric[n++] = shown;
    struct older older = older_in_store(m->r, m->experiment, metric, n);
    free(metric);
    older_text_of_store(&older, m->r, m->experiment, text, sizeof text);
    return text[0] ? json_string(text) : json_null();
}

/* ---- points ---- */

static json_t *point_json(const struct making *m, const struct point *p, bool distributions) {
    json_t *o = json_object(), *runs = json_array();
    if (distributions) {
        json_decref(o);
        o = point_distributions(m->r, p, m->grid, m->d);
    }
    for (size_t i = 0; i < p->n; i++) json_array_append_new(runs, json_integer((json_int_t)run_place(m, p->run[i])));
    if (o) json_object_set(o, "settings", p->settings);
    if (o) json_object_set(o, "runs", runs);
    json_decref(runs);
    return o;
}

static json_t *points_json(const struct making *m, const struct point *point, size_t n) {
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *o = point_json(m, &point[i], i < POINTS_MAX);
        if (o) {
            json_array_append_new(list, o);
            continue;
        }
        json_decref(list);
        return NULL;
    }
    return list;
}

/* ---- details ---- */

static json_t *detail_make(const struct making *m, const struct run_row *run, const struct topology *t) {
    json_t *series = run_series(m->r, run, t, FRAME_VALUES, m->d),
           *slowest = series ? run_slowest(m->r, run, t, m->d) : NULL,
           *pauses = slowest ? run_pauses(m->r, run, t, m->d) : NULL, *jobs = pauses ? run_jobs(m->r, run, m->d) : NULL;
    if (!jobs) {
        json_decref(series);
        json_decref(slowest);
        json_decref(pauses);
        return NULL;
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "load", topology_load_json(t, run), "failed",
                     topology_failures(t, run_failures_json(m->r, run)), "series", series, "slowest", slowest, "pauses",
                     pauses, "jobs", jobs);
}

static size_t json_size(const json_t *o) { return json_dumpb(o, NULL, 0, JSON_COMPACT | JSON_REAL_PRECISION(9)); }

/* Adds the details of a run if there is room; the first run always gets them. Returns false after filling *d. */
static bool detail_add(struct making *m, size_t run, json_t *details) {
    const struct run_row *x = &m->r->run[run];
    struct topology t;
    char key[32], place[32];
    if (!topology_read(m->r, x, &t, m->d)) return false;
    if (t.n_ports > PORTS_DRAWN_MAX) topology_condense(&t);
    snprintf(key, sizeof key, "%llu", (unsigned long long)topology_key(&t));
    snprintf(place, sizeof place, "%zu", run_place(m, run));
    json_t *topology = json_object_get(m->topologies, key) ? NULL : topology_json(&t), *detail = detail_make(m, x, &t);
    topology_free(&t);
    size_t size = (topology ? json_size(topology) : 0) + (detail ? json_size(detail) : 0);
    bool fits = detail && (size <= m->room || json_object_size(details) == 0);
    if (fits && topology) json_object_set(m->topologies, key, topology);
    if (fits) json_object_set(details, place, detail);
    m->room = fits && size <= m->room ? m->room - size : 0;
    bool ok = detail != NULL;
    json_decref(topology);
    json_decref(detail);
    return ok;
}

/* Adds details: first one seed of every point, then the other runs. */
static json_t *details_json(struct making *m, const struct point *point, size_t n) {
    json_t *details = json_object();
    size_t seeds = 0;
    for (size_t i = 0; i < n; i++) seeds = point[i].n > seeds ? point[i].n : seeds;
    for (size_t k = 0; k < seeds; k++) {
        for (size_t i = 0; i < n; i++) {
            if (k >= point[i].n || (m->room == 0 && json_object_size(details) > 0)) continue;
            if (detail_add(m, point[i].run[k], details)) continue;
            json_decref(details);
            return NULL;
        }
    }
    return details;
}

/* ---- the whole page ---- */

static json_t *experiment_json(struct making *m) {
    const struct experiment_row *x = &m->r->experiment[m->experiment];
    size_t n;
    struct point *point = points_of(m->r, m->experiment, &n);
    json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:s}", "store", m->r->shown, "name", x->name, "title", x->title, "file",
                          x->file, "created", x->created);
    if (!o) o = json_object();
    runs_put(m, o);
    json_object_set_new(o, "claims", claims_json(m));
    json_object_set_new(o, "older", older_json(m));
    json_t *points = points_json(m, point, n), *details = points ? details_json(m, point, n) : NULL;
    if (points) json_object_set_new(o, "points", points);
    if (details) json_object_set_new(o, "details", details);
    points_free(point, n);
    if (details) return o;
    json_decref(o);
    return NULL;
}

static bool experiments_add(struct store_reader *const *reader, size_t n, json_t *page, const struct grid *g,
                            size_t n_experiments, struct diag *d) {
    json_t *list = json_object_get(page, "experiments");
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < reader[i]->n_experiments; k++) {
            struct making m = {reader[i], k, json_object_get(page, "topologies"), DETAILS_BYTES / n_experiments, g, d};
            json_t *o = experiment_json(&m);
            if (!o) return false;
            json_array_append_new(list, o);
        }
    }
    return true;
}

static json_t *page_json(struct store_reader *const *reader, size_t n, const struct report_page_options *o,
                         struct diag *d) {
    size_t n_experiments = 0, n_points = 0;
    struct grid g;
    json_t *stores = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(stores, json_string(reader[i]->shown));
        n_experiments += reader[i]->n_experiments;
        for (size_t k = 0; k < reader[i]->n_experiments; k++) {
            size_t points;
            struct point *point = points_of(reader[i], k, &points);
            points_free(point, points);
            n_points += points;
        }
    }
    grid_fill(&g, n_points);
    json_t *page = json_pack("{s:s, s:o, s:o, s:{}, s:[]}", "version", o->version, "grid", pack_numbers(g.share, g.n),
                             "stores", stores, "topologies", "experiments");
    bool ok = experiments_add(reader, n, page, &g, n_experiments, d);
    json_t *tables = ok ? page_tables(reader, n, o->wish, d) : NULL;
    if (!tables) {
        json_decref(page);
        return NULL;
    }
    json_object_set_new(page, "table", table_json(json_object_get(page, "experiments")));
    json_object_set_new(page, "tables", tables);
    json_object_set_new(page, "t95", page_quantiles(reader, n));
    json_object_set_new(page, "verdicts", verdicts_json());
    return page;
}

json_t *report_page_data(const char *const *stores, size_t n, const struct report_page_options *o, struct diag *d) {
    struct store_reader **reader = memory_get(n + 1, sizeof *reader);
    bool ok = true;
    size_t n_runs = 0;
    for (size_t i = 0; ok && i < n; i++) {
        reader[i] = store_reader_open(stores[i], d);
        ok = reader[i] != NULL;
        if (ok && o->variants) store_reader_show_variants(reader[i]);
        if (ok) n_runs += reader[i]->n_runs;
    }
    if (ok && n_runs == 0)
        ok = diag_fail_in(d, stores[0], "there are no runs in it; run an experiment with -o and this file first");
    json_t *page = ok ? page_json(reader, n, o, d) : NULL;
    for (size_t i = 0; i < n; i++) store_reader_close(reader[i]);
    free(reader);
    return page;
}
