/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/diff.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/config/yaml_doc.h"
#include "study/experiment/settings.h"
#include "study/metrics/metrics.h"
#include "study/print/csv.h"
#include "study/results/json_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define METRICS_FEW 5 /* metrics of a run that are listed unless all are asked for */
#define VALUE_TEXT 96 /* buffer size for a value; longer ones are cut */

/* The runs of a store, one of each identity, sorted by it. */
struct side {
    const struct store_reader *r;
    const struct run_row **run;
    size_t n;
};

struct diffing {
    struct side side[2];
    const struct diff_request *q;
    struct diff_totals *t;
    bool explained; /* the configurations of two runs with the same settings have been compared */
    FILE *out;
};

/* ---- runs of a store ---- */

/* Orders runs by identity; of the same identity a finished run is first. */
static int run_order(const void *pa, const void *pb) {
    const struct run_row *a = *(const struct run_row *const *)pa, *b = *(const struct run_row *const *)pb;
    int order = strcmp(a->identity, b->identity);
    if (order) return order;
    if (a->status != b->status) return a->status == RUN_DONE ? -1 : b->status == RUN_DONE ? 1 : 0;
    return a->id < b->id ? -1 : a->id > b->id;
}

static void side_fill(struct side *s, const struct store_reader *r) {
    *s = (struct side){.r = r, .run = memory_get(r->n_runs, sizeof *s->run)};
    size_t n = 0;
    for (size_t i = 0; i < r->n_runs; i++)
        if (r->run[i].number > 0) s->run[n++] = &r->run[i];
    if (n > 1) qsort(s->run, n, sizeof *s->run, run_order);
    for (size_t i = 0; i < n; i++)
        if (s->n == 0 || strcmp(s->run[s->n - 1]->identity, s->run[i]->identity) != 0) s->run[s->n++] = s->run[i];
}

static const struct run_row *side_find(const struct side *s, const char *identity) {
    size_t low = 0, high = s->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(identity, s->run[middle]->identity);
        if (order == 0) return s->run[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static const char *experiment_of(const struct side *s, const struct run_row *run) {
    return s->r->experiment[run->experiment].name;
}

/* Writes "first 3 (scheme dctcp, run.seed 1)". */
static void run_print(const struct side *s, const struct run_row *run, FILE *out) {
    char settings[400];
    settings_text(run->settings, settings, sizeof settings);
    fprintf(out, "%s %u", experiment_of(s, run), run->number);
    if (settings[0]) fprintf(out, " (%s)", settings);
}

/* ---- metrics of a pair ---- */

/* A walk over two results at once. */
struct walk {
    const json_t *result[2];
    size_t n;    /* metrics that differ */
    bool digest; /* the digest is one of them */
    size_t most; /* metrics to list */
    FILE *list;
    json_t *found; /* {path: [a, b]}, in place of the list; NULL: none */
};

static const char *value_text(const json_t *value, char buf[VALUE_TEXT]) {
    char number[32];
    if (!value) return "absent";
    if (json_is_null(value)) return "null";
    if (json_is_number(value)) {
        snprintf(buf, VALUE_TEXT, "%s", number_print(json_number_value(value), number));
    } else {
        char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
        snprintf(buf, VALUE_TEXT, "%s", text ? text : "?");
        free(text);
    }
    return buf;
}

static void change_print(const json_t *a, const json_t *b, FILE *out) {
    double from = a ? json_number_value(a) : 0, to = b ? json_number_value(b) : 0;
    if (!json_is_number(a) || !json_is_number(b) || from == 0 || from * to < 0) return;
    double change = 100 * (to / from - 1);
    if (isfinite(change) && fabs(change) < 1000) fprintf(out, " (%+.3g %%)", change);
}

/* Returns whether the metric is to be the same in two runs of one identity. */
static bool is_compared(const struct walk *w, const char *path, bool absent) {
    struct metric_info info;
    if (strcmp(path, "settings") == 0) return false;
    if (metric_describe(path, &info) && (info.row->varies || info.row->names_run)) return false;
    return !absent || !(metric_is_newer(w->result[0], path) || metric_is_newer(w->result[1], path));
}

static void pair_walk(struct walk *w, const char *path, const json_t *a, const json_t *b);

static void members_walk(struct walk *w, const char *path, const json_t *a, const json_t *b) {
    const char *key;
    json_t *value;
    char *inner;
    json_object_foreach((json_t *)a, key, value) {
        inner = text_format("%s%s%s", path, *path ? "." : "", key);
        pair_walk(w, inner, value, json_object_get(b, key));
        free(inner);
    }
    json_object_foreach((json_t *)b, key, value) {
        if (json_object_get(a, key)) continue;
        inner = text_format("%s%s%s", path, *path ? "." : "", key);
        pair_walk(w, inner, NULL, value);
        free(inner);
    }
}

/* Returns [a, b], null in place of a value that is not there. */
static json_t *both_json(const json_t *a, const json_t *b) {
    json_t *both = json_array();
    json_array_append_new(both, a ? json_incref((json_t *)a) : json_null());
    json_array_append_new(both, b ? json_incref((json_t *)b) : json_null());
    return both;
}

static void pair_walk(struct walk *w, const char *path, const json_t *a, const json_t *b) {
    char text[2][VALUE_TEXT];
    if (!is_compared(w, path, !a || !b)) return;
    if ((json_is_object(a) || !a) && (json_is_object(b) || !b)) {
        members_walk(w, path, a, b);
        return;
    }
    if (setting_equal(a, b)) return;
    w->n++;
    w->digest |= strcmp(path, "engine.digest") == 0;
    if (w->found) json_object_set_new(w->found, path, both_json(a, b));
    if (w->found || w->n > w->most) return;
    fprintf(w->list, "  %s: %s, %s", path, value_text(a, text[0]), value_text(b, text[1]));
    change_print(a, b, w->list);
    fputc('\n', w->list);
}

/* Returns the lines of the metrics that differ, and fills *w. The caller frees the lines. */
static char *metrics_compare(struct walk *w, const struct diff_request *q, const struct run_row *a,
                             const struct run_row *b) {
    char *lines = NULL;
    size_t size;
    *w = (struct walk){.result = {a->result, b->result}, .most = q->all ? SIZE_MAX : METRICS_FEW};
    w->found = q->json ? json_object() : NULL;
    w->list = text_stream(&lines, &size);
    members_walk(w, "", a->result, b->result);
    text_stream_end(w->list, &lines);
    return lines;
}

/* ---- pairs ---- */

static void status_print(const struct diffing *x, const struct run_row *a, const struct run_row *b) {
    const struct run_row *run[] = {a, b};
    for (size_t s = 0; s < 2; s++) {
        const char *why = run[s]->failure && run[s]->failure[0] ? run[s]->failure : NULL;
        fprintf(x->out, "%s %s in %s%s%s", s ? "," : ":", run_status_word(run[s]->status), x->side[s].r->shown,
                why ? ": " : "", why ? why : "");
    }
    fputc('\n', x->out);
}

static void metrics_print(const struct diffing *x, const struct walk *w, const char *lines) {
    fprintf(x->out, ": %zu metric%s%s\n%s", w->n, w->n == 1 ? "" : "s",
            w->digest ? ", the digest among them" : ", with the same digest", lines);
    if (w->n > w->most) fprintf(x->out, "  and %zu more; --all lists them\n", w->n - w->most);
}

/* Returns {"state", "experiment", "run", "settings"} of a run. */
static json_t *run_json(const struct side *s, const struct run_row *run, const char *state) {
    return json_pack("{s:s, s:s, s:I, s:O}", "state", state, "experiment", experiment_of(s, run), "run",
                     (json_int_t)run->number, "settings", run->settings);
}

static void line_end(json_t *line, FILE *out) {
    json_line(line, out);
    json_decref(line);
}

static void pair_print_json(const struct diffing *x, const struct run_row *a, const struct run_row *b, struct walk *w) {
    json_t *line = run_json(&x->side[0], a, "differs");
    json_object_update_new(line, json_pack("{s:[s, s], s:b, s:O}", "status", run_status_word(a->status),
                                           run_status_word(b->status), "same_digest", !w->digest, "metrics", w->found));
    line_end(line, x->out);
}

static void pair_print(const struct diffing *x, const struct run_row *a, const struct run_row *b, const struct walk *w,
                       const char *lines) {
    fputs("differs: ", x->out);
    run_print(&x->side[0], a, x->out);
    if (a->status != b->status)
        status_print(x, a, b);
    else
        metrics_print(x, w, lines);
}

static void pair_compare(struct diffing *x, const struct run_row *a, const struct run_row *b) {
    struct walk w;
    char *lines = metrics_compare(&w, x->q, a, b);
    bool differs = a->status != b->status || w.n > 0;
    if (differs)
        x->t->different++;
    else
        x->t->same++;
    if (differs && !x->q->quiet && x->q->json) pair_print_json(x, a, b, &w);
    if (differs && !x->q->quiet && !x->q->json) pair_print(x, a, b, &w, lines);
    json_decref(w.found);
    free(lines);
}

/* ---- runs without a partner ---- */

/* Returns the run of the other side with the same experiment and settings, and another identity; NULL if there is none. */
static const struct run_row *namesake(const struct diffing *x, const struct run_row *a) {
    const struct side *other = &x->side[1];
    for (size_t i = 0; i < other->n; i++) {
        const struct run_row *b = other->run[i];
        if (strcmp(experiment_of(&x->side[0], a), experiment_of(other, b)) == 0 && json_equal(a->settings, b->settings))
            return b;
    }
    return NULL;
}

/* Where keys that differ go: lines of text, or {PATH: [a, b]}. */
struct key_sink {
    FILE *out;
    json_t *keys; /* NULL: lines */
};

static size_t config_walk(const char *path, const struct tree_node *a, const struct tree_node *b,
                          const struct key_sink *to);

/* Walks the members of `of`, a or b, except those of b that a has too. */
static size_t config_members(const char *path, const struct tree_node *of, const struct tree_node *a,
                             const struct tree_node *b, const struct key_sink *to) {
    size_t n = 0;
    for (size_t i = 0; of && i < of->n; i++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", i);
        const char *key = of->key ? of->key[i]->text : number;
        const struct tree_node *in_a = a ? tree_at(a, key) : NULL, *in_b = b ? tree_at(b, key) : NULL;
        if (of == b && in_a) continue;
        char *inner = text_format("%s%s%s", path, *path ? "." : "", key);
        n += config_walk(inner, in_a, in_b, to);
        free(inner);
    }
    return n;
}

static const char *leaf_text(const struct tree_node *n) {
    return !n ? "absent" : n->kind == TREE_SCALAR ? n->text : "...";
}

/* Writes the leaves that differ. Returns how many. */
static size_t config_walk(const char *path, const struct tree_node *a, const struct tree_node *b,
                          const struct key_sink *to) {
    if (a && b && tree_equal(a, b)) return 0;
    if ((!a || a->kind != TREE_SCALAR) && (!b || b->kind != TREE_SCALAR))
        return config_members(path, a, a, b, to) + config_members(path, b, a, b, to);
    if (to->keys)
        json_object_set_new(to->keys, path, json_pack("[s?, s?]", a ? leaf_text(a) : NULL, b ? leaf_text(b) : NULL));
    else
        fprintf(to->out, "  %s: %s, %s\n", path, leaf_text(a), leaf_text(b));
    return 1;
}

/* Hands the keys that differ between the configurations of two runs to the sink, and counts them. False: a configuration
 * cannot be read. */
static bool configs_compare(const struct run_row *a, const struct run_row *b, const struct key_sink *to, size_t *n) {
    struct diag ignored;
    struct tree_node *tree[2] = {0};
    const char *text[] = {a->config ? a->config : "", b->config ? b->config : ""};
    for (size_t s = 0; s < 2; s++) tree[s] = tree_parse(text[s], strlen(text[s]), "configuration", &ignored);
    bool known = tree[0] && tree[1];
    if (known) *n = config_walk("", tree[0], tree[1], to);
    for (size_t s = 0; s < 2; s++) tree_free(tree[s]);
    return known;
}

/* Writes which keys differ between the configurations of two runs that have the same name. */
static void namesake_explain(struct diffing *x, const struct run_row *a, const struct run_row *b) {
    char *keys = NULL;
    size_t size, n = 0;
    const struct key_sink to = {text_stream(&keys, &size), NULL};
    bool known = configs_compare(a, b, &to, &n);
    text_stream_end(to.out, &keys);
    x->explained = true;
    if (known) {
        run_print(&x->side[0], a, x->out);
        fprintf(x->out, " has the same settings in both, but these keys differ:\n%s", keys);
    }
    if (known && n == 0)
        fprintf(x->out,
                "  none; the contents of a file that it names differ, or the result versions (heddle %s, heddle %s)\n",
                a->version ? a->version : "?", b->version ? b->version : "?");
    free(keys);
}

static void only_print_json(const struct diffing *x, size_t s, const struct run_row *run, const struct run_row *other) {
    json_t *line = run_json(&x->side[s], run, "only"), *keys = json_object();
    const struct key_sink to = {NULL, keys};
    size_t n;
    json_object_set_new(line, "in", json_string(x->side[s].r->shown));
    if (other && configs_compare(run, other, &to, &n))
        json_object_set_new(line, "namesake", json_pack("{s:I, s:O}", "run", (json_int_t)other->number, "keys", keys));
    json_decref(keys);
    line_end(line, x->out);
}

static void only_print(struct diffing *x, size_t s, const struct run_row *run) {
    x->t->only[s]++;
    if (x->q->quiet) return;
    bool is_asked = s == 0 && (x->q->json || !x->explained);
    const struct run_row *other = is_asked ? namesake(x, run) : NULL;
    if (x->q->json) {
        only_print_json(x, s, run, other);
        return;
    }
    fprintf(x->out, "only in %s: ", x->side[s].r->shown);
    run_print(&x->side[s], run, x->out);
    fputc('\n', x->out);
    if (other) namesake_explain(x, run, other);
}

/* ---- two stores ---- */

/* Returns whether the run is the one that stands for its identity. */
static bool stands_for(const struct side *s, const struct run_row *run) {
    return run->number > 0 && side_find(s, run->identity) == run;
}

void stores_diff(const struct store_reader *const store[2], const struct diff_request *q, struct diff_totals *t,
                 FILE *out) {
    struct diffing x = {.q = q, .t = t, .out = out};
    *t = (struct diff_totals){0};
    for (size_t s = 0; s < 2; s++) side_fill(&x.side[s], store[s]);
    for (size_t s = 0; s < 2; s++) {
        for (size_t i = 0; i < store[s]->n_runs; i++) { /* in the order of the store */
            const struct run_row *run = &store[s]->run[i];
            if (!stands_for(&x.side[s], run)) continue;
            const struct run_row *other = side_find(&x.side[1 - s], run->identity);
            if (!other)
                only_print(&x, s, run);
            else if (s == 0)
                pair_compare(&x, run, other);
        }
    }
    if (q->json)
        line_end(json_pack("{s:[s, s], s:I, s:I, s:[I, I]}", "stores", store[0]->shown, store[1]->shown, "same",
                           (json_int_t)t->same, "different", (json_int_t)t->different, "only", (json_int_t)t->only[0],
                           (json_int_t)t->only[1]),
                 out);
    else
        fprintf(out, "%zu runs the same, %zu different, %zu only in %s, %zu only in %s\n", t->same, t->different,
                t->only[0], store[0]->shown, t->only[1], store[1]->shown);
    for (size_t s = 0; s < 2; s++) free(x.side[s].run);
}
