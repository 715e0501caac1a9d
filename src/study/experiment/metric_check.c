/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/metric_check.h"

#include "base/memory.h"
#include "base/units.h"
#include "measure/jobs.h"
#include "study/config/part_names.h"
#include "study/config/query_classes.h"
#include "study/config/size_classes.h"
#include "study/metrics/metrics.h"
#include "study/metrics/phase_forms.h"
#include "study/results/json_out.h"
#include "workload/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What decides which keys the result of a run has. */
struct classes {
    struct size_classes sizes;
    struct query_classes queries;
    struct part_names entries, phases;
    bool *is_job; /* [entries.n] */
};

static void jobs_read(const struct config *c, struct classes *k) {
    k->is_job = memory_get(k->entries.n, sizeof *k->is_job);
    for (size_t i = 0; i < k->entries.n; i++) {
        char item[KEY_PATH_MAX], path[KEY_PATH_MAX];
        const struct workload_ops *kind =
            config_row(c, "workloads", path_join(path, path_item(item, "workload", i), "kind"));
        k->is_job[i] = kind && kind->makes_jobs;
    }
}

static bool classes_read(const struct config *c, struct classes *k, struct diag *d) {
    bool ok = size_classes_read(c, &k->sizes, d) && query_classes_read(c, &k->queries, d) &&
              entry_names_read(c, &k->entries, d) && phase_names_read(c, &k->phases, d);
    if (ok) jobs_read(c, k);
    return ok;
}

static void classes_free(struct classes *k) {
    part_names_free(&k->entries);
    part_names_free(&k->phases);
    free(k->is_job);
    k->is_job = NULL;
}

static bool names_same(const struct part_names *a, const struct part_names *b) {
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++)
        same = a->name[i] && b->name[i] ? strcmp(a->name[i], b->name[i]) == 0 : a->name[i] == b->name[i];
    return same;
}

static bool classes_same(const struct classes *a, const struct classes *b) {
    const struct query_classes *p = &a->queries, *q = &b->queries;
    return a->sizes.n_edges == b->sizes.n_edges && p->n_sizes == q->n_sizes && p->n_fanouts == q->n_fanouts &&
           memcmp(a->sizes.edge, b->sizes.edge, sizeof a->sizes.edge) == 0 &&
           memcmp(p->size, q->size, sizeof p->size) == 0 && memcmp(p->fanout, q->fanout, sizeof p->fanout) == 0 &&
           names_same(&a->entries, &b->entries) &&
           memcmp(a->is_job, b->is_job, a->entries.n * sizeof *a->is_job) == 0 && names_same(&a->phases, &b->phases);
}

/* Returns the result of a run without flows, which has every key. The caller frees it. */
static json_t *empty_result(const struct classes *k) {
    struct outcome *none = memory_get(1, sizeof *none);
    struct run_result *r = &none->result;
    r->sizes = k->sizes;
    r->queries.classes = k->queries;
    r->phase = memory_get(k->phases.n, sizeof *r->phase);
    r->entry = memory_get(k->entries.n, sizeof *r->entry);
    for (size_t i = 0; i < k->phases.n; i++)
        snprintf(r->phase[r->n_phases++].name, PART_NAME_MAX, "%s", k->phases.name[i]);
    for (size_t i = 0; i < k->entries.n; i++)
        if (k->entries.name[i]) snprintf(r->entry[r->n_entries++].name, PART_NAME_MAX, "%s", k->entries.name[i]);
    r->job = memory_get(k->entries.n, sizeof *r->job);
    for (size_t i = 0; i < k->entries.n; i++)
        if (k->is_job[i]) job_name(k->entries.name[i], (uint32_t)i, r->job[r->n_jobs++].name);
    json_t *settings = json_object(), *result = metrics_object(0, settings, none);
    json_decref(settings);
    free(r->phase);
    free(r->entry);
    free(r->job);
    free(none);
    return result;
}

/* The last part that was looked up of a path that is no number. */
struct path_end {
    const json_t *at;      /* object whose keys are known in place of the part */
    size_t before, length; /* characters of the path before the part, and of the part */
    bool is_object;        /* the part is itself an object of a result: the path is too short */
};

static struct path_end path_end(const char *path, const json_t *result) {
    struct path_end end = {.at = result, .is_object = true};
    for (size_t next = 0; end.is_object && path[next];) {
        char part[METRIC_KEY_MAX];
        end.before = next;
        end.length = strcspn(path + next, ".");
        snprintf(part, sizeof part, "%.*s", (int)end.length, path + next);
        const json_t *child = json_object_get(end.at, part);
        end.is_object = json_is_object(child);
        if (end.is_object) end.at = child;
        next += end.length + (path[next + end.length] == '.');
    }
    return end;
}

/* Returns the known key that stands for the same size, such as 8KiB for 8192B; NULL if the part is no size or no key is. */
static const char *same_size(const char *part, const char *const *known, size_t n) {
    char why[384];
    int64_t size, other;
    if (!units_parse(PARAM_BYTES, part, &size, why, sizeof why)) return NULL;
    for (size_t i = 0; i < n; i++)
        if (units_parse(PARAM_BYTES, known[i], &other, why, sizeof why) && other == size) return known[i];
    return NULL;
}

/* Writes the path with the nearest known key in place of the wrong part; "" if that is no number of a result. */
static void path_suggest(const char *path, const json_t *result, const struct path_end *end, char *buf, size_t size) {
    const char *known[256], *key;
    char part[METRIC_KEY_MAX];
    json_t *value;
    size_t n = 0;
    double number;
    json_object_foreach((json_t *)end->at, key, value) {
        if (n < sizeof known / sizeof *known) known[n++] = key;
    }
    snprintf(part, sizeof part, "%.*s", (int)end->length, path + end->before);
    const char *nearest = end->is_object ? NULL : same_size(part, known, n);
    if (!nearest && !end->is_object) nearest = diag_nearest(part, known, n);
    snprintf(buf, size, "%.*s%s%s", (int)end->before, path, nearest ? nearest : "", path + end->before + end->length);
    if (!nearest || !json_metric(result, buf, &number)) buf[0] = '\0';
}

/* Returns the metric of the whole run that a path asks for in a phase that the result has: "queues_bytes.max" of
 * "phases.before.queues_bytes.max"; NULL if it is no such path. */
static const char *whole_metric(const char *path, const json_t *result) {
    char phase[METRIC_KEY_MAX];
    double value;
    if (strncmp(path, "phases.", 7) != 0) return NULL;
    size_t length = strcspn(path + 7, ".");
    snprintf(phase, sizeof phase, "%.*s", (int)length, path + 7);
    const char *rest = path[7 + length] ? path + 8 + length : "";
    bool has_phase = json_object_get(json_object_get(result, "phases"), phase) != NULL;
    return has_phase && json_metric(result, rest, &value) ? rest : NULL;
}

static bool phase_form_unknown(const char *path, const char *whole, const struct tree_node *n, struct diag *d) {
    const char *why = phase_form_missing(whole);
    return tree_fail(d, n,
                     "'%s' has no form for phases: %s; so there is no number '%s'. Take '%s', which is of the whole "
                     "run, or a metric of phases (docs/results.md lists them)",
                     whole, why ? why : "it is of the whole run", path, whole);
}

/* Fails for a name where this experiment has none. */
static bool none_named(const char *path, const struct tree_node *n, struct diag *d) {
    bool of_phases = strncmp(path, "phases.", 7) == 0;
    return tree_fail(d, n, "there is no number '%s' in a result: %s", path,
                     of_phases ? "this experiment has no phases, which measure.phases names"
                               : "this experiment has nothing of that kind");
}

static bool metric_unknown(const char *path, const json_t *result, const struct tree_node *n, struct diag *d) {
    struct path_end end = path_end(path, result);
    if (json_object_size(end.at) == 0) return none_named(path, n, d);
    const char *key, **name = memory_get(json_object_size(end.at) + 1, sizeof *name);
    char known[256], nearest[256];
    size_t n_names = 0;
    json_t *value;
    const char *whole = whole_metric(path, result);
    if (whole) {
        free(name);
        return phase_form_unknown(path, whole, n, d);
    }
    json_object_foreach((json_t *)end.at, key, value) name[n_names++] = key;
    diag_names(name, n_names, known, sizeof known);
    free(name);
    path_suggest(path, result, &end, nearest, sizeof nearest);
    return tree_fail(d, n, "there is no number '%s' in a result; at '%.*s' known are: %s%s%s%s", path,
                     (int)(end.length < 63 ? end.length : 63), path + end.before, known,
                     nearest[0] ? "; did you mean '" : "", nearest, nearest[0] ? "'?" : "");
}

/* Returns whether the result of a run with these classes has the number. */
static bool metric_known(const struct classes *k, const char *path) {
    json_t *empty = empty_result(k);
    double value;
    bool known = json_metric(empty, path, &value);
    json_decref(empty);
    return known;
}

bool metric_check(const struct experiment *e, const char *path, const struct tree_node *n, struct diag *d) {
    struct classes classes = {0}, seen = {0};
    bool known = strncmp(path, "counters.", 9) == 0, read = true;
    for (size_t i = 0; i < e->n_runs && !known && read; i++) {
        memset(&classes, 0, sizeof classes);
        read = classes_read(&e->run[i].config, &classes, d);
        bool repeats = i > 0 && classes_same(&classes, &seen);
        known = read && !repeats && metric_known(&classes, path);
        classes_free(&seen);
        seen = classes;
    }
    if (read && !known) {
        json_t *empty = empty_result(&seen);
        metric_unknown(path, empty, n, d);
        json_decref(empty);
    }
    classes_free(&seen);
    return known;
}

bool metric_check_results(const json_t *const *result, size_t n, const char *path, const struct tree_node *where,
                          struct diag *d) {
    const json_t *like = NULL;
    struct metric_info info;
    double value;
    for (size_t i = 0; i < n; i++) {
        if (json_metric(result[i], path, &value)) return true;
        if (result[i] && !like) like = result[i];
        if (metric_is_newer(result[i], path) && metric_describe(path, &info)) return true;
    }
    return !like || metric_unknown(path, like, where, d);
}

bool metric_check_in(const json_t *result, const char *path, const struct tree_node *n, struct diag *d) {
    double value;
    return json_metric(result, path, &value) || metric_unknown(path, result, n, d);
}
