/* SPDX-License-Identifier: Apache-2.0 */
#include "study/results/unreached.h"

#include "base/time_text.h"
#include "base/units.h"
#include "study/assemble/outside.h"
#include "study/results/json_out.h"

/* Times of one run. */
struct ended {
    time_ps last_flow, run, until; /* end of the averages over time, of the run; run.until */
};

/* Writes into `text` what the run did not reach; false: it reached all. */
typedef bool (*unreached_fn)(const json_t *result, const struct config *c, const struct ended *e, char *text,
                             size_t size);

/* ---- kinds ---- */

static bool outages_unreached(const json_t *result, const struct config *c, const struct ended *e, char *text,
                              size_t size) {
    struct outages x = outages_of(c, e->last_flow);
    char at[UNITS_TEXT_MAX];
    (void)result;
    if (x.n_outside == 0 || x.at >= e->until) return false;
    snprintf(text, size, "%s: %u of %u failures and repairs come at %s or later", x.first, x.n_outside, x.n,
             time_text(x.at, at));
    return true;
}

static time_ps measured_from(const struct config *c) { return config_value(c, 0, "measure.from"); }

static bool from_unreached(const json_t *result, const struct config *c, const struct ended *e, char *text,
                           size_t size) {
    time_ps from = measured_from(c);
    char at[UNITS_TEXT_MAX];
    (void)result;
    if (from < e->last_flow || from >= e->until || from == 0) return false;
    snprintf(text, size, "measure.from: nothing is measured from %s on", time_text(from, at));
    return true;
}

/* Returns how many flows with an end a result has times of, or lacks, at a path such as "fct_us.all". */
static double flows_at(const json_t *result, const char *path) {
    double n = 0, unfinished = 0;
    char key[64];
    snprintf(key, sizeof key, "%s.n", path);
    json_metric(result, key, &n);
    snprintf(key, sizeof key, "%s.unfinished", path);
    json_metric(result, key, &unfinished);
    return n + unfinished;
}

static bool flows_unreached(const json_t *result, const struct config *c, const struct ended *e, char *text,
                            size_t size) {
    double all = flows_at(result, "unwindowed.fct_us.all");
    bool starts = config_numbers(c, "measure.starts", NULL, 0) > 0;
    time_ps from = measured_from(c);
    if (from >= e->last_flow || (from == 0 && !starts)) return false;
    if (all == 0 || flows_at(result, "fct_us.all") > 0) return false;
    snprintf(text, size, "measure.%s leaves out all %.0f flows", starts ? "starts" : "from", all);
    return true;
}

/* A phase whose time had not begun when the averages ended has flows at most, and no averages. */
static bool phases_unreached(const json_t *result, const struct config *c, const struct ended *e, char *text,
                             size_t size) {
    const char *name;
    json_t *phase;
    (void)c;
    json_object_foreach(json_object_get(result, "phases"), name, phase) {
        time_ps from = (time_ps)(json_number_value(json_object_get(phase, "from_us")) * 1e6 + 0.5);
        char at[UNITS_TEXT_MAX];
        if (from < e->last_flow || from >= e->until) continue;
        snprintf(text, size, "measure.phases: the phase %s begins at %s, and nothing is averaged in it", name,
                 time_text(from, at));
        return true;
    }
    return false;
}

static bool periods_unreached(const json_t *result, const struct config *c, const struct ended *e, char *text,
                              size_t size) {
    struct measured_period list[MEASURED_PERIODS_MAX];
    size_t n = measured_periods(c, list);
    const struct measured_period *first = NULL;
    size_t others = 0;
    char period[UNITS_TEXT_MAX];
    (void)result;
    for (size_t i = 0; i < n; i++) {
        const struct measured_period *p = &list[i];
        if (p->period <= (p->is_interval ? e->last_flow : e->run) || p->period > e->until) continue;
        others += first != NULL;
        if (!first) first = p;
    }
    if (!first) return false;
    int length = snprintf(text, size, "%s: 0 %s of %s", first->path, first->is_interval ? "intervals" : "samples",
                          time_text(first->period, period));
    if (others)
        snprintf(text + length, size - (size_t)length, ", nor of %zu other period%s", others, others == 1 ? "" : "s");
    return true;
}

/* ---- all runs ---- */

static bool ended_of(const json_t *result, const struct config *c, struct ended *e) {
    double to_us, sim_s;
    if (!json_metric(result, "averages.to_us", &to_us) || !json_metric(result, "engine.sim_s", &sim_s)) return false;
    *e = (struct ended){(time_ps)(to_us * 1e6 + 0.5), (time_ps)(sim_s * 1e12 + 0.5),
                        config_value(c, TIME_NONE, "run.until")};
    return true;
}

void unreached_warn(json_t *const *result, size_t n, const struct config *(*config_of)(const void *context, size_t run),
                    const void *context, const char *file, FILE *out) {
    static const unreached_fn kinds[] = {outages_unreached, from_unreached, flows_unreached, phases_unreached,
                                         periods_unreached};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t runs = 0, of = 0, first = 0;
        char text[256] = "", one[256], end[UNITS_TEXT_MAX];
        struct ended e, of_first = {0};
        for (size_t i = 0; i < n; i++) {
            const struct config *c = config_of(context, i);
            if (!result[i] || json_object_get(result[i], "failure") || !ended_of(result[i], c, &e)) continue;
            of++;
            if (!kinds[k](result[i], c, &e, one, sizeof one) || runs++) continue;
            first = i;
            of_first = e;
            snprintf(text, sizeof text, "%s", one);
        }
        if (runs == 0) continue;
        fprintf(out, "%s: warning: %s, in %zu of %zu run%s; run %lld measures until %s\n", file, text, runs, of,
                of == 1 ? "" : "s", (long long)json_integer_value(json_object_get(result[first], "run")),
                time_text(of_first.last_flow, end));
    }
}
