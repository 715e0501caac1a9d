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

static const struct summary *phase_queries(const struct metric_cell *c) {
    const struct query_times *t = &phase(c)->queries;
    return c->at[1] == 0 ? &t->all : &t->size[c->at[1] - 1];
}

/* Returns whether the run reached the phase: without it there are no averages. */
static bool is_reached(const struct metric_cell *c) { return phase(c)->to > phase(c)->from; }

static json_t *phase_link(const struct metric_cell *c) {
    const struct link_use *use = &phase(c)->link[c->at[1]];
    const int64_t *ppb = metric_field(c, use);
    return metric_real(is_reached(c) && use->n > 0, (double)*ppb / (double)PPB);
}

static json_t *phase_queue(const struct metric_cell *c) {
    return metric_real(is_reached(c), (double)phase(c)->queue_mean_bytes);
}

static json_t *phase_dropped(const struct metric_cell *c) { return metric_count(phase(c)->dropped); }

static json_t *phase_paused(const struct metric_cell *c) { return json_real((double)phase(c)->paused / PER_US); }

static const struct summary *phase_goodput(const struct metric_cell *c) { return &phase(c)->host_goodput_bps; }

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
    {"phases.PHASE.queries.SIZE.STAT", UNIT_US, METRIC_LESS, "PHASE query time SIZE STAT",
     SUMMARY_OF(phase_queries, PER_US), .doc = "completion time of the queries that start in the phase"},
    {"phases.PHASE.links.TIER.mean", UNIT_SHARE, METRIC_NEITHER, "PHASE link use TIER mean",
     VALUE_IN(phase_link, link_use, mean_ppb),
     .doc = "utilisation of the links of a tier over the time of the phase: mean over both directions"},
    {"phases.PHASE.links.TIER.max", UNIT_SHARE, METRIC_NEITHER, "PHASE link use TIER max",
     VALUE_IN(phase_link, link_use, max_ppb), .doc = "the same, of the most used direction"},
    {"phases.PHASE.queues_bytes.mean", UNIT_BYTES, METRIC_LESS, "PHASE mean queue", VALUE(phase_queue),
     .doc = "time-weighted mean backlog of a switch port over the time of the phase, mean over all switch ports"},
    {"phases.PHASE.packets.dropped", UNIT_COUNT, METRIC_LESS, "PHASE packets dropped", VALUE(phase_dropped),
     .doc = "frames that ports dropped within the phase"},
    {"phases.PHASE.pauses.paused_us", UNIT_US, METRIC_LESS, "PHASE paused", VALUE(phase_paused),
     .doc = "time that ports were paused within the phase, sum over ports, NICs and classes"},
    {"phases.PHASE.goodput_gbps.STAT", UNIT_GBPS, METRIC_MORE, "PHASE host goodput STAT",
     SUMMARY_OF(phase_goodput, 1e9),
     .doc = "payload that a host received over the time of the phase, over the hosts to which a flow was open in it"},
};

METRIC_PART(phase, rows);
