/* SPDX-License-Identifier: Apache-2.0 */
#include "study/assemble/outside.h"

#include "base/time_text.h"
#include "base/units.h"
#include "fabric/cut_off.h"
#include "measure/selection.h"

#include <stdio.h>
#include <string.h>

struct outsider {
    const struct assembly *a;
    const struct config *c;
    time_ps until;
    struct diag *warning;
    size_t n, room;
};

static struct diag *next_warning(struct outsider *o) { return &o->warning[o->n < o->room ? o->n++ : o->room - 1]; }

/* ---- flows ---- */

static void warn_of_late_flows(struct outsider *o) {
    const struct flow_list *flows = &o->a->flows;
    uint32_t late = 0;
    time_ps first = TIME_NONE;
    char at[UNITS_TEXT_MAX], until[UNITS_TEXT_MAX];
    for (uint32_t i = 0; i < flows->n; i++) {
        time_ps start = flows->flow[i].start;
        if (start == TIME_NONE || start < o->until) continue;
        late++;
        first = min_i64(first, start);
    }
    if (late == 0) return;
    config_fail(o->c, next_warning(o), "run.until",
                "run.until: %u of %u flows start at %s or later, when the run has ended at %s: they are not in it; end "
                "later, or start them earlier",
                late, flows->n, time_text(first, at), time_text(o->until, until));
}

/* Warns if none of the flows that are in the run counts. Where flows wait for others, their starts are not known. */
static void warn_of_no_flow(struct outsider *o) {
    const struct flow_list *flows = &o->a->flows;
    const struct selection *s = &o->a->world.measure.arrivals;
    uint32_t in_run = 0, counted = 0;
    bool all = !selection_needs_places(s);
    if (flows->gates.n_gated || all) return;
    for (uint32_t i = 0; i < flows->n; i++) {
        time_ps start = flows->flow[i].start;
        if (start >= o->until) continue;
        in_run++;
        counted += selection_has(s, start, i, flows->n);
    }
    if (in_run == 0 || counted) return;
    config_fail(o->c, next_warning(o), "measure.starts",
                "measure.starts: none of the %u flows that start in the run is in that part of the arrivals; take "
                "another part",
                in_run);
}

/* ---- failures ---- */

static void outage_take(struct outages *o, const struct config *c, const char *path, time_ps end) {
    const struct setting *s = config_find(c, "%s", path);
    if (!s || s->none) return;
    o->n++;
    if (s->value < end || o->n_outside++) return;
    snprintf(o->first, sizeof o->first, "%s", path);
    o->at = s->value;
}

struct outages outages_of(const struct config *c, time_ps end) {
    static const char *const lists[] = {"fabric.failed", "fabric.fail_random"};
    static const char *const keys[] = {"at", "repair_at"};
    struct outages o = {0};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (size_t i = 0; i < config_count(c, lists[l]); i++)
            for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
                char path[KEY_PATH_MAX];
                snprintf(path, sizeof path, "%s.%zu.%s", lists[l], i, keys[k]);
                outage_take(&o, c, path, end);
            }
    return o;
}

static void warn_of_late_outages(struct outsider *o) {
    struct outages x = outages_of(o->c, o->until);
    char at[UNITS_TEXT_MAX], until[UNITS_TEXT_MAX];
    if (x.n_outside == 0) return;
    config_fail(o->c, next_warning(o), x.first,
                "%s: %u of %u failures and repairs come at %s or later, when the run has ended at %s; end later "
                "(run.until), or let them come earlier",
                x.first, x.n_outside, x.n, time_text(x.at, at), time_text(o->until, until));
}

/* ---- measurements ---- */

static void warn_of_late_measures(struct outsider *o) {
    time_ps from = o->a->world.measure.arrivals.from;
    char at[UNITS_TEXT_MAX], until[UNITS_TEXT_MAX];
    if (from < o->until) return;
    config_fail(o->c, next_warning(o), "measure.from",
                "measure.from: nothing is measured from %s on, since the run has ended at %s; measure earlier, or end "
                "later (run.until)",
                time_text(from, at), time_text(o->until, until));
}

static void warn_of_late_phases(struct outsider *o) {
    const struct measure_config *m = &o->a->world.measure;
    char from[UNITS_TEXT_MAX], until[UNITS_TEXT_MAX];
    for (uint32_t i = 0; i < m->n_phases; i++) {
        if (m->phase[i].from < o->until) continue;
        config_fail(o->c, next_warning(o), "measure.phases",
                    "measure.phases: the phase %s begins at %s, when the run has ended at %s; let it begin earlier, or "
                    "end later (run.until)",
                    m->phase[i].name, time_text(m->phase[i].from, from), time_text(o->until, until));
    }
}

static size_t period_take(const struct config *c, const char *path, bool is_interval, struct measured_period *p) {
    const struct setting *s = config_given(c, path);
    if (!s) return 0;
    *p = (struct measured_period){.period = s->value, .is_interval = is_interval};
    snprintf(p->path, sizeof p->path, "%s", path);
    return 1;
}

size_t measured_periods(const struct config *c, struct measured_period list[MEASURED_PERIODS_MAX]) {
    static const char *const samples[] = {"measure.queues", "measure.links", "measure.pauses", "measure.goodput"};
    size_t n = 0;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) n += period_take(c, samples[i], false, &list[n]);
    n += period_take(c, "measure.imbalance", true, &list[n]);
    n += period_take(c, "measure.convergence.interval", true, &list[n]);
    size_t intervals = config_numbers(c, "measure.jain", NULL, 0);
    for (size_t i = 0; i < intervals && i < FAIRNESS_MAX; i++) {
        char path[KEY_PATH_MAX];
        snprintf(path, sizeof path, "measure.jain.%zu", i);
        n += period_take(c, path, true, &list[n]);
    }
    return n;
}

static void warn_of_long_periods(struct outsider *o) {
    struct measured_period list[MEASURED_PERIODS_MAX];
    size_t n = measured_periods(o->c, list);
    char period[UNITS_TEXT_MAX], until[UNITS_TEXT_MAX];
    for (size_t i = 0; i < n; i++) {
        if (list[i].period <= o->until) continue;
        config_fail(o->c, next_warning(o), list[i].path,
                    "%s: 0 %s, since %s is longer than the run, which ends at %s; take a shorter one", list[i].path,
                    list[i].is_interval ? "intervals" : "samples", time_text(list[i].period, period),
                    time_text(o->until, until));
    }
}

/* ---- hosts without a path ---- */

#define CUT_OFFS_TOLD 4

static void warn_of_cut_offs(struct outsider *o) {
    struct cut_offs all;
    const char *path = o->a->fabric_spec.n_failed ? "fabric.failed" : "fabric.fail_random";
    char text[CUT_OFF_TEXT];
    uint32_t told = 0, hosts = 0;
    cut_offs_find(o->a->fabric, &all);
    for (size_t i = 0; i < all.n; i++) {
        if (all.of[i].from >= o->until) continue;
        if (told++ >= CUT_OFFS_TOLD) {
            hosts += all.of[i].last - all.of[i].first + 1;
            continue;
        }
        config_fail(o->c, next_warning(o), path, "%s: %s; %s", path, cut_off_text(o->a->fabric, &all.of[i], text),
                    all.of[i].to == TIME_NONE ? "flows between them do not end: give repair_at, or fail other links"
                                              : "flows between them wait till then");
    }
    if (hosts) config_fail(o->c, next_warning(o), path, "%s: and so it is with %u more hosts", path, hosts);
    cut_offs_free(&all);
}

size_t outside_warnings(const struct assembly *a, const struct config *c, struct diag *warning, size_t room) {
    struct outsider o = {a, c, a->world.until, warning, 0, room};
    if (room == 0) return 0;
    warn_of_cut_offs(&o);
    warn_of_no_flow(&o);
    if (o.until == TIME_NONE) return o.n;
    warn_of_late_flows(&o);
    warn_of_late_outages(&o);
    warn_of_late_measures(&o);
    warn_of_late_phases(&o);
    warn_of_long_periods(&o);
    return o.n;
}
