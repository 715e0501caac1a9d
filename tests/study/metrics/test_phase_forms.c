/* SPDX-License-Identifier: Apache-2.0 */
/* Which metrics have a form for phases, and why the others have none. */
#include "study/metrics/phase_forms.h"

#include "study/results/json_out.h"

#include "unit.h"

#include <math.h>
#include <string.h>

static bool has_form(const char *path) {
    size_t n;
    const struct metric *const *row = metrics(&n);
    for (size_t i = 0; i < n; i++) {
        const char *form = phase_form(row[i]);
        if (form && strcmp(form, path) == 0) return true;
    }
    return false;
}

/* A number of the whole run has a form for phases, or the message that refuses it says why it has none. */
static void phase_form__or_the_reason_why_not(void **state) {
    (void)state;
    size_t n;
    const struct metric *const *row = metrics(&n);
    for (size_t i = 0; i < n; i++) {
        bool is_number = row[i]->unit != UNIT_OBJECT && row[i]->unit != UNIT_TEXT && row[i]->unit != UNIT_LIST;
        if (!is_number || row[i]->names_run || strncmp(row[i]->path, "phases.", 7) == 0) continue;
        if (!has_form(row[i]->path) && !phase_form_missing(row[i]->path)) fail_msg("%s: why?", row[i]->path);
    }
    assert_true(has_form("queues_bytes.max") && has_form("packets.retransmitted") && has_form("links.watch.max"));
    assert_false(has_form("engine.wall_s") || has_form("from_us"));
    assert_true(has_form("fairness.jain_mean") && has_form("imbalance.SWITCHES.STAT") && has_form("credits.dropped"));
    assert_non_null(strstr(phase_form_missing("goodput_gbps.variation.mean"), "measure.goodput"));
    assert_null(phase_form_missing("queues_bytes.max"));
}

/* The numbers come from the phase; a phase that the run did not reach has no averages and no maxima. */
static void phase_form__has_the_numbers_of_its_phase(void **state) {
    (void)state;
    struct phase_total phase[] = {{.name = "reached", .from = 0, .to = PS_PER_MS}, {.name = "never"}};
    struct outcome x = {.result.phase = phase, .result.n_phases = 2, .result.queue_max_bytes = 9};
    static const struct {
        const char *path;
        double value;
    } expected[] = {
        {"phases.reached.queues_bytes.max", 7},       {"phases.reached.queues_bytes.by_tier.tor_up.max", 6},
        {"phases.reached.buffers_bytes.max", 8},      {"phases.reached.packets.retransmitted", 3},
        {"phases.reached.counters.timeouts_data", 2}, {"phases.reached.counters.drop_loss", 5},
        {"phases.reached.links.watch.max", 0.5},      {"phases.reached.goodput_gbps.jain", 0.75},
        {"phases.reached.queries.over_10ms", 0.25},   {"phases.reached.queries.unfinished", 1},
        {"phases.reached.pauses.blocked_us", 4},      {"phases.never.packets.retransmitted", 0},
        {"phases.never.queues_bytes.max", NAN},       {"phases.never.buffers_bytes.max", NAN},
        {"phases.reached.links.uplink.min", NAN},     {"phases.reached.queues_bytes.by_tier.core.mean", NAN},
        {"phases.reached.pauses.sent", 11},           {"phases.reached.pauses.stops", 12},
        {"phases.reached.credits.sent", 21},          {"phases.reached.credits.used", 22},
        {"phases.reached.credits.wasted", 23},        {"phases.reached.credits.void", 24},
        {"phases.reached.credits.dropped", 25},       {"phases.reached.fairness.jain_mean", 0.75},
        {"phases.reached.fairness.jain_min", 0.5},    {"phases.reached.fairness.intervals", 2},
        {"phases.never.fairness.jain_mean", NAN},     {"phases.never.fairness.jain_min", NAN},
        {"phases.reached.fairness.1.jain_mean", 0.5}, {"phases.reached.fairness.1.jain_min", 0.25},
        {"phases.reached.fairness.1.intervals", 3},   {"phases.reached.imbalance.tor.max", 1.5},
        {"phases.reached.imbalance.agg.max", 2.5},    {"phases.never.imbalance.tor.max", NAN},
    };
    phase[0].queue_max_bytes = 7;
    phase[0].queue[QUEUE_TOR_UP] = (struct queue_use){.n_ports = 1, .max_bytes = 6};
    phase[0].buffer.max_bytes = 8;
    phase[0].counts.packets.retransmitted = 3;
    phase[0].counts.timeouts[PHASE_TIMEOUTS_DATA] = 2;
    phase[0].counts.packets.dropped_by[DROP_LOSS] = 5;
    phase[0].watched = (struct link_use){.n = 1, .max_ppb = PPB / 2};
    phase[0].host_goodput_jain_ppm = 750000;
    phase[0].queries = (struct query_totals){.started = 5, .finished = 4, .over = 1, .times.all.n = 4};
    phase[0].blocked = 4 * PS_PER_US;
    phase[0].counts.pauses_sent = 11;
    phase[0].counts.pause_stops = 12;
    phase[0].counts.credits = (struct credit_totals){21, 22, 23, 24, 25, 26};
    phase[0].fairness[0] = (struct fairness_total){.intervals = 2, .sum_ppm = 1500000, .min_ppm = 500000};
    phase[0].fairness[1] = (struct fairness_total){.intervals = 3, .sum_ppm = 1500000, .min_ppm = 250000};
    phase[0].imbalance_ppm[TIER_LEAF] = (struct summary){.n = 1, .max = 1500000};
    phase[0].imbalance_ppm[TIER_AGG] = (struct summary){.n = 1, .max = 2500000};
    json_t *settings = json_object(), *o = metrics_object(1, settings, &x);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        double value;
        if (!json_metric(o, expected[i].path, &value)) fail_msg("%s is missing", expected[i].path);
        if (value != expected[i].value && !(isnan(value) && isnan(expected[i].value)))
            fail_msg("%s is %g", expected[i].path, value);
    }
    json_decref(o);
    json_decref(settings);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(phase_form__or_the_reason_why_not),
        UNIT(phase_form__has_the_numbers_of_its_phase),
    };
    return RUN_UNITS(tests);
}
