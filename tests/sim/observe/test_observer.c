/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline of a flow: times of its frames, and the backlog that each met. */
#include "mech/admit/admissions.h"
#include "mech/schedule/schedules.h"
#include "node/port.h"
#include "sim/fixture.h"

#define DELAY (2 * US)

/* Two hosts send to a third through one switch; flow 0 is watched, flow 1 competes with it. */
static struct lab *two_to_one(uint64_t watched_bytes) {
    static const uint32_t watched[] = {0};
    struct lab *l = lab_new(spec_star(3));
    lab_flow(l, 0, 2, watched_bytes, 0);
    lab_flow(l, 1, 2, 300000, 0);
    l->config.measure.flow = watched;
    l->config.measure.n_flow = 1;
    return l;
}

static const struct timeline_entry *find(const struct lab *l, enum timeline_kind kind, uint32_t node, uint32_t offset,
                                         uint8_t frame) {
    for (size_t i = 0; i < l->r.n_timeline; i++) {
        const struct timeline_entry *e = &l->r.timeline[i];
        if (e->kind == kind && e->node == node && e->seq_offset == offset && e->frame == frame) return e;
    }
    return NULL;
}

/* Asserts that every data frame enters the switch when its link has delivered it, and leaves after the backlog that it
 * met. Returns how many frames met one. */
static uint32_t waits_add_up(const struct lab *l) {
    uint32_t sw = l->fabric->n_hosts, n = 0;
    const struct port_view at_10g = {.rate_bps = 10 * GBPS};
    for (size_t i = 0; i < l->r.n_timeline; i++) {
        const struct timeline_entry *e = &l->r.timeline[i];
        if (e->kind != TIMELINE_ENQUEUED || e->frame != TIMELINE_DATA || e->size == 0) continue;
        const struct timeline_entry *left = find(l, TIMELINE_DEQUEUED, 0, e->seq_offset, false),
                                    *gone = find(l, TIMELINE_DEQUEUED, sw, e->seq_offset, false);
        assert_non_null(left);
        assert_non_null(gone);
        assert_int_equal(e->at, left->at + DELAY);
        span_ps wait = gone->at - e->at - port_serialize_slow(10 * GBPS, packet_wire_bytes(0, 20, e->size));
        assert_int_equal(e->backlog_bytes, port_frame_bytes(&at_10g, wait));
        n += wait > 0;
    }
    return n;
}

static void timeline__behind_is_what_stood_before_the_frame(void **state) {
    (void)state;
    struct lab *l = two_to_one(20000);
    lab_run_done(l);
    assert_true(waits_add_up(l) > 3);
    const struct timeline_entry *first = find(l, TIMELINE_SENT, 0, UINT32_MAX, false); /* the SYN, one below byte 0 */
    assert_non_null(first);
    assert_int_equal(first->backlog_bytes, 0);
    lab_end(l);
}

/* Frames of the lower class are delayed in the switch, not on the link to it. */
static void timeline__frames_wait_where_their_class_waits(void **state) {
    (void)state;
    struct lab *l = two_to_one(20000);
    l->flows.flow[1].priority = 1;
    l->config.switches.port.classes = 2;
    l->config.switches.port.schedule.ops = &schedule_strict;
    lab_run_done(l);
    assert_true(waits_add_up(l) > 3);
    lab_end(l);
}

/* A mark appears once, at its switch, also with queues per class. */
static void timeline__a_mark_is_told_once(void **state) {
    (void)state;
    for (uint32_t classes = 1; classes <= 2; classes++) {
        struct lab *l = two_to_one(100000);
        lab_transport_param(l, 0, "ecn", 1);
        l->config.switches.port.classes = classes;
        l->config.switches.port.schedule.ops = classes > 1 ? &schedule_strict : &schedule_fifo;
        l->config.switches.admit = (struct admit_config){.ops = &admit_ecn, .ecn_bytes = 10000};
        lab_run_done(l);
        uint64_t marked = 0;
        for (size_t i = 0; i < l->r.n_timeline; i++) marked += l->r.timeline[i].kind == TIMELINE_MARKED;
        assert_true(marked > 0);
        assert_int_equal(marked, l->r.tally[0].marked_pkts);
        lab_end(l);
    }
}

/* Returns the time of the first frame that host 0 repeats. */
static time_ps first_repeated(const struct lab *l) {
    uint32_t next = 0;
    for (size_t i = 0; i < l->r.n_timeline; i++) {
        const struct timeline_entry *e = &l->r.timeline[i];
        if (e->kind != TIMELINE_SENT || e->node != 0 || e->size == 0) continue;
        if (e->seq_offset < next) return e->at;
        next = e->seq_offset + e->size;
    }
    return TIME_NONE;
}

/* The window is told from the first frame on, and its cut when recovery begins: before the lost frame is repeated. */
static void timeline__the_window_when_it_changes(void **state) {
    (void)state;
    struct lab *l = two_to_one(300000);
    lab_link(l, "host0.0-leaf0", 0, -1, PPB / 100);
    lab_run_done(l);
    uint32_t before = 0;
    time_ps cut = TIME_NONE;
    for (size_t i = 0; i < l->r.n_timeline && cut == TIME_NONE; i++) {
        const struct timeline_entry *e = &l->r.timeline[i];
        if (e->kind != TIMELINE_CWND) continue;
        if (before == 0) assert_int_equal(e->at, 0);
        if (e->size < before) cut = e->at;
        before = e->size;
    }
    assert_true(l->r.tally[0].fast_recoveries > 0);
    assert_int_not_equal(first_repeated(l), TIME_NONE);
    assert_true(cut <= first_repeated(l));
    lab_end(l);
}

/* A response to an Exp-request belongs to the flow, but is neither data nor an acknowledgement. */
static void timeline__frames_of_switches_are_told_apart(void **state) {
    (void)state;
    static const uint32_t watched[] = {0};
    struct lab *l = lab_new(spec_leaf_spine(2, 2, 2));
    lab_balance(l, "expeditus");
    lab_flow(l, 0, 2, 20000, 0);
    l->config.measure.flow = watched;
    l->config.measure.n_flow = 1;
    lab_run_done(l);
    uint32_t leaf1 = node(l->fabric, "leaf1"), made = 0;
    const struct timeline_entry *syn = find(l, TIMELINE_ENQUEUED, leaf1, UINT32_MAX, false);
    assert_non_null(syn);
    for (size_t i = 0; i < l->r.n_timeline; i++) {
        const struct timeline_entry *e = &l->r.timeline[i];
        if (e->node != leaf1 || e->kind != TIMELINE_ENQUEUED || e->frame != TIMELINE_OF_SWITCH) continue;
        made++;
        assert_int_equal(e->at, syn->at);
        assert_int_equal(e->backlog_bytes, 0);
    }
    assert_int_equal(made, lab_counter(l, "responses_sent") / 2); /* one for the SYN, one from the other ToR */
    lab_end(l);
}

/* A flow of credits: its request, each credit with the data that it allowed, and DONE. */
static void timeline__credits_by_their_kinds_and_numbers(void **state) {
    (void)state;
    struct lab *l = two_to_one(20000); /* 14 segments */
    lab_transport(l, "expresspass");
    l->config.switches.credit =
        (struct credit_config){.on = true, .queue = 4, .share_ppb = PPB * 84 / 1622, .burst_bytes = 168};
    l->config.hosts.credit = l->config.switches.credit;
    lab_run_done(l);
    const struct flow_tally *t = &l->r.tally[0];
    uint32_t sw = l->fabric->n_hosts, credits = 0, dropped = 0, data = 0;
    for (size_t i = 0; i < l->r.n_timeline; i++) {
        const struct timeline_entry *e = &l->r.timeline[i];
        credits += e->frame == TIMELINE_CREDIT && e->kind == TIMELINE_SENT;
        dropped += e->frame == TIMELINE_CREDIT && e->kind == TIMELINE_DROPPED;
        if (e->frame != TIMELINE_DATA || e->kind != TIMELINE_SENT) continue;
        const struct timeline_entry *came = find(l, TIMELINE_DELIVERED, 2, data, TIMELINE_DATA);
        assert_int_equal(e->seq_offset, data++);
        assert_int_equal(came->credit, e->credit);
        bool brought = false; /* its credit had reached the sender */
        for (size_t k = 0; k < i; k++) {
            const struct timeline_entry *c = &l->r.timeline[k];
            brought |= c->kind == TIMELINE_DELIVERED && c->frame == TIMELINE_CREDIT && c->credit == e->credit;
        }
        assert_true(brought);
    }
    assert_int_equal(data, 14);
    assert_int_equal(credits, t->credits_sent - t->credits_refused);
    assert_int_equal(credits - dropped, t->credits_used + t->credits_wasted);
    assert_non_null(find(l, TIMELINE_ENQUEUED, sw, 0, TIMELINE_REQUEST));
    assert_non_null(find(l, TIMELINE_DELIVERED, 0, 14, TIMELINE_DONE));
    assert_null(find(l, TIMELINE_DELIVERED, 0, 14, TIMELINE_ACK));
    lab_end(l);
}

static void timeline__a_receiver_that_answers_nothing_still_finishes(void **state) {
    (void)state;
    struct lab *l = two_to_one(3000);
    lab_transport(l, "udp");
    lab_run_done(l);
    uint32_t finished = 0;
    for (size_t i = 0; i < l->r.n_timeline; i++) {
        const struct timeline_entry *e = &l->r.timeline[i];
        if (e->kind != TIMELINE_FINISHED) continue;
        finished++;
        assert_int_equal(e->at, l->r.tally[0].finished_at);
        assert_int_equal(e->node, 2);
    }
    assert_int_equal(finished, 1);
    lab_end(l);
}

/* A board per microsecond, and long idle times. */
static void samples__of_idle_times_are_all_there_and_change_nothing(void **state) {
    (void)state;
    uint64_t digest = 0;
    for (int sampled = 0; sampled < 2; sampled++) {
        struct lab *l = lab_new(spec_leaf_spine(2, 2, 2));
        lab_balance(l, "clairvoyant");
        lab_flow(l, 0, 2, 50000, 0);
        lab_flow(l, 1, 3, 50000, 10 * US);
        lab_flow(l, 1, 2, 50000, 7 * MS + 3 * US);
        l->config.until = 20 * MS;
        l->config.measure.queues = sampled ? 50 * US : 0;
        lab_run_done(l);
        if (sampled) assert_int_equal(l->r.engine.digest, digest);
        if (sampled) assert_int_equal(l->r.n_samples, 400 * l->r.n_ports);
        digest = l->r.engine.digest;
        lab_end(l);
    }
}

/* An interval's imbalance covers only the bytes sent in it: one flow over one of two uplinks gives 200 %. Neither idle
 * intervals count, nor the one in which the flow ends. */
static void imbalance__of_each_interval_alone(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(2, 2, 2));
    lab_transport(l, "udp");
    l->config.measure.imbalance = 100 * US;
    l->config.until = 1 * MS;
    lab_flow(l, 0, 2, 500000, 0); /* 418 us */
    lab_run_done(l);
    assert_int_equal(l->r.n_imbalance, 4);
    for (size_t i = 0; i < l->r.n_imbalance; i++) {
        assert_int_equal(l->r.imbalance[i].at, (time_ps)(i + 1) * 100 * US);
        assert_int_equal(l->r.imbalance[i].value_ppm, 2000000);
    }
    lab_end(l);
}

/* After thinning each remaining sample still covers one period, so no link is above 100 %. */
static void samples__thinned_ones_are_of_one_period(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_transport(l, "udp");
    l->config.measure.links = 10 * US;
    l->config.measure.max_samples = 20 * 4;
    l->config.until = 1 * MS;
    lab_flow(l, 0, 1, UINT64_MAX, 0);
    lab_run_done(l);
    assert_true(l->r.samples_thinned && l->r.n_samples > 20);
    for (size_t i = 0; i < l->r.n_samples; i++) assert_true(l->r.sample[i].value <= PPB);
    lab_end(l);
}

/* A full queue whose link gets faster: what it has sent is not counted again, and not taken back. */
static void samples__of_a_link_whose_rate_rises(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_dumbbell(2));
    lab_transport(l, "udp");
    lab_slow(l, "leaf0-leaf1", GBPS, 0, 500 * US);
    l->config.measure.links = l->config.measure.imbalance = 10 * US;
    l->config.until = 2 * MS;
    lab_flow(l, 0, 2, UINT64_MAX, 0);
    lab_run_done(l);
    uint32_t slow = lab_port(l, "leaf0", "leaf1")->port;
    for (size_t i = 0; i < l->r.n_samples; i++) assert_true(l->r.sample[i].value >= 0);
    for (size_t i = 0; i < l->r.n_samples; i++)
        if (l->r.sample[i].port == slow && l->r.sample[i].at == 510 * US) assert_int_equal(l->r.sample[i].value, 0);
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(timeline__behind_is_what_stood_before_the_frame),
        UNIT(timeline__frames_wait_where_their_class_waits),
        UNIT(timeline__a_mark_is_told_once),
        UNIT(timeline__the_window_when_it_changes),
        UNIT(timeline__frames_of_switches_are_told_apart),
        UNIT(timeline__credits_by_their_kinds_and_numbers),
        UNIT(timeline__a_receiver_that_answers_nothing_still_finishes),
        UNIT(samples__of_idle_times_are_all_there_and_change_nothing),
        UNIT(imbalance__of_each_interval_alone),
        UNIT(samples__thinned_ones_are_of_one_period),
        UNIT(samples__of_a_link_whose_rate_rises),
    };
    return RUN_UNITS(tests);
}
