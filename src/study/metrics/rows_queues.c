/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of queues and of flow control. */
#include "study/metrics/rows.h"
#include "study/results/pauses.h"

/* ---- queues ---- */

static json_t *queue_use(const struct metric_cell *c) {
    const struct queue_use *q = &c->outcome->result.queue[c->at[0]];
    const int64_t *bytes = metric_field(c, q);
    return metric_real(q->n_ports > 0, (double)*bytes);
}

static json_t *queue_bound(const struct metric_cell *c) {
    const struct queue_use *q = &c->outcome->result.queue[c->at[0]];
    return q->n_ports && q->bound_bytes ? metric_count(q->bound_bytes) : json_null();
}

/* ---- buffers ---- */

static json_t *buffers_mean(const struct metric_cell *c) {
    const struct run_result *r = &c->outcome->result;
    double sum = 0;
    for (size_t i = 0; i < r->n_buffers; i++) sum += (double)r->buffer[i].mean_bytes;
    return metric_real(r->n_buffers > 0, r->n_buffers ? sum / (double)r->n_buffers : 0);
}

static json_t *buffers_max(const struct metric_cell *c) {
    const struct run_result *r = &c->outcome->result;
    int64_t most = 0;
    for (size_t i = 0; i < r->n_buffers; i++) most = r->buffer[i].max_bytes > most ? r->buffer[i].max_bytes : most;
    return metric_real(r->n_buffers > 0, (double)most);
}

/* ---- pauses ---- */

static json_t *microseconds(span_ps span) { return json_real((double)span / PER_US); }

static json_t *paused_by_class(const struct metric_cell *c) {
    const struct pause_totals *t = &c->outcome->result.pauses;
    json_t *classes = json_array();
    for (size_t k = 0; k < sizeof t->paused_by / sizeof *t->paused_by; k++)
        json_array_append_new(classes, microseconds(t->paused_by[k]));
    return classes;
}

static json_t *ingress_mean(const struct metric_cell *c) {
    const struct pause_totals *t = &c->outcome->result.pauses;
    return json_real(t->n_ingress ? (double)t->ingress_mean_sum / t->n_ingress : 0);
}

static json_t *ingress_max(const struct metric_cell *c) {
    return metric_count((uint64_t)c->outcome->result.pauses.ingress_max_bytes);
}

static json_t *longest_port(const struct metric_cell *c) {
    const struct pause_total *longest = pauses_longest(&c->outcome->result);
    char name[OUTCOME_EGRESS];
    return longest ? json_string(outcome_egress(c->outcome, longest->port, name)) : json_null();
}

static json_t *longest_class(const struct metric_cell *c) {
    const struct pause_total *longest = pauses_longest(&c->outcome->result);
    return longest ? metric_count(longest->class) : json_null();
}

static json_t *n_cycles(const struct metric_cell *c) { return metric_count(c->outcome->result.pauses.rings); }

static json_t *cycle(const struct outcome *o, size_t first) {
    const struct pause_ring_lane *lane = &o->result.ring[first];
    json_t *object = json_object(), *ports = json_array(), *classes = json_array();
    for (size_t i = 0; i < pauses_ring_length(&o->result, first); i++) {
        char name[OUTCOME_EGRESS];
        json_array_append_new(ports, json_string(outcome_egress(o, lane[i].port, name)));
        json_array_append_new(classes, metric_count(lane[i].class));
    }
    json_object_set_new(object, "ports", ports);
    json_object_set_new(object, "classes", classes);
    json_object_set_new(object, "since_us", microseconds(pauses_ring_since(&o->result, first)));
    json_object_set_new(object, "seen_us", microseconds(lane->last));
    return object;
}

static json_t *cycles(const struct metric_cell *c) {
    const struct run_result *r = &c->outcome->result;
    json_t *list = json_array();
    for (size_t i = 0; i < r->n_ring_lanes; i += pauses_ring_length(r, i))
        json_array_append_new(list, cycle(c->outcome, i));
    return list;
}

/* ---- the rows ---- */

static const struct metric rows[] = {
    {"queues_bytes.mean", UNIT_BYTES, METRIC_LESS, "mean queue", SCALED(queue_mean_bytes, 1),
     .doc = "time-weighted mean backlog of a switch port over the time of averages, mean over all switch ports, frame "
            "bytes"},
    {"queues_bytes.max", UNIT_BYTES, METRIC_LESS, "largest queue", SCALED(queue_max_bytes, 1),
     .doc = "largest backlog of any switch port, frame bytes"},
    {"queues_bytes.by_tier.PLACE.mean", UNIT_BYTES, METRIC_LESS, "mean queue PLACE",
     VALUE_IN(queue_use, queue_use, mean_bytes),
     .doc = "time-weighted mean backlog of the ports of one place over the time of averages, mean over the ports; null "
            "where there are none"},
    {"queues_bytes.by_tier.PLACE.max", UNIT_BYTES, METRIC_LESS, "largest queue PLACE",
     VALUE_IN(queue_use, queue_use, max_bytes),
     .doc = "largest backlog of any port of the place; null where there are none"},
    {"queues_bytes.by_tier.PLACE.bound", UNIT_BYTES, METRIC_NEITHER, "bound of queues PLACE", VALUE(queue_bound),
     .doc = "wire bytes by which credits bound the largest queue of the place (`heddle check` prints the bounds "
            "too); null for NICs, where nothing bounds it, and where a transport without credits takes part"},
    {"buffers_bytes.mean", UNIT_BYTES, METRIC_LESS, "mean buffer", VALUE(buffers_mean),
     .doc = "time-weighted mean of all bytes in a switch over the time of averages: ingress queues, crossbar and "
            "egress queues together, mean over "
            "the switches, frame bytes"},
    {"buffers_bytes.max", UNIT_BYTES, METRIC_LESS, "fullest buffer", VALUE(buffers_max),
     .doc = "most bytes in any switch at one time: ingress queues, crossbar and egress queues together. "
            "`queues_bytes` is of single egress queues"},

    {"pauses.sent", UNIT_COUNT, METRIC_NEITHER, "pause frames sent", COUNT(pauses.sent),
     .doc = "pause frames sent, also the frames that end a pause; 0 without flow control"},
    {"pauses.paused_us", UNIT_US, METRIC_LESS, "paused", SCALED(pauses.paused, PER_US),
     .doc = "time that ports were paused within the time of averages, sum over ports, NICs and classes"},
    {"pauses.stops", UNIT_COUNT, METRIC_NEITHER, "pauses", COUNT(pauses.stops),
     .doc = "how often a class of a port was stopped; refreshing a pause does not count"},
    {"pauses.paused_us_by_class", UNIT_LIST, METRIC_LESS, "paused by class", VALUE(paused_by_class),
     .doc = "paused time of each class in us within the time of averages, from class 0 on"},
    {"pauses.blocked_us", UNIT_US, METRIC_LESS, "blocked", SCALED(pauses.blocked, PER_US),
     .doc = "head-of-line blocking: time in which frames waited in a switch port and its link was idle because of "
            "pauses alone, within the time of averages, sum over ports"},
    {"pauses.ingress_bytes_mean", UNIT_BYTES, METRIC_LESS, "mean ingress queue", VALUE(ingress_mean),
     .doc = "time-weighted mean of an ingress queue over the time of averages, mean over ports"},
    {"pauses.ingress_bytes_max", UNIT_BYTES, METRIC_LESS, "largest ingress queue", VALUE(ingress_max),
     .doc = "largest ingress queue of any port"},
    {"pauses.storms", UNIT_COUNT, METRIC_LESS, "pause storms", COUNT(pauses.storms),
     .doc = "pauses that lasted `switch.pause_storm` or longer without a break"},
    {"pauses.watchdog.found", UNIT_COUNT, METRIC_LESS, "storms found", COUNT(pauses.watchdog_found),
     .doc =
         "classes of ports that the watchdog of a switch found paused for `switch.pfc_watchdog.detect`; 0 without one"},
    {"pauses.watchdog.ended", UNIT_COUNT, METRIC_NEITHER, "storms ended", COUNT(pauses.watchdog_ended),
     .doc = "of these, how many were over, and were obeyed again"},
    {"pauses.longest_us", UNIT_US, METRIC_LESS, "longest pause", SCALED(pauses.longest, PER_US),
     .doc = "longest pause of a class of a port without a break"},
    {"pauses.longest_port", UNIT_TEXT, METRIC_NEITHER, "port of the longest pause", VALUE(longest_port),
     .doc = "port that the longest pause stopped: `leaf0>spine1` is the egress of leaf0 that spine1 stopped"},
    {"pauses.longest_class", UNIT_NUMBER, METRIC_NEITHER, "class of the longest pause", VALUE(longest_class),
     .doc = "class that the longest pause stopped"},
    {"pauses.n_cycles", UNIT_COUNT, METRIC_LESS, "pause cycles", VALUE(n_cycles),
     .doc = "cyclic buffer dependencies: rings of ports, each waiting for the next, that all stood stopped for "
            "`switch.pause_storm` and longer"},
    {"pauses.cycles", UNIT_LIST, METRIC_NEITHER, "rings of pauses", VALUE(cycles),
     .doc = "the first 64 cyclic buffer dependencies, each with `ports`, `classes`, `since_us` (from then on all of "
            "the ring stood) and `seen_us` (when it was last seen)"},
};

METRIC_PART(queue, rows);
