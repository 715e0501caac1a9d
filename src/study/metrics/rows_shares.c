/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of how flows and hosts share the fabric over time, and of the order in which packets arrive. */
#include "study/metrics/rows.h"

/* ---- goodput of hosts ---- */

static json_t *host_goodput_min(const struct metric_cell *c) {
    const struct summary *s = &c->outcome->result.host_goodput_bps;
    return metric_real(s->n > 0, (double)s->min / 1e9);
}

static json_t *host_goodput_jain(const struct metric_cell *c) {
    return metric_jain(c->outcome->result.host_goodput_jain_ppm);
}

/* ---- fairness ---- */

/* Return the totals of the first length of intervals, or of the further length that INTERVAL names. */
static const struct fairness_total *first(const struct metric_cell *c) { return &c->outcome->result.fairness[0]; }

static const struct fairness_total *further(const struct metric_cell *c) {
    return &c->outcome->result.fairness[1 + c->at[0]];
}

static json_t *interval_of(const struct fairness_total *t) {
    return metric_real(t->interval > 0, (double)t->interval / PER_US);
}

static json_t *first_interval(const struct metric_cell *c) { return interval_of(first(c)); }

static json_t *first_jain_mean(const struct metric_cell *c) { return metric_jain_mean(first(c)); }

static json_t *first_jain_min(const struct metric_cell *c) { return metric_jain_min(first(c)); }

static json_t *further_interval(const struct metric_cell *c) { return interval_of(further(c)); }

static json_t *further_jain_mean(const struct metric_cell *c) { return metric_jain_mean(further(c)); }

static json_t *further_jain_min(const struct metric_cell *c) { return metric_jain_min(further(c)); }

static json_t *further_intervals(const struct metric_cell *c) { return metric_count(further(c)->intervals); }

/* ---- convergence ---- */

static json_t *never(const struct metric_cell *c) {
    const struct run_result *r = &c->outcome->result;
    uint64_t n = 0;
    for (size_t i = 0; i < r->n_joins; i++) n += r->join[i].settled_ps == TIME_NONE;
    return metric_count(n);
}

static json_t *first_never(const struct metric_cell *c) {
    const struct run_result *r = &c->outcome->result;
    uint64_t n = 0;
    for (size_t i = 0; i < r->n_joins; i++) n += r->join[i].first_ps == TIME_NONE;
    return metric_count(n);
}

static json_t *last(const struct metric_cell *c) {
    const struct run_result *r = &c->outcome->result;
    span_ps last = r->n_joins ? r->join[r->n_joins - 1].settled_ps : TIME_NONE;
    return metric_real(last != TIME_NONE, (double)last / PER_US);
}

/* ---- order ---- */

static uint64_t degrees_all(const struct run_result *r) {
    uint64_t n = 0;
    for (uint32_t bin = 0; bin < DEGREE_BINS; bin++) n += r->degree_frames[bin];
    return n;
}

static json_t *degrees_n(const struct metric_cell *c) { return metric_count(degrees_all(&c->outcome->result)); }

/* Returns a percentile of degrees by nearest rank. A bin stands for its least degree. */
static json_t *degree(const struct metric_cell *c) {
    static const unsigned permille[] = {500, 950, 990, 1000}; /* in the order of QUANTILE */
    const struct run_result *r = &c->outcome->result;
    uint64_t n = degrees_all(r), rank = (n * permille[c->at[0]] + 999) / 1000, below = 0;
    uint32_t bin = 0;
    while (bin < DEGREE_BINS - 1 && (below += r->degree_frames[bin]) < rank) bin++;
    return metric_real(n > 0, degree_least(bin));
}

/* ---- the rows ---- */

static const struct metric rows[] = {
    {"goodput_gbps.STAT", UNIT_GBPS, METRIC_MORE, "host goodput STAT", SUMMARY(host_goodput_bps, 1e9),
     .doc = "payload that a host received over the time of averages, over the hosts to which a flow was open in that "
            "time"},
    {"goodput_gbps.min", UNIT_GBPS, METRIC_MORE, "host goodput min", VALUE(host_goodput_min),
     .doc = "least goodput of these hosts"},
    {"goodput_gbps.jain", UNIT_NUMBER, METRIC_MORE, "Jain of host goodput", VALUE(host_goodput_jain),
     .head = "Jain of hosts", .doc = "Jain's index over the goodputs of these hosts; null with fewer than two"},
    {"goodput_gbps.variation.STAT", UNIT_NUMBER, METRIC_LESS, "goodput variation STAT",
     SUMMARY(flow_variation_ppm, PER_SHARE),
     .doc = "how much the goodput of one flow fluctuates: standard deviation over mean of the payload that it received "
            "in the intervals of `measure.goodput` since `measure.from`, over flows (0.1: ten percent). Only intervals "
            "in which the flow was open all the time count; flows with fewer than two of them, or that received "
            "nothing in any, are left out. Null without `measure.goodput`"},

    {"fairness.interval_us", UNIT_US, METRIC_NEITHER, "interval of fairness", VALUE(first_interval),
     .doc = "length of the first interval of `measure.jain`; null if there is none"},
    {"fairness.jain_mean", UNIT_NUMBER, METRIC_MORE, "Jain mean", VALUE(first_jain_mean),
     .doc = "Jain's index over the flows that were open during a whole interval, of the payload that they received in "
            "it; mean over the intervals since `measure.from` in which anything was received"},
    {"fairness.jain_min", UNIT_NUMBER, METRIC_MORE, "Jain min", VALUE(first_jain_min),
     .doc = "least index of an interval"},
    {"fairness.intervals", UNIT_COUNT, METRIC_NEITHER, "intervals of fairness", COUNT(fairness[0].intervals),
     .doc = "intervals of the time of averages in which anything was received"},
    {"fairness.INTERVAL.interval_us", UNIT_US, METRIC_NEITHER, "interval INTERVAL of fairness", VALUE(further_interval),
     .doc = "length of a further interval of `measure.jain`"},
    {"fairness.INTERVAL.jain_mean", UNIT_NUMBER, METRIC_MORE, "Jain INTERVAL mean", VALUE(further_jain_mean),
     .doc = "mean index for a further length of intervals"},
    {"fairness.INTERVAL.jain_min", UNIT_NUMBER, METRIC_MORE, "Jain INTERVAL min", VALUE(further_jain_min),
     .doc = "least index for a further length of intervals"},
    {"fairness.INTERVAL.intervals", UNIT_COUNT, METRIC_NEITHER, "intervals of fairness INTERVAL",
     VALUE(further_intervals), .doc = "intervals of a further length in which anything was received"},

    {"convergence_us.STAT", UNIT_US, METRIC_LESS, "convergence STAT", SUMMARY(converged_ps, PER_US),
     .doc = "time from a join of flows to the end of the first fair interval after which all intervals are fair, up to "
            "the next join or leave or the end; over joins (`measure.convergence`). An interval is fair if the rate of "
            "every open flow lies within the band around their mean. A join without such an interval counts as never: "
            "then `mean` and `max` are null, and so is a percentile that falls on one. Joins within one interval are "
            "one, from the last of them on. Joins that left a single flow open, or no whole interval before the next "
            "change, say nothing"},
    {"convergence_us.never", UNIT_COUNT, METRIC_LESS, "never converged", VALUE(never),
     .doc = "joins that count as never"},
    {"convergence_us.last", UNIT_US, METRIC_LESS, "convergence last", VALUE(last),
     .doc = "time of convergence after the last join"},
    {"convergence_us.first.STAT", UNIT_US, METRIC_LESS, "first convergence STAT", SUMMARY(converged_first_ps, PER_US),
     .doc = "time from a join to the end of the first fair interval, whatever follows"},
    {"convergence_us.first.never", UNIT_COUNT, METRIC_LESS, "never fair", VALUE(first_never),
     .doc = "joins after which no interval was fair before the next change"},
    {"convergence_us.third.STAT", UNIT_US, METRIC_LESS, "third convergence STAT", SUMMARY(converged_third_ps, PER_US),
     .doc = "time from a join to the end of the first three fair intervals in a row, whatever follows"},

    {"reorder.STAT", UNIT_COUNT, METRIC_LESS, "reorder degree STAT", SUMMARY(counts.reorder_milli, PER_MILLI),
     .doc = "most packets that a flow's receiver held out of order, over the flows that received anything (with "
            "`measure.from` and `measure.starts`, but flows without an end always)"},
    {"reorder.frames.n", UNIT_COUNT, METRIC_NEITHER, "frames with a reorder degree", VALUE(degrees_n),
     .doc = "data frames of credit transports whose degree was counted"},
    {"reorder.frames.QUANTILE", UNIT_COUNT, METRIC_LESS, "reorder degree of frames QUANTILE", VALUE(degree),
     .doc = "degree of a data frame of credit transports: how many frames it left held out of order, 0 if it came in "
            "order. Degrees above 3 are counted in bins (counters `reorder_*`): 4 stands for 4 to 7, 8 for 8 to 15, "
            "and so on"},
};

METRIC_PART(share, rows);
