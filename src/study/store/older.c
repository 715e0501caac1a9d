/* SPDX-License-Identifier: Apache-2.0 */
#include "study/store/older.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/metrics/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns true if `whole` has a key that `result` lacks, at any depth. */
static bool keys_are_lacking(const json_t *whole, const json_t *result) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)whole, key, value) {
        const json_t *there = json_object_get(result, key);
        if (!there || (json_is_object(value) && keys_are_lacking(value, there))) return true;
    }
    return false;
}

bool result_is_older(const json_t *result) {
    static const struct outcome none;
    const char *version = json_string_value(json_object_get(result, "metrics"));
    if (version && strcmp(version, metrics_version()) == 0) return false;
    size_t n;
    const struct metric *const *row = metrics(&n);
    json_t *settings = json_object(), *whole = metrics_object(0, settings, &none);
    for (size_t i = 0; i < n; i++) {
        if (row[i]->names_run) json_object_del(whole, row[i]->path);
    }
    bool lacking = keys_are_lacking(whole, result);
    json_decref(whole);
    json_decref(settings);
    return lacking;
}

static bool any_is_newer(json_t *const *result, size_t n, const char *metric) {
    for (size_t i = 0; i < n; i++) {
        if (result[i] && metric_is_newer(result[i], metric)) return true;
    }
    return false;
}

static bool is_repeated(const char *const *metric, size_t at) {
    for (size_t i = 0; i < at; i++) {
        if (strcmp(metric[i], metric[at]) == 0) return true;
    }
    return false;
}

struct older older_find(json_t *const *result, size_t n, const char *const *metric, size_t n_metrics) {
    struct older o = {0};
    for (size_t k = 0; k < n_metrics; k++) {
        if (is_repeated(metric, k) || !any_is_newer(result, n, metric[k])) continue;
        if (!o.metric) o.metric = metric[k];
        o.n_metrics++;
    }
    for (size_t i = 0; i < n; i++) {
        bool lacks = false;
        for (size_t k = 0; result[i] && k < n_metrics && !lacks; k++) lacks = metric_is_newer(result[i], metric[k]);
        o.of += result[i] != NULL;
        o.runs += lacks;
    }
    return o;
}

/* Prints `word` quoted for a shell. */
static void word_print(FILE *out, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (*word && word[strspn(word, plain)] == '\0') {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    }
    fputc('\'', out);
}

static void command_print(FILE *out, const struct again *a) {
    fprintf(out, "heddle run ");
    word_print(out, a->file);
    if (a->profile) {
        fprintf(out, " --profile ");
        word_print(out, a->profile);
    }
    for (size_t i = 0; i < json_array_size(a->set); i++) {
        fprintf(out, " --set ");
        word_print(out, json_string_value(json_array_get(a->set, i)));
    }
    fprintf(out, " -o ");
    word_print(out, a->store);
    fprintf(out, " --renew");
}

const char *older_text(const struct older *o, const struct again *a, char *buf, size_t size) {
    char *text = NULL;
    size_t length;
    buf[0] = '\0';
    if (!o->metric) return buf;
    FILE *out = text_stream(&text, &length);
    fprintf(out, "%zu of %zu run%s in %s %s stored before %s ", o->runs, o->of, o->of == 1 ? "" : "s", a->store,
            o->runs == 1 ? "was" : "were", o->metric);
    if (o->n_metrics > 1) fprintf(out, "and %zu more metric%s ", o->n_metrics - 1, o->n_metrics == 2 ? "" : "s");
    fprintf(out, "%s measured; to run %s again: ", o->n_metrics > 1 ? "were" : "was", o->runs == 1 ? "it" : "them");
    command_print(out, a);
    text_stream_end(out, &text);
    snprintf(buf, size, "%s", text);
    free(text);
    return buf;
}

#define COLUMNS_ASKED 32

bool older_warn(const struct experiment *e, json_t *const *result, const struct claim_outcome *outcome, size_t n,
                const char *store, FILE *out) {
    const char **metric = memory_get(n + COLUMNS_ASKED, sizeof *metric), *shown;
    size_t n_metrics = 0;
    bool is_lacking = false;
    for (size_t i = 0; i < n; i++) {
        is_lacking = is_lacking || outcome[i].older;
        metric[n_metrics++] = outcome[i].expectation->metric;
    }
    for (size_t i = 0; i < COLUMNS_ASKED && (shown = metric_shown(i)); i++) metric[n_metrics++] = shown;
    struct older older = older_find(result, e->n_runs, metric, n_metrics);
    const struct again again = {e->file, e->profile, e->set, store};
    char text[2048];
    if (older.metric) fprintf(out, "%s: warning: %s\n", e->file, older_text(&older, &again, text, sizeof text));
    free(metric);
    return is_lacking;
}

/* ---- results of a store ---- */

static bool is_finished(const struct store_reader *r, size_t run, size_t experiment) {
    const struct run_row *x = &r->run[run];
    return x->experiment == experiment && x->number > 0 && x->status == RUN_DONE && x->result;
}

struct older older_in_store(const struct store_reader *r, size_t experiment, const char *const *metric,
                            size_t n_metrics) {
    json_t **result = memory_get(r->n_runs + 1, sizeof *result);
    for (size_t i = 0; i < r->n_runs; i++) result[i] = is_finished(r, i, experiment) ? r->run[i].result : NULL;
    struct older older = older_find(result, r->n_runs, metric, n_metrics);
    free(result);
    return older;
}

const char *older_text_of_store(const struct older *o, const struct store_reader *r, size_t experiment, char *buf,
                                size_t size) {
    const struct experiment_row *e = &r->experiment[experiment];
    const char *at = strrchr(e->name, '@');
    struct again again = {e->file[0] ? e->file : "FILE.yaml", at ? at + 1 : NULL, NULL, r->shown};
    for (size_t i = 0; i < r->n_runs; i++) {
        if (is_finished(r, i, experiment)) again.set = r->run[i].set;
    }
    return older_text(o, &again, buf, size);
}

bool claim_is_older(const struct store_reader *r, const struct claim_row *claim) {
    return isnan(claim->measured) && older_in_store(r, claim->experiment, &claim->metric, 1).metric;
}
