/* SPDX-License-Identifier: Apache-2.0 */
/* Void credits (XP-23): frames without credits add to queues that credits keep full. For each, the receiver sends a
 * credit that admits nothing; this takes the same share from the data of others, and the queues drain.
 */
#include "scenario/credit_lab.h"

#define UDP_BPS GBPS /* with headers more than a tenth of the link; data under credits leaves 84/1622 of it */

/* Returns a world in which data under credits fills the link from leaf0 to leaf1, and a constant stream without credits
 * joins after 2 ms. */
static struct lab *lab_with_stream(bool void_credits) {
    struct lab *l = lab_credits(spec_dumbbell(3), "expresspass");
    l->config.hosts.void_credits = void_credits;
    l->config.until = 22 * MS;
    lab_flow(l, 0, 3, UINT64_MAX, 0);
    lab_flow(l, 1, 4, UINT64_MAX, 0);
    struct flow *stream = lab_flow(l, 2, 5, UINT64_MAX, 2 * MS);
    stream->transport = lab_add_transport(l, "udp");
    stream->rate_bps = UDP_BPS;
    lab_run_done(l);
    assert_int_equal(l->r.packets.dropped, 0);
    return l;
}

static int64_t lab_most_queued(const struct lab *l) { return lab_port(l, "leaf0", "leaf1")->max_queue_bytes; }

static void stream__fills_the_queue_without(void **state) {
    (void)state;
    struct lab *l = lab_with_stream(false);
    /* at most 20 ms of the excess over the link: 1 Gbps x 1538 / 1472 - 10 Gbps x 84 / 1622 */
    assert_in_range(lab_most_queued(l), 800000, 1200000);
    assert_int_equal(l->r.credits.voided, 0);
    lab_end(l);
}

static void stream__makes_room_for_itself(void **state) {
    (void)state;
    struct lab *l = lab_with_stream(true);
    assert_in_range(lab_most_queued(l), 1518, 12 * 1518);
    uint64_t frames =
        l->r.tally[2].received_bytes / 1472; /* one void credit for each frame, but for requests and the last frame */
    assert_in_range(l->r.credits.voided, frames - 1, frames + 1);
    assert_in_range(l->r.tally[2].received_bytes * 8 / 20000, 990, 1000); /* Mbps: the full rate of the stream */
    lab_end(l);
}

/* The link stays full: data under credits gives up only the share of the stream. */
static void stream__takes_no_more_than_it_is(void **state) {
    (void)state;
    int64_t sum[2];
    for (int with = 0; with < 2; with++) {
        struct lab *l = lab_with_stream(with);
        sum[with] = 0;
        for (uint32_t f = 0; f < 2; f++) sum[with] += l->r.tally[f].received_bytes;
        lab_end(l);
    }
    int64_t stream = UDP_BPS / 8 / 50; /* bytes in 20 ms */
    assert_in_range(sum[0] - sum[1], 0, stream * 1538 / 1472);
}

/* Returns a world in which sixteen hosts send 30 KB without credits to one host at once, whose link a long flow
 * fills. */
static struct lab *lab_burst(bool void_credits) {
    struct lab *l = lab_credits(spec_star(18), "expresspass");
    uint8_t udp = lab_add_transport(l, "udp");
    l->config.hosts.void_credits = void_credits;
    l->config.measure.queues = 20 * US;
    l->config.until = 3 * MS;
    lab_flow(l, 17, 0, UINT64_MAX, 0);
    for (uint32_t sender = 1; sender < 17; sender++) lab_flow(l, sender, 0, 30000, 500 * US)->transport = udp;
    lab_run_done(l);
    assert_int_equal(l->r.flows_finished, 17); /* including the long flow */
    assert_int_equal(l->r.packets.dropped, 0);
    return l;
}

/* Returns the time at which the queue to host 0 is short again. */
static time_ps lab_drained_at(const struct lab *l) {
    uint32_t port = lab_port(l, "leaf0", "host0.0")->port;
    time_ps at = 0;
    for (size_t i = 0; i < l->r.n_samples; i++) {
        const struct sample *s = &l->r.sample[i];
        if (s->kind == SAMPLE_QUEUE && s->port == port && s->value > 10 * 1518) at = s->at;
    }
    return at;
}

/* 480 KB take 390 us at the rate of the link, all of which the burst gets with void credits. Without them, the receiver
 * of the long flow takes credits that wait in the queue for lost, and slows down as well, but later. */
static void burst__drains_at_the_rate_of_the_link(void **state) {
    (void)state;
    time_ps drained[2];
    for (int with = 0; with < 2; with++) {
        struct lab *l = lab_burst(with);
        assert_in_range(lab_port(l, "leaf0", "host0.0")->max_queue_bytes, 400000, 500000);
        drained[with] = lab_drained_at(l);
        lab_end(l);
    }
    assert_in_range(drained[1], 880 * US, 960 * US);
    assert_true(drained[0] > 1300 * US);
}

/* A frame of a credit transport and its void credit cross the same links; hashes include the protocol. */
static void symmetric__on_the_way_of_requests(void **state) {
    (void)state;
    struct lab *l = lab_credits(spec_leaf_spine(2, 4, 8), "expresspass");
    l->config.hosts.void_credits = true;
    l->config.switches.port.unscheduled_bytes = l->config.switches.buffer_bytes;
    lab_transport_param(l, 0, "unscheduled", 15000);
    lab_flow(l, 0, 8, 15000, 0);
    lab_watch_all(l);
    lab_run_done(l);
    assert_true(l->r.credits.voided > 5);
    uint32_t spines = 0;
    for (uint32_t p = 0; p < l->r.n_ports; p++) {
        const struct place_port *port = &l->fabric->paths.port[l->r.port[p].port];
        bool up = port->node >= l->fabric->n_hosts && port->neighbour >= l->fabric->n_hosts;
        spines += up && l->r.port[p].sent_bytes > 0;
    }
    assert_int_equal(spines, 4); /* up and down, in both directions, over one spine */
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(stream__fills_the_queue_without),   UNIT(stream__makes_room_for_itself),
        UNIT(stream__takes_no_more_than_it_is),  UNIT(burst__drains_at_the_rate_of_the_link),
        UNIT(symmetric__on_the_way_of_requests),
    };
    return RUN_UNITS(tests);
}
