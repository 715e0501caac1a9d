/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of packets and of credits. */
#include "study/metrics/rows.h"

static json_t *bound_used(const struct metric_cell *c) {
    const struct queue_bound *b = &c->outcome->result.queue_bound;
    return metric_real(b->n_ports > 0, (double)b->max_bytes / (double)b->bound_bytes);
}

static json_t *queues_over_bound(const struct metric_cell *c) {
    const struct queue_bound *b = &c->outcome->result.queue_bound;
    return b->n_ports ? metric_count(b->n_over) : json_null();
}

static const struct metric rows[] = {
    {"packets.sent", UNIT_COUNT, METRIC_NEITHER, "packets sent", COUNT(packets.sent),
     .doc = "frames given to a port by the node that made them (hosts; switches for Exp-responses)"},
    {"packets.delivered", UNIT_COUNT, METRIC_NEITHER, "packets delivered", COUNT(packets.delivered),
     .doc = "frames consumed by the node that they were meant for"},
    {"packets.dropped", UNIT_COUNT, METRIC_LESS, "packets dropped", COUNT(packets.dropped), .head = "dropped",
     .doc = "frames dropped, whatever the cause; `counters.drop_*` has the causes"},
    {"packets.marked", UNIT_COUNT, METRIC_NEITHER, "packets marked", COUNT(packets.marked),
     .doc = "frames that a port marked CE"},
    {"packets.reordered", UNIT_COUNT, METRIC_LESS, "packets reordered", COUNT(packets.reordered),
     .doc = "data packets that arrived behind a later one of their flow; retransmissions do not count"},
    {"packets.retransmitted", UNIT_COUNT, METRIC_LESS, "packets retransmitted", COUNT(packets.retransmitted),
     .doc = "data packets sent again"},
    {"packets.in_flight", UNIT_COUNT, METRIC_NEITHER, "packets in flight", COUNT(packets.in_flight),
     .doc = "frames found in queues and on links at the end"},

    {"credits.sent", UNIT_COUNT, METRIC_NEITHER, "credits sent", COUNT(credits.sent),
     .doc = "credits that receivers sent, refused ones too; 0, like all counts of credits, without a credit transport"},
    {"credits.used", UNIT_COUNT, METRIC_NEITHER, "credits used", COUNT(credits.used),
     .doc = "credits that a data frame answered"},
    {"credits.wasted", UNIT_COUNT, METRIC_LESS, "credits wasted", COUNT(credits.wasted),
     .doc = "credits that expired at the sender, or were refused or cleared there"},
    {"credits.void", UNIT_COUNT, METRIC_NEITHER, "void credits", COUNT(credits.voided),
     .doc = "void credits that arrived; they ask for no data"},
    {"credits.dropped", UNIT_COUNT, METRIC_LESS, "credits dropped", COUNT(credits.dropped),
     .doc = "credits that a port dropped, or that the limiter of their sender refused"},
    {"credits.in_flight", UNIT_COUNT, METRIC_NEITHER, "credits in flight", COUNT(credits.in_flight),
     .doc = "credits found in queues, on links and held by their senders at the end"},
    {"credits.wasted_per_flow.STAT", UNIT_COUNT, METRIC_LESS, "credits wasted per flow STAT",
     SUMMARY(counts.wasted_milli, PER_MILLI),
     .doc = "credits wasted by a flow, over the finished flows that had credits"},
    {"credits.unfilled_bytes_per_flow.STAT", UNIT_BYTES, METRIC_LESS, "unfilled bytes per flow STAT",
     SUMMARY(counts.unfilled_milli, PER_MILLI),
     .doc = "bytes by which the frames that used a flow's credits were shorter than full ones, over the finished flows "
            "that had credits"},
    {"credits.bound_used", UNIT_SHARE, METRIC_LESS, "queue over bound", VALUE(bound_used),
     .doc = "largest backlog of a port over the bound that credits give its queue, of the port with the largest such "
            "share. Frames that need no credit (requests, unscheduled data) come on top of the bound, and so does what "
            "a failure sends another way"},
    {"credits.queues_over_bound", UNIT_COUNT, METRIC_LESS, "queues over bound", VALUE(queues_over_bound),
     .doc = "ports whose backlog exceeded their bound; a warning names the worst"},
};

METRIC_PART(packet, rows);
