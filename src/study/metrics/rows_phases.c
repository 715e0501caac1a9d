/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of parts of a run: entries of the workload by their names, and phases (measure.phases). */
#include "study/metrics/rows.h"

/* ---- entries ---- */

static const struct flow_times *entry_times(const struct metric_cell *c) {
    return metric_part_times(&c->outcome->result.entry[c->at[0]].flows, c->at[1]);
}

static const struct summary *entry_time(const struct metric_cell *c) { return metric_field(c, entry_times(c)); }

static json_t *entry_unfinished(const struct metric_cell *c) { return metric_count(entry_times(c)->unfinished); }

/* ---- phases ---- */

static const struct phase_total *phase(const struct metric_cell *c) { return &c->outcome->result.phase[c->at[0]]; }

static json_t *phases(const struct metric_cell *c) {
    (void)c;
    return json_object();
}

static json_t *phase_edge(const struct metric_cell *c) {
    const time_ps *at = metric_field(c, phase(c));
    return json_real((double)*at / PER_US);
}

static const struct flow_times *phase_times(const struct metric_cell *c) {
    return metric_part_times(&phase(c)->flows, c->at[1]);
}

static const struct summary *phase_time(const struct metric_cell *c) { return metric_field(c, phase_times(c)); }

static json_t *phase_unfinished(const struct metric_cell *c) { return metric_count(phase_times(c)->unfinished); }

static const struct query_totals *asked(const struct metric_cell *c) { return &phase(c)->queries; }

static json_t *phase_query_count(const struct metric_cell *c) {
    const uint64_t *n = metric_field(c, asked(c));
    return metric_count(*n);
}

static json_t *phase_queries_unfinished(const struct metric_cell *c) {
    return metric_count(asked(c)->started - asked(c)->finished);
}

static const struct summary *phase_queries(const struct metric_cell *c) {
    const struct query_times *t = &asked(c)->times;
    return c->at[1] == 0 ? &t->all : &t->size[c->at[1] - 1];
}

static json_t *phase_over(const struct metric_cell *c) { return metric_share(asked(c)->over, asked(c)->times.all.n); }

static const struct summary *phase_sets(const struct metric_cell *c) {
    return c->at[1] == 0 ? &asked(c)->sets : &asked(c)->fanout[c->at[1] - 1];
}

static json_t *phase_sets_over(const struct metric_cell *c) {
    return metric_share(asked(c)->sets_over, asked(c)->sets.n);
}

/* Returns whether the run reached the phase: without it there are no averages. */
static bool is_reached(const struct metric_cell *c) { return phase(c)->to > phase(c)->from; }

static json_t *use_of(const struct metric_cell *c, const struct link_use *use) {
    const int64_t *ppb = metric_field(c, use);
    return metric_real(is_reached(c) && use->n > 0, (double)*ppb / (double)PPB);
}

static json_t *phase_link(const struct metric_cell *c) { return use_of(c, &phase(c)->link[c->at[1]]); }

static json_t *phase_watched(const struct metric_cell *c) { return use_of(c, &phase(c)->watched); }

static json_t *phase_bytes(const struct metric_cell *c) {
    const int64_t *bytes = metric_field(c, phase(c));
    return metric_real(is_reached(c), (double)*bytes);
}

static json_t *phase_queue_use(const struct metric_cell *c) {
    const struct queue_use *q = &phase(c)->queue[c->at[1]];
    const int64_t *bytes = metric_field(c, q);
    return metric_real(is_reached(c) && q->n_ports > 0, (double)*bytes);
}

static json_t *phase_count(const struct metric_cell *c) {
    const uint64_t *n = metric_field(c, phase(c));
    return metric_count(*n);
}

static json_t *phase_drops(const struct metric_cell *c) {
    return metric_count(phase(c)->counts.packets.dropped_by[DROP_NONE + 1 + c->at[1]]);
}

static json_t *phase_timeouts(const struct metric_cell *c) { return metric_count(phase(c)->counts.timeouts[c->at[1]]); }

static json_t *phase_span(const struct metric_cell *c) {
    const span_ps *span = metric_field(c, phase(c));
    return json_real((double)*span / PER_US);
}

static const struct summary *phase_goodput(const struct metric_cell *c) { return &phase(c)->host_goodput_bps; }

static json_t *phase_goodput_min(const struct metric_cell *c) {
    const struct summary *s = phase_goodput(c);
    return metric_real(s->n > 0, (double)s->min / 1e9);
}

static json_t *phase_goodput_jain(const struct metric_cell *c) { return metric_jain(phase(c)->host_goodput_jain_ppm); }

/* Return the totals of the first length of intervals, or of the further length that INTERVAL names. */
static const struct fairness_total *fair(const struct metric_cell *c) { return &phase(c)->fairness[0]; }

static const struct fairness_total *further(const struct metric_cell *c) { return &phase(c)->fairness[1 + c->at[1]]; }

static json_t *phase_jain_mean(const struct metric_cell *c) { return metric_jain_mean(fair(c)); }

static json_t *phase_jain_min(const struct metric_cell *c) { return metric_jain_min(fair(c)); }

static json_t *phase_intervals(const struct metric_cell *c) { return metric_count(fair(c)->intervals); }

static json_t *further_jain_mean(const struct metric_cell *c) { return metric_jain_mean(further(c)); }

static json_t *further_jain_min(const struct metric_cell *c) { return metric_jain_min(further(c)); }

static json_t *further_intervals(const struct metric_cell *c) { return metric_count(further(c)->intervals); }

static const struct summary *phase_imbalance(const struct metric_cell *c) {
    return &phase(c)->imbalance_ppm[metric_switches(c->at[1])];
}

/* ---- the rows ---- */

static const struct metric rows[] = {
    {"fct_us.ENTRY.CLASS.STAT", UNIT_US, METRIC_LESS, "FCT ENTRY CLASS STAT",
     SUMMARY_IN(entry_time, flow_times, fct_ps, PER_US), .head = "ENTRY CLASS STAT",
     .doc = "FCT of the flows of one entry of the workload that have its `name`"},
    {"fct_us.ENTRY.CLASS.unfinished", UNIT_COUNT, METRIC_LESS, "unfinished flows ENTRY CLASS", VALUE(entry_unfinished),
     .doc = "flows of the entry that count, had started, and had not finished"},
    {"slowdown.ENTRY.CLASS.STAT", UNIT_TIMES, METRIC_LESS, "slowdown ENTRY CLASS STAT",
     SUMMARY_IN(entry_time, flow_times, slowdown_ppm, PER_SHARE), .doc = "slowdown of the flows of one entry"},
    {"handshake_us.ENTRY.CLASS.STAT", UNIT_US, METRIC_LESS, "handshake ENTRY CLASS STAT",
     SUMMARY_IN(entry_time, flow_times, handshake_ps, PER_US), .doc = "handshake of the flows of one entry"},
    {"data_us.ENTRY.CLASS.STAT", UNIT_US, METRIC_LESS, "FCT without handshake ENTRY CLASS STAT",
     SUMMARY_IN(entry_time, flow_times, data_ps, PER_US), .doc = "FCT without handshake of the flows of one entry"},

    {"phases", UNIT_OBJECT, METRIC_NEITHER, "phases", VALUE(phases),
     .doc =
         "the phases of `measure.phases` by their names; `{}` without any. In a phase every flow and query counts that "
         "starts in it, whether `measure.from`, `measure.until` and `measure.starts` leave it out or not"},
    {"phases.PHASE.from_us", UNIT_US, METRIC_NEITHER, "PHASE from", VALUE_IN(phase_edge, phase_total, from),
     .doc = "begin of the phase"},
    {"phases.PHASE.to_us", UNIT_US, METRIC_NEITHER, "PHASE to", VALUE_IN(phase_edge, phase_total, to),
     .doc = "end of the phase, or of the averages if they end before; `from_us` if the run did not reach the phase"},
    {"phases.PHASE.fct_us.CLASS.STAT", UNIT_US, METRIC_LESS, "PHASE FCT CLASS STAT",
     SUMMARY_IN(phase_time, flow_times, fct_ps, PER_US), .head = "PHASE CLASS STAT",
     .doc = "FCT of the flows that start in the phase"},
    {"phases.PHASE.fct_us.CLASS.unfinished", UNIT_COUNT, METRIC_LESS, "PHASE unfinished flows CLASS",
     VALUE(phase_unfinished), .doc = "flows that started in the phase and had not finished when the run ended"},
    {"phases.PHASE.slowdown.CLASS.STAT", UNIT_TIMES, METRIC_LESS, "PHASE slowdown CLASS STAT",
     SUMMARY_IN(phase_time, flow_times, slowdown_ppm, PER_SHARE), .doc = "slowdown of these flows"},
    {"phases.PHASE.handshake_us.CLASS.STAT", UNIT_US, METRIC_LESS, "PHASE handshake CLASS STAT",
     SUMMARY_IN(phase_time, flow_times, handshake_ps, PER_US), .doc = "handshake of these flows"},
    {"phases.PHASE.data_us.CLASS.STAT", UNIT_US, METRIC_LESS, "PHASE FCT without handshake CLASS STAT",
     SUMMARY_IN(phase_time, flow_times, data_ps, PER_US), .doc = "FCT without handshake of these flows"},
    {"phases.PHASE.queries.started", UNIT_COUNT, METRIC_NEITHER, "PHASE queries started",
     VALUE_IN(phase_query_count, query_totals, started), .doc = "queries whose request started in the phase"},
    {"phases.PHASE.queries.finished", UNIT_COUNT, METRIC_NEITHER, "PHASE queries finished",
     VALUE_IN(phase_query_count, query_totals, finished), .doc = "of these, how many ended, in the phase or later"},
    {"phases.PHASE.queries.unfinished", UNIT_COUNT, METRIC_LESS, "PHASE queries unfinished",
     VALUE(phase_queries_unfinished), .doc = "of these, how many had not ended when the run did"},
    {"phases.PHASE.queries.SIZE.STAT", UNIT_US, METRIC_LESS, "PHASE query time SIZE STAT",
     SUMMARY_OF(phase_queries, PER_US), .doc = "completion time of the queries that start in the phase"},
    {"phases.PHASE.queries.over_10ms", UNIT_SHARE, METRIC_LESS, "PHASE queries over 10 ms", VALUE(phase_over),
     .doc = "share of these queries that took longer than 10 ms"},
    {"phases.PHASE.queries.sets.FANOUT.STAT", UNIT_US, METRIC_LESS, "PHASE set time FANOUT STAT",
     SUMMARY_OF(phase_sets, PER_US), .doc = "completion time of the sets whose queries all start in the phase"},
    {"phases.PHASE.queries.sets.over_200ms", UNIT_SHARE, METRIC_LESS, "PHASE sets over 200 ms", VALUE(phase_sets_over),
     .doc = "share of these sets that took longer than 200 ms"},
    {"phases.PHASE.packets.sent", UNIT_COUNT, METRIC_NEITHER, "PHASE packets sent",
     VALUE_IN(phase_count, phase_total, counts.packets.sent),
     .doc = "frames that nodes made and sent within the phase"},
    {"phases.PHASE.packets.delivered", UNIT_COUNT, METRIC_NEITHER, "PHASE packets delivered",
     VALUE_IN(phase_count, phase_total, counts.packets.delivered),
     .doc = "frames that reached their node within the phase; others are under way at its edges"},
    {"phases.PHASE.packets.dropped", UNIT_COUNT, METRIC_LESS, "PHASE packets dropped",
     VALUE_IN(phase_count, phase_total, counts.packets.dropped), .doc = "frames that ports dropped within the phase"},
    {"phases.PHASE.packets.marked", UNIT_COUNT, METRIC_NEITHER, "PHASE packets marked",
     VALUE_IN(phase_count, phase_total, counts.packets.marked), .doc = "frames that a port marked CE within the phase"},
    {"phases.PHASE.packets.retransmitted", UNIT_COUNT, METRIC_LESS, "PHASE packets retransmitted",
     VALUE_IN(phase_count, phase_total, counts.packets.retransmitted),
     .doc = "data packets sent again within the phase"},
    {"phases.PHASE.credits.sent", UNIT_COUNT, METRIC_NEITHER, "PHASE credits sent",
     VALUE_IN(phase_count, phase_total, counts.credits.sent),
     .doc = "credits that receivers sent within the phase, refused ones too"},
    {"phases.PHASE.credits.used", UNIT_COUNT, METRIC_NEITHER, "PHASE credits used",
     VALUE_IN(phase_count, phase_total, counts.credits.used),
     .doc = "credits that a data frame answered within the phase"},
    {"phases.PHASE.credits.wasted", UNIT_COUNT, METRIC_LESS, "PHASE credits wasted",
     VALUE_IN(phase_count, phase_total, counts.credits.wasted),
     .doc = "credits that expired at the sender, or were refused or cleared there, within the phase"},
    {"phases.PHASE.credits.void", UNIT_COUNT, METRIC_NEITHER, "PHASE void credits",
     VALUE_IN(phase_count, phase_total, counts.credits.voided), .doc = "void credits that arrived within the phase"},
    {"phases.PHASE.credits.dropped", UNIT_COUNT, METRIC_LESS, "PHASE credits dropped",
     VALUE_IN(phase_count, phase_total, counts.credits.dropped),
     .doc = "credits that a port dropped, or that the limiter of their sender refused, within the phase"},
    {"phases.PHASE.queues_bytes.mean", UNIT_BYTES, METRIC_LESS, "PHASE mean queue",
     VALUE_IN(phase_bytes, phase_total, queue_mean_bytes),
     .doc = "time-weighted mean backlog of a switch port over the time of the phase, mean over all switch ports"},
    {"phases.PHASE.queues_bytes.max", UNIT_BYTES, METRIC_LESS, "PHASE largest queue",
     VALUE_IN(phase_bytes, phase_total, queue_max_bytes),
     .doc = "largest backlog of any switch port within the phase, what stood there at its begin included"},
    {"phases.PHASE.queues_bytes.by_tier.PLACE.mean", UNIT_BYTES, METRIC_LESS, "PHASE mean queue PLACE",
     VALUE_IN(phase_queue_use, queue_use, mean_bytes), .doc = "the same mean over the ports of one place"},
    {"phases.PHASE.queues_bytes.by_tier.PLACE.max", UNIT_BYTES, METRIC_LESS, "PHASE largest queue PLACE",
     VALUE_IN(phase_queue_use, queue_use, max_bytes), .doc = "largest backlog of any port of the place"},
    {"phases.PHASE.buffers_bytes.mean", UNIT_BYTES, METRIC_LESS, "PHASE mean buffer",
     VALUE_IN(phase_bytes, phase_total, buffer.mean_bytes),
     .doc = "time-weighted mean of all bytes in a switch over the time of the phase, mean over the switches"},
    {"phases.PHASE.buffers_bytes.max", UNIT_BYTES, METRIC_LESS, "PHASE fullest buffer",
     VALUE_IN(phase_bytes, phase_total, buffer.max_bytes), .doc = "most bytes in any switch at one time of the phase"},
    {"phases.PHASE.pauses.paused_us", UNIT_US, METRIC_LESS, "PHASE paused", VALUE_IN(phase_span, phase_total, paused),
     .doc = "time that ports were paused within the phase, sum over ports, NICs and classes"},
    {"phases.PHASE.pauses.blocked_us", UNIT_US, METRIC_LESS, "PHASE blocked",
     VALUE_IN(phase_span, phase_total, blocked),
     .doc = "head-of-line blocking (`pauses.blocked_us`) within the phase, sum over ports"},
    {"phases.PHASE.pauses.sent", UNIT_COUNT, METRIC_NEITHER, "PHASE pause frames sent",
     VALUE_IN(phase_count, phase_total, counts.pauses_sent), .doc = "pause frames sent within the phase"},
    {"phases.PHASE.pauses.stops", UNIT_COUNT, METRIC_NEITHER, "PHASE pauses",
     VALUE_IN(phase_count, phase_total, counts.pause_stops),
     .doc = "how often a class of a port was stopped within the phase"},
    {"phases.PHASE.counters.DROP", UNIT_COUNT, METRIC_LESS, "PHASE DROP", VALUE(phase_drops),
     .doc = "frames dropped within the phase, by cause. A frame that waits for a link that fails counts from when it "
            "joined the queue"},
    {"phases.PHASE.counters.TIMEOUT", UNIT_COUNT, METRIC_LESS, "PHASE TIMEOUT", VALUE(phase_timeouts),
     .doc = "retransmission timeouts within the phase, by kind"},
    {"phases.PHASE.links.TIER.mean", UNIT_SHARE, METRIC_NEITHER, "PHASE link use TIER mean",
     VALUE_IN(phase_link, link_use, mean_ppb),
     .doc = "utilisation of the links of a tier over the time of the phase: mean over both directions"},
    {"phases.PHASE.links.TIER.max", UNIT_SHARE, METRIC_NEITHER, "PHASE link use TIER max",
     VALUE_IN(phase_link, link_use, max_ppb), .doc = "the same, of the most used direction"},
    {"phases.PHASE.links.TIER.min", UNIT_SHARE, METRIC_NEITHER, "PHASE link use TIER min",
     VALUE_IN(phase_link, link_use, min_ppb), .doc = "the same, of the least used link in its busier direction"},
    {"phases.PHASE.links.TIER.data_mean", UNIT_SHARE, METRIC_NEITHER, "PHASE data on links TIER mean",
     VALUE_IN(phase_link, link_use, data_mean_ppb), .doc = "mean over the links of the tier without credits"},
    {"phases.PHASE.links.TIER.data_max", UNIT_SHARE, METRIC_NEITHER, "PHASE data on links TIER max",
     VALUE_IN(phase_link, link_use, data_max_ppb), .doc = "the most used direction without credits"},
    {"phases.PHASE.links.TIER.data_min", UNIT_SHARE, METRIC_NEITHER, "PHASE data on links TIER min",
     VALUE_IN(phase_link, link_use, data_min_ppb), .doc = "the least used link without credits"},
    {"phases.PHASE.links.watch.mean", UNIT_SHARE, METRIC_NEITHER, "PHASE use of watched links mean",
     VALUE_IN(phase_watched, link_use, mean_ppb),
     .doc = "utilisation of the links that `measure.watch` names over the time of the phase; null if none is watched"},
    {"phases.PHASE.links.watch.max", UNIT_SHARE, METRIC_NEITHER, "PHASE use of watched links max",
     VALUE_IN(phase_watched, link_use, max_ppb), .doc = "the same, of the busiest watched link"},
    {"phases.PHASE.links.watch.min", UNIT_SHARE, METRIC_NEITHER, "PHASE use of watched links min",
     VALUE_IN(phase_watched, link_use, min_ppb), .doc = "the same, of the least used watched link"},
    {"phases.PHASE.goodput_gbps.STAT", UNIT_GBPS, METRIC_MORE, "PHASE host goodput STAT",
     SUMMARY_OF(phase_goodput, 1e9),
     .doc = "payload that a host received over the time of the phase, over the hosts to which a flow was open in it"},
    {"phases.PHASE.goodput_gbps.min", UNIT_GBPS, METRIC_MORE, "PHASE host goodput min", VALUE(phase_goodput_min),
     .doc = "least goodput of these hosts"},
    {"phases.PHASE.goodput_gbps.jain", UNIT_NUMBER, METRIC_MORE, "PHASE Jain of host goodput",
     VALUE(phase_goodput_jain), .doc = "Jain's index over the goodputs of these hosts; null with fewer than two"},
    {"phases.PHASE.imbalance.SWITCHES.STAT", UNIT_NUMBER, METRIC_LESS, "PHASE imbalance SWITCHES STAT",
     SUMMARY_OF(phase_imbalance, PER_SHARE),
     .doc = "throughput imbalance of uplinks in the loaded intervals that lie in the phase"},
    {"phases.PHASE.fairness.jain_mean", UNIT_NUMBER, METRIC_MORE, "PHASE Jain mean", VALUE(phase_jain_mean),
     .doc = "Jain's index over flows, mean over the intervals of `measure.jain` that lie in the phase"},
    {"phases.PHASE.fairness.jain_min", UNIT_NUMBER, METRIC_MORE, "PHASE Jain min", VALUE(phase_jain_min),
     .doc = "least index of such an interval"},
    {"phases.PHASE.fairness.intervals", UNIT_COUNT, METRIC_NEITHER, "PHASE intervals of fairness",
     VALUE(phase_intervals), .doc = "such intervals in which anything was received"},
    {"phases.PHASE.fairness.INTERVAL.jain_mean", UNIT_NUMBER, METRIC_MORE, "PHASE Jain INTERVAL mean",
     VALUE(further_jain_mean), .doc = "mean index for a further length of intervals"},
    {"phases.PHASE.fairness.INTERVAL.jain_min", UNIT_NUMBER, METRIC_MORE, "PHASE Jain INTERVAL min",
     VALUE(further_jain_min), .doc = "least index for a further length of intervals"},
    {"phases.PHASE.fairness.INTERVAL.intervals", UNIT_COUNT, METRIC_NEITHER, "PHASE intervals of fairness INTERVAL",
     VALUE(further_intervals), .doc = "such intervals of a further length in which anything was received"},
};

METRIC_PART(phase, rows);
