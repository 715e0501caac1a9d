/* SPDX-License-Identifier: Apache-2.0 */
#include "study/claims/expect.h"
#include "study/claims/reason.h"
#include "study/results/json_out.h"

#include <math.h>

/* Returns the names of the keys, as a list. */
static json_t *best_keys(json_t *best) {
    json_t *names = json_array(), *values;
    const char *key;
    json_object_foreach(best, key, values) json_array_append_new(names, json_string(key));
    return names;
}

static json_t *text_or_null(const char *text) { return text ? json_string(text) : json_null(); }

json_t *claim_json(const struct claim_outcome *o) {
    const struct expectation *x = o->expectation;
    char reason[REASON_MAX];
    json_t *line = json_object();
    json_object_set_new(line, "claim", json_string(x->claim));
    json_object_set_new(line, "entry", json_integer((json_int_t)x->entry));
    json_object_set(line, "where", o->where);
    json_object_set_new(line, "metric", json_string(x->metric));
    json_object_set(line, "of", x->of);
    json_object_set_new(line, "against", json_object_size(x->against) ? json_incref(x->against) : json_null());
    json_object_set_new(line, "than", json_object_size(x->than) ? json_incref(x->than) : json_null());
    json_object_set_new(line, "form", json_string(form_word(x->form)));
    json_object_set_new(line, "best", o->n_best > 1 ? json_incref(o->best) : json_null());
    json_object_set_new(line, "n_best", json_integer(o->n_best));
    json_object_set_new(line, "n_seeds", json_integer(o->n_seeds));
    json_object_set_new(line, "runs", json_integer(o->n_runs));
    json_object_set_new(line, "missing", json_integer(o->n_missing));
    json_object_set_new(line, "unsettled", json_integer(o->n_unsettled));
    json_object_set_new(line, "measured", json_number(o->measured));
    json_object_set_new(line, "older", json_boolean(o->older));
    json_object_set_new(line, "spread", json_number(o->no_freedom ? NAN : o->spread));
    json_object_set_new(line, "standard_error", json_number(o->standard_error));
    json_object_set_new(line, "interval",
                        isnan(o->standard_error)
                            ? json_null()
                            : json_pack("[o,o]", json_number(o->interval_low), json_number(o->interval_high)));
    json_object_set_new(line, "growth_range",
                        isnan(o->growth_low)
                            ? json_null()
                            : json_pack("[o,o]", json_number(o->growth_low), json_number(o->growth_high)));
    json_object_set_new(line, "low", json_number(x->low));
    json_object_set_new(line, "high", json_number(x->high));
    json_object_set_new(line, "every", json_boolean(x->every));
    if (x->transient) json_object_set_new(line, "transient", json_true());
    json_object_set_new(line, "roughly", text_or_null(x->roughly));
    json_object_set_new(line, "inferred", text_or_null(x->inferred));
    json_object_set_new(line, "paper", text_or_null(x->paper));
    json_object_set_new(line, "met", json_boolean(o->met));
    json_object_set_new(line, "verdict", json_string(verdict_word(o->verdict)));
    json_object_set_new(line, "reason", claim_reason(o, reason)[0] ? json_string(reason) : json_null());
    json_object_set_new(line, "recorded", text_or_null(claim_recorded_word(o)));
    json_object_set_new(line, "as_recorded", json_boolean(o->as_recorded));
    return line;
}

json_t *claim_statement(const struct expectation *x) {
    json_t *o = json_object();
    json_object_set_new(o, "claim", json_string(x->claim));
    json_object_set_new(o, "metric", json_string(x->metric));
    json_object_set_new(o, "form", json_string(form_word(x->form)));
    json_object_set(o, "of", x->of);
    if (json_object_size(x->against)) json_object_set(o, "against", x->against);
    if (json_object_size(x->than)) json_object_set(o, "than", x->than);
    if (json_object_size(x->best)) json_object_set_new(o, "best", best_keys(x->best));
    if (isfinite(x->low)) json_object_set_new(o, "low", json_real(x->low));
    if (isfinite(x->high)) json_object_set_new(o, "high", json_real(x->high));
    if (x->every) json_object_set_new(o, "every", json_true());
    if (x->transient) json_object_set_new(o, "transient", json_true());
    if (x->roughly) json_object_set_new(o, "roughly", json_string(x->roughly));
    if (x->inferred) json_object_set_new(o, "inferred", json_string(x->inferred));
    return o;
}
