/* SPDX-License-Identifier: Apache-2.0 */
/* Writes records: lays out a section, replaces it among the others, and renames the file to its place. */
#include "base/input_file.h"
#include "base/memory.h"
#include "base/output_file.h"
#include "base/text.h"
#include "study/claims/record_parts.h"
#include "study/experiment/settings.h"
#include "study/results/json_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a section as JSON ---- */

/* Returns a figure with six digits, more than any outcome is exact to. */
static json_t *figure(double value) {
    char text[32];
    if (!isfinite(value)) return json_null();
    snprintf(text, sizeof text, "%.6g", value);
    return json_real(strtod(text, NULL));
}

static void range_set(json_t *o, const char *key, double low, double high) {
    if (!isnan(low)) json_object_set_new(o, key, json_pack("[o,o]", figure(low), figure(high)));
}

static json_t *outcome_json(const struct claim_outcome *o) {
    json_t *line = json_object();
    json_object_set(line, "where", o->where);
    if (o->n_best > 1) json_object_set(line, "best", o->best);
    json_object_set_new(line, "verdict", json_string(verdict_word(o->verdict)));
    json_object_set_new(line, "measured", figure(o->measured));
    if (!isnan(o->standard_error)) {
        json_object_set_new(line, "standard_error", figure(o->standard_error));
        range_set(line, "interval", o->interval_low, o->interval_high);
    }
    json_object_set_new(line, "n_seeds", json_integer(o->n_seeds));
    if (o->n_unsettled) json_object_set_new(line, "unsettled", json_integer(o->n_unsettled));
    range_set(line, "growth_range", o->growth_low, o->growth_high);
    return line;
}

static json_t *claims_json(const struct claim_outcome *o, size_t n) {
    json_t *claims = json_array(), *outcomes = NULL;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || o[i].expectation != o[i - 1].expectation) {
            json_t *claim = claim_statement(o[i].expectation);
            if (o[i].expectation->paper) json_object_set_new(claim, "paper", json_string(o[i].expectation->paper));
            outcomes = json_array();
            json_object_set_new(claim, "outcomes", outcomes);
            json_array_append_new(claims, claim);
        }
        json_array_append_new(outcomes, outcome_json(&o[i]));
    }
    return claims;
}

/* Adds the digest of one run to the line of its swept values. */
static void digest_add(json_t *lines, const json_t *settings, const char *digest) {
    char seed[32];
    json_t *others = json_copy((json_t *)settings), *line = NULL, *own;
    size_t i;
    setting_text(json_object_get(settings, "run.seed"), seed, sizeof seed);
    json_object_del(others, "run.seed");
    json_array_foreach(lines, i, own) if (json_equal(json_object_get(own, "settings"), others)) line = own;
    if (!line) {
        line = json_pack("{s:O,s:{}}", "settings", others, "digests");
        json_array_append_new(lines, line);
    }
    json_object_set_new(json_object_get(line, "digests"), seed, json_string(digest));
    json_decref(others);
}

static json_t *digests_json(const struct experiment *e, json_t *const *result) {
    json_t *lines = json_array();
    for (size_t i = 0; i < e->n_runs; i++)
        if (result_digest(result[i])) digest_add(lines, e->run[i].settings, result_digest(result[i]));
    return lines;
}

static void cost_add(json_t *section, const struct experiment *e, json_t *const *result) {
    double hops = 0, seconds = 0, value;
    for (size_t i = 0; i < e->n_runs; i++) {
        if (json_metric(result[i], "engine.packet_hops", &value)) hops += value;
        if (json_metric(result[i], "engine.sim_s", &value)) seconds += value;
    }
    if (e->is_live)
        json_object_set_new(section, "seconds", json_integer((json_int_t)round(seconds)));
    else
        json_object_set_new(section, "packet_hops", json_integer((json_int_t)hops));
}

static json_t *section_json(const struct experiment *e, json_t *const *result, const struct claim_outcome *o,
                            size_t n) {
    char identity[SHA256_TEXT];
    json_t *section = json_object();
    experiment_asked(e, identity);
    json_object_set_new(section, "result_version", json_integer(RESULT_VERSION));
    json_object_set_new(section, "identity", json_string(identity));
    json_object_set_new(section, "runs", json_integer((json_int_t)e->n_runs));
    cost_add(section, e, result);
    if (record_has_claims(e)) json_object_set_new(section, "claims", claims_json(o, n));
    if (record_has_digests(e)) json_object_set_new(section, "digests", digests_json(e, result));
    return section;
}

/* ---- as text ---- */

static void value_print(const json_t *value, FILE *out) {
    json_dumpf(value, out, JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
}

static void claim_print(const json_t *claim, FILE *out) {
    const char *key;
    json_t *value, *outcome;
    size_t i;
    fputc('{', out);
    json_object_foreach((json_t *)claim, key, value) {
        if (strcmp(key, "outcomes") == 0) continue;
        fprintf(out, "\"%s\": ", key);
        value_print(value, out);
        fprintf(out, ", ");
    }
    fprintf(out, "\"outcomes\": [");
    json_array_foreach(json_object_get(claim, "outcomes"), i, outcome) {
        fprintf(out, i ? ",\n  " : "\n  ");
        value_print(outcome, out);
    }
    fprintf(out, "]}");
}

static void list_print(const char *name, const json_t *list, void print(const json_t *, FILE *), FILE *out) {
    json_t *item;
    size_t i;
    if (!list) return;
    fprintf(out, ",\n\"%s\": [", name);
    json_array_foreach(list, i, item) {
        fprintf(out, i ? ",\n" : "\n");
        print(item, out);
    }
    fputc(']', out);
}

/* Prints the head on one line, then each list of the section. */
static void section_print(const json_t *section, FILE *out) {
    const char *key, *between = "{\n";
    json_t *value;
    json_object_foreach((json_t *)section, key, value) {
        if (json_is_array(value)) continue;
        fprintf(out, "%s\"%s\": ", between, key);
        value_print(value, out);
        between = ", ";
    }
    list_print("claims", json_object_get(section, "claims"), claim_print, out);
    list_print("digests", json_object_get(section, "digests"), value_print, out);
    fputc('}', out);
}

static int name_order(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* Returns the record as text, the sections in the order of their names; the caller frees it. */
static char *record_text(const json_t *all) {
    const char **name = memory_get(json_object_size(all) + 1, sizeof *name), *key;
    char *text = NULL;
    size_t size, n = 0;
    json_t *section;
    FILE *out = text_stream(&text, &size);
    json_object_foreach((json_t *)all, key, section) name[n++] = key;
    qsort(name, n, sizeof *name, name_order);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "%s\"%s\": ", i ? ",\n" : "{", name[i]);
        section_print(json_object_get(all, name[i]), out);
    }
    fprintf(out, "}\n");
    text_stream_end(out, &text);
    free(name);
    return text;
}

/* ---- the file ---- */

static bool file_holds(const char *path, const char *text) {
    FILE *in = input_open(path, NULL);
    bool same = in != NULL;
    int c;
    while (same && (c = fgetc(in)) != EOF) same = (char)c == *text && *text++ != '\0';
    if (in) fclose(in);
    return same && *text == '\0';
}

static bool file_write(const char *path, const char *text, struct diag *d) {
    const struct output_rules rules = {.kind = "a record", .force = true};
    struct output_file f;
    if (file_holds(path, text)) return true;
    if (!output_begin(&f, path, &rules, d)) return false;
    fputs(text, f.out);
    return output_end(&f, d);
}

bool record_may_be_written(const struct record *r, const struct experiment *e, const struct expectations *x,
                           struct diag *d) {
    if (!record_is_alone(r, x, d)) return false;
    if (json_array_size(e->set) == 0) return true;
    return diag_say(d, "--record writes %s, the record of the file as it is; leave --set out", r->path);
}

bool record_write(const struct record *r, const struct experiment *e, json_t *const *result,
                  const struct claim_outcome *o, size_t n, struct diag *d) {
    char name[RECORD_NAME_MAX];
    json_t *all;
    bool ok = record_load(r->path, &all, d); /* once more: another program may have written a section since */
    if (ok && !all) all = json_object();
    if (ok) {
        json_object_set_new(all, record_section_name(e, name), section_json(e, result, o, n));
        char *text = record_text(all);
        ok = file_write(r->path, text, d);
        free(text);
    }
    json_decref(all);
    return ok;
}
