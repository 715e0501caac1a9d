/* SPDX-License-Identifier: Apache-2.0 */
#include "study/claims/record.h"

#include "base/input_file.h"
#include "base/memory.h"
#include "base/text.h"
#include "study/claims/record_parts.h"
#include "study/experiment/settings.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* Returns the path of the record of an experiment file, which the caller frees. */
static char *path_of(const struct experiment *e) {
    const char *slash = strrchr(e->file, '/');
    return text_format("%.*s%s.record.json", slash ? (int)(slash + 1 - e->file) : 0, e->file, e->stem);
}

const char *record_section_name(const struct experiment *e, char name[RECORD_NAME_MAX]) {
    snprintf(name, RECORD_NAME_MAX, "%s%s", e->profile ? e->profile : "full", e->is_live ? " live" : "");
    return name;
}

bool record_has_claims(const struct experiment *e) { return !e->profile || e->is_live; }

bool record_has_digests(const struct experiment *e) { return !e->is_live; }

/* ---- reading ---- */

#define RECORD_MOST_BYTES (64 << 20)
#define REMEDY "remove it, and write it anew with heddle run --record"

static bool outcome_check(const char *path, const json_t *outcome, struct diag *d) {
    enum verdict v;
    const char *word = json_string_value(json_object_get(outcome, "verdict"));
    if (!json_is_object(json_object_get(outcome, "where")) || !word)
        return diag_fail_in(d, path, "an outcome has no place or verdict; " REMEDY);
    return verdict_read(word, &v) || diag_fail_in(d, path, "'%s' is no verdict; " REMEDY, word);
}

static bool section_check(const char *path, const char *name, const json_t *section, struct diag *d) {
    size_t i, k;
    json_t *claim, *outcome;
    bool ok = json_is_integer(json_object_get(section, "result_version")) &&
              json_is_string(json_object_get(section, "identity")) && json_is_integer(json_object_get(section, "runs"));
    if (!ok) return diag_fail_in(d, path, "section '%s' lacks its version, identity or runs; " REMEDY, name);
    json_array_foreach(json_object_get(section, "claims"), i, claim) json_array_foreach(
        json_object_get(claim, "outcomes"), k, outcome) if (!outcome_check(path, outcome, d)) return false;
    return true;
}

bool record_load(const char *path, json_t **all, struct diag *d) {
    json_error_t error;
    const char *name;
    json_t *section;
    const char *why;
    size_t n;
    char *text = input_read(path, RECORD_MOST_BYTES, &n, &why);
    *all = text ? json_loadb(text, n, JSON_REJECT_DUPLICATES, &error) : NULL;
    if (!text && errno == ENOENT) return true;
    if (!text) return diag_fail_in(d, path, "cannot read the record: %s; " REMEDY, why);
    free(text);
    if (!*all) return diag_fail(d, path, error.line, error.column, "is no record: %s; " REMEDY, error.text);
    if (!json_is_object(*all)) return diag_fail(d, path, 1, 1, "a record is an object; " REMEDY);
    json_object_foreach(*all, name, section) if (!section_check(path, name, section, d)) return false;
    return true;
}

bool record_is_alone(const struct record *r, const struct expectations *x, struct diag *d) {
    for (size_t i = 0; i < x->n; i++)
        if (x->item[i].n_known)
            return tree_fail(d, x->item[i].known[0].at,
                             "known: outcomes are recorded here and in %s; remove one of the two", r->path);
    return true;
}

/* ---- the state ---- */

static bool same_settings_of_runs(const struct experiment *a, const struct experiment *b) {
    if (a->n_runs != b->n_runs) return false;
    for (size_t i = 0; i < a->n_runs; i++)
        if (!json_equal(a->run[i].settings, b->run[i].settings)) return false;
    return true;
}

/* Reads the experiment with n arguments of --set. NULL if it cannot be read so. */
static struct experiment *read_with(const struct experiment *e, const char *const *set, size_t n) {
    struct diag unused;
    struct experiment_options o = {.profile = e->profile, .set = set, .n_set = n};
    return experiment_read(e->file, &o, &unused);
}

static bool asks_the_same(const struct experiment *a, const char *identity) {
    char own[SHA256_TEXT];
    experiment_asked(a, own);
    return strcmp(own, identity) == 0;
}

/* Finds a --set that alone changes what is asked; the last one if none does. */
static const char *set_guilty(const struct experiment *e, const char *identity) {
    const char *set = "";
    for (size_t i = 0; i < json_array_size(e->set); i++) {
        set = json_string_value(json_array_get(e->set, i));
        struct experiment *with = read_with(e, &set, 1);
        bool guilty = !with || !asks_the_same(with, identity);
        experiment_free(with);
        if (guilty) break;
    }
    return set;
}

/* Sets the state if --set is given. `identity`: of the file as it is written. */
static enum record_state state_with_set(struct record *r, const struct experiment *e, const struct experiment *written,
                                        const char *identity) {
    if (asks_the_same(e, identity)) return same_settings_of_runs(e, written) ? RECORD_WHOLE : RECORD_OTHER_SEEDS;
    snprintf(r->why, sizeof r->why, "--set %s changes what is asked", set_guilty(e, identity));
    return RECORD_ASKED_ANEW;
}

static bool has_all_runs(const struct record *r, const struct experiment *e) {
    const json_t *digests = json_object_get(r->section, "digests");
    if ((size_t)json_integer_value(json_object_get(r->section, "runs")) != e->n_runs) return false;
    for (size_t i = 0; digests && i < e->n_runs; i++)
        if (!record_digest(r->section, e->run[i].settings)) return false;
    return true;
}

/* Returns whether the section is out of date for the file as it is written, after saying why. */
static bool is_stale(struct record *r, const struct experiment *written, const char *section, const char *identity) {
    int version = (int)json_integer_value(json_object_get(r->section, "result_version"));
    const char *recorded = json_string_value(json_object_get(r->section, "identity"));
    if (version != RESULT_VERSION)
        snprintf(r->why, sizeof r->why, "it has results of version %d, and this program makes version %d", version,
                 RESULT_VERSION);
    else if (strcmp(recorded, identity) != 0)
        snprintf(r->why, sizeof r->why, "the settings of the file have changed since");
    else if (!has_all_runs(r, written))
        snprintf(r->why, sizeof r->why, "the seeds of the file have changed since");
    else
        return false;
    size_t used = strlen(r->why);
    snprintf(r->why + used, sizeof r->why - used, " (section '%s'); --record writes it anew", section);
    return true;
}

static enum record_state state_of(struct record *r, const struct experiment *e, const char *section) {
    char identity[SHA256_TEXT];
    struct experiment *read = json_array_size(e->set) ? read_with(e, NULL, 0) : NULL;
    const struct experiment *written = json_array_size(e->set) ? read : e;
    enum record_state state = RECORD_WHOLE;
    if (!written) {
        snprintf(r->why, sizeof r->why, "--set completes the file");
        return RECORD_ASKED_ANEW;
    }
    experiment_asked(written, identity);
    if (written != e) state = state_with_set(r, e, written, identity);
    if (state != RECORD_ASKED_ANEW && is_stale(r, written, section, identity)) state = RECORD_STALE;
    experiment_free(read);
    return state;
}

bool record_read(struct record *r, const struct experiment *e, const struct expectations *x, struct diag *d) {
    char name[RECORD_NAME_MAX];
    *r = (struct record){.path = path_of(e), .state = RECORD_NONE};
    if (!record_load(r->path, &r->all, d)) return false;
    if (!r->all) return true;
    if (!record_is_alone(r, x, d)) return false;
    r->section = json_object_get(r->all, record_section_name(e, name));
    if (r->section) r->state = state_of(r, e, name);
    return true;
}

void record_free(struct record *r) {
    json_decref(r->all);
    free(r->path);
    *r = (struct record){0};
}

/* ---- comparing ---- */

const char *record_digest(const json_t *section, const json_t *settings) {
    char seed[32];
    json_t *others = json_copy((json_t *)settings), *line;
    const char *digest = NULL;
    size_t i;
    setting_text(json_object_get(settings, "run.seed"), seed, sizeof seed);
    json_object_del(others, "run.seed");
    json_array_foreach(json_object_get(section, "digests"), i,
                       line) if (json_equal(json_object_get(line, "settings"), others)) digest =
        json_string_value(json_object_get(json_object_get(line, "digests"), seed));
    json_decref(others);
    return digest;
}

const char *result_digest(const json_t *result) {
    return json_string_value(json_object_get(json_object_get(result, "engine"), "digest"));
}

static void digests_compare(const struct record *r, const struct experiment *e, json_t *const *result,
                            struct record_comparison *c) {
    c->first = SIZE_MAX;
    for (size_t i = 0; i < e->n_runs; i++) {
        const char *recorded = record_digest(r->section, e->run[i].settings), *digest = result_digest(result[i]);
        if (!recorded || !digest) continue;
        c->n_digests++;
        if (strcmp(recorded, digest) == 0)
            c->n_equal++;
        else if (c->first == SIZE_MAX)
            c->first = i;
    }
}

/* Returns a text that is equal for claims of equal statements, whatever their numbers went through; the caller frees it. */
static char *statement_text(const json_t *statement) {
    return json_dumps(statement, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(12));
}

/* Returns the text of a recorded claim's statement. */
static char *recorded_statement(const json_t *claim) {
    json_t *own = json_copy((json_t *)claim);
    json_object_del(own, "outcomes");
    json_object_del(own, "paper");
    char *text = statement_text(own);
    json_decref(own);
    return text;
}

/* Returns the recorded outcome; NULL if there is none. Equal claims are one. */
static const json_t *outcome_find(const struct record *r, const struct claim_outcome *o) {
    json_t *statement = claim_statement(o->expectation), *claim, *outcome;
    const json_t *found = NULL;
    char *text = statement_text(statement);
    size_t i, k;
    json_array_foreach(json_object_get(r->section, "claims"), i, claim) {
        if (strcmp(json_string_value(json_object_get(claim, "claim")) ?: "", o->expectation->claim) != 0) continue;
        char *own = recorded_statement(claim);
        if (strcmp(own, text) == 0) json_array_foreach(json_object_get(claim, "outcomes"), k, outcome) {
                const json_t *where = json_object_get(outcome, "where");
                if (json_object_size(where) == json_object_size(o->where) && settings_match(where, o->where))
                    found = outcome;
            }
        free(own);
    }
    free(text);
    json_decref(statement);
    return found;
}

#define FIGURE_TOLERANCE 2e-5 /* a share of the figure; records have six digits of it */

static bool figure_is_as(const struct claim_outcome *o, const json_t *recorded, bool is_live) {
    const json_t *measured = json_object_get(recorded, "measured"), *interval = json_object_get(recorded, "interval");
    if (isnan(o->measured) || !json_is_number(measured)) return isnan(o->measured) && !json_is_number(measured);
    if (is_live)
        return !interval || (o->measured >= json_number_value(json_array_get(interval, 0)) &&
                             o->measured <= json_number_value(json_array_get(interval, 1)));
    double value = json_number_value(measured);
    return fabs(o->measured - value) <= FIGURE_TOLERANCE * fabs(value);
}

static void outcome_compare(const struct record *r, const struct experiment *e, struct claim_outcome *o,
                            size_t *found) {
    const json_t *recorded = outcome_find(r, o);
    o->is_recorded = recorded != NULL;
    o->as_recorded = false;
    if (recorded) {
        (*found)++;
        verdict_read(json_string_value(json_object_get(recorded, "verdict")), &o->recorded);
        o->as_recorded = !o->n_missing && verdict_is_as(o->verdict, o->recorded) &&
                         (r->state == RECORD_OTHER_SEEDS || figure_is_as(o, recorded, e->is_live));
    }
    o->is_news = !o->as_recorded;
}

static size_t outcomes_recorded(const struct record *r) {
    json_t *claim;
    size_t i, n = 0;
    json_array_foreach(json_object_get(r->section, "claims"), i, claim) n +=
        json_array_size(json_object_get(claim, "outcomes"));
    return n;
}

/* Sets the outcomes of runs that have digests alone. */
static void outcomes_of_digests(struct claim_outcome *o, size_t n, bool all_equal) {
    for (size_t i = 0; i < n; i++) {
        o[i].is_recorded = o[i].as_recorded = all_equal && !o[i].n_missing;
        o[i].is_news = o[i].n_missing > 0;
        if (o[i].is_recorded) o[i].recorded = o[i].verdict;
    }
}

static void outcomes_uncompared(struct claim_outcome *o, size_t n) {
    for (size_t i = 0; i < n; i++) o[i].is_recorded = o[i].as_recorded = o[i].is_news = false;
}

struct record_comparison record_compare(const struct record *r, const struct experiment *e, json_t *const *result,
                                        struct claim_outcome *o, size_t n) {
    struct record_comparison c = {.first = SIZE_MAX};
    size_t found = 0;
    bool compares = r->state == RECORD_WHOLE || r->state == RECORD_OTHER_SEEDS;
    if (compares) digests_compare(r, e, result, &c);
    if (!compares && r->state != RECORD_NONE)
        outcomes_uncompared(o, n);
    else if (compares && !json_object_get(r->section, "claims"))
        outcomes_of_digests(o, n, r->state == RECORD_WHOLE && c.n_equal == e->n_runs);
    else if (compares)
        for (size_t i = 0; i < n; i++) outcome_compare(r, e, &o[i], &found);
    if (r->state == RECORD_WHOLE && outcomes_recorded(r) > found) c.n_gone = outcomes_recorded(r) - found;
    for (size_t i = 0; i < n; i++) c.n_news += o[i].is_news;
    return c;
}

bool record_is_met(const struct record *r, const struct record_comparison *c) {
    if (r->state == RECORD_ASKED_ANEW) return true;
    return r->state != RECORD_STALE && c->n_news == 0 && c->n_gone == 0 && c->n_equal == c->n_digests;
}

/* ---- telling ---- */

const char *record_state_word(enum record_state state) {
    static const char *const words[] = {[RECORD_NONE] = "none",
                                        [RECORD_WHOLE] = "whole",
                                        [RECORD_OTHER_SEEDS] = "other seeds",
                                        [RECORD_ASKED_ANEW] = "asked anew",
                                        [RECORD_STALE] = "stale"};
    return words[state];
}

void record_tell(const struct record *r, const struct record_comparison *c, const struct experiment *e, FILE *out) {
    if (r->state == RECORD_STALE) fprintf(out, "%s: warning: nothing is compared: %s\n", r->path, r->why);
    if (r->state == RECORD_ASKED_ANEW) fprintf(out, "%s: note: nothing is compared: %s\n", r->path, r->why);
    if (c->n_equal < c->n_digests) {
        char settings[512];
        settings_text(e->run[c->first].settings, settings, sizeof settings);
        fprintf(out, "%s: warning: %zu of %zu runs have another digest than recorded; the first is run %u (%s)\n",
                r->path, c->n_digests - c->n_equal, c->n_digests, e->run[c->first].number, settings);
    }
    if (c->n_gone)
        fprintf(out, "%s: warning: %zu recorded outcome%s of claims that the file does not make now\n", r->path,
                c->n_gone, c->n_gone == 1 ? " is" : "s are");
}
