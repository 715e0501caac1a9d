/* SPDX-License-Identifier: Apache-2.0 */
#include "study/claims/reason.h"

#include "study/experiment/settings.h"

#include <math.h>
#include <string.h>

static const char *const lacks[] = {
    [LACK_NOTHING] = "the figure divides by 0",
    [LACK_VALUE] = "the metric has no value in these runs",
    [LACK_RENEWAL] = "the results are older than the metric",
    [LACK_FLOWS] = "flows had not finished",
    [LACK_RUN] = "a run failed",
};

#define SEEDS_FORESEEN_MAX 1000.0

/* Writes how many seeds there are, and about how many would decide. */
static void seeds_text(const struct claim_outcome *o, double distance, char *buf, size_t size) {
    double times = 3 * o->standard_error * o->widening / distance; /* by how much the standard error is too large */
    double seeds = ceil(times * times * o->n_seeds);
    if (!(distance > 0))
        snprintf(buf, size, "too few seeds: %u, and the value lies on a bound", o->n_seeds);
    else if (seeds > SEEDS_FORESEEN_MAX)
        snprintf(buf, size, "too few seeds: %u of more than %.0f", o->n_seeds, SEEDS_FORESEEN_MAX);
    else
        snprintf(buf, size, "too few seeds: %u of about %.0f", o->n_seeds, seeds);
}

/* Writes what the seeds lack for a verdict; "" if they suffice. */
static void spread_text(const struct claim_outcome *o, char *buf, size_t size) {
    const struct expectation *x = o->expectation;
    double distance = fmin(fabs(o->measured - x->low), fabs(o->measured - x->high));
    buf[0] = '\0';
    if (o->no_freedom)
        snprintf(buf, size, "all seeds gave the same run");
    else if (isnan(o->standard_error))
        snprintf(buf, size, "one seed");
    else if (o->standard_error * o->widening > distance / 3)
        seeds_text(o, distance, buf, size);
}

/* Writes what keeps the outcome from a verdict. */
static void undecided_text(const struct claim_outcome *o, char *buf, size_t size) {
    if (o->n_missing) {
        snprintf(buf, size, "%u of %u run%s missing", o->n_missing, o->n_runs, o->n_runs == 1 ? " is" : "s are");
        return;
    }
    spread_text(o, buf, size);
    size_t used = strlen(buf);
    if (claim_outgrown(o))
        snprintf(buf + used, size - used, "%s%u of %u run%s had not settled", used ? "; " : "", o->n_unsettled,
                 o->n_seeds, o->n_seeds == 1 ? "" : "s");
}

/* Adds where the best figure is: "best of 5: workload.0.load 0.4". */
static void best_add(const struct claim_outcome *o, char *buf, size_t size) {
    size_t used = strlen(buf);
    const char *key, *between = ": ";
    json_t *value;
    used += (size_t)snprintf(buf + used, size - used, "%sbest of %u", used ? "; " : "", o->n_best);
    json_object_foreach(o->best, key, value) {
        char text[64];
        setting_text(value, text, sizeof text);
        if (used < size) used += (size_t)snprintf(buf + used, size - used, "%s%s %s", between, key, text);
        between = ", ";
    }
}

const char *claim_reason(const struct claim_outcome *o, char buf[REASON_MAX]) {
    bool is_good = o->verdict == VERDICT_HOLDS || o->verdict == VERDICT_ROUGHLY;
    buf[0] = '\0';
    if (o->verdict == VERDICT_UNMEASURED) snprintf(buf, REASON_MAX, "%s", lacks[o->lack]);
    if (is_good && o->expectation->inferred) snprintf(buf, REASON_MAX, "set inferred");
    if (o->verdict == VERDICT_UNDECIDED) undecided_text(o, buf, REASON_MAX);
    if (o->n_best > 1 && o->verdict != VERDICT_UNMEASURED) best_add(o, buf, REASON_MAX);
    return buf;
}

static bool is_good(const char *verdict) {
    return strcmp(verdict, verdict_word(VERDICT_HOLDS)) == 0 || strcmp(verdict, verdict_word(VERDICT_ROUGHLY)) == 0;
}

const char *outcome_text(const char *verdict, const char *reason, const char *recorded, bool as_recorded, char *buf,
                         size_t size) {
    bool why = reason && reason[0];
    size_t used = (size_t)snprintf(buf, size, "%s%s%s%s", verdict, why ? " (" : "", why ? reason : "", why ? ")" : "");
    if (used >= size || !recorded) return buf;
    if (as_recorded)
        snprintf(buf + used, size - used, ", as recorded");
    else if (strcmp(verdict, recorded) == 0 || (is_good(verdict) && is_good(recorded)))
        snprintf(buf + used, size - used, ", recorded with another value");
    else
        snprintf(buf + used, size - used, ", recorded: %s", recorded);
    return buf;
}
