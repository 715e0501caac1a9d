/* SPDX-License-Identifier: Apache-2.0 */
#include "study/claims/expect.h"

#include "base/memory.h"
#include "study/claims/best.h"
#include "study/experiment/settings.h"
#include "study/metrics/metrics.h"
#include "study/results/json_out.h"
#include "study/results/settled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const forms[] = {"change", "value", "ratio", "difference", "share"};

const char *form_word(enum claim_form form) { return forms[form]; }

static void outcome_release(struct claim_outcome *o) {
    json_decref(o->where);
    json_decref(o->best);
}

/* ---- which runs are compared ---- */

/* Returns the run with these settings; SIZE_MAX if there is none. Frees `wanted`. */
static size_t run_with(const struct experiment *e, json_t *wanted) {
    size_t found = SIZE_MAX;
    for (size_t k = 0; k < e->n_runs && found == SIZE_MAX; k++) {
        if (settings_match(e->run[k].settings, wanted)) found = k;
    }
    json_decref(wanted);
    return found;
}

/* Returns a copy of the settings `base`, changed by `over`. */
static json_t *laid_over(const json_t *base, json_t *over) {
    json_t *settings = json_copy((json_t *)base);
    json_object_update(settings, over);
    return settings;
}

/* Returns the settings of `against` that differ from those of the run. Keys that only repeat its settings are left out:
 * they would undo `than`. */
static json_t *against_changes(const struct expectation *x, const json_t *settings) {
    json_t *changes = json_object();
    const char *key;
    json_t *value;
    json_object_foreach(x->against, key, value) {
        if (!setting_equal(value, json_object_get(settings, key))) json_object_set(changes, key, value);
    }
    return changes;
}

bool compared_runs(const struct expectation *x, const struct experiment *e, size_t i, struct compared_runs *c) {
    const json_t *settings = e->run[i].settings;
    *c = (struct compared_runs){i, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    if (x->form == FORM_VALUE) return true;
    c->against = run_with(e, laid_over(settings, x->against));
    if (c->against == i) return false;
    if (c->against == SIZE_MAX || json_object_size(x->than) == 0) return c->against != SIZE_MAX;
    json_t *changes = against_changes(x, settings), *than = laid_over(settings, x->than);
    c->than_against = run_with(e, laid_over(than, changes));
    c->than = run_with(e, than);
    json_decref(changes);
    return c->than != SIZE_MAX && c->than_against != SIZE_MAX;
}

/* ---- evaluating ---- */

struct evaluation {
    const struct expectation *x;
    const struct experiment *e;
    json_t *const *result;
    bool partly; /* leave out seeds of which a run has no result */
};

/* Returns the metric of one run that has a result, and what keeps it from having one. */
static enum claim_lack run_lacks(const struct evaluation *v, const json_t *result, double *value) {
    double unfinished;
    *value = NAN;
    if (json_object_get(result, "failure")) return LACK_RUN;
    if (!json_metric(result, "flows.unfinished", &unfinished) || unfinished > 0) return LACK_FLOWS;
    if (json_metric(result, v->x->metric, value)) return isnan(*value) ? LACK_VALUE : LACK_NOTHING;
    return metric_is_newer(result, v->x->metric) ? LACK_RENEWAL : LACK_VALUE;
}

/* Returns the metric of one run; NaN if it has none. Raises *lack to what the run lacks. */
static double run_metric(const struct evaluation *v, size_t i, enum claim_lack *lack) {
    double value = NAN;
    enum claim_lack here = v->result[i] ? run_lacks(v, v->result[i], &value) : LACK_NOTHING;
    if (here > *lack) *lack = here;
    return value;
}

enum side { OF, AGAINST, THAN, THAN_AGAINST, SIDES };

/* The numbers of each seed at one place, in one allocation that starts at `of`. */
struct seeds {
    double *of, *against, *than, *than_against;
    double *influence, *than_influence;
    size_t n;
    uint32_t n_runs, n_missing; /* of all seeds; without a result */
    bool free;                  /* some seed's runs have other digests than the first seed's */
    enum claim_lack lack;       /* of any run */
    uint32_t unsettled[SIDES];  /* runs that had not settled */
    double growth[SIDES];       /* sum of result_growth over the runs; 1 for a settled run */
};

static struct seeds seeds_get(size_t most) {
    double *x = memory_get(6 * most + 1, sizeof *x);
    return (struct seeds){.of = x,
                          .against = x + most,
                          .than = x + 2 * most,
                          .than_against = x + 3 * most,
                          .influence = x + 4 * most,
                          .than_influence = x + 5 * most};
}

/* Returns the digest of a run; NULL if it has none. Equal digests mean that the seed changed nothing. */
static const char *run_digest(const struct evaluation *v, size_t i) {
    return json_string_value(json_object_get(json_object_get(v->result[i], "engine"), "digest"));
}

static bool same_digests(const struct evaluation *v, const struct compared_runs *a, const struct compared_runs *b) {
    const size_t first[] = {a->of, a->against, a->than, a->than_against},
                 other[] = {b->of, b->against, b->than, b->than_against};
    for (size_t i = 0; i < 4 && first[i] != SIZE_MAX; i++) {
        const char *p = run_digest(v, first[i]), *q = run_digest(v, other[i]);
        if (!p || !q || strcmp(p, q) != 0) return false;
    }
    return true;
}

/* Counts the runs of one seed. Returns how many of them have no result. */
static uint32_t runs_count(const struct evaluation *v, const struct compared_runs *c, struct seeds *s) {
    const size_t run[SIDES] = {c->of, c->against, c->than, c->than_against};
    uint32_t n = 0, missing = 0;
    for (int i = 0; i < SIDES && run[i] != SIZE_MAX; i++) {
        n++;
        missing += !v->result[run[i]];
    }
    s->n_runs += n;
    s->n_missing += missing;
    return missing;
}

static void growth_add(const struct evaluation *v, const struct compared_runs *c, struct seeds *s) {
    const size_t run[SIDES] = {c->of, c->against, c->than, c->than_against};
    for (int i = 0; i < SIDES; i++) {
        const json_t *result = run[i] == SIZE_MAX ? NULL : v->result[run[i]];
        s->unsettled[i] += result_is_unsettled(result);
        s->growth[i] += result_growth(result, v->x->metric);
    }
}

static void seeds_collect(const struct evaluation *v, const json_t *where, struct seeds *s) {
    struct compared_runs first = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX}, c;
    for (size_t i = 0; i < v->e->n_runs; i++) {
        const json_t *settings = v->e->run[i].settings;
        if (!settings_match(settings, v->x->of) || !settings_match(settings, where)) continue;
        if (!compared_runs(v->x, v->e, i, &c)) continue;
        if (runs_count(v, &c, s) && v->partly) continue;
        if (s->n == 0) first = c;
        s->free = s->free || (s->n > 0 && !same_digests(v, &first, &c));
        growth_add(v, &c, s);
        s->of[s->n] = run_metric(v, i, &s->lack);
        if (c.against != SIZE_MAX) s->against[s->n] = run_metric(v, c.against, &s->lack);
        if (c.than != SIZE_MAX) s->than[s->n] = run_metric(v, c.than, &s->lack);
        if (c.than_against != SIZE_MAX) s->than_against[s->n] = run_metric(v, c.than_against, &s->lack);
        s->n++;
    }
}

static struct estimate seeds_estimate(const struct expectation *x, const struct seeds *s) {
    double value = figure_of_means(x->form, s->of, s->against, s->n, s->influence);
    if (json_object_size(x->than) > 0) {
        double than = figure_of_means(x->form, s->than, s->than_against, s->n, s->than_influence);
        value = figure_than_of_means(x->form, value, than, s->influence, s->than_influence, s->n);
    }
    return estimate_of(value, s->influence, s->free ? s->n : 1);
}

/* Returns the figure of one seed alone. */
static double seed_figure(const struct expectation *x, const struct seeds *s, size_t i) {
    double figure = figure_of(x->form, s->of[i], s->against[i]);
    if (json_object_size(x->than) == 0) return figure;
    return figure_than(x->form, figure, figure_of(x->form, s->than[i], s->than_against[i]));
}

static bool known_profile(const char *of, const char *profile) {
    if (!of) return true;
    return profile ? strcmp(of, profile) == 0 : strcmp(of, "full") == 0;
}

static bool known_world(const char *of, bool is_live) { return !of || strcmp(of, is_live ? "live" : "simulated") == 0; }

/* Returns the first item of `known` for the runs of this experiment and this place; NULL if there is none. */
static const struct known *known_find(const struct expectation *x, const struct experiment *e, const json_t *where) {
    for (size_t i = 0; i < x->n_known; i++) {
        if (!known_profile(x->known[i].profile, e->profile)) continue;
        if (!known_world(x->known[i].world, e->is_live)) continue;
        if (settings_match(where, x->known[i].where)) return &x->known[i];
    }
    return NULL;
}

static bool as_recorded(const struct claim_outcome *o) {
    const struct known *k = o->known;
    if (o->n_missing) return false;
    if (!verdict_is_as(o->verdict, o->recorded)) return false;
    return !k || !k->has_range || (o->measured >= k->low && o->measured <= k->high);
}

/* Sets the spread over the seeds, and *all_met to whether each seed meets the claim. */
static void each_seed_judge(const struct expectation *x, const struct seeds *s, struct claim_outcome *o,
                            bool *all_met) {
    double least = HUGE_VAL, most = -HUGE_VAL;
    *all_met = true;
    for (size_t i = 0; i < s->n; i++) {
        double figure = seed_figure(x, s, i);
        least = figure < least ? figure : least;
        most = figure > most ? figure : most;
        *all_met = *all_met && figure >= x->low && figure <= x->high;
    }
    o->spread = isnan(o->measured) || most < least ? NAN : most - least;
}

/* ---- runs that had not settled ---- */

static double mean_of(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum / (double)n;
}

/* Sides have the same arrivals, so they grow together. How far the figure strays from that, of what each side does alone:
 * at most 0.24 of it in 137 outcomes of runs that went on twice as long (docs/decisions/0032-unsettled-runs-compared.md). */
#define ALONE 0.25

static bool side_grows(const struct seeds *s, int side) { return 2 * s->unsettled[side] > s->n; }

/* Returns the figure of the means, with the mean of each side in the set `grown` (bit k: side k) times its growth. */
static double grown_figure(const struct expectation *x, const struct seeds *s, unsigned grown) {
    const double *number[SIDES] = {s->of, s->against, s->than, s->than_against};
    double mean[SIDES];
    for (int i = 0; i < SIDES; i++) {
        mean[i] = mean_of(number[i], s->n);
        if (grown >> i & 1) mean[i] *= s->growth[i] / (double)s->n;
    }
    double figure = figure_of(x->form, mean[OF], mean[AGAINST]);
    if (json_object_size(x->than) == 0) return figure;
    return figure_than(x->form, figure, figure_of(x->form, mean[THAN], mean[THAN_AGAINST]));
}

/* Sets the least and the largest figure to which the sides `grows` lead: all of them together, and wider by ALONE of what
 * each of several does alone. */
static void growth_range(const struct expectation *x, const struct seeds *s, unsigned grows, struct claim_outcome *o) {
    double together = grown_figure(x, s, grows), below = 0, above = 0;
    for (unsigned side = 1; side < 1 << SIDES; side <<= 1) {
        if (!(grows & side) || grows == side) continue;
        double alone = grown_figure(x, s, side);
        below = fmax(below, o->measured - alone);
        above = fmax(above, alone - o->measured);
    }
    o->growth_low = fmin(o->measured, together) - ALONE * below;
    o->growth_high = fmax(o->measured, together) + ALONE * above;
}

static void growth_set(const struct expectation *x, const struct seeds *s, struct claim_outcome *o) {
    unsigned grows = 0;
    if (x->transient) return;
    for (int i = 0; i < SIDES; i++) {
        grows |= (unsigned)side_grows(s, i) << i;
        o->n_unsettled = s->unsettled[i] > o->n_unsettled ? s->unsettled[i] : o->n_unsettled;
    }
    if (grows) growth_range(x, s, grows, o);
}

bool claim_outgrown(const struct claim_outcome *o) {
    if (o->expectation->every || isnan(o->growth_low)) return false;
    bool inside = o->growth_low >= o->expectation->low && o->growth_high <= o->expectation->high;
    bool outside = o->growth_high < o->expectation->low || o->growth_low > o->expectation->high;
    return !inside && !outside;
}

static enum verdict seeds_verdict(const struct claim_outcome *o, const struct estimate *e, bool all_met) {
    const struct expectation *x = o->expectation;
    if (o->n_missing) return VERDICT_UNDECIDED;
    if (x->every) return verdict_of_every(!isnan(e->value), all_met, x->roughly);
    return claim_outgrown(o) ? VERDICT_UNDECIDED : verdict_of(e, x->low, x->high, x->roughly);
}

/* Returns the outcome over all runs of `of` at this place, one of n_best. The outcome owns `where`. */
static struct claim_outcome place_evaluate(const struct evaluation *v, json_t *where, size_t n_best) {
    const struct expectation *x = v->x;
    struct claim_outcome o = {.expectation = x, .where = where, .measured = NAN, .spread = NAN, .widening = 1};
    o.n_best = (uint32_t)n_best;
    o.standard_error = o.interval_low = o.interval_high = o.growth_low = o.growth_high = NAN;
    struct seeds s = seeds_get(v->e->n_runs);
    seeds_collect(v, where, &s);
    o.n_seeds = (uint32_t)s.n;
    o.n_runs = s.n_runs;
    o.n_missing = v->partly ? 0 : s.n_missing;
    if (s.n > 0) {
        bool all_met;
        struct estimate e = seeds_estimate(x, &s);
        estimate_widen(&e, n_best);
        o.widening = e.widening;
        o.measured = e.value;
        o.standard_error = e.standard_error;
        o.interval_low = e.low;
        o.interval_high = e.high;
        o.no_freedom = s.n > 1 && !s.free;
        o.lack = s.lack;
        o.older = s.lack == LACK_RENEWAL && isnan(o.measured);
        each_seed_judge(x, &s, &o, &all_met);
        o.met = o.measured >= x->low && o.measured <= x->high;
        growth_set(x, &s, &o);
        o.verdict = seeds_verdict(&o, &e, all_met);
    }
    free(s.of);
    return o;
}

/* Compares the outcome with the `known` items of the file. */
static void known_compare(const struct evaluation *v, struct claim_outcome *o) {
    o->known = known_find(v->x, v->e, o->where);
    o->is_recorded = o->known != NULL;
    o->recorded = o->known ? o->known->verdict : v->x->roughly ? VERDICT_ROUGHLY : VERDICT_HOLDS;
    o->as_recorded = as_recorded(o);
    o->is_news = !o->as_recorded;
}

/* Returns the values of the keys that a run has; NULL if they leave the run out. Keys are {KEY: [values]} or {KEY: null}. */
static json_t *place_of(json_t *keys, const json_t *settings) {
    json_t *place = json_object();
    const char *key;
    json_t *values;
    json_object_foreach(keys, key, values) {
        json_t *value = json_object_get(settings, key);
        bool wanted = json_is_null(values);
        for (size_t i = 0; !wanted && i < json_array_size(values); i++)
            wanted = setting_equal(json_array_get(values, i), value);
        if (!wanted) {
            json_decref(place);
            return NULL;
        }
        json_object_set(place, key, value);
    }
    return place;
}

/* Returns the places of `keys` among the runs of a claim at `where`, each once, as a list. */
static json_t *places_of(const struct evaluation *v, json_t *keys, json_t *where) {
    json_t *places = json_array(), *known;
    size_t k;
    for (size_t i = 0; i < v->e->n_runs; i++) {
        const json_t *settings = v->e->run[i].settings;
        if (!settings_match(settings, v->x->of) || !settings_match(settings, where)) continue;
        json_t *place = place_of(keys, settings);
        bool is_new = place != NULL;
        json_array_foreach(places, k, known) is_new = is_new && !json_equal(known, place);
        if (is_new) json_array_append(places, place);
        json_decref(place);
    }
    return places;
}

/* Evaluates the claim at `where` for every value of its `best`. Returns the outcomes that have runs; their `where` is that of the
 * value as well. */
static struct claim_outcome *candidates(const struct evaluation *v, json_t *where, size_t *n) {
    json_t *places = places_of(v, v->x->best, where), *place;
    struct claim_outcome *o = memory_get(json_array_size(places) + 1, sizeof *o);
    size_t k;
    *n = 0;
    json_array_foreach(places, k, place) {
        o[*n] = place_evaluate(v, laid_over(where, place), json_array_size(places));
        o[*n].best = json_incref(place);
        if (o[*n].n_seeds)
            (*n)++;
        else
            json_decref(o[*n].where), json_decref(place);
    }
    json_decref(places);
    return o;
}

/* Returns the outcome at one place of `each`; n_seeds is 0 if it has no runs. The outcome owns `where`. */
static struct claim_outcome outcome_at(const struct evaluation *v, json_t *where) {
    struct claim_outcome o;
    if (json_object_size(v->x->best) == 0) {
        o = place_evaluate(v, where, 1);
        o.best = json_object();
    } else {
        size_t n;
        struct claim_outcome *each = candidates(v, where, &n);
        o = best_outcome(each, n);
        o.expectation = v->x;
        o.where = where;
        json_incref(o.best);
        claim_outcomes_free(each, n);
    }
    known_compare(v, &o);
    return o;
}

static struct claim_outcome *outcomes(const struct expectations *x, const struct experiment *e, json_t *const *result,
                                      bool partly, size_t *n) {
    struct claim_outcome *o = NULL;
    json_t *anywhere = json_object();
    *n = 0;
    for (size_t i = 0; i < x->n; i++) {
        struct evaluation v = {&x->item[i], e, result, partly};
        json_t *places = places_of(&v, x->item[i].each, anywhere), *place;
        size_t k;
        json_array_foreach(places, k, place) {
            o = memory_grow(o, *n + 1, sizeof *o);
            o[*n] = outcome_at(&v, json_incref(place));
            if (o[*n].n_seeds)
                (*n)++;
            else
                outcome_release(&o[*n]);
        }
        json_decref(places);
    }
    json_decref(anywhere);
    return o;
}

struct claim_outcome *expectations_evaluate(const struct expectations *x, const struct experiment *e,
                                            json_t *const *result, size_t *n) {
    return outcomes(x, e, result, false, n);
}

/* Returns whether the interval of the outcome is all that keeps it from a verdict. */
static bool is_open(const struct claim_outcome *o) {
    const struct expectation *x = o->expectation;
    struct estimate e = {o->measured, o->standard_error, o->interval_low, o->interval_high, o->n_seeds, o->widening};
    return !x->every && !o->no_freedom && verdict_of(&e, x->low, x->high, x->roughly) == VERDICT_UNDECIDED;
}

/* Sets open[] of the runs that the outcome needs. */
static void runs_open(const struct claim_outcome *o, const struct experiment *e, bool *open) {
    const struct expectation *x = o->expectation;
    for (size_t i = 0; i < e->n_runs; i++) {
        struct compared_runs c;
        const json_t *settings = e->run[i].settings;
        if (!settings_match(settings, x->of) || !settings_match(settings, o->where)) continue;
        if (!compared_runs(x, e, i, &c)) continue;
        const size_t run[SIDES] = {c.of, c.against, c.than, c.than_against};
        for (int side = 0; side < SIDES && run[side] != SIZE_MAX; side++) open[run[side]] = true;
    }
}

void expectations_open(const struct expectations *x, const struct experiment *e, json_t *const *result, bool *open) {
    size_t n;
    struct claim_outcome *o = outcomes(x, e, result, true, &n);
    for (size_t i = 0; i < e->n_runs; i++) open[i] = false;
    for (size_t k = 0; k < n; k++)
        if (is_open(&o[k])) runs_open(&o[k], e, open);
    claim_outcomes_free(o, n);
}

const char *claim_recorded_word(const struct claim_outcome *o) {
    return o->is_recorded ? verdict_word(o->recorded) : NULL;
}

void claim_outcomes_free(struct claim_outcome *o, size_t n) {
    for (size_t i = 0; i < n; i++) outcome_release(&o[i]);
    free(o);
}
