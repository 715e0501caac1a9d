/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of flows: run number and settings, completion times, slowdown, open flows, goodput. */
#include "study/metrics/rows.h"
#include "study/results/settled.h"

/* ---- which run ---- */

static json_t *run_number(const struct metric_cell *c) { return metric_count(c->number); }

static json_t *run_settings(const struct metric_cell *c) { return json_deep_copy(c->settings); }

/* ---- times by class ---- */

/* Returns the times of the class in CLASS: first the built-in classes, then those of measure.classes. */
static const struct flow_times *times(const struct metric_cell *c) {
    const struct run_result *r = &c->outcome->result;
    return c->at[0] < FLOW_CLASSES ? &r->times[c->at[0]] : &r->size_times[c->at[0] - FLOW_CLASSES];
}

static const struct flow_times *all_times(const struct metric_cell *c) {
    const struct run_result *r = &c->outcome->result;
    return c->at[0] < FLOW_CLASSES ? &r->all_times[c->at[0]] : &r->all_size_times[c->at[0] - FLOW_CLASSES];
}

static const struct summary *time_of(const struct metric_cell *c) { return metric_field(c, times(c)); }

static const struct summary *time_of_all(const struct metric_cell *c) { return metric_field(c, all_times(c)); }

static json_t *fct_min(const struct metric_cell *c) {
    const struct summary *s = &times(c)->fct_ps;
    return metric_statistic(s, s->min, PER_US);
}

static json_t *unfinished(const struct metric_cell *c) { return metric_count(times(c)->unfinished); }

static json_t *all_unfinished(const struct metric_cell *c) { return metric_count(all_times(c)->unfinished); }

/* ---- open flows ---- */

static json_t *arrival(const struct metric_cell *c) {
    const struct open_flows *f = &c->outcome->result.open;
    const time_ps *at = metric_field(c, f);
    return metric_real(f->arrivals > 0, (double)*at / PER_US);
}

static json_t *open_flows(const struct metric_cell *c) {
    struct settling s = settling_of(&c->outcome->result.open);
    const double *value = metric_field(c, &s);
    return metric_real(s.is_known, *value);
}

static json_t *settled(const struct metric_cell *c) {
    struct settling s = settling_of(&c->outcome->result.open);
    return s.is_known ? json_integer(s.settled) : json_null();
}

/* ---- goodput ---- */

static const struct summary *goodput(const struct metric_cell *c) { return &c->outcome->result.goodput[c->at[0]].bps; }

static json_t *goodput_jain(const struct metric_cell *c) {
    const struct goodput *g = &c->outcome->result.goodput[c->at[0]];
    return metric_jain(g->bps.n ? g->jain_ppm : JAIN_NONE);
}

/* ---- the rows ---- */

static const struct metric rows[] = {
    {"run", UNIT_COUNT, METRIC_NEITHER, "run", VALUE(run_number), .names_run = true,
     .doc = "number of the run, from 1: the runs are the cartesian product of the sweep, its last key fastest"},
    {"settings", UNIT_OBJECT, METRIC_NEITHER, "settings", VALUE(run_settings), .names_run = true,
     .doc = "value of each swept key, and `run.seed`; numbers as numbers, names and quantities as text"},

    {"flows.started", UNIT_COUNT, METRIC_NEITHER, "flows started", COUNT(flows_started),
     .doc = "flows that were handed to their host"},
    {"flows.finished", UNIT_COUNT, METRIC_NEITHER, "flows finished", COUNT(flows_finished),
     .doc =
         "started flows whose last byte arrived; flows without an end and flows in the background count as finished"},
    {"flows.unfinished", UNIT_COUNT, METRIC_NEITHER, "flows unfinished", COUNT(flows_unfinished),
     .doc = "started flows that are not finished. While there are any, expectations about the run are not measurable"},
    {"flows.not_started", UNIT_COUNT, METRIC_NEITHER, "flows not started", COUNT(flows_not_started),
     .doc =
         "flows that had not started when the run ended: they start after `run.until`, or wait for flows that had not "
         "ended. Flows in the background do not count; a warning names the number"},
    {"flows.bytes", UNIT_BYTES, METRIC_NEITHER, "flow bytes", COUNT(flow_bytes),
     .doc = "payload bytes that arrived, each byte once"},

    {"averages.from_us", UNIT_US, METRIC_NEITHER, "averages from", SCALED(averaged.from, PER_US),
     .doc = "begin of the time of averages: `measure.from`. Utilisation, goodput, mean queues, paused times, fairness, "
            "convergence and imbalance are over this time"},
    {"averages.to_us", UNIT_US, METRIC_NEITHER, "averages to", SCALED(averaged.to, PER_US),
     .doc =
         "end of the time of averages: the end of the last flow, to the picosecond, or `run.until` if that comes "
         "first. Without `run.until` flows in the background do not count. A run that ends before `measure.from` has "
         "no such time: its averages are 0, and a warning says so"},

    {"fct_us.CLASS.STAT", UNIT_US, METRIC_LESS, "FCT CLASS STAT", SUMMARY_IN(time_of, flow_times, fct_ps, PER_US),
     .head = "CLASS STAT",
     .doc = "flow completion time: from the instant at which the application hands the flow to its host (so the "
            "handshake is inside) to the arrival of the last payload byte"},
    {"fct_us.CLASS.min", UNIT_US, METRIC_LESS, "FCT CLASS min", VALUE(fct_min), .head = "CLASS min",
     .doc = "least FCT of the class: what a flow takes that meets no other"},
    {"fct_us.CLASS.unfinished", UNIT_COUNT, METRIC_LESS, "unfinished flows CLASS", VALUE(unfinished),
     .doc =
         "flows of the class that count, had started, and had not finished when the run ended. The summaries of FCT, "
         "slowdown, handshake and data lack them and are too short by that; every table says so, and a warning"},
    {"slowdown.CLASS.STAT", UNIT_TIMES, METRIC_LESS, "slowdown CLASS STAT",
     SUMMARY_IN(time_of, flow_times, slowdown_ppm, PER_SHARE),
     .doc = "FCT divided by the least FCT that the flow could have in the idle fabric "
            "(docs/decisions/0011-fct-and-slowdown.md); never under 1"},
    {"handshake_us.CLASS.STAT", UNIT_US, METRIC_LESS, "handshake CLASS STAT",
     SUMMARY_IN(time_of, flow_times, handshake_ps, PER_US),
     .doc = "first part of each FCT, until the sender's transport releases its first payload. With TCP it is the SYN, "
            "its answer, and their timeouts; with credits the request and the way of the first credit. With UDP, on an "
            "open connection, or with unscheduled data it is only the wait for the host's own NIC, and in a job for "
            "earlier messages of its connection"},
    {"data_us.CLASS.STAT", UNIT_US, METRIC_LESS, "FCT without handshake CLASS STAT",
     SUMMARY_IN(time_of, flow_times, data_ps, PER_US),
     .doc = "second part of each FCT, from the release of the first payload on"},
    {"unwindowed.fct_us.CLASS.STAT", UNIT_US, METRIC_LESS, "FCT of all flows CLASS STAT",
     SUMMARY_IN(time_of_all, flow_times, fct_ps, PER_US),
     .doc = "FCT over all flows, also the ones that `measure.from` and `measure.starts` leave out"},
    {"unwindowed.fct_us.CLASS.unfinished", UNIT_COUNT, METRIC_LESS, "unfinished of all flows CLASS",
     VALUE(all_unfinished),
     .doc = "flows of the class that had started and had not finished when the run ended, whether they count or not"},
    {"unwindowed.slowdown.CLASS.STAT", UNIT_TIMES, METRIC_LESS, "slowdown of all flows CLASS STAT",
     SUMMARY_IN(time_of_all, flow_times, slowdown_ppm, PER_SHARE),
     .doc = "slowdown over all flows, also the ones that `measure.from` and `measure.starts` leave out"},

    {"open_flows.arrivals", UNIT_COUNT, METRIC_NEITHER, "arrivals", COUNT(open.arrivals),
     .doc =
         "flows that count: they have an end, are not in the background, and their workload offers a load that lasts "
         "(poisson, queries, a trace)"},
    {"open_flows.from_us", UNIT_US, METRIC_NEITHER, "first arrival", VALUE_IN(arrival, open_flows, from),
     .doc = "start of the first flow that counts: the window of arrivals begins"},
    {"open_flows.to_us", UNIT_US, METRIC_NEITHER, "last arrival", VALUE_IN(arrival, open_flows, to),
     .doc = "start of the last flow that counts: the window of arrivals ends"},
    {"open_flows.first", UNIT_NUMBER, METRIC_NEITHER, "open flows first", VALUE_IN(open_flows, settling, first),
     .doc = "mean number of open flows in the first fifth of the window. Every open flow counts, whenever it started"},
    {"open_flows.last", UNIT_NUMBER, METRIC_NEITHER, "open flows last", VALUE_IN(open_flows, settling, last),
     .doc = "mean number of open flows in the last fifth of the window"},
    {"open_flows.mean", UNIT_NUMBER, METRIC_NEITHER, "open flows mean", VALUE_IN(open_flows, settling, mean),
     .doc = "mean number of open flows over the whole window"},
    {"open_flows.growth", UNIT_NUMBER, METRIC_NEITHER, "open flows growth", VALUE_IN(open_flows, settling, growth),
     .is_signed = true, .doc = "number of flows by which a straight line through 20 parts of the window climbs"},
    {"open_flows.settled", UNIT_NUMBER, METRIC_NEITHER, "settled", VALUE(settled),
     .doc = "0 if the line of `growth` climbs by more than three of its standard errors (enlarged for the correlation "
            "of neighbouring parts), by more than a tenth of the mean, and by at least two flows; else 1. A run that "
            "is not settled gets a warning: its completion times depend on how long it runs. With fewer than 100 "
            "arrivals this, `first`, `last`, `mean` and `growth` are null. `src/study/results/settled.h` has the rule "
            "and how "
            "often it errs; the store has the course over the run in `open_flows`"},

    {"goodput_mbps.BUILTIN.STAT", UNIT_MBPS, METRIC_MORE, "flow goodput BUILTIN STAT", SUMMARY_OF(goodput, 1e6),
     .head = "goodput BUILTIN STAT",
     .doc = "payload bits of a flow divided by its FCT; of a flow without an end by the time it had"},
    {"goodput_mbps.BUILTIN.jain", UNIT_NUMBER, METRIC_MORE, "Jain of flow goodput BUILTIN", VALUE(goodput_jain),
     .head = "Jain of flows BUILTIN",
     .doc = "Jain's index of the goodputs of the class if its flows are all equally large, or all without an end; else "
            "null. Read it beside a mean, which unequal sharing flatters"},
};

METRIC_PART(flow, rows);
